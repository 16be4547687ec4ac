"""Straights."""

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from random import Random

from jigsat.kit import (
    Answer,
    BlackCells,
    ClueValues,
    Givens,
    GridPuzzle,
    Rules,
    Values,
    draw_blank,
    draw_rows,
    layer,
    name_cell,
    walks,
)

BLACK_SHARE = 0.25  # of the cells of a generated puzzle


class Straights(GridPuzzle):
    """Write numbers into the white cells so that no number is twice in a row or column, where
    numbers in black cells count too. The numbers between two black cells are consecutive, in any
    order."""

    family = "straights"
    other_names = ("Str8ts",)
    card = "Runs of consecutive numbers between black cells."
    sizes = ((6, 6), (9, 9))
    square = True

    cells: BlackCells
    """The drawn square: # for a black cell, a number for a black cell with one, and dots."""
    given: Givens
    """The drawn square: numbers that are given in white cells, and dots."""

    @layer
    def number(self) -> Values:
        white = [cell for cell in self.grid.cells if cell not in self.cells.black]
        possible = range(1, self.grid.width + 1)
        return Values(white, possible, "number", "The cell has this number.", givens=self.given)

    def constrain(self, formula: Rules) -> None:
        number = formula[self.number]

        for thing, line in self.grid.lines.items():
            with formula.rule("no line has a number twice", *thing):
                formula.all_different([number[cell] for cell in line if cell in number])

        for run in self.grid.runs(self.cells.black):
            ends = f"{name_cell(run[0])} to {name_cell(run[-1])}"
            with formula.rule("numbers between black cells are consecutive", "cells", ends):
                # They differ, so it is enough that no two are too far apart.
                for one, other in combinations(run, 2):
                    for value, literal in number[one].literals.items():
                        for far, there in number[other].literals.items():
                            if abs(far - value) >= len(run):
                                formula.clause([-literal, -there])

        for cell, value in self.cells.items():
            with formula.clue(self.cells, cell):
                for line in self.grid.lines.values():
                    for other in line:
                        if cell in line and other in number and value in number[other].literals:
                            formula.clause([-number[other](value)])

    def find_faults(self, answer: Answer) -> Iterator[str]:
        lines = walks.rows_and_columns(self.grid.height, self.grid.width)
        return check(lines, dict(self.cells), answer[self.number])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str] | None:
        if height != width:
            return None
        black = {}
        for row, column in walks.rectangle(height, width):
            if rng.random() < BLACK_SHARE / 2:
                black[row, column] = "#"
                black[height - 1 - row, width - 1 - column] = "#"
        return {"cells": draw_rows(black, height, width), "given": draw_blank(height, width)}


def check(
    lines: Mapping[str, Collection[walks.Cell]],
    black: Mapping[walks.Cell, int],
    number: Mapping[walks.Cell, int],
) -> Iterator[str]:
    """Numbers that are twice in a line, and runs of numbers that are not consecutive; `black` has
    the numbers of black cells."""
    written = {**black, **number}
    for name, line in lines.items():
        for one, other in combinations(line, 2):
            # Numbers in two black cells may be equal: nobody chose them.
            chosen = one in number or other in number
            if chosen and one in written and written[one] == written.get(other):
                yield f"{name} has {written[one]} twice"
    for run in walks.runs(set(number)):
        values = [number[cell] for cell in run]
        if max(values) - min(values) != len(run) - 1:
            ends = f"{walks.name_cell(run[0])} to {walks.name_cell(run[-1])}"
            yield f"the numbers from {ends} are not consecutive"
