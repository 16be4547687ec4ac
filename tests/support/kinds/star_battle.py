"""Star battle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, Cell, drawn
from support.plain_links import decode_borders, list_borders, propose
from support.planting import lose_blocks, lose_constraint

GENERATED_SIZE = (6, 6)  # rows and columns

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
    number = entries.get("stars", 1)

    def fits(stars: list[Cell], new: list[Cell]) -> bool:
        together = [*product(stars, new), *combinations(new, 2)]
        return all(words[star] != "." for star in new) and not any(
            touch(one, other) for one, other in together
        )

    def extend(row: int, stars: list[Cell]) -> Iterator[list[Cell]]:
        if row == height:
            yield stars
            return
        for columns in combinations(range(width), number):
            new = [(row, column) for column in columns]
            if fits(stars, new):
                yield from extend(row + 1, [*stars, *new])

    names = set(words.values()) - {"."}
    answers = set()
    for stars in extend(0, []):
        in_rooms = [words[star] for star in stars]
        in_columns = [column for _, column in stars]
        if all(in_rooms.count(name) == number for name in names) and all(
            in_columns.count(column) == number for column in range(width)
        ):
            answers.add(frozenset(stars))
    return answers


def touch(one: Cell, other: Cell) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) <= 1


def draw(rng: Random) -> Entries:
    """As many rooms as rows, because others have no answer."""
    size = rng.choice([4, 5, 5, 5])
    return {
        "rooms": rows(rng, size, size, "ABCDE"[:size], rng.choice([0.0, 0.1])),
        "stars": rng.choice([1, 1, 1, 2]),
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
