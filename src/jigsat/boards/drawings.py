"""Reading grids that are drawn with characters, with or without bars, separators, headings and
comments."""

import math
import re
import string
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer

# a separator, also one with corners such as in *-----* or .---., or a heading
SKIPPED = re.compile(
    r"(?=.*[-=+─━═])[-=+|\s\u2500-\u257f]+|(?=.*---)[-+|*.:'`,\s]+"
    r"|\s*(?i:grid|puzzle|sudoku)\b.*"
)
BAR = re.compile(r"[|\u2500-\u257f]")
DIGITS = string.digits[1:] + string.ascii_uppercase  # in drawn squares
BLANKS = ".0_"
BLANK = BLANKS[0]


def lines(text: str) -> list[str]:
    """The lines of a drawing without comments, headings such as 'Grid 01', separators and bars;
    spaces are kept.

    >>> lines("# mine\\n5 3 |  7\\n----+---\\n6   |195")
    ['5 3   7', '6   195']
    """
    return [BAR.sub("", line) for line in _keep_rows(text)]


def _keep_rows(text: str) -> list[str]:
    """The lines of a drawing without comments, headings and separators; bars are kept."""
    rows = []
    for line in text.splitlines():
        row = line.partition("#")[0]
        if not line.lstrip().startswith("#") and not SKIPPED.fullmatch(row):
            rows.append(row)
    return rows


def _rows(drawing: list[str]) -> list[str]:
    """The lines of a drawing without spaces. A drawing on one line is a square, row by row.

    >>> _rows(lines("5 3 | . 7\\n. . | . .")), _rows(lines("53.76...."))
    (['53.7', '....'], ['53.', '76.', '...'])
    """
    rows = ["".join(line.split()) for line in drawing if line.strip()]
    if len(rows) != 1:
        return rows
    line = rows[0]
    size = round(math.sqrt(len(line)))
    if size * size != len(line):
        raise ValueError(
            f"{len(line)} characters on one line; a {size}×{size} grid has {size * size}"
        )
    return [line[i : i + size] for i in range(0, size * size, size)]


def rows_with_blanks(data: Any) -> list[str]:
    """The rows of a square drawing in capitals. One of the characters `BLANKS` marks a blank, which
    becomes a full stop.

    If the drawing uses none of them, spaces are blanks if that makes the drawing a square;
    otherwise they are ignored. Raises ValueError for anything but a drawing, and for rows whose
    blanks are ambiguous.

    >>> rows_with_blanks("12|  \\n  |12\\n--+--\\n  | 1\\n 4|3"), rows_with_blanks("1 2\\n2 0")
    (['12..', '..12', '...1', '.43.'], ['12', '2.'])
    """
    text = _join_rows(data)
    square = [line.upper() for line in lines(text)]
    used = [blank for blank in BLANKS if any(blank in line for line in square)]
    if len(used) > 1:
        raise ValueError(
            f"blanks are written as {' and '.join(map(repr, used))}; use one character for all "
            f"blanks"
        )

    width = max(map(len, square), default=0)
    while len(square) > width and not square[-1].strip():
        square.pop()
    if used:
        return [row.replace(used[0], BLANK) for row in _rows(square)]
    if len(square) != width or width <= 1:
        return _rows(square)  # no square, so spaces are not blanks

    _require_whole_rows(square, width, text)
    return [row.ljust(width).replace(" ", BLANK) for row in square]


def _join_rows(data: Any) -> str:
    if isinstance(data, list | tuple) and all(isinstance(row, str) for row in data):
        return "\n".join(data)
    if not isinstance(data, str):
        raise ValueError("expected rows of characters in quotes")
    return data


def _require_whole_rows(square: Sequence[str], width: int, text: str) -> None:
    """Raise ValueError for a row that is too short, and may lack a blank anywhere. It lacks blanks
    at the end if it is empty, or if bars in the same columns show that no other is missing."""
    columns_of_bars = set()
    for line in _keep_rows(text):
        if line.strip():
            columns_of_bars.add(tuple(bar.start() for bar in BAR.finditer(line)))
    bars_agree = len(columns_of_bars) <= 1 and () not in columns_of_bars

    for number, row in enumerate(square, 1):
        if len(row) < width and row.strip() and not bars_agree:
            raise ValueError(
                f"row {number} has {len(row)} characters, but another has {width}; write {BLANK} "
                f"for each blank"
            )


DrawnSquare = Annotated[
    tuple[str, ...],
    BeforeValidator(rows_with_blanks, json_schema_input_type=str | list[str]),
    PlainSerializer("\n".join),
]
"""A drawn square in an instance file, one string or a list with one string per row; validated by
`rows_with_blanks`."""


def check_square(entry: str, rows: Sequence[str], size: int, symbols: str = "") -> None:
    """Raise ValueError unless a drawing is a square of this size; of blanks and these symbols, if
    any are stated."""
    if len(rows) != size:
        raise ValueError(f"{entry}: {len(rows)} rows, but the grid has {size}")
    known = {*symbols, BLANK}
    for r, row in enumerate(rows, 1):
        if len(row) != size:
            raise ValueError(
                f"{entry}: row {r} has {len(row)} characters, but the grid has {size} rows; "
                f"write one per cell"
            )
        for c, character in enumerate(row, 1):
            if symbols and character not in known:
                raise ValueError(
                    f"{entry}: row {r}, column {c} is {character!r}; write one of {symbols}, or "
                    f"one of . 0 _ for a blank"
                )


def _join_lines(data: Any) -> Any:
    if isinstance(data, str):
        return tuple("".join(row.split()) for row in data.strip().splitlines())
    if not isinstance(data, (list, tuple)):
        raise ValueError("expected a drawing in quotes")
    return data


DrawnRows = Annotated[
    tuple[str, ...],
    BeforeValidator(_join_lines, json_schema_input_type=str | list[str]),
    PlainSerializer("\n".join),
]
"""A drawing in an instance file, one string or a list with one string per row; validated to its
rows without blanks."""
