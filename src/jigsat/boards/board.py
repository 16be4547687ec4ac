"""Boards: cells that meet along their sides, in the plane or around a solid.

A board is defined by its geometry alone. Each cell is a polygon whose corners are listed clockwise
as seen from the printed side (on a solid, from outside). Side i runs from corner i to corner i + 1.
Sides with the same midpoint form one *edge*, corners at the same point one *vertex*. Adjacency and
symmetries are computed from this.

Two sides on an edge form a *seam*: the surface continues from one cell to the other. Where two
cubes of a solid touch only along an edge, four faces meet there and form two seams: each face is
joined to the other face of its own cube, as if there were a narrow gap between the cubes. So two
cubes that touch along an edge or at a corner are two surfaces that share places.

>>> square = ((0, 0), (1, 0), (1, 1), (0, 1))
>>> board = Board("domino", {c: tuple((x + c, y) for x, y in square) for c in (0, 1)})
>>> len(board.cells), len(board.edges), len(board.vertices), len(board.symmetries())
(2, 7, 6, 4)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

if TYPE_CHECKING:
    import networkx

Cell = Hashable
Point = tuple[float, ...]
T = TypeVar("T")


class Orientation(NamedTuple):
    """How a piece lies: turned over if `flipped` (side 0 stays, left becomes right), then turned
    clockwise by `turn` sides."""

    turn: int
    flipped: bool = False

    def apply(self, rim: Sequence[T], sides: int) -> tuple[T, ...]:
        """The rim of a piece in this orientation.

        A rim goes clockwise around the piece. For each side it has the corner at the start, then
        the spots along the side. All sides have the same number of spots, so the length of the rim
        is a multiple of `sides`.

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
        """The side of the cell on which side `side` of the piece lies."""
        return (self.turn + (-side if self.flipped else side)) % sides

    def after(self, first: Orientation, sides: int) -> Orientation:
        """The composition of two orientations: `first` is applied first, then this one."""
        return Orientation(self.side(first.turn, sides), self.flipped != first.flipped)


class Incidence(NamedTuple):
    """A side of a cell at an edge. If one of two sides is `forward` and the other is not, they run
    in opposite directions."""

    cell: Cell
    side: int
    forward: bool


class Spot(NamedTuple):
    """A position on the rim of a cell, numbered as in `Orientation.apply`."""

    cell: Cell
    position: int


class BoardSymmetry(NamedTuple):
    """An automorphism of a board: the image of each cell, and the orientation that a piece on it
    gets."""

    images: Mapping[Cell, tuple[Cell, Orientation]]
    mirrored: bool

    @property
    def level(self) -> Literal["rotation", "reflection"]:
        """The lowest level of equivalence that includes this symmetry."""
        return "reflection" if self.mirrored else "rotation"


def middle(points: Sequence[Point]) -> Point:
    """The mean of the points."""
    return tuple([sum(values) / len(points) for values in zip(*points, strict=True)])


def halfway(polygon: Sequence[Point], side: int) -> Point:
    """The midpoint of a side of a polygon."""
    return middle([polygon[side], polygon[(side + 1) % len(polygon)]])


def minus(a: Point, b: Point) -> Point:
    """The vector from b to a."""
    return tuple([x - y for x, y in zip(a, b, strict=True)])


def dot(a: Point, b: Point) -> float:
    return sum([x * y for x, y in zip(a, b, strict=True)])


def cross(a: Point, b: Point) -> Point:
    return tuple([a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)])


def normal(polygon: Sequence[Point]) -> Point:
    """The outward unit normal of a face of a solid."""
    vector = cross(minus(middle(polygon), polygon[0]), minus(polygon[1], polygon[0]))
    length = math.hypot(*vector)
    return tuple([x / length for x in vector])


def turn_from(start: Point, aside: Point, vector: Point) -> float:
    """The angle from a vector to another one, towards the vector `aside`, which is at a right angle
    to the first."""
    return math.atan2(
        dot(vector, aside) / math.hypot(*aside), dot(vector, start) / math.hypot(*start)
    )


@dataclass(frozen=True, eq=False)
class Board:
    """Cells as polygons, and everything that is computed from them.

    `wrap` makes a torus or a cylinder: where an entry is not zero, the coordinate is taken modulo
    that entry. `net` maps each cell of a solid to the neighbour from which it is unfolded when the
    solid is drawn flat. Without it, a compact net is searched for.
    """

    name: str
    polygons: Mapping[Cell, tuple[Point, ...]]
    wrap: tuple[int, ...] = ()
    net: Mapping[Cell, Cell] = field(default_factory=dict)

    @property
    def cells(self) -> tuple[Cell, ...]:
        return tuple(self.polygons)

    def sides(self, cell: Cell) -> int:
        return len(self.polygons[cell])

    @cached_property
    def flat(self) -> bool:
        """Whether the board lies in the plane."""
        return all(len(polygon[0]) == 2 for polygon in self.polygons.values())

    @cached_property
    def edges(self) -> tuple[tuple[Incidence, ...], ...]:
        """The sides on each edge: one side on the rim, two inside the board, more if a solid
        touches itself there."""
        edges: dict[Point, list[Incidence]] = {}  # by midpoint
        directions: dict[Point, Point] = {}
        for cell, corners in self.polygons.items():
            ends = corners[1:] + corners[:1]
            for side, (start, end) in enumerate(zip(corners, ends, strict=True)):
                midpoint = self.at(middle([start, end]))
                vector = minus(end, start)
                forward = dot(directions.setdefault(midpoint, vector), vector) > 0
                edges.setdefault(midpoint, []).append(Incidence(cell, side, forward))
        return tuple(map(tuple, edges.values()))

    @cached_property
    def seams(self) -> tuple[tuple[Incidence, ...], ...]:
        """For each edge on the rim its one side; for any other edge the pairs of sides across which
        the surface continues."""
        seams: list[tuple[Incidence, ...]] = []
        for edge in self.edges:
            if len(edge) < 3:
                seams.append(edge)
            else:
                seams += self._pairs(edge)
        return tuple(seams)

    def _pairs(self, edge: Sequence[Incidence]) -> Iterator[tuple[Incidence, Incidence]]:
        """The seams of an edge with more than two sides: each pair belongs to one part of the
        solid.

        Seen along the direction of a side, the solid lies clockwise of its face. So the next face
        in clockwise order bounds the same part of the solid.
        """
        cell, side, _ = edge[0]
        ends = [self.polygons[cell][(side + i) % self.sides(cell)] for i in (0, 1)]
        axis = minus(ends[1], ends[0])
        right = minus(middle(self.polygons[cell]), middle(ends))
        down = cross(axis, right)

        def angle(incidence: Incidence) -> float:
            corners = self.polygons[incidence.cell]
            inward = minus(middle(corners), halfway(corners, incidence.side))
            return turn_from(right, down, inward)

        around = sorted(edge, key=angle)
        for i, incidence in enumerate(around):
            if incidence.forward:
                mate = around[(i + 1) % len(around)]
                if mate.forward or len(around) % 2:
                    raise ValueError(
                        f"board: the cells at side {side} of {cell} do not close a surface"
                    )
                yield incidence, mate

    @cached_property
    def meetings(self) -> Mapping[tuple[Point, ...], Sequence[tuple[Cell, int]]]:
        """The sides that meet, by the place where they meet. Computed independently of `seams`, for
        checks.

        Sides meet if they have the same midpoint. If four sides share a midpoint, only those of the
        same cube meet; the centre of a cube is half a unit behind each of its faces.
        """
        by_midpoint: dict[Point, list[tuple[Cell, int]]] = {}
        for cell, corners in self.polygons.items():
            for side in range(len(corners)):
                midpoint = self.at(middle([corners[side - 1], corners[side]]))
                by_midpoint.setdefault(midpoint, []).append((cell, (side - 1) % len(corners)))

        meetings: dict[tuple[Point, ...], list[tuple[Cell, int]]] = {}
        for midpoint, sides in by_midpoint.items():
            for cell, side in sides:
                cube: Point = ()
                if len(sides) > 2:
                    corners = self.polygons[cell]
                    cube = minus(middle(corners), tuple([x / 2 for x in normal(corners)]))
                meetings.setdefault((midpoint, _round_point(cube)), []).append((cell, side))
        return meetings

    @cached_property
    def across(self) -> dict[tuple[Cell, int], tuple[Cell, int]]:
        """For each side inside the board, the side of the neighbour that it meets."""
        across = {}
        for seam in self.seams:
            if len(seam) == 2:
                (a, i, _), (b, j, _) = seam
                across[a, i], across[b, j] = (b, j), (a, i)
        return across

    @cached_property
    def vertices(self) -> tuple[tuple[tuple[Cell, int], ...], ...]:
        """Every vertex as the (cell, corner) pairs that meet there."""
        vertices: dict[Point, list[tuple[Cell, int]]] = {}
        for cell, corners in self.polygons.items():
            for corner, point in enumerate(corners):
                vertices.setdefault(self.at(point), []).append((cell, corner))
        return tuple(map(tuple, vertices.values()))

    def at(self, point: Iterable[float]) -> Point:
        """The point as a dictionary key: rounded, and reduced modulo `wrap`."""
        wrap = self.wrap or (0,) * 3
        return tuple(
            [round(x, 6) % w if w else round(x, 6) + 0.0 for x, w in zip(point, wrap, strict=False)]
        )

    def edge_places(self, spots: int) -> list[list[Spot]]:
        """The places along the edges if each side has `spots` spots: for each place, the spots that
        touch there."""
        places = []
        for edge in self.edges:
            for j in range(spots):
                place = []
                for cell, side, forward in edge:
                    # Two sides that run in opposite directions count their spots the other way.
                    number = j if forward == edge[0].forward else spots - 1 - j
                    place.append(Spot(cell, side * (spots + 1) + 1 + number))
                places.append(place)
        return places

    def vertex_places(self, spots: int) -> list[list[Spot]]:
        """The places at the vertices if each side has `spots` spots: for each place, the spots that
        meet there."""
        return [
            [Spot(cell, corner * (spots + 1)) for cell, corner in vertex]
            for vertex in self.vertices
        ]

    @cached_property
    def graph(self) -> networkx.MultiGraph[Cell]:
        """The cells as nodes, with one edge per seam between them."""
        import networkx

        graph: networkx.MultiGraph[Cell] = networkx.MultiGraph()
        graph.add_nodes_from(self.cells)
        graph.add_edges_from((seam[0].cell, seam[1].cell) for seam in self.seams if len(seam) == 2)
        return graph

    # -- symmetry

    def symmetries(self) -> list[BoardSymmetry]:
        """All motions that map the board onto itself, the identity first; the geometry yields only
        their generators."""
        placed = []  # each cell in each orientation, numbered
        for flipped in (False, True):
            for cell in self.cells:
                for turn in range(self.sides(cell)):
                    placed.append((cell, Orientation(turn, flipped)))
        number = {cell_and_orientation: i for i, cell_and_orientation in enumerate(placed)}
        after = cache(Orientation.after)
        find_motion = self._motions()

        # The group is closed under each new generator. A motion is given by the images of all
        # cells, and known by that of the first cell.
        home = tuple(number[cell, Orientation(0)] for cell in self.cells)
        group = {home[0]: home}
        generators: list[list[int]] = []
        for cell, orientation in placed:
            if number[cell, orientation] in group:
                continue
            motion = find_motion(cell, orientation)
            if not motion:
                continue
            generator = []
            for old, before in placed:
                image, then = motion[old]
                generator.append(number[image, after(then, before, self.sides(old))])
            generators.append(generator)
            _close_group(group, generators)

        symmetries = []
        for first in sorted(group):
            images = [placed[i] for i in group[first]]
            _, orientation = placed[first]
            symmetries.append(
                BoardSymmetry(dict(zip(self.cells, images, strict=True)), orientation.flipped)
            )
        return symmetries

    def _motions(
        self,
    ) -> Callable[[Cell, Orientation], Mapping[Cell, tuple[Cell, Orientation]] | None]:
        """The function that returns the images of all cells, given the image of the first cell and
        its orientation.

        It returns None if the motion does not map the board onto itself. A motion is an affine map,
        determined by the images of the centre, two adjacent corners and, in space, the normal. It
        fixes the centre of the board, unless the board is wrapped and has no centre.
        """
        first = self.cells[0]
        centres = {cell: middle(corners) for cell, corners in self.polygons.items()}
        hub = middle(list(centres.values()))
        distances = {cell: math.dist(centre, hub) for cell, centre in centres.items()}

        # each side of each cell as a vector from the centre of the cell to that of the side
        outward: dict[Cell, list[Point]] = {}
        for cell, corners in self.polygons.items():
            midpoints = [halfway(corners, side) for side in range(len(corners))]
            outward[cell] = [minus(midpoint, centres[cell]) for midpoint in midpoints]
        rounded = cache(_round_point)  # most boards have few different vectors
        side_at: dict[tuple[Point, Point], tuple[Cell, int]] = {}
        for cell, vectors in outward.items():
            place = self.at(centres[cell])
            for side, vector in enumerate(vectors):
                side_at[place, rounded(vector)] = cell, side

        def make_basis(cell: Cell, orientation: Orientation) -> list[Point]:
            """Two corners of a cell as vectors from its centre, and in space its normal."""
            corners = self.polygons[cell]
            start = corners[orientation.turn % len(corners)]
            end = corners[(orientation.turn + 1) % len(corners)]
            if orientation.flipped:
                start, end = end, start
            basis = [minus(start, centres[cell]), minus(end, centres[cell])]
            return basis if self.flat else [*basis, normal(corners)]

        in_basis = _in_basis(make_basis(first, Orientation(0)))
        periods = []
        for axis, length in enumerate(self.wrap):
            if length:
                period = tuple(length if i == axis else 0 for i in range(2))
                periods.append(in_basis(period))
        # the last cells are tried first, since they refute most maps
        coordinates = []
        for cell in reversed(self.cells):
            centre = in_basis(minus(centres[cell], centres[first]))
            coordinates.append((cell, centre, [in_basis(vector) for vector in outward[cell]]))

        def find_motion(
            cell: Cell, orientation: Orientation
        ) -> Mapping[Cell, tuple[Cell, Orientation]] | None:
            same_distance = math.isclose(distances[cell], distances[first], abs_tol=1e-6)
            if not same_distance and not any(self.wrap):
                return None
            axes = list(zip(*make_basis(cell, orientation), strict=True))
            if any(any(self.at([dot(period, axis) for axis in axes])) for period in periods):
                return None  # the map does not preserve the board's periods
            origin = centres[cell]
            moved = cache(lambda vector: _round_point([dot(vector, axis) for axis in axes]))
            images: dict[Cell, tuple[Cell, Orientation]] = {}
            for old, centre, vectors in coordinates:
                new_centre = [dot(centre, axis) + x for axis, x in zip(axes, origin, strict=True)]
                place = self.at(new_centre)
                sides = [side_at.get((place, moved(vector))) for vector in vectors]
                if not sides[0]:
                    return None
                new, turn = sides[0]
                oriented = Orientation(turn, orientation.flipped)
                n = self.sides(new)
                if sides != [(new, oriented.side(i, n)) for i in range(n)]:
                    return None
                images[old] = new, oriented
            is_onto = len({new for new, _ in images.values()}) == len(images)
            return images if is_onto else None

        return find_motion


def _close_group(group: dict[int, tuple[int, ...]], generators: Sequence[Sequence[int]]) -> None:
    """Add all products of the elements of a group, the last generator being new, with the
    generators. Each element is known by its first image."""
    new = list(group.values())
    while new:
        images = new.pop()
        for generator in generators:
            if generator[images[0]] not in group:
                product = tuple([generator[i] for i in images])
                group[product[0]] = product
                new.append(product)


def _round_point(vector: Iterable[float]) -> Point:
    return tuple([round(x, 6) + 0.0 for x in vector])


def _in_basis(basis: Sequence[Point]) -> Callable[[Point], Point]:
    """The function that returns the coordinates of a vector in a basis."""
    if len(basis) == 2:
        (ax, ay), (bx, by) = basis
        size = ax * by - ay * bx
        return lambda v: ((v[0] * by - v[1] * bx) / size, (ax * v[1] - ay * v[0]) / size)
    a, b, c = basis
    size = dot(a, cross(b, c))
    duals = [tuple(x / size for x in cross(*pair)) for pair in ((b, c), (c, a), (a, b))]
    return lambda v: tuple([dot(v, dual) for dual in duals])
