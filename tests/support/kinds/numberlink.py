"""Numberlink."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from random import Random
from typing import Any

from support.grid_kinds import Entries
from support.plain_grids import Answer, Cell, beside, drawn
from support.plain_links import decode_numbers, propose, split_words
from support.planting import lose_constraint

GENERATED_SIZE = (5, 5)  # rows and columns

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
    ends = {number: [cell for cell in words if words[cell] == number] for number in numbers}
    if any(len(cells) != 2 for cells in ends.values()):
        return set()

    def extend(path: list[Cell], end: Cell, used: set[Cell]) -> Iterator[list[Cell]]:
        if path[-1] == end:
            yield path
            return
        for cell in beside(path[-1]):
            is_free = words.get(cell) == "." or cell == end
            if is_free and cell not in path and cell not in used:
                yield from extend([*path, cell], end, used)

    def join_all(left: list[str], paths: list[list[Cell]]) -> Iterator[list[list[Cell]]]:
        if not left:
            yield paths
            return
        begin, end = ends[left[0]]
        used = {cell for path in paths for cell in path}
        for path in extend([begin], end, used):
            yield from join_all(left[1:], [*paths, path])

    answers = set()
    for paths in join_all(numbers, []):
        if entries.get("all_cells") and sum(map(len, paths)) < len(words):
            continue
        pairs = [pair for path in paths for pair in pairwise(path)]
        answers.add(frozenset((min(pair), max(pair)) for pair in pairs))
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
