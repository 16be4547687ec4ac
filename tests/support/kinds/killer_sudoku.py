"""Killer sudoku."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from random import Random
from typing import Any

from support.grid_kinds import Entries, draw_numbered_rooms
from support.plain_grids import Answer, Cell, drawn, latin, list_cages, measure_cages
from support.planting import allow_repeats, lose_constraint

GENERATED_SIZE = (4, 4)  # rows and columns

ERRORS = {
    "digits twice": ("killer-sudoku-4", allow_repeats),
    "sums without a rule": ("killer-sudoku-4", lose_constraint("total")),
}

CLUES = "killer-sudoku-4"  # an instance whose clues follow from its answer


def list_boxes(entries: Mapping[str, Any], size: int) -> list[list[Cell]]:
    """The cells of each box: as drawn, or rectangles that are as near to squares as possible."""
    high = 1
    for number in range(1, size):
        if number * number <= size and size % number == 0:
            high = number
    words = drawn(entries["boxes"]) if "boxes" in entries else {}
    boxes: dict[Any, list[Cell]] = {}
    for r, c in product(range(size), repeat=2):
        box = words.get((r, c), (r // high, c // (size // high)))
        boxes.setdefault(box, []).append((r, c))
    return [cells for name, cells in boxes.items() if name != "."]


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    cages = list_cages(entries["cages"])
    size = measure_cages(entries["cages"])
    houses = list_boxes(entries, size)
    if entries.get("distinct", True):
        houses += [cells for cells, _ in cages]
    answers = set()
    for grid in latin(size):
        twice = any(len({grid[x] for x in house}) < len(house) for house in houses)
        sums = all(word in ("", "?", str(sum(grid[x] for x in cells))) for cells, word in cages)
        if sums and not twice:
            answers.add(frozenset(grid.items()))
    return answers


def draw(rng: Random) -> Entries:
    size = rng.choice([2, 3, 4, 4, 4])
    cages = draw_numbered_rooms(rng, size, size, ["?", 3, 5, 6, 7, 8, 10])
    cages["cells"] = cages["cells"].replace("E", ".").replace("D", ".")
    cages["numbers"] = {x: n for x, n in cages["numbers"].items() if x in cages["cells"]}
    return {"cages": cages, "distinct": rng.random() < 0.4}
