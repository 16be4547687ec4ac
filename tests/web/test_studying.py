"""Requests for pictures, hints, explanations, new puzzles and files."""

from __future__ import annotations

import math
from typing import Any

import pytest
from jigsat.encodings.sudoku import Digit
from support.asking import ask, error, is_svg

from jigsat import Formula
from jigsat.instance import load, of_text
from jigsat.pictures import MARK

CUBE = {"name": "cube"}
SUDOKU = {"text": 'family = "sudoku"\ngrid = """\n12..\n....\n..3.\n...4\n"""\n'}


@pytest.fixture(scope="module")
def placements() -> list[dict[str, Any]]:
    """The placements of a solution of the cube."""
    (solution,) = (message for message in ask("solve", puzzle=CUBE, limit=1) if message["kind"] == "solution")
    return list(solution["placements"])


def test_a_part_of_a_solution_is_drawn_with_marks(placements: list[dict[str, Any]]) -> None:
    plain, marked = (
        ask("draw", puzzle=CUBE, placements=placements[:3], marked=marks)[0]["svg"] for marks in ([], placements[:1])
    )
    assert is_svg(plain) and is_svg(marked)
    assert MARK not in plain and MARK in marked


def test_a_placement_that_the_puzzle_does_not_have(placements: list[dict[str, Any]]) -> None:
    wrong = {**placements[0], "piece": "Z"}
    assert error("draw", puzzle=CUBE, placements=[wrong])["message"] == "placements.0: this puzzle has no such placement"
    assert "marked.1" in error("draw", puzzle=CUBE, marked=[placements[0], {}])["message"]


def test_two_solutions_show_that_a_puzzle_is_not_unique() -> None:
    (found,) = ask("unique", puzzle=CUBE)
    assert not found["unique"] and len(found["solutions"]) == 2
    assert all(MARK in solution["svg"] for solution in found["solutions"])
    (found,) = ask("unique", puzzle={"name": "sudoku-6x6"})
    assert (found["unique"], found["complete"], len(found["solutions"])) == (True, True, 1)


def test_hints_lead_to_a_solution() -> None:
    laid: list[dict[str, Any]] = []
    while hint := ask("hint", puzzle=SUDOKU, placements=laid)[0]["placement"]:
        laid.append(hint)
    puzzle = load(SUDOKU["text"])
    assert len(laid) == 12, "the givens are no hints"
    assert not list(puzzle.check([*(digit for clue in puzzle.clues().values() for digit in clue), *map(_digit, laid)]))


def _digit(placement: dict[str, Any]) -> Any:
    return Digit(tuple(placement["cell"]), placement["value"])


def test_a_forced_hint_says_so_and_a_free_one_too(placements: list[dict[str, Any]]) -> None:
    (forced,) = ask("hint", puzzle=SUDOKU)
    assert forced["forced"] and "propagation" in forced["words"] and MARK in forced["svg"]
    (free,) = ask("hint", puzzle=CUBE)
    assert not free["forced"] and free["placement"]
    (done,) = ask("hint", puzzle=CUBE, placements=placements)
    assert (done["placement"], done["words"]) == (None, "nothing is missing")
    (stuck,) = ask("hint", puzzle=CUBE, placements=[placements[0], {**placements[1], "piece": placements[0]["piece"]}])
    assert (stuck["placement"], stuck["forced"]) == (None, False) and "remove one" in stuck["words"]


def test_failed_literals_force_a_placement() -> None:
    formula = Formula()
    x = formula.variables("x", {"i": range(3)})
    formula.clause([x(0), x(1)])
    formula.clause([x(0), -x(1)])
    keys = [formula.key(variable) for variable in formula.decisions()]
    found = next_placement(load("push-pull"), formula, [])
    assert (found.placement, found.reason) == (keys[0], "failed literals")


def test_propagation_shows_what_a_decision_forces() -> None:
    (begin,) = ask("propagate", puzzle=SUDOKU)
    assert begin["consistent"] and begin["open"] == len(begin["possible"])
    (more,) = ask("propagate", puzzle=SUDOKU, placements=begin["possible"][:1])
    assert more["open"] < begin["open"]
    (found,) = ask("propagate", puzzle=SUDOKU, placements=[{"cell": [0, 0], "value": "2"}])
    assert (found["consistent"], found["forced"], found["open"]) == (False, [], 0)
    (without,) = ask("propagate", puzzle=SUDOKU, excluded=begin["possible"][:1])
    assert begin["possible"][0] not in without["possible"] and without["open"] < begin["open"]


def test_propagation_agrees_with_all_solutions() -> None:
    """What is forced is in every solution, and what is in a solution is possible or forced."""
    puzzle = load('family = "sudoku"\ngrid = """\n12..\n....\n....\n...4\n"""\n')
    solutions = [{*map(_digit, message["placements"])} for message in _solutions(puzzle)]
    given = {digit for clue in puzzle.clues().values() for digit in clue}
    assert len(solutions) > 1
    for solution in solutions:
        assert {*found.forced} <= solution <= {*found.forced, *found.possible, *given}


def _solutions(puzzle: Any) -> list[dict[str, Any]]:
    data = {"family": puzzle.family, **puzzle.model_dump(mode="json", exclude_defaults=True)}
    return [message for message in ask("solve", puzzle={"data": data}, up_to="nothing") if message["kind"] == "solution"]


def test_every_group_can_be_looked_into() -> None:
    (encoding,) = ask("explain", puzzle=CUBE)
    assert {family["name"]: family["number"] for family in encoding["variables"]}["place"] == 240
    for group in encoding["groups"]:
        (constraint,) = ask("constraint", puzzle=CUBE, group=group["name"], number=group["number"] - 1)
        assert constraint["of"] == group["number"] and constraint["type"] in group["kinds"]
        assert MARK in constraint["svg"], "its cells are lit"
        family = constraint["literals"][0].removeprefix("not ").split()[0]
        assert f"{family}(" in constraint["words"]


def test_a_constraint_that_does_not_exist() -> None:
    assert "did you mean" in error("constraint", puzzle=CUBE, group="each corner is filed once")["message"]
    assert "has 8 constraints" in error("constraint", puzzle=CUBE, group="each corner is filled once", number=8)["message"]


def test_the_cell_of_a_tiling_constraint_is_lit() -> None:
    """All pieces that cover a cell share this cell alone."""
    (lit,) = ask("constraint", puzzle={"name": "soma"}, group="every cell is covered once", number=13)
    assert lit["svg"].count(MARK) == 1


@pytest.mark.parametrize("name", ["cube", "icosahedron", "lights-dodecahedron", "macmahon-cube"])
def test_the_faces_of_a_solid_fold_from_its_net(name: str) -> None:
    (solid,) = ask("solid", puzzle={"name": name})
    faces = solid["faces"]
    assert sum(face["parent"] is None for face in faces) == 1
    for face in faces:
        if face["parent"] is not None:
            hinge, parent = [face["side"], (face["side"] + 1) % len(face["points"])], faces[face["parent"]]
            for corners in ("points", "net"):
                ends = [face[corners][i] for i in hinge]
                assert all(any(math.dist(end, other) < 0.02 for other in parent[corners]) for end in ends)


def test_the_teeth_of_a_solution_are_on_its_faces(placements: list[dict[str, Any]]) -> None:
    (solid,) = ask("solid", puzzle=CUBE, placements=placements)
    assert sorted(face["piece"] for face in solid["faces"]) == list("ABCDEF")
    assert sum(sum(face["rim"]) for face in solid["faces"]) == 12 * 4 + 8, "each place and each corner is filled once"


def test_the_blocks_of_a_polycube() -> None:
    (solution,) = (message for message in ask("solve", puzzle={"name": "soma"}, limit=1) if message["kind"] == "solution")
    (solid,) = ask("solid", puzzle={"name": "soma"}, placements=solution["placements"])
    assert sorted(tuple(cell) for block in solid["blocks"] for cell in block["cells"]) == [
        (z, y, x) for z in range(3) for y in range(3) for x in range(3)
    ]
    assert "in the plane" in error("solid", puzzle={"name": "cats"})["message"]


def test_new_puzzles() -> None:
    puzzles = ask("generate", family="sudoku", options={"size": 4}, seed=1, number=2)
    assert [(each["number"], each["of"]) for each in puzzles] == [(1, 2), (2, 2)]
    assert puzzles[0]["source"] == "jigsat generate sudoku --set size=4 --seed 1, number 1"
    assert ask("unique", puzzle={"text": puzzles[0]["toml"]})[0]["unique"]
    (again,) = ask("generate", puzzle={"text": puzzles[0]["toml"]}, seed=1)
    assert of_text(again["toml"])["grid"] != puzzles[0]["data"]["grid"]


def test_wrong_generator_options() -> None:
    assert "size: expected a whole number" in error("generate", family="sudoku", options={"size": "x"})["message"]
    assert "did you mean 'sudoku'" in error("generate", family="sudok")["message"]
    assert "exactly one" in error("generate")["message"]


def test_files() -> None:
    files = {format: ask("export", puzzle=CUBE, format=format)[0] for format in ("toml", "sheet", "cnf", "opb")}
    assert load(files["toml"]["text"]).digest() == load("cube").digest()
    assert is_svg(files["sheet"]["text"])
    assert "c var 1 place cell=top piece=A turn=0 flipped=False" in files["cnf"]["text"].splitlines()
    assert files["opb"]["name"] == "cube.opb"
    (listed,) = ask("export", puzzle={"name": "sudoku-hard"}, format="sdm")
    assert listed["text"].startswith("000000240700046009")
    assert error("export", puzzle=SUDOKU, format="sdm")["message"], "the format has grids of 9×9 only"
    assert "use one of 'toml'" in error("export", puzzle=CUBE, format="exe")["message"]


def test_playing_by_hand_needs_no_search() -> None:
    (started,) = ask("start", puzzle=CUBE)
    assert [piece["copies"] for piece in started["pieces"]] == [1] * 6 and started["given"] == []
    one, other, *_ = (each["placement"] for each in started["candidates"] if each["places"] == ["top"])
    (position,) = ask("play", puzzle=CUBE, placements=[one, other], check=True)
    assert not position["solved"] and [each["rule"] for each in position["broken"]] == ["every face holds one piece"]
    (solution,) = (message for message in ask("solve", puzzle=CUBE, limit=1) if message["kind"] == "solution")
    (position,) = ask("play", puzzle=CUBE, placements=solution["placements"])
    assert position["solved"] and position["broken"] == []
    assert len(ask("draw", puzzle=CUBE, placements=solution["placements"], apart=True)) == 6
