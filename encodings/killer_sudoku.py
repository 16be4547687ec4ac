"""Killer sudoku."""

from collections.abc import Collection, Iterator, Mapping
from math import isqrt
from random import Random
from typing import Any

from pydantic import Field, model_validator

from jigsat.formula import Thing
from jigsat.kit import (
    Answer,
    Cages,
    ClueValues,
    GridPuzzle,
    Rooms,
    Rules,
    Values,
    divide_into_rooms,
    draw_rooms,
    layer,
    walks,
)
from jigsat.puzzle import Reason

CAGE_CELLS = (2, 3)  # the least and the most of a generated puzzle


class Sums(Cages):
    """Cages with sums."""

    number_noun = "sum"


class KillerSudoku(GridPuzzle):
    """Write digits into the cells so that every row, column and box has each digit once. A number
    in a cage is the sum of its digits, of which no two are equal."""

    family = "killer-sudoku"
    other_names = ("Killer", "Sumdoku", "Sum Sudoku", "Sumoku", "Addoku", "Samunamupure")
    card = "A sudoku whose cages have sums."
    sizes = ((6, 6), (9, 9))
    square = True
    equally_often = True

    cages: Sums
    """The `cells`, each with the name of its cage, or a dot, and the sums as `numbers` by the names
    of the cages, such as A = 5, B = 12."""
    boxes: Rooms = Field(default_factory=lambda: Rooms((0, 0), {}, {}))
    """The name of its box for each cell; by default the boxes of a sudoku of this size."""
    distinct: bool = True
    """Whether no digit may be twice in a cage."""

    @model_validator(mode="before")
    @classmethod
    def _add_boxes(cls, data: Any) -> Any:
        """The default depends on the size, which the cages show."""
        if not isinstance(data, dict) or "boxes" in data or "cages" not in data:
            return data
        cages = data["cages"]
        layer = cages if isinstance(cages, Sums) else Sums.read(cages)
        return {**data, "boxes": draw_rooms(list_boxes(*layer.size), *layer.size)}

    @layer
    def digit(self) -> Values:
        possible = range(1, self.grid.width + 1)
        return Values(self.grid.cells, possible, "digit", "The cell has this digit.")

    def constrain(self, formula: Rules) -> None:
        digit = formula[self.digit]

        houses = dict(self.grid.lines)
        for cells in self.boxes.cells.values():
            houses[Thing("box", min(cells))] = tuple(cells)
        for thing, house in houses.items():
            with formula.rule("each row, column and box has each digit once", *thing):
                formula.all_different([digit[cell] for cell in house])

        if self.distinct:
            for name, cells in self.cages.cells.items():
                with formula.rule("no digit is twice in a cage", *self.cages.thing(name)):
                    formula.all_different([digit[cell] for cell in cells])

        for name, number in self.cages.items():
            with formula.clue(self.cages, name):
                cells = self.cages.cells[name]
                formula.total(number, [digit[cell] for cell in cells], different=self.distinct)

    def reasons(self) -> Iterator[Reason]:
        yield from super().reasons()
        for name, number in self.cages.items():
            cells = self.cages.cells[name]
            fault = find_wrong_sum(number, len(cells), self.grid.width, self.distinct)
            if fault:
                yield Reason(f"{self.cages.thing(name)} {fault}")

    def find_faults(self, answer: Answer) -> Iterator[str]:
        areas = walks.rows_and_columns(self.grid.height, self.grid.width)
        for cells in self.boxes.cells.values():
            areas[f"the box at {walks.name_cell(min(cells))}"] = cells
        if self.distinct:
            for cells in self.cages.cells.values():
                areas[f"the cage at {walks.name_cell(min(cells))}"] = cells
        return check(areas, answer[self.digit])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {"cages": clues_of(self.cages.cells, answer[self.digit])}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str] | None:
        if height != width:
            return None
        cages = divide_into_rooms(height, width, *CAGE_CELLS, rng)
        return {"cages": draw_rooms(cages, height, width)}


def find_wrong_sum(number: int, cells: int, largest: int, distinct: bool) -> str:
    """Why no digits up to the largest one have this sum in a cage; '' if some may have it.

    >>> find_wrong_sum(7, 1, 6, True), find_wrong_sum(12, 2, 6, True)
    ('says 7; the largest digit is 6', 'says 12; the sum of 2 different digits is at most 11')
    """
    different = "different " if distinct else ""
    if distinct and cells > largest:
        return f"has {cells} cells, but there are only {largest} different digits"
    least = sum(range(1, cells + 1)) if distinct else cells
    most = sum(range(largest - cells + 1, largest + 1)) if distinct else cells * largest
    if least <= number <= most:
        return ""
    if cells == 1:
        bound = f"largest digit is {most}" if number > most else f"smallest digit is {least}"
        return f"says {number}; the {bound}"
    bound = f"at most {most}" if number > most else f"at least {least}"
    return f"says {number}; the sum of {cells} {different}digits is {bound}"


def list_boxes(height: int, width: int) -> list[list[walks.Cell]]:
    """The boxes of a sudoku, which are as near to squares as possible: 3×3 for nine digits, 2×3 for
    six."""
    high = max(number for number in range(1, isqrt(height) + 1) if height % number == 0)
    wide = height // high
    boxes: dict[walks.Cell, list[walks.Cell]] = {}
    for row, column in walks.rectangle(height, width):
        boxes.setdefault((row // high, column // wide), []).append((row, column))
    return list(boxes.values())


def check(
    areas: Mapping[str, Collection[walks.Cell]], digit: Mapping[walks.Cell, int]
) -> Iterator[str]:
    """Rows, columns, boxes and cages in which a digit is twice."""
    for name, area in areas.items():
        digits = [digit[cell] for cell in area]
        if len(set(digits)) < len(digits):
            yield f"a digit is twice in {name}"


def clues_of(
    cages: Mapping[str, Collection[walks.Cell]], digit: Mapping[walks.Cell, int]
) -> dict[str, int]:
    """The sum of the digits of each cage."""
    return {name: sum(digit[cell] for cell in cells) for name, cells in cages.items()}
