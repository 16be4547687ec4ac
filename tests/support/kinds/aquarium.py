"""Aquarium."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, product
from random import Random
from typing import Any

from support.grid_kinds import Entries, draw_rooms, line_totals
from support.plain_grids import Answer, drawn, list_rooms, totals_fit
from support.planting import lose_constraint

GENERATED_SIZE = (5, 5)  # rows and columns

ERRORS = {
    "several levels": ("aquarium-4", lose_constraint("implies")),
}

CLUES = "aquarium-6"  # an instance whose clues follow from its answer


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    tanks = list(list_rooms(drawn(entries["tanks"])).values())
    levels = [
        {frozenset(cell for cell in tank if cell[0] >= row) for row in range(9)} for tank in tanks
    ]
    answers = set()
    for picked in product(*levels):
        filled = frozenset(chain(*picked))
        if totals_fit(entries.get("filled_cells", {}), filled):
            answers.add(filled)
    return answers


def draw(rng: Random) -> Entries:
    height, width = rng.randint(1, 3), rng.randint(1, 4)
    tanks = draw_rooms(rng, height, width, 5)
    return {"tanks": tanks, "filled_cells": line_totals(rng, height, width)}
