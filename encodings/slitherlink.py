"""Slitherlink."""

from collections.abc import Collection, Iterator
from random import Random

from jigsat.kit import (
    Answer,
    CellNumbers,
    ClueValues,
    GridPuzzle,
    Lines,
    Rules,
    draw_blank,
    draw_loop,
    layer,
    walks,
)
from jigsat.links import Link, Numbers4


class Slitherlink(GridPuzzle):
    """Draw one loop along the sides of the cells. A number says how many sides of its cell are
    drawn."""

    family = "slitherlink"
    other_names = ("Loop the Loop", "Fences", "Loopy", "Takegaki", "Suriza", "Ouroboros")
    card = "One loop along the sides of cells."
    sizes = ((10, 10), (20, 20))
    link = Link("slither", [Numbers4("numbers")], aliases=("slitherlink",))

    numbers: CellNumbers
    """The drawn grid with its numbers, and dots."""

    @layer
    def line(self) -> Lines:
        return Lines(self.grid.borders, "loop", "The loop runs along this side.", nodes="corners")

    def constrain(self, formula: Rules) -> None:
        line = formula[self.line]

        with formula.rule("one loop"):
            formula.single_loop(self.grid.borders, line)

        for cell, number in self.numbers.items():
            with formula.clue(self.numbers, cell):
                formula.exactly(number, [line[side] for side in self.grid.sides(cell)])

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(answer[self.line])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {"numbers": clues_of(self.grid.height, self.grid.width, answer[self.line])}

    def draw_clues(self, rng: Random) -> ClueValues:
        height, width = self.grid.height, self.grid.width
        return {"numbers": clues_of(height, width, draw_loop(height, width, rng))}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str]:
        return {"numbers": draw_blank(height, width)}


def check(line: Collection[walks.Edge]) -> Iterator[str]:
    """What is wrong with the lines, whatever the numbers are."""
    if not walks.is_one_loop(line):
        yield "the lines are not one loop"


def clues_of(height: int, width: int, line: Collection[walks.Edge]) -> dict[walks.Cell, int]:
    """How many sides of each cell are drawn."""
    return {
        cell: sum(side in line for side in walks.sides(cell))
        for cell in walks.rectangle(height, width)
    }
