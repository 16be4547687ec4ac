"""Straights."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, Cell, drawn
from support.planting import lose_constraint

GENERATED_SIZE = (4, 4)  # rows and columns

ERRORS = {
    "numbers twice": ("straights-4", lose_constraint("all_different")),
    "gaps": ("straights-4", lose_constraint("clause")),
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["cells"])
    given = drawn(entries["given"])
    size = max(words)[0] + 1
    white = [cell for cell in words if words[cell] == "."]
    black = {cell: int(word) for cell, word in words.items() if word.isdecimal()}
    answers = set()

    def extend(index: int, number: dict[Cell, int]) -> None:
        if index == len(white):
            if all(is_straight(line, number) for line in cross_lines(size)):
                answers.add(frozenset(number.items()))
            return
        cell = white[index]
        others = black | number
        taken = {others[x] for x in others if x[0] == cell[0] or x[1] == cell[1]}
        for value in range(1, size + 1):
            if value not in taken and given[cell] in (".", "?", str(value)):
                extend(index + 1, {**number, cell: value})

    extend(0, {})
    return answers


def cross_lines(size: int) -> list[list[Cell]]:
    lines = [[(i, k) for k in range(size)] for i in range(size)]
    return lines + [[(k, i) for k in range(size)] for i in range(size)]


def is_straight(line: list[Cell], number: Mapping[Cell, int]) -> bool:
    text = " ".join(str(number.get(cell, "|")) for cell in line)
    for run in text.split("|"):
        values = sorted(map(int, run.split()))
        if values and values != list(range(values[0], values[0] + len(values))):
            return False
    return True


def draw(rng: Random) -> Entries:
    size = rng.randint(1, 4)
    cells = rows(rng, size, size, ["#", "#", *map(str, range(1, size + 1))], 0.7)
    given = rows(rng, size, size, [str(n) for n in range(1, size + 1)], 0.9)
    words = given.split()
    black = [word != "." for word in cells.split()]
    kept = ["." if dark else word for word, dark in zip(words, black, strict=True)]
    lines = [" ".join(kept[i : i + size]) for i in range(0, size * size, size)]
    return {"cells": cells, "given": "\n".join(lines)}
