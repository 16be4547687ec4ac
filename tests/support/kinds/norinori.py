"""Norinori."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, combinations, product
from random import Random
from typing import Any

from support.grid_kinds import Entries, draw_rooms
from support.plain_grids import Answer, beside, drawn, list_rooms
from support.plain_links import decode_borders, list_borders, propose
from support.planting import lose_constraint

GENERATED_SIZE = (5, 5)  # rows and columns

ERRORS = {
    "three in a row": ("norinori-4", lose_constraint("clause")),
    "alone": ("norinori-4", lose_constraint("implies")),
    "any number in a room": ("norinori-4", lose_constraint("exactly")),
}

LINKS = {
    "norinori/5/5/cag4ocjo": {"rooms": "AABCC\nBBBCC\nBDDCC\nDDDDD\nEEDDD"},
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    rooms = list(list_rooms(drawn(entries["rooms"])).values())
    answers = set()
    for picked in product(*(combinations(room, 2) for room in rooms)):
        shaded = set(chain(*picked))
        if all(len(shaded & beside(cell)) == 1 for cell in shaded):
            answers.add(frozenset(shaded))
    return answers


def draw(rng: Random) -> Entries:
    height, width = rng.randint(1, 4), rng.randint(2, 4)
    return {"rooms": draw_rooms(rng, height, width, rng.choice([3, 6, 8]))}


# -- links

decode_link = decode_borders


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return list_borders(entries["rooms"])


def draw_linked(rng: Random) -> Entries:
    return propose("norinori", rng.randint(4, 9), rng)
