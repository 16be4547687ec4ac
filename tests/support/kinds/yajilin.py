"""Yajilin."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, drawn, loops, ray, touching
from support.plain_links import cut, draw_grid, split_words, spread
from support.planting import never_close, shorten_looks

GENERATED_SIZE = (4, 5)  # rows and columns

ERRORS = {
    "arrows that miss the nearest cell": ("yajilin-4", shorten_looks),
    "no loop": ("yajilin-5", never_close),
}

CLUES = "yajilin-5"  # an instance whose clues follow from its answer

LINKS = {
    "yajilin/5/5/m32j10": {
        "arrows": ". . . . .\n. . . . .\n. . . 2< .\n. . . . .\n. . . . 0^",
    },
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["arrows"])
    free = {x for x in words if words[x] == "."}
    steps = {"^": (-1, 0), "v": (1, 0), "<": (0, -1), ">": (0, 1)}
    answers = set()
    for loop in loops(max(words)[0], max(words)[1]):
        passed = {x for pair in loop for x in pair}
        shaded = free - passed
        if not passed <= free or touching(shaded):
            continue
        arrows = set(words) - free
        seen = {x: len(shaded & set(ray(x, steps[words[x][-1]], words, set()))) for x in arrows}
        if all(words[x][:-1] in ("?", str(seen[x])) for x in arrows):
            answers.add(frozenset([("shaded", x) for x in shaded] + [("loop", x) for x in loop]))
    return answers


def draw(rng: Random) -> Entries:
    words = [number + arrow for number in "?011" for arrow in "^v<>"]
    return {"arrows": rows(rng, rng.randint(2, 4), rng.randint(3, 4), words, 0.9)}


# -- links


def decode_link(body: str, height: int, width: int) -> list[str]:
    def read(token: str) -> list[str]:
        if token[0] == "-":
            direction, number = int(token[1]), token[2:]
        else:
            direction, number = int(token[0]) % 5, token[1:]
        return [("?" if number == "." else str(int(number, 16))) + ".^v<>"[direction]]

    return spread(cut(r"-....|[5-9]..|[0-4].|[a-z]", body), "a", read)


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return split_words(entries["arrows"])


def draw_linked(rng: Random) -> Entries:
    return {"arrows": draw_grid(["0^", "1>", "?v", "15<", "16^", "255>", "256v", *(14 * ".")], rng)}
