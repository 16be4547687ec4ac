"""Mosaic."""

from collections.abc import Collection
from random import Random

from jigsat.kit import (
    Answer,
    CellNumbers,
    ClueValues,
    GridPuzzle,
    Rules,
    Shading,
    draw_blank,
    layer,
    walks,
)


class Mosaic(GridPuzzle):
    """Shade cells. A number says how many cells are shaded among its own and the up to eight around
    it."""

    family = "mosaic"
    other_names = ("Fill-a-Pix", "Nurie Puzzle", "Count and Darken")
    card = "Numbers count the shaded cells in and around theirs."
    sizes = ((10, 10), (20, 20))

    numbers: CellNumbers
    """The drawn grid: numbers from 0 to 9, and dots."""

    @layer
    def shaded(self) -> Shading:
        return Shading(self.grid.cells, "shaded", "The cell is shaded.")

    def constrain(self, formula: Rules) -> None:
        shaded = formula[self.shaded]

        for cell, number in self.numbers.items():
            with formula.clue(self.numbers, cell):
                near = [cell, *self.grid.around(cell)]
                formula.exactly(number, [shaded[other] for other in near])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {"numbers": clues_of(self.grid.height, self.grid.width, answer[self.shaded])}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str]:
        return {"numbers": draw_blank(height, width)}


def clues_of(height: int, width: int, shaded: Collection[walks.Cell]) -> dict[walks.Cell, int]:
    """How many cells are shaded in and around each cell."""
    numbers = {}
    for cell in walks.rectangle(height, width):
        numbers[cell] = sum(other in shaded for other in [cell, *walks.touching(cell)])
    return numbers
