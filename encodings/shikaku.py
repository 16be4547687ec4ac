"""Shikaku."""

from collections.abc import Collection, Iterator
from random import Random
from typing import Self

from jigsat.kit import (
    Answer,
    Cell,
    ClueValues,
    GridPuzzle,
    Lines,
    PositiveNumbers,
    Rules,
    Total,
    divide_into_rectangles,
    draw_rows,
    layer,
    name_cell,
    walks,
)
from jigsat.links import Link, Numbers16

MAX_RECTANGLE_CELLS = 9  # of a generated puzzle


class Sizes(PositiveNumbers):
    """The numbers of cells of the rectangles, which are all cells of the grid."""

    def find_contradiction(self, size: tuple[int, int]) -> str:
        cells = Total(size[0] * size[1])
        numbers = Total(sum(self.values()) + len(self.unknown), not self.unknown)
        if numbers.contradicts(cells):
            return f"the numbers add up to {numbers}, but the board has {cells} cells"
        return ""

    def list_changes(self) -> Iterator[tuple[str, Self]]:
        height, width = self._size
        return self.list_other_numbers(range(1, height * width + 1))


class Shikaku(GridPuzzle):
    """Divide the grid into rectangles along the lines. Each rectangle contains exactly one number,
    which says how many cells it has."""

    family = "shikaku"
    other_names = ("Divide by Squares", "Divide by Box", "Rectangles", "Sikaku")
    card = "A grid divided into rectangles."
    sizes = ((10, 10), (20, 20))
    link = Link("shikaku", [Numbers16("numbers")])
    fixed_clues = ("numbers",)

    numbers: Sizes
    """The drawn grid with its numbers, ? for a number that is not known, and dots."""

    @layer
    def wall(self) -> Lines:
        return Lines.between_cells(self.grid)

    def constrain(self, formula: Rules) -> None:
        wall = formula[self.wall]
        rectangles = self.list_rectangles()
        keys = list(rectangles.items())
        chosen = formula.variables(
            "rectangle", ("cells", "number"), [(cells, at) for cells, at in keys], decision=False
        )

        for cell in self.grid.cells:
            with formula.rule("each cell is in one rectangle", "cell", cell):
                formula.exactly_one([chosen(*key) for key in keys if cell in key[0]])

        for one, other in self.grid.neighbours.edges:
            pair = f"{name_cell(one)} and {name_cell(other)}"
            with formula.rule("walls are the sides of rectangles", "wall", pair):
                inside = [chosen(*key) for key in keys if one in key[0] and other in key[0]]
                formula.exactly_one([wall[self.grid.wall(one, other)], *inside])

        for place, size in self.numbers.items():
            with formula.clue(self.numbers, place):
                fitting = [chosen(*key) for key in keys if key[1] == place and len(key[0]) == size]
                formula.exactly_one(fitting)

    def list_rectangles(self) -> dict[tuple[Cell, ...], Cell]:
        """All rectangles with exactly one number, and its cell."""
        rectangles = {}
        places = set(self.numbers.places)
        for height in range(1, self.grid.height + 1):
            for width in range(1, self.grid.width + 1):
                for cells in self.grid.blocks(height, width):
                    inside = places.intersection(cells)
                    if len(inside) == 1:
                        (at,) = inside
                        if self.numbers.get(at, len(cells)) == len(cells):
                            rectangles[cells] = at
        return rectangles

    def find_faults(self, answer: Answer) -> Iterator[str]:
        walls = answer[self.wall]
        return check(self.grid.height, self.grid.width, walls, set(self.numbers.places))

    def full_clues(self, answer: Answer) -> ClueValues:
        return {"numbers": clues_of(self.grid.height, self.grid.width, answer[self.wall])}

    @classmethod
    def propose(cls, height: int, width: int, rng: Random) -> dict[str, str]:
        numbers = {}
        for cells in divide_into_rectangles(height, width, MAX_RECTANGLE_CELLS, rng):
            numbers[rng.choice(cells)] = str(len(cells))
        return {"numbers": draw_rows(numbers, height, width)}

    def improve(self, answer: Answer, other: Answer, rng: Random) -> dict[str, Sizes] | None:
        """Move the number of a rectangle that two answers show differently."""
        size = (self.grid.height, self.grid.width)
        first = {frozenset(room) for room in walks.rooms(*size, answer[self.wall])}
        second = {frozenset(room) for room in walks.rooms(*size, other[self.wall])}
        changed = [room for room in first - second if len(room) > 1]
        if not changed:
            return None
        room = rng.choice(sorted(changed, key=sorted))
        numbers = {cell: number for cell, number in self.numbers.items() if cell not in room}
        numbers[rng.choice(sorted(room - set(self.numbers)))] = len(room)
        return {"numbers": self.numbers.with_values(numbers)}


def check(
    height: int, width: int, walls: Collection[walks.Edge], numbered: Collection[walks.Cell]
) -> Iterator[str]:
    """Walls that separate nothing, and rooms that are no rectangles with one number."""
    rooms = walks.rooms(height, width, walls)
    for room in rooms:
        rows = {row for row, _ in room}
        columns = {column for _, column in room}
        if (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1) != len(room):
            yield f"the room of {walks.name_cell(min(room))} is no rectangle"
        if len(room.intersection(numbered)) != 1:
            yield f"the room of {walks.name_cell(min(room))} does not have one number"
        for cell in room:
            for other, side in zip(walks.neighbours(cell), walks.sides(cell), strict=True):
                if other in room and side in walls:
                    names = f"{walks.name_cell(cell)} and {walks.name_cell(other)}"
                    yield f"the wall between {names} separates nothing"


def clues_of(height: int, width: int, walls: Collection[walks.Edge]) -> dict[walks.Cell, int]:
    """For each cell the size of its room."""
    sizes = {}
    for room in walks.rooms(height, width, walls):
        for cell in room:
            sizes[cell] = len(room)
    return sizes
