"""A frame with teeth on its inner rim: reading it, and where its teeth are on the faces of the board."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from jigsat.boards import Board, Cell, Point, Spot
from jigsat.errors import plural

if TYPE_CHECKING:
    from jigsat.boards import BoardSymmetry

TOOTH, GAP = "#1", ".0"

Side = tuple[Cell, int]


def frame_of(board: Board, size: int, drawing: str) -> dict[Spot, bool]:
    """For each spot on the rim of a board whether the frame has a tooth there.

    A board of squares that does not wrap around is drawn in rows, with one character per small square; only those on the rim
    matter. For any other board there is one line per rim, with the sides written like a piece on one line. Raises ValueError
    for a board without a rim and for a frame that is drawn wrongly.
    """
    rim = rim_sides(board)
    if not rim:
        raise ValueError(f"frame: {board.name} has no rim")
    marks = _read_drawn_teeth if is_drawn_in_rows(board) else _read_written_teeth
    teeth = {board.at(point): tooth for point, tooth in marks(board, size, rim, drawing)}
    places = ((Spot(cell, i), board.at(point)) for cell in board.cells for i, point in enumerate(_border(board, cell, size)))
    return {spot: teeth[point] for spot, point in places if point in teeth}


def rim_sides(board: Board) -> list[Side]:
    """The sides on the rim of a board."""
    return [(edge[0].cell, edge[0].side) for edge in board.edges if len(edge) == 1]


def write_frame(board: Board, size: int, teeth: Collection[Spot]) -> str:
    """The frame with teeth at these spots on the rim, as `frame_of` reads it. Raises ValueError if it cannot be written."""
    filled = {board.at(_border(board, cell, size)[i]) for cell, i in teeth}

    def mark(point: Point) -> str:
        return "#" if board.at(point) in filled else "."

    if not is_drawn_in_rows(board):
        sides = ([_along(board, side, size)[:-1] for side in rim] for rim in _rims(board, rim_sides(board)))
        return "\n".join(" ".join("".join(map(mark, points)) for points in rim) for rim in sides)
    width, height = _extent(board, size)
    rows = [["-"] * width for _ in range(height)]
    for side in rim_sides(board):
        for point in _along(board, side, size):
            x, y = (round(value * (size - 1)) for value in point)
            rows[y][x] = mark(point)
    return "\n".join(map("".join, rows))


def _extent(board: Board, size: int) -> tuple[int, int]:
    """Width and height of a board of squares in small squares."""
    xs, ys = zip(*(point for corners in board.polygons.values() for point in corners), strict=True)
    return round(max(xs)) * (size - 1) + 1, round(max(ys)) * (size - 1) + 1


def is_drawn_in_rows(board: Board) -> bool:
    """Whether the frame of a board is drawn in rows."""
    return board.flat and not any(board.wrap) and all(board.sides(cell) == 4 for cell in board.cells)


def keeps(motion: BoardSymmetry, board: Board, frame: dict[Spot, bool], size: int) -> bool:
    """Whether an automorphism of the board maps the frame onto itself."""
    around = {cell: [frame.get(Spot(cell, i)) for i in range(board.sides(cell) * (size - 1))] for cell in board.cells}
    return all(
        orientation.apply(around[cell], board.sides(cell)) == tuple(around[image])
        for cell, (image, orientation) in motion.images.items()
    )


def _along(board: Board, side: Side, size: int) -> list[Point]:
    """The points of the places along a side, both corners included."""
    corners = board.polygons[side[0]]
    start, end = corners[side[1]], corners[(side[1] + 1) % len(corners)]
    return [tuple(a + (b - a) * j / (size - 1) for a, b in zip(start, end, strict=True)) for j in range(size)]


def _border(board: Board, cell: Cell, size: int) -> list[Point]:
    """The points around a face, clockwise from its first corner."""
    return [point for side in range(board.sides(cell)) for point in _along(board, (cell, side), size)[:-1]]


def _read_drawn_teeth(board: Board, size: int, rim: list[Side], drawing: str) -> Iterator[tuple[Point, bool]]:
    rows = drawing.strip("\n").splitlines()
    width, height = _extent(board, size)
    if len(rows) != height:
        raise ValueError(f"frame: {plural(len(rows), 'row')}, but the board is {height} small squares high, its rims included")
    for number, row in enumerate(rows, 1):
        if len(row.rstrip()) > width:
            raise ValueError(f"frame: row {number} has {len(row.rstrip())} characters, but the board is {width} wide")
    for side in rim:
        for point in _along(board, side, size):
            x, y = (round(value * (size - 1)) for value in point)
            yield point, _is_tooth(rows[y][x : x + 1], f"row {y + 1}, column {x + 1}")


def _read_written_teeth(board: Board, size: int, rim: list[Side], drawing: str) -> Iterator[tuple[Point, bool]]:
    rims = list(_rims(board, rim))
    lines = [line.split() for line in drawing.splitlines() if line.strip()]
    if len(lines) != len(rims):
        raise ValueError(f"frame: {plural(len(lines), 'line')}, but {board.name} needs {len(rims)}, one for each of its rims")
    for number, (sides, words) in enumerate(zip(rims, lines, strict=True), 1):
        if len(words) != len(sides) or any(len(word) != size - 1 for word in words):
            raise ValueError(
                f"frame: line {number}: expected {len(sides)} sides of {size - 1} characters, each with the corner at its start"
            )
        for side, word in zip(sides, words, strict=True):
            for j, (point, character) in enumerate(zip(_along(board, side, size), word, strict=False), 1):
                yield point, _is_tooth(character, f"line {number}, side {word}, character {j}")


def _rims(board: Board, rim: list[Side]) -> Iterator[list[Side]]:
    """The sides of each rim in order. Raises ValueError if a rim touches itself or another one."""
    order = {cell: i for i, cell in enumerate(board.cells)}
    rest = sorted(rim, key=lambda side: (order[side[0]], side[1]))
    starts = {board.at(_along(board, side, 2)[0]): side for side in rest}
    if len(starts) < len(rest):
        raise ValueError(f"frame: the rim of {board.name} touches itself at a corner, so its frame cannot be written")
    while rest:
        sides = [rest[0]]
        while (following := starts[board.at(_along(board, sides[-1], 2)[1])]) != sides[0]:
            sides.append(following)
        yield sides
        rest = [side for side in rest if side not in sides]


def _is_tooth(character: str, where: str) -> bool:
    if not character or character not in TOOTH + GAP:
        shown = repr(character) if character else "missing"
        raise ValueError(f"frame: {where} is {shown}; on the rim write # or 1 for a tooth of the frame, . or 0 for a gap")
    return character in TOOTH
