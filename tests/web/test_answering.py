"""The answers to the requests of the page."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from support.asking import ask, error, is_svg

from jigsat.instance import instances, load, of_text
from jigsat.web import replies
from jigsat.web.places import place_of

SMALL = """family = "edge-matching"
board = "square 2x2"

[tiles]
sun = ["green", "blue", "gold", "gold"]
moon = ["red", "red", "blue", "gold"]
star = ["green", "red", "blue", "gold"]
sea = ["green", "gold", "blue", "green"]
"""


def test_about_describes_every_family() -> None:
    (about,) = ask("about")
    families = {family["family"]: family for family in about["families"]}
    assert "pieces" in families["tiling"]["entries"]["properties"]
    assert "clues" in families["sudoku"]["generator"]["properties"]
    assert "sdk" in families["sudoku"]["formats"] and families["lights-out"]["formats"] == []
    assert about["up_to"][0] == "nothing"


def test_the_gallery_lists_every_instance() -> None:
    shown = ask("gallery")
    assert [each["name"] for each in shown] == [path.stem for path in instances()] * 2
    assert [each["svg"] is None for each in shown] == [
        drawn == "" for drawn in ("", "svg") for _ in instances()
    ]
    by_name = {each["name"]: each for each in shown}
    assert by_name["cube"]["known"]["solutions"] == 96
    assert by_name["black-and-white-batch"]["puzzles"] == 25
    assert by_name["sudoku-empty"]["known"]["solutions"] == "6670903752021072936960", (
        "too large for JavaScript"
    )


@pytest.mark.parametrize("name", ["cats", "cube", "soma", "sudoku-6x6", "push-pull"])
def test_a_loaded_puzzle_has_a_picture_and_can_be_read_back(name: str) -> None:
    (puzzle,) = ask("load", puzzle={"name": name})
    assert is_svg(puzzle["svg"])
    again = load(of_text(puzzle["toml"]))
    assert again.digest() == load(name).digest() == load(puzzle["data"]).digest()


def test_every_puzzle_of_a_file_is_loaded() -> None:
    text = 'family = "sudoku"\ngrids = ["1... .... .... ....", "2... .... .... ...."]\n'
    loaded = ask("load", puzzle={"text": text})
    assert [(each["number"], each["of"]) for each in loaded] == [(1, 2), (2, 2)]
    assert "found 2" in error("solve", puzzle={"text": text})["message"]


def test_a_text_format_of_a_family_is_read() -> None:
    (puzzle,) = ask("load", puzzle={"text": "5" + 80 * "."})
    assert (puzzle["family"], puzzle["clues"]) == ("sudoku", 1)


def test_reasons_follow_a_verdict_without_solutions() -> None:
    twice = {"text": 'family = "sudoku"\ngrid = "1.1............."\n'}
    *_, verdict, said = ask("solve", puzzle=twice)
    assert (verdict["kind"], verdict["result"]["solutions"], said["kind"], said["finished"]) == (
        "verdict",
        0,
        "reasons",
        True,
    )
    (reason,) = said["found"]
    assert (reason["words"], reason["clues"]) == (
        "1 is given twice in row 1: r1c1 and r1c3",
        ["grid r1c1", "grid r1c3"],
    )
    assert is_svg(reason["svg"])
    assert ask("solve", puzzle={"name": "sudoku-6x6"})[-1]["kind"] == "verdict"


def test_reasons_follow_if_a_puzzle_is_not_unique_because_it_has_no_solution() -> None:
    unique, said = ask("unique", puzzle={"text": 'family = "sudoku"\ngrid = "1.1............."\n'})
    assert (unique["unique"], unique["solutions"], said["kind"]) == (False, [], "reasons")
    assert said["found"][0]["words"] == "1 is given twice in row 1: r1c1 and r1c3"


def test_a_loaded_puzzle_states_its_probable_mistakes() -> None:
    (puzzle,) = ask(
        "load", puzzle={"text": SMALL.replace('"green", "gold", "blue"', '"gren", "gold", "blue"')}
    )
    assert puzzle["doubts"] == [
        "the label 'gren' occurs once and resembles 'green', which occurs 3 times; correct it if "
        "it is misspelt"
    ]
    assert ask("load", puzzle={"text": SMALL})[0]["doubts"] == []


def test_solutions_come_one_by_one_and_then_the_verdict() -> None:
    begin, *solutions, verdict = ask("solve", puzzle={"name": "cube"}, up_to="reflection")
    assert begin["kind"] == "progress" and begin["so_far"]["found"] == 0
    assert [each["number"] for each in solutions] == [1, 2]
    assert all(is_svg(each["svg"]) for each in solutions)
    assert solutions[0]["so_far"]["solutions"] == 48
    assert {place["cell"] for place in solutions[0]["placements"]} == {*load("cube").surface.cells}  # type: ignore[attr-defined]
    result = verdict["result"]
    assert (result["solutions"], result["distinct"], result["complete"]) == (
        96,
        {"rotation": 4, "reflection": 2},
        True,
    )
    assert result["established_by"] == "refutation"


def test_a_limit_ends_a_search_without_completeness() -> None:
    *_, verdict = ask("solve", puzzle={"name": "cats"}, up_to="nothing", limit=2)
    assert (verdict["found"], verdict["result"]["complete"], verdict["result"]["stopped_by"]) == (
        2,
        False,
        "limit",
    )


def test_solutions_beyond_those_drawn_and_shown_are_counted() -> None:
    messages = ask("solve", puzzle={"name": "cube"}, up_to="nothing", drawn=1, shown=2)
    one, other = (message for message in messages if message["kind"] == "solution")
    assert is_svg(one["svg"]) and other["svg"] is None
    (picture,) = ask("draw", puzzle={"name": "cube"}, placements=other["placements"])
    assert is_svg(picture["svg"])
    assert messages[-1]["result"]["solutions"] == messages[-1]["found"] == 96


def test_the_edited_entries_of_a_puzzle_can_be_solved() -> None:
    (puzzle,) = ask("load", puzzle={"text": SMALL})
    data = puzzle["data"]
    assert ask("solve", puzzle={"data": data})[-1]["result"]["distinct"] == {"rotation": 1}
    data["tiles"]["sun"] = ["grey"] * 4
    assert ask("solve", puzzle={"data": data})[-2]["result"]["solutions"] == 0


WRONG = {
    "no line break": ('family = "sudoku', "Unterminated string", 1, []),
    "a wrong label": (
        SMALL.replace('["red"', "[3"),
        "expected text in quotes",
        6,
        ["tiles", "moon", "0"],
    ),
    "a missing side": (SMALL.replace('["red", ', "["), "tiles.moon: 3 sides", 6, ["tiles", "moon"]),
    "an unknown entry": (SMALL.replace("board =", "bord ="), "did you mean 'board'", 2, ["bord"]),
    "a wrong row": (
        'family = "sudoku"\ngrid = """\n1...\n..x.\n....\n...."""',
        "row 2, column 3",
        4,
        ["grid"],
    ),
    "a missing family": ("[tiles]\nsun = []", "missing entry 'family'", None, []),
}


@pytest.mark.parametrize("text, message, line, place", WRONG.values(), ids=WRONG)
def test_an_error_names_its_line(
    text: str, message: str, line: int | None, place: list[str]
) -> None:
    found = error("load", puzzle={"text": text})
    assert message in found["message"]
    assert (found["line"], found["place"]) == (line, place)


def test_lines_inside_a_string_begin_no_entry() -> None:
    text = 'title = """\nboard = 1\n[tiles]\n"""\nboard = 2\n'
    assert place_of("board: wrong", text).line == 5


@pytest.mark.parametrize(
    "puzzle, message",
    [
        ({"name": "cuebs"}, "did you mean 'cube'?"),
        ({"name": "/etc/passwd"}, "unknown instance"),
        ({"name": "instances/cube.toml"}, "unknown instance"),
        ({"text": "cube"}, "not valid TOML"),
        ({"text": "", "name": "cube"}, "exactly one"),
        ({}, "exactly one"),
        ({"path": "cube"}, "unknown entry 'path'"),
        ("cube", "expected a table"),
    ],
)
def test_wrong_puzzles_are_refused(puzzle: Any, message: str) -> None:
    assert message in error("load", puzzle=puzzle)["message"]


@pytest.mark.parametrize("value", [True, False, "1", 1.0])
@pytest.mark.parametrize(
    ("kind", "entry"),
    [
        ("solve", "limit"),
        ("solve", "drawn"),
        ("solve", "shown"),
        ("draft", "rows"),
        ("generate", "seed"),
        ("generate", "number"),
        ("load", "schema"),
    ],
)
def test_numbers_are_whole_numbers(kind: str, entry: str, value: Any) -> None:
    needed: dict[str, Any] = {"puzzle": {"name": "cats"}}
    if kind == "draft":
        needed = {"family": "sudoku", "rows": 4, "columns": 4}
    if kind == "generate":
        needed = {"family": "latin", "options": {"order": 3}}
    message = error(kind, **needed | {entry: value})["message"]
    assert message.startswith(f"the request: {entry}: expected a whole number")


def test_the_line_of_a_puzzle_in_a_pasted_list_is_named() -> None:
    cells = "12" + "." * 79
    text = f"{cells}\n# a\n{cells[:-1]}x\n"
    assert error("load", puzzle={"text": text})["message"].startswith("puzzle 2 in line 3: grid: ")


@pytest.mark.parametrize("backend", ["/bin/sh", "minisat"])
def test_programs_are_never_run(backend: str) -> None:
    assert (
        "unknown entry 'backend'"
        in error("solve", puzzle={"name": "cats"}, backend=backend)["message"]
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "3",
        "{",
        '{"kind": ["load"]}',
        '{"kind": "loads"}',
        "[" * 100_000,
        '{"kind": "load"}',
    ],
)
def test_what_is_no_request_is_answered_by_an_error(text: str) -> None:
    message, end = map(json.loads, replies(text))
    assert message["reason"] == "input" and "\n" not in message["message"]
    assert end["kind"] == "end"


def test_a_bug_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError("of\nzero")

    monkeypatch.setattr("jigsat.web.requests.read_request", broken)
    (message,) = ask("about")
    assert (message["reason"], message["message"]) == ("bug", r"ZeroDivisionError: of\nzero")


def test_labels_have_the_colours_of_the_picture() -> None:
    (cats,) = ask("load", puzzle={"name": "cats"})
    assert set(cats["painted"]) == {
        f"{animal} {half}"
        for animal in ("cheetah", "lion", "panther", "tiger")
        for half in ("head", "tail")
    }
    assert all(
        fill in cats["svg"] and band in cats["svg"] for fill, band in cats["painted"].values()
    )
    (cube,) = ask("load", puzzle={"name": "cube"})
    assert set(cube["painted"]) == set("ABCDEF")  # pieces of foam have a colour each
    assert len({fill for fill, _ in cube["painted"].values()}) == 6
    assert ask("load", puzzle={"name": "sudoku-6x6"})[0]["painted"] == {}


@pytest.mark.parametrize(
    "name",
    ["sudoku-6x6", "latin-4", "futoshiki-4", "skyscrapers-5", "calcudoku-4", "killer-sudoku-4"],
)
def test_symbols_are_needed_as_often_as_they_are_in_a_solution(name: str) -> None:
    (started,) = ask("start", puzzle={"name": name})
    solved = next(each for each in ask("solve", puzzle={"name": name}, limit=1) if "svg" in each)
    texts = [json.dumps(each, sort_keys=True) for each in solved["placements"]]
    piece = {
        json.dumps(each["placement"], sort_keys=True): each["piece"]
        for each in started["candidates"]
    }
    counts = Counter(piece[text] for text in texts if text in piece)
    assert {each["name"]: each["needed"] for each in started["pieces"]} == dict(counts)


def test_pieces_that_are_not_equally_often_in_a_solution_have_no_number() -> None:
    (started,) = ask("start", puzzle={"name": "crossword-5x5"})
    assert {each["needed"] for each in started["pieces"]} == {None}


WISHES = """family = "seating"
tables = "round 4"
guests = ["Ann", "Bob", "Cy", "Dee"]
must = [{ across = ["Ann", "Cy"] }]
wishes = [
    { beside = ["Ann", "Cy"] },
    { across = ["Bob", "Dee"] },
    { guest = "Ann", seat = 1 },
    { guest = "Bob", seat = 2 },
]
"""


def test_a_seating_that_breaks_wishes_is_solved_and_tells_how_many_are_broken() -> None:
    def cost(text: str, *guests: str) -> str:
        seats = [{"guest": guest, "seat": ["table", i]} for i, guest in enumerate(guests, 1)]
        (position,) = ask("play", puzzle={"text": text}, placements=seats)
        assert position["solved"] == (len(guests) == 4)
        return str(position["cost"])

    assert cost(WISHES, "Ann", "Bob", "Cy", "Dee") == "1 of 4 wishes is broken"
    assert cost(WISHES, "Cy", "Dee", "Ann", "Bob") == "3 of 4 wishes are broken"
    assert cost(WISHES, "Ann", "Bob") == ""
    weighted = WISHES.replace("seat = 2 }", "seat = 2, weight = 5 }")
    assert cost(weighted, "Ann", "Dee", "Cy", "Bob") == "broken wishes cost 6 points"
    plain = WISHES.partition("wishes")[0]
    assert cost(plain, "Ann", "Bob", "Cy", "Dee") == ""


def test_only_the_best_solutions_are_listed_where_the_rules_ask_for_them() -> None:
    def verdict(puzzle: dict[str, str], **entries: Any) -> Any:
        first, *_, last = (m for m in ask("solve", puzzle=puzzle, **entries) if m["kind"] != "end")
        assert first["only_best"] == (last["result"]["minimum"] is not None)
        return last

    best = verdict({"text": WISHES}, best=True)
    assert (best["result"]["solutions"], best["result"]["minimum"]) == (1, 1)
    assert best["cost"] == "1 of 4 wishes is broken"
    every = verdict({"text": WISHES})
    assert (every["result"]["solutions"], every["cost"]) == (8, "")
    for name in "dinner", "crossword-5x5", "latin-4", "lights-5x5":
        assert verdict({"name": name}, best=True)["result"]["minimum"] is None
