"""Shikaku."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, Cell, drawn
from support.plain_links import NUMBERS, decode_numbers, draw_grid, split_words
from support.planting import lose_blocks

GENERATED_SIZE = (5, 4)  # rows and columns

ERRORS = {
    "rectangles left out": ("shikaku-4", lose_blocks),
}

CLUES = "shikaku-7"  # an instance whose clues follow from its answer

LINKS = {
    "shikaku/6/6/j3g56h6t6h23g5j": {"numbers": "....3.\n56..6.\n......\n......\n.6..23\n.5...."},
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["numbers"])

    def is_room(room: set[Cell], free: set[Cell]) -> bool:
        numbers = [words[cell] for cell in room & words.keys() if words[cell] != "."]
        return room <= free and len(numbers) == 1 and numbers[0] in ("?", str(len(room)))

    def extend(free: set[Cell], rooms: list[set[Cell]]) -> Iterator[list[set[Cell]]]:
        """The first free cell is the upper left one of the next room."""
        if not free:
            yield rooms
            return
        r, c = min(free)
        for height, width in product(range(1, 9), repeat=2):
            room = {(r + i, c + j) for i in range(height) for j in range(width)}
            if is_room(room, free):
                yield from extend(free - room, [*rooms, room])

    return {list_walls(set(words), rooms) for rooms in extend(set(words), [])}


def list_walls(cells: set[Cell], rooms: list[set[Cell]]) -> Answer:
    """The sides between cells of different rooms."""
    room_of = {cell: i for i, room in enumerate(rooms) for cell in room}
    walls = set()
    for r, c in cells:
        if (r + 1, c) in cells and room_of[r + 1, c] != room_of[r, c]:
            walls.add(((r + 1, c), (r + 1, c + 1)))
        if (r, c + 1) in cells and room_of[r, c + 1] != room_of[r, c]:
            walls.add(((r, c + 1), (r + 1, c + 1)))
    return frozenset(walls)


def draw(rng: Random) -> Entries:
    words = ["?", "1", "2", "2", "3", "4", "6"]
    return {"numbers": rows(rng, rng.randint(1, 4), rng.randint(1, 4), words, 0.7)}


# -- links

decode_link = decode_numbers


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return split_words(entries["numbers"])


def draw_linked(rng: Random) -> Entries:
    return {"numbers": draw_grid([*NUMBERS, *(40 * ".")], rng)}
