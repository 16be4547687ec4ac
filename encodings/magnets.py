"""Magnets."""

from collections.abc import Collection, Hashable, Iterator, Mapping
from random import Random
from typing import Any, Self

from pydantic import Field

from jigsat.kit import (
    Answer,
    ClueValues,
    GridPicture,
    GridPuzzle,
    Motion,
    Rim,
    Rooms,
    Rules,
    Shading,
    Side,
    draw_rooms,
    join_pairs,
    layer,
    name_cell,
    walks,
)
from jigsat.links import Borders, Link, PoleNumbers

PLUS, MINUS = "+", "−"
POLE_OF: Mapping[Side, str] = {"top": PLUS, "left": PLUS, "bottom": MINUS, "right": MINUS}
"""What is counted at each side."""
MAX_DRAWS = 100  # times that a grid is divided into plates anew if cells are left over


class Plates(Rooms):
    """Pairs of neighbouring cells; a cell in none is black."""

    noun = "plate"
    partial = True

    @classmethod
    def read(cls, data: Any) -> Self:
        plates = super().read(data)
        if plates.places:
            raise ValueError("plates have no numbers; write those of lines as the entry numbers")
        for name, cells in plates.cells.items():
            if len(cells) != 2 or cells[1] not in walks.neighbours(cells[0]):
                raise ValueError(f"{name} is no pair of cells that are side by side")
        return plates

    @classmethod
    def draft(cls, height: int, width: int) -> str:
        """Plates side by side; if the rows are odd, those in the last column stand upright."""
        plates = [
            {(row, column), (row, column + 1)}
            for row in range(height)
            for column in range(0, width - 1, 2)
        ]
        if width % 2:
            plates += [{(row, width - 1), (row + 1, width - 1)} for row in range(0, height - 1, 2)]
        return draw_rooms(plates, height, width)

    def draw(self, picture: GridPicture) -> None:
        super().draw(picture)
        for cell in picture.grid.cells:
            if cell not in self.room_of:
                picture.shade(cell, "black")


class PoleCounts(Rim):
    """How many plus poles are in each column and row, at the top and at the left, and how many
    minus poles, at the bottom and at the right."""

    def meaning(self, motion: Motion) -> Hashable:
        """A number by its pole and the cells of its line."""
        counts = set()
        for side, i in self.places:
            line = frozenset(map(motion.cell, motion.grid.view(side, i)))
            counts.add((POLE_OF[side], line, self.get((side, i))))
        return frozenset(counts)

    def draw(self, picture: GridPicture) -> None:
        for side, i in self.places:
            picture.rim(side, i, [self.word((side, i)) + POLE_OF[side]])


class Magnets(GridPuzzle):
    """Each plate of two cells is a magnet, with a plus and a minus pole in its cells, or blank.
    Equal poles are never side by side. A number says how many poles of its sign are in its row or
    column."""

    family = "magnets"
    card = (
        "Plates with two poles or none, counted by the numbers; equal poles are not side by side."
    )
    sizes = ((6, 6), (10, 10))
    link = Link("magnets", [PoleNumbers("numbers"), Borders("plates")])

    plates: Plates
    """The drawn grid: the name of its plate for each cell, and dots for black cells."""
    numbers: PoleCounts = Field(default_factory=lambda: PoleCounts({}))
    """A table of `top` and `left`, how many plus poles are in each column and row, and of `bottom`
    and `right`, how many minus poles."""

    @layer
    def plus(self) -> Shading:
        return Shading(self.plates.room_of, "plus", "There is a plus pole in the cell.", sign=PLUS)

    @layer
    def minus(self) -> Shading:
        meaning = "There is a minus pole in the cell."
        return Shading(self.plates.room_of, "minus", meaning, sign=MINUS)

    def constrain(self, formula: Rules) -> None:
        plus, minus = formula[self.plus], formula[self.minus]

        for one, other in self.plates.cells.values():
            pair = f"{name_cell(one)} and {name_cell(other)}"
            with formula.rule("a plate has both poles or none", "cells", pair):
                for cell, opposite in ((one, other), (other, one)):
                    formula.at_most_one([plus[cell], minus[cell]])
                    formula.implies(plus[cell], minus[opposite])
                    formula.implies(minus[cell], plus[opposite])

        for one, other in self.grid.neighbours.edges:
            pair = f"{name_cell(one)} and {name_cell(other)}"
            with formula.rule("equal poles are not side by side", "cells", pair):
                for pole in (plus, minus):
                    if one in pole and other in pole:
                        formula.at_most_one([pole[one], pole[other]])

        for (side, i), number in self.numbers.items():
            pole = plus if POLE_OF[side] == PLUS else minus
            with formula.clue(self.numbers, (side, i)):
                line = self.grid.view(side, i)
                formula.exactly(number, [pole[cell] for cell in line if cell in pole])

    def find_faults(self, answer: Answer) -> Iterator[str]:
        plates = list(self.plates.cells.values())
        return check(plates, answer[self.plus], answer[self.minus])

    def full_clues(self, answer: Answer) -> ClueValues:
        size = (self.grid.height, self.grid.width)
        return {"numbers": clues_of(*size, answer[self.plus], answer[self.minus])}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str] | None:
        cells = walks.rectangle(height, width)
        if len(cells) % 2:
            # There is one cell more on diagonals like that of the first cell.
            cells.remove(rng.choice([cell for cell in cells if sum(cell) % 2 == 0]))
        for _ in range(MAX_DRAWS):
            plates = join_pairs([{cell} for cell in cells], rng)
            if plates:
                return {"plates": draw_rooms(plates, height, width)}
        return None


def check(
    plates: Collection[Collection[walks.Cell]],
    plus: Collection[walks.Cell],
    minus: Collection[walks.Cell],
) -> Iterator[str]:
    """What is wrong with the poles, whatever the numbers are."""
    for plate in plates:
        poles = [sum(cell in pole for cell in plate) for pole in (plus, minus)]
        magnetic = sum(cell in plus or cell in minus for cell in plate)
        if (*poles, magnetic) not in ((0, 0, 0), (1, 1, 2)):
            yield f"the plate of {walks.name_cell(min(plate))} has not one plus and one minus pole"
    for pole in (plus, minus):
        for cell in pole:
            for other in walks.neighbours(cell):
                if other in pole and cell < other:
                    names = f"{walks.name_cell(cell)} and {walks.name_cell(other)}"
                    yield f"equal poles are side by side in {names}"


def clues_of(
    height: int, width: int, plus: Collection[walks.Cell], minus: Collection[walks.Cell]
) -> dict[tuple[str, int], int]:
    """How many plus and minus poles are in each column and row."""
    numbers = {}
    for column in range(width):
        numbers["top", column] = sum(other == column for _, other in plus)
        numbers["bottom", column] = sum(other == column for _, other in minus)
    for row in range(height):
        numbers["left", row] = sum(other == row for other, _ in plus)
        numbers["right", row] = sum(other == row for other, _ in minus)
    return numbers
