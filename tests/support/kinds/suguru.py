"""Suguru."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries, draw_rooms
from support.plain_grids import Answer, number_rooms
from support.planting import lose_all_around, lose_constraint

GENERATED_SIZE = (5, 5)  # rows and columns

ERRORS = {
    "numbers twice": ("suguru-4", lose_constraint("all_different")),
    "numbers that touch": ("suguru-4", lose_all_around),
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    return number_rooms(
        entries, lambda one, two, _: max(abs(one[0] - two[0]), abs(one[1] - two[1])) == 1
    )


def give(rng: Random, drawing: str) -> str:
    """A drawing with a few small numbers in cells that have a room."""
    names = drawing.replace("\n", "")
    most = max(names.count(name) for name in names)
    lines = []
    for line in drawing.split("\n"):
        words = [str(rng.randint(1, most)) if rng.random() < 0.15 else "." for _ in line]
        lines.append(
            "".join("." if x == "." else word for x, word in zip(line, words, strict=True))
        )
    return "\n".join(lines)


def draw(rng: Random) -> Entries:
    height, width = rng.randint(1, 3), rng.randint(1, 4)
    drawing = draw_rooms(rng, height, width, 5)
    return {"given": give(rng, drawing), "rooms": drawing}
