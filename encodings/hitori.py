"""Hitori."""

from collections.abc import Collection, Iterator, Mapping
from random import Random

from jigsat.kit import (
    Answer,
    ClueValues,
    GridNumbers,
    GridPuzzle,
    Rules,
    Shading,
    draw_rows,
    layer,
    name_cell,
    walks,
)
from jigsat.links import DenseNumbers, Link

SHADED_SHARE = 0.8  # of the cells that could be shaded in a generated puzzle


class Hitori(GridPuzzle):
    """Shade some cells so that no number is left twice in a row or column. Shaded cells are not
    side by side, and the others are connected through their sides."""

    family = "hitori"
    other_names = ("Singles", "Hitori ni Shite Kure")
    card = "Shade what is twice in a row or column."
    sizes = ((8, 8), (12, 12))
    link = Link("hitori", [DenseNumbers("numbers")])

    numbers: GridNumbers
    """The drawn grid: a number in every cell."""

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
            formula.connected(self.grid.neighbours, {cell: -x for cell, x in shaded.items()})

        for thing, line in self.grid.lines.items():
            for number in sorted(set(self.numbers.values())):
                same = [cell for cell in line if self.numbers[cell] == number]
                with formula.rule("no number is left twice", f"{number}s", f"of {thing}"):
                    formula.at_most_one([-shaded[cell] for cell in same])

    def find_faults(self, answer: Answer) -> Iterator[str]:
        lines = walks.rows_and_columns(self.grid.height, self.grid.width)
        return check(lines, dict(self.numbers), answer[self.shaded])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {}

    @classmethod
    def propose(cls, height: int, width: int, rng: Random) -> dict[str, str]:
        shaded = shade(height, width, rng)
        numbers = write_numbers(height, width, shaded, rng)
        words = {cell: str(number) for cell, number in numbers.items()}
        return {"numbers": draw_rows(words, height, width)}

    def improve(self, answer: Answer, other: Answer, rng: Random) -> dict[str, GridNumbers] | None:
        """Write another number into a cell that only the first answer shades."""
        shaded = answer[self.shaded]
        changed = sorted(shaded - other[self.shaded])
        if not changed:
            return None
        numbers = dict(self.numbers)
        cell = rng.choice(changed)
        numbers[cell] = copy_number(cell, numbers, shaded, rng)
        return {"numbers": self.numbers.with_values(numbers)}


def check(
    lines: Mapping[str, Collection[walks.Cell]],
    numbers: Mapping[walks.Cell, int],
    shaded: Collection[walks.Cell],
) -> Iterator[str]:
    """Numbers that are left twice, shaded cells side by side, and others that are cut off."""
    for name, line in lines.items():
        left = [numbers[cell] for cell in line if cell not in shaded]
        if len(set(left)) < len(left):
            yield f"a number is left twice in {name}"
    for cell in shaded:
        for other in walks.neighbours(cell):
            if other in shaded:
                names = f"{walks.name_cell(cell)} and {walks.name_cell(other)}"
                yield f"the shaded cells {names} are side by side"
    if len(walks.adjacent_parts(set(numbers) - set(shaded))) > 1:
        yield "the other cells are not connected"


def shade(height: int, width: int, rng: Random) -> set[walks.Cell]:
    """Shaded cells at random, of which no two are side by side, and which cut off no cell."""
    cells = walks.rectangle(height, width)
    shaded: set[walks.Cell] = set()
    for cell in rng.sample(cells, len(cells)):
        left = set(cells) - shaded - {cell}
        alone = shaded.isdisjoint(walks.neighbours(cell))
        if alone and len(walks.adjacent_parts(left)) == 1 and rng.random() < SHADED_SHARE:
            shaded.add(cell)
    return shaded


def write_numbers(
    height: int, width: int, shaded: Collection[walks.Cell], rng: Random
) -> dict[walks.Cell, int]:
    """Numbers of which none is twice in a row or column, but for those in shaded cells."""
    size = max(height, width)
    rows, columns = rng.sample(range(size), height), rng.sample(range(size), width)
    symbols = rng.sample(range(1, size + 1), size)
    numbers = {}
    for row, column in walks.rectangle(height, width):
        numbers[row, column] = symbols[(rows[row] + columns[column]) % size]
    for cell in sorted(shaded):
        numbers[cell] = copy_number(cell, numbers, shaded, rng)
    return numbers


def copy_number(
    cell: walks.Cell,
    numbers: Mapping[walks.Cell, int],
    shaded: Collection[walks.Cell],
    rng: Random,
) -> int:
    """A number that is left in the row or column of a shaded cell."""
    in_line = [other for other in numbers if (other[0] == cell[0]) != (other[1] == cell[1])]
    left = sorted({numbers[other] for other in in_line if other not in shaded})
    return rng.choice(left or [numbers[cell]])
