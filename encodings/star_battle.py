"""Star battle."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from string import ascii_uppercase
from typing import Any

from pydantic import PositiveInt

from jigsat.kit import (
    Answer,
    ClueValues,
    GridPuzzle,
    Rooms,
    Rules,
    Shading,
    draw_rows,
    layer,
    name_cell,
    walks,
)


class StarBattle(GridPuzzle):
    """Put stars into cells so that every row, column and room has the same number of them. No two
    stars touch, not even at a corner."""

    family = "star-battle"

    rooms: Rooms
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
            areas[f"room {name}"] = tuple(cells)
        for name, area in areas.items():
            with formula.rule("every row, column and room has its stars", name):
                formula.exactly(self.stars, [star[cell] for cell in area if cell in star])

        for block in self.grid.blocks(min(2, self.grid.height), min(2, self.grid.width)):
            about = f"block {name_cell(block[0])} to {name_cell(block[-1])}"
            with formula.rule("stars do not touch", about):
                formula.at_most_one([star[cell] for cell in block if cell in star])

    def find_faults(self, answer: Answer) -> Iterator[str]:
        lines = walks.rows_and_columns(self.grid.height, self.grid.width)
        return check(self.stars, lines, self.rooms.cells, answer[self.star])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {}

    @classmethod
    def propose(cls, height: int, width: int, rng: Random) -> dict[str, str] | None:
        if height != width or width < 4:
            return None
        stars = draw_stars(width, rng)
        return {"rooms": draw_rows(grow_rooms(stars, rng), height, width)}

    def improve(self, answer: Answer, other: Answer, rng: Random) -> dict[str, Any] | None:
        """Move a star of the second answer into another room."""
        rooms = dict(self.rooms.room_of)
        wrong = sorted(other[self.star] - answer[self.star])
        rng.shuffle(wrong)
        for cell in wrong:
            for neighbour in rng.sample(self.grid.beside(cell), len(self.grid.beside(cell))):
                room = [x for x in rooms if rooms[x] == rooms[cell] and x != cell]
                if rooms[neighbour] != rooms[cell] and len(walks.adjacent_parts(room)) == 1:
                    rooms[cell] = rooms[neighbour]
                    drawing = draw_rows(rooms, self.grid.height, self.grid.width)
                    return {"rooms": drawing, "stars": self.stars}
        return None


def draw_stars(size: int, rng: Random) -> list[walks.Cell]:
    """A star in each row and column of a square, of which no two touch."""
    while True:
        columns = rng.sample(range(size), size)
        if all(abs(one - other) > 1 for one, other in pairwise(columns)):
            return list(enumerate(columns))


def grow_rooms(stars: Sequence[walks.Cell], rng: Random) -> dict[walks.Cell, str]:
    """A room for each star, all cells of a square in some room."""
    free = set(walks.rectangle(len(stars), len(stars))) - set(stars)
    room_of = {star: name_room(number) for number, star in enumerate(stars)}
    while free:
        cell = rng.choice(sorted(room_of))
        beside = [other for other in walks.neighbours(cell) if other in free]
        if beside:
            grown = rng.choice(beside)
            room_of[grown] = room_of[cell]
            free.remove(grown)
    return room_of


def name_room(number: int) -> str:
    """A letter, or several after Z."""
    letters = ascii_uppercase[number % len(ascii_uppercase)]
    return letters * (1 + number // len(ascii_uppercase))


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
    for name, room in rooms.items():
        if len(set(stars).intersection(room)) != number:
            yield f"room {name} has another number of stars than {number}"
    for star in stars:
        for other in walks.touching(star):
            if other in stars:
                yield f"the stars in {star} and {other} touch"
