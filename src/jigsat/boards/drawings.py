"""Reading what people draw with characters: grids with or without bars, separators, headings and comments."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer

RULE = r"(?=.*[-=+─━═])[-=+|\s\u2500-\u257f]+"
HEADING = r"\s*(?i:grid|puzzle|sudoku)\b.*"
BAR = r"[|\u2500-\u257f]"


def lines(text: str) -> list[str]:
    """The lines of a drawing without comments, headings such as 'Grid 01', separators and bars; spaces stay.

    >>> lines("# mine\\n5 3 |  7\\n----+---\\n6   |195")
    ['5 3   7', '6   195']
    """
    return [re.sub(BAR, "", line) for line in _kept(text)]


def _kept(text: str) -> list[str]:
    """The same with bars."""
    kept = [line.partition("#")[0] for line in text.splitlines() if not line.lstrip().startswith("#")]
    return [line for line in kept if not re.fullmatch(f"{RULE}|{HEADING}", line)]


def rows(text: str) -> list[str]:
    """The rows of a drawing, one per line or a square in one line, spaces left out.

    >>> rows("5 3 | . 7\\n. . | . ."), rows("53.76....")
    (['53.7', '....'], ['53.', '76.', '...'])
    """
    found = ["".join(line.split()) for line in lines(text) if line.strip()]
    if len(found) != 1:
        return found
    (line,) = found
    size = round(math.sqrt(len(line)))
    if size * size != len(line):
        raise ValueError(f"{len(line)} characters in one line, where a {size}×{size} grid has {size * size}")
    return [line[i : i + size] for i in range(0, size * size, size)]


def rows_with_blanks(data: Any, blanks: str) -> list[str]:
    """The rows of a square drawing in which one of the characters `blanks` stands for a blank; it becomes the first of them.

    If none of them is there, spaces are blanks where that makes a square, and stand for nothing elsewhere. Raises ValueError
    for what is no drawing, and for rows of which it is not clear where their blanks are.

    >>> rows_with_blanks("12|  \\n  |12\\n--+--\\n  | 1\\n 4|3", ".0_"), rows_with_blanks("1 2\\n2 0", ".0_")
    (['12..', '..12', '...1', '.43.'], ['12', '2.'])
    """
    text = "\n".join(data) if isinstance(data, list | tuple) and all(isinstance(row, str) for row in data) else data
    if not isinstance(text, str):
        raise ValueError("expected rows of characters in quotes")
    square = lines(text)
    used = [blank for blank in blanks if any(blank in line for line in square)]
    if len(used) > 1:
        raise ValueError(f"blanks are written as {' and as '.join(map(repr, used))}; write all of them alike")
    width = max(map(len, square), default=0)
    while len(square) > width and not square[-1].strip():
        square.pop()
    if not used and len(square) == width > 1:
        return [row.replace(" ", blanks[0]) for row in _filled(square, width, _ruled(text), blanks[0])]
    return [row.replace(used[0], blanks[0]) if used else row for row in rows(text)]


def _filled(square: list[str], width: int, ruled: bool, blank: str) -> Iterator[str]:
    """The rows with the spaces at their ends that an editor may have cut off.

    That is clear of a row with nothing in it, and where bars show that nothing is missing farther to the left.
    """
    for number, row in enumerate(square, 1):
        if len(row) < width and row.strip() and not ruled:
            raise ValueError(f"row {number} has {len(row)} characters, where another has {width}; write {blank} for each blank")
        yield row.ljust(width)


def _ruled(text: str) -> bool:
    """Whether there are bars, in the same columns of each row."""
    bars = {tuple(at.start() for at in re.finditer(BAR, line)) for line in _kept(text) if line.strip()}
    return len(bars) == 1 and () not in bars


def _joined(data: Any) -> Any:
    if isinstance(data, str):
        return tuple("".join(row.split()) for row in data.strip().splitlines())
    if not isinstance(data, (list, tuple)):
        raise ValueError("expected a drawing in quotes")
    return data


DrawnRows = Annotated[tuple[str, ...], BeforeValidator(_joined), PlainSerializer("\n".join)]
"""What an instance file draws with characters, in one string or a row a string: its rows, blanks left out."""
