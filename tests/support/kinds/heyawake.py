"""Heyawake."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from random import Random
from typing import Any

from support.grid_kinds import Entries, draw_numbered_rooms
from support.plain_grids import STEPS, Answer, drawn, lonely, ray
from support.plain_links import (
    WIDE,
    cut,
    decode_borders,
    list_borders,
    propose,
    split_words,
    spread,
    wide,
)
from support.planting import lose_constraint, never_connect

GENERATED_SIZE = (4, 4)  # rows and columns

ERRORS = {
    "cut off": ("heyawake-4", never_connect),
    "side by side": ("heyawake-4", lose_constraint("at_most_one")),
    "long lines": ("heyawake-5", lose_constraint("clause")),
}

CLUES = "heyawake-5"  # an instance whose clues follow from its answer

LINKS = {
    "heyawake/6/6/lll155007rs12222j": {
        "rooms": {
            "cells": "ABBCCD\nABBCCD\nABBCCD\nEEEEED\nFFFGGD\nFFFGGH",
            "numbers": {"A": 2, "B": 2, "C": 2, "D": 2},
        }
    },
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    rooms = entries["rooms"]
    table = rooms if isinstance(rooms, dict) else {"cells": rooms}
    names = drawn(table["cells"])
    numbers = table.get("numbers", {})
    answers = set()
    for shaded in lonely(names, lambda cell: True):
        inside = {name: sum(names[x] == name for x in shaded) for name in numbers}
        wrong = any(number not in ("?", inside[name]) for name, number in numbers.items())
        long = any(
            sum(names[a] != names[b] for a, b in pairwise([x, *ray(x, step, names, shaded)])) > 1
            for x in set(names) - shaded
            for step in STEPS
        )
        if not wrong and not long:
            answers.add(frozenset(shaded))
    return answers


def draw(rng: Random) -> Entries:
    height, width = rng.randint(1, 4), rng.randint(1, 4)
    return {"rooms": draw_numbered_rooms(rng, height, width, ["?", 0, 1, 1, 2])}


# -- links


def decode_link(body: str, height: int, width: int) -> list[str]:
    """The borders, then the numbers of rooms."""
    characters = -(-height * (width - 1) // 5) - (-(height - 1) * width // 5)
    numbers = spread(cut(f"{WIDE}|[g-z]", body[characters:]), "g", lambda token: [wide(token)])
    return [*decode_borders(body[:characters], height, width), *numbers]


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    """The borders, and the number of each room in the order of their first cells."""
    rooms = entries["rooms"]
    if not isinstance(rooms, dict):
        rooms = {"cells": rooms}
    numbers = rooms.get("numbers", {})
    names = dict.fromkeys(split_words(rooms["cells"]))
    return [*list_borders(rooms["cells"]), *(str(numbers.get(name, ".")) for name in names)]


def draw_linked(rng: Random) -> Entries:
    drawing = propose("heyawake", rng.randint(4, 9), rng)["rooms"]
    if isinstance(drawing, dict):
        drawing = drawing["cells"]
    names = sorted(set(split_words(drawing)))
    numbered = rng.sample(names, len(names) // 2)
    return {"rooms": {"cells": drawing, "numbers": {name: rng.randint(0, 20) for name in numbered}}}
