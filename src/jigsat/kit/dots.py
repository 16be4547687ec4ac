"""Grids that are typed with a dot at each corner, as slitherlinks are shown in text.

```text
+ + + +      a row of dots, or of plus signs,
 3   2       and the numbers between them, with a blank in an empty cell
+ + + +
```
"""

from __future__ import annotations

import re
from itertools import pairwise

from jigsat.kit.reading import NONE

DOTS = re.compile(r"\s*([.+·•])(\s+\1)+\s*")
FRAME = "+-+"  # a line that is left out when a drawing is read
WORDS = re.compile(r"[\d?\s]*")  # of a row between dots


def read_between_dots(text: str) -> str:
    """A text in which the rows between dots have a dot in each empty cell, and the dots at the
    corners are gone; the same text if it has none.

    >>> read_between_dots("+ + + +\\n 3   2\\n+ + + +")
    '+-+\\n3 . 2\\n+-+'
    """
    lines = text.splitlines()
    first = next((at for at, line in enumerate(lines) if DOTS.fullmatch(line)), len(lines))
    columns = _list_columns(lines[first]) if first < len(lines) else []
    rows = {}
    at = first
    while at + 2 < len(lines) and DOTS.fullmatch(lines[at + 2]):
        cells = _cut(lines[at + 1], columns)
        if cells is None or _list_columns(lines[at + 2]) != columns:
            return text
        rows[at + 1] = " ".join(cells)
        at += 2
    for row, words in rows.items():
        lines[row - 1] = lines[row + 1] = FRAME
        lines[row] = words
    return "\n".join(lines)


def _list_columns(line: str) -> list[int]:
    return [at for at, sign in enumerate(line) if not sign.isspace()]


def _cut(line: str, columns: list[int]) -> list[str] | None:
    """What is between the columns of the dots; None if something else stands in the line."""
    line = line.ljust(columns[-1] + 1)
    outside = [line[: columns[0]], line[columns[-1] :], *(line[at] for at in columns)]
    words = [line[left + 1 : right] for left, right in pairwise(columns)]
    if any(part.strip() for part in outside) or not all(map(WORDS.fullmatch, words)):
        return None
    if any(len(word.split()) > 1 for word in words):
        return None
    return [word.strip() or NONE for word in words]
