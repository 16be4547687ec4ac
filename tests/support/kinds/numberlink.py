"""Numberlink."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from random import Random
from typing import Any

from support.grid_kinds import Entries
from support.plain_grids import Answer, Cell, beside, drawn
from support.plain_links import decode_numbers, propose, split_words
from support.planting import lose_constraint

SIZE = (5, 5)  # of a generated puzzle

ERRORS = {
    "closed lines": ("numberlink-5", lose_constraint("acyclic")),
    "cells left out": ("numberlink-5", lose_constraint("exactly")),
    "lines that end anywhere": ("numberlink-8", lose_constraint("implies")),
    "numbers that differ": ("numberlink-8", lose_constraint("clause")),
}

CLUES = "numberlink-8"  # an instance whose clues follow from its answer

LINKS = {
    "numlin/5/5/1j2h3m1h2j3": {"ends": "1....\n2..3.\n.....\n.1..2\n....3"},
    "arukone/3/2/1i1g": {"ends": "1..\n.1.", "all_cells": True},
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    """The paths of the first number, with those of the second one in the cells that are left, and
    so on."""
    words = drawn(entries["ends"])
    numbers = sorted({word for word in words.values() if word != "."})
    ends = {number: [x for x in words if words[x] == number] for number in numbers}
    answers: set[Answer] = set()

    def extend(path: list[Cell], left: list[str], used: list[list[Cell]]) -> None:
        number, *later = left
        if path[-1] == ends[number][1]:
            finish(later, [*used, path])
            return
        for cell in beside(path[-1]):
            free = words.get(cell) == "." or cell == ends[number][1]
            if free and cell not in path and not any(cell in other for other in used):
                extend([*path, cell], left, used)

    def finish(left: list[str], used: list[list[Cell]]) -> None:
        if left:
            extend(ends[left[0]][:1], left, used)
        elif not entries.get("all_cells") or sum(map(len, used)) == len(words):
            pairs = [pair for path in used for pair in pairwise(path)]
            answers.add(frozenset((min(pair), max(pair)) for pair in pairs))

    if all(len(cells) == 2 for cells in ends.values()):
        finish(numbers, [])
    return answers


def draw(rng: Random) -> Entries:
    height, width = rng.randint(1, 4), rng.randint(2, 4)
    cells = [(r, c) for r in range(height) for c in range(width)]
    words = [["." for _ in range(width)] for _ in range(height)]
    ends = rng.sample(cells, 2 * rng.randint(1, min(3, len(cells) // 2)))
    for i, (r, c) in enumerate(ends):
        words[r][c] = str(1 + i // 2)
    drawing = "\n".join(" ".join(row) for row in words)
    return {"ends": drawing, "all_cells": rng.random() < 0.4}


# -- links

decode_link = decode_numbers


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return split_words(entries["ends"])


def draw_linked(rng: Random) -> Entries:
    return propose("numberlink", rng.randint(4, 9), rng)
