"""Slitherlink."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, drawn, loops, square
from support.plain_links import draw_grid, numbers_4, split_words
from support.planting import lose_sides, never_close

GENERATED_SIZE = (3, 4)  # rows and columns

ERRORS = {
    "no loop": ("slitherlink-4", never_close),
    "a side left out": ("slitherlink-4", lose_sides),
}

CLUES = "slitherlink-4"  # an instance whose clues follow from its answer

LINKS = {
    "slither/5/5/cbcbcddad": {"numbers": "2..1.\n.2..1\n..2..\n3..3.\n.0..3"},
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["numbers"])
    height, width = max(words)[0] + 1, max(words)[1] + 1
    answers = set()
    for loop in loops(height, width):
        counts = {x: len(loop & square(*x)) for x in words}
        if all(words[x] in (".", "?", str(counts[x])) for x in words):
            answers.add(loop)
    return answers


def draw(rng: Random) -> Entries:
    words = ["?", "0", "1", "2", "2", "3"]
    return {"numbers": rows(rng, rng.randint(1, 3), rng.randint(1, 3), words, 0.8)}


# -- links


def decode_link(body: str, height: int, width: int) -> list[str]:
    return numbers_4(body, height * width)


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return split_words(entries["numbers"])


def draw_linked(rng: Random) -> Entries:
    return {"numbers": draw_grid(list("0123????...."), rng)}
