"""Small random puzzles of each kind on a grid, as entries of a file, and their answers as the plain
search returns them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from jigsat.kit import Answer, GridPuzzle, Mark
from jigsat.kit.layers import Lines, Shading, Values

Entries = dict[str, Any]


def rows(rng: Random, height: int, width: int, words: Sequence[str], blank: float) -> str:
    """A drawing in which a share of the cells is blank."""
    line = [
        " ".join("." if rng.random() < blank else rng.choice(words) for _ in range(width))
        for _ in range(height)
    ]
    return "\n".join(line)


def draw_numbered_rooms(rng: Random, height: int, width: int, numbers: Sequence[Any]) -> Entries:
    """Rooms, which need not be connected, of which about half have numbers."""
    names = rng.sample("ABCDE", rng.randint(1, 5))
    drawing = rows(rng, height, width, names, 0.05)
    used = sorted(set(drawing.split()) - {"."})
    return {
        "cells": drawing,
        "numbers": {name: rng.choice(numbers) for name in used if rng.random() < 0.5},
    }


def draw_rooms(rng: Random, height: int, width: int, most: int) -> str:
    """Connected rooms of at most this many cells, a few cells in none."""
    names = [["." for _ in range(width)] for _ in range(height)]
    for name in "ABCDEFGHIJKLMNOP":
        free = [(r, c) for r in range(height) for c in range(width) if names[r][c] == "."]
        if not free or (len(free) == 1 and rng.random() < 0.5):
            break
        room = [rng.choice(free)]
        for _ in range(rng.randint(1, most) - 1):
            r, c = rng.choice(room)
            beside = [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
            room += [cell for cell in beside if cell in free and cell not in room][:1]
        for r, c in room:
            names[r][c] = name
    return "\n".join("".join(row) for row in names)


def line_totals(rng: Random, height: int, width: int) -> dict[str, str]:
    words = ["?", "0", "1", "1", "2", "3"]
    return {"top": rows(rng, 1, width, words, 0.6), "left": rows(rng, 1, height, words, 0.6)}


def plain_answer(puzzle: GridPuzzle, placements: Sequence[Mark]) -> frozenset[Any]:
    """An answer as the plain search returns it: cells, pairs of cells and values, or lines; of
    several layers, each with its name."""
    answer = Answer(placements)
    parts: list[tuple[str, Any]] = []
    for layer in puzzle.layers:
        match layer:
            case Values():
                parts += [(layer.noun, item) for item in answer[layer].items()]
            case Lines() if layer.most > 1:
                parts += [(layer.noun, item) for item in answer[layer].items()]
            case Shading() | Lines():
                parts += [(layer.noun, place) for place in answer[layer]]
    if len(puzzle.layers) == 1:
        return frozenset(item for _, item in parts)
    return frozenset(parts)
