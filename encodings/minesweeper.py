"""Minesweeper."""

from collections.abc import Collection, Iterator
from random import Random

from pydantic import NonNegativeInt

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
from jigsat.links import Link, Numbers16

MINE_SHARE = 0.22  # of the cells of a generated puzzle


class OpenNumbers(CellNumbers):
    """Numbers of open cells; the others are closed."""

    blanks = "#■█⬛"


class Minesweeper(GridPuzzle):
    """Find the mines. A number says how many of the up to eight cells around it have mines; its own
    cell has none."""

    family = "minesweeper"
    other_names = ("Mines",)
    card = "Mines, counted by the numbers around them."
    sizes = ((10, 10), (16, 16))
    link = Link("mines", [Numbers16("numbers")])

    numbers: OpenNumbers
    """The drawn grid: numbers from 0 to 8, ? for a cell without a mine, and dots."""
    mines: NonNegativeInt | None = None
    """How many mines there are, if that is known."""

    @layer
    def mine(self) -> Shading:
        return Shading(self.grid.cells, "mine", "There is a mine in the cell.", sign="●")

    def constrain(self, formula: Rules) -> None:
        mine = formula[self.mine]

        if self.mines is not None:
            with formula.rule("the number of mines"):
                formula.exactly(self.mines, list(mine.values()))

        for cell in self.numbers.unknown:
            with formula.rule("a cell with ? has no mine", "cell", cell):
                formula.clause([-mine[cell]])

        for cell, number in self.numbers.items():
            with formula.clue(self.numbers, cell):
                formula.clause([-mine[cell]])
                formula.exactly(number, [mine[other] for other in self.grid.around(cell)])

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(self.mines, self.numbers.unknown, answer[self.mine])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {"numbers": clues_of(self.grid.height, self.grid.width, answer[self.mine])}

    def draw_clues(self, rng: Random) -> ClueValues:
        cells = walks.rectangle(self.grid.height, self.grid.width)
        mines = {cell for cell in cells if rng.random() < MINE_SHARE}
        return {"numbers": clues_of(self.grid.height, self.grid.width, mines)}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str]:
        return {"numbers": draw_blank(height, width)}


def check(
    number: int | None, safe: Collection[walks.Cell], mines: Collection[walks.Cell]
) -> Iterator[str]:
    """Another number of mines, and mines in cells with ?."""
    if number is not None and len(mines) != number:
        yield f"there are {len(mines)} mines instead of {number}"
    for cell in safe:
        if cell in mines:
            yield f"the cell {walks.name_cell(cell)} with ? has a mine"


def clues_of(height: int, width: int, mines: Collection[walks.Cell]) -> dict[walks.Cell, int]:
    """How many mines are around each cell without one."""
    numbers = {}
    for cell in walks.rectangle(height, width):
        if cell not in mines:
            numbers[cell] = sum(other in mines for other in walks.touching(cell))
    return numbers
