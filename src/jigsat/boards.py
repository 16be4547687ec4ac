"""Boards: cells that meet along their sides, in the plane or around a solid.

A board is given by geometry alone: each cell is a polygon, its corners listed clockwise as seen from the printed side
(from outside, on a solid). Side i runs from corner i to corner i + 1. Sides with the same midpoint are one *edge*,
corners at the same point one *vertex*; which cells touch, how, and what the symmetries are follows from that.

>>> board = grid(2, 3)
>>> len(board.cells), len(board.edges), len(board.vertices)
(6, 17, 12)
>>> [len([s for s in named("cube").symmetries() if not s.mirrored]), len(named("cube").symmetries())]
[24, 48]
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    import networkx

Cell = Hashable
Point = tuple[float, ...]
T = TypeVar("T")


class Orientation(NamedTuple):
    """How a piece lies: turned over or not (side 0 stays, left becomes right), then turned clockwise by `turn` sides."""

    turn: int
    flipped: bool = False

    def apply(self, rim: Sequence[T], sides: int) -> tuple[T, ...]:
        """The rim of a piece after it is laid so.

        A rim goes clockwise around the piece: for each side the corner at its start, then the same number of spots
        along it; its length is a multiple of `sides`.

        >>> Orientation(1).apply("A.B.C.D.", 4)
        ('D', '.', 'A', '.', 'B', '.', 'C', '.')
        >>> Orientation(0, flipped=True).apply("AaBbCcDd", 4)
        ('B', 'a', 'A', 'd', 'D', 'c', 'C', 'b')
        """
        step = len(rim) // sides
        if self.flipped:
            rim = [rim[step - i] for i in range(len(rim))]
        start = (-self.turn * step) % len(rim)
        return (*rim[start:], *rim[:start])

    def side(self, side: int, sides: int) -> int:
        """Where side `side` of the piece comes to lie."""
        return (self.turn + (-side if self.flipped else side)) % sides


class Incidence(NamedTuple):
    """A cell's side at an edge; two sides of which one is `forward` and one not run along the edge in opposite directions."""

    cell: Cell
    side: int
    forward: bool


class Spot(NamedTuple):
    """A position on the rim of a cell, counted as `Orientation.apply` counts."""

    cell: Cell
    position: int


@dataclass(frozen=True)
class BoardSymmetry:
    """An automorphism of a board: each cell goes to a cell, and what lies on it is turned (and mirrored) on the way."""

    images: Mapping[Cell, tuple[Cell, Orientation]]
    mirrored: bool


@dataclass(frozen=True, eq=False)
class Board:
    """Cells as polygons with everything that follows from them.

    `wrap` makes a torus or a cylinder: coordinates count modulo its entries where they are not zero. `net` says from
    which neighbour each cell is folded out when a solid is drawn flat; without it a breadth-first tree is taken.
    """

    name: str
    polygons: Mapping[Cell, tuple[Point, ...]]
    wrap: tuple[int, ...] = ()
    net: Mapping[Cell, Cell] = field(default_factory=dict)

    @property
    def cells(self) -> tuple[Cell, ...]:
        return tuple(self.polygons)

    def sides(self, cell: Cell) -> int:
        """The number of sides of a cell."""
        return len(self.polygons[cell])

    @cached_property
    def edges(self) -> tuple[tuple[Incidence, ...], ...]:
        """Every edge as the sides that lie on it: one on the rim, two inside, more where a solid touches itself."""
        found: dict[Point, list[Incidence]] = {}
        directions: dict[Point, Point] = {}
        for cell, corners in self.polygons.items():
            for side, (start, end) in enumerate(zip(corners, corners[1:] + corners[:1], strict=True)):
                middle = self.at((a + b) / 2 for a, b in zip(start, end, strict=True))
                vector = tuple(b - a for a, b in zip(start, end, strict=True))
                along = sum(a * b for a, b in zip(directions.setdefault(middle, vector), vector, strict=True))
                found.setdefault(middle, []).append(Incidence(cell, side, along > 0))
        return tuple(tuple(incidences) for incidences in found.values())

    @cached_property
    def vertices(self) -> tuple[tuple[tuple[Cell, int], ...], ...]:
        """Every vertex as the (cell, corner) pairs that meet there."""
        found: dict[Point, list[tuple[Cell, int]]] = {}
        for cell, corners in self.polygons.items():
            for corner, point in enumerate(corners):
                found.setdefault(self.at(point), []).append((cell, corner))
        return tuple(tuple(corners) for corners in found.values())

    def at(self, point: Iterable[float]) -> Point:
        """The point as a key: rounded, and wrapped around where the board is."""
        wrap = self.wrap or (0,) * 3
        return tuple(round(x % w if w else x, 6) + 0.0 for x, w in zip(point, wrap, strict=False))

    def edge_places(self, spots: int) -> list[list[Spot]]:
        """The places along the edges when each side has `spots` of them: for each place the spots that touch there."""
        return [
            [
                Spot(cell, side * (spots + 1) + 1 + (j if forward == edge[0].forward else spots - 1 - j))
                for cell, side, forward in edge
            ]
            for edge in self.edges
            for j in range(spots)
        ]

    def vertex_places(self, spots: int) -> list[list[Spot]]:
        """The places at the vertices: for each the spots that meet there, when each side has `spots` spots."""
        return [[Spot(cell, corner * (spots + 1)) for cell, corner in vertex] for vertex in self.vertices]

    @cached_property
    def graph(self) -> networkx.MultiGraph[Cell]:
        """The cells, joined once for every edge they share; edge data `sides` gives the two sides by cell."""
        import networkx

        graph: networkx.MultiGraph[Cell] = networkx.MultiGraph()
        graph.add_nodes_from(self.cells)
        for edge in self.edges:
            for i, (cell, side, _) in enumerate(edge):
                for other, other_side, _ in edge[i + 1 :]:
                    graph.add_edge(cell, other, sides=((cell, side), (other, other_side)))
        return graph

    # -- symmetry

    @cached_property
    def _across(self) -> dict[tuple[Cell, int], tuple[Cell, int]]:
        """For each side on an edge of two, the side it meets."""
        across = {}
        for edge in self.edges:
            if len(edge) == 2:
                (a, i, _), (b, j, _) = edge
                across[a, i], across[b, j] = (b, j), (a, i)
        return across

    def symmetries(self) -> list[BoardSymmetry]:
        """All automorphisms, found by a walk: where one flag (cell, side, handedness) goes decides the rest."""
        root = self.cells[0]
        walks = (
            self._walk(root, cell, Orientation(turn, mirrored))
            for mirrored in (False, True)
            for cell in self.cells
            for turn in range(self.sides(cell))
        )
        return [symmetry for symmetry in walks if symmetry]

    def _walk(self, root: Cell, image: Cell, orientation: Orientation) -> BoardSymmetry | None:
        images = {root: (image, orientation)}
        queue = deque([root])
        while queue:
            cell = queue.popleft()
            target, lies = images[cell]
            sides = self.sides(cell)
            if self.sides(target) != sides:
                return None
            for side in range(sides):
                here, there = self._across.get((cell, side)), self._across.get((target, lies.side(side, sides)))
                if here is None or there is None:
                    if here is not there:
                        return None
                    continue
                neighbour, its_side = here
                sign = -1 if lies.flipped else 1
                turn = (there[1] - sign * its_side) % self.sides(there[0])
                expected = (there[0], Orientation(turn, lies.flipped))
                if neighbour not in images:
                    images[neighbour] = expected
                    queue.append(neighbour)
                elif images[neighbour] != expected:
                    return None
        bijective = len({target for target, _ in images.values()}) == len(self.cells)
        return BoardSymmetry(images, orientation.flipped) if bijective and self._keeps_vertices(images) else None

    def _keeps_vertices(self, images: Mapping[Cell, tuple[Cell, Orientation]]) -> bool:
        def image(cell: Cell, corner: int) -> tuple[Cell, int]:
            target, lies = images[cell]
            # a flip about the middle of side 0 swaps corners 0 and 1
            moved = lies.turn + (1 - corner if lies.flipped else corner)
            return target, moved % self.sides(cell)

        vertices = {frozenset(vertex) for vertex in self.vertices}
        return all(frozenset(image(*corner) for corner in vertex) in vertices for vertex in self.vertices)

    # -- pictures

    def layout(self) -> dict[Cell, tuple[Point, ...]]:
        """Each cell's corners in the plane (x right, y down): as the board lies, or a solid's surface folded out."""
        if all(len(point) == 2 for corners in self.polygons.values() for point in corners):
            return dict(self.polygons)
        return self._unfold()

    def _unfold(self) -> dict[Cell, tuple[Point, ...]]:
        import networkx

        root = next(cell for cell in self.cells if cell not in self.net)
        parents = self.net or {child: parent for parent, child in networkx.bfs_edges(self.graph, root)}
        flat = {root: _flat(self.polygons[root])}
        while len(flat) < len(self.cells):
            for child, parent in parents.items():
                if child in flat or parent not in flat:
                    continue
                side, its_side = next(
                    (i, self._across[parent, i][1]) for i in range(self.sides(parent)) if self._across[parent, i][0] == child
                )
                hinge = flat[parent][(side + 1) % self.sides(parent)], flat[parent][side]
                flat[child] = _laid_on(_flat(self.polygons[child]), its_side, *hinge)
        return flat


def _flat(polygon: Sequence[Point]) -> tuple[Point, ...]:
    """A polygon in space as the same polygon in the plane, side 0 from the origin to the right, clockwise on the screen."""
    origin, along = polygon[0], [b - a for a, b in zip(polygon[0], polygon[1], strict=True)]
    length = math.hypot(*along)
    x_axis = [a / length for a in along]
    flat = []
    for point in polygon:
        vector = [b - a for a, b in zip(origin, point, strict=True)]
        x = sum(a * b for a, b in zip(vector, x_axis, strict=True))
        y = math.sqrt(max(0.0, sum(a * a for a in vector) - x * x))
        flat.append((round(x, 6), round(y, 6)))
    return tuple(flat)


def _laid_on(polygon: Sequence[Point], side: int, start: Point, end: Point) -> tuple[Point, ...]:
    """The polygon moved in the plane such that its side `side` runs from `start` to `end`."""
    points = [complex(*point) for point in polygon]
    here, there = points[side], points[(side + 1) % len(points)]
    turn = (complex(*end) - complex(*start)) / (there - here)
    moved = [(point - here) * turn + complex(*start) for point in points]
    return tuple((round(point.real, 6) + 0.0, round(point.imag, 6) + 0.0) for point in moved)


# -- boards by name


def grid(rows: int, columns: int) -> Board:
    """A rectangular board; its cells are (row, column), counted from 0 at the top left, its sides top, right, bottom, left."""
    polygons: dict[Cell, tuple[Point, ...]] = {
        (r, c): ((c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)) for r in range(rows) for c in range(columns)
    }
    return Board(f"square {rows}x{columns}", polygons)


def torus(rows: int, columns: int) -> Board:
    """A rectangular board that goes on at the opposite side: no rim, and every cell has a neighbour on each side.

    With two rows, two cells meet along two edges; with one, a cell meets itself.

    >>> len(torus(4, 4).symmetries()), len(torus(1, 3).edges), len(torus(1, 3).vertices)
    (128, 6, 3)
    """
    return Board(f"torus {rows}x{columns}", grid(rows, columns).polygons, wrap=(columns, rows))


def cube() -> Board:
    """The six faces of a cube: front towards you, the others as they fold out around it, back below bottom."""
    a, b, c, d = (0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)  # the front, clockwise from its top left
    e, f, g, h = (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)  # the points behind them
    polygons: dict[Cell, tuple[Point, ...]] = {
        "top": (e, f, b, a),
        "left": (e, a, d, h),
        "front": (a, b, c, d),
        "right": (b, f, g, c),
        "bottom": (d, c, g, h),
        "back": (h, g, f, e),
    }
    net: dict[Cell, Cell] = {"top": "front", "left": "front", "right": "front", "bottom": "front", "back": "bottom"}
    return Board("cube", polygons, net=net)


def named(description: str) -> Board:
    """The board of a description such as 'square 3x4' or 'cube'. Raises ValueError for one that is not understood."""
    words = description.split()
    if words == ["cube"]:
        return cube()
    sized = {"square": grid, "torus": torus}
    if len(words) == 2 and words[0] in sized and (size := re.fullmatch(r"([1-9]\d{0,2})x([1-9]\d{0,2})", words[1])):
        return sized[words[0]](int(size[1]), int(size[2]))
    raise ValueError(f"no board {description!r}; there are 'square ROWSxCOLUMNS', 'torus ROWSxCOLUMNS' and 'cube'")
