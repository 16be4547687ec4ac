"""Minesweeper."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, Cell, around, can_have_ones, drawn, fill
from support.plain_links import decode_numbers, draw_grid, split_words
from support.planting import lose_around

GENERATED_SIZE = (5, 5)  # rows and columns

ERRORS = {
    "a cell around a number left out": ("minesweeper-4", lose_around),
}

CLUES = "minesweeper-7"  # an instance whose clues follow from its answer

LINKS = {
    "mines/5/5/g2m13l13g0j": {"numbers": ".2...\n....1\n3....\n..13.\n0...."},
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["numbers"])
    given = {x: int(word) for x, word in words.items() if word not in ".?"}

    def fits(grid: dict[Cell, int], cell: Cell) -> bool:
        if grid[cell] and words[cell] != ".":
            return False
        return all(
            can_have_ones(grid, around(x) - {x}, given[x], words)
            for x in around(cell)
            if x in given
        )

    found = {frozenset(x for x in g if g[x]) for g in fill(sorted(words), (0, 1), fits)}
    number = entries.get("mines")
    return {mines for mines in found if number in (None, len(mines))}


def draw(rng: Random) -> Entries:
    words = ["?", "0", "1", "1", "2", "3"]
    entries: Entries = {"numbers": rows(rng, rng.randint(1, 4), rng.randint(1, 4), words, 0.7)}
    if rng.random() < 0.3:
        entries["mines"] = rng.randint(0, 5)
    return entries


# -- links

decode_link = decode_numbers


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return split_words(entries["numbers"])


def draw_linked(rng: Random) -> Entries:
    return {"numbers": draw_grid(list("012345678?????.........."), rng)}
