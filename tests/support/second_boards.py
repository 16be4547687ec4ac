"""The boards of the second encoder, as docs/instances.md describes them.

A board has for each cell the points of its corners, clockwise as seen from the printed side,
beginning where side 0 begins. Two sides with the same two ends meet.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any, TypeAlias

Cell: TypeAlias = Hashable
Corner: TypeAlias = Any  # a letter or a tuple of numbers; those of one board can be sorted
Corners: TypeAlias = Mapping[Cell, tuple[Corner, ...]]
Side: TypeAlias = tuple[Cell, int]
Vector: TypeAlias = tuple[int, int, int]

# Faces 0, 1, 2, … of the convex solids, with a letter for each corner. The test of the boards
# proves that these are the solids; the regular ones are numbered as the docs say.
SOLIDS = {
    "tetrahedron": "abc dba dcb dac",
    "octahedron": "abc dba ecb acf ebd efc daf edf",
    "dodecahedron": "abcde fghcb idchj kedil aekmn anofb fopqg rjhgq rslij mklst mtpon rqpts",
    "icosahedron": (
        "abc adb cbe acf gbd geb ehc fch afi aid djg keg khe fhl ifl jdi kgj klh jil kjl"
    ),
    "triangular-bipyramid": "abc cbd acd aeb edb ade",
    "pentagonal-bipyramid": "abc dac bec afb dce dfa bfg ebg deg dgf",
    "snub-disphenoid": "abc dcb eba fac edb fcd fga eag ehd fdh fhg egh",
    "triaugmented-prism": "abc adb ecb acf gbd geb hce hfc afi aid gdi heg hif hgi",
    "gyroelongated-bipyramid": ("abc bdc ace afb bgd hcd aei aif bfg hec hdg eji ijf fjg hje hgj"),
}

# The faces of a cube: the direction in which each looks, and that of its side 0. Directions are
# (right, up, towards the viewer).
FACES: Mapping[str, tuple[Vector, Vector]] = {
    "top": ((0, 1, 0), (0, 0, -1)),
    "left": ((-1, 0, 0), (0, 1, 0)),
    "front": ((0, 0, 1), (0, 1, 0)),
    "right": ((1, 0, 0), (0, 1, 0)),
    "bottom": ((0, -1, 0), (0, 0, 1)),
    "back": ((0, 0, -1), (0, -1, 0)),
}


def read_board(board: str) -> Corners:
    """The cells of a board with their corners."""
    head, _, drawing = board.strip("\n").partition("\n")
    kind, _, size = head.partition(" ")
    if kind in SOLIDS:
        return {number: tuple(face) for number, face in enumerate(SOLIDS[kind].split())}
    if kind == "cube":
        return {name: _face_of_cube((0, 0, 0), name) for name in FACES}
    if kind == "polycube":
        return _polycube(drawing)
    if kind == "triangles":
        return _triangles(drawing)
    if kind == "triangle":
        return _triangles(_draw_triangle(int(size)))
    if kind == "hexagon":
        return {cell: _hexagon(*cell) for cell in _list_hexagons(int(size))}
    assert kind == "square", f"the second encoder does not know the board {head!r}"
    rows, columns = map(int, size.split("x"))
    return {(y, x): _square(y, x) for y in range(rows) for x in range(columns)}


def find_meetings(corners: Corners) -> dict[Side, Side]:
    """For each side the one that it meets; those on the rim meet none."""
    by_ends: dict[frozenset[Corner], list[Side]] = {}
    for cell, points in corners.items():
        for side, start in enumerate(points):
            end = points[(side + 1) % len(points)]
            by_ends.setdefault(frozenset((start, end)), []).append((cell, side))

    meetings: dict[Side, Side] = {}
    for sides in by_ends.values():
        if len(sides) == 4:  # two cubes that touch along an edge
            sides.sort(key=lambda side: side[0][:3])  # type: ignore[index]
        for first, second in zip(sides[::2], sides[1::2], strict=False):
            meetings[first] = second
            meetings[second] = first
    return meetings


def _square(row: int, column: int) -> tuple[Corner, ...]:
    return (row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)


def _list_hexagons(length: int) -> Iterator[tuple[int, int]]:
    """Row and column of each cell of a hexagon of hexagons; cells are two columns wide."""
    middle = length - 1
    for row in range(2 * middle + 1):
        indent = abs(row - middle)
        for number in range(2 * middle + 1 - indent):
            yield row, indent + 2 * number


def _hexagon(row: int, column: int) -> tuple[Corner, ...]:
    """The corner at the top is first. Rows are three units apart."""
    steps = [(-2, 0), (-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1)]
    return tuple((3 * row + down, column + right) for down, right in steps)


def _draw_triangle(length: int) -> str:
    rows = []
    for row in range(length):
        rows.append(" " * (length - 1 - row) + "^" + "v^" * row)
    return "\n".join(rows)


def _triangles(drawing: str) -> Corners:
    """Row and column of each triangle. One is two columns wide and overlaps its neighbours."""
    drawn = {}
    for row, line in enumerate(drawing.splitlines()):
        for column, character in enumerate(line):
            if character in "^v":
                drawn[row, column] = character
    top = min(row for row, _ in drawn)
    left = min(column for _, column in drawn)

    corners: dict[Cell, tuple[Corner, ...]] = {}
    for (y, x), character in drawn.items():
        row, column = y - top, x - left
        if character == "^":
            points = (row, column + 1), (row + 1, column + 2), (row + 1, column)
        else:
            points = (row, column), (row, column + 2), (row + 1, column + 1)
        corners[row, column] = points
    return corners


def _polycube(drawing: str) -> Corners:
    """The faces of cubes that no other cube covers."""
    centres: dict[tuple[int, ...], Vector] = {}
    for layer, rows in enumerate(drawing.strip("\n").split("\n\n")):
        for row, line in enumerate(rows.splitlines()):
            for column, character in enumerate(line):
                if character != ".":
                    centres[layer, row, column] = (2 * column, -2 * layer, 2 * row)
    least = [min(numbers) for numbers in zip(*centres, strict=True)]

    corners: dict[Cell, tuple[Corner, ...]] = {}
    for place, centre in centres.items():
        layer, row, column = (x - y for x, y in zip(place, least, strict=True))
        for name, (outward, _) in FACES.items():
            if _add(centre, outward, outward) not in centres.values():
                corners[layer, row, column, name] = _face_of_cube(centre, name)
    return corners


def _face_of_cube(centre: Vector, name: str) -> tuple[Corner, ...]:
    """The corners of a face of a cube whose edges are two units long."""
    outward, up = FACES[name]
    right = (  # the vector product of both
        up[1] * outward[2] - up[2] * outward[1],
        up[2] * outward[0] - up[0] * outward[2],
        up[0] * outward[1] - up[1] * outward[0],
    )
    down, left = _add((0, 0, 0), minus=up), _add((0, 0, 0), minus=right)
    middle = _add(centre, outward)
    return (
        _add(middle, up, left),
        _add(middle, up, right),
        _add(middle, down, right),
        _add(middle, down, left),
    )


def _add(*vectors: Vector, minus: Vector = (0, 0, 0)) -> Vector:
    x, y, z = (sum(numbers) for numbers in zip(*vectors, strict=True))
    return x - minus[0], y - minus[1], z - minus[2]
