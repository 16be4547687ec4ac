"""Kuromasu."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import STEPS, Answer, drawn, lonely, ray
from support.plain_links import decode_numbers, draw_grid, split_words
from support.planting import never_connect, shorten_looks

GENERATED_SIZE = (4, 4)  # rows and columns

ERRORS = {
    "cut off": ("kuromasu-4", never_connect),
    "views that miss the nearest cell": ("kuromasu-5", shorten_looks),
}

CLUES = "kuromasu-5"  # an instance whose clues follow from its answer

LINKS = {
    "kurodoko/5/5/i7g5l2l2g4i": {"numbers": "...7.\n5....\n..2..\n....2\n.4..."},
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["numbers"])
    answers = set()
    for shaded in lonely(words, lambda cell: words[cell] == "."):
        given = [x for x in words if words[x] not in ".?"]
        seen = {x: 1 + sum(len(ray(x, step, words, shaded)) for step in STEPS) for x in given}
        if all(words[x] == str(seen[x]) for x in given):
            answers.add(frozenset(shaded))
    return answers


def draw(rng: Random) -> Entries:
    words = ["?", "2", "3", "4", "5"]
    return {"numbers": rows(rng, rng.randint(1, 4), rng.randint(1, 4), words, 0.85)}


# -- links

decode_link = decode_numbers


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return split_words(entries["numbers"])


def draw_linked(rng: Random) -> Entries:
    return {"numbers": draw_grid(["2", "7", "16", "40", "?", *(20 * ".")], rng)}
