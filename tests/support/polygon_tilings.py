"""Tilings of named boards solved by a search that shares no code with jigsat, and random ones:
cells as polygons."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from hypothesis import strategies as st

Point = tuple[int, int]
Tile = frozenset[Point]
"""A cell: the middle of a square or a hexagon, or the corners of a triangle."""

Move = Callable[[Point], Point]
Picture = frozenset[tuple[int, frozenset[Tile]]]


def quarter(point: Point) -> Point:
    return point[1], -point[0]


def sixth(point: Point) -> Point:
    """A turn by 60 degrees of points in rows, with the columns between them half as far apart."""
    y, x = point
    return (y + x) // 2, (x - 3 * y) // 2


def moves(kind: str, *, turning: bool = True, mirrored: bool = True) -> Iterator[tuple[Move, bool]]:
    turn, number = (quarter, 4) if kind == "squares" else (sixth, 6)
    for over, times in product((False, True)[: 1 + mirrored], range(number if turning else 1)):

        def move(point: Point, over: bool = over, times: int = times) -> Point:
            point = (point[0], -point[1]) if over else point
            for _ in range(times):
                point = turn(point)
            return point

        yield move, over


def tile(kind: str, row: int, column: int, up: bool = True) -> Tile:
    if kind != "triangles":
        return frozenset([(row, column)])
    return frozenset([(row + (not up), column), (row + up, column - 1), (row + up, column + 1)])


def drawing(kind: str, piece: frozenset[Tile]) -> str:
    """The piece in a drawing of its kind."""
    at = {}
    for one in piece:
        rows = sorted(y for y, _ in one)
        up = rows[-1] == rows[len(rows) // 2]
        at[rows[0], sorted(x for _, x in one)[len(one) // 2]] = (
            "#" if kind != "triangles" else "^" if up else "v"
        )
    (top, low), (left, right) = ((min(axis), max(axis) + 1) for axis in zip(*at, strict=True))
    empty = "." if kind == "squares" else " "
    return "\n".join(
        "".join(at.get((y, x), empty) for x in range(left, right)).rstrip() for y in range(top, low)
    )


@dataclass(frozen=True)
class Twin:
    """A puzzle as plain data: the cells of the board by name, and pieces with the minimum and
    maximum number of uses."""

    kind: str
    board: str
    cells: dict[Point, Tile]
    wrap: Point
    pieces: tuple[tuple[frozenset[Tile], int, int], ...]
    left_over: int = 0
    turning: bool = True
    turning_over: bool = True

    def on_board(self, one: Tile) -> Tile:
        rows, columns = self.wrap
        return frozenset((y % rows if rows else y, x % columns if columns else x) for y, x in one)

    def home(self, tiles: frozenset[Tile]) -> frozenset[Tile]:
        y, x = min(point for one in tiles for point in one)
        return frozenset(frozenset((b - y, a - x) for b, a in one) for one in tiles)

    def looks(self, piece: frozenset[Tile], *more: Move) -> frozenset[frozenset[Tile]]:
        ways = [
            move for move, _ in moves(self.kind, turning=self.turning, mirrored=self.turning_over)
        ]
        found = set()
        for way in ways:
            tiles = frozenset(frozenset(map(way, one)) for one in piece)
            for move in more:
                tiles = frozenset(frozenset(map(move, one)) for one in tiles)
            found.add(self.home(tiles))
        return frozenset(found)

    @cached_property
    def classes(self) -> dict[frozenset[frozenset[Tile]], tuple[int, int]]:
        found: dict[frozenset[frozenset[Tile]], tuple[int, int]] = {}
        for piece, least, most in self.pieces:
            low, high = found.get(self.looks(piece), (0, 0))
            found[self.looks(piece)] = low + least, high + most
        return found

    def lying(self, looks: frozenset[frozenset[Tile]]) -> set[frozenset[Tile]]:
        """The sets of cells that a piece can cover."""
        board, points = (
            set(self.cells.values()),
            {point for one in self.cells.values() for point in one},
        )
        found = set()
        for look, (to_y, to_x) in product(looks, points):
            y, x = min(point for one in look for point in one)
            if self.kind == "squares" or (to_y - y + to_x - x) % 2 == 0:
                there = [
                    self.on_board(frozenset((b - y + to_y, a - x + to_x) for b, a in one))
                    for one in look
                ]
                if len(set(there)) == len(there) and board.issuperset(there):
                    found.add(frozenset(there))
        return found

    def solutions(self) -> Iterator[Picture]:
        order = list(self.cells.values())
        places = [self.lying(looks) for looks in self.classes]
        bounds = list(self.classes.values())

        def search(
            free: frozenset[Tile], left: int, done: tuple[tuple[int, frozenset[Tile]], ...]
        ) -> Iterator[Picture]:
            first = next((one for one in order if one in free), None)
            used = [sum(number == i for i, _ in done) for number in range(len(bounds))]
            if first is None:
                if left == 0 and all(
                    low <= times for times, (low, _) in zip(used, bounds, strict=True)
                ):
                    yield frozenset(done)
                return
            if left:
                yield from search(free - {first}, left - 1, done)
            for number, there in enumerate(places):
                for one in there:
                    if first in one and one <= free and used[number] < bounds[number][1]:
                        yield from search(free - one, left, (*done, (number, one)))

        yield from search(frozenset(order), self.left_over, ())

    def orbits(self, solutions: set[Picture], level: str) -> int:
        """The number of solutions up to the motions of the board."""
        board, points = (
            set(self.cells.values()),
            [point for one in self.cells.values() for point in one],
        )
        classes, movers = list(self.classes), []
        for move, over in moves(self.kind):
            rows, columns = self.wrap
            if (over and level == "rotation") or any(
                any(self.on_board(frozenset([move(p)])) != {(0, 0)} for p in ps)
                for ps in [[(rows, 0), (0, columns)]]
            ):
                continue
            kinds = [
                frozenset(
                    self.home(frozenset(frozenset(map(move, t)) for t in look)) for look in looks
                )
                for looks in classes
            ]
            used = [i for i, looks in enumerate(classes) if self.lying(looks)]
            if any(
                kinds[i] not in self.classes or self.classes[kinds[i]] != self.classes[classes[i]]
                for i in used
            ):
                continue
            first = move(points[0])
            for y, x in points:

                def to(
                    point: Point, dy: int = y - first[0], dx: int = x - first[1], move: Move = move
                ) -> Point:
                    b, a = move(point)
                    return b + dy, a + dx

                if {self.on_board(frozenset(map(to, one))) for one in board} == board:
                    movers.append((to, {i: classes.index(kinds[i]) for i in used}))
        rest, number = set(solutions), 0
        while rest:
            picture = next(iter(rest))
            number += 1
            for to, kind in movers:
                rest.discard(
                    frozenset(
                        (kind[i], frozenset(self.on_board(frozenset(map(to, t))) for t in tiles))
                        for i, tiles in picture
                    )
                )
        return number

    def data(self) -> dict[str, Any]:
        pieces = {
            f"p{i}": {"shape": drawing(self.kind, piece), "uses": [low, high]}
            for i, (piece, low, high) in enumerate(self.pieces)
        }
        flags = {
            "turning": self.turning,
            "turning_over": self.turning_over,
            "left_over": self.left_over,
        }
        return {"family": "tiling", "board": self.board, "pieces": pieces, **flags}

    def seen(self, placements: Any) -> list[tuple[int, frozenset[Tile]]]:
        """The class and the cells of each placement."""
        classes = list(self.classes)
        return [
            (
                classes.index(self.looks(self.pieces[int(name[1:])][0])),
                frozenset(self.cells[cell] for cell in cells),
            )
            for name, cells in placements
        ]


def board_of(rng: random.Random) -> tuple[str, str, dict[Point, Tile], Point]:
    """The kind, the description, the cells and the wrapping of a small board."""
    kind = rng.choice(["squares", "hexagons", "triangles"])
    if kind == "squares":
        name, rows, columns = (
            rng.choice(["torus", "torus", "cylinder", "square"]),
            rng.randint(1, 3),
            rng.randint(1, 4),
        )
        wrap = {"torus": (rows, columns), "cylinder": (0, columns), "square": (0, 0)}[name]
        cells = {(y, x): tile(kind, y, x) for y in range(rows) for x in range(columns)}
        return kind, f"{name} {rows}x{columns}", cells, wrap
    if rng.random() < 0.3:
        if kind == "hexagons":
            cells = {
                (y, x): tile(kind, y, x - 1)
                for y, x in [(0, 1), (0, 3), (1, 0), (1, 2), (1, 4), (2, 1), (2, 3)]
            }
            return kind, "hexagon 2", cells, (0, 0)
        cells = {
            (y, x): tile(kind, y, x, (x + y) % 2 == 0)
            for y in range(3)
            for x in range(2 - y, 3 + y)
        }
        return kind, "triangle 3", cells, (0, 0)
    start = rng.randrange(2)
    at = [
        (y, x)
        for y in range(3)
        for x in range(5 if kind == "hexagons" else 4)
        if kind != "hexagons" or (x + y + start) % 2
    ]
    at = [one for one in at if rng.random() < 0.85] or at
    up = {(y, x): (x + y + start) % 2 == 0 for y, x in at}
    tiles = [tile(kind, y, x + start + (kind == "hexagons"), up[y, x]) for y, x in at]
    drawn = drawing(kind, frozenset(tiles))
    top, left = min(y for y, _ in at), min(x for _, x in at)
    return (
        kind,
        f"{kind}\n{drawn}",
        {(y - top, x - left): one for (y, x), one in zip(at, tiles, strict=True)},
        (0, 0),
    )


def near(kind: str, one: Tile, other: Tile, wrap: Point) -> bool:
    if kind == "triangles":
        return len(one & other) == 2
    (y, x), (b, a) = next(iter(one)), next(iter(other))
    far = [min(d % w, -d % w) if w else abs(d) for d, w in ((y - b, wrap[0]), (x - a, wrap[1]))]
    return sum(far) == 1 if kind == "squares" else far in ([0, 2], [1, 1])


def random_twin(rng: random.Random) -> Twin:
    """A puzzle with pieces cut from the board and then moved; some are changed in number."""
    kind, board, cells, wrap = board_of(rng)
    free, left_over = set(cells.values()), min(rng.choice([0, 0, 1]), len(cells) - 1)
    pieces: list[tuple[frozenset[Tile], int, int]] = []
    while len(free) > left_over:
        piece = [rng.choice(sorted(free, key=sorted))]
        for _ in range(min(rng.choice([0, 1, 1, 2, 3]), len(free) - left_over - 1)):
            touching = [
                one
                for one in free - set(piece)
                if any(near(kind, one, its, (0, 0)) for its in piece)
            ]
            piece += [rng.choice(sorted(touching, key=sorted))] if touching else []
        free -= set(piece)
        move, _ = rng.choice(list(moves(kind)))
        pieces.append(
            (
                frozenset(frozenset(map(move, one)) for one in piece),
                *rng.choice([(1, 1), (1, 1), (0, 2)]),
            )
        )
    return Twin(
        kind, board, cells, wrap, tuple(pieces), left_over, rng.random() < 0.8, rng.random() < 0.7
    )


twins = st.integers(0, 2**32).map(lambda seed: random_twin(random.Random(seed)))
