"""Where the cells of a board are in pictures: as squares, as characters, as a net; and what is
printed for a puzzle."""

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain, pairwise, product
from typing import Any, Literal, NamedTuple

from jigsat.boards import Board, Cell, Point, extent, halfway, middle, unfold_board, views
from jigsat.pictures.svg import Picture, between
from jigsat.words import name_place


def square_layout(board: Board) -> dict[Cell, tuple[int, int, int]] | None:
    """Column, row and number of clockwise quarter turns of each cell; None unless all cells are
    squares of one grid."""
    squares = {}
    for cell, corners in unfold_board(board).corners.items():
        if len(corners) != 4 or not all(map(_is_on_grid, corners)):
            return None
        points = [(round(x), round(y)) for x, y in corners]
        x, y = min(points)
        clockwise = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
        squares[cell] = x, y, clockwise.index(points[0])
    return squares


def _is_on_grid(point: Point) -> bool:
    return all(abs(x - round(x)) <= 0.001 for x in point)


def text_layout(board: Board) -> dict[Cell, tuple[int, int]]:
    """Column and line of each cell in a text picture of the flat board with one character per cell.

    Cells at the same height are on one line; neighbours on a line are two columns apart.

    >>> from jigsat.boards import board_named
    >>> places = text_layout(board_named("cube"))
    >>> {cell: column for cell, (column, line) in places.items() if line == 1}
    {'left': 0, 'front': 2, 'right': 4}
    """
    centres = {}
    for cell, corners in unfold_board(board).corners.items():
        xs, ys = zip(*corners, strict=True)
        centres[cell] = round((min(xs) + max(xs)) / 2, 3), round((min(ys) + max(ys)) / 2, 3)
    heights = sorted({y for _, y in centres.values()})
    on_a_line = sorted((y, x) for x, y in centres.values())
    left = min(x for x, _ in centres.values())
    steps = []  # between neighbours on a line
    for (y, x), (next_y, next_x) in pairwise(on_a_line):
        if y == next_y:
            steps.append(next_x - x)
    step = min(steps, default=1)
    layout = {}
    for cell, (x, y) in centres.items():
        layout[cell] = round(2 * (x - left) / step), heights.index(y)
    return layout


def unroll_cells(board: Board) -> Iterator[tuple[Cell, tuple[Point, ...], bool]]:
    """Each cell of the flat board with its corners and False; before them, marked True, copies
    beyond the rim.

    Only a board that wraps around has such copies.

    >>> from jigsat.boards import torus
    >>> [corners[0] for _, corners, again in unroll_cells(torus(1, 1)) if again]
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
    """
    layout = unfold_board(board).corners
    xs, ys = zip(*chain.from_iterable(layout.values()), strict=True)
    steps = [(-size, 0, size) if size else (0,) for size in board.wrap or (0, 0)]
    for right, down in sorted(product(*steps), key=any, reverse=True):
        for cell, corners in layout.items():
            moved = tuple((x + right, y + down) for x, y in corners)
            moved_xs, moved_ys = zip(*moved, strict=True)
            if _overlap(moved_xs, xs) and _overlap(moved_ys, ys):
                yield cell, moved, bool(right or down)


def _overlap(numbers: Sequence[float], others: Sequence[float]) -> bool:
    """Whether the ranges of these numbers have a number in common."""
    return min(numbers) <= max(others) and max(numbers) >= min(others)


def on_board(
    picture: Picture,
    board: Board,
    draw: Callable[[Cell, Sequence[Point]], None],
    below: Callable[[Cell, Sequence[Point]], None] = lambda cell, corners: None,
) -> None:
    """Draw every cell of the flat board, number the sides that meet but are drawn apart, and add
    views of a solid.

    In the views, `below` draws what is seen of other cells within each cell.
    """
    net = unfold_board(board)
    for cell, corners in net.corners.items():
        picture.place(cell, corners)
        draw(cell, corners)
    number_cuts(picture, board)
    left, top, width, height = (value / picture.scale for value in picture.size())
    is_beside = width < 1.5 * height
    if is_beside:
        x = left + width + 0.1
        y = top + picture.margin
    else:
        x = left + picture.margin
        y = top + height + 0.1
    for view in views(board):
        for cell, outline in view.items():
            with picture.mapped(net.corners[cell], [(x + a, y + b) for a, b in outline]):
                picture.place(cell, net.corners[cell])
                below(cell, net.corners[cell])
                draw(cell, net.corners[cell])
        view_width, view_height = extent(view)
        if is_beside:
            y += view_height + 0.4
        else:
            x += view_width + 0.4


def draw_placements(
    picture: Picture,
    board: Board,
    placements: Collection[Any],
    marked: Collection[Any],
    draw: Callable[[Any, Sequence[Point]], None],
    below: Callable[[Cell, Sequence[Point]], None] = lambda cell, corners: None,
) -> None:
    """Draw the placement on each cell with `draw`, empty cells in white, those of a solid with
    names, and marks around some.

    For `below` see `on_board`.
    """
    placed = {placement.cell: placement for placement in placements}
    marked_cells = set()
    for placement in marked:
        if placed.get(placement.cell, placement) in marked:
            marked_cells.add(placement.cell)

    def draw_cell(cell: Cell, corners: Sequence[Point]) -> None:
        if cell in placed:
            draw(placed[cell], corners)
        else:
            picture.polygon(corners, "white", line="#666")
            if not board.flat:
                name = name_place(cell)
                depth = math.dist(middle(corners), middle(corners[:2]))
                picture.text(middle(corners), name, min(0.3, 1.3 / len(name)) * depth)
        if cell in marked_cells:
            picture.mark(corners)

    on_board(picture, board, draw_cell, below)


def number_cuts(picture: Picture, board: Board, right: float = 0.0) -> None:
    """Number the sides that meet but are drawn apart, in the picture of a board that starts at x =
    `right`."""
    net = unfold_board(board)
    for number, seam in net.cuts.items():
        for cell, side, _ in seam:
            corners = [(x + right, y) for x, y in net.corners[cell]]
            midpoint = halfway(corners, side)
            centre = middle(corners)
            x, y = between(midpoint, centre, -0.08 / math.dist(midpoint, centre))
            picture.text((x, y), str(number), 0.115, fill="#c2255c")
            picture.reach((x - 0.06, y - 0.06), (x + 0.06, y + 0.06))


class Part(NamedTuple):
    """Something to print: an SVG document, its width in millimetres, its caption and its kind.

    A `piece` is cut out. Pieces are laid on a `board`, so both are printed at the same scale.
    Anything else is a `picture`. `name` is that of a piece in placements.
    """

    svg: str
    width: float
    caption: str = ""
    kind: Literal["picture", "board", "piece"] = "picture"
    name: str = ""


NET_NOTE = (
    "the net is seen from outside, the views beside it from above and from below; sides with the "
    "same red number meet"
)


def explain_joins(board: Board) -> Iterator[str]:
    """An explanation of the red numbers in the picture of a board, if it has any."""
    if not board.flat:
        yield "The board is drawn as a net, seen from outside, and in two views."
        yield "Sides of the net with the same red number meet."
    elif unfold_board(board).cuts:
        yield "The board wraps around: sides with the same red number meet."
