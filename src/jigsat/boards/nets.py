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
PickHinge = Callable[[list[Hinge]], int]  # chooses the hinge at which the next cell is unfolded
SYSTEMATIC_NETS = 60  # number of first faces from which nets are built in each systematic way
RANDOM_NETS = 60  # number of random nets to try after the systematic ones


@dataclass(frozen=True)
class Net:
    """The corners of each cell in the plane (x right, y down)."""

    board: Board
    corners: Mapping[Cell, tuple[Point, ...]]

    @cached_property
    def cuts(self) -> Mapping[int, tuple[Incidence, Incidence]]:
        """The seams that the net cuts, numbered from 1."""
        return dict(enumerate(_find_cuts(self.board, self.corners), 1))


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
        net = _unfold_as_stated(board, flat)
        if len(net) == len(board.cells):
            return net

    rng = random.Random(0)
    coplanar = _find_coplanar_hinges(board)

    def pick_coplanar(hinges: list[Hinge]) -> int:
        """Coplanar faces stay together."""
        for i, hinge in enumerate(hinges):
            if hinge in coplanar:
                return i
        return 0

    def pick_last(hinges: list[Hinge]) -> int:
        return -1

    def pick_any(hinges: list[Hinge]) -> int:
        return rng.randrange(len(hinges))

    roots = board.cells[:SYSTEMATIC_NETS]
    tries: list[tuple[Cell, PickHinge]] = [(root, pick_coplanar) for root in roots]
    tries += [(root, pick_last) for root in roots]
    tries += [(rng.choice(board.cells), pick_any) for _ in range(RANDOM_NETS)]

    best_rank = math.inf, math.inf, math.inf
    best_parts: list[Laid] = []
    for root, pick in tries:
        parts = _unfold_all(board, flat, root, pick)
        whole: Laid = {}
        for part in parts:
            whole |= part
        size = round(sum(map(_extent, parts)), 3)
        rank = len(parts), len(_find_cuts(board, whole)), size
        if rank < best_rank:
            best_rank, best_parts = rank, parts
    return _side_by_side(best_parts)


def _unfold_as_stated(board: Board, flat: Laid) -> Laid:
    """The net that the board states; not all cells if it overlaps itself."""
    root = next(cell for cell in board.cells if cell not in board.net)
    children: dict[Cell, list[Cell]] = {cell: [] for cell in board.cells}
    for cell, parent in board.net.items():
        children[parent].append(cell)
    return _unfold_part(board, flat, root, set(board.cells), lambda hinges: 0, children)


def _unfold_all(board: Board, flat: Laid, root: Cell, pick: PickHinge) -> list[Laid]:
    """All cells, in several parts if they would overlap; the first part begins with the root."""
    parts = []
    rest = set(board.cells)
    while rest:
        if root not in rest:
            root = next(cell for cell in board.cells if cell in rest)
        part = _unfold_part(board, flat, root, rest, pick)
        parts.append(part)
        rest -= part.keys()
    return parts


def _find_coplanar_hinges(board: Board) -> set[Hinge]:
    """The sides across which the surface continues in the same plane."""
    normals = {cell: normal(polygon) for cell, polygon in board.polygons.items()}
    coplanar = set()
    for (cell, side), (other, _) in board.across.items():
        if math.dist(normals[cell], normals[other]) < 0.001:
            coplanar.add((cell, side))
    return coplanar


def _find_cuts(
    board: Board, corners: Mapping[Cell, Sequence[Point]]
) -> list[tuple[Incidence, Incidence]]:
    """The seams whose two sides lie apart in the plane, in the order of the board's seams."""
    cuts = []
    for seam in board.seams:
        if len(seam) == 2:
            one, other = seam
            here = halfway(corners[one.cell], one.side)
            there = halfway(corners[other.cell], other.side)
            if math.dist(here, there) > 0.01:
                cuts.append((one, other))
    return cuts


def _extent(laid: Laid) -> float:
    centres = [middle(polygon) for polygon in laid.values()]
    return sum(math.dist(middle(centres), centre) ** 2 for centre in centres)


def _unfold_part(
    board: Board,
    flat: Laid,
    root: Cell,
    rest: set[Cell],
    pick: PickHinge,
    children: Mapping[Cell, Sequence[Cell]] | None = None,
) -> Laid:
    """The cells that can be unfolded from `root` without overlap; `flat` has each cell in the
    plane, wherever it lies. With `children`, a cell is unfolded only from its parent."""
    laid: Laid = {}
    discs: list[tuple[Point, float, tuple[Point, ...]]] = []  # around the polygons that are laid
    sides: dict[Point, Hinge] = {}
    hinges: list[Hinge] = []

    def overlaps(centre: Point, radius: float, polygon: tuple[Point, ...]) -> bool:
        for other_centre, other_radius, other in discs:  # most are far from each other
            near = math.dist(centre, other_centre) < radius + other_radius
            if near and _overlap(polygon, other):
                return True
        return False

    def lay(cell: Cell, polygon: tuple[Point, ...]) -> None:
        """Lay a cell there, unless it would overlap others."""
        centre = middle(polygon)
        radius = math.dist(centre, polygon[0])
        if overlaps(centre, radius, polygon):
            return
        laid[cell] = polygon
        discs.append((centre, radius, polygon))
        for side in range(len(polygon)):
            sides[_round_point(halfway(polygon, side))] = cell, side
            hinges.append((cell, side))

    def touches_wrong_side(cell: Cell, polygon: tuple[Point, ...]) -> bool:
        """Whether a side would lie at one that it does not meet on the board."""
        for side in range(len(polygon)):
            touched = sides.get(_round_point(halfway(polygon, side)))
            if touched is not None and board.across.get((cell, side)) != touched:
                return True
        return False

    lay(root, flat[root])
    while hinges:
        cell, side = hinges.pop(pick(hinges))
        child, child_side = board.across.get((cell, side), (cell, side))
        if child in laid or child not in rest:
            continue
        if children is not None and child not in children[cell]:
            continue
        corners = laid[cell]
        start = corners[(side + 1) % len(corners)]
        polygon = _laid_on(flat[child], child_side, start, corners[side])
        if not touches_wrong_side(child, polygon):
            lay(child, polygon)
    return laid


def _round_point(point: Point) -> Point:
    """The point rounded, so that equal points are equal keys."""
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
        left, top = min(xs), min(ys)
        for cell, polygon in part.items():
            row[cell] = tuple((round(x - left + right, 6), round(y - top, 6)) for x, y in polygon)
        right += math.ceil(max(xs) - left + 0.5)
    return row


def _overlap(a: Sequence[Point], b: Sequence[Point]) -> bool:
    """Whether the interiors of two convex polygons meet, that is, no line along a side separates
    them."""
    for polygon in (a, b):
        for i, (x, y) in enumerate(polygon):
            to_x, to_y = polygon[(i + 1) % len(polygon)]
            across = (to_y - y, x - to_x)
            here = [dot(across, point) for point in a]
            there = [dot(across, point) for point in b]
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
    here = points[side]
    there = points[(side + 1) % len(points)]
    new_here = complex(*start)
    new_there = complex(*end)
    turn = (new_there - new_here) / (there - here)
    laid = []
    for point in points:
        moved = (point - here) * turn + new_here
        laid.append((round(moved.real, 6) + 0.0, round(moved.imag, 6) + 0.0))
    return tuple(laid)


# -- views of solids

# the viewer in the first of two views: in front of the solid, above it and to the right
FROM = (0.42, -0.5, -0.76)


def views(board: Board) -> Iterator[Laid]:
    """The visible faces of a solid from two opposite corners, the nearest faces last; nothing for a
    board in the plane."""
    if board.flat:
        return
    normals = [normal(polygon) for polygon in board.polygons.values()]
    directions = [FROM[i:] + FROM[:i] for i in range(3)]

    def measure_clearness(direction: Point) -> float:
        """How far the face that is seen most nearly edgewise is from that."""
        return round(min(abs(dot(direction, vector)) for vector in normals), 6)

    clearest = _unit(max(directions, key=measure_clearness))
    opposite = tuple(-x for x in clearest)
    for eye in (clearest, opposite):
        yield _view_from(board, eye)


def _unit(vector: Point) -> Point:
    length = math.hypot(*vector)
    return tuple(x / length for x in vector)


def _view_from(board: Board, eye: Point) -> Laid:
    """The faces that are seen from this direction, the nearest last."""
    # The vertical axis, as it is seen, and the horizontal one of the picture.
    down = _unit(tuple((axis == 1) - x * eye[1] for axis, x in enumerate(eye)))
    right = cross(eye, down)

    # If two faces of a lattice overlap in the view, the one whose cube is nearer is in front.
    depth = {}
    for cell, polygon in board.polygons.items():
        towards = dot(normal(polygon), eye)
        if towards > 1e-6:
            depth[cell] = dot(middle(polygon), eye) - towards / 2

    view: dict[Cell, list[tuple[float, float]]] = {}
    for cell in sorted(depth, key=depth.__getitem__):
        view[cell] = [(dot(point, right), dot(point, down)) for point in board.polygons[cell]]
    xs, ys = zip(*(point for polygon in view.values() for point in polygon), strict=True)
    left, top = min(xs), min(ys)
    return {cell: tuple((x - left, y - top) for x, y in polygon) for cell, polygon in view.items()}
