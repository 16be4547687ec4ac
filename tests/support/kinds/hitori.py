"""Hitori."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, drawn, joined, subsets, touching
from support.plain_links import cut, draw_grid, split_words
from support.planting import lose_constraint, never_connect

GENERATED_SIZE = (4, 3)  # rows and columns

ERRORS = {
    "cut off": ("hitori-3", never_connect),
    "side by side": ("hitori-4", lose_constraint("at_most_one")),
}

LINKS = {
    "hitori/4/4/1114142333214213": {"numbers": "1114\n1423\n3321\n4213"},
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["numbers"])
    answers = set()
    for shaded in subsets(list(words)):
        left = set(words) - shaded
        twice = any(
            words[x] == words[y] and (x[0] == y[0] or x[1] == y[1])
            for x, y in combinations(sorted(left), 2)
        )
        if not twice and not touching(shaded) and joined(left, touching(left)):
            answers.add(shaded)
    return answers


def draw(rng: Random) -> Entries:
    return {"numbers": rows(rng, rng.randint(1, 3), rng.randint(2, 4), ["1", "2", "3"], 0)}


# -- links


def decode_link(body: str, height: int, width: int) -> list[str]:
    return [str(int(token.lstrip("-"), 36)) for token in cut("-..|[0-9a-z]", body)]


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return split_words(entries["numbers"])


def draw_linked(rng: Random) -> Entries:
    return {"numbers": draw_grid(["1", "9", "10", "35", "36", "40"], rng)}
