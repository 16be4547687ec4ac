"""Ripple effect."""

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations, permutations
from random import Random

from jigsat.kit import (
    Answer,
    ClueValues,
    Givens,
    GridPuzzle,
    Rooms,
    Rules,
    Values,
    draw_rooms,
    draw_rows,
    layer,
    make_room_numbers,
    require_room_numbers,
    walks,
)
from jigsat.links import Borders, Link, Numbers16

ROOM_CELLS = (1, 5)  # the least and the most of a generated puzzle
MAX_DRAWINGS = 10  # of whole grids
MAX_STEPS = 20  # rooms that are drawn for one grid, for each of its cells
MAX_ROOMS = 30  # that are tried at one place
UNDONE_CELLS = (1, 2)  # how far around a cell rooms are drawn anew if nothing fits


class RippleEffect(GridPuzzle):
    """Write the numbers from 1 to the number of its cells into each room. Between two equal numbers
    in a row or column there are at least as many cells as the number says."""

    family = "ripple-effect"
    other_names = ("Hakyuu", "Hakyuu Kouka")
    card = "Rooms with the numbers up to their size; equal ones are far apart."
    link = Link("ripple", [Borders("rooms"), Numbers16("given")], aliases=("hakyukoka",))

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
    def propose(cls, height: int, width: int, rng: Random) -> dict[str, str] | None:
        """A filled grid: hardly any random rooms have an answer."""
        for _ in range(MAX_DRAWINGS):
            rooms = draw_filled_rooms(height, width, rng)
            if rooms is not None:
                numbers = {cell: str(value) for room in rooms for cell, value in room.items()}
                drawing = draw_rows(numbers, height, width)
                return {"given": drawing, "rooms": draw_rooms(rooms, height, width)}
        return None


def draw_filled_rooms(height: int, width: int, rng: Random) -> list[dict[walks.Cell, int]] | None:
    """Rooms with their numbers, where the fewest cells are free first; None if that does not
    end."""
    cells = set(walks.rectangle(height, width))
    rooms: list[dict[walks.Cell, int]] = []
    for _ in range(MAX_STEPS * height * width):
        numbers = {cell: value for room in rooms for cell, value in room.items()}
        free = cells - set(numbers)
        if not free:
            return rooms
        first = min(sorted(free), key=lambda cell: len(free.intersection(walks.neighbours(cell))))
        room = None
        for _ in range(MAX_ROOMS):
            room = draw_filled_room(first, free, numbers, rng)
            if room is not None:
                break
        if room is not None:
            rooms.append(room)
        else:
            # Nothing fits here, so the rooms around are drawn anew.
            around = set(list_near(first, rng.randint(*UNDONE_CELLS)))
            rooms = [room for room in rooms if around.isdisjoint(room)]
    return None


def draw_filled_room(
    first: walks.Cell,
    free: Collection[walks.Cell],
    numbers: Mapping[walks.Cell, int],
    rng: Random,
) -> dict[walks.Cell, int] | None:
    """A random room around a free cell, with random numbers; None if all of them are too near to
    equal ones."""
    cells = [first]
    size = rng.randint(*ROOM_CELLS)
    while len(cells) < size:
        beside = {other for cell in cells for other in walks.neighbours(cell)}
        possible = sorted(beside.intersection(free).difference(cells))
        if not possible:
            break
        cells.append(rng.choice(possible))

    rng.shuffle(cells)
    for values in permutations(range(1, len(cells) + 1)):
        room = dict(zip(cells, values, strict=True))
        if all(is_far_from_equal(cell, value, numbers) for cell, value in room.items()):
            return room
    return None


def is_far_from_equal(cell: walks.Cell, value: int, numbers: Mapping[walks.Cell, int]) -> bool:
    """Whether a number fits in a cell beside those of other rooms."""
    return all(numbers.get(other) != value for other in list_near(cell, value))


def list_near(cell: walks.Cell, distance: int) -> Iterator[walks.Cell]:
    """The cells in its row and column that are at most this far away."""
    row, column = cell
    for steps in range(1, distance + 1):
        yield from ((row - steps, column), (row + steps, column))
        yield from ((row, column - steps), (row, column + steps))


def check(
    rooms: Mapping[str, Collection[walks.Cell]], number: Mapping[walks.Cell, int]
) -> Iterator[str]:
    """Rooms with other numbers, and equal numbers that are too near."""
    for room in rooms.values():
        if sorted(number[cell] for cell in room) != list(range(1, len(room) + 1)):
            place = walks.name_cell(min(room))
            yield f"the room at {place} does not have the numbers from 1 to {len(room)}"
    for (row, column), value in number.items():
        for distance in range(1, value + 1):
            for other in ((row + distance, column), (row, column + distance)):
                if number.get(other) == value:
                    names = f"{walks.name_cell((row, column))} and {walks.name_cell(other)}"
                    yield f"the equal numbers in {names} are too near"
