"""Hidato."""

from collections.abc import Iterator, Mapping
from random import Random

from jigsat.kit import (
    Answer,
    ClueValues,
    Givens,
    GridPuzzle,
    Rules,
    Values,
    draw_blank,
    layer,
    walks,
)


class Hidato(GridPuzzle):
    """Write each number from 1 to the number of cells once. Consecutive numbers touch, along a side
    or at a corner."""

    family = "hidato"
    other_names = ("Hidoku", "Number Snake")
    card = "A path of numbers from 1 on, also from corner to corner."
    sizes = ((6, 6), (8, 8))

    given: Givens
    """The drawn grid: numbers that are given, and dots."""

    @layer
    def number(self) -> Values:
        possible = range(1, len(self.grid.cells) + 1)
        return Values(
            self.grid.cells, possible, "number", "The cell has this number.", givens=self.given
        )

    def constrain(self, formula: Rules) -> None:
        number = formula[self.number]

        for value in range(1, len(number) + 1):
            with formula.rule("each number is written once", "number", value):
                formula.exactly_one([number[cell](value) for cell in self.grid.cells])

        for value in range(1, len(number)):
            pair = f"{value} and {value + 1}"
            with formula.rule("consecutive numbers touch", "numbers", pair):
                for cell in self.grid.cells:
                    around = self.grid.around(cell)
                    after = [number[other](value + 1) for other in around]
                    before = [number[other](value) for other in around]
                    formula.implies(number[cell](value), *after)
                    formula.implies(number[cell](value + 1), *before)

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(answer[self.number])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str]:
        return {"given": draw_blank(height, width)}


def check(number: Mapping[walks.Cell, int]) -> Iterator[str]:
    """Numbers that are missing, and consecutive ones that do not touch."""
    cell_of = {value: cell for cell, value in number.items()}
    if sorted(cell_of) != list(range(1, len(number) + 1)):
        yield "a number is missing"
        return
    for value in range(1, len(number)):
        if cell_of[value + 1] not in walks.touching(cell_of[value]):
            yield f"{value} and {value + 1} do not touch"
