"""Numbers that are typed around a drawing, as they are printed.

```text
  1 0 1        the numbers above the columns; the row is shorter than the others,
1 . T .        or begins with a dot
1 T . .
```
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from jigsat.kit.grid import Side
from jigsat.kit.reading import UNKNOWN, is_blank

Row = Sequence[str]


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
