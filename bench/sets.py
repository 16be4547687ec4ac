"""Instances cut from a random solution, with toothed pieces or coloured tiles: the same seed
produces the same files.

    python bench/sets.py [DIRECTORY]

writes the instances that come with jigsat, and keeps their `[known]` tables. Pieces that are equal
up to turning over are listed once, with their count.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from jigsat.boards import Orientation, board_named

Rim = tuple[bool, ...]


def cut(board: str, size: int, rng: random.Random) -> list[Rim]:
    """The rims of pieces that cover a board: each place on the rims is filled by a random one of
    the pieces that meet there.

    A corner is given to a piece that also fills the place next to it, so that it is attached to its
    piece.
    """
    surface = board_named(board)
    rims = {cell: [False] * (surface.sides(cell) * (size - 1)) for cell in surface.cells}
    for spot in map(rng.choice, surface.edge_places(size - 2)):
        rims[spot.cell][spot.position] = True
    for place in surface.vertex_places(size - 2):
        beside = [(spot, rims[spot.cell], spot.position) for spot in place]
        spot = rng.choice([spot for spot, rim, at in beside if rim[at - 1] or rim[at + 1]])
        rims[spot.cell][spot.position] = True
    return [tuple(rim) for rim in rims.values()]


def mixed(rims: Iterable[Rim], sides: int, rng: random.Random) -> dict[Rim, int]:
    """The pieces, shuffled and turned at random; each kind with its count."""
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
    """A piece as written in a file: a square in rows, any other piece on one line, side after
    side."""
    teeth = "".join("#" if tooth else "." for tooth in rim)
    last = len(rim) // sides
    if sides != 4:
        return '"' + " ".join(teeth[i : i + last] for i in range(0, len(rim), last)) + '"'
    around = [*((0, c) for c in range(last)), *((r, last) for r in range(last))]
    shown = dict(zip([*around, *((last - r, last - c) for r, c in around)], teeth, strict=True))
    rows = ("".join(shown.get((r, c), "-") for c in range(last + 1)) for r in range(last + 1))
    return '"""\n' + "\n".join(rows) + '\n"""'


def instance(title: str, board: str, size: int, seed: int) -> str:
    """The file of an instance without its `[known]` table."""
    rng = random.Random(seed)
    sides = board_named(board).sides(board_named(board).cells[0])
    pieces = mixed(cut(board, size, rng), sides, rng)
    lines = [
        'family = "interlocking"',
        f'title = "{title}"',
        f'source = "made for jigsat: pieces cut from a random solution, bench/sets.py with seed '
        f'{seed}"',
        f'board = """\n{board}\n"""' if "\n" in board else f'board = "{board}"',
        "",
        "[pieces]",
    ]
    width = len(str(len(pieces)))
    for i, (rim, count) in enumerate(pieces.items(), 1):
        shape = drawn(rim, sides)
        lines.append(
            f"P{i:0{width}} = "
            + (shape if count == 1 else f"{{ shape = {shape}, count = {count} }}")
        )
    return "\n".join(lines) + "\n"


def tiles(title: str, board: str, colours: Sequence[str], seed: int) -> str:
    """The file of an edge-matching instance on a board that is coloured at random."""
    rng = random.Random(seed)
    surface = board_named(board)
    sides = {cell: [""] * surface.sides(cell) for cell in surface.cells}
    for seam in surface.seams:
        colour = rng.choice(colours)
        for cell, side, _ in seam:
            sides[cell][side] = colour
    shown = rng.sample([*sides.values()], len(sides))
    turned = [
        labels[turn:] + labels[:turn] for labels in shown for turn in [rng.randrange(len(labels))]
    ]
    lines = [
        'family = "edge-matching"',
        f'title = "{title}"',
        f'source = "made for jigsat: tiles cut from a random colouring, bench/sets.py with seed '
        f'{seed}"',
        f'board = "{board}"',
        "",
        "[tiles]",
        *(
            f"{i} = [" + ", ".join(f'"{label}"' for label in labels) + "]"
            for i, labels in enumerate(turned, 1)
        ),
    ]
    return "\n".join(lines) + "\n"


TOWER = "polycube\n#\n\n#"
BLOCK = "polycube\n##\n##\n\n##\n##"
STAR = "polycube\n...\n.#.\n...\n\n.#.\n###\n.#.\n\n...\n.#.\n..."
CUBE = "polycube\n" + "\n\n".join(["###\n###\n###"] * 3)

INSTANCES = {
    "polycube-tower": ("A tower of two cubes", TOWER, 6, 1),
    "polycube-2x2x2": ("A cube of 2×2×2", BLOCK, 7, 1),
    "polycube-star": ("A star of seven cubes", STAR, 6, 1),
    "polycube-3x3x3": ("A cube of 3×3×3", CUBE, 7, 1),
    "pentagons": ("Twelve pentagons around a dodecahedron", "dodecahedron", 4, 1),
}


TILES = {
    "hexagons": (
        "Nineteen hexagons in a hexagon",
        "hexagon 3",
        ("red", "orange", "yellow", "green", "blue", "violet"),
        1,
    ),
    "icosahedron": (
        "Twenty triangles around an icosahedron",
        "icosahedron",
        ("red", "orange", "yellow", "green", "blue", "violet", "brown", "black", "white"),
        1,
    ),
}


def main() -> None:
    """Write the instances, keeping their `[known]` tables."""
    directory = Path(sys.argv[1] if len(sys.argv) > 1 else "instances")
    files = {name: instance(*what) for name, what in INSTANCES.items()} | {
        name: tiles(*what) for name, what in TILES.items()
    }
    for name, text in files.items():
        file = directory / f"{name}.toml"
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        _, known, after = before.partition("\n[known]")
        file.write_text(text + known + after, encoding="utf-8")


if __name__ == "__main__":
    main()
