"""Options for generating sudokus: a grid of any size with boxes or drawn regions.

Hardly any random 9×9 sudoku is hard, but many neighbours of hard ones are. So the search for hard
ones starts from published grids, transformed by random symmetries.
"""

from __future__ import annotations

import random

from jigsat.encodings.sudoku.rules import Sudoku
from pydantic import Field, model_validator

from jigsat.boards.drawings import BLANK, DIGITS, DrawnRows
from jigsat.generation.clues import ClueOptions
from jigsat.words import plural

HARD = (
    "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1",
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....",
    ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...",
)
"""Published 9×9 grids that need a search: Easter Monster, Golden Nugget and Platinum Blonde."""


def image(grid: str, rng: random.Random) -> tuple[str, ...]:
    """A random image of a 9×9 grid: digits, bands, rows, stacks and columns permuted, and perhaps
    transposed."""
    rows = [grid[i : i + 9] for i in range(0, 81, 9)]
    for _ in range(2):
        order = [
            3 * band + row for band in rng.sample(range(3), 3) for row in rng.sample(range(3), 3)
        ]
        rows = ["".join(column) for column in zip(*(rows[i] for i in order), strict=True)]
    if rng.random() < 0.5:
        rows = ["".join(column) for column in zip(*rows, strict=True)]
    digits = str.maketrans("123456789", "".join(rng.sample("123456789", 9)))
    return tuple(row.translate(digits) for row in rows)


class Options(ClueOptions):
    """The number of digits, and the other entries of an instance."""

    size: int = Field(default=9, ge=2, le=len(DIGITS))
    box: str | None = None
    regions: DrawnRows | None = None
    diagonals: bool = False
    extra: DrawnRows | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Options:
        if self.regions and "size" in self.model_fields_set and self.size != len(self.regions):
            raise ValueError(
                f"size: {self.size}, but the regions have {plural(len(self.regions), 'row')}; "
                f"remove `size`"
            )
        return self

    def blank(self) -> Sudoku:
        entries = self.model_dump(exclude={"title", "size", "clues", "symmetric", "solutions"})
        size = len(self.regions) if self.regions else self.size
        return Sudoku(title=f"Sudoku {size}×{size}", grid=(BLANK * size,) * size, **entries)

    def hard(self, rng: random.Random) -> Sudoku | None:
        ordinary = (
            self.size == 9
            and self.box in (None, "3x3")
            and not (self.regions or self.diagonals or self.extra)
        )
        return Sudoku(grid=image(rng.choice(HARD), rng)) if ordinary else None
