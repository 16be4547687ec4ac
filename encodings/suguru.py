"""Suguru, also known as Tectonic."""

from collections.abc import Collection, Iterator, Mapping
from random import Random

from jigsat.kit import (
    Answer,
    ClueValues,
    Givens,
    GridPuzzle,
    Rooms,
    Rules,
    Values,
    divide_into_rooms,
    draw_blank,
    draw_rooms,
    layer,
    make_room_numbers,
    name_cell,
    require_room_numbers,
    walks,
)

ROOM_CELLS = (3, 5)  # the least and the most of a generated puzzle


class Suguru(GridPuzzle):
    """Write the numbers from 1 to the number of its cells into each room. Equal numbers do not
    touch, not even at a corner."""

    family = "suguru"
    other_names = ("Tectonic", "Number Blocks", "Nanba Burokku")
    card = "Rooms with the numbers up to their size; equal ones do not touch."
    sizes = ((6, 6), (9, 9))

    given: Givens
    """The drawn grid: numbers that are given, and dots."""
    rooms: Rooms
    """The drawn grid, with the letter of its room for each cell, or a dot for a cell in none."""

    @layer
    def number(self) -> Values:
        return make_room_numbers(self.rooms, self.given)

    def constrain(self, formula: Rules) -> None:
        number = formula[self.number]

        require_room_numbers(formula, number, self.rooms)

        for cell, choice in number.items():
            for other in self.grid.around(cell):
                if other in number and cell < other:
                    pair = f"{name_cell(cell)} and {name_cell(other)}"
                    with formula.rule("equal numbers do not touch", "cells", pair):
                        formula.all_different([choice, number[other]])

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
    """Rooms with other numbers, and equal numbers that touch."""
    for room in rooms.values():
        if sorted(number[cell] for cell in room) != list(range(1, len(room) + 1)):
            place = walks.name_cell(min(room))
            yield f"the room at {place} does not have the numbers from 1 to {len(room)}"
    for cell in number:
        for other in walks.touching(cell):
            if number[cell] == number.get(other):
                names = f"{walks.name_cell(cell)} and {walks.name_cell(other)}"
                yield f"the equal numbers in {names} touch"
