"""Calcudoku."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import prod
from random import Random
from typing import Any

from jigsat.kit import (
    Answer,
    Calculations,
    Cell,
    ClueValues,
    GridPuzzle,
    Rules,
    Values,
    divide_into_rooms,
    draw_rooms,
    layer,
    name_rooms,
    walks,
)

CAGE_CELLS = (2, 3)  # the least and the most of a generated puzzle


class Calcudoku(GridPuzzle):
    """Write numbers into the cells so that every row and column has each number once. A cage shows
    the sum (+), the product (x), the difference (-) or the quotient (/) of its numbers. Differences
    and quotients begin with the largest number. Without a sign, it may be any of them."""

    family = "calcudoku"
    other_names = ("KenKen", "Mathdoku", "KenDoku", "Inkies", "Keen")
    card = "Numbers once in each line, and cages with results."
    sizes = ((4, 4), (6, 6))
    square = True
    equally_often = True
    fixed_clues = ("cages",)

    cages: Calculations
    """The `cells`, each with the name of its cage, or a dot, and `numbers` such as "12+" by the
    names of the cages; ? for a result that is not known."""

    @layer
    def number(self) -> Values:
        possible = range(1, self.grid.width + 1)
        return Values(self.grid.cells, possible, "number", "The cell has this number.")

    def constrain(self, formula: Rules) -> None:
        number = formula[self.number]

        for thing, line in self.grid.lines.items():
            with formula.rule("each line has each number once", *thing):
                formula.all_different([number[cell] for cell in line])

        for name, sign in self.cages.signs.items():
            if sign in "-/":
                with formula.rule("the result is a whole number", *self.cages.thing(name)):
                    self.calculate(formula, name, None)

        for name, result in self.cages.items():
            with formula.clue(self.cages, name):
                self.calculate(formula, name, result)

    def calculate(self, formula: Rules, name: str, result: int | None) -> None:
        """The numbers of a cage have this result, or some whole number as the result."""
        number = formula[self.number]
        cells = self.cages.cells[name]
        sign = self.cages.signs.get(name, "")
        if sign == "+" or len(cells) == 1:
            if result is not None:
                formula.total(result, [number[cell] for cell in cells])
            return
        ways = list_ways(cells, self.grid.width, sign, result)
        keys = [(name, way) for way in ways]
        noun = "possibility" if result is None else "way"
        chosen = formula.variables(noun, ("cage", "numbers"), keys, decision=False)
        formula.exactly_one([chosen(*key) for key in keys])
        for way in ways:
            for cell, value in zip(cells, way, strict=True):
                formula.implies(chosen(name, way), number[cell](value))

    def find_faults(self, answer: Answer) -> Iterator[str]:
        number = answer[self.number]
        yield from check(self.grid.height, self.grid.width, number)
        for name in self.cages.unknown:
            cells = self.cages.cells[name]
            numbers = [number[cell] for cell in cells]
            if not find_results(self.cages.signs.get(name, ""), numbers):
                place = walks.name_cell(min(cells))
                yield f"the cage at {place} has no whole number as the result"

    def full_clues(self, answer: Answer) -> ClueValues:
        cages = self.cages
        return {"cages": clues_of(cages.cells, cages.signs, dict(cages), answer[self.number])}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, Any] | None:
        if height != width:
            return None
        rooms = divide_into_rooms(height, width, *CAGE_CELLS, rng)
        sizes: dict[str, int] = {}
        for name in name_rooms(rooms).values():
            sizes[name] = sizes.get(name, 0) + 1
        numbers = {}
        for name, size in sizes.items():
            signs = "+-x/" if size == 2 else "+x"
            numbers[name] = f"?{rng.choice(signs)}"
        return {"cages": {"cells": draw_rooms(rooms, height, width), "numbers": numbers}}


def list_ways(
    cells: Sequence[Cell], most: int, sign: str, result: int | None
) -> list[tuple[int, ...]]:
    """The numbers that the cells of a cage can have, of which none is twice in a line."""
    ways: list[tuple[int, ...]] = [()]
    for i, (row, column) in enumerate(cells):
        in_line = [k for k in range(i) if cells[k][0] == row or cells[k][1] == column]
        longer = []
        for way in ways:
            used = {way[k] for k in in_line}
            for value in range(1, most + 1):
                divides = sign != "x" or result is None or result % (prod(way) * value) == 0
                if value not in used and divides:
                    longer.append((*way, value))
        ways = longer
    return [way for way in ways if is_way(way, sign, result)]


def is_way(numbers: Sequence[int], sign: str, result: int | None) -> bool:
    """Whether the numbers have this result, or any if it is not known."""
    if sign == "":
        return any(is_way(numbers, other, result) for other in "+-x/")
    largest = max(numbers)
    if sign == "+":
        return result in (None, sum(numbers))
    if sign == "x":
        return result in (None, prod(numbers))
    if sign == "-":
        difference = 2 * largest - sum(numbers)
        return difference >= 0 and result in (None, difference)
    others = prod(numbers) // largest
    return largest % others == 0 and result in (None, largest // others)


def check(height: int, width: int, number: Mapping[walks.Cell, int]) -> Iterator[str]:
    """What is wrong with the numbers, whatever the results are."""
    for name, line in walks.rows_and_columns(height, width).items():
        if {number[cell] for cell in line} != set(range(1, width + 1)):
            yield f"{name} does not have each number once"


def clues_of(
    cages: Mapping[str, Collection[walks.Cell]],
    signs: Mapping[str, str],
    given: Mapping[str, int],
    number: Mapping[walks.Cell, int],
) -> dict[str, int]:
    """The result of each cage; of several without a sign, the given one if it is one of them."""
    results = {}
    for name, cells in cages.items():
        possible = find_results(signs.get(name, ""), [number[cell] for cell in cells])
        if given.get(name) in possible:
            results[name] = given[name]
        elif possible:
            results[name] = min(possible)
    return results


def find_results(sign: str, numbers: Collection[int]) -> set[int]:
    """The results of a calculation that are whole numbers; without a sign, of all of them."""
    *others, largest = sorted(numbers)
    results = set()
    if sign in ("+", ""):
        results.add(sum(numbers))
    if sign in ("x", ""):
        results.add(prod(numbers))
    if sign in ("-", "") and largest >= sum(others):
        results.add(largest - sum(others))
    if sign in ("/", "") and largest % prod(others) == 0:
        results.add(largest // prod(others))
    return results
