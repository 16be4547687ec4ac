"""Tables: their seats, numbered from 1 clockwise or row by row, which are near each other,
symmetries, and pictures."""

import math
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from typing import Literal, NamedTuple

from jigsat.boards import DRAWN, NAMED, Board, Point, board_named, middle, unfold_board
from jigsat.errors import nearest

KINDS = (
    r"(?a:(?P<round>round) (\d{1,3})|(?P<long>long) (\d{1,3})|(?P<rows>rows) (\d{1,3})x(\d{1,3}))"
)
TABLES = ("round", "long", "rows")
WIDTH, HEIGHT = 0.64, 0.4  # half the width and height of a chair
WRITE = "'round 8', 'long 10', 'rows 3x8' or a board such as 'square 3x4'"

Pair = tuple[int, int]
# level of a symmetry, and the image of each seat
Turn = tuple[Literal["rotation", "reflection"], tuple[int, ...]]


class Table(NamedTuple):
    """A table: the number of seats, pairs of seats, symmetries with the identity first, and
    positions (x right, y down)."""

    seats: int
    beside: frozenset[Pair]
    across: frozenset[Pair]
    turns: tuple[Turn, ...]
    places: tuple[Point, ...]
    top: tuple[
        Point, ...
    ] = ()  # the corners of the table top; none if there is only a chair at each place

    @property
    def numbers(self) -> range:
        return range(1, self.seats + 1)


def is_board(shape: str) -> bool:
    """Whether a table is a board, and none of the usual ones."""
    return re.fullmatch(KINDS, " ".join(shape.split())) is None


@lru_cache(maxsize=64)
def table(shape: str) -> Table:
    """The table of a shape. Raises ValueError for an unknown one."""
    if not (found := re.fullmatch(KINDS, " ".join(shape.split()))):
        kind = (shape.split() or [""])[0].lower()
        if kind in TABLES or not nearest(kind, [*NAMED, *DRAWN]):
            raise ValueError(f"unknown table {shape!r}; write {WRITE}")
        return _board(board_named(shape))
    sizes = [int(size) for size in found.groups() if size and size.isdigit()]
    if not all(sizes):
        raise ValueError(f"the table {shape!r} has no seats; write {WRITE}")
    if found["rows"]:
        return _rows(*sizes)
    return _round(*sizes) if found["round"] else _long(*sizes)


def _pairs(pairs: Iterator[Pair]) -> frozenset[Pair]:
    """The pairs in both orders; a seat is not beside itself."""
    return frozenset(pair for a, b in pairs if a != b for pair in ((a, b), (b, a)))


def _round(n: int) -> Table:
    seats = range(1, n + 1)
    turned: list[Turn] = [("rotation", tuple((i + k) % n + 1 for i in range(n))) for k in range(n)]
    mirrored: list[Turn] = [
        ("reflection", tuple((k - i) % n + 1 for i in range(n))) for k in range(n)
    ]
    radius = max(1.25, 0.78 / math.sin(math.pi / n)) if n > 1 else 0.9
    around = [(math.sin(2 * math.pi * i / n), -math.cos(2 * math.pi * i / n)) for i in range(n)]
    out = [  # chairs farther to the side are farther out, so that all are equally near the table
        next(
            far
            for far in (radius + 0.02 * i for i in count())
            if math.hypot(max(abs(far * x) - WIDTH, 0), max(abs(far * y) - HEIGHT, 0))
            > radius - 0.42
        )
        for x, y in around
    ]
    ring = [(math.sin(math.pi * i / 24), -math.cos(math.pi * i / 24)) for i in range(48)]
    return Table(
        n,
        _pairs((i, i % n + 1) for i in seats),
        _pairs((i, (i + n // 2 - 1) % n + 1) for i in seats if n % 2 == 0),
        tuple(turned + (mirrored if n > 2 else [])),
        tuple((far * x, far * y) for far, (x, y) in zip(out, around, strict=True)),
        tuple(((radius - 0.5) * x, (radius - 0.5) * y) for x, y in ring),
    )


def _long(n: int) -> Table:
    if n % 2:
        raise ValueError(
            f"the table 'long {n}' has an odd number of seats; half of them are on each side"
        )
    half = n // 2
    one, other = range(1, half), range(half + 1, n)
    turned = tuple((i + half) % n + 1 for i in range(n))
    flipped = tuple(n - i for i in range(n))  # front and back exchanged, as in a mirror
    swapped = tuple(half - i if i < half else n + half - i for i in range(n))
    places = [(1.5 * i, 0.0) for i in range(half)] + [
        (1.5 * (half - 1 - i), 1.9) for i in range(half)
    ]
    right = 1.5 * half - 0.9
    return Table(
        n,
        _pairs((i, i + 1) for i in [*one, *other]),
        _pairs((i, n + 1 - i) for i in range(1, half + 1)),
        (
            ("rotation", tuple(range(1, n + 1))),
            ("rotation", turned),
            ("reflection", flipped),
            ("reflection", swapped),
        ),
        tuple(places),
        ((-0.6, 0.5), (right, 0.5), (right, 1.4), (-0.6, 1.4)),
    )


def _rows(rows: int, width: int) -> Table:
    n = rows * width
    mirrored = tuple(i + width - 2 * (i % width) for i in range(n))
    return Table(
        n,
        _pairs((i, i + 1) for i in range(1, n) if i % width),
        frozenset(),
        (("rotation", tuple(range(1, n + 1))), ("reflection", mirrored)),
        tuple((1.5 * (i % width), 1.1 * (i // width)) for i in range(n)),
    )


def _board(board: Board) -> Table:
    number = {cell: i for i, cell in enumerate(board.cells, 1)}
    turns: list[Turn] = []
    for motion in board.symmetries():
        images = tuple(number[motion.images[cell][0]] for cell in board.cells)
        turns.append((motion.level, images))
    layout = unfold_board(board).corners
    return Table(
        len(number),
        _pairs((number[a], number[b]) for a, b in board.graph.edges()),
        frozenset(),
        tuple(sorted(turns, key=lambda turn: turn[1] != tuple(range(1, len(number) + 1)))),
        tuple((1.5 * x, 1.5 * y) for x, y in (middle(layout[cell])[:2] for cell in board.cells)),
    )
