"""Ripple effect."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries
from support.kinds.suguru import draw as draw
from support.plain_grids import Answer, Cell, number_rooms
from support.plain_links import (
    decode_borders,
    draw_words,
    list_borders,
    numbers_16,
    propose,
    split_words,
)
from support.planting import lose_constraint

GENERATED_SIZE = (5, 4)  # rows and columns

ERRORS = {
    "numbers twice": ("ripple-effect-4", lose_constraint("all_different")),
    "too near": ("ripple-effect-4", lose_constraint("clause")),
}

LINKS = {
    "ripple/4/4/9n8rigk14h32k": {
        "given": "....\n.14.\n.32.\n....",
        "rooms": "AABB\nCCBD\nEEBD\nFEED",
    },
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    def near(one: Cell, two: Cell, value: int) -> bool:
        down, right = abs(one[0] - two[0]), abs(one[1] - two[1])
        return 0 in (down, right) and down + right <= value

    return number_rooms(entries, near)


# -- links


def decode_link(body: str, height: int, width: int) -> list[str]:
    """The borders, then the numbers in cells."""
    characters = -(-height * (width - 1) // 5) - (-(height - 1) * width // 5)
    bits = decode_borders(body[:characters], height, width)
    return [*bits, *numbers_16(body[characters:], height * width)]


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return [*list_borders(entries["rooms"]), *split_words(entries["given"])]


def draw_linked(rng: Random) -> Entries:
    size = rng.randint(4, 9)
    return {
        **propose("ripple-effect", size, rng),
        "given": draw_words(["1", "?", ".", "."], size, size, rng),
    }
