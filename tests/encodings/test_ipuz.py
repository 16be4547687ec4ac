"""Crosswords of other programs: mistakes in them are named, and correct ones are read in every form
of their clues."""

from __future__ import annotations

import json
import random
import warnings
from pathlib import Path
from typing import Any

import pytest
from jigsat.encodings.crossword.markup import add_markup, strip_markup
from jigsat.encodings.crossword.rules import Crossword
from support.forked import run
from support.planted import GRIDS, MISTAKES, crossword, plant, text

import jigsat
from jigsat import instance
from jigsat.errors import InputError, InstanceWarning
from jigsat.services.export import export_puzzles

pytestmark = pytest.mark.filterwarnings("ignore::jigsat.errors.InstanceWarning")


def load(data: dict[str, Any]) -> Crossword:
    puzzle = instance.load(text(data) + "\n")
    assert isinstance(puzzle, Crossword)
    return puzzle


@pytest.mark.parametrize("kind", range(len(MISTAKES)), ids=[each.__name__ for each in MISTAKES])
def test_each_planted_mistake_is_named(kind: int, tmp_path: Path) -> None:
    for number in range(6):
        rng = random.Random(f"{kind} {number}")
        planted = plant(crossword(GRIDS[number % len(GRIDS)]), kind, rng)
        path = tmp_path / "planted.ipuz"
        path.write_text(text(planted.data))
        with pytest.raises(InputError) as caught:
            instance.load(path)
        message = str(caught.value)
        assert message.startswith(f"{path}: ") and "\n" not in message
        for part in planted.says:
            assert part in message


@pytest.mark.parametrize("rows", GRIDS)
@pytest.mark.parametrize("answers", [True, False])
def test_correct_files_are_read_without_a_complaint(rows: list[str], answers: bool) -> None:
    data = crossword(rows, answers=answers)
    puzzle = load(data)
    assert puzzle.required == {
        (r, c): x for r, row in enumerate(rows) for c, x in enumerate(row) if x != "#"
    }
    assert len(puzzle.questions) == len(puzzle.slots)
    unnumbered = [[cell if cell == "#" else 0 for cell in row] for row in data["puzzle"]]
    assert load({**data, "puzzle": unnumbered}).digest() == puzzle.digest()
    assert not load({**data, "solution": None}).answers
    null = [[None if x == "#" else x.lower() for x in row] for row in data["solution"]]
    assert load({**data, "solution": null}).digest() == puzzle.digest()
    again = instance.load(export_puzzles([puzzle], "ipuz"))
    assert again.digest() == puzzle.digest()


def test_a_wrong_letter_in_an_exported_file_is_named() -> None:
    written = json.loads(export_puzzles([load(crossword(GRIDS[1], answers=False))], "ipuz"))
    written["solution"][1][2] = "Q"
    with pytest.raises(InputError, match=r"where the solution has Q"):
        load(written)


def test_a_wrong_letter_is_named_if_there_is_a_list_of_words() -> None:
    data = crossword(GRIDS[3], answers=False)
    data["solution"][0][0] = "Q"
    words = ["star", "tale", "also", "sta", "tal", "als", "reo"]
    with pytest.warns(jigsat.errors.InstanceWarning, match="answers: 1 across: QTAR is not in"):
        instance.load(text(data) + "\n", words=words)


SMALL: dict[str, Any] = {
    "kind": ["http://ipuz.org/crossword#1"],
    "puzzle": [[1, 2, 3], [4, 0, 0], [5, 0, 0]],
}


ONE_AND_FOUR = {"1 across": "a", "4 across": "b"}
ALL_ACROSS = {"1 across": "a", "4 across": "b", "5 across": "c"}


@pytest.mark.parametrize(
    ("clues", "questions"),
    [
        ({"Across": [[1, "a"], ["4", "b", "extra"]]}, {"1 across": "a", "4 across": "b"}),
        ({"Down": ["a", "b", "c"]}, {"1 down": "a", "2 down": "b", "3 down": "c"}),
        ({"Down": [{"number": 1, "clue": "a"}]}, {"1 down": "a"}),
        (
            {"Down": [{"numbers": [1, 2], "clue": "a"}]},
            {"1 down": "a", "2 down": "See 1 down"},
        ),
        ({"Down": [["2-3", "a"]]}, {"2 down": "a", "3 down": "See 2 down"}),
        ({"Down": [["2, 4 across", "a"]]}, {"2 down": "a", "4 across": "See 2 down"}),
        (
            {"Down": [["2-3", "a"], [3, "See it"]]},
            {"2 down": "a", "3 down": "See it"},
        ),
        ({"Across:Over": [[1, "<i>a</i> &amp; b<br>c"]]}, {"1 across": "a & b c"}),
        ({"Across": [[1, {"clue": "a", "answer": ""}]]}, {"1 across": "a"}),
        # a third entry: the lengths of words, a remark, an object, or the answer
        ({"Across": [[1, "a", "(3)"], [4, "b", "abbr."]]}, {"1 across": "a", "4 across": "b"}),
        ({"Across": [[1, "a", {"answer": "CAT"}], [4, "b", "ART"]]}, ONE_AND_FOUR),
        # texts without a number between others
        ({"Across": ["a", {"number": 4, "clue": "b"}, [5, "c"]]}, ALL_ACROSS),
        ({"Across": [[1, "a"], "b", "c"]}, ALL_ACROSS),
    ],
)
def test_clues_in_every_form(clues: dict[str, Any], questions: dict[str, str]) -> None:
    assert load({**SMALL, "clues": clues}).questions == questions


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"clues": {"Down": ["a", "b"]}}, "2 clues down without numbers, but there are 3 words"),
        ({"clues": {"Down": [[1, "a"], "b"]}}, "2 clues down some of them without numbers, but"),
        ({"clues": {"Down": ["a", [1, "b"], "c"]}}, "clues: 1 down: two clues"),
        ({"clues": {"Across": [[1, "a", "CART"]]}}, "the answer CART has 4 letters"),
        ({"clues": {"Down": [["2-9", "a"]]}}, "clues: 9 down: there is no such word"),
        ({"clues": {"Down": [["x", "a"]]}}, "clues: x down: there is no such word"),
        ({"clues": {"Down": [[1, "a"], ["1", "a"]]}}, "clues: 1 down: two clues"),
        ({"clues": {"Across": [[1, "a"]], "across": [[1, "b"]]}}, "1 across: two clues"),
        ({"clues": {"Down": [[None, "a"]]}}, "expected a number and a text for each clue"),
        ({"dimensions": 3}, "dimensions: expected a width and a height; got 3"),
        (
            {"puzzle": [[1, 2, {"cell": 3, "style": "b"}], *SMALL["puzzle"][1:]],
             "styles": {"b": {"barred": "TX"}}},
            "puzzle: row 1, column 3 is barred on 'X'; write some of T, R, B and L",
        ),
        (
            {"puzzle": [[1, 2, 3], [4, 0, 0], [0, 0, 0]]},
            "puzzle: row 3, column 1: no number, but it would be 5",
        ),
        (
            {"puzzle": [[1, 2, 3], [4, 9, 0], [5, 0, 0]]},
            "puzzle: row 2, column 2: number 9, but no word begins there",
        ),
        (
            {"puzzle": [[1, 2, 3], [4, 0, "$"], [5, 0, 0]]},
            "puzzle: row 2, column 3: number '$', but no word begins there",
        ),
        ({"kind": ["http://ipuz.org/crossword/arrowword#1"]}, "only crosswords can be read"),
        ({"kind": None, "dimensions": {}}, "kind: only crosswords can be read; got None"),
        (
            {"clues": {"Across": [{"number": 1, "clue": "a", "answer": "word"}]}},
            "clues: 1 across: the answer WORD has 4 letters, but there are 3 squares",
        ),
        (
            {"clues": {"Across": [[1, "a", {"answer": "word"}]]}},
            "clues: 1 across: the answer WORD has 4 letters, but there are 3 squares",
        ),
        (
            {"clues": {"Across": [{"number": 1, "clue": "a", "answer": ["word"]}]}},
            "clues: expected the answer as text, got ['word']",
        ),
        ({"title": ["x"]}, "title: expected a text; got ['x']"),
        ({"copyright": 2026}, "copyright: expected a text; got 2026"),
        (
            {"clues": {"Across": [{"number": 1, "clue": "a", "cells": [[0, 0], [1, 0], [4, 0]]}]}},
            "clues: 1 across: cells: [4, 0] is outside the grid of 3 columns and 3 rows",
        ),
        (
            {"clues": {"Across": [{"number": 1, "clue": "a", "cells": [[1, 1], [2, 1]]}]}},
            "clues: 1 across: cells: 2, but there are 3 squares",
        ),
        (
            {"clues": {"Across": [{"number": 1, "clue": "a", "cells": [[1, "x"]]}]}},
            "clues: 1 across: cells: expected a column and a row; got [1, 'x']",
        ),
        ({"clues": {"Down": [[-1, "a"]]}}, "clues: -1 down: there is no such word"),
    ],
)  # fmt: skip
def test_wrong_files_are_refused(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        load({**SMALL, **changes})
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("markup", "plain"),
    [
        ("AT&T and R&amp;B", "AT&T and R&B"),
        ("1 < 2, x<y and a<b>c</b>", "1 < 2, x<y and ac"),
        ("<q>odd</q> &lt;i&gt;", "<q>odd</q> <i>"),
        ("one<br/>two<p>three</p>four", "one two three four"),
        ("&eacute;t&#233;", "été"),
        ("<", "<"),
        ("<i", "<i"),
    ],
)
def test_markup_becomes_text(markup: str, plain: str) -> None:
    assert strip_markup(markup) == plain
    assert strip_markup(add_markup(plain)) == plain


def test_much_markup_is_read_quickly() -> None:
    for odd in ("<a", "<!--", "&", "<a href='", "</", "<![CDATA["):
        assert len(strip_markup(odd * 20_000)) > 0


def test_clues_and_titles_are_exported_as_html() -> None:
    puzzle = load({**SMALL, "title": "A &amp; <b>B</b>", "clues": {"Down": ["1 < 2", "b", "c"]}})
    assert puzzle.title == "A & B"
    written = json.loads(export_puzzles([puzzle], "ipuz"))
    assert written["title"] == "A &amp; B"
    assert written["clues"]["Down"][0] == {"number": 1, "clue": "1 &lt; 2"}


# -- folders


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Correct files and one of each mistake."""
    (tmp_path / "puzzles").mkdir()
    for number, rows in enumerate(GRIDS):
        (tmp_path / "puzzles" / f"good-{number}.ipuz").write_text(text(crossword(rows)))
    for kind in range(len(MISTAKES)):
        planted = plant(crossword(GRIDS[0]), kind, random.Random(kind))
        (tmp_path / "puzzles" / f"bad-{kind:02}.ipuz").write_text(text(planted.data))
    return tmp_path


SKIPPED = f"jigsat: {len(MISTAKES)} of {len(MISTAKES) + len(GRIDS)} files skipped"


@pytest.mark.parametrize("whole", [True, False])
def test_a_folder_is_imported_file_by_file(whole: bool, folder: Path) -> None:
    files = ["puzzles"] if whole else sorted(map(str, folder.glob("puzzles/*")))
    ended = run("import", *files, "-o", "new/instances", folder=folder)
    assert ended.status == 2
    lines = ended.err.splitlines()
    assert len([line for line in lines if line.endswith("; skipped")]) == len(MISTAKES)
    for kind in range(len(MISTAKES)):
        assert sum(f"bad-{kind:02}.ipuz: " in line for line in lines) == 1
    assert lines[-1] == SKIPPED
    written = sorted(path.name for path in (folder / "new" / "instances").iterdir())
    assert written == [f"good-{number}.toml" for number in range(len(GRIDS))]


def test_a_link_to_nothing_is_reported(tmp_path: Path) -> None:
    (tmp_path / "puzzles").mkdir()
    (tmp_path / "puzzles" / "good.ipuz").write_text(text(crossword(GRIDS[0])))
    (tmp_path / "puzzles" / "lost.ipuz").symlink_to("nothing.ipuz")
    ended = run("import", "puzzles", "-o", "new", folder=tmp_path)
    assert ended.status == 2
    assert "lost.ipuz: " in ended.err and "1 of 2 files skipped" in ended.err
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["good.toml"]


@pytest.mark.parametrize("command", ["unique", "rate"])
def test_other_files_are_answered(command: str, folder: Path) -> None:
    ended = run(command, "puzzles", folder=folder)
    assert ended.status == 2
    assert ended.out.count("good-") == len(GRIDS)
    assert ended.err.splitlines()[-1] == SKIPPED
    alone = run(command, "puzzles/bad-00.ipuz", folder=folder)
    assert (alone.status, alone.out, alone.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("command", [("import", "-o", "new"), ("unique",), ("rate",), ("compare",)])
def test_a_file_that_is_named_twice_is_refused(command: tuple[str, ...], folder: Path) -> None:
    name, *more = command
    file = "puzzles/good-1.ipuz"
    for again in (file, f"./{file}", f"puzzles/../{file}"):
        ended = run(name, file, again, *more, folder=folder)
        assert (ended.status, ended.out) == (2, "")
        assert "good-1.ipuz: named twice" in ended.err and ended.err.count("\n") == 1


def test_two_files_that_would_become_one_are_not_lost(folder: Path) -> None:
    (folder / "other").mkdir()
    (folder / "other" / "good-1.ipuz").write_text(text(crossword(GRIDS[0])))
    files = ("puzzles/good-1.ipuz", "other/good-1.ipuz")
    ended = run("import", *files, "-o", "new", "--force", folder=folder)
    assert ended.status == 2
    assert "other/good-1.ipuz: new/good-1.toml was written for puzzles/good-1.ipuz" in ended.err
    kept = instance.load(folder / "new" / "good-1.toml")
    assert kept.digest() == instance.load(folder / "puzzles" / "good-1.ipuz").digest()


def test_a_file_that_exists_is_skipped(folder: Path) -> None:
    (folder / "new").mkdir()
    (folder / "new" / "good-1.toml").write_text("mine")
    files = ("puzzles/good-0.ipuz", "puzzles/good-1.ipuz", "puzzles/good-2.ipuz")
    ended = run("import", *files, "-o", "new", folder=folder)
    assert ended.status == 2
    assert "new/good-1.toml: exists already; use --force to overwrite it; skipped" in ended.err
    assert (folder / "new" / "good-1.toml").read_text() == "mine"
    assert (folder / "new" / "good-2.toml").exists()


@pytest.mark.parametrize(
    ("changes", "remark"),
    [
        ({"version": "http://ipuz.org/v9"}, "has the version 'http://ipuz.org/v9'; it is read"),
        ({"version": None}, "has no version; it is read as version 2"),
        ({"dimensions": None}, "has no dimensions; those of `puzzle` are taken"),
        ({"clues": {"Across": [[1, "a"]]}}, r"no question for "),
        ({"saved": [["X"]]}, "the letters in `saved`, .* are left out"),
    ],
)
def test_what_is_unusual_in_a_file_is_told(changes: dict[str, Any], remark: str) -> None:
    usual = crossword(GRIDS[0])
    with warnings.catch_warnings():
        warnings.simplefilter("error", InstanceWarning)
        load(usual)
    with pytest.warns(InstanceWarning, match=remark):
        load(usual | changes)


def test_a_square_of_the_solution_is_named_as_such() -> None:
    data = crossword(GRIDS[0])
    row, column = next(
        (r, c) for r, cells in enumerate(GRIDS[0]) for c, cell in enumerate(cells) if cell != "#"
    )
    data["solution"][row][column] = "A/"
    with pytest.raises(
        InputError, match=f"solution: row {row + 1}, column {column + 1}: 'A/' instead"
    ):
        load(data)
