"""Tables: cells with the places where they meet, known by coordinates alone, without code of
jigsat.

A *slot* is a cell's part of a place where cells meet: the side of a tile at an edge, a small square
of a piece at the rim of a face. Which cells meet and how a turn of the whole table moves them is
arithmetic on vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations, product
from typing import Any

Vector = tuple[int, ...]
Cell = Hashable
Move = dict[Cell, tuple[Cell, tuple[int, ...]]]
"""Where each cell goes when the whole table is moved, and which slot of the cell each slot there
was before."""


def turns(dimensions: int) -> Iterator[tuple[bool, Callable[[Vector], Vector]]]:
    """The rotations and reflections of the square (2 dimensions) or of the cube (3) about the
    origin; True for a reflection."""
    for axes in permutations(range(dimensions)):
        swaps = sum(a > b for i, a in enumerate(axes) for b in axes[i:])
        for signs in product((1, -1), repeat=dimensions):
            yield (
                (swaps + signs.count(-1)) % 2 == 1,
                lambda v, axes=axes, signs=signs: tuple(
                    s * v[a] for a, s in zip(axes, signs, strict=True)
                ),  # type: ignore[misc]
            )


@dataclass(frozen=True, eq=False)
class Table:
    """Cells with their slots; a slot is the cell's own position and the position of the place that
    it shares."""

    cells: Mapping[Cell, tuple[tuple[Vector, Vector], ...]]
    turnings: Callable[[int], Iterator[tuple[bool, Callable[[Vector], Vector]]]] = turns

    @cached_property
    def meeting(self) -> dict[Vector, list[tuple[Cell, int]]]:
        """For each place the slots that meet there, as cell and number."""
        found: dict[Vector, list[tuple[Cell, int]]] = {}
        for cell, slots in self.cells.items():
            for i, (_, place) in enumerate(slots):
                found.setdefault(place, []).append((cell, i))
        return found

    @cached_property
    def moves(self) -> list[tuple[bool, Move]]:
        """Every rotation and reflection of the table onto itself; True for a reflection."""
        where = {
            slot: (cell, i) for cell, slots in self.cells.items() for i, slot in enumerate(slots)
        }
        found = []
        for mirrored, turn in self.turnings(len(next(iter(where))[0])):
            images = {
                cell: [where.get((turn(at), turn(place))) for at, place in slots]
                for cell, slots in self.cells.items()
            }
            move: Move = {}
            for cell, slots in images.items():
                if all(slots):
                    came_from = {i: j for j, (_, i) in enumerate(slots)}
                    move[cell] = slots[0][0], tuple(came_from[i] for i in range(len(slots)))
            if len(move) == len(self.cells):
                found.append((mirrored, move))
        return found


@cache
def rectangle(rows: int, columns: int) -> Table:
    """A grid of tiles about the origin, two units per side; the slots of (row, column) are top,
    right, bottom, left."""
    cells: dict[Cell, Any] = {}
    for row, column in product(range(rows), range(columns)):
        x, y = 2 * column - columns + 1, rows - 1 - 2 * row
        cells[row, column] = tuple(
            ((x, y), (x + dx, y + dy)) for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))
        )
    return Table(cells)


# The faces of a cube folded from the cross Top / Left Front Right / Bottom / Back: the outward
# direction, and the directions of the top and the right of the printed face. x goes right, y up, z
# towards the reader.
FACES: dict[str, tuple[Vector, Vector, Vector]] = {
    "top": ((0, 1, 0), (0, 0, -1), (1, 0, 0)),
    "left": ((-1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "front": ((0, 0, 1), (0, 1, 0), (1, 0, 0)),
    "right": ((1, 0, 0), (0, 1, 0), (0, 0, -1)),
    "bottom": ((0, -1, 0), (0, 0, 1), (1, 0, 0)),
    "back": ((0, 0, -1), (0, -1, 0), (1, 0, 0)),
}


def combined(*terms: tuple[int, Vector]) -> Vector:
    return tuple(sum(factor * vector[i] for factor, vector in terms) for i in range(3))


@cache
def faces() -> Table:
    """The six faces of a cube as cells for tiles: slots are top, right, bottom, left, each at the
    midpoint of its edge."""
    return Table(
        {
            name: tuple(
                (out, combined((1, out), (vertical, up), (horizontal, right)))
                for vertical, horizontal in ((1, 0), (0, 1), (-1, 0), (0, -1))
            )
            for name, (out, up, right) in FACES.items()
        }
    )


def border(size: int) -> list[tuple[int, int]]:
    """The small squares on the border of a piece, row by row."""
    return [(r, c) for r, c in product(range(size), repeat=2) if {r, c} & {0, size - 1}]


@cache
def solid(size: int) -> Table:
    """The six faces of a cube of size³ small cubes: a slot is a face's part of a small cube on an
    edge or corner."""
    last = size - 1
    return Table(
        {
            name: tuple(
                (out, combined((last, out), (last - 2 * r, up), (2 * c - last, right)))
                for r, c in border(size)
            )
            for name, (out, up, right) in FACES.items()
        }
    )


def turns_of_six(dimensions: int) -> Iterator[tuple[bool, Callable[[Vector], Vector]]]:
    """The rotations and reflections of the hexagonal lattice, whose points are three numbers with
    the sum 0."""
    for axes in permutations(range(dimensions)):
        swaps = sum(a > b for i, a in enumerate(axes) for b in axes[i:])
        for sign in (1, -1):
            yield swaps % 2 == 1, lambda v, axes=axes, sign=sign: tuple(sign * v[a] for a in axes)  # type: ignore[misc]


def hexagonal(cells: Mapping[Cell, Sequence[tuple[int, int]]], scale: int) -> Table:
    """Cells for tiles in the hexagonal lattice; their corners are given in rows and half columns
    times `scale`."""

    def point(row: int, half: int) -> Vector:
        # a row down is half a column to the right of the axis that leads down to the left
        return half - row, -half - row, 2 * row

    corners = {cell: [point(*corner) for corner in places] for cell, places in cells.items()}
    number = len(cells) * len(next(iter(corners.values()))) * scale
    total = combined(*((1, corner) for places in corners.values() for corner in places))
    centred = {
        cell: [combined((number, c), (-scale, total)) for c in places]
        for cell, places in corners.items()
    }
    return Table(
        {
            cell: tuple(
                (combined(*((1, c) for c in places)), combined((1, a), (1, b)))
                for a, b in zip(places, [*places[1:], places[0]], strict=True)
            )
            for cell, places in centred.items()
        },
        turns_of_six,
    )


def hexagons(cells: Sequence[tuple[int, int]]) -> Table:
    """Hexagons by row and half column; the slots start at the upper right."""
    around = [(-2, 0), (-1, 3), (1, 3), (2, 0), (1, -3), (-1, -3)]
    return hexagonal({(y, x): [(3 * y + dy, 3 * x + dx) for dy, dx in around] for y, x in cells}, 3)


def triangles(cells: Mapping[tuple[int, int], bool]) -> Table:
    """Triangles by row and half column, True if it points up; the slots start at its right, or at
    the top."""
    stands, hangs = [(0, 1), (1, 2), (1, 0)], [(0, 0), (0, 2), (1, 1)]
    return hexagonal(
        {
            (y, x): [(y + dy, x + dx) for dy, dx in (stands if up else hangs)]
            for (y, x), up in cells.items()
        },
        1,
    )


def polycube(cubes: frozenset[Vector], size: int | None = None) -> Table:
    """The faces of unit cubes at (layer, row, column): for tiles, or for pieces of a size."""
    centre = [min(axis) + max(axis) for axis in zip(*cubes, strict=True)]
    cells: dict[Cell, Any] = {}
    for cube in cubes:
        layer, row, column = (2 * x - m for x, m in zip(cube, centre, strict=True))
        at = column, -layer, row
        for name, (out, up, right) in FACES.items():
            if (
                tuple(x + step for x, step in zip(cube, (-out[1], out[2], out[0]), strict=True))
                not in cubes
            ):
                if size is None:
                    sides = [
                        combined((a, up), (b, right)) for a, b in ((1, 0), (0, 1), (-1, 0), (0, -1))
                    ]
                    cells[*cube, name] = tuple(
                        (
                            combined((5, at), (5, out)),
                            combined((5, at), (5, out), (5, side), (-1, out), (-1, side)),
                        )
                        if _apart(cubes, cube, out, side)
                        else (combined((5, at), (5, out)), combined((5, at), (5, out), (5, side)))
                        for side in sides
                    )
                else:
                    last = size - 1
                    middle = combined((last, at), (last, out))
                    cells[*cube, name] = tuple(
                        (middle, combined((1, middle), (last - 2 * r, up), (2 * c - last, right)))
                        for r, c in border(size)
                    )
    return Table(cells)


def _apart(cubes: frozenset[Vector], cube: Vector, out: Vector, side: Vector) -> bool:
    """Whether exactly one other cube touches this one along the edge at that side of a face."""
    steps = [(-v[1], v[2], v[0]) for v in (out, side)]
    beside = tuple(x + d for x, d in zip(cube, steps[1], strict=True))
    across = tuple(x + a + b for x, a, b in zip(cube, *steps, strict=True))
    return beside not in cubes and across in cubes
