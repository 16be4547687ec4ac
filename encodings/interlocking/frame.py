"""A frame with teeth on its inner rim: reading it, and where its teeth are on the faces of the
board."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
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
    lines, layout = _read_lines(board, size, drawing)
    for number, (line, points) in enumerate(zip(lines, layout, strict=True), 1):
        for column, point in enumerate(points, 1):
            if point is not None:
                where = f"row {number}, column {column}"
                if not is_drawn_in_rows(board):
                    side = line.split()[column // size]
                    where = f"line {number}, side {side}, character {column % size}"
                teeth[board.at(point)] = _is_tooth(line[column - 1 : column], where)

    frame = {}
    for cell in board.cells:
        for i, point in enumerate(_border(board, cell, size)):
            place = board.at(point)
            if place in teeth:
                frame[Spot(cell, i)] = teeth[place]
    return frame


def _read_lines(board: Board, size: int, drawing: str) -> tuple[list[str], list[Line]]:
    """The lines of a frame, and their layout. Raises ValueError if they have another one."""
    layout = _layout(board, size)
    if is_drawn_in_rows(board):
        lines = [line.rstrip() for line in drawing.strip("\n").splitlines()]
        _require_rows(lines, layout)
    else:
        lines = [" ".join(line.split()) for line in drawing.splitlines() if line.strip()]
        _require_sides(lines, layout, board, size)
    return lines, layout


def _require_rows(lines: Sequence[str], layout: Sequence[Line]) -> None:
    """Raise ValueError unless there are as many rows as the board is high, none of which is
    wider."""
    if len(lines) != len(layout):
        high = f"{len(layout)} small squares high, its rims included"
        raise ValueError(f"frame: {plural(len(lines), 'row')}, but the board is {high}")
    width = len(layout[0])
    for number, line in enumerate(lines, 1):
        if len(line) > width:
            raise ValueError(
                f"frame: row {number} has {len(line)} characters, but the board is {width} wide"
            )


def _require_sides(lines: Sequence[str], layout: Sequence[Line], board: Board, size: int) -> None:
    """Raise ValueError unless there is a line for each rim, with the right number of sides."""
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


def _layout(board: Board, size: int) -> list[Line]:
    """The lines of a frame's drawing: for each character its place on the rim, or None if the
    character does not matter."""
    if is_drawn_in_rows(board):
        return _lay_out_rows(board, size)
    lines: list[Line] = []
    for rim in _rims(board):
        line: Line = []
        for side in rim:
            if line:
                line.append(None)  # the blank between two sides
            line += _along(board, side, size)[:-1]
        lines.append(line)
    return lines


def _lay_out_rows(board: Board, size: int) -> list[Line]:
    points = {}
    for side in rim_sides(board):
        for x, y in _along(board, side, size):
            points[round(y * (size - 1)), round(x * (size - 1))] = x, y
    height = max(row for row, _ in points) + 1
    width = max(column for _, column in points) + 1
    rows: list[Line] = []
    for row in range(height):
        rows.append([points.get((row, column)) for column in range(width)])
    return rows


def rim_sides(board: Board) -> list[Side]:
    return [(edge[0].cell, edge[0].side) for edge in board.edges if len(edge) == 1]


def write_frame(board: Board, size: int, teeth: Collection[Spot]) -> str:
    """The frame with teeth at these spots on the rim, as `frame_of` reads it. Raises ValueError if
    it cannot be written."""
    filled = {board.at(_border(board, cell, size)[i]) for cell, i in teeth}
    between = "-" if is_drawn_in_rows(board) else " "
    lines = []
    for points in _layout(board, size):
        line = ""
        for point in points:
            if point is None:
                line += between
            else:
                line += "#" if board.at(point) in filled else "."
        lines.append(line)
    return "\n".join(lines)


def is_drawn_in_rows(board: Board) -> bool:
    return (
        board.flat and not any(board.wrap) and all(board.sides(cell) == 4 for cell in board.cells)
    )


def keeps(motion: BoardSymmetry, board: Board, frame: dict[Spot, bool], size: int) -> bool:
    """Whether an automorphism of the board maps the frame onto itself."""
    around = {}  # the teeth of the frame around each face
    for cell in board.cells:
        positions = range(board.sides(cell) * (size - 1))
        around[cell] = tuple(frame.get(Spot(cell, i)) for i in positions)
    for cell, (image, orientation) in motion.images.items():
        if orientation.apply(around[cell], board.sides(cell)) != around[image]:
            return False
    return True


def _along(board: Board, side: Side, size: int) -> list[Point]:
    """The points of the places along a side, both corners included."""
    cell, number = side
    corners = board.polygons[cell]
    start = corners[number]
    end = corners[(number + 1) % len(corners)]
    points = []
    for i in range(size):
        points.append(tuple(a + (b - a) * i / (size - 1) for a, b in zip(start, end, strict=True)))
    return points


def _border(board: Board, cell: Cell, size: int) -> list[Point]:
    """The points around a face, clockwise from its first corner."""
    points: list[Point] = []
    for side in range(board.sides(cell)):
        points += _along(board, (cell, side), size)[:-1]
    return points


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
        sides = []
        side = rest[0]
        while side not in sides:
            sides.append(side)
            _, end = _along(board, side, 2)
            side = starts[board.at(end)]
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
