"""Instances of interlocking pieces cut from a random solution: the same seed makes the same files.

    python bench/sets.py [DIRECTORY]

writes those that come along. Pieces that are alike up to turning over are listed once, with their number.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from jigsat.boards import Orientation
from jigsat.surfaces import named

Rim = tuple[bool, ...]


def cut(board: str, size: int, rng: random.Random) -> list[Rim]:
    """The rims of pieces that cover a board, each place being filled by one of the faces there, drawn by lot."""
    surface = named(board)
    rims = {cell: [False] * (surface.sides(cell) * (size - 1)) for cell in surface.cells}
    for place in surface.edge_places(size - 2) + surface.vertex_places(size - 2):
        spot = rng.choice(place)
        rims[spot.cell][spot.position] = True
    return [tuple(rim) for rim in rims.values()]


def mixed(rims: Iterable[Rim], sides: int, rng: random.Random) -> dict[Rim, int]:
    """The pieces shuffled, turned and turned over, each kind with its number."""
    found: dict[frozenset[Rim], tuple[Rim, int]] = {}
    lying = [Orientation(turn, flipped) for turn in range(sides) for flipped in (False, True)]
    shuffled = list(rims)
    rng.shuffle(shuffled)
    for rim in shuffled:
        kind = frozenset(lies.apply(rim, sides) for lies in lying)
        first, count = found.get(kind, (rng.choice(lying).apply(rim, sides), 0))
        found[kind] = first, count + 1
    return dict(found.values())


def drawn(rim: Rim, sides: int) -> str:
    """A piece as it stands in a file: a square in rows, another on one line."""
    teeth = "".join("#" if tooth else "." for tooth in rim)
    step = len(rim) // sides
    if sides != 4:
        return '"' + " ".join(teeth[i : i + step] for i in range(0, len(rim), step)) + '"'
    top, right, bottom, left = (teeth[i : i + step] for i in range(0, len(rim), step))
    rows = [top + right[0], *(left[step - i] + "-" * (step - 1) + right[i] for i in range(1, step)), left[0] + bottom[::-1]]
    rows[-1] = bottom[::-1] if len(bottom) > step else left[0] + bottom[::-1]
    return '"""\n' + "\n".join(rows) + '\n"""'
