"""Calcudoku."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

from support.grid_kinds import Entries
from support.plain_grids import Answer, latin, list_cages, measure_cages
from support.planting import lose_constraint

GENERATED_SIZE = (4, 4)  # rows and columns

ERRORS = {
    "numbers twice": ("calcudoku-4", lose_constraint("all_different")),
    "results without a rule": ("calcudoku-5", lose_constraint("implies")),
}

CLUES = "calcudoku-5"  # an instance whose clues follow from its answer


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    cages = list_cages(entries["cages"])
    size = measure_cages(entries["cages"])

    def fits(numbers: list[int], word: str) -> bool:
        number, signs = word.rstrip("+-x/"), word[-1:] if word[-1:] in list("+-x/") else "+-x/"
        for sign in signs:
            for first, *others in permutations(numbers):
                result = Fraction(first)
                for other in others:
                    result = {
                        "+": result + other,
                        "-": result - other,
                        "x": result * other,
                        "/": result / other,
                    }[sign]
                if result == int(result) >= 0 and number in ("?", str(int(result))):
                    return True
        return False

    answers = set()
    for grid in latin(size):
        if all(word in ("", "?") or fits([grid[x] for x in cells], word) for cells, word in cages):
            answers.add(frozenset(grid.items()))
    return answers


def draw(rng: Random) -> Entries:
    size = rng.randint(1, 4)
    names = [rng.choice("ABCDEFGHI.") for _ in range(size * size)]
    names = [name if names.count(name) < 4 else "." for name in names]
    grid = [" ".join(names[i : i + size]) for i in range(0, size * size, size)]
    words = ["?+", "?-", "?/", "1-", "2/", "2-", "3/", "5+", "6x", "8x", "12x", "3", "2", "4", "?"]
    used = sorted(set(names) - {"."})
    numbers = {name: rng.choice(words) for name in used if rng.random() < 0.4}
    return {"cages": {"cells": "\n".join(grid), "numbers": numbers}}
