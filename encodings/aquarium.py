"""Aquarium."""

from collections.abc import Collection, Hashable, Iterator, Mapping
from itertools import pairwise
from random import Random
from typing import Any

from pydantic import Field

from jigsat.kit import (
    Answer,
    ClueValues,
    GridPuzzle,
    LineTotals,
    Motion,
    Rooms,
    Rules,
    Shading,
    divide_into_rooms,
    draw_rooms,
    layer,
    name_cell,
    walks,
)

ROOM_CELLS = (2, 7)  # the least and the most of a generated puzzle


class Tanks(Rooms):
    """Rooms that can be filled from below, so that it matters where the bottom is."""

    noun = "tank"

    def meaning(self, motion: Motion) -> Hashable:
        return super().meaning(motion), motion.step((1, 0))


class Aquarium(GridPuzzle):
    """Fill tanks with water. It has the same level everywhere in a tank: if a cell is filled, so
    are all cells of its tank in the same row and below. A number says how many cells of its row or
    column are filled."""

    family = "aquarium"
    card = "Tanks filled with water up to one level each."
    sizes = ((6, 6), (10, 10))

    tanks: Tanks
    """The drawn grid, with the letter of its tank for each cell, or a dot for a cell in none."""
    filled_cells: LineTotals = Field(default_factory=lambda: LineTotals({}))
    """A table of `top` and `left`: how many cells of each column and row are filled."""

    @layer
    def filled(self) -> Shading:
        return Shading(self.tanks.room_of, "filled", "There is water in the cell.")

    def constrain(self, formula: Rules) -> None:
        filled = formula[self.filled]

        for cells in self.tanks.cells.values():
            # From the top down, so that water in a cell fills the next one.
            for upper, lower in pairwise(sorted(cells)):
                pair = f"{name_cell(upper)} and {name_cell(lower)}"
                with formula.rule("water has one level in a tank", "cells", pair):
                    formula.implies(filled[upper], filled[lower])
                    if upper[0] == lower[0]:
                        formula.implies(filled[lower], filled[upper])

        for (side, i), number in self.filled_cells.items():
            with formula.clue(self.filled_cells, (side, i)):
                line = self.grid.view(side, i)
                formula.exactly(number, [filled[cell] for cell in line if cell in filled])

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(self.tanks.cells, answer[self.filled])

    def full_clues(self, answer: Answer) -> ClueValues:
        height, width = self.grid.height, self.grid.width
        return {"filled_cells": clues_of(height, width, answer[self.filled])}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, Any]:
        tanks = divide_into_rooms(height, width, *ROOM_CELLS, rng)
        return {"tanks": draw_rooms(tanks, height, width)}


def check(
    tanks: Mapping[str, Collection[walks.Cell]], filled: Collection[walks.Cell]
) -> Iterator[str]:
    """Tanks in which the water has several levels."""
    for name, tank in tanks.items():
        for row, column in set(filled).intersection(tank):
            for other in tank:
                if other[0] >= row and other not in filled:
                    wet = walks.name_cell((row, column))
                    dry = walks.name_cell(other)
                    yield f"tank {name} has water in {wet}, but none in {dry}"


def clues_of(height: int, width: int, filled: Collection[walks.Cell]) -> dict[tuple[str, int], int]:
    """How many cells of each column and row are filled."""
    numbers = {}
    for column in range(width):
        numbers["top", column] = sum(other == column for _, other in filled)
    for row in range(height):
        numbers["left", row] = sum(other == row for other, _ in filled)
    return numbers
