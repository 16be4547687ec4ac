"""Slant."""

from collections.abc import Collection, Iterator
from random import Random

from jigsat.kit import (
    Answer,
    ClueValues,
    CornerNumbers,
    Diagonals,
    GridPuzzle,
    Rules,
    draw_blank,
    layer,
    walks,
)
from jigsat.links import Link, Numbers4


class Slant(GridPuzzle):
    """Draw one of the two diagonals of each cell, so that they form no closed path. A number at a
    corner says how many diagonals meet there."""

    family = "slant"
    other_names = ("Gokigen Naname",)
    card = "A diagonal in each cell, and no closed path."
    link = Link("gokigen", [Numbers4("numbers", corners=True)])

    numbers: CornerNumbers
    """The drawn corners: numbers from 0 to 4, and dots."""

    @layer
    def diagonal(self) -> Diagonals:
        return Diagonals(self.grid, "diagonal", "This diagonal of the cell is drawn.")

    def constrain(self, formula: Rules) -> None:
        diagonal = formula[self.diagonal]

        for row, column in self.grid.cells:
            with formula.rule("each cell has one diagonal", "cell", (row, column)):
                falling = diagonal[(row, column), (row + 1, column + 1)]
                rising = diagonal[(row, column + 1), (row + 1, column)]
                formula.exactly_one([falling, rising])

        with formula.rule("no closed path"):
            formula.acyclic(self.grid.diagonals, diagonal)

        for corner, number in self.numbers.items():
            with formula.clue(self.numbers, corner):
                formula.exactly(number, diagonal.at(corner))

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(self.grid.height, self.grid.width, answer[self.diagonal])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {"numbers": clues_of(self.grid.height, self.grid.width, answer[self.diagonal])}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str]:
        return {"numbers": draw_blank(height + 1, width + 1)}


def check(height: int, width: int, lines: Collection[walks.Edge]) -> Iterator[str]:
    """What is wrong with the diagonals, whatever the numbers are."""
    for row, column in walks.rectangle(height, width):
        falling = ((row, column), (row + 1, column + 1))
        rising = ((row, column + 1), (row + 1, column))
        if (falling in lines) == (rising in lines):
            yield f"the cell {walks.name_cell((row, column))} does not have one diagonal"
    if walks.has_cycle(lines):
        yield "there is a closed path"


def clues_of(height: int, width: int, lines: Collection[walks.Edge]) -> dict[walks.Cell, int]:
    """How many diagonals meet at each corner."""
    numbers = dict.fromkeys(walks.rectangle(height + 1, width + 1), 0)
    return numbers | walks.degrees(lines)
