"""Pictures of tilings: the board with the pieces on it."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from jigsat.encodings.tiling.data import Placement, TilingData
from jigsat.encodings.tiling.illustration import cover_placement
from jigsat.encodings.tiling.polygons import (
    draw_borders,
    draw_cell,
    drawn_board,
    fill_colours,
    inradius,
    left_over,
    piece_colours,
    scale,
    shared_cells,
)

from jigsat.boards import Board, middle
from jigsat.boards.lattice import Cell
from jigsat.boards.lattice_board import kind
from jigsat.errors import printable
from jigsat.pictures import (
    MARK,
    Block,
    Painted,
    Picture,
    Solid,
    draw_outlines,
    draw_walls,
    image_of,
    ink,
    number_cuts,
    short_names,
    swatches,
)
from jigsat.pieces.cells import ANY_COLOUR


def read_answer(puzzle: TilingData, placements: Sequence[Placement]) -> str:
    """The letters of the cells that are left over or covered by a piece of one cell."""
    joined = {cell for placement in placements if len(placement.cells) > 1 for cell in placement.cells}
    return "".join(letter for cell, letter in puzzle.lettered.items() if cell not in joined)


def draw_text(puzzle: TilingData, placements: Sequence[Placement], marked: Collection[Placement] = ()) -> str:
    """The board with its pieces, drawn with characters."""
    covered = {cell: i for i, placement in enumerate(placements) for cell in placement.cells}
    short, marks = short_names(puzzle.pieces), {}
    for cell, square in puzzle.squares.items():
        mark = puzzle.cells[cell].replace(ANY_COLOUR, "") + puzzle.lettered.get(cell, "")
        if cell in covered and (puzzle.dimension == 3 or not mark):  # layers of a piece do not touch, so each is named
            mark = f"{short[placements[covered[cell]].piece]} {mark}".rstrip()
        marks[square] = mark if cell in covered else f"({mark})"
        marks[square] += "*" if cell in covered and placements[covered[cell]] in marked else ""
    rooms = {square: covered.get(cell, cell) for cell, square in puzzle.squares.items()}
    board, width = puzzle.surface, max(map(len, marks.values())) + 2
    if board and kind(board) != "squares":
        drawn = Painted(draw_outlines(board, marks, rooms), {})
    else:
        columns, rows = board.wrap if board and board.wrap else (0, 0)
        colours = {puzzle.squares[cell]: swatches()[i % len(swatches())] for cell, i in covered.items()}
        drawn = draw_walls({square: mark.center(width) for square, mark in marks.items()}, rooms, (rows, columns), colours)
    answer = read_answer(puzzle, placements)
    return drawn.above(printable(f"the remaining letters: {answer}") if answer else "", _wrapping(puzzle))


def _wrapping(puzzle: TilingData) -> str:
    wraps = puzzle.surface is not None and any(puzzle.surface.wrap)
    return "where the outer line is open, a piece continues on the opposite side" if wraps else ""


def draw_svg(puzzle: TilingData, placements: Sequence[Placement], marked: Collection[Placement] = ()) -> str:
    """The board with its pieces as an SVG document. On a board with colours and no pictures, a piece is a chain of discs."""
    board, painted = drawn_board(puzzle), fill_colours(puzzle)
    picture, room = Picture(scale(board), margin=15 / scale(board)), inradius(board)
    middles = {cell: middle(outline) for cell, outline in board.polygons.items()}
    on: dict[Cell, int] = {cell: i for i, placement in enumerate(placements) for cell in placement.cells}
    coloured = set(puzzle.cells.values()) != {ANY_COLOUR}
    paint = [
        "#ffffff" if image_of(puzzle.pictures, placement.piece) else colour
        for placement, colour in zip(placements, piece_colours(puzzle, placements), strict=True)
    ]
    for cell, shade in puzzle.cells.items():
        fill = paint[on[cell]] if cell in on and not coloured else ""
        picture.place(cell, board.polygons[cell])
        draw_cell(picture, puzzle, board.polygons[cell], shade, painted, fill, optional=puzzle.marks_optional(cell))
    covered = {placement.piece for placement in placements if cover_placement(picture, puzzle, placement)}
    if coloured and not puzzle.pictures:
        for width, fills in ((1.3, ["#222"] * len(paint)), (1.2, paint)):
            _draw_chains(picture, board, on, width * room, fills)
    if puzzle.pictures:  # a dark wall would not be seen on black cells or dark pictures
        draw_borders(picture, board, on, 0.3 * room, "white")
    draw_borders(picture, board, on, 0.14 * room)
    for placement in placements:
        if placement in marked:
            draw_borders(picture, board, dict.fromkeys(placement.cells, 0), 0.2 * room, MARK)
    for i, (name, where) in enumerate(placements if len(puzzle.pieces) > 1 and not puzzle.lettered else ()):
        for layer in {cell[:-2] for cell in where}:  # layers of a piece do not touch
            part = [middles[cell] for cell in where if cell[:-2] == layer]
            at = min(part, key=lambda one: sum(math.dist(one, other) for other in part))
            if coloured and puzzle.pictures and name not in covered:
                picture.badge(at, 0.45 * room, name, arrow=False)
            elif name not in covered:
                size = min(0.8, (1.15 if coloured else 2.2) / max(len(name), 1)) * room  # a disc is narrower than a cell
                picture.text(at, name, size, fill=ink(paint[i]), bold=True)
    free = left_over(puzzle, placements)
    for cell in free:
        picture.circle(middles[cell], 0.6 * room, "white", line="#d22", width=0.12 * room)
    for cell in shared_cells(placements, marked):
        picture.mark(board.polygons[cell])
    for cell, letter in puzzle.lettered.items():
        if puzzle.pictures:
            picture.circle(middles[cell], 0.5 * room, "white", line="none")
        light = puzzle.pictures or cell in free
        behind = "#ffffff" if light else paint[on[cell]] if cell in on else painted[puzzle.cells[cell]]
        picture.text(middles[cell], letter, 0.68 * room, fill=ink(behind), bold=True)
    number_cuts(picture, board)
    if any(board.wrap) or puzzle.dimension == 3:
        picture.note(
            "layers from top to bottom" if puzzle.dimension == 3 else "sides with the same red number meet", 0.4 * room
        )
    return str(picture)


def _draw_chains(picture: Picture, board: Board, on: Mapping[Any, int], width: float, fills: Sequence[str]) -> None:
    """Draw a disc of this width on each cell of a piece, and lines between them."""
    for cell, number in on.items():
        corners, fill = board.polygons[cell], fills[number]
        picture.line(middle(corners), middle(corners), fill, width)
        for side, start in enumerate(corners):
            beyond, _ = board.across.get((cell, side), (None, 0))
            if on.get(beyond) == number:
                picture.line(middle(corners), middle([start, corners[(side + 1) % len(corners)]]), fill, width)


def build_solid(puzzle: TilingData, placements: Sequence[Placement]) -> Solid | None:
    """The pieces in space, in the colours of the picture."""
    if puzzle.dimension == 2:
        return None
    blocks = [
        Block(name, tuple((int(layer), int(row), int(column)) for layer, row, column in where), colour)
        for (name, where), colour in zip(placements, piece_colours(puzzle, placements), strict=True)
    ]
    return Solid(blocks=tuple(blocks))
