"""Shikaku."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, Cell, drawn
from support.plain_links import NUMBERS, decode_numbers, draw_grid, split_words
from support.planting import lose_blocks

SIZE = (5, 4)  # of a generated puzzle

ERRORS = {
    "rectangles left out": ("shikaku-4", lose_blocks),
}

CLUES = "shikaku-7"  # an instance whose clues follow from its answer

LINKS = {
    "shikaku/6/6/j3g56h6t6h23g5j": {"numbers": "....3.\n56..6.\n......\n......\n.6..23\n.5...."},
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["numbers"])
    answers = set()

    def extend(free: set[Cell], rooms: list[set[Cell]]) -> None:
        if not free:
            walls = set()
            for r, c in words:
                for below, right in ((r + 1, c), (r, c + 1)):
                    if (below, right) in words and not any(
                        {(r, c), (below, right)} <= room for room in rooms
                    ):
                        end = (r + 1, c + 1)
                        walls.add((((below, c) if below > r else (r, right)), end))
            answers.add(frozenset(walls))
            return
        r, c = min(free)
        for height, width in product(range(1, 9), repeat=2):
            room = {(r + i, c + j) for i in range(height) for j in range(width)}
            numbers = [words[x] for x in room & words.keys() if words[x] != "."]
            if room <= free and len(numbers) == 1 and numbers[0] in ("?", str(len(room))):
                extend(free - room, [*rooms, room])

    extend(set(words), [])
    return answers


def draw(rng: Random) -> Entries:
    words = ["?", "1", "2", "2", "3", "4", "6"]
    return {"numbers": rows(rng, rng.randint(1, 4), rng.randint(1, 4), words, 0.7)}


# -- links

decode_link = decode_numbers


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return split_words(entries["numbers"])


def draw_linked(rng: Random) -> Entries:
    return {"numbers": draw_grid([*NUMBERS, *(40 * ".")], rng)}
