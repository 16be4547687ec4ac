"""Nurikabe."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, drawn, joined, subsets, touching
from support.plain_links import NUMBERS, decode_numbers, draw_grid, split_words
from support.planting import lose_constraint, never_connect

GENERATED_SIZE = (4, 4)  # rows and columns

ERRORS = {
    "cut off": ("nurikabe-4", never_connect),
    "islands that touch": ("nurikabe-4", lose_constraint("implies")),
}

CLUES = "nurikabe-5"  # an instance whose clues follow from its answer

LINKS = {
    "nurikabe/5/5/g5k2o1k3g": {"numbers": ".5...\n..2..\n.....\n..1..\n...3."},
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["numbers"])
    blank = [x for x in words if words[x] == "."]
    answers = set()
    for sea in subsets(blank):
        left = set(words) - sea
        block = any({(r, c + 1), (r + 1, c), (r + 1, c + 1)} <= sea for r, c in sea)
        if block or not joined(set(sea), touching(sea)):
            continue
        rooms = []
        while left:
            room = {left.pop()}
            while (
                more := {x for pair in touching(room | left) if room & set(pair) for x in pair}
                - room
            ):
                room |= more
                left -= more
            rooms.append(room)
        numbers = [([words[x] for x in room if words[x] != "."], len(room)) for room in rooms]
        if all(len(given) == 1 and given[0] in ("?", str(size)) for given, size in numbers):
            answers.add(sea)
    return answers


def draw(rng: Random) -> Entries:
    words = ["?", "1", "2", "3", "4"]
    return {"numbers": rows(rng, rng.randint(1, 3), rng.randint(2, 4), words, 0.8)}


# -- links

decode_link = decode_numbers


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return split_words(entries["numbers"])


def draw_linked(rng: Random) -> Entries:
    return {"numbers": draw_grid([*NUMBERS, *(12 * ".")], rng)}
