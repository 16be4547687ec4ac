"""Aqre."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from random import Random
from typing import Any

from support.grid_kinds import Entries, draw_numbered_rooms
from support.kinds.heyawake import decode_link as decode_link
from support.kinds.heyawake import list_words as list_words
from support.plain_grids import Answer, Cell, drawn, joined, subsets, touching
from support.plain_links import propose, split_words
from support.planting import lose_constraint, never_connect

GENERATED_SIZE = (4, 4)  # rows and columns

ERRORS = {
    "not connected": ("aqre-4", never_connect),
    "four alike": ("aqre-4", lose_constraint("clause")),
}

CLUES = "aqre-5"  # an instance whose clues follow from its answer

LINKS = {
    "aqre/6/6/444400vvo3u0012345g": {
        "rooms": {
            "cells": "AAABBB\nCCCDDD\nEEEFFF\nEEEFFF\nGGGGGG\nGGGGGG",
            "numbers": {"A": 0, "B": 1, "C": 2, "D": 3, "E": 4, "F": 5},
        }
    },
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    rooms = entries["rooms"]
    table = rooms if isinstance(rooms, dict) else {"cells": rooms}
    names = drawn(table["cells"])
    numbers = table.get("numbers", {})
    fours = list_fours(names)
    answers = set()
    for shaded in subsets(list(names)):
        if any(len(four & shaded) in (0, 4) for four in fours):
            continue
        inside = {name: sum(names[x] == name for x in shaded) for name in numbers}
        wrong = any(number not in ("?", inside[name]) for name, number in numbers.items())
        if not wrong and joined(set(shaded), touching(shaded)):
            answers.add(frozenset(shaded))
    return answers


def list_fours(cells: Mapping[Cell, str]) -> list[frozenset[Cell]]:
    """Four cells one after the other, across and down."""
    fours = []
    for (r, c), (down, right) in product(cells, [(0, 1), (1, 0)]):
        four = frozenset((r + i * down, c + i * right) for i in range(4))
        if four <= set(cells):
            fours.append(four)
    return fours


def draw(rng: Random) -> Entries:
    height, width = rng.choice([(1, 4), (1, 6), (2, 2), (2, 5), (3, 3), (3, 4), (4, 3), (5, 2)])
    return {"rooms": draw_numbered_rooms(rng, height, width, ["?", 0, 1, 2, 2, 3])}


# -- links


def draw_linked(rng: Random) -> Entries:
    drawing = propose("aqre", rng.randint(4, 9), rng)["rooms"]
    if isinstance(drawing, dict):
        drawing = drawing["cells"]
    names = sorted(set(split_words(drawing)))
    numbered = rng.sample(names, len(names) // 2)
    return {"rooms": {"cells": drawing, "numbers": {name: rng.randint(0, 20) for name in numbered}}}
