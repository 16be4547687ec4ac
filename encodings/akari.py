"""Akari, also called Light Up."""

from collections.abc import Collection, Iterator
from random import Random

from jigsat.kit import (
    Answer,
    BlackCells,
    ClueValues,
    GridPuzzle,
    Rules,
    Shading,
    draw_rows,
    layer,
    name_cell,
    walks,
)
from jigsat.links import Link, Numbers4

BLACK_SHARE = 0.22  # of the cells of a generated puzzle


class Akari(GridPuzzle):
    """Put lamps into white cells so that every white cell is lit. A lamp lights its row and column
    up to the next black cell, and no lamp lights another one. A number says how many lamps are
    beside its cell."""

    family = "akari"
    other_names = ("Light Up",)
    card = "Lamps that light every cell."
    sizes = ((10, 10), (14, 14))
    link = Link("akari", [Numbers4("cells", unknown="#")], aliases=("lightup", "bijutsukan"))

    cells: BlackCells
    """The drawn grid: a number or # for a black cell, a dot for a white one."""

    @layer
    def lamp(self) -> Shading:
        white = [cell for cell in self.grid.cells if cell not in self.cells.black]
        return Shading(white, "lamp", "There is a lamp in the cell.", sign="◉")

    def constrain(self, formula: Rules) -> None:
        lamp = formula[self.lamp]

        runs = self.grid.runs(self.cells.black)
        for run in runs:
            ends = f"{name_cell(run[0])} to {name_cell(run[-1])}"
            with formula.rule("no lamp lights another one", "run", ends):
                formula.at_most_one([lamp[cell] for cell in run])

        for cell, literal in lamp.items():
            lighting = {literal}
            for run in runs:
                if cell in run:
                    lighting |= {lamp[other] for other in run}
            with formula.rule("every white cell is lit", "light", f"in {name_cell(cell)}"):
                formula.clause(sorted(lighting))

        for cell, number in self.cells.items():
            with formula.clue(self.cells, cell):
                beside = [lamp[other] for other in self.grid.beside(cell) if other in lamp]
                formula.exactly(number, beside)

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(list_white(self), answer[self.lamp])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {"cells": clues_of(self.cells.black, answer[self.lamp])}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str]:
        black = [cell for cell in walks.rectangle(height, width) if rng.random() < BLACK_SHARE]
        return {"cells": draw_rows(dict.fromkeys(black, "#"), height, width)}


def list_white(puzzle: Akari) -> set[walks.Cell]:
    """The white cells."""
    return set(walks.rectangle(puzzle.grid.height, puzzle.grid.width)) - puzzle.cells.black


def check(white: Collection[walks.Cell], lamps: Collection[walks.Cell]) -> Iterator[str]:
    """Cells that are not lit, and lamps that light each other."""
    lit = set(lamps)
    for lamp in lamps:
        for step in (walks.UP, walks.RIGHT, walks.DOWN, walks.LEFT):
            for cell in walks.follow(lamp, step, white):
                lit.add(cell)
                if cell in lamps:
                    names = f"{walks.name_cell(lamp)} and {walks.name_cell(cell)}"
                    yield f"the lamps in {names} light each other"
    for cell in white:
        if cell not in lit:
            yield f"{walks.name_cell(cell)} is not lit"


def clues_of(black: Collection[walks.Cell], lamps: Collection[walks.Cell]) -> dict[walks.Cell, int]:
    """How many lamps are beside each black cell."""
    return {cell: sum(other in lamps for other in walks.neighbours(cell)) for cell in black}
