"""Skyscrapers."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, drawn
from support.plain_links import WIDE, cut, draw_words, list_side, split_words, spread, wide
from support.planting import lose_constraint, reverse_views

SIZE = (4, 4)  # of a generated puzzle

ERRORS = {
    "seen from the wrong end": ("skyscrapers-5", reverse_views),
    "heights twice": ("skyscrapers-5-many", lose_constraint("all_different")),
}

CLUES = "skyscrapers-5"  # an instance whose clues follow from its answer

LINKS = {
    "skyscrapers/4/4/k13h4j3g": {
        "heights": "....\n....\n....\n....",
        "seen": {"left": ". 4", "right": ". . 3", "bottom": ". 1 3"},
    },
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["heights"])
    n = max(words)[0] + 1
    rims = {side: line.split() for side, line in entries.get("seen", {}).items()}
    answers = set()

    def seen(line: list[int]) -> int:
        return sum(all(line[j] < line[i] for j in range(i)) for i in range(len(line)))

    def agrees(side: str, i: int, line: list[int]) -> bool:
        word = rims.get(side, [])[i : i + 1]
        return word in ([], ["."], ["?"], [str(seen(line))])

    def extend(rows: list[tuple[int, ...]]) -> None:
        if len(rows) < n:
            for row in permutations(range(1, n + 1)):
                r = len(rows)
                given = all(words[r, c] in (".", "?", str(row[c])) for c in range(n))
                new = all(row[c] != other[c] for other in rows for c in range(n))
                if given and new and agrees("left", r, [*row]) and agrees("right", r, [*row[::-1]]):
                    extend([*rows, row])
            return
        for c in range(n):
            column = [row[c] for row in rows]
            if not agrees("top", c, column) or not agrees("bottom", c, column[::-1]):
                return
        answers.add(frozenset(((r, c), rows[r][c]) for r in range(n) for c in range(n)))

    extend([])
    return answers


def draw(rng: Random) -> Entries:
    size = rng.randint(2, 4)
    words = [str(n) for n in range(1, size + 1)]
    seen = {}
    for side in ("top", "bottom", "left", "right"):
        seen[side] = rows(rng, 1, size, [*words, "?"], 0.7)
    return {"heights": rows(rng, size, size, words, 0.9), "seen": seen}


# -- links


def decode_link(body: str, height: int, width: int) -> list[str]:
    words = spread(cut(f"{WIDE}|[g-z]", body), "g", lambda token: [wide(token)])
    beside = 2 * (height + width)
    return words if len(words) > beside else words + ["."] * (height * width)


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    table = entries.get("seen", {})
    words = []
    for side in ("top", "bottom", "left", "right"):
        words += list_side(table, side, width)
    return words + split_words(entries["heights"])


def draw_linked(rng: Random) -> Entries:
    size = rng.randint(4, 9)
    sides = ("top", "bottom", "left", "right")
    seen = {side: draw_words(list("1234?...."), 1, size, rng) for side in sides}
    return {"heights": draw_words(list("1234....."), size, size, rng), "seen": seen}
