"""Reading grids that are drawn with characters, with or without bars, separators, headings and comments."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer

SKIPPED = re.compile(r"(?=.*[-=+─━═])[-=+|\s\u2500-\u257f]+|\s*(?i:grid|puzzle|sudoku)\b.*")  # a separator or a heading
BAR = re.compile(r"[|\u2500-\u257f]")


def lines(text: str) -> list[str]:
    """The lines of a drawing without comments, headings such as 'Grid 01', separators and bars; spaces are kept.

    >>> lines("# mine\\n5 3 |  7\\n----+---\\n6   |195")
    ['5 3   7', '6   195']
    """
    return [BAR.sub("", line) for line in _keep_rows(text)]


def _keep_rows(text: str) -> list[str]:
    """The lines of a drawing without comments, headings and separators; bars are kept."""
    kept = [line.partition("#")[0] for line in text.splitlines() if not line.lstrip().startswith("#")]
    return [line for line in kept if not SKIPPED.fullmatch(line)]


def _rows(drawn: list[str]) -> list[str]:
    """The lines of a drawing without spaces. A drawing on one line is a square, row by row.

    >>> _rows(lines("5 3 | . 7\\n. . | . .")), _rows(lines("53.76...."))
    (['53.7', '....'], ['53.', '76.', '...'])
    """
    found = ["".join(line.split()) for line in drawn if line.strip()]
    if len(found) != 1:
        return found
    (line,) = found
    size = round(math.sqrt(len(line)))
    if size * size != len(line):
        raise ValueError(f"{len(line)} characters on one line; a {size}×{size} grid has {size * size}")
    return [line[i : i + size] for i in range(0, size * size, size)]


def rows_with_blanks(data: Any, blanks: str) -> list[str]:
    """The rows of a square drawing in which one of the characters `blanks` marks a blank, replaced by the first of `blanks`.

    If the drawing uses none of them, spaces are blanks if that makes the drawing a square; otherwise they are ignored. Raises
    ValueError for anything but a drawing, and for rows whose blanks are ambiguous.

    >>> rows_with_blanks("12|  \\n  |12\\n--+--\\n  | 1\\n 4|3", ".0_"), rows_with_blanks("1 2\\n2 0", ".0_")
    (['12..', '..12', '...1', '.43.'], ['12', '2.'])
    """
    text = "\n".join(data) if isinstance(data, list | tuple) and all(isinstance(row, str) for row in data) else data
    if not isinstance(text, str):
        raise ValueError("expected rows of characters in quotes")
    square = lines(text)
    used = [blank for blank in blanks if any(blank in line for line in square)]
    if len(used) > 1:
        raise ValueError(f"blanks are written as {' and '.join(map(repr, used))}; use one character for all blanks")
    width = max(map(len, square), default=0)
    while len(square) > width and not square[-1].strip():
        square.pop()
    if not used and len(square) == width > 1:
        return [row.replace(" ", blanks[0]) for row in _fill_rows(square, width, _is_ruled(text), blanks[0])]
    return [row.replace(used[0], blanks[0]) if used else row for row in _rows(square)]


def _fill_rows(square: list[str], width: int, ruled: bool, blank: str) -> Iterator[str]:
    """The rows, padded with the trailing spaces that an editor may have removed.

    Padding is safe for an empty row, and where bars show that no other space is missing.
    """
    for number, row in enumerate(square, 1):
        if len(row) < width and row.strip() and not ruled:
            raise ValueError(f"row {number} has {len(row)} characters, but another has {width}; write {blank} for each blank")
        yield row.ljust(width)


def _is_ruled(text: str) -> bool:
    """Whether every row has bars in the same columns."""
    bars = {tuple(at.start() for at in BAR.finditer(line)) for line in _keep_rows(text) if line.strip()}
    return len(bars) == 1 and () not in bars


def _join_lines(data: Any) -> Any:
    if isinstance(data, str):
        return tuple("".join(row.split()) for row in data.strip().splitlines())
    if not isinstance(data, (list, tuple)):
        raise ValueError("expected a drawing in quotes")
    return data


DrawnRows = Annotated[
    tuple[str, ...], BeforeValidator(_join_lines, json_schema_input_type=str | list[str]), PlainSerializer("\n".join)
]
"""A drawing in an instance file, one string or a list with one string per row; validated to its rows without blanks."""
