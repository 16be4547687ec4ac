"""The size of plain backtracking on the boards of `framed.py`: python bench/plain.py FILE.toml
[--paths 100000] [--seed 0]

Plain backtracking fills the cells row by row. It tries every tile that is left, in every
orientation, and looks only at the tiles above and to the left and at the rim. Its number of nodes,
one for each tile laid, is estimated by random paths without bias (Knuth, Estimating the efficiency
of backtrack programs, Mathematics of Computation 29, 1975). The standard error is printed, too.
Most paths underestimate, so with few paths both are likely to be too small.
"""

from __future__ import annotations

import argparse
import math
import random
import tomllib
from collections import defaultdict
from pathlib import Path

Turned = tuple[int, str, str]
"""A tile by its number, with the labels on its right and at its bottom."""


class Board:
    """The tiles of a framed board, by their position at the rim and their labels at the top and on
    the left."""

    def __init__(self, file: Path) -> None:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        self._frame = data["frame"]
        tiles = list(data["tiles"].values())
        self._size = math.isqrt(len(tiles))
        self._fits: dict[tuple[bool, bool, str, str], list[Turned]] = defaultdict(list)
        for number, sides in enumerate(tiles):
            for turn in range(4):
                top, right, bottom, left = sides[turn:] + sides[:turn]
                self._fits[right == self._frame, bottom == self._frame, top, left].append(
                    (number, right, bottom)
                )

    def path(self, chance: random.Random) -> float:
        """The number of nodes that one random path stands for."""
        size = self._size
        above = [self._frame] * self._size
        laid: set[int] = set()
        nodes = 0.0
        weight = 1.0
        left = self._frame
        for cell in range(size * size):
            row, column = divmod(cell, size)
            fits = self._fits.get(
                (
                    column == size - 1,
                    row == size - 1,
                    above[column],
                    left if column else self._frame,
                ),
                (),
            )
            tiles = [tile for tile in fits if tile[0] not in laid]
            if not tiles:
                break
            weight *= len(tiles)
            nodes += weight
            number, left, above[column] = chance.choice(tiles)
            laid.add(number)
        return nodes


def main() -> None:
    """Print the estimate."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--paths", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    board = Board(arguments.file)
    chance = random.Random(arguments.seed)
    found = [board.path(chance) for _ in range(arguments.paths)]
    mean = math.fsum(found) / len(found)
    error = math.sqrt(
        math.fsum((nodes - mean) ** 2 for nodes in found) / (len(found) - 1) / len(found)
    )
    print(f"{mean:.2e} nodes, standard error {error:.1e}")


if __name__ == "__main__":
    main()
