"""Binairo."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, drawn
from support.planting import leave_out, lose_constraint

GENERATED_SIZE = (4, 6)  # rows and columns

ERRORS = {
    "lines that are equal": ("binairo-4", leave_out("binairo", "make_distinct")),
    "more 0s than 1s": ("binairo-4", lose_constraint("exactly")),
    "three in a line": ("binairo-6", lose_constraint("clause")),
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["given"])
    height, width = max(words)[0] + 1, max(words)[1] + 1

    def lines(size: int) -> list[tuple[int, ...]]:
        every = [x for x in product((0, 1), repeat=size) if 2 * sum(x) == size]
        return [x for x in every if all(0 < sum(x[i : i + 3]) < 3 for i in range(size - 2))]

    rows, columns = lines(width), set(lines(height))
    answers = set()

    def extend(grid: list[tuple[int, ...]]) -> None:
        if len(grid) == height:
            turned = list(zip(*grid, strict=True))
            equal = len(set(grid)) < height or len(set(turned)) < width
            if columns >= set(turned) and not (equal and entries.get("distinct", True)):
                cells = product(range(height), range(width))
                answers.add(frozenset(((r, c), grid[r][c]) for r, c in cells))
            return
        for row in rows:
            if all(words[len(grid), c] in (".", str(digit)) for c, digit in enumerate(row)):
                extend([*grid, row])

    extend([])
    return answers


def draw(rng: Random) -> Entries:
    given = rows(rng, rng.choice([2, 4]), rng.choice([2, 4, 6]), ["0", "1"], 0.9)
    return {"given": given, "distinct": rng.random() < 0.6}
