"""Fillomino."""

from collections.abc import Iterator, Mapping
from random import Random

from jigsat.kit import (
    Answer,
    ClueValues,
    GridPuzzle,
    PositiveNumbers,
    Rules,
    Values,
    draw_rows,
    layer,
    walks,
)
from jigsat.links import Link, NoBorders, Numbers16

MAX_REGION_CELLS = 7  # of a generated puzzle, before equal regions that touch become one


class Fillomino(GridPuzzle):
    """Write a number into each cell. Cells with equal numbers that are connected through their
    sides are a region, which has as many cells as the number says."""

    family = "fillomino"
    other_names = ("Polyominous", "Allied Occupation", "Filling")
    card = "Regions as large as their numbers."
    link = Link("fillomino", [Numbers16("numbers"), NoBorders("borders")], aliases=("fillomino01",))

    numbers: PositiveNumbers
    """The drawn grid: numbers that are given, and dots."""

    @layer
    def number(self) -> Values:
        possible = range(1, len(self.grid.cells) + 1)
        return Values(
            self.grid.cells, possible, "number", "The cell holds it.", givens=self.numbers
        )

    def constrain(self, formula: Rules) -> None:
        with formula.rule("regions are as large as their numbers say"):
            formula.regions(self.grid.neighbours, formula[self.number])

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(answer[self.number])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {}

    @classmethod
    def propose(cls, height: int, width: int, rng: Random) -> dict[str, str]:
        numbers = {}
        for region in divide(height, width, rng):
            numbers.update(dict.fromkeys(region, str(len(region))))
        return {"numbers": draw_rows(numbers, height, width)}


def check(number: Mapping[walks.Cell, int]) -> Iterator[str]:
    """What is wrong with the numbers."""
    equal = []
    for cell in number:
        for other in walks.neighbours(cell):
            if cell < other and number.get(other) == number[cell]:
                equal.append((cell, other))
    for region in walks.parts(number, equal):
        wanted = number[min(region)]
        if len(region) != wanted:
            name = walks.name_cell(min(region))
            yield f"the region of {name} has {len(region)} cells instead of {wanted}"


def divide(height: int, width: int, rng: Random) -> list[set[walks.Cell]]:
    """The grid divided into random regions, of which no two of the same size touch."""
    free = set(walks.rectangle(height, width))
    regions: list[set[walks.Cell]] = []
    while free:
        region = {rng.choice(sorted(free))}
        for _ in range(rng.randrange(MAX_REGION_CELLS)):
            beside = {other for cell in region for other in walks.neighbours(cell)}
            possible = sorted(beside & free - region)
            if possible:
                region.add(rng.choice(possible))
        free -= region

        # it takes in each region of its size beside it, and grows by that
        while True:
            beside = {other for cell in region for other in walks.neighbours(cell)}
            equal = [x for x in regions if len(x) == len(region) and not x.isdisjoint(beside)]
            if not equal:
                break
            region |= equal[0]
            regions.remove(equal[0])
        regions.append(region)
    return regions
