"""Sudokus as jigsat reads them, and their grids as rows of digits."""

from __future__ import annotations

from typing import Any

from jigsat.encodings.sudoku.data import Digit
from jigsat.encodings.sudoku.rules import Sudoku
from support.sudokus import Filled

from jigsat import instance


def parsed(**data: Any) -> Sudoku:
    puzzle = instance.parse({"family": "sudoku", **data}, name="mine", origin="mine.toml")
    assert isinstance(puzzle, Sudoku)
    return puzzle


def placed(filled: Filled) -> list[Digit]:
    return [Digit((r, c), value) for r, row in enumerate(filled) for c, value in enumerate(row)]


def rows(placements: tuple[Digit, ...]) -> Filled:
    size = 1 + max(r for (r, _), _ in placements)
    shown = dict(placements)
    return tuple("".join(shown[r, c] for c in range(size)) for r in range(size))
