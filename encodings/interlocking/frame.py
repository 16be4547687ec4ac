"""A frame with teeth on its inner rim: reading it, and where its teeth are on the faces of the
board."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from jigsat.boards import Board, Cell, Point, Spot
from jigsat.words import plural

if TYPE_CHECKING:
    from jigsat.boards import BoardSymmetry

TOOTH, GAP = "#1", ".0"

Side = tuple[Cell, int]
Line = list[Point | None]


def frame_of(board: Board, size: int, drawing: str) -> dict[Spot, bool]:
    """For each spot on the rim of a board whether the frame has a tooth there.

    A board of squares that does not wrap around is drawn in rows, with one character per small
    square; only those on the rim matter. For any other board there is one line per rim, with the
    sides written like a piece on one line. Raises ValueError for a board without a rim and for a
    frame that is drawn wrongly.
    """
    if not rim_sides(board):
        raise ValueError(f"frame: {board.name} has no rim")
    teeth: dict[Point, bool] = {}
    for number, (line, points) in enumerate(
        zip(*_read_lines(board, size, drawing), strict=True), 1
    ):
        for column, point in enumerate(points, 1):
            if point is not None:
                where = f"row {number}, column {column}"
                if not is_drawn_in_rows(board):
                    where = (
                        f"line {number}, side {line.split()[column // size]}, character "
                        f"{column % size}"
                    )
                teeth[board.at(point)] = _is_tooth(line[column - 1 : column], where)
    places = (
        (Spot(cell, i), board.at(point))
        for cell in board.cells
        for i, point in enumerate(_border(board, cell, size))
    )
    return {spot: teeth[point] for spot, point in places if point in teeth}


def _read_lines(board: Board, size: int, drawing: str) -> tuple[list[str], list[Line]]:
    """The lines of a frame, and their layout. Raises ValueError if they have another one."""
    layout = _layout(board, size)
    if is_drawn_in_rows(board):
        lines, wide = [line.rstrip() for line in drawing.strip("\n").splitlines()], len(layout[0])
        if len(lines) != len(layout):
            high = f"{len(layout)} small squares high, its rims included"
            raise ValueError(f"frame: {plural(len(lines), 'row')}, but the board is {high}")
        for number, line in enumerate(lines, 1):
            if len(line) > wide:
                raise ValueError(
                    f"frame: row {number} has {len(line)} characters, but the board is {wide} wide"
                )
        return lines, layout
    lines = [" ".join(line.split()) for line in drawing.splitlines() if line.strip()]
    if len(lines) != len(layout):
        needed = f"{board.name} needs {len(layout)}, one for each of its rims"
        raise ValueError(f"frame: {plural(len(lines), 'line')}, but {needed}")
    for number, (line, points) in enumerate(zip(lines, layout, strict=True), 1):
        if [character == " " for character in line] != [point is None for point in points]:
            sides = (
                f"{points.count(None) + 1} sides of {size - 1} characters, each with the "
                f"corner at its start"
            )
            raise ValueError(f"frame: line {number}: expected {sides}")
    return lines, layout


def _layout(board: Board, size: int) -> list[Line]:
    """The lines of a frame's drawing: for each character its place on the rim, or None if the
    character does not matter."""
    if not is_drawn_in_rows(board):
        return [
            [point for side in rim for point in (*_along(board, side, size)[:-1], None)][:-1]
            for rim in _rims(board)
        ]
    steps, points = (
        size - 1,
        (point for side in rim_sides(board) for point in _along(board, side, size)),
    )
    at = {(round(y * steps), round(x * steps)): (x, y) for x, y in points}
    height, width = (max(along) + 1 for along in zip(*at, strict=True))
    return [[at.get((row, column)) for column in range(width)] for row in range(height)]


def rim_sides(board: Board) -> list[Side]:
    return [(edge[0].cell, edge[0].side) for edge in board.edges if len(edge) == 1]


def write_frame(board: Board, size: int, teeth: Collection[Spot]) -> str:
    """The frame with teeth at these spots on the rim, as `frame_of` reads it. Raises ValueError if
    it cannot be written."""
    filled = {board.at(_border(board, cell, size)[i]) for cell, i in teeth}
    marks = {True: "#", False: ".", None: "-" if is_drawn_in_rows(board) else " "}
    return "\n".join(
        "".join(marks[None if point is None else board.at(point) in filled] for point in line)
        for line in _layout(board, size)
    )


def is_drawn_in_rows(board: Board) -> bool:
    return (
        board.flat and not any(board.wrap) and all(board.sides(cell) == 4 for cell in board.cells)
    )


def keeps(motion: BoardSymmetry, board: Board, frame: dict[Spot, bool], size: int) -> bool:
    """Whether an automorphism of the board maps the frame onto itself."""
    around = {
        cell: [frame.get(Spot(cell, i)) for i in range(board.sides(cell) * (size - 1))]
        for cell in board.cells
    }
    moved = motion.images.items()
    return all(
        lies.apply(around[cell], board.sides(cell)) == tuple(around[image])
        for cell, (image, lies) in moved
    )


def _along(board: Board, side: Side, size: int) -> list[Point]:
    """The points of the places along a side, both corners included."""
    corners = board.polygons[side[0]]
    start, end = corners[side[1]], corners[(side[1] + 1) % len(corners)]
    return [
        tuple(a + (b - a) * j / (size - 1) for a, b in zip(start, end, strict=True))
        for j in range(size)
    ]


def _border(board: Board, cell: Cell, size: int) -> list[Point]:
    """The points around a face, clockwise from its first corner."""
    return [
        point
        for side in range(board.sides(cell))
        for point in _along(board, (cell, side), size)[:-1]
    ]


def _rims(board: Board) -> Iterator[list[Side]]:
    """The sides of each rim in order. Raises ValueError if a rim touches itself or another one."""
    order = {cell: i for i, cell in enumerate(board.cells)}
    rest = sorted(rim_sides(board), key=lambda side: (order[side[0]], side[1]))
    starts = {board.at(_along(board, side, 2)[0]): side for side in rest}
    if len(starts) < len(rest):
        raise ValueError(
            f"frame: the rim of {board.name} touches itself at a corner, so its frame cannot be "
            f"written"
        )
    while rest:
        sides = [rest[0]]
        while (following := starts[board.at(_along(board, sides[-1], 2)[1])]) != sides[0]:
            sides.append(following)
        yield sides
        rest = [side for side in rest if side not in sides]


def _is_tooth(character: str, where: str) -> bool:
    if not character or character not in TOOTH + GAP:
        shown = repr(character) if character else "missing"
        raise ValueError(
            f"frame: {where} is {shown}; on the rim write # or 1 for a tooth of the frame, . or "
            f"0 for a gap"
        )
    return character in TOOTH
