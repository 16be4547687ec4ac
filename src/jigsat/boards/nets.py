"""Boards on paper: nets of solids, the sides of a net that belong together, and views of solids."""

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from jigsat.boards.board import (
    Board,
    Cell,
    Incidence,
    Point,
    cross,
    dot,
    halfway,
    middle,
    minus,
    normal,
)

Laid = dict[Cell, tuple[Point, ...]]
Hinge = tuple[Cell, int]
RANDOM_NETS = 60  # number of random nets to try after the systematic ones


@dataclass(frozen=True)
class Net:
    """The corners of each cell in the plane (x right, y down)."""

    board: Board
    corners: Mapping[Cell, tuple[Point, ...]]

    @cached_property
    def cuts(self) -> Mapping[int, tuple[Incidence, Incidence]]:
        """The seams that the net cuts, numbered from 1."""
        return dict(enumerate(_cuts(self.board, self.corners), 1))


@lru_cache(maxsize=64)
def unfold_board(board: Board) -> Net:
    """The board in the plane. A solid is unfolded, in one part if such a net is found; no cell
    overlaps another.

    >>> from jigsat.boards import board_named
    >>> names = ("square 2x2", "torus 2x2", "cube", "dodecahedron")
    >>> [len(unfold_board(board_named(name)).cuts) for name in names]
    [0, 4, 7, 19]
    """
    corners = board.polygons
    if not board.flat:
        laid = _unfold(board)
        corners = {cell: laid[cell] for cell in board.cells}
    return Net(board, corners)


def _unfold(board: Board) -> Laid:
    """The best of several nets: the one with the fewest parts, then the fewest cuts, then the most
    compact one."""
    flat = {cell: _in_plane(polygon) for cell, polygon in board.polygons.items()}
    if board.net:
        root = next(cell for cell in board.cells if cell not in board.net)
        hinged = {
            parent: [child for child in board.cells if board.net.get(child) == parent]
            for parent in board.cells
        }
        part = _part(board, flat, root, {*board.cells}, lambda hinges: 0, hinged)
        if len(part) == len(board.cells):
            return part
    rng = random.Random(0)
    normals, joined = (
        {cell: normal(polygon) for cell, polygon in board.polygons.items()},
        board.across.items(),
    )
    coplanar = {
        (cell, side)
        for (cell, side), (other, _) in joined
        if math.dist(normals[cell], normals[other]) < 0.001
    }
    strategies: list[Callable[[list[Hinge]], int]] = [
        lambda hinges: next(
            (i for i, hinge in enumerate(hinges) if hinge in coplanar), 0
        ),  # coplanar faces stay together
        lambda hinges: -1,
    ]
    tries = [(root, pick) for pick in strategies for root in board.cells[:RANDOM_NETS]]
    tries += [
        (rng.choice(board.cells), lambda hinges: rng.randrange(len(hinges)))
        for _ in range(RANDOM_NETS)
    ]
    best: tuple[int, int, float, list[Laid]] | None = None
    for root, pick in tries:
        parts, rest = [], {*board.cells}
        while rest:
            parts.append(
                _part(
                    board,
                    flat,
                    root if root in rest else next(c for c in board.cells if c in rest),
                    rest,
                    pick,
                )
            )
            rest -= parts[-1].keys()
        whole = {cell: polygon for part in parts for cell, polygon in part.items()}
        rank = (len(parts), len(_cuts(board, whole)), round(sum(map(_extent, parts)), 3))
        if best is None or rank < best[:3]:
            best = *rank, parts
    assert best
    return _side_by_side(best[3])


def _cuts(
    board: Board, corners: Mapping[Cell, Sequence[Point]]
) -> list[tuple[Incidence, Incidence]]:
    """The seams whose two sides lie apart in the plane, in the order of the board's seams."""
    pairs = ((seam[0], seam[1]) for seam in board.seams if len(seam) == 2)
    return [
        pair
        for pair in pairs
        if math.dist(*(halfway(corners[cell], side) for cell, side, _ in pair)) > 0.01
    ]


def _extent(laid: Laid) -> float:
    centres = [middle(polygon) for polygon in laid.values()]
    return sum(math.dist(middle(centres), centre) ** 2 for centre in centres)


def _part(
    board: Board,
    flat: Laid,
    root: Cell,
    rest: set[Cell],
    pick: Callable[[list[Hinge]], int],
    hinged: Mapping[Cell, Sequence[Cell]] | None = None,
) -> Laid:
    """The cells that can be unfolded from `root` without overlap; `flat` has each cell in the
    plane, wherever it lies."""
    laid: Laid = {}
    discs: list[
        tuple[Point, float, tuple[Point, ...]]
    ] = []  # around the polygons; most are far from each other
    sides: dict[Point, Hinge] = {}

    def lay(cell: Cell, polygon: tuple[Point, ...]) -> None:
        """Lay a cell there, unless it would overlap others."""
        centre = middle(polygon)
        radius = math.dist(centre, polygon[0])
        if any(
            math.dist(centre, at) < radius + r and _overlap(polygon, other)
            for at, r, other in discs
        ):
            return
        laid[cell] = polygon
        discs.append((centre, radius, polygon))
        for side in range(len(polygon)):
            sides[_key(halfway(polygon, side))] = cell, side
            hinges.append((cell, side))

    hinges: list[Hinge] = []
    lay(root, flat[root])
    while hinges:
        cell, side = hinges.pop(pick(hinges))
        child, child_side = board.across.get((cell, side), (cell, side))
        if child in laid or child not in rest or (hinged and child not in hinged[cell]):
            continue
        corners = laid[cell]
        polygon = _laid_on(
            flat[child], child_side, corners[(side + 1) % len(corners)], corners[side]
        )
        touched = [(i, sides.get(_key(halfway(polygon, i)))) for i in range(len(polygon))]
        if all(at is None or board.across.get((child, i)) == at for i, at in touched):
            lay(child, polygon)
    return laid


def _key(point: Point) -> Point:  # rounded, so that equal points are equal keys
    return tuple([round(x, 3) + 0.0 for x in point])


def extent(laid: Laid) -> tuple[float, float]:
    """Width and height of the bounding box of cells in the plane."""
    xs, ys = zip(*(point for polygon in laid.values() for point in polygon), strict=True)
    return max(xs) - min(xs), max(ys) - min(ys)


def _side_by_side(parts: Sequence[Laid]) -> Laid:
    """The parts of a net, placed in one row."""
    row: Laid = {}
    right = 0.0
    for part in parts:
        xs, ys = zip(*(point for polygon in part.values() for point in polygon), strict=True)
        for cell, polygon in part.items():
            row[cell] = tuple(
                (round(x - min(xs) + right, 6), round(y - min(ys), 6)) for x, y in polygon
            )
        right += math.ceil(max(xs) - min(xs) + 0.5)
    return row


def _overlap(a: Sequence[Point], b: Sequence[Point]) -> bool:
    """Whether the interiors of two convex polygons meet, that is, no line along a side separates
    them."""
    for polygon in (a, b):
        for i, (x, y) in enumerate(polygon):
            to_x, to_y = polygon[(i + 1) % len(polygon)]
            across = (to_y - y, x - to_x)
            here, there = ([dot(across, point) for point in points] for points in (a, b))
            if max(here) <= min(there) + 1e-4 or max(there) <= min(here) + 1e-4:
                return False
    return True


def _in_plane(polygon: Sequence[Point]) -> tuple[Point, ...]:
    """A polygon in space, moved to the plane: side 0 runs from the origin to the right, corners
    clockwise on the screen."""
    along = minus(polygon[1], polygon[0])
    x_axis = tuple(a / math.hypot(*along) for a in along)
    flat = []
    for point in polygon:
        vector = minus(point, polygon[0])
        x = dot(vector, x_axis)
        flat.append((round(x, 6), round(math.sqrt(max(0.0, dot(vector, vector) - x * x)), 6)))
    return tuple(flat)


def _laid_on(polygon: Sequence[Point], side: int, start: Point, end: Point) -> tuple[Point, ...]:
    """The polygon moved in the plane so that its side `side` runs from `start` to `end`."""
    points = [complex(*point) for point in polygon]
    here, there = points[side], points[(side + 1) % len(points)]
    turn = (complex(*end) - complex(*start)) / (there - here)
    moved = [(point - here) * turn + complex(*start) for point in points]
    return tuple((round(point.real, 6) + 0.0, round(point.imag, 6) + 0.0) for point in moved)


# -- views of solids

# the viewer in the first of two views: in front of the solid, above it and to the right
FROM = (
    0.42,
    -0.5,
    -0.76,
)


def views(board: Board) -> Iterator[Laid]:
    """The visible faces of a solid from two opposite corners, the nearest faces last; nothing for a
    board in the plane."""
    if board.flat:
        return
    normals = [normal(polygon) for polygon in board.polygons.values()]
    turned = [FROM[i:] + FROM[:i] for i in range(3)]
    # no face seen edgewise
    clear = max(turned, key=lambda eye: round(min(abs(dot(eye, vector)) for vector in normals), 6))
    for sign in (1, -1):
        eye = tuple(sign * x / math.hypot(*clear) for x in clear)
        down = tuple((y == 1) - x * eye[1] for y, x in enumerate(eye))
        down = tuple(x / math.hypot(*down) for x in down)
        right = cross(eye, down)
        # if two faces of a lattice overlap in the view, the one whose cube is nearer is in front
        facing = {
            cell: polygon
            for cell, polygon in board.polygons.items()
            if dot(normal(polygon), eye) > 1e-6
        }
        depth = {
            cell: dot(middle(face), eye) - dot(normal(face), eye) / 2
            for cell, face in facing.items()
        }
        order = sorted(depth, key=depth.__getitem__)
        seen = {
            cell: [(dot(point, right), dot(point, down)) for point in board.polygons[cell]]
            for cell in order
        }
        xs, ys = zip(*(point for polygon in seen.values() for point in polygon), strict=True)
        yield {
            cell: tuple((x - min(xs), y - min(ys)) for x, y in polygon)
            for cell, polygon in seen.items()
        }
