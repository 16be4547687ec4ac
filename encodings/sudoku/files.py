"""Text files of many sudokus: one puzzle per line, or grids one below the other."""

from __future__ import annotations

import re
from typing import Any

from jigsat.encodings.sudoku.data import BLANKS, DIGITS

from jigsat.boards.drawings import lines


def read_text(text: str) -> dict[str, Any] | None:
    """The data of a text with one puzzle per line, or with grids one below the other; None if it is neither."""
    drawn = ["".join(line.split()) for line in lines(text) if line.strip()]
    written = set("".join(drawn).upper())
    if not written <= {*DIGITS, *BLANKS} or not written & set("23456789"):
        return None
    size = max(map(len, drawn))
    if size > len(DIGITS) or all(re.fullmatch(r"[1-4.0_]{16}", line) for line in drawn):
        return {"family": "sudoku", "grids": drawn}
    # if no character marks blanks, spaces may be blanks, and the text must be read as a whole
    several = written & set(BLANKS) and min(map(len, drawn)) == size and len(drawn) % size == 0
    parts = ["\n".join(drawn[i : i + size]) for i in range(0, len(drawn), size)] if several else [text]
    return {"family": "sudoku", "grids": parts}
