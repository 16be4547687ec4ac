"""Magnets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, Cell, beside, drawn, fill, list_rooms, totals_fit
from support.plain_links import (
    NUMBERS,
    WIDE,
    decode_borders,
    draw_words,
    list_borders,
    list_side,
    propose,
    spread,
    wide,
)
from support.planting import lose_constraint

GENERATED_SIZE = (4, 4)  # rows and columns

ERRORS = {
    "half a magnet": ("magnets-4", lose_constraint("implies")),
    "equal poles side by side": ("magnets-4", lose_constraint("at_most_one")),
}

CLUES = "magnets-4"  # an instance whose clues follow from its answer

LINKS = {
    "magnets/5/4/i1h2g1g21g11g2glrtgfjc": {
        "plates": "ABBCC\nADEFF\nGDEHI\nGJJHI",
        "numbers": {
            "top": ". 1 . . .",
            "left": "1 1 . .",
            "bottom": ". . . 2 1",
            "right": "2 . 1 2",
        },
    },
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    names = drawn(entries["plates"])
    plates = [tuple(cells) for cells in list_rooms(names).values()]
    table = entries.get("numbers", {})
    totals = {"+": table, "-": {"top": table.get("bottom", ""), "left": table.get("right", "")}}

    def fits(grid: dict[Any, str], plate: Any) -> bool:
        for sign in "+-":
            poles = list_poles(grid, sign)
            if any(beside(cell) & poles for cell in poles.intersection(plate)):
                return False
            if exceeds(poles, totals[sign]):
                return False
        return True

    answers = set()
    for grid in fill(plates, ("  ", "+-", "-+"), fits):
        plus, minus = list_poles(grid, "+"), list_poles(grid, "-")
        if totals_fit(totals["+"], plus) and totals_fit(totals["-"], minus):
            answers.add(frozenset({("plus", x) for x in plus} | {("minus", x) for x in minus}))
    return answers


def list_poles(grid: Mapping[Any, str], sign: str) -> set[Cell]:
    """The cells with a pole of this sign."""
    poles = set()
    for cells, signs in grid.items():
        poles |= {cell for cell, pole in zip(cells, signs, strict=True) if pole == sign}
    return poles


def exceeds(poles: set[Cell], totals: Mapping[str, str]) -> bool:
    """Whether a row or a column has more poles than its number says."""
    for side, axis in (("top", 1), ("left", 0)):
        for i, word in enumerate(totals.get(side, "").split()):
            number = sum(cell[axis] == i for cell in poles)
            if word.isdecimal() and number > int(word):
                return True
    return False


def draw(rng: Random) -> Entries:
    """Plates at random, some cells in none, and few numbers."""
    height, width = rng.randint(1, 4), rng.randint(2, 4)
    names = [["." for _ in range(width)] for _ in range(height)]
    letters = iter("ABCDEFGH")
    for r in range(height):
        for c in range(width):
            beside = [(r + 1, c), (r, c + 1)]
            free = [(i, k) for i, k in beside if i < height and k < width and names[i][k] == "."]
            if names[r][c] == "." and free and rng.random() < 0.9:
                i, k = rng.choice(free)
                names[r][c] = names[i][k] = next(letters)
    numbers = {}
    for side, length in (("top", width), ("bottom", width), ("left", height), ("right", height)):
        numbers[side] = rows(rng, 1, length, ["?", "0", "1", "1", "2"], 0.7)
    return {"plates": "\n".join("".join(row) for row in names), "numbers": numbers}


# -- links


def decode_link(body: str, height: int, width: int) -> list[str]:
    """The numbers below and above each column, those on the right and left of each row, and the
    borders."""
    numbers: list[str] = []
    while len(numbers) < 2 * (width + height):
        token = re.match(f"{WIDE}|[g-z]", body)
        assert token
        body = body[token.end() :]
        numbers += spread([token[0]], "g", lambda token: [wide(token)])
    return [*numbers, *decode_borders(body, height, width)]


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    words = []
    for sides, length in ((("bottom", "top"), width), (("right", "left"), height)):
        lines = [list_side(entries.get("numbers", {}), side, length) for side in sides]
        words += [word for pair in zip(*lines, strict=True) for word in pair]
    return [*words, *list_borders(entries["plates"])]


def draw_linked(rng: Random) -> Entries:
    """An even number of cells, so that none is black."""
    size = 2 * rng.randint(2, 5)
    sides = ("top", "bottom", "left", "right")
    numbers = {side: draw_words(NUMBERS, 1, size, rng) for side in sides}
    return {**propose("magnets", size, rng), "numbers": numbers}
