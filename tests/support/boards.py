"""Random small boards of tiles with labels."""

from __future__ import annotations

import random
from itertools import product

from jigsat.encodings.edge_matching.rules import EdgeMatching

from jigsat.formula import Formula


def board(seed: int) -> Formula:
    """A random small board of tiles with labels, some of them alike, some to spare, some in groups
    or with hints."""
    rng = random.Random(seed)
    height, width, labels = rng.choice([(2, 2, 2), (2, 2, 3), (2, 3, 3)])
    cells = list(product(range(height), range(width)))
    number = len(cells) + rng.choice([0, 0, 1])
    tiles = [tuple(rng.randrange(labels) for _ in range(4)) for _ in range(number)]
    if rng.random() < 0.5:
        tiles[-1] = tiles[0]
    turns = range(rng.choice([1, 1, 2]))
    formula = Formula()
    place = formula.variables("place", {"cell": cells, "tile": range(number), "turn": turns})
    for cell in cells:
        formula.exactly_one(place[cell, :, :])
    for tile in range(number):
        (formula.exactly_one if number == len(cells) else formula.at_most_one)(place[:, tile, :])
    sides = [((r, c), (r + 1, c), 2, 0) for r, c in cells if r + 1 < height]
    sides += [((r, c), (r, c + 1), 1, 3) for r, c in cells if c + 1 < width]
    for i, (one, other, here, there) in enumerate(sides):
        label = formula.choice("label", range(labels), decision=False, edge=i)
        for cell, side in ((one, here), (other, there)):
            for tile, turn in product(range(number), turns):
                formula.implies(place(cell, tile, turn), label(tiles[tile][(side + turn) % 4]))
    if rng.random() < 0.4:
        tile, cell = rng.randrange(number), rng.choice(cells)
        rng.choice([formula.clause, formula.exactly_one])(place[cell, tile, :])
    if rng.random() < 0.3:
        formula.at_most(1, [x for tile in range(2) for x in place[:, tile, :]])
    return formula


def alike_in_turn(seed: int) -> EdgeMatching:
    """A board of 4×4 tiles that keep their way up, and for odd seeds one of 3×3 tiles that may be
    turned. This has more labels: with three, it would have some ten thousand solutions."""
    return alike(seed, 3, "abcde") if seed % 2 else alike(seed, 4)


def alike(seed: int, size: int = 4, labels: str = "abc") -> EdgeMatching:
    """A random square board with solutions, some of whose tiles are alike; on every other board,
    they are turned."""
    rng = random.Random(seed)
    while True:
        down, across = (
            [[rng.choice(labels) for _ in range(size + 1)] for _ in range(size + 1)]
            for _ in range(2)
        )
        cells = product(range(size), repeat=2)
        sides = [
            "".join([down[r][c], across[r][c + 1], down[r + 1][c], across[r][c]]) for r, c in cells
        ]
        if len(set(sides)) < len(sides):
            tiles = {f"t{i}": {"sides": list(side)} for i, side in enumerate(sides)}
            return EdgeMatching(board=f"square {size}x{size}", tiles=tiles, turning=bool(seed % 2))
