"""Reading what people draw with characters: grids with or without bars, separators, headings and comments."""

from __future__ import annotations

import math
import re
from typing import Any

RULE = r"(?=.*[-=+─━═])[-=+|\s\u2500-\u257f]+"
HEADING = r"\s*(?i:grid|puzzle|sudoku)\b.*"


def lines(text: str) -> list[str]:
    """The lines of a drawing without comments, headings such as 'Grid 01', separators and bars; spaces stay.

    >>> lines("# mine\\n5 3 |  7\\n----+---\\n6   |195")
    ['5 3   7', '6   195']
    """
    kept = [line.partition("#")[0] for line in text.splitlines() if not line.lstrip().startswith("#")]
    return [re.sub(r"[|\u2500-\u257f]", "", line) for line in kept if not re.fullmatch(f"{RULE}|{HEADING}", line)]


def rows(data: Any) -> Any:
    """The rows of a drawing, a row a line or a square in one line, spaces left out; what is no text is given back as it is.

    >>> rows("5 3 | . 7\\n. . | . ."), rows("53.76....")
    (['53.7', '....'], ['53.', '76.', '...'])
    """
    if not isinstance(data, str):
        return data
    found = ["".join(line.split()) for line in lines(data) if line.strip()]
    if len(found) != 1:
        return found
    (line,) = found
    size = round(math.sqrt(len(line)))
    if size * size != len(line):
        raise ValueError(f"{len(line)} characters in one line, where a {size}×{size} grid has {size * size}")
    return [line[i : i + size] for i in range(0, size * size, size)]


def rows_with_blanks(data: Any, blanks: str) -> Any:
    """The rows of a square drawing in which one of the characters `blanks` stands for a blank; it becomes the first of them.

    If none of them is there, spaces are blanks where that makes a square, and stand for nothing elsewhere.

    >>> rows_with_blanks("12|  \\n  |12\\n--+--\\n  | 1\\n 4|3", ".0_"), rows_with_blanks("1 2\\n2 0", ".0_")
    (['12..', '..12', '...1', '.43.'], ['12', '2.'])
    """
    text = "\n".join(data) if isinstance(data, list | tuple) and all(isinstance(row, str) for row in data) else data
    if not isinstance(text, str):
        return data
    square = lines(text)
    used = [blank for blank in blanks if any(blank in line for line in square)]
    if len(used) > 1:
        raise ValueError(f"blanks are written as {' and as '.join(map(repr, used))}; write all of them alike")
    width = max(map(len, square), default=0)
    while len(square) > width and not square[-1].strip():
        square.pop()
    if not used and len(square) == width > 1:
        return [line.ljust(width).replace(" ", blanks[0]) for line in square]
    return [row.replace(used[0], blanks[0]) if used else row for row in rows(text)]
