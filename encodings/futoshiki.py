"""Futoshiki."""

from collections.abc import Iterator, Mapping
from random import Random

from jigsat.kit import (
    Answer,
    ClueValues,
    Givens,
    GridPuzzle,
    Inequalities,
    Rules,
    Values,
    blank_signs,
    draw_blank,
    layer,
    walks,
)


class Futoshiki(GridPuzzle):
    """Write numbers into the cells so that every row and column has each number once. A sign
    between two cells points to the smaller number."""

    family = "futoshiki"
    other_names = ("Unequal", "Hutosiki", "More or Less", "Greater Than Puzzle")
    card = "Numbers once in each line, and signs for the smaller of two."
    sizes = ((5, 5), (7, 7))
    square = True
    equally_often = True

    given: Givens
    """The drawn square: numbers that are given, and dots."""
    signs: Inequalities
    """The signs: the square drawn once more with dots, and between them < > across, ^ v down."""

    @layer
    def number(self) -> Values:
        possible = range(1, self.grid.width + 1)
        return Values(
            self.grid.cells, possible, "number", "The cell has this number.", givens=self.given
        )

    def constrain(self, formula: Rules) -> None:
        number = formula[self.number]

        for thing, line in self.grid.lines.items():
            with formula.rule("each line has each number once", *thing):
                formula.all_different([number[cell] for cell in line])

        for place, (smaller, greater) in self.signs.items():
            with formula.clue(self.signs, place):
                for value, literal in number[smaller].literals.items():
                    higher = range(value + 1, self.grid.width + 1)
                    formula.implies(literal, *[number[greater](other) for other in higher])

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(self.grid.height, self.grid.width, answer[self.number])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {"signs": clues_of(answer[self.number])}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str] | None:
        if height != width:
            return None
        return {"given": draw_blank(height, width), "signs": blank_signs((height, width))}


def check(height: int, width: int, number: Mapping[walks.Cell, int]) -> Iterator[str]:
    """What is wrong with the numbers, whatever the signs are."""
    for name, line in walks.rows_and_columns(height, width).items():
        if {number[cell] for cell in line} != set(range(1, width + 1)):
            yield f"{name} does not have each number once"


def clues_of(number: Mapping[walks.Cell, int]) -> dict[walks.Edge, walks.Edge]:
    """For each two neighbouring cells the one with the smaller number, and the other."""
    signs = {}
    for cell in number:
        for other in walks.neighbours(cell):
            if other in number and number[cell] < number[other]:
                signs[walks.edge(cell, other)] = (cell, other)
    return signs
