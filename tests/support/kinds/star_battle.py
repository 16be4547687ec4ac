"""Star battle."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, pairwise
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, Cell, drawn
from support.plain_links import decode_borders, list_borders, propose
from support.planting import lose_blocks, lose_constraint

SIZE = (6, 6)  # of a generated puzzle

ERRORS = {
    "blocks left out": ("star-battle-6", lose_blocks),
    "no blocks": ("star-battle-6", lose_constraint("at_most_one")),
}

LINKS = {
    "starbattle/6/6/1/4ilbhgdnmhou": {
        "rooms": "AAABBB\nABBBCC\nADDEEC\nFFDDEC\nFEEEEC\nFCCCCC",
        "stars": 1,
    },
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["rooms"])
    height, width = max(words)[0] + 1, max(words)[1] + 1
    each = entries.get("stars", 1)
    answers = set()

    def extend(row: int, stars: list[Cell]) -> None:
        if row < height:
            for columns in combinations(range(width), each):
                new = [(row, c) for c in columns]
                far = all(
                    max(abs(r - a), abs(c - b)) > 1 for r, c in new for a, b in stars
                ) and all(b - a > 1 for a, b in pairwise(columns))
                if far and all(words[x] != "." for x in new):
                    extend(row + 1, [*stars, *new])
            return
        rooms = [words[x] for x in stars]
        names = set(words.values()) - {"."}
        if all(rooms.count(name) == each for name in names) and all(
            sum(c == column for _, c in stars) == each for column in range(width)
        ):
            answers.add(frozenset(stars))

    extend(0, [])
    return answers


def draw(rng: Random) -> Entries:
    height = rng.randint(3, 5)
    return {
        "rooms": rows(rng, height, height + rng.randint(0, 1), "ABC", 0.1),
        "stars": rng.choice([1, 1, 2]),
    }


# -- links


def decode_link(body: str, height: int, width: int) -> list[str]:
    """The number of stars, then whether there is a border beside and below each cell."""
    stars, _, text = body.partition("/")
    return [stars, *decode_borders(text, height, width)]


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return [str(entries.get("stars", 1)), *list_borders(entries["rooms"])]


def draw_linked(rng: Random) -> Entries:
    return propose("star-battle", rng.randint(4, 9), rng)
