"""Tables: their seats, numbered from 1 clockwise or row by row, which are near each other,
symmetries, and pictures."""

import math
import re
from collections.abc import Iterable
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
TOP_CORNERS = 48  # of the polygon that is drawn as a round table
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
    # the corners of the table top; none if there is only a chair at each place
    top: tuple[Point, ...] = ()

    @property
    def numbers(self) -> range:
        return range(1, self.seats + 1)


def is_board(shape: str) -> bool:
    """Whether a table is a board, and none of the usual ones."""
    return re.fullmatch(KINDS, " ".join(shape.split())) is None


@lru_cache(maxsize=64)
def table(shape: str) -> Table:
    """The table of a shape. Raises ValueError for an unknown one."""
    usual = re.fullmatch(KINDS, " ".join(shape.split()))
    if usual is None:
        kind = (shape.split() or [""])[0].lower()
        if kind in TABLES or not nearest(kind, [*NAMED, *DRAWN]):
            raise ValueError(f"unknown table {shape!r}; write {WRITE}")
        return _board(board_named(shape))
    sizes = [int(size) for size in usual.groups() if size and size.isdigit()]
    if not all(sizes):
        raise ValueError(f"the table {shape!r} has no seats; write {WRITE}")
    if usual["rows"]:
        return _rows(*sizes)
    if usual["round"]:
        return _round(*sizes)
    return _long(*sizes)


def _pairs(pairs: Iterable[Pair]) -> frozenset[Pair]:
    """The pairs in both orders; a seat is not beside itself."""
    both_orders = set()
    for a, b in pairs:
        if a != b:
            both_orders |= {(a, b), (b, a)}
    return frozenset(both_orders)


def _round(n: int) -> Table:
    turns: list[Turn] = []
    for k in range(n):
        turns.append(("rotation", tuple((i + k) % n + 1 for i in range(n))))
    if n > 2:
        for k in range(n):
            turns.append(("reflection", tuple((k - i) % n + 1 for i in range(n))))

    seats = range(1, n + 1)
    beside = _pairs((i, i % n + 1) for i in seats)
    across: frozenset[Pair] = frozenset()
    if n % 2 == 0:
        across = _pairs((i, (i + n // 2 - 1) % n + 1) for i in seats)

    radius = max(1.25, 0.78 / math.sin(math.pi / n)) if n > 1 else 0.9
    places = tuple(_place_chair(*_point_on_circle(i, n), radius) for i in range(n))
    corners = [_point_on_circle(i, TOP_CORNERS) for i in range(TOP_CORNERS)]
    top = tuple(((radius - 0.5) * x, (radius - 0.5) * y) for x, y in corners)
    return Table(n, beside, across, tuple(turns), places, top)


def _point_on_circle(i: int, n: int) -> tuple[float, float]:
    """The i-th of n equally spaced points, clockwise from the top."""
    angle = 2 * math.pi * i / n
    return math.sin(angle), -math.cos(angle)


def _place_chair(x: float, y: float, radius: float) -> Point:
    """A chair in this direction. Those farther to the side are farther out, so that all are equally
    near the table."""
    for i in count():
        far = radius + 0.02 * i
        from_table = math.hypot(max(abs(far * x) - WIDTH, 0), max(abs(far * y) - HEIGHT, 0))
        if from_table > radius - 0.42:
            return far * x, far * y
    raise AssertionError("a chair is far enough at some distance")


def _long(n: int) -> Table:
    if n % 2:
        raise ValueError(
            f"the table 'long {n}' has an odd number of seats; half of them are on each side"
        )
    half = n // 2
    one = range(1, half)
    other = range(half + 1, n)
    turned = tuple((i + half) % n + 1 for i in range(n))
    flipped = tuple(n - i for i in range(n))  # front and back exchanged, as in a mirror
    swapped = tuple(half - i if i < half else n + half - i for i in range(n))
    near_side = [(1.5 * i, 0.0) for i in range(half)]
    far_side = [(1.5 * (half - 1 - i), 1.9) for i in range(half)]
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
        tuple(near_side + far_side),
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
    identity = tuple(number.values())
    turns: list[Turn] = []
    for motion in board.symmetries():
        images = tuple(number[motion.images[cell][0]] for cell in board.cells)
        turns.append((motion.level, images))
    turns.sort(key=lambda turn: turn[1] != identity)  # the identity first

    layout = unfold_board(board).corners
    places = []
    for cell in board.cells:
        x, y = middle(layout[cell])[:2]
        places.append((1.5 * x, 1.5 * y))
    beside = _pairs((number[a], number[b]) for a, b in board.graph.edges())
    return Table(len(number), beside, frozenset(), tuple(turns), tuple(places))
