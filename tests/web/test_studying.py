"""Requests for pictures, advice while one plays, rules, new puzzles and files."""

from __future__ import annotations

import math
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.asking import ask, error, is_svg
from support.grid_files import FIRST_FILES

from jigsat.instance import of_text
from jigsat.pictures import MARK

CUBE = {"name": "cube"}
SUDOKU = {"text": 'family = "sudoku"\ngrid = """\n12..\n....\n..3.\n...4\n"""\n'}


@pytest.fixture(scope="module")
def placements() -> list[dict[str, Any]]:
    """The placements of a solution of the cube."""
    (solution,) = (
        message for message in ask("solve", puzzle=CUBE, limit=1) if message["kind"] == "solution"
    )
    return list(solution["placements"])


def test_a_part_of_a_solution_is_drawn_with_marks(placements: list[dict[str, Any]]) -> None:
    plain, marked = (
        ask("draw", puzzle=CUBE, placements=placements[:3], marked=marks)[0]["svg"]
        for marks in ([], placements[:1])
    )
    assert is_svg(plain) and is_svg(marked)
    assert MARK not in plain and MARK in marked


def test_a_placement_that_the_puzzle_does_not_have(placements: list[dict[str, Any]]) -> None:
    wrong = {**placements[0], "piece": "Z"}
    assert error("draw", puzzle=CUBE, placements=[wrong])["message"].startswith(
        "placements.0: cube has no placement {"
    )
    assert "marked.1" in error("draw", puzzle=CUBE, marked=[placements[0], {}])["message"]


def test_two_solutions_show_that_a_puzzle_is_not_unique() -> None:
    (found,) = ask("unique", puzzle=CUBE)
    assert not found["unique"] and len(found["solutions"]) == 2
    assert all(MARK in solution["svg"] for solution in found["solutions"])
    (found,) = ask("unique", puzzle={"name": "sudoku-6x6"})
    assert (found["unique"], found["complete"], len(found["solutions"])) == (True, True, 1)


def found(kind: str, **entries: Any) -> dict[str, Any]:
    """The last message of an answer."""
    return ask(kind, **entries)[-1]


def _solutions(puzzle: dict[str, Any]) -> list[list[dict[str, Any]]]:
    return [
        each["placements"]
        for each in ask("solve", puzzle=puzzle, up_to="nothing", drawn=0)
        if each["kind"] == "solution"
    ]


@pytest.mark.parametrize("name", ["cats", "black-and-white", "lights-5x5", "menage-5", "latin-4"])
def test_candidates_agree_with_all_solutions(name: str) -> None:
    puzzle = {"name": name}
    solutions = _solutions(puzzle)
    (started,) = ask("start", puzzle=puzzle)
    messages = [each["statuses"] for each in ask("candidates", puzzle=puzzle)]
    assert set(messages[0]) == {"?"}
    for i, candidate in enumerate(started["candidates"]):
        number = sum(candidate["placement"] in solution for solution in solutions)
        final = "-" if not number else "!" if number == len(solutions) else "+"
        assert messages[-1][i] == final
        before = {statuses[i] for statuses in messages}
        assert before <= {"?", "*", final} and ("*" not in before or number), "nothing is guessed"


def test_what_no_single_rule_excludes_has_every_solution() -> None:
    (started,) = ask("start", puzzle=SUDOKU)
    left = found("open", puzzle=SUDOKU)["statuses"]
    candidates = [candidate["placement"] for candidate in started["candidates"]]
    open_ = [placement for placement, status in zip(candidates, left, strict=True) if status == "?"]
    assert {place["value"] for place in open_ if place["cell"] == [0, 2]} == {"4"}, (
        "3 is in its column, 1 and 2 in its row"
    )
    assert all(placement in open_ for solution in _solutions(SUDOKU) for placement in solution)
    fewer = found("open", puzzle=SUDOKU, excluded=open_[:1])["statuses"]
    assert sum(one != other for one, other in zip(left, fewer, strict=True)) == 1


@pytest.mark.parametrize("name", ["latin-4", "sudoku-6x6", "lights-5x5", "slitherlink-3", "cats"])
def test_what_is_implied_is_in_every_solution(name: str) -> None:
    puzzle = {"name": name}
    (started,) = ask("start", puzzle=puzzle)
    candidates = [each["placement"] for each in started["candidates"]]
    solutions = _solutions(puzzle)
    known = found("imply", puzzle=puzzle)
    assert known["steps"] == [], "nothing is supposed"
    for number in range(0, len(candidates), 1 + len(candidates) // 30):
        implied = found("imply", puzzle=puzzle, placements=[candidates[number]])
        assert implied["given"] == known["given"]
        having = [each for each in solutions if candidates[number] in each]
        steps = implied["steps"]
        broken = any(step["broken"] for step in steps)
        assert not (broken and having), "a solution breaks no rule"
        for step in steps:
            assert all(candidates[i] in each for i in step["placed"] for each in having)
            assert not any(candidates[i] in each for i in step["excluded"] for each in having)


def test_each_implication_names_its_rule_and_what_that_is_about() -> None:
    (started,) = ask("start", puzzle={"name": "latin-4"})
    names = [(each["piece"], each["places"][0]) for each in started["candidates"]]
    placement = started["candidates"][names.index(("1", [1, 2]))]["placement"]
    steps = found("imply", puzzle={"name": "latin-4"}, placements=[placement])["steps"]
    assert {step["rule"] for step in steps} == {"cell r2c3", "row 2", "column 3"}
    (row,) = [step for step in steps if step["rule"] == "row 2"]
    assert row["placed"] == [] and row["bounds"] == [1, 1] and not row["broken"]
    assert [names[i] for i in row["clause"]] == [("1", [1, column]) for column in range(4)]
    assert [names[i] for i in row["excluded"]] == [("1", [1, column]) for column in (0, 1, 3)]


def test_whether_it_is_right_so_far(placements: list[dict[str, Any]]) -> None:
    assert found("judge", puzzle=CUBE, placements=placements[:3]) == {
        "schema": 1,
        "kind": "judgement",
        "right": True,
        "conflict": [],
    }
    wrong = {**placements[1], "piece": placements[0]["piece"]}
    judgement = found("judge", puzzle=CUBE, placements=[*placements[2:], placements[0], wrong])
    assert (
        not judgement["right"]
        and len(judgement["conflict"]) == 2
        and wrong in judgement["conflict"]
    )
    assert found("judge", puzzle={"name": "lights-unsolvable"})["conflict"] == []
    assert found("step", puzzle=CUBE, placements=[placements[0], wrong])["kind"] == "judgement"


def test_steps_lead_to_the_solution() -> None:
    puzzle = {"name": "sudoku-6x6"}
    (solution,) = _solutions(puzzle)
    played, excluded = list[dict[str, Any]](), list[dict[str, Any]]()
    while (step := found("step", puzzle=puzzle, placements=played, excluded=excluded))[
        "reasoning"
    ] != "none":
        assert step["placed"] or step["excluded"]
        assert all(each in solution for each in step["placed"]) and not any(
            each in solution for each in step["excluded"]
        )
        assert step["about"] and all(rule["places"] for rule in step["rules"])
        assert step["look"].startswith("Look at ") and step["ask"].endswith("?") and step["lines"]
        played, excluded = played + step["placed"], excluded + step["excluded"]
    assert step["undecided"] == 0
    (given,) = [each["given"] for each in ask("start", puzzle=puzzle)]
    assert len(played) + len(given) == len(solution)


def test_steps_say_how_far_they_go() -> None:
    step = found("step", puzzle={"name": "latin-4"}, placements=[])
    while step["reasoning"] == "by symmetry":
        step = found("step", puzzle={"name": "latin-4"}, placements=step["placed"])
    assert step["reasoning"] == "none" and step["undecided"] > 0
    assert found("judge", puzzle={"name": "latin-4"}, placements=[step["choice"]])["right"]


def test_what_steps_have_excluded_is_verified() -> None:
    """A placement of the solution that is said to be excluded does not lead to a wrong step."""
    puzzle = {"name": "sudoku-6x6"}
    (solution,) = _solutions(puzzle)
    step = found("step", puzzle=puzzle, excluded=solution)
    assert step["placed"] and all(each in solution for each in step["placed"])


def test_why_something_cannot_be() -> None:
    wrong = {"cell": [0, 2], "value": "2"}
    step = found("why", puzzle=SUDOKU, placement=wrong)
    assert (step["reasoning"], step["excluded"], len(step["rules"])) == ("excludes", [wrong], 1)
    (solution, *_) = _solutions(SUDOKU)
    assert found("why", puzzle=SUDOKU, placement=solution[-1])["reasoning"] == "none"
    assert (
        "no solution has the other placements"
        in error("why", puzzle=SUDOKU, placements=[wrong], placement=solution[0])["message"]
    )
    assert (
        found("why", puzzle={"name": "soma"}, placement=_refuted("soma"))["reasoning"] == "by trial"
    )


def _refuted(name: str) -> dict[str, Any]:
    """A placement that no solution has."""
    (started,) = ask("start", puzzle={"name": name})
    number = found("candidates", puzzle={"name": name})["statuses"].index("-")
    return dict(started["candidates"][number]["placement"])


def test_rules_name_their_places_and_pieces() -> None:
    rules = {each["name"]: each for each in found("rules", puzzle={"name": "cats"})["rules"]}
    assert rules["cell r1c2"] == {
        "name": "cell r1c2",
        "sort": "cell",
        "places": [[0, 1]],
        "pieces": [],
    }
    assert rules["tile 4"] == {"name": "tile 4", "sort": "tile", "places": [], "pieces": ["4"]}
    assert rules["edge between r1c1 and r1c2"]["places"] == [[0, 0], [0, 1]]
    assert len(rules) == 30
    tiling = {each["name"]: each for each in found("rules", puzzle={"name": "soma"})["rules"]}
    assert all(len(rule["places"]) == 1 for rule in tiling.values() if rule["sort"] == "cell"), (
        "all pieces share this cell alone"
    )
    assert {rule["name"]: rule["places"] for rule in found("rules", puzzle=CUBE)["rules"]}[
        "edge between top and back"
    ] == [
        "top",
        "back",
    ]


def test_rules_are_explained_in_plain_words() -> None:
    (box,) = ask("rule", puzzle=SUDOKU, name="box 1")
    assert (
        box["number"] == 4
        and box["constraints"][0] == "exactly 1 of 4: r1c1 = 1; r1c2 = 1; r2c1 = 1; r2c2 = 1"
    )
    assert found("rule", puzzle=SUDOKU, name="given r3c3")["constraints"] == ["r3c3 = 3"]
    edge = found("rule", puzzle={"name": "cats"}, name="edge between r1c1 and r1c2")
    assert edge["groups"] == [
        "an edge has one label",
        "a tile shows its labels",
        "a label is shown by a tile",
    ]
    assert list(edge["meanings"]) == ["label (cell, side, value)"]
    lights = found("rule", puzzle={"name": "push-pull"}, name="light r1c1")["constraints"]
    assert lights == ["an even number of: press r1c1; press r1c2; press r2c1"]
    assert "did you mean 'box 1'" in error("rule", puzzle=SUDOKU, name="bxo 1")["message"]


def test_the_encoding_in_numbers() -> None:
    (encoding,) = ask("explain", puzzle=CUBE)
    assert {family["name"]: family["number"] for family in encoding["variables"]}["place"] == 240
    assert sum(group["clauses"] for group in encoding["groups"]) == encoding["clauses"]


@pytest.mark.parametrize("name", ["cube", "icosahedron", "lights-dodecahedron", "macmahon-cube"])
def test_the_faces_of_a_solid_fold_from_its_net(name: str) -> None:
    (solid,) = ask("solid", puzzle={"name": name})
    faces = solid["faces"]
    assert sum(face["parent"] is None for face in faces) == 1
    for face in faces:
        if face["parent"] is not None:
            hinge, parent = (
                [face["side"], (face["side"] + 1) % len(face["points"])],
                faces[face["parent"]],
            )
            for corners in ("points", "net"):
                ends = [face[corners][i] for i in hinge]
                assert all(
                    any(math.dist(end, other) < 0.02 for other in parent[corners]) for end in ends
                )


def test_the_teeth_of_a_solution_are_on_its_faces(placements: list[dict[str, Any]]) -> None:
    (solid,) = ask("solid", puzzle=CUBE, placements=placements)
    assert sorted(face["piece"] for face in solid["faces"]) == list("ABCDEF")
    assert sum(sum(face["rim"]) for face in solid["faces"]) == 12 * 4 + 8, (
        "each place and each corner is filled once"
    )


def test_the_blocks_of_a_polycube() -> None:
    (solution,) = (
        message
        for message in ask("solve", puzzle={"name": "soma"}, limit=1)
        if message["kind"] == "solution"
    )
    (solid,) = ask("solid", puzzle={"name": "soma"}, placements=solution["placements"])
    assert sorted(tuple(cell) for block in solid["blocks"] for cell in block["cells"]) == [
        (z, y, x) for z in range(3) for y in range(3) for x in range(3)
    ]
    pairs = list(zip(solid["blocks"], solid["ways"], strict=True))
    assert {way for _, way in pairs} == {"from above"}
    heights: dict[tuple[int, int], int] = {}  # the highest layer so far, where there is one
    for block, _ in pairs:  # none has to pass one that is there already
        for z, y, x in block["cells"]:
            assert z < heights.get((y, x), 3)
        for z, y, x in block["cells"]:
            heights[y, x] = min(z, heights.get((y, x), 3))
    assert "in the plane" in error("solid", puzzle={"name": "cats"})["message"]


def test_new_puzzles() -> None:
    puzzles = ask("generate", family="sudoku", options={"size": 4}, seed=1, number=2)
    assert [(each["number"], each["of"]) for each in puzzles] == [(1, 2), (2, 2)]
    assert puzzles[0]["source"] == "jigsat generate sudoku --set size=4 --seed 1, number 1"
    assert ask("unique", puzzle={"text": puzzles[0]["toml"]})[0]["unique"]
    (again,) = ask("generate", puzzle={"text": puzzles[0]["toml"]}, seed=1)
    assert of_text(again["toml"])["grid"] != puzzles[0]["data"]["grid"]


def test_wrong_generator_options() -> None:
    assert (
        "size: expected a whole number"
        in error("generate", family="sudoku", options={"size": "x"})["message"]
    )
    assert "did you mean 'sudoku'" in error("generate", family="sudok")["message"]
    assert "exactly one" in error("generate")["message"]


def test_files() -> None:
    files = {format: ask("export", puzzle=CUBE, format=format)[0] for format in ("cnf", "opb")}
    assert (
        "c var 1 place cell=top piece=A turn=0 flipped=False" in files["cnf"]["text"].splitlines()
    )
    assert files["opb"]["name"] == "cube.opb"
    (listed,) = ask("export", puzzle={"name": "sudoku-hard"}, format="sdm")
    assert listed["text"].startswith("000000240700046009")
    assert error("export", puzzle=SUDOKU, format="sdm")["message"], (
        "the format has grids of 9×9 only"
    )
    assert "use one of 'cnf'" in error("export", puzzle=CUBE, format="exe")["message"]


def test_pages_are_printed_with_solutions() -> None:
    lights = {"name": "lights-unsolvable"}
    (alone,) = ask("print", puzzles=[CUBE])
    assert (alone["name"], alone["type"]) == ("pages.html", "text/html")
    assert "The little blue cube" in alone["text"] and 'class="number"' not in alone["text"]
    (both,) = ask("print", puzzles=[CUBE, lights], solutions=True)
    puzzles, solutions = both["text"].split('<section class="solutions">')
    assert '<span class="number">2</span>' in puzzles
    assert "There is no solution." in solutions


def test_a_rule_of_two_puzzles_is_printed_with_each() -> None:
    """Rules of all seatings are printed once; what is true of one of them stands with it."""
    puzzles = [
        {
            "text": 'family = "seating"\ntables = { one = "round 4" }\n'
            'guests = ["Ada", "Bob", "Cy", "Dot"]\n'
            f'must = [{{ beside = ["Ada", "Bob"] }}, {{ beside = ["Cy", "{other}"] }}]\n'
        }
        for other in ("Ada", "Bob")
    ]
    assert _count_printed(puzzles, "Ada and Bob sit beside") == 2
    assert _count_printed(puzzles[:1] * 2, "Ada and Bob sit beside") == 2
    assert _count_printed(puzzles[:1] * 2, "Seat the listed guests") == 1


def _count_printed(puzzles: list[dict[str, str]], words: str) -> int:
    return sum(page["text"].count(words) for page in ask("print", puzzles=puzzles))


def test_playing_by_hand_needs_no_search() -> None:
    (started,) = ask("start", puzzle=CUBE)
    assert [piece["copies"] for piece in started["pieces"]] == [1] * 6 and started["given"] == []
    one, other, *_ = (
        each["placement"] for each in started["candidates"] if each["places"] == ["top"]
    )
    (position,) = ask("play", puzzle=CUBE, placements=[one, other], check=True)
    assert not position["solved"] and [each["words"] for each in position["broken"]] == [
        "face top holds 2 pieces"
    ]
    (solution,) = (
        message for message in ask("solve", puzzle=CUBE, limit=1) if message["kind"] == "solution"
    )
    (position,) = ask("play", puzzle=CUBE, placements=solution["placements"])
    assert position["solved"] and position["broken"] == []
    assert len(ask("draw", puzzle=CUBE, placements=solution["placements"], apart=True)) == 6


@pytest.mark.parametrize("path", FIRST_FILES.values(), ids=lambda path: path.stem)
def test_an_unfinished_board_is_judged_in_the_words_of_a_player(path: Path) -> None:
    """By what is on the board, and by what a clue says or a rule of the puzzle; not by what the
    check says of finished answers, or in words from the file of the family."""
    puzzle = {"name": path.stem}
    (started,) = ask("start", puzzle=puzzle)
    candidates = [candidate["placement"] for candidate in started["candidates"]]
    rng = Random(1)
    told = set()
    for share in (0.05, 0.1, 0.2, 0.4, 0.6, 0.8):
        placed = [placement for placement in candidates if rng.random() < share]
        (position,) = ask("play", puzzle=puzzle, placements=placed, check=True)
        told.update(fault["words"] for fault in position["broken"])
    assert told
    for words in told:
        assert re.search(r" (says|is) .*, but |, against the rule “\w+ .*\w+”$", words), words
        assert "_" not in words and "follows" not in words, words


def test_the_check_says_what_is_wrong_with_the_placements_that_it_marks() -> None:
    """With the third shaded cell, the two in room A cut off r1c2 as well."""
    rooms = 'cells = "AAA\\nBBB\\nBBB"\nnumbers = { A = 1 }'
    puzzle = {"text": f'family = "heyawake"\n[rooms]\n{rooms}\n'}
    shaded = [
        {"layer": "shaded", "at": cell, "value": "shaded"} for cell in ([0, 0], [0, 2], [1, 1])
    ]
    (position,) = ask("play", puzzle=puzzle, placements=shaded, check=True)
    (broken,) = position["broken"]
    assert broken["words"] == "the room at r1c1 says 1, but r1c1 and r1c3 are shaded"
    assert sorted(mark["at"] for mark in broken["placements"]) == [[0, 0], [0, 2]]
