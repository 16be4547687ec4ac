"""How many completions a partial filling of a solid has on average: python bench/completions.py
[--solids …] [--sizes 4 5 6]

For pieces as `bench/solids.py` cuts them, with `spare` more pieces, per cent. If k faces are left,
the pieces can be placed in (k + s)! / s! · 8^k ways, where s pieces are left over. The places on
the edges and at the vertices of these faces are taken as independent: each of the n faces that meet
at a place has a tooth there with probability 1/n. Faces are filled in a random order, the one with
the most filled neighbours first. The smaller the smallest mean, the more fillings fail near the
end.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterator
from itertools import pairwise, product
from statistics import mean

from solids import SOLIDS, board

from jigsat.boards import Board, Cell, board_named

RUNS = 5
"""The number of random orders of the faces."""


def order(surface: Board, rng: random.Random) -> list[Cell]:
    """The faces, starting with a random one; the next one always has the most neighbours before
    it."""
    near: dict[Cell, set[Cell]] = {cell: set() for cell in surface.cells}
    for place in surface.edge_places(1):
        for one, other in pairwise(spot.cell for spot in (*place, place[0])):
            near[one].add(other)
            near[other].add(one)
    cells: list[Cell] = []
    left = rng.sample(surface.cells, len(surface.cells))
    while left:
        cells.append(max(left, key=lambda cell: len(near[cell].intersection(cells))))
        left.remove(cells[-1])
    return cells


def probability(faces: int, left: int) -> float:
    """The logarithm of the probability that a place is filled once, if `faces` faces meet there and
    `left` of them are left."""
    tooth = 1 / faces
    filled = (faces - left) / faces
    gaps = (1 - tooth) ** left
    one = left * tooth * (1 - tooth) ** (left - 1)
    return (filled * math.log2(gaps) if filled else 0) + (1 - filled) * math.log2(one)


def completions(solid: str, size: int, spare: int, rng: random.Random) -> Iterator[float]:
    """The logarithms of the mean number of completions with 1, 2, … faces left."""
    surface = board_named(board(solid))
    found = [*surface.edge_places(size - 2), *surface.vertex_places(size - 2)]
    places = [[spot.cell for spot in place] for place in found]
    over = len(surface.cells) * spare // 100
    left: set[Cell] = set()
    for cell in reversed(order(surface, rng)):
        left.add(cell)
        ways = math.lgamma(len(left) + over + 1) - math.lgamma(over + 1)
        met = ((len(place), sum(cell in left for cell in place)) for place in places)
        yield (
            ways / math.log(2)
            + 3 * len(left)
            + sum(probability(faces, rest) for faces, rest in met if rest)
        )


def main() -> None:
    """Print one line per combination."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--solids", nargs="+", default=SOLIDS)
    parser.add_argument("--sizes", type=int, nargs="+", default=[4, 5, 6])
    parser.add_argument("--spare", type=int, nargs="+", default=[0, 10, 20, 40, 100])
    arguments = parser.parse_args()
    for solid, size, spare in product(arguments.solids, arguments.sizes, arguments.spare):
        rng = random.Random(f"{solid} {size} {spare}")
        means = [
            mean(some)
            for some in zip(
                *(completions(solid, size, spare, rng) for _ in range(RUNS)), strict=True
            )
        ]
        least = min(means)
        print(
            f"{solid}, {size}×{size}, {spare} %: 2^{means[-1]:.0f} solutions; at least "
            f"2^{least:.0f} completions,",
            end=" ",
        )
        print(f"with {means.index(least) + 1} faces left")


if __name__ == "__main__":
    main()
