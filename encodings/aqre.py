"""Aqre."""

from collections.abc import Collection, Iterator, Mapping, Set
from random import Random

from jigsat.kit import (
    Answer,
    ClueValues,
    GridPuzzle,
    NumberedRooms,
    Rules,
    Shading,
    divide_into_rooms,
    draw_rooms,
    layer,
    name_cell,
    walks,
)
from jigsat.links import Link, RoomsWithNumbers

MAX_ALIKE_CELLS = 3  # cells in a line that are all shaded, or all not
ROOM_CELLS = (2, 6)  # the least and the most of a generated puzzle


class Aqre(GridPuzzle):
    """Shade cells, all of which are connected. A number says how many cells of its room are shaded.
    No four cells in a row or column are all shaded or all unshaded."""

    family = "aqre"
    card = "Connected shaded cells, never four alike in a line."
    sizes = ((8, 8), (10, 10))
    link = Link("aqre", [RoomsWithNumbers("rooms")])

    rooms: NumberedRooms
    """The `cells`, each with the name of its room, and the `numbers` of rooms by their names."""

    @layer
    def shaded(self) -> Shading:
        return Shading(self.grid.cells, "shaded", "The cell is shaded.")

    def constrain(self, formula: Rules) -> None:
        shaded = formula[self.shaded]

        with formula.rule("the shaded cells are connected"):
            formula.connected(self.grid.neighbours, shaded)

        for line in self.grid.lines.values():
            for i in range(len(line) - MAX_ALIKE_CELLS):
                stretch = line[i : i + MAX_ALIKE_CELLS + 1]
                ends = f"{name_cell(stretch[0])} to {name_cell(stretch[-1])}"
                with formula.rule("no four cells in a line are alike", "cells", ends):
                    formula.clause([shaded[cell] for cell in stretch])
                    formula.clause([-shaded[cell] for cell in stretch])

        for name, number in self.rooms.items():
            with formula.clue(self.rooms, name):
                formula.exactly(number, [shaded[cell] for cell in self.rooms.cells[name]])

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(self.grid.height, self.grid.width, answer[self.shaded])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {"rooms": clues_of(self.rooms.cells, answer[self.shaded])}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str]:
        rooms = divide_into_rooms(height, width, *ROOM_CELLS, rng)
        return {"rooms": draw_rooms(rooms, height, width)}


def check(height: int, width: int, shaded: Set[walks.Cell]) -> Iterator[str]:
    """What is wrong with the shaded cells, whatever the numbers are."""
    if len(walks.adjacent_parts(shaded)) > 1:
        yield "the shaded cells are not connected"
    unshaded = set(walks.rectangle(height, width)) - shaded
    for kind, cells in (("shaded", shaded), ("unshaded", unshaded)):
        for run in walks.runs(cells):
            if len(run) > 3:
                ends = f"{walks.name_cell(run[0])} to {walks.name_cell(run[-1])}"
                yield f"the cells from {ends} are all {kind}"


def clues_of(
    rooms: Mapping[str, Collection[walks.Cell]], shaded: Set[walks.Cell]
) -> dict[str, int]:
    """How many cells of each room are shaded."""
    return {name: len(shaded & set(cells)) for name, cells in rooms.items()}
