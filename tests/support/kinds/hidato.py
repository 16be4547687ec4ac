"""Hidato."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, Cell, around, drawn
from support.planting import lose_around, lose_constraint

GENERATED_SIZE = (4, 4)  # rows and columns

ERRORS = {
    "numbers twice": ("hidato-3", lose_constraint("exactly_one")),
    "a cell around a number left out": ("hidato-3", lose_around),
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    given = drawn(entries["given"])
    answers = set()

    def walk(path: list[Cell]) -> None:
        if len(path) == len(given):
            answers.add(frozenset((cell, i) for i, cell in enumerate(path, 1)))
            return
        written = [cell for cell in given if given[cell] == str(len(path) + 1)]
        for cell in written or [cell for cell in given if given[cell] in ".?"]:
            near = not path or cell in around(path[-1])
            if near and cell not in path:
                walk([*path, cell])

    walk([])
    return answers


def draw(rng: Random) -> Entries:
    height, width = rng.randint(1, 3), rng.randint(1, 3)
    words = [str(n) for n in range(1, height * width + 1)]
    return {"given": rows(rng, height, width, words, 0.8)}
