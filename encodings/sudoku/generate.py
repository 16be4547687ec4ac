"""Options for generating sudokus: a grid of any size with boxes or drawn regions."""

from __future__ import annotations

from jigsat.encodings.sudoku.data import BLANK, DIGITS
from jigsat.encodings.sudoku.rules import Sudoku
from pydantic import Field

from jigsat.boards.drawings import DrawnRows
from jigsat.generation import ClueOptions


class SudokuOptions(ClueOptions):
    """The number of digits, and the other entries of an instance."""

    size: int = Field(default=9, ge=2, le=len(DIGITS))
    box: str | None = None
    regions: DrawnRows | None = None
    diagonals: bool = False
    extra: DrawnRows | None = None

    def blank(self) -> Sudoku:
        entries = self.model_dump(exclude={"size", "clues", "symmetric"})
        size = len(self.regions) if self.regions else self.size
        return Sudoku(title=f"Sudoku {size}×{size}", grid=(BLANK * size,) * size, **entries)
