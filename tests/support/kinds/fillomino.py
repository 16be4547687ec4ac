"""Fillomino."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import STEPS, Answer, Cell, drawn
from support.plain_links import decode_numbers, draw_grid, split_words
from support.planting import lose_constraint

GENERATED_SIZE = (4, 4)  # rows and columns

ERRORS = {
    "regions of any size": ("fillomino-5", lose_constraint("regions")),
}

LINKS = {
    "fillomino/6/6/h4j53g2k5233k2g14j3h": {
        "numbers": "..4...\n.53.2.\n....52\n33....\n.2.14.\n...3.."
    },
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    """Polyominoes are placed at the first empty cell; equal ones must not touch."""
    words = drawn(entries["numbers"])
    answers = set()

    def extend(number: dict[Cell, int]) -> None:
        free = set(words) - set(number)
        if not free:
            answers.add(frozenset(number.items()))
            return
        for room in polyominoes(min(free), free):
            size = len(room)
            beside = {(r + a, c + b) for r, c in room for a, b in STEPS} - room
            given = all(words[x] in (".", "?", str(size)) for x in room)
            if given and all(number.get(x) != size for x in beside):
                extend({**number, **dict.fromkeys(room, size)})

    extend({})
    return answers


def polyominoes(start: Cell, free: set[Cell]) -> set[frozenset[Cell]]:
    """All connected sets of free cells with this one."""
    every = {frozenset([start])}
    new = every
    while new:
        new = {
            room | {(r + a, c + b)}
            for room in new
            for r, c in room
            for a, b in STEPS
            if (r + a, c + b) in free - room
        }
        every = every | new
    return every


def draw(rng: Random) -> Entries:
    height, width = rng.randint(1, 3), rng.randint(1, 3)
    words = [str(n) for n in range(1, min(5, height * width) + 1)]
    return {"numbers": rows(rng, height, width, words, 0.8)}


# -- links

decode_link = decode_numbers


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return split_words(entries["numbers"])


def draw_linked(rng: Random) -> Entries:
    return {"numbers": draw_grid(["1", "2", "16", *(5 * ".")], rng)}
