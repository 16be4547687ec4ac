"""Norinori."""

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from random import Random
from typing import Any

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
    walks,
)
from jigsat.links import Borders, Link

MAX_DRAWINGS = 100  # of rooms for one puzzle


class Norinori(GridPuzzle):
    """Shade two cells of each room. Every shaded cell is beside exactly one other shaded cell,
    which may be in another room."""

    family = "norinori"
    card = "Two shaded cells in each room, which are dominoes."
    moving_rooms = "rooms"
    link = Link("norinori", [Borders("rooms")])

    rooms: Rooms
    """The drawn grid, with the letter of its room for each cell, or a dot for a cell in none."""

    @layer
    def shaded(self) -> Shading:
        return Shading(self.rooms.room_of, "shaded", "The cell is shaded.")

    def constrain(self, formula: Rules) -> None:
        shaded = formula[self.shaded]

        for name, cells in self.rooms.cells.items():
            with formula.rule("every room has two shaded cells", *self.rooms.thing(name)):
                formula.exactly(2, [shaded[cell] for cell in cells])

        for cell, literal in shaded.items():
            beside = [shaded[other] for other in self.grid.beside(cell) if other in shaded]
            with formula.rule("a shaded cell is beside exactly one other", "cell", cell):
                formula.implies(literal, *beside)
                for one, other in combinations(beside, 2):
                    formula.clause([-literal, -one, -other])

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(self.rooms.cells, answer[self.shaded])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {}

    @classmethod
    def propose(cls, height: int, width: int, rng: Random) -> dict[str, Any] | None:
        for _ in range(MAX_DRAWINGS):
            seeds = [{cell} for cell in draw_dominoes(height, width, rng)]
            if not seeds:
                return None
            rooms = join_pairs(grow_rooms(seeds, height, width, rng), rng)
            if rooms is not None:
                return {"rooms": draw_rooms(rooms, height, width)}
        return None


def draw_dominoes(height: int, width: int, rng: Random) -> list[walks.Cell]:
    """The cells of dominoes that are not beside each other, as many as fit."""
    cells = walks.rectangle(height, width)
    pairs = []
    for cell in cells:
        pairs += [(cell, other) for other in walks.neighbours(cell) if other in cells]
    rng.shuffle(pairs)
    taken: list[walks.Cell] = []
    for one, other in pairs:
        near = {one, other, *walks.neighbours(one), *walks.neighbours(other)}
        if near.isdisjoint(taken):
            taken += [one, other]
    return taken


def check(
    rooms: Mapping[str, Collection[walks.Cell]], shaded: Collection[walks.Cell]
) -> Iterator[str]:
    """Rooms with another number of shaded cells than two, and parts of another size."""
    for room in rooms.values():
        if len(set(shaded).intersection(room)) != 2:
            yield f"the room at {walks.name_cell(min(room))} does not have two shaded cells"
    for part in walks.adjacent_parts(shaded):
        if len(part) != 2:
            yield f"{len(part)} shaded cells are connected at {walks.name_cell(min(part))}"
