"""Kuromasu."""

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from random import Random

from jigsat.kit import (
    Answer,
    Cell,
    ClueValues,
    GridPuzzle,
    PositiveNumbers,
    Rules,
    Shading,
    draw_blank,
    layer,
    name_cell,
    walks,
)
from jigsat.links import Link, Numbers16

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


class Kuromasu(GridPuzzle):
    """Shade cells, no two of them side by side, so that all other cells are connected. A number is
    in a cell that is not shaded. It says how many such cells are seen from it along its row and
    column, its own included: shaded cells hide those behind them."""

    family = "kuromasu"
    other_names = ("Kurodoko", "Where Are the Black Cells", "Range")
    card = "Shaded cells that hide others from the numbers."
    sizes = ((9, 9), (12, 12))
    link = Link("kurodoko", [Numbers16("numbers")])

    numbers: PositiveNumbers
    """The drawn grid: numbers, ? for a cell that is not shaded, and dots."""

    @layer
    def shaded(self) -> Shading:
        return Shading(self.grid.cells, "shaded", "The cell is shaded.")

    def constrain(self, formula: Rules) -> None:
        shaded = formula[self.shaded]

        for one, other in self.grid.neighbours.edges:
            pair = f"{name_cell(one)} and {name_cell(other)}"
            with formula.rule("shaded cells are not side by side", "cells", pair):
                formula.at_most_one([shaded[one], shaded[other]])

        with formula.rule("the other cells are connected"):
            white = {cell: -literal for cell, literal in shaded.items()}
            formula.connected(self.grid.neighbours, white)

        for cell in self.numbers.unknown:
            with formula.rule("a cell with ? is not shaded", "cell", cell):
                formula.clause([-shaded[cell]])

        for cell, number in self.numbers.items():
            with formula.clue(self.numbers, cell):
                formula.clause([-shaded[cell]])
                visible = self.list_seen(formula, shaded, cell)
                formula.exactly(number - 1, visible)

    def list_seen(self, formula: Rules, shaded: Mapping[Cell, int], cell: Cell) -> list[int]:
        """For each other cell of the row and column whether it is seen."""
        views = [self.grid.look(cell, step) for step in STEPS]
        keys = [(cell, other) for view in views for other in view]
        seen = formula.variables("seen", ("from", "cell"), keys, decision=False)
        for view in views:
            for other in view:
                formula.implies(seen(cell, other), -shaded[other])
            for nearer, farther in pairwise(view):
                formula.implies(seen(cell, farther), seen(cell, nearer))
                formula.clause([-seen(cell, nearer), shaded[farther], seen(cell, farther)])
            for nearest in view[:1]:
                formula.clause([shaded[nearest], seen(cell, nearest)])
        return [seen(*key) for key in keys]

    def find_faults(self, answer: Answer) -> Iterator[str]:
        cells = walks.rectangle(self.grid.height, self.grid.width)
        return check(cells, self.numbers.unknown, answer[self.shaded])

    def full_clues(self, answer: Answer) -> ClueValues:
        cells = walks.rectangle(self.grid.height, self.grid.width)
        return {"numbers": clues_of(cells, answer[self.shaded])}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str]:
        return {"numbers": draw_blank(height, width)}


def check(
    cells: Collection[walks.Cell],
    numbered: Collection[walks.Cell],
    shaded: Collection[walks.Cell],
) -> Iterator[str]:
    """What is wrong with the shaded cells, whatever the numbers are."""
    for cell in shaded:
        for other in walks.neighbours(cell):
            if other in shaded:
                names = f"{walks.name_cell(cell)} and {walks.name_cell(other)}"
                yield f"the shaded cells {names} are side by side"
    if len(walks.adjacent_parts(set(cells) - set(shaded))) > 1:
        yield "the cells that are not shaded are not connected"
    for cell in numbered:
        if cell in shaded:
            yield f"the cell {walks.name_cell(cell)} with ? is shaded"


def clues_of(
    cells: Collection[walks.Cell], shaded: Collection[walks.Cell]
) -> dict[walks.Cell, int]:
    """How many cells are seen from each cell that is not shaded."""
    white = set(cells) - set(shaded)
    numbers = dict.fromkeys(white, 1)
    for cell in white:
        for step in (walks.UP, walks.RIGHT, walks.DOWN, walks.LEFT):
            numbers[cell] += len(walks.follow(cell, step, white))
    return numbers
