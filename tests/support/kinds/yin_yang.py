"""Yin-yang."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, Cell, drawn, fill, joined, touching
from support.plain_links import decode_circles, draw_grid, split_words
from support.planting import lose_all_blocks, never_connect

GENERATED_SIZE = (4, 4)  # rows and columns

ERRORS = {
    "cut off": ("yin-yang-4", never_connect),
    "no blocks": ("yin-yang-4", lose_all_blocks),
}

CLUES = "yin-yang-6"  # an instance whose clues follow from its answer

LINKS = {
    "yinyang/5/5/016612300": {"circles": ".....\nw.b..\nb...w\n..b.w\n....."},
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["circles"])

    def fits(grid: dict[Cell, str], cell: Cell) -> bool:
        r, c = cell
        block = {grid.get(x) for x in [(r, c), (r - 1, c), (r, c - 1), (r - 1, c - 1)]}
        return words[cell] in (".", grid[cell]) and (len(block) > 1 or None in block)

    answers = set()
    for grid in fill(sorted(words), "wb", fits):
        black = {x for x in grid if grid[x] == "b"}
        white = set(grid) - black
        if joined(set(black), touching(black)) and joined(set(white), touching(white)):
            answers.add(frozenset(black))
    return answers


def draw(rng: Random) -> Entries:
    return {"circles": rows(rng, rng.randint(1, 4), rng.randint(1, 4), ["w", "b"], 0.85)}


# -- links

decode_link = decode_circles


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return split_words(entries["circles"])


def draw_linked(rng: Random) -> Entries:
    return {"circles": draw_grid(list("wb...."), rng)}
