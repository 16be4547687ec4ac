"""Ripple effect."""

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from random import Random

from jigsat.kit import (
    Answer,
    CellNumbers,
    ClueValues,
    GridPuzzle,
    Rooms,
    Rules,
    Values,
    divide_into_rooms,
    draw_blank,
    draw_rooms,
    layer,
    make_room_numbers,
    require_room_numbers,
    walks,
)
from jigsat.links import Borders, Link, Numbers16

ROOM_CELLS = (1, 4)  # the least and the most of a generated puzzle


class RippleEffect(GridPuzzle):
    """Write the numbers from 1 to the number of its cells into each room. Between two equal numbers
    in a row or column there are at least as many cells as the number says."""

    family = "ripple-effect"
    other_names = ("Hakyuu", "Hakyuu Kouka")
    card = "Rooms with the numbers up to their size; equal ones are far apart."
    link = Link("ripple", [Borders("rooms"), Numbers16("given")], aliases=("hakyukoka",))

    given: CellNumbers
    """The drawn grid: numbers that are given, and dots."""
    rooms: Rooms
    """The drawn grid, with the letter of its room for each cell, or a dot for a cell in none."""

    @layer
    def number(self) -> Values:
        return make_room_numbers(self.rooms, self.given)

    def constrain(self, formula: Rules) -> None:
        number = formula[self.number]

        require_room_numbers(formula, number, self.rooms)

        for thing, line in self.grid.lines.items():
            with formula.rule("equal numbers are far enough from each other", *thing):
                for (i, one), (k, other) in combinations(enumerate(line), 2):
                    if one in number and other in number:
                        for value, literal in number[one].literals.items():
                            if k - i <= value:
                                formula.clause([-literal, -number[other](value)])

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(self.rooms.cells, answer[self.number])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str]:
        rooms = divide_into_rooms(height, width, *ROOM_CELLS, rng)
        return {"given": draw_blank(height, width), "rooms": draw_rooms(rooms, height, width)}


def check(
    rooms: Mapping[str, Collection[walks.Cell]], number: Mapping[walks.Cell, int]
) -> Iterator[str]:
    """Rooms with other numbers, and equal numbers that are too near."""
    for name, room in rooms.items():
        if sorted(number[cell] for cell in room) != list(range(1, len(room) + 1)):
            yield f"room {name} does not have the numbers from 1 to {len(room)}"
    for (row, column), value in number.items():
        for distance in range(1, value + 1):
            for other in ((row + distance, column), (row, column + distance)):
                if number.get(other) == value:
                    names = f"{walks.name_cell((row, column))} and {walks.name_cell(other)}"
                    yield f"the equal numbers in {names} are too near"
