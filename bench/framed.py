"""Random framed edge-matching boards as instance files: python bench/framed.py FOLDER [--sizes …]
[--labels …] [--published 7_3_6 …] [--lists FILE …] [--seeds 5]

A square board is filled with random labels, with a separate label on the rim, and cut into tiles,
which are turned and shuffled. With few inner labels there are many solutions, with many labels the
search is short; in between the boards are hard, and larger boards are harder. The encodings of edge
matching are compared on the 120 boards of the default settings and on the fish puzzles:

    python bench/framed.py /tmp/framed
    jigsat compare /tmp/framed/*.toml fish fish-plain --backends cadical195 --encodings … --timeout
    5

--published writes boards with parameters from the literature instead: 7_3_6 has 7x7 tiles that are
all different, 3 labels for the edges along the border and 6 others for the inner ones, as in M. J.
H. Heule, 'Solving edge-matching problems with satisfiability solvers', 2008. His own boards are in
https://github.com/marijnheule/edge-matching/tree/master/benchmarks; --lists reads such files, and
other scripts look for them in bench/published. They
list the tiles as they lie in the solution, so that a solver that tries variables in their order
finds it at once; here the tiles are shuffled and turned.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path

PUBLISHED = Path(__file__).parent / "published"
"""The folder for published lists of tiles, which are not part of jigsat."""

FRAME = "edge"
"""The label of the rim."""
WORSE = 0.02  # the fraction of changes to more tiles alike that are kept
MAX_CHANGES = 100_000  # labels that are changed until all tiles are different


class Board:
    """A square board with random labels on its edges.

    With `border`, edges between two cells of the border have this number of labels of their own.
    """

    def __init__(self, chance: random.Random, size: int, labels: int, border: int = 0) -> None:
        self._chance = chance
        self.size = size
        self._inner_labels = "abcdefghijklmnopqrstuvwxyz"[:labels]
        self._border_labels = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:border] or self._inner_labels
        # An edge lies on a line, at a place: a row or column of the cells beside it.
        self._horizontal = self._choose_labels()
        self._vertical = self._choose_labels()

    def _choose_labels(self) -> list[list[str]]:
        lines = range(self.size + 1)
        return [[self._choose_label(line, i) for i in range(self.size)] for line in lines]

    def _choose_label(self, line: int, place: int) -> str:
        if line in (0, self.size):
            return FRAME
        is_border = place in (0, self.size - 1)
        return self._chance.choice(self._border_labels if is_border else self._inner_labels)

    def tile(self, row: int, column: int) -> list[str]:
        """The labels of a cell, clockwise from the top."""
        return [
            self._horizontal[row][column],
            self._vertical[column + 1][row],
            self._horizontal[row + 1][column],
            self._vertical[column][row],
        ]

    def cut(self) -> Iterator[list[str]]:
        """The tiles in a random order, turned at random."""
        cells = list(product(range(self.size), repeat=2))
        self._chance.shuffle(cells)
        for row, column in cells:
            tile = self.tile(row, column)
            turn = self._chance.randrange(4)
            yield tile[turn:] + tile[:turn]

    def list_alike(self) -> list[tuple[int, int]]:
        """The cells whose tiles are like that of another cell, up to turning."""
        cells: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        for row, column in product(range(self.size), repeat=2):
            tile = self.tile(row, column)
            turned = min(tuple(tile[i:] + tile[:i]) for i in range(4))
            cells.setdefault(turned, []).append((row, column))
        return [cell for alike in cells.values() if len(alike) > 1 for cell in alike]

    def make_different(self) -> None:
        """Choose other labels beside tiles that are alike, until all tiles are different."""
        alike = self.list_alike()
        for _ in range(MAX_CHANGES):
            if not alike:
                return
            row, column = self._chance.choice(alike)
            lines, line, place = self._chance.choice(
                [(self._horizontal, row, column), (self._vertical, column, row)]
            )
            before = lines[line][place]
            lines[line][place] = self._choose_label(line, place)
            now = self.list_alike()
            if len(now) > len(alike) and self._chance.random() > WORSE:
                lines[line][place] = before
            else:
                alike = now
        raise SystemExit(f"after {MAX_CHANGES} changes of labels, tiles are still alike")


def cut_tiles(size: int, labels: int, seed: int) -> Iterator[list[str]]:
    """The tiles of a board, turned at random, each with its four labels clockwise from the top."""
    return Board(random.Random(f"{size} {labels} {seed}"), size, labels).cut()


def cut_different_tiles(size: int, border: int, labels: int, seed: int) -> list[list[str]]:
    """The same for a board with labels for its border, whose tiles are all different."""
    chance = random.Random(f"{size} {border} {labels} {seed}")
    board = Board(chance, size, labels, border)
    board.make_different()
    return list(board.cut())


def instance(size: int, labels: int, seed: int) -> str:
    """The board as an instance file."""
    title = f"{size}×{size} framed, {labels} inner labels, seed {seed}"
    return write_board(title, size, cut_tiles(size, labels, seed))


def published_instance(size: int, border: int, labels: int, seed: int) -> str:
    """A board with published parameters as an instance file."""
    title = f"{size}×{size} framed, {border} border labels, {labels} inner labels, seed {seed}"
    return write_board(title, size, cut_different_tiles(size, border, labels, seed))


def write_board(title: str, size: int, tiles: Iterable[list[str]]) -> str:
    lines = [f"t{i} = {tile}".replace("'", '"') for i, tile in enumerate(tiles, 1)]
    entries = [
        'family = "edge-matching"',
        f'title = "{title}"',
        f'board = "square {size}x{size}"',
        f'frame = "{FRAME}"',
    ]
    return "\n".join([*entries, "", "[tiles]", *lines]) + "\n"


def write_published(folder: Path, names: Iterable[str], seeds: int) -> None:
    """One file for each name, such as 7_3_6, and seed."""
    for name, seed in product(names, range(1, seeds + 1)):
        size, border, labels = map(int, name.split("_"))
        file = folder / f"{name}-{seed}.toml"
        file.write_text(published_instance(size, border, labels, seed), encoding="utf-8")


def list_published() -> list[Path]:
    """The published lists that are in the folder for them."""
    return sorted(PUBLISHED.glob("em_*.txt"))


def write_lists(folder: Path, files: Iterable[Path], seeds: int) -> list[Path]:
    """One file for each published list and seed."""
    written = []
    for file, seed in product(files, range(1, seeds + 1)):
        rows = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
        tiles = [row for row in rows if len(row) == 4]
        chance = random.Random(f"{file.stem} {seed}")
        chance.shuffle(tiles)
        for i, tile in enumerate(tiles):
            turn = chance.randrange(4)
            tiles[i] = [FRAME if label == "0" else label for label in tile[turn:] + tile[:turn]]
        board = write_board(f"{file.stem}, shuffled by {seed}", math.isqrt(len(tiles)), tiles)
        written.append(folder / f"{file.stem}-{seed}.toml")
        written[-1].write_text(board, encoding="utf-8")
    return written


def main() -> None:
    """Write one file per combination."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[5, 6, 7, 8])
    parser.add_argument("--labels", type=int, nargs="+", default=[3, 4, 5, 6, 7, 8])
    parser.add_argument("--published", nargs="+", metavar="N_B_C", default=[])
    parser.add_argument("--lists", nargs="+", type=Path, metavar="FILE", default=[])
    parser.add_argument("--seeds", type=int, default=5)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if arguments.published or arguments.lists:
        write_published(arguments.folder, arguments.published, arguments.seeds)
        write_lists(arguments.folder, arguments.lists, arguments.seeds)
        return
    for size, labels, seed in product(
        arguments.sizes, arguments.labels, range(1, arguments.seeds + 1)
    ):
        file = arguments.folder / f"framed-{size}-{labels}-{seed}.toml"
        file.write_text(instance(size, labels, seed), encoding="utf-8")


if __name__ == "__main__":
    main()
