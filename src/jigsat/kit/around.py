"""Numbers that are typed around a drawing, as they are printed.

```text
  1 0 1        the numbers above the columns; the row is shorter than the others,
1 . T .        or begins with a dot
1 T . .
```
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import combinations, product
from typing import NamedTuple

from jigsat.kit.grid import Side
from jigsat.kit.reading import NONE, UNKNOWN, Size, is_blank
from jigsat.words import join_words

Row = Sequence[str]
SIDES: tuple[Side, ...] = ("top", "bottom", "left", "right")
_ROWS: dict[int, Side] = {0: "top", -1: "bottom"}
_COLUMNS: dict[int, Side] = {0: "left", -1: "right"}
CORNERS = frozenset("+*#xX")  # what may be drawn in a corner beside numbers
MISSING = ""  # where a row has no word, and rows above or below it have one


class Surrounded(NamedTuple):
    """The rows of a grid, and the numbers on its sides."""

    rows: list[Row]
    sides: dict[Side, Row]


def divide_rim(rows: Sequence[Row], sides: Collection[str]) -> Surrounded | None:
    """Tell the rows of a drawing from the numbers around it, if there are some and it is clear on
    which of the `sides` of the kind they stand: the numbers above or below the grid have no word in
    the corners. None for any other drawing.

    >>> divide_rim([["1", "0"], ["1", ".", "t"], ["0", "t", "."]], ["top", "left"])
    Surrounded(rows=[['.', 't'], ['t', '.']], sides={'top': ['1', '0'], 'left': ['1', '0']})
    """
    if len(rows) < 3:
        return None
    if "right" not in sides and "bottom" not in sides:
        rows = _cut_corner(rows)
    else:
        rows = _cut_corners(rows)
    width = len(rows[1])
    above, below = (0 < len(row) < width and _are_numbers(row) for row in (rows[0], rows[-1]))
    inner = rows[above : len(rows) - below]
    numbers: dict[Side, Row] = {}
    if above:
        numbers["top"] = rows[0]
    if below:
        numbers["bottom"] = rows[-1]

    corners = {width - len(row) for row in numbers.values()}
    if len(corners) != 1 or any(len(row) != width for row in inner):
        return None
    beside = _find_sides(inner, corners.pop(), sides)
    if not beside:
        return None
    first = int("left" in beside)
    last = width - ("right" in beside)
    return Surrounded([row[first:last] for row in inner], {**numbers, **beside})


class Shape(NamedTuple):
    """What is known about the size of a grid: what a text states, and whether it is a square."""

    stated: Size | None
    square: bool

    def allows(self, rows: Sequence[Row]) -> bool:
        """Whether a grid with these rows may be meant. Some people write the width first."""
        height, width = len(rows), len(rows[0])
        if self.stated is not None:
            return (height, width) in (self.stated, self.stated[::-1])
        return height == width or not self.square


def divide_drawing(
    lines: Sequence[str], rows: Sequence[Row], sides: Collection[str], shape: Shape
) -> Surrounded | None:
    """Tell the rows of a drawing from the numbers around it, as `divide_rim` does, also if the size
    is needed for it, or the places of the words in their `lines`, of which there are none if places
    mean nothing. None if there are no numbers around it. Raises ValueError if there are several
    ways to read it."""
    if not rows or not all(rows):
        return None
    is_whole = len(set(map(len, rows))) == 1
    if shape.stated is not None and is_whole and shape.allows(rows):
        return None
    divided = divide_rim(rows, sides)
    if divided is not None and shape.allows(divided.rows):
        return divided
    aligned = rows if is_whole else align_words(lines)
    readings = _list_readings(aligned, sides, shape) if aligned else []
    if is_whole and shape.stated is None:
        readings = _add_reading_of_cells(readings, rows)
    if len(readings) > 1 and shape.stated is None:
        ways = [_describe_reading(reading) for reading in readings]
        raise ValueError(
            f"the drawing may be {join_words(ways, ' or ')}; write the size after the kind in the "
            f"first line, such as {_name_size(readings[-1].rows)}"
        )
    return readings[0] if len(readings) == 1 else divided


def _add_reading_of_cells(readings: Sequence[Surrounded], rows: Sequence[Row]) -> list[Surrounded]:
    """The readings of rows that are all equally long, which may have no numbers around them: those
    on some sides only are not told from cells."""
    framed = [reading for reading in readings if len(reading.sides) == len(SIDES)]
    corners = {rows[r][c] for r, c in product(_ROWS, _COLUMNS)}
    if framed and not corners & CORNERS:
        framed.insert(0, Surrounded(list(rows), {}))
    return framed


def _describe_reading(reading: Surrounded) -> str:
    size = _name_size(reading.rows)
    if not reading.sides:
        return f"{size} cells without numbers around them"
    if len(reading.sides) == len(SIDES):
        return f"{size} cells with numbers on all sides"
    return f"{size} cells with numbers at the {join_words(list(reading.sides))}"


def _name_size(rows: Sequence[Row]) -> str:
    return f"{len(rows)}x{len(rows[0])}"


def align_words(lines: Sequence[str]) -> list[list[str]] | None:
    """The words of lines by their columns, with a `MISSING` one where a line has none; None if they
    do not stand below each other.

    >>> align_words(["  3 .", "1 . .", "  . . 2"])
    [['', '3', '.', ''], ['1', '.', '.', ''], ['', '.', '.', '2']]
    """
    words = [[(word.span(), word[0]) for word in re.finditer(r"\S+", line)] for line in lines]
    column_of: dict[int, int] = {}  # by a character's place in its line
    last = -1
    end = 0
    for first, after in sorted(span for line in words for span, _ in line):
        if first >= end:
            last += 1
        end = max(end, after)
        column_of[first] = last
    rows = []
    for line in words:
        row = [MISSING] * (last + 1)
        for (first, _), word in line:
            if row[column_of[first]]:
                return None
            row[column_of[first]] = word
        rows.append(row)
    return rows


def _list_readings(rows: Sequence[Row], sides: Collection[str], shape: Shape) -> list[Surrounded]:
    """Every way to take outer rows and columns of a drawing for numbers around a grid that the
    shape allows."""
    missing = sum(rows[r][c] == MISSING for r, c in product(_ROWS, _COLUMNS))
    is_whole = not any(MISSING in row for row in rows)
    # One missing word in a corner may also be a cell that somebody left out.
    is_clear = is_whole or shape.stated is not None or missing > 1
    if not is_clear and not missing:
        return []
    readings = []
    for number in range(1, len(SIDES) + 1):
        for around in combinations(SIDES, number):
            reading = _read_sides(rows, around) if _may_have(sides, around) else None
            if reading is not None and shape.allows(reading.rows):
                readings.append(reading)
    has_full = any(all(map(_has_number, reading.sides.values())) for reading in readings)
    return readings if is_clear or has_full else []


def _may_have(sides: Collection[str], around: Collection[Side]) -> bool:
    """Whether a kind that writes its numbers on some sides may have them around a drawing on
    others: one that has none below the grid has them on one of two opposite sides."""
    opposite = [("top", "bottom"), ("left", "right")]
    return all(not {one, other} <= set(around) or other in sides for one, other in opposite)


def _read_sides(rows: Sequence[Row], around: Collection[Side]) -> Surrounded | None:
    """The rows inside the numbers on some sides; None if these have anything else, or if a cell is
    missing."""
    top, left = "top" in around, "left" in around
    bottom, right = len(rows) - ("bottom" in around), len(rows[0]) - ("right" in around)
    if min(bottom - top, right - left) < 2:
        return None
    every: dict[Side, Row] = {
        "top": rows[0][left:right],
        "bottom": rows[-1][left:right],
        "left": [row[0] for row in rows[top:bottom]],
        "right": [row[-1] for row in rows[top:bottom]],
    }
    inner = [row[left:right] for row in rows[top:bottom]]
    numbers: dict[Side, Row] = {side: [word or NONE for word in every[side]] for side in around}
    corners = [
        rows[r][c] for r, c in product(_ROWS, _COLUMNS) if {_ROWS[r], _COLUMNS[c]} <= set(around)
    ]
    is_divided = (
        all(_is_empty(word) or word in CORNERS for word in corners)
        and all(map(_are_numbers, numbers.values()))
        and (any(map(_has_number, numbers.values())) or any(MISSING in row for row in rows))
        and not any(MISSING in row for row in inner)
    )
    return Surrounded(inner, numbers) if is_divided else None


def _has_number(row: Row) -> bool:
    return any(word.isdecimal() for word in row)


def _find_sides(rows: Sequence[Row], corners: int, sides: Collection[str]) -> dict[Side, Row]:
    """The numbers beside a grid whose rows are this much longer than the numbers above or below it;
    none if it is not clear where they are."""
    first = [row[0] for row in rows]
    last = [row[-1] for row in rows]
    at_left, at_right = _are_numbers(first), _are_numbers(last)
    if corners == 2 and at_left and at_right:
        return {"left": first, "right": last}
    if corners == 1 and at_left and not (at_right and "right" in sides):
        return {"left": first}
    if corners == 1 and at_right and not at_left:
        return {"right": last}
    return {}


def _cut_corner(rows: Sequence[Row]) -> Sequence[Row]:
    """The rows without the blank corner before the numbers above the columns, if all numbers are in
    the first row and the first column."""
    if len(set(map(len, rows))) > 1 or not rows[0]:
        return rows
    inner = [word for row in rows[1:] for word in row[1:]]
    first = [row[0] for row in rows]
    around = [*rows[0], *first]
    if (
        is_blank(rows[0][0])
        and _are_numbers(around)
        and any(word.isdecimal() for word in first)
        and any(word.isdecimal() for word in rows[0])
        and not any(word.isdecimal() for word in inner)
    ):
        return [rows[0][1:], *rows[1:]]
    return rows


def _cut_corners(rows: Sequence[Row]) -> Sequence[Row]:
    """The rows without the blank corners beside the numbers above and below the columns, if all
    numbers stand on the four sides.

    >>> _cut_corners([row.split() for row in (". 2 1 .", "1 . . 2", "2 . . 1", ". 1 2 .")])
    [['2', '1'], ['1', '.', '.', '2'], ['2', '.', '.', '1'], ['1', '2']]
    """
    if len(set(map(len, rows))) > 1 or min(len(rows), len(rows[0])) < 4:
        return rows
    corners = [row[end] for row in (rows[0], rows[-1]) for end in (0, -1)]
    inner = [word for row in rows[1:-1] for word in row[1:-1]]
    around = [*rows[0], *rows[-1], *(row[end] for row in rows for end in (0, -1))]
    has_numbers = _are_numbers(around) and not all(map(_is_empty, around))
    if has_numbers and all(map(_is_empty, [*corners, *inner])):
        return [rows[0][1:-1], *rows[1:-1], rows[-1][1:-1]]
    return rows


def _is_empty(word: str) -> bool:
    return is_blank(word) or word == "0"


def _are_numbers(words: Collection[str]) -> bool:
    """Whether words can be the numbers on a side."""
    return all(word.isdecimal() or word == UNKNOWN or is_blank(word) for word in words)
