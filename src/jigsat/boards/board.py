"""Boards: cells that meet along their sides, in the plane or around a solid.

A board is given by geometry alone: each cell is a polygon, its corners listed clockwise as seen from the printed side
(from outside, on a solid). Side i runs from corner i to corner i + 1. Sides with the same midpoint are one *edge*,
corners at the same point one *vertex*; which cells touch, how, and what the symmetries are follows from that.

Two sides on an edge make a *seam*: from one cell the surface goes on to the other. Where two cubes of a solid touch along an
edge alone, four faces meet on it and make two seams: each face goes with the other face of its own cube, as if the cubes
were a hair apart. So two cubes that touch along an edge, or at a corner, are two surfaces that share places.

>>> square = ((0, 0), (1, 0), (1, 1), (0, 1))
>>> board = Board("domino", {c: tuple((x + c, y) for x, y in square) for c in (0, 1)})
>>> len(board.cells), len(board.edges), len(board.vertices), len(board.symmetries())
(2, 7, 6, 4)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

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

    def after(self, first: Orientation, sides: int) -> Orientation:
        """How a piece lies that was laid as `first` and is then laid so with all that it lies on."""
        return Orientation(self.side(first.turn, sides), self.flipped != first.flipped)


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

    @property
    def level(self) -> Literal["rotation", "reflection"]:
        """The level of equivalence to which it belongs."""
        return "reflection" if self.mirrored else "rotation"


def middle(points: Sequence[Point]) -> Point:
    """The mean of some points."""
    return tuple([sum(values) / len(points) for values in zip(*points, strict=True)])


def minus(a: Point, b: Point) -> Point:
    """The vector from b to a."""
    return tuple([x - y for x, y in zip(a, b, strict=True)])


def dot(a: Point, b: Point) -> float:
    """The scalar product of two vectors."""
    return sum([x * y for x, y in zip(a, b, strict=True)])


def cross(a: Point, b: Point) -> Point:
    """The vector product of two vectors in space."""
    return tuple([a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)])


def normal(polygon: Sequence[Point]) -> Point:
    """The unit vector that points out of a solid from a face of it."""
    vector = cross(minus(middle(polygon), polygon[0]), minus(polygon[1], polygon[0]))
    length = math.hypot(*vector)
    return tuple([x / length for x in vector])


@dataclass(frozen=True, eq=False)
class Board:
    """Cells as polygons with everything that follows from them.

    `wrap` makes a torus or a cylinder: coordinates count modulo its entries where they are not zero. `net` says from
    which neighbour each cell is folded out when a solid is drawn flat; without it a good way is searched for.
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
    def flat(self) -> bool:
        """Whether the board lies in the plane."""
        return all(len(polygon[0]) == 2 for polygon in self.polygons.values())

    @cached_property
    def edges(self) -> tuple[tuple[Incidence, ...], ...]:
        """Every edge as the sides that lie on it: one on the rim, two inside, more where a solid touches itself."""
        found: dict[Point, list[Incidence]] = {}
        directions: dict[Point, Point] = {}
        for cell, corners in self.polygons.items():
            for side, (start, end) in enumerate(zip(corners, corners[1:] + corners[:1], strict=True)):
                at, vector = self.at(middle([start, end])), minus(end, start)
                along = dot(directions.setdefault(at, vector), vector)
                found.setdefault(at, []).append(Incidence(cell, side, along > 0))
        return tuple(tuple(incidences) for incidences in found.values())

    @cached_property
    def seams(self) -> tuple[tuple[Incidence, ...], ...]:
        """Every edge as one side on the rim, or as pairs of sides from one of which the surface goes on to the other."""
        return tuple(seam for edge in self.edges for seam in ([edge] if len(edge) < 3 else self._pairs(edge)))

    def _pairs(self, edge: Sequence[Incidence]) -> Iterator[tuple[Incidence, Incidence]]:
        """The sides on an edge of several, each with the one that is reached through the solid.

        Around its own direction a side's face turns into the solid clockwise, so the face that comes next when one looks
        along the edge is the other face of the same solid corner.
        """
        cell, side, _ = edge[0]
        ends = [self.polygons[cell][(side + i) % self.sides(cell)] for i in (0, 1)]
        axis = minus(ends[1], ends[0])
        right = minus(middle(self.polygons[cell]), middle(ends))
        down = cross(axis, right)

        def angle(incidence: Incidence) -> float:
            corners = self.polygons[incidence.cell]
            inward = minus(middle(corners), middle([corners[incidence.side], corners[(incidence.side + 1) % len(corners)]]))
            return math.atan2(dot(inward, down) / math.hypot(*down), dot(inward, right) / math.hypot(*right))

        around = sorted(edge, key=angle)
        for i, incidence in enumerate(around):
            if incidence.forward:
                mate = around[(i + 1) % len(around)]
                if mate.forward or len(around) % 2:
                    raise ValueError(f"board: the cells at side {side} of {cell} do not close a surface")
                yield incidence, mate

    @cached_property
    def meetings(self) -> Mapping[tuple[Point, ...], Sequence[tuple[Cell, int]]]:
        """The sides that meet by where they do, found in another way than seams, for checks.

        They meet at the midpoint of the edge; where four sides have the same, those of a cube, whose centre is half a unit
        behind each of its faces.
        """
        found: dict[Point, list[tuple[Cell, int]]] = {}
        for cell, corners in self.polygons.items():
            for side in range(len(corners)):
                found.setdefault(self.at(middle([corners[side - 1], corners[side]])), []).append(
                    (cell, (side - 1) % len(corners))
                )
        meetings: dict[tuple[Point, ...], list[tuple[Cell, int]]] = {}
        for at, sides in found.items():
            for cell, side in sides:
                corners = self.polygons[cell]
                cube = [x - n / 2 for x, n in zip(middle(corners), normal(corners), strict=True)] if len(sides) > 2 else ()
                meetings.setdefault((at, _rounded(cube)), []).append((cell, side))
        return meetings

    @cached_property
    def across(self) -> dict[tuple[Cell, int], tuple[Cell, int]]:
        """For each side that meets another, the side on which the surface continues."""
        across = {}
        for _, _, data in self.graph.edges(data=True):
            (a, i, _), (b, j, _) = data["seam"]
            across[a, i], across[b, j] = (b, j), (a, i)
        return across

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
        return tuple([round(x, 6) % w if w else round(x, 6) + 0.0 for x, w in zip(point, wrap, strict=False)])

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
        """The cells, joined by one edge per seam between them. The key of an edge counts the seams of the board.

        Its attribute `seam` holds the two incidences. Neighbours, connectedness and nets are read off this graph.
        """
        import networkx

        graph: networkx.MultiGraph[Cell] = networkx.MultiGraph()
        graph.add_nodes_from(self.cells)
        for number, seam in enumerate(self.seams):
            if len(seam) == 2:
                graph.add_edge(seam[0].cell, seam[1].cell, key=number, seam=seam)
        return graph

    # -- symmetry

    def symmetries(self) -> list[BoardSymmetry]:
        """All motions and mirrorings of the board as a whole that map it onto itself, the identity first.

        Where the first cell goes and how it lies there decides where all others go. Such a motion is looked for among
        the cells only if it is no product of those found before.
        """
        lying = [
            (cell, Orientation(turn, flipped))
            for flipped in (False, True)
            for cell in self.cells
            for turn in range(self.sides(cell))
        ]
        number = {lies: i for i, lies in enumerate(lying)}
        home = tuple(number[cell, Orientation(0)] for cell in self.cells)
        found = {home[0]: home}  # by where the first cell goes: where each cell goes
        moves: list[list[int]] = []
        motion = self._motions()
        for cell, orientation in lying:
            if number[cell, orientation] in found or not (move := motion(cell, orientation)):
                continue
            moves.append([number[image, then.after(lies, self.sides(at))] for at, lies in lying for image, then in [move[at]]])
            new = list(found.values())
            while new:
                images = new.pop()
                for by in moves:
                    if by[images[0]] not in found:
                        moved = tuple([by[i] for i in images])
                        found[moved[0]] = moved
                        new.append(moved)
        return [
            BoardSymmetry(dict(zip(self.cells, [lying[i] for i in found[first]], strict=True)), lying[first][1].flipped)
            for first in sorted(found)
        ]

    def _motions(self) -> Callable[[Cell, Orientation], Mapping[Cell, tuple[Cell, Orientation]] | None]:
        """The function that lays the first cell so on another, and says where all go if that maps the board onto itself.

        A motion is an affine map, known by where it takes the centre, two neighbouring corners and, in space, the normal.
        It leaves the middle of all cells where it is, unless the board is wrapped and has none.
        """
        first = self.cells[0]
        centres = {cell: middle(corners) for cell, corners in self.polygons.items()}
        hub = middle(list(centres.values()))
        distances = {cell: math.dist(centre, hub) for cell, centre in centres.items()}
        halfway = {
            cell: [minus(middle([a, b]), centres[cell]) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
            for cell, corners in self.polygons.items()
        }
        where = {
            (self.at(centres[cell]), _rounded(vector)): (cell, side)
            for cell, vectors in halfway.items()
            for side, vector in enumerate(vectors)
        }

        def frame(cell: Cell, orientation: Orientation) -> list[Point]:
            corners, n = self.polygons[cell], self.sides(cell)
            ends = [corners[(orientation.turn + i) % n] for i in ((1, 0) if orientation.flipped else (0, 1))]
            return [minus(end, centres[cell]) for end in ends] + ([] if self.flat else [normal(corners)])

        shares = _shares(frame(first, Orientation(0)))
        periods = [shares(tuple(w * (i == j) for j in range(2))) for i, w in enumerate(self.wrap) if w]
        # the cells farthest in the list come first: most maps are refuted by them
        coordinates = [
            (cell, shares(minus(centres[cell], centres[first])), [shares(vector) for vector in halfway[cell]])
            for cell in reversed(self.cells)
        ]

        def motion(cell: Cell, orientation: Orientation) -> Mapping[Cell, tuple[Cell, Orientation]] | None:
            if not any(self.wrap) and not math.isclose(distances[cell], distances[first], abs_tol=1e-6):
                return None
            basis, to = frame(cell, orientation), centres[cell]
            axes = list(zip(*basis, strict=True))
            if any(any(self.at([dot(period, axis) for axis in axes])) for period in periods):
                return None  # it does not map the board's wrapping onto itself
            images: dict[Cell, tuple[Cell, Orientation]] = {}
            for here, centre, vectors in coordinates:
                at = self.at([dot(centre, axis) + x for axis, x in zip(axes, to, strict=True)])
                sides = [where.get((at, _rounded([dot(vector, axis) for axis in axes]))) for vector in vectors]
                if not sides[0]:
                    return None
                there, turn = sides[0]
                lies = Orientation(turn, orientation.flipped)
                n = self.sides(there)
                if len(sides) != n or any(side != (there, lies.side(i, n)) for i, side in enumerate(sides)):
                    return None
                images[here] = there, lies
            return images if len({there for there, _ in images.values()}) == len(images) else None

        return motion


def _rounded(vector: Iterable[float]) -> Point:
    return tuple([round(x, 6) + 0.0 for x in vector])


def _shares(basis: Sequence[Point]) -> Callable[[Point], Point]:
    """The function that says how much of each vector of a basis makes a vector."""
    if len(basis) == 2:
        (ax, ay), (bx, by) = basis
        size = ax * by - ay * bx
        return lambda v: ((v[0] * by - v[1] * bx) / size, (ax * v[1] - ay * v[0]) / size)
    a, b, c = basis
    size = dot(a, cross(b, c))
    duals = [tuple(x / size for x in cross(*pair)) for pair in ((b, c), (c, a), (a, b))]
    return lambda v: tuple([dot(v, dual) for dual in duals])
