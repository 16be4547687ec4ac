"""Masyu."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, Cell, drawn, loops
from support.plain_links import decode_circles, draw_grid, split_words
from support.planting import leave_out, never_close

GENERATED_SIZE = (4, 5)  # rows and columns

ERRORS = {
    "no loop": ("masyu-5", never_close),
    "white pearls without a rule": ("masyu-5", leave_out("masyu", "pass_white")),
}

CLUES = "masyu-5"  # an instance whose clues follow from its answer

LINKS = {
    "mashu/6/6/1063000i3000": {
        "pearls": "..w...\n.b..w.\n......\n...b..\n.w....\n......",
    },
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["pearls"])
    answers = set()
    for loop in loops(max(words)[0], max(words)[1]):
        beside: dict[Cell, list[Cell]] = {}
        for one, other in loop:
            beside.setdefault(one, []).append(other)
            beside.setdefault(other, []).append(one)
        bent = {x: one[0] != other[0] and one[1] != other[1] for x, (one, other) in beside.items()}

        def fits(cell: Cell, bent: dict[Cell, bool], beside: dict[Cell, list[Cell]]) -> bool:
            if words[cell] == ".":
                return True
            if cell not in bent:
                return False
            near = [bent[other] for other in beside[cell]]
            return (
                not bent[cell] and any(near) if words[cell] == "w" else bent[cell] and not any(near)
            )

        if all(fits(x, bent, beside) for x in words):
            answers.add(loop)
    return answers


def draw(rng: Random) -> Entries:
    return {"pearls": rows(rng, rng.randint(2, 4), rng.randint(2, 4), ["w", "b"], 0.85)}


# -- links

decode_link = decode_circles


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return split_words(entries["pearls"])


def draw_linked(rng: Random) -> Entries:
    return {"pearls": draw_grid(list("wb...."), rng)}
