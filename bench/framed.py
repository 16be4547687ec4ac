"""Random framed edge-matching boards as instance files: python bench/framed.py FOLDER [--sizes …]
[--labels …] [--seeds 5]

A square board is filled with random labels, with a separate label on the rim, and cut into tiles,
which are turned and shuffled. With few inner labels there are many solutions, with many labels the
search is short; in between the boards are hard, and larger boards are harder. The encodings of edge
matching are compared on the 120 boards of the default settings and on the fish puzzles:

    python bench/framed.py /tmp/framed
    jigsat compare /tmp/framed/*.toml fish fish-plain --backends cadical195 --encodings … --timeout
    5
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

FRAME = "edge"
"""The label of the rim."""


def cut_tiles(size: int, labels: int, seed: int) -> Iterator[list[str]]:
    """The tiles of a board, turned at random, each with its four labels clockwise from the top."""
    chance = random.Random(f"{size} {labels} {seed}")

    def label(line: int) -> str:
        return FRAME if line in (0, size) else chance.choice("abcdefghijklmnopqrstuvwxyz"[:labels])

    horizontal = [[label(line) for _ in range(size)] for line in range(size + 1)]
    vertical = [[label(line) for _ in range(size)] for line in range(size + 1)]
    cells = list(product(range(size), repeat=2))
    chance.shuffle(cells)
    for row, column in cells:
        tile = [
            horizontal[row][column],
            vertical[column + 1][row],
            horizontal[row + 1][column],
            vertical[column][row],
        ]
        turn = chance.randrange(4)
        yield tile[turn:] + tile[:turn]


def instance(size: int, labels: int, seed: int) -> str:
    """The board as an instance file."""
    tiles = "\n".join(
        f"t{i} = {tile}".replace("'", '"')
        for i, tile in enumerate(cut_tiles(size, labels, seed), 1)
    )
    title = f"{size}×{size} framed, {labels} inner labels, seed {seed}"
    return (
        f'family = "edge-matching"\ntitle = "{title}"\nboard = "square {size}x{size}"\nframe '
        f'= "{FRAME}"\n\n[tiles]\n{tiles}\n'
    )


def main() -> None:
    """Write one file per combination."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[5, 6, 7, 8])
    parser.add_argument("--labels", type=int, nargs="+", default=[3, 4, 5, 6, 7, 8])
    parser.add_argument("--seeds", type=int, default=5)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for size, labels, seed in product(
        arguments.sizes, arguments.labels, range(1, arguments.seeds + 1)
    ):
        file = arguments.folder / f"framed-{size}-{labels}-{seed}.toml"
        file.write_text(instance(size, labels, seed), encoding="utf-8")


if __name__ == "__main__":
    main()
