"""LITS."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product
from random import Random
from typing import Any

from support.grid_kinds import Entries
from support.plain_grids import Answer, Cell, beside, drawn, joined, list_rooms, touching
from support.plain_links import decode_borders, list_borders, propose
from support.planting import lose_all_blocks, lose_method, never_connect

GENERATED_SIZE = (5, 5)  # rows and columns

ERRORS = {
    "cut off": ("lits-4", never_connect),
    "no blocks": ("lits-4", lose_all_blocks),
    "equal pieces that touch": ("lits-4", lose_method("lits", "Lits", "part_pieces")),
}

LINKS = {
    "lits/4/4/9q02jg": {"rooms": "AABB\nAABC\nABBC\nCCCC"},
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    possible = []
    for room in list_rooms(drawn(entries["rooms"])).values():
        fours = map(set, combinations(room, 4))
        possible.append([piece for piece in fours if joined(piece, touching(piece))])
    answers = set()
    for pieces in product(*possible):
        shaded = set().union(*pieces)
        if not joined(shaded, touching(shaded)):
            continue
        if any({(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)} <= shaded for r, c in shaded):
            continue
        shapes = [distances(piece) for piece in pieces]
        if not any(
            shapes[i] == shapes[k] and any(beside(cell) & pieces[k] for cell in pieces[i])
            for i, k in combinations(range(len(pieces)), 2)
        ):
            answers.add(frozenset(shaded))
    return answers


def distances(piece: set[Cell]) -> list[int]:
    """The squares of the distances between the cells, which tell the five shapes apart."""
    return sorted((a - b) ** 2 + (c - d) ** 2 for (a, c), (b, d) in combinations(piece, 2))


def draw(rng: Random) -> Entries:
    height, width = rng.randint(2, 4), rng.randint(2, 5)
    names = "ABC"[: rng.randint(1, 3)]
    step = rng.randint(2, 4)
    lines = [
        "".join(names[(r // step + c // step) % len(names)] for c in range(width))
        for r in range(height)
    ]
    return {"rooms": "\n".join(lines)}


# -- links

decode_link = decode_borders


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return list_borders(entries["rooms"])


def draw_linked(rng: Random) -> Entries:
    return propose("lits", rng.randint(4, 9), rng)
