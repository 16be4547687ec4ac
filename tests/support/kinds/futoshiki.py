"""Futoshiki."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, drawn, latin
from support.planting import lose_constraint

GENERATED_SIZE = (4, 4)  # rows and columns

ERRORS = {
    "numbers twice": ("futoshiki-5", lose_constraint("all_different")),
    "signs without a rule": ("futoshiki-4", lose_constraint("implies")),
}

CLUES = "futoshiki-5"  # an instance whose clues follow from its answer


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words, signs = drawn(entries["given"]), drawn(entries["signs"])
    answers = set()
    for grid in latin(max(words)[0] + 1):
        wrong = any(words[x] not in (".", str(grid[x])) for x in words)
        for (r, c), sign in signs.items():
            if sign != ".":
                first = grid[r // 2, c // 2]
                second = grid[(r + 1) // 2, (c + 1) // 2]
                wrong |= (first < second) != (sign in "<^")
        if not wrong:
            answers.add(frozenset(grid.items()))
    return answers


def draw(rng: Random) -> Entries:
    size = rng.randint(1, 4)
    lines = []
    for r in range(2 * size - 1):
        line = []
        for c in range(2 * size - 1):
            signs = "<>" if (r % 2, c % 2) == (0, 1) else "^v" if (r % 2, c % 2) == (1, 0) else "."
            line.append(rng.choice(signs) if rng.random() < 0.2 else ".")
        lines.append(" ".join(line))
    words = [str(n) for n in range(1, size + 1)]
    return {"given": rows(rng, size, size, words, 0.9), "signs": "\n".join(lines)}
