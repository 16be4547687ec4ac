"""Mosaic."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, Cell, around, can_have_ones, drawn, fill
from support.planting import lose_around

GENERATED_SIZE = (5, 5)  # rows and columns

ERRORS = {
    "a cell around a number left out": ("mosaic-4", lose_around),
}

CLUES = "mosaic-7"  # an instance whose clues follow from its answer


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["numbers"])
    given = {x: int(word) for x, word in words.items() if word not in ".?"}

    def fits(grid: dict[Cell, int], cell: Cell) -> bool:
        return all(
            can_have_ones(grid, around(x), given[x], words) for x in around(cell) if x in given
        )

    return {frozenset(x for x in g if g[x]) for g in fill(sorted(words), (0, 1), fits)}


def draw(rng: Random) -> Entries:
    words = ["?", "0", "1", "2", "3", "3", "4"]
    return {"numbers": rows(rng, rng.randint(1, 4), rng.randint(1, 4), words, 0.7)}
