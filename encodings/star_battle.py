"""Star battle."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from random import Random
from typing import Any

from pydantic import PositiveInt

from jigsat.kit import (
    Answer,
    ClueValues,
    GridPuzzle,
    Rooms,
    Rules,
    Shading,
    draw_rooms,
    grow_rooms,
    join_pairs,
    layer,
    name_cell,
    walks,
)
from jigsat.links import Borders, Count, Link
from jigsat.words import plural

MIN_SIZE_FOR_TWO = 10  # rows of a generated puzzle with two stars in each


class StarRooms(Rooms):
    """As many rooms as rows and columns, since each of them has the same number of stars."""

    def find_contradiction(self, size: tuple[int, int]) -> str:
        height, width = size
        rows = plural(height, "row")
        columns = plural(width, "column")
        rooms = len(self.cells)
        if height != width:
            return f"{rows}, but {columns}"
        if rooms != height:
            return f"{rows}, but {plural(rooms, 'room')} ({' '.join(self.cells)})"
        return ""

    def require_drawing(self) -> None:
        super().require_drawing()
        contradiction = self.find_contradiction(self.size)
        if contradiction:
            raise ValueError(contradiction)


class StarBattle(GridPuzzle):
    """Put stars into cells so that every row, column and room has the same number of them. No two
    stars touch, not even at a corner."""

    family = "star-battle"
    other_names = ("Two Not Touch", "Queens")
    card = "Stars in rows, columns and rooms, of which no two touch."
    moving_rooms = "rooms"
    link = Link("starbattle", [Count("stars"), Borders("rooms")])

    rooms: StarRooms
    """The drawn grid, with the letter of its room for each cell, or a dot for a cell in none."""
    stars: PositiveInt = 1
    """The number of stars in each row, column and room."""

    @layer
    def star(self) -> Shading:
        return Shading(self.rooms.room_of, "star", "There is a star in the cell.", sign="★")

    def constrain(self, formula: Rules) -> None:
        star = formula[self.star]

        areas = dict(self.grid.lines)
        for name, cells in self.rooms.cells.items():
            areas[self.rooms.thing(name)] = tuple(cells)
        for thing, area in areas.items():
            with formula.rule("every row, column and room has its stars", *thing):
                formula.exactly(self.stars, [star[cell] for cell in area if cell in star])

        for block in self.grid.blocks(min(2, self.grid.height), min(2, self.grid.width)):
            ends = f"{name_cell(block[0])} to {name_cell(block[-1])}"
            with formula.rule("stars do not touch", "block", ends):
                formula.at_most_one([star[cell] for cell in block if cell in star])

    def find_faults(self, answer: Answer) -> Iterator[str]:
        lines = walks.rows_and_columns(self.grid.height, self.grid.width)
        return check(self.stars, lines, self.rooms.cells, answer[self.star])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {}

    @classmethod
    def propose(cls, height: int, width: int, rng: Random) -> dict[str, Any] | None:
        if height != width or width < 4:
            return None
        number = 1 if width < MIN_SIZE_FOR_TWO else 2
        rooms: list[set[walks.Cell]] | None = None
        while rooms is None:
            seeds = [{star} for star in pick_stars(width, number, rng)]
            parts = grow_rooms(seeds, height, width, rng)
            rooms = parts if number == 1 else join_pairs(parts, rng)
        return {"rooms": draw_rooms(rooms, height, width), "stars": number}


def pick_stars(size: int, number: int, rng: Random) -> list[walks.Cell]:
    """Random places for `number` stars in each row and column of a square, so that no two touch.
    There must be such places."""
    possible = [
        columns
        for columns in combinations(range(size), number)
        if all(other - one > 1 for one, other in pairwise(columns))
    ]
    stars: list[walks.Cell] = []
    while len(stars) < number * size:
        stars = try_to_pick_stars(size, number, possible, rng)
    return stars


def try_to_pick_stars(
    size: int, number: int, possible: Sequence[tuple[int, ...]], rng: Random
) -> list[walks.Cell]:
    """Random places row by row, as far as one of the `possible` sets of columns still fits."""
    stars: list[walks.Cell] = []
    full: set[int] = set()
    for row in range(size):
        row_above = stars[-number:]
        touched = {column + i for _, column in row_above for i in (-1, 0, 1)}
        fitting = [columns for columns in possible if not (full | touched) & set(columns)]
        if not fitting:
            break
        stars += [(row, column) for column in rng.choice(fitting)]
        uses = Counter(column for _, column in stars)
        full = {column for column in uses if uses[column] == number}
    return stars


def check(
    number: int,
    lines: Mapping[str, Collection[walks.Cell]],
    rooms: Mapping[str, Collection[walks.Cell]],
    stars: Collection[walks.Cell],
) -> Iterator[str]:
    """Lines and rooms with another number of stars, and stars that touch."""
    for name, line in lines.items():
        if len(set(stars).intersection(line)) != number:
            yield f"{name} has another number of stars than {number}"
    for room in rooms.values():
        if len(set(stars).intersection(room)) != number:
            place = walks.name_cell(min(room))
            yield f"the room at {place} has another number of stars than {number}"
    for star in stars:
        for other in walks.touching(star):
            if other in stars:
                names = f"{walks.name_cell(star)} and {walks.name_cell(other)}"
                yield f"the stars in {names} touch"
