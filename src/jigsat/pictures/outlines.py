"""Boards of hexagons and of triangles drawn with characters, with lines between cells of different
rooms."""

from collections.abc import Hashable, Mapping
from typing import Any

from jigsat.boards import Board
from jigsat.errors import printable
from jigsat.pictures.text import CharacterPlane

Stroke = tuple[int, int, str]  # column, line and text


def draw_outlines(board: Board, shown: Mapping[Any, str], rooms: Mapping[Any, Hashable]) -> str:
    r"""A board of hexagons or triangles, with a text on each cell and lines around each room.

    The cells are (row, column) as in a drawing.

    >>> from jigsat.boards import board_named
    >>> cells = board_named("hexagon 2").cells
    >>> regions = {cell: sum(cell) < 4 for cell in cells}
    >>> print(draw_outlines(board_named("hexagon 2"), dict.fromkeys(cells, "a"), regions))
       / \ / \
      | a   a |
     /       / \
    | a   a | a |
     \     /   /
      | a | a |
       \ / \ /
    """
    page = CharacterPlane()
    strokes: list[Stroke] = []
    names: list[Stroke] = []
    width = max((len(printable(text)) for text in shown.values()), default=1)
    for cell in board.cells:
        sides, (x, y, room) = (_hexagon if board.sides(cell) == 6 else _triangle)(
            board, cell, width
        )
        names.append((x, y, printable(shown[cell]).center(room)))
        for side, lines in enumerate(sides):
            neighbour, _ = board.across.get((cell, side), (None, 0))
            if neighbour is None or rooms[neighbour] != rooms[cell]:
                strokes += lines
    for stroke in names + sorted(
        strokes, key=lambda stroke: "_" not in stroke[2]
    ):  # slanted lines end on horizontal ones
        page.write(*stroke)
    return str(page)


def _hexagon(
    board: Board, cell: Any, width: int
) -> tuple[list[list[Stroke]], tuple[int, int, int]]:
    """The strokes of each side, and the place of the name: column, line and width."""
    row, column = cell
    half = 2 * max(1, -(-(width + 1) // 4))
    x = half * column
    y = 2 * row
    left = x + half // 2
    right = x + 3 * half // 2
    slants = [(right, y, "\\"), (x + 2 * half, y + 1, "|"), (right, y + 2, "/")]
    slants += [(left, y + 2, "\\"), (x, y + 1, "|"), (left, y, "/")]
    return [[stroke] for stroke in slants], (x + 1, y + 1, 2 * half - 1)


def _triangle(
    board: Board, cell: Any, width: int
) -> tuple[list[list[Stroke]], tuple[int, int, int]]:
    """The same for a triangle. Its horizontal side is on the line of the last slants, or on the
    line above the first ones."""
    row, column = cell
    high = max(3, (width + 5) // 2)
    x, y = high * column, high * row
    flat = [(x, y + high - 1, "_" * 2 * high)]
    falling = range(high)
    rising = range(high)
    (_, top), (_, right), _ = board.polygons[cell]
    if right > top:  # it points up
        slants = (
            [(x + high + i, y + i, "\\") for i in falling],
            flat,
            [(x + high - 1 - i, y + i, "/") for i in rising],
        )
        return list(slants), (x + 2, y + high - 2, 2 * high - 4)
    flat = [(x, y - 1, "_" * 2 * high)]
    sides = (
        flat,
        [(x + 2 * high - 1 - i, y + i, "/") for i in rising],
        [(x + i, y + i, "\\") for i in falling],
    )
    return list(sides), (x + 2, y + 1, 2 * high - 4)
