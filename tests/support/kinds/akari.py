"""Akari."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import STEPS, Answer, Cell, drawn, ray
from support.plain_links import draw_grid, numbers_4, split_words
from support.planting import lose_columns, lose_neighbours

GENERATED_SIZE = (5, 4)  # rows and columns

ERRORS = {
    "no columns": ("akari-6", lose_columns),
    "fewer cells beside a number": ("akari-6", lose_neighbours),
}

CLUES = "akari-6"  # an instance whose clues follow from its answer

LINKS = {
    "akari/6/6/nekcakbl": {"cells": "......\n..4...\n....2.\n.0....\n...1..\n......"},
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["cells"])
    black = {cell for cell, word in words.items() if word != "."}
    white = [cell for cell in words if cell not in black]
    sees = {x: {y for step in STEPS for y in ray(x, step, words, black)} for x in white}
    answers = set()

    def extend(index: int, lamps: list[Cell]) -> None:
        if index < len(white):
            extend(index + 1, lamps)
            if sees[white[index]].isdisjoint(lamps):
                extend(index + 1, [*lamps, white[index]])
            return
        lit = set(lamps).union(*(sees[x] for x in lamps))
        counts = {(r, c): sum((r + a, c + b) in lamps for a, b in STEPS) for r, c in black}
        if lit >= set(white) and all(words[x] in ("#", str(counts[x])) for x in black):
            answers.add(frozenset(lamps))

    extend(0, [])
    return answers


def draw(rng: Random) -> Entries:
    words = ["#", "#", "0", "1", "1", "2"]
    return {"cells": rows(rng, rng.randint(1, 4), rng.randint(2, 4), words, 0.7)}


# -- links


def decode_link(body: str, height: int, width: int) -> list[str]:
    return numbers_4(body, height * width, "#")


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return split_words(entries["cells"])


def draw_linked(rng: Random) -> Entries:
    return {"cells": draw_grid(list("01234##......"), rng)}
