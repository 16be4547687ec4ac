"""Slant."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, Cell, drawn
from support.plain_links import draw_grid, numbers_4, split_words
from support.planting import lose_constraint

GENERATED_SIZE = (4, 4)  # rows and columns

ERRORS = {
    "closed paths": ("slant-3", lose_constraint("acyclic")),
}

CLUES = "slant-5"  # an instance whose clues follow from its answer

LINKS = {
    "gokigen/4/4/iaegcgcj6a": {"numbers": "...0.\n.4...\n2...2\n.....\n.1.0."},
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["numbers"])
    cells = list(product(range(max(words)[0]), range(max(words)[1])))
    answers = set()
    for falls in product((True, False), repeat=len(cells)):
        lines = [
            ((r, c), (r + 1, c + 1)) if fall else ((r, c + 1), (r + 1, c))
            for (r, c), fall in zip(cells, falls, strict=True)
        ]
        ends = [end for line in lines for end in line]
        fits = all(words[x] in (".", "?", str(ends.count(x))) for x in words)
        if fits and not encloses(lines):
            answers.add(frozenset(lines))
    return answers


def encloses(lines: list[tuple[Cell, Cell]]) -> bool:
    """Whether something is left when lines with a loose end are taken away again and again."""
    while True:
        ends = [end for line in lines for end in line]
        left = [line for line in lines if min(map(ends.count, line)) > 1]
        if len(left) == len(lines):
            return bool(lines)
        lines = left


def draw(rng: Random) -> Entries:
    words = ["?", "0", "1", "1", "2", "2", "3"]
    return {"numbers": rows(rng, rng.randint(2, 4), rng.randint(2, 4), words, 0.8)}


# -- links


def decode_link(body: str, height: int, width: int) -> list[str]:
    return numbers_4(body, (height + 1) * (width + 1))


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return split_words(entries["numbers"])


def draw_linked(rng: Random) -> Entries:
    return {"numbers": draw_grid(list("01234??......."), rng, more=1)}
