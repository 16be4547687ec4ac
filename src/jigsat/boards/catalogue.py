"""Boards by name, such as `torus 4x6` or `dodecahedron`, and boards drawn with characters.

The first line of a drawing states its kind:

>>> sorted(board_named("squares\\n##.\\n.##").cells)
[(0, 0), (0, 1), (1, 1), (1, 2)]
>>> len(board_named("hexagons\\n # #\\n# # #\\n # #").cells)
7
>>> len(board_named("triangles\\n ^ \\n^v^").cells)
4
>>> len(board_named("polycube\\n##\\n\\n#.").cells)
14
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import combinations, islice, pairwise, product
from typing import Annotated, TypeVar

from pydantic import AfterValidator

from jigsat.boards.board import Board, Cell, Point, cross, dot, middle, minus, normal, turn_from
from jigsat.boards.lattice import MAX_CELLS, NO_CELL, cells, layers, readable
from jigsat.errors import nearest

MAX_SIDE_CELLS = 999  # largest number allowed in the name of a board
T = TypeVar("T")
Polygons = dict[Cell, tuple[Point, ...]]


@lru_cache(maxsize=8)
def board_named(description: str) -> Board:
    """The board of a description: a name, or a drawing that follows its kind. Raises ValueError for
    an unknown description.

    >>> names = ("hexagon 2", "cube", "icosahedron", "antiprism 4")
    >>> [len(board_named(name).symmetries()) for name in names]
    [12, 48, 120, 16]
    """
    first, _, rest = description.strip().partition("\n")
    kind, _, sizes = first.partition(" ")
    if kind in DRAWN and not sizes:
        return DRAWN[kind](rest)
    if kind in NAMED and not rest:
        pattern, make = NAMED[kind]
        if size := re.fullmatch(PATTERNS[pattern], sizes.strip()):
            if max(map(len, size.groups()), default=0) > len(str(MAX_SIDE_CELLS)):
                raise ValueError(
                    f"the board {first!r} is too large; the numbers in a name go up to "
                    f"{MAX_SIDE_CELLS}"
                )
            return make(*map(int, size.groups()))
    if suggested := nearest(first, DRAWN) if rest else _suggest_name(first):
        raise ValueError(f"unknown board {first!r}; did you mean {suggested!r}?")
    if kind in NAMED:
        form = f"{kind} {NAMED[kind][0]}".strip()
        raise ValueError(
            f"unknown board {first!r}; write {form!r} with numbers from 1 to {MAX_SIDE_CELLS}"
        )
    names = ", ".join(
        f"'{kind} {pattern}'" if pattern else f"'{kind}'" for kind, (pattern, _) in NAMED.items()
    )
    kinds = ", ".join(f"'{kind}'" for kind in DRAWN)
    raise ValueError(
        f"unknown board {first!r}; use one of {names}, or a drawing whose first line is one of "
        f"{kinds}"
    )


def _suggest_name(name: str) -> str:
    """The nearest valid name to an unknown one, or '' if none is near.

    >>> names = ("3x3", "sqare 3x4", "Hexagon 3x3", "cubes", "grid 5", "square 0x2", "tetris")
    >>> [_suggest_name(name) for name in names]
    ['square 3x3', 'square 3x4', 'hexagon 3', 'cube', 'square 5x5', '', '']
    >>> _suggest_name("Snub disphenoid")
    'snub-disphenoid'
    """
    named_whole = nearest("-".join(name.split()), [kind for kind in NAMED if "-" in kind])
    if named_whole:
        return named_whole
    parts = re.fullmatch(r"\s*([^\W\d]*?)\W*(?:(\d{1,3})\W*(?:x?\W*(\d{1,3}))?)?\s*", name)
    if not parts:
        return ""
    word, *numbers = parts.groups(default="")
    kind = nearest(word, NAMED) if word else ""
    if not kind and numbers[0]:
        kind = "square"
    pattern = NAMED[kind][0] if kind else ""
    rows = numbers[0]
    columns = numbers[1] or numbers[0]
    sizes = {"": "", "N": rows, "ROWSxCOLUMNS": f"{rows}x{columns}"}[pattern]
    return f"{kind} {sizes}".strip() if re.fullmatch(PATTERNS[pattern], sizes) else ""


def _exists(description: str) -> str:
    board_named(description)
    return description


BoardName = Annotated[str, AfterValidator(_exists)]  # description of a board in an instance file


def title_board(description: str) -> str:
    """The description of a board as titles have it.

    >>> title_board("square 3x4"), title_board("torus 4x4"), title_board("cube")
    ('3×4', 'torus 4×4', 'cube')
    """
    return re.sub("(?<=[0-9])x(?=[0-9])", "×", description).removeprefix("square ")


def _limit_cells(cells: Iterable[T]) -> list[T]:
    """The cells of a board. Raises ValueError for more than MAX_CELLS."""
    listed = list(islice(cells, MAX_CELLS + 1))
    if len(listed) > MAX_CELLS:
        raise ValueError(f"this board is too large; a board has at most {MAX_CELLS:,} cells")
    return listed


# -- boards in the plane


def _squares(cells: Iterable[tuple[int, ...]]) -> Polygons:
    """Unit squares by row and column; sides top, right, bottom, left."""
    return {
        (r, c): ((c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)) for r, c in _limit_cells(cells)
    }


def grid(rows: int, columns: int) -> Board:
    """A rectangular board; its cells are (row, column), counted from 0 at the top left, its sides
    top, right, bottom, left."""
    return Board(f"square {rows}x{columns}", _squares(product(range(rows), range(columns))))


def torus(rows: int, columns: int) -> Board:
    """A rectangular board whose opposite sides are joined: it has no rim, and every cell has a
    neighbour on each side.

    With two rows, two cells meet along two edges; with one, a cell meets itself.

    >>> len(torus(4, 4).symmetries()), len(torus(1, 3).edges), len(torus(1, 3).vertices)
    (128, 6, 3)
    """
    return Board(f"torus {rows}x{columns}", grid(rows, columns).polygons, wrap=(columns, rows))


def cylinder(rows: int, columns: int) -> Board:
    """A rectangular board whose left and right sides are joined; the top and the bottom are rims.

    >>> len(cylinder(2, 5).symmetries()), sum(len(edge) == 1 for edge in cylinder(2, 5).edges)
    (20, 10)
    """
    return Board(f"cylinder {rows}x{columns}", grid(rows, columns).polygons, wrap=(columns, 0))


def hexagon(side: int) -> Board:
    """A regular hexagon with `side` hexagonal cells along each side; cells and sides are numbered
    as in a drawing of it."""
    rows = [(y, abs(y - side + 1)) for y in range(2 * side - 1)]
    at = ((y, start + 2 * i) for y, start in rows for i in range(2 * side - 1 - start))
    return Board(f"hexagon {side}", _hexagons(at))


def _hexagons(cells: Iterable[tuple[int, ...]]) -> Polygons:
    """Hexagons with a corner at the top, by row and half column; sides clockwise from the upper
    right."""
    corners = [(math.sin(math.pi * i / 3), -math.cos(math.pi * i / 3)) for i in range(6)]
    hexagons: Polygons = {}
    for row, half_column in _limit_cells(cells):
        x = half_column * math.sqrt(3) / 2
        y = row * 1.5
        hexagons[row, half_column] = tuple((x + dx, y + dy) for dx, dy in corners)
    return hexagons


def triangle(side: int) -> Board:
    """A regular triangle with `side` cells along each side; cells and sides are numbered as in a
    drawing of it."""
    at: dict[tuple[int, ...], bool] = {
        (y, x): (x - side + 1 - y) % 2 == 0
        for y in range(side)
        for x in range(side - 1 - y, side + y)
    }
    return Board(f"triangle {side}", _triangles(at))


def _triangles(upright: dict[tuple[int, ...], bool]) -> Polygons:
    """Triangles by row and half column. Sides run clockwise: from the right if the triangle points
    up, else from the top."""
    height = math.sqrt(3) / 2
    triangles: Polygons = {}
    for (row, half_column), points_up in _limit_cells(upright.items()):
        left = half_column / 2
        middle = left + 0.5
        right = left + 1
        top = row * height
        bottom = (row + 1) * height
        if points_up:
            corners = (middle, top), (right, bottom), (left, bottom)
        else:
            corners = (left, top), (right, top), (middle, bottom)
        triangles[row, half_column] = corners
    return triangles


# -- solids

# The corners of a cube's faces: x points right, y down, and z away from the viewer, who sees the
# front.
FACES: dict[str, tuple[tuple[int, int, int], ...]] = {
    "top": ((0, 0, 1), (1, 0, 1), (1, 0, 0), (0, 0, 0)),
    "left": ((0, 0, 1), (0, 0, 0), (0, 1, 0), (0, 1, 1)),
    "front": ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)),
    "right": ((1, 0, 0), (1, 0, 1), (1, 1, 1), (1, 1, 0)),
    "bottom": ((0, 1, 0), (1, 1, 0), (1, 1, 1), (0, 1, 1)),
    "back": ((0, 1, 1), (1, 1, 1), (1, 0, 1), (0, 0, 1)),
}


def cube() -> Board:
    """The six faces of a cube: the front faces the viewer, the others unfold around it, with the
    back below the bottom."""
    net: dict[Cell, Cell] = {
        "top": "front",
        "left": "front",
        "right": "front",
        "bottom": "front",
        "back": "bottom",
    }
    return Board("cube", {name: corners for name, corners in FACES.items()}, net=net)  # noqa: C416


def polycube(drawing: str) -> Board:
    """The faces (layer, row, column, 'front') of a solid of unit cubes; rows of a layer are drawn
    from back to front."""
    cubes = cells(_check_drawing("polycube", drawing), 3)
    outward = {name: tuple(map(round, normal(corners))) for name, corners in FACES.items()}
    polygons: Polygons = {}
    every = product(cubes, outward.items())
    faces = (
        (at, name)
        for at, (name, (x, y, z)) in every
        if (at[0] + y, at[1] - z, at[2] + x) not in cubes
    )
    for (layer, row, column), name in _limit_cells(faces):
        polygons[layer, row, column, name] = tuple(
            (a + column, b + layer, c - row) for a, b, c in FACES[name]
        )
    return Board(f"polycube of {len(cubes)} cubes", polygons)


GOLDEN = (1 + math.sqrt(5)) / 2


def _turn_points(*points: Point) -> list[Point]:
    """The points with all combinations of signs and all cyclic shifts of their coordinates."""
    signed: dict[Point, None] = {}
    for point, signs in product(points, product((1, -1), repeat=3)):
        signed[tuple(sign * x for sign, x in zip(signs, point, strict=True))] = None
    return [point[i:] + point[:i] for point in signed for i in range(3)]


def _ring(number: int, height: float, phase: float) -> list[Point]:
    """The corners of a horizontal regular polygon with unit sides, clockwise as seen from above; y
    points down."""
    radius = 0.5 / math.sin(math.pi / number)
    turns = [2 * math.pi * (i + phase) / number for i in range(number)]
    return [(radius * math.sin(turn), -height, radius * math.cos(turn)) for turn in turns]


def _half_height(number: int) -> float:
    """Half the height of an antiprism with unit edges."""
    return math.sqrt(1 - 1 / (2 * math.cos(math.pi / (2 * number))) ** 2) / 2


def _bipyramid(number: int) -> list[Point]:
    """A ring of 3 to 5 corners, and a tip above and below it, at unit distance from the ring."""
    height = math.sqrt(1 - (0.5 / math.sin(math.pi / number)) ** 2)
    return [*_ring(number, 0, 0), (0, -height, 0), (0, height, 0)]


def _snub_disphenoid() -> list[Point]:
    """Two edges across each other, at the top and at the bottom, and four corners between them.

    The edges have length 2. If the top edge is `half` above the middle, four corners lie `low`
    below or above it and `out` from the axis. All edges have this length if q = low² is the
    positive root of 2q³ + 11q² + 4q = 1.
    """
    q = 0.16902
    for _ in range(5):  # Newton's method, from a root that is right to five digits
        q -= (2 * q**3 + 11 * q**2 + 4 * q - 1) / (6 * q**2 + 22 * q + 4)
    low = math.sqrt(q)
    half = math.sqrt((1 - q) / (2 * q))
    out = math.sqrt(2 - 2 * q)
    top = -half
    bottom = half
    return [
        (1, top, 0), (-1, top, 0), (0, bottom, 1), (0, bottom, -1),
        (out, low, 0), (-out, low, 0), (0, -low, out), (0, -low, -out),
    ]  # fmt: skip


def _triaugmented_prism() -> list[Point]:
    """A prism of three squares, with a tip on each of them."""
    prism = [*_ring(3, 0.5, 0), *_ring(3, -0.5, 0)]
    # The tips point away from the corners, so half a step further around.
    reach = math.sqrt(1 / 12) + math.sqrt(1 / 2)
    radius = math.sqrt(1 / 3)
    tips = [(x * reach / radius, 0.0, z * reach / radius) for x, _, z in _ring(3, 0, 0.5)]
    return [*prism, *tips]


def _gyroelongated_bipyramid() -> list[Point]:
    """An antiprism between two squares, with a tip on each of them."""
    half = _half_height(4)
    tip = half + math.sqrt(1 / 2)
    return [*_ring(4, half, 0), *_ring(4, -half, 0.5), (0, -tip, 0), (0, tip, 0)]


CORNERS: dict[str, list[Point]] = {
    "tetrahedron": [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)],
    "octahedron": _turn_points((0, 0, 1)),
    "dodecahedron": _turn_points((1, 1, 1), (0, 1 / GOLDEN, GOLDEN)),
    "icosahedron": _turn_points((0, 1, GOLDEN)),
    "triangular-bipyramid": _bipyramid(3),
    "pentagonal-bipyramid": _bipyramid(5),
    "snub-disphenoid": _snub_disphenoid(),
    "triaugmented-prism": _triaugmented_prism(),
    "gyroelongated-bipyramid": _gyroelongated_bipyramid(),
}
"""The corners of convex solids of equal regular triangles or pentagons. There are eight of
triangles (H. Freudenthal and B. L. van der Waerden, 1947): all of these but the dodecahedron."""


def convex(name: str) -> Board:
    """A convex solid of regular triangles or pentagons: face 0, then the others in rings around it,
    clockwise as seen from outside.

    >>> [(name, len(convex(name).cells)) for name in ("tetrahedron", "snub-disphenoid")]
    [('tetrahedron', 4), ('snub-disphenoid', 12)]
    """
    points = list(dict.fromkeys(CORNERS[name]))
    size = min(math.dist(points[0], point) for point in points[1:])
    points = [tuple(x / size for x in point) for point in points]
    planes: dict[frozenset[Point], None] = {}
    for a, b, c in combinations(points, 3):
        up = cross(minus(b, a), minus(c, a))
        heights = {point: round(dot(up, minus(point, a)), 6) for point in points}
        if min(heights.values()) >= 0 or max(heights.values()) <= 0:
            planes[frozenset(point for point, height in heights.items() if height == 0)] = None
    faces = [_around(face) for face in planes]
    top = middle(faces[0])
    start = minus(middle(faces[0][:2]), middle(faces[0]))
    aside = cross(start, top)

    def ring(face: Sequence[Point]) -> tuple[float, float]:
        centre = middle(face)
        return -round(dot(centre, top), 6), round(
            turn_from(start, aside, centre) % (2 * math.pi), 6
        )

    return Board(name, dict(enumerate(sorted(faces, key=ring))))


def _around(points: Iterable[Point]) -> tuple[Point, ...]:
    """The corners of a face of a solid centred at the origin, clockwise as seen from outside."""
    first, *others = points
    centre = middle([first, *others])
    start = minus(first, centre)
    aside = cross(start, centre)
    return (
        first,
        *sorted(
            others, key=lambda point: turn_from(start, aside, minus(point, centre)) % (2 * math.pi)
        ),
    )


def prism(number: int) -> Board:
    """A prism with squares 'side 1', 'side 2', … around it, and the polygons 'top' and 'bottom'."""
    if number < 3:
        raise ValueError("a prism has at least 3 sides")
    a = _ring(number, 0.5, 0)
    b = _ring(number, -0.5, 0)
    # the top left corner of a square, seen from outside, is the next corner clockwise, seen from
    # above
    squares = [(a[(i + 1) % number], a[i], b[i], b[(i + 1) % number]) for i in range(number)]
    return _close_ring(f"prism {number}", squares, a, b)


def antiprism(number: int) -> Board:
    """An antiprism with triangles 'side 1', 'side 2', … around it; 'top' meets the odd ones,
    'bottom' the even ones."""
    if number < 3:
        raise ValueError("an antiprism has at least 3 sides")
    half = _half_height(number)
    a = _ring(number, half, 0)
    b = _ring(number, -half, 0.5)
    following = [*zip(a, a[1:] + a[:1], b, b[1:] + b[:1], strict=True)]
    triangles = [
        corners for up, to, low, on in following for corners in ((to, up, low), (low, on, to))
    ]
    return _close_ring(f"antiprism {number}", triangles, a, b)


def _close_ring(
    name: str, around: Sequence[tuple[Point, ...]], top: Sequence[Point], bottom: Sequence[Point]
) -> Board:
    """The board of a ring of faces closed by a top and a bottom polygon."""
    faces: Polygons = {f"side {i}": corners for i, corners in enumerate(around, 1)}
    names = list(faces)
    net: dict[Cell, Cell] = {face: before for before, face in pairwise(names)}
    net["top"] = names[0]
    net["bottom"] = names[1] if len(around) > len(top) else names[0]

    faces["top"] = tuple(top)
    # Seen from outside, the corners run the other way round; side 0 stays.
    faces["bottom"] = tuple(bottom[(1 - i) % len(bottom)] for i in range(len(bottom)))
    return Board(name, faces, net=net)


# -- drawings


def _check_drawing(kind: str, drawing: str) -> str:
    try:
        return readable(drawing)
    except ValueError as error:
        raise ValueError(f"{kind}: {error}") from error


def _drawn_squares(drawing: str) -> Board:
    if len(layers(_check_drawing("squares", drawing))) > 1:
        raise ValueError(
            "squares: blank line inside a drawing in the plane; draw . where there is no cell"
        )
    polygons = _squares(cells(drawing, 2))
    return Board(f"drawing of {len(polygons)} squares", polygons)


def characters(kind: str, drawing: str) -> dict[tuple[int, ...], str]:
    """The characters in a drawing of this kind, by the cells of its board. Drawings of cubes are
    not supported."""
    return cells(drawing, 2) if kind == "squares" else _read_staggered(kind, drawing)


def _read_staggered(kind: str, drawing: str) -> dict[tuple[int, ...], str]:
    """The characters of a drawing with blanks by row and column, counted from the first row and
    column with a cell."""
    rows = enumerate(drawing.splitlines())
    character_at = {
        (y, x): character
        for y, row in rows
        for x, character in enumerate(row)
        if character not in (" ", NO_CELL)
    }
    if not character_at:
        raise ValueError(f"{kind}: this drawing has no cells")
    top, left = (min(axis) for axis in zip(*character_at, strict=True))
    return {(y - top, x - left): character for (y, x), character in character_at.items()}


def _drawn_hexagons(drawing: str) -> Board:
    places = _read_staggered("hexagons", drawing)
    first_row, first_column = next(iter(places))
    for row, column in places:
        steps = (row - first_row) + (column - first_column)
        if steps % 2:
            raise ValueError(
                f"hexagons: row {row + 1}, column {column + 1} is misaligned; cells in a row are "
                f"two characters apart, and the next row is shifted by one"
            )
    return Board(f"drawing of {len(places)} hexagons", _hexagons(places))


def _drawn_triangles(drawing: str) -> Board:
    character_at = _read_staggered("triangles", drawing)
    upright = {cell: character == "^" for cell, character in character_at.items()}
    first_row, first_column = next(iter(character_at))
    for (row, column), character in character_at.items():
        place = f"triangles: row {row + 1}, column {column + 1}"
        if character not in "^v":
            raise ValueError(
                f"{place} is {character!r}; draw ^ for a triangle that points up and v for one "
                f"that points down"
            )
        # triangles alternate along rows and from row to row
        steps = (row - first_row) + (column - first_column)
        same_as_first = upright[row, column] == upright[first_row, first_column]
        if same_as_first != (steps % 2 == 0):
            raise ValueError(f"{place} is misaligned; ^ and v alternate in every line")
    return Board(f"drawing of {len(character_at)} triangles", _triangles(upright))


PATTERNS = {"": "", "N": r"([1-9][0-9]*)", "ROWSxCOLUMNS": r"([1-9][0-9]*)x([1-9][0-9]*)"}

NAMED: dict[str, tuple[str, Callable[..., Board]]] = {
    "square": ("ROWSxCOLUMNS", grid),
    "torus": ("ROWSxCOLUMNS", torus),
    "cylinder": ("ROWSxCOLUMNS", cylinder),
    "hexagon": ("N", hexagon),
    "triangle": ("N", triangle),
    "cube": ("", cube),
    **{name: ("", partial(convex, name)) for name in CORNERS},
    "prism": ("N", prism),
    "antiprism": ("N", antiprism),
}
"""For each kind of board the sizes that follow it, and the function that makes the board from
them."""

DRAWN: dict[str, Callable[[str], Board]] = {
    "squares": _drawn_squares,
    "hexagons": _drawn_hexagons,
    "triangles": _drawn_triangles,
    "polycube": polycube,
}
"""For each kind of drawing the function that makes the board from it."""
