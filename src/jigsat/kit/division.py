"""Random rooms, for new puzzles: a grid divided into rectangles or into other connected parts."""

from collections.abc import Collection, Iterable, Sequence
from random import Random
from string import ascii_uppercase

from jigsat.kit.reading import draw_rows
from jigsat.kit.walks import RIGHT, Cell, follow, neighbours, rectangle


def divide_into_rectangles(height: int, width: int, most: int, rng: Random) -> list[list[Cell]]:
    """Rectangles of at most `most` cells."""
    free = set(rectangle(height, width))
    rectangles = []
    while free:
        row, column = min(free)
        wide = 1 + len(follow((row, column), RIGHT, free))
        wide = rng.randint(1, min(wide, most))
        high = rng.randint(1, min(height - row, most // wide))
        cells = [(row + i, column + k) for i in range(high) for k in range(wide)]
        rectangles.append(cells)
        free.difference_update(cells)
    return rectangles


def divide_into_rooms(
    height: int, width: int, least: int, most: int, rng: Random
) -> list[set[Cell]]:
    """Connected rooms of at most `most` cells; those with fewer than `least` join a room beside
    them, which can make it larger."""
    free = set(rectangle(height, width))
    rooms: list[set[Cell]] = []
    while free:
        room = {min(free)}
        size = rng.randint(least, most)
        while len(room) < size:
            possible = sorted(list_beside(room) & free - room)
            if not possible:
                break
            room.add(rng.choice(possible))
        free -= room
        rooms.append(room)
    return join_small_rooms(rooms, least, rng)


def grow_rooms(
    seeds: Sequence[Collection[Cell]], height: int, width: int, rng: Random
) -> list[set[Cell]]:
    """A connected room around each seed, all cells in some room."""
    rooms = [set(seed) for seed in seeds]
    number_of = {cell: number for number, room in enumerate(rooms) for cell in room}
    free = set(rectangle(height, width)) - set(number_of)
    while free:
        cell = rng.choice(sorted(number_of))
        beside = [other for other in neighbours(cell) if other in free]
        if beside:
            grown = rng.choice(beside)
            number_of[grown] = number_of[cell]
            rooms[number_of[cell]].add(grown)
            free.remove(grown)
    return rooms


def join_pairs(rooms: Sequence[set[Cell]], rng: Random) -> list[set[Cell]] | None:
    """Rooms of two that lie beside each other; None if some are left alone."""
    left = list(rooms)
    joined = []
    while left:
        beside = {}
        for i, room in enumerate(left):
            around = list_beside(room)
            beside[i] = [k for k, other in enumerate(left) if k != i and other & around]
        # The room with the fewest others beside it is the hardest to join.
        one = min(beside, key=lambda i: len(beside[i]))
        if not beside[one]:
            return None
        other = rng.choice(beside[one])
        joined.append(left[one] | left[other])
        left = [room for i, room in enumerate(left) if i not in (one, other)]
    return joined


def join_small_rooms(rooms: Iterable[set[Cell]], least: int, rng: Random) -> list[set[Cell]]:
    """The rooms; those with fewer cells join one beside them."""
    joined = list(rooms)
    while True:
        small = [room for room in joined if len(room) < least]
        if not small or len(joined) == 1:
            return joined
        room = min(small, key=len)
        joined.remove(room)
        beside = list_beside(room)
        other = rng.choice([other for other in joined if not other.isdisjoint(beside)])
        other |= room


def list_beside(room: Collection[Cell]) -> set[Cell]:
    """The cells beside those of a room, and its own."""
    return {other for cell in room for other in neighbours(cell)}


def name_rooms(rooms: Iterable[Collection[Cell]]) -> dict[Cell, str]:
    """The name of its room for each cell."""
    return {cell: name_room(number) for number, room in enumerate(rooms) for cell in room}


def draw_rooms(rooms: Iterable[Collection[Cell]], height: int, width: int) -> str:
    """The drawing of rooms."""
    return draw_rows(name_rooms(rooms), height, width)


def name_room(number: int) -> str:
    """A letter, or several after Z."""
    letter = ascii_uppercase[number % len(ascii_uppercase)]
    return letter * (1 + number // len(ascii_uppercase))
