"""Heyawake."""

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from itertools import pairwise
from random import Random

from jigsat.kit import (
    Answer,
    ClueValues,
    GridPuzzle,
    Line,
    NumberedRooms,
    Rules,
    Shading,
    divide_into_rectangles,
    draw_rooms,
    layer,
    name_cell,
    walks,
)
from jigsat.links import Link, RoomsWithNumbers

MAX_ROOM_CELLS = 6  # of a generated puzzle


class Heyawake(GridPuzzle):
    """Shade cells, no two of them side by side, so that all other cells are connected. A number
    says how many cells of its room are shaded. A straight line of cells that are not shaded crosses
    at most one border of rooms."""

    family = "heyawake"
    card = "Shaded cells in rooms; lines of others cross one border at most."
    sizes = ((10, 10), (14, 14))
    link = Link("heyawake", [RoomsWithNumbers("rooms")], aliases=("heyawacky",))

    rooms: NumberedRooms
    """The `cells`, each with the name of its room, and the `numbers` of rooms by their names."""

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
            white = {cell: -literal for cell, literal in shaded.items()}
            formula.connected(self.grid.neighbours, white)

        for line in self.grid.lines.values():
            for stretch in self.list_long_stretches(line):
                ends = f"{name_cell(stretch[0])} to {name_cell(stretch[-1])}"
                with formula.rule("a line crosses at most one border", "line", ends):
                    formula.clause([shaded[cell] for cell in stretch])

        for name, number in self.rooms.items():
            with formula.clue(self.rooms, name):
                formula.exactly(number, [shaded[cell] for cell in self.rooms.cells[name]])

    def list_long_stretches(self, line: Line) -> list[Line]:
        """The shortest stretches of a line that cross two borders of rooms."""
        room_of = self.rooms.room_of
        borders = []
        for i in range(1, len(line)):
            if room_of.get(line[i - 1]) != room_of.get(line[i]):
                borders.append(i)
        return [line[first - 1 : second + 1] for first, second in pairwise(borders)]

    def find_faults(self, answer: Answer) -> Iterator[str]:
        cells = walks.rectangle(self.grid.height, self.grid.width)
        return check(cells, self.rooms.room_of, answer[self.shaded])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {"rooms": clues_of(self.rooms.room_of, answer[self.shaded])}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str]:
        rooms = divide_into_rectangles(height, width, MAX_ROOM_CELLS, rng)
        return {"rooms": draw_rooms(rooms, height, width)}


def check(
    cells: Collection[walks.Cell], room_of: Mapping[walks.Cell, str], shaded: Set[walks.Cell]
) -> Iterator[str]:
    """What is wrong with the shaded cells, whatever the numbers are."""
    white = set(cells) - shaded
    if len(walks.adjacent_parts(white)) > 1:
        yield "the cells that are not shaded are not connected"
    for cell in sorted(shaded):
        for other in walks.neighbours(cell):
            if other in shaded:
                names = f"{walks.name_cell(cell)} and {walks.name_cell(other)}"
                yield f"the shaded cells {names} are side by side"
    for run in walks.runs(white):
        if count_changes([room_of.get(cell, "") for cell in run]) > 1:
            ends = f"{walks.name_cell(run[0])} to {walks.name_cell(run[-1])}"
            yield f"the line from {ends} crosses several borders"


def count_changes(rooms: Sequence[str]) -> int:
    """How often the room changes along a line."""
    return sum(one != other for one, other in pairwise(rooms))


def clues_of(room_of: Mapping[walks.Cell, str], shaded: Set[walks.Cell]) -> dict[str, int]:
    """How many cells of each room are shaded."""
    numbers = dict.fromkeys(room_of.values(), 0)
    for cell in shaded:
        if cell in room_of:
            numbers[room_of[cell]] += 1
    return numbers
