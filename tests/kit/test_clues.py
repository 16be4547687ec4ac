"""Layers of clues: what is read, what is refused in one clear line, and what motions do to it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from jigsat.errors import InputError
from jigsat.instance import parse
from jigsat.kit import (
    Arrows,
    BlackCells,
    Calculations,
    CellNumbers,
    CellSigns,
    Clues,
    CornerNumbers,
    Grid,
    GridNumbers,
    GridPicture,
    GridPuzzle,
    Islands,
    Labels,
    LineLists,
    Pointer,
    Rim,
    Rooms,
    RunSums,
)
from jigsat.kit.picture import trace_outlines


class Pearls(CellSigns):
    signs = {"w": "○", "b": "●"}  # noqa: RUF012


READ: list[tuple[type[Clues[Any, Any]], Any, dict[Any, Any]]] = [
    (CellNumbers, "1.\n.2", {(0, 0): 1, (1, 1): 2}),
    (CellNumbers, ["10 . ?"], {(0, 0): 10}),
    (CellNumbers, "10,\n.,\n 3,", {(0, 0): 10, (2, 0): 3}),
    (CellNumbers, "10,.,3", {(0, 0): 10, (0, 2): 3}),
    (Islands, "3?", {(0, 0): 3}),
    (CornerNumbers, "...\n.2.", {(1, 1): 2}),
    (GridNumbers, "12", {(0, 0): 1, (0, 1): 2}),
    (Labels, "1.1", {(0, 0): 1, (0, 2): 1}),
    (BlackCells, "#.2", {(0, 2): 2}),
    (Pearls, "w.●", {(0, 0): "w", (0, 2): "b"}),
    (Rim, {"top": ". 2", "left": "? 1"}, {("top", 1): 2, ("left", 1): 1}),
    (
        LineLists,
        {"rows": ["1 2", [3]], "columns": ["?", 0]},
        {("row", 0): (1, 2), ("row", 1): (3,), ("column", 1): ()},
    ),
    (Rooms, "AAB", {}),
    (Rooms, {"cells": "AAB", "numbers": {"A": 1, "B": "?"}}, {"A": 1}),
    (RunSums, "\\ 3\\ \\\n\\4 . .", {((-1, 0), "down"): 3, ((0, -1), "right"): 4}),
    (Arrows, "1> . ?v", {Pointer((0, 0), (0, 1)): 1}),
]


@pytest.mark.parametrize(("kind", "data", "values"), READ)
def test_clues_are_read_and_written(
    kind: type[Clues[Any, Any]], data: Any, values: dict[Any, Any]
) -> None:
    clues = kind.read(data)
    assert dict(clues) == values
    assert kind.read(clues.write()) == clues
    assert clues.with_values(values) == clues or clues.unknown
    assert dict(clues.with_values({})) == {}


WRONG: list[tuple[type[Clues[Any, Any]], Any, str]] = [
    (CellNumbers, "1x", "r1c2 is 'x'; write a number, ? or ."),
    (CellNumbers, "1.\n1", "row 2 has 1 cell, but row 1 has 2"),
    (CellNumbers, 5, "expected rows of characters"),
    (CellNumbers, "", "expected at least one row"),
    (GridNumbers, "1.", "r1c2 has no number"),
    (BlackCells, "?", "r1c1 is '?'; write a number, # or ."),
    (Pearls, "z", "r1c1 is 'z'; write one of w, b, or ."),
    (CellSigns, "x", "CellSigns has no signs; derive a class with such as signs = "),
    (Rim, {"up": "1"}, "expected a table with some of top, bottom, left, right"),
    (Rim, {"top": "x"}, "top, number 1 is 'x'"),
    (LineLists, {"rows": ["1"]}, "expected a table with rows and columns"),
    (LineLists, {"rows": ["x"], "columns": ["1"]}, "row 1 is 'x'; write a number or ?"),
    (LineLists, {"rows": [], "columns": ["1"]}, "rows: expected a list"),
    (Rooms, {"cells": "A", "number": {"A": 1}}, "'number' is unknown; expected rooms"),
    (Rooms, {"numbers": {"A": 1}}, "`cells` is missing; expected rooms"),
    (Rooms, {"cells": "A", "numbers": [3]}, "numbers: write names and values, such as A = 3"),
    (Rooms, {"cells": "A", "numbers": "A 3"}, "numbers: write names and values, such as A = 3"),
    (Rooms, {"cells": "A", "numbers": "A=3 A=3"}, "numbers: A has two values"),
    (Calculations, {"cells": "A", "numbers": 3}, "numbers: write names and values, such as A"),
    (Rooms, {"cells": "A", "numbers": {"B": 1}}, "numbers.B: there is no such room"),
    (Rooms, {"cells": "A", "numbers": {"A": -1}}, "numbers.A: expected a number or '?'"),
    (RunSums, "\\ \\\n\\ z", "row 2 of the drawing, column 2 is 'z'"),
    (RunSums, ". \\\n\\ .", "the first row and the first column must be black"),
    (RunSums, "\\ \\\n\\3 \\", "no white cells for the sum right"),
    (Arrows, "1x .", "r1c1 is '1x'; write a number followed by one of ^ > v <"),
]


@pytest.mark.parametrize(("kind", "data", "words"), WRONG)
def test_wrong_entries_are_refused(kind: type[Clues[Any, Any]], data: Any, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        kind.read(data)


SYMMETRIC: list[tuple[type[Clues[Any, Any]], Any, tuple[int, int], int]] = [
    # the last number is how many of the motions keep the clues
    (CellNumbers, "1.\n.1", (2, 2), 4),
    (CellNumbers, "1.\n.2", (2, 2), 2),
    (Labels, "1.\n.2", (2, 2), 4),
    (Labels, "11\n22", (2, 2), 4),
    (CornerNumbers, "...\n.2.\n...", (2, 2), 8),
    (Rim, {"top": "1 .", "left": "1 ."}, (2, 2), 2),
    (Rim, {"top": "1 .", "bottom": "1 ."}, (2, 2), 2),
    (LineLists, {"rows": ["1 2", "1 2"], "columns": ["?"] * 4}, (2, 4), 2),
    (LineLists, {"rows": ["1 2", "1 3"], "columns": ["?"] * 4}, (2, 4), 1),
    (LineLists, {"rows": ["1 2", "2 1"], "columns": ["?"] * 4}, (2, 4), 2),
    (Rooms, "AB\nAB", (2, 2), 4),
    (RunSums, "\\ 3\\ 3\\\n\\3 . .\n\\3 . .", (2, 2), 8),
    (RunSums, "\\ 3\\ 4\\\n\\3 . .\n\\4 . .", (2, 2), 2),
    (Arrows, "1> 1<", (1, 2), 4),
    (Arrows, "1v 1v", (1, 2), 2),
]


@pytest.mark.parametrize(("kind", "data", "size", "number"), SYMMETRIC)
def test_motions_act_on_what_clues_say(
    kind: type[Clues[Any, Any]], data: Any, size: tuple[int, int], number: int
) -> None:
    clues = kind.read(data)
    identity, *motions = Grid(*size).motions()
    kept = [motion for motion in motions if clues.meaning(motion) == clues.meaning(identity)]
    assert 1 + len(kept) == number


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("1 1", "seen.top: 2 numbers for 3 columns; write . where there is none"),
        ("1 1 . .", "seen.top: more numbers than the 3 of the grid"),
        ("11", "seen.top: 1 number for 3 columns; write . where there is none"),
        (
            "1..2",
            "seen.top, number 1 is '1..2'; write a number, ? or . for each column, "
            "with blanks or commas between them",
        ),
        ("1,2,", "seen.top: 2 numbers for 3 columns; write . where there is none"),
    ],
)
def test_a_side_has_a_number_or_a_dot_for_each_line(words: str, wrong: str) -> None:
    entries = {"family": "skyscrapers", "heights": "...\n...\n...", "seen": {"top": words}}
    with pytest.raises(InputError, match=f"mine.toml: {re.escape(wrong)}"):
        parse(entries, name="mine", origin="mine.toml")


@pytest.mark.parametrize("words", ["2,1,3", "2, 1, 3", "2 1 3", "213"])
def test_numbers_of_a_side_have_blanks_or_commas_between_them(words: str) -> None:
    entries = {"family": "skyscrapers", "heights": "...\n...\n...", "seen": {"top": words}}
    puzzle = parse(entries, name="mine", origin="mine.toml")
    assert puzzle.model_dump()["seen"] == {"top": "2 1 3"}


def test_sides_are_written_as_a_whole() -> None:
    entries = {"family": "skyscrapers", "heights": "...\n...\n..."}
    puzzle = parse(entries, name="mine", origin="mine.toml")
    assert isinstance(puzzle, GridPuzzle)
    changed = puzzle.replace_clues({"seen": {("top", 1): 2}})
    assert changed.model_dump()["seen"] == {"top": ". 2 ."}
    assert changed.replace_clues({"seen": {("left", 0): 3}}).model_dump()["seen"] == {
        "left": "3 . ."
    }


def test_the_number_of_a_room_is_in_its_corner_clear_of_lines() -> None:
    """A line through the middle of the cell covers neither the number nor the border."""
    rooms = Rooms.read({"cells": "AB\nAB", "numbers": {"A": 3, "B": "?"}})
    picture = GridPicture(Grid(2, 2))
    rooms.draw(picture)
    for start, end in [((0.5, 0.5), (0.5, 1.5)), ((0.5, 0.5), (1.5, 0.5))]:
        picture.line(start, end)
    top, *_ = picture.text().splitlines()
    assert top == "┌3──┬?──┐"
    assert ">3<" in picture.svg()


def test_numbers_of_rooms_may_be_a_text() -> None:
    table = {"cells": "AB", "numbers": {"A": 3, "B": 12}}
    text = {"cells": "AB", "numbers": "A = 3, B=12"}
    assert dict(Rooms.read(text)) == dict(Rooms.read(table))


@pytest.mark.parametrize("words", ["1?2", "1 ? 2"])
def test_a_side_may_have_a_digit_for_each_line_without_blanks(words: str) -> None:
    entries = {"family": "skyscrapers", "heights": "...\n...\n...", "seen": {"top": words}}
    puzzle: Any = parse(entries, name="mine", origin="mine.toml")
    assert dict(puzzle.seen) == {("top", 0): 1, ("top", 2): 2}
    assert puzzle.seen.write() == {"top": "1 ? 2"}


def test_a_number_of_two_digits_beside_a_single_row_is_one_number() -> None:
    numbers = Rim.read({"left": "12", "top": "1 1 ."}).fit((1, 3))
    assert numbers["left", 0] == 12
    with pytest.raises(ValueError, match=r"left, number 1 is '1\.'"):
        Rim.read({"left": "1."}).fit((1, 3))


L_SHAPE = [(0, 0), (0, 1), (1, 0)]
RING = [(r, c) for r in range(3) for c in range(3) if (r, c) != (1, 1)]


@pytest.mark.parametrize(
    ("cells", "outlines"),
    [
        (L_SHAPE, [[(0.1, 0.1), (0.1, 1.9), (0.9, 1.9), (0.9, 0.9), (1.9, 0.9), (1.9, 0.1)]]),
        (
            RING,
            [
                [(0.1, 0.1), (0.1, 2.9), (2.9, 2.9), (2.9, 0.1)],
                [(0.9, 2.1), (0.9, 0.9), (2.1, 0.9), (2.1, 2.1)],
            ],
        ),
        (
            [(0, 0), (1, 1)],
            [
                [(0.1, 0.1), (0.1, 0.9), (0.9, 0.9), (0.9, 0.1)],
                [(1.1, 1.1), (1.1, 1.9), (1.9, 1.9), (1.9, 1.1)],
            ],
        ),
    ],
)
def test_the_line_of_a_cage_turns_inside_its_cells(cells: Any, outlines: Any) -> None:
    traced = trace_outlines(cells, 0.1)
    assert [[pytest.approx(corner) for corner in outline] for outline in traced] == outlines


def test_cages_are_dashed() -> None:
    picture = GridPicture(Grid(2, 2))
    picture.cage(L_SHAPE, "5")
    assert picture.svg().count("stroke-dasharray") == 6
