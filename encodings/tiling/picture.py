"""Pictures of tilings: the board with the pieces on it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from jigsat.encodings.tiling.data import Placement, TilingData
from jigsat.encodings.tiling.polygons import draw_polygons
from jigsat.encodings.tiling.shading import GROUND, fill_colours, left_over, piece_colours, shared_cells

from jigsat.boards.lattice import Cell
from jigsat.boards.lattice_board import kind, read_drawing
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
    short_names,
    swatches,
)
from jigsat.pieces.cells import ANY_COLOUR

if TYPE_CHECKING:
    from jigsat.pictures.images import Image


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
    """The board with its pieces as an SVG document."""
    board = puzzle.surface
    if board is None and puzzle.pictures and puzzle.dimension == 2:
        board, _ = read_drawing("squares", puzzle.board)
    if board:
        return draw_polygons(puzzle, board, placements, marked)
    picture, shades = Picture(scale=60), set(puzzle.cells.values()) - {ANY_COLOUR}
    painted = fill_colours(puzzle)
    for cell, (y, x) in puzzle.squares.items():
        image = image_of(puzzle.pictures, puzzle.cells[cell])
        picture.place(cell, [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)])
        draw_cell(picture, painted, x, y, puzzle.cells[cell], image, optional=puzzle.marks_optional(cell))
    middle = {cell: (x + 0.5, y + 0.5) for cell, (y, x) in puzzle.squares.items()}
    width = 0.5 if shades else 0.86
    for (name, where), fill in zip(placements, piece_colours(puzzle, placements), strict=True):
        around = (MARK, 0.14) if (name, where) in marked else ("#222", 0.08)
        for paint, outline in (around, (fill, 0.0)):
            for a, b in combinations_with_replacement(where, 2):
                if math.dist(a, b) <= 1 and a[:-2] == b[:-2]:
                    picture.line(middle[a], middle[b], paint, width + outline)
            for cell in where:  # the gap between four round ends
                y, x = cell[-2:]
                block = [(*cell[:-2], *corner) for corner in ((y, x), (y, x + 1), (y + 1, x + 1), (y + 1, x))]
                if set(block) <= set(where):
                    picture.polygon([middle[cell] for cell in block], paint, line=paint)
        for layer in {cell[:-2] for cell in where} if len(puzzle.pieces) > 1 and not puzzle.lettered else ():
            part = [cell for cell in where if cell[:-2] == layer]
            picture.text(middle[central(part)], name, min(0.4, 1.1 * width / max(len(name), 1)), fill=ink(fill), bold=True)
    for cell in left_over(puzzle, placements):
        picture.circle(middle[cell], 0.3, "white", line="#d22", width=0.06)
    for y, x in (puzzle.squares[cell] for cell in shared_cells(placements, marked)):
        picture.mark([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)])
    shown = {cell: painted[puzzle.cells[cell]] for cell in puzzle.lettered} | dict.fromkeys(
        left_over(puzzle, placements), "#ffffff"
    )
    shown |= {
        cell: fill for (_, where), fill in zip(placements, piece_colours(puzzle, placements), strict=True) for cell in where
    }
    for cell, letter in puzzle.lettered.items():
        picture.text(middle[cell], letter, 0.34, fill=ink(shown[cell]), bold=True)
    if puzzle.dimension == 3:
        picture.note("layers from top to bottom", 0.3)
    return str(picture)


def build_solid(puzzle: TilingData, placements: Sequence[Placement]) -> Solid | None:
    """The pieces in space, in the colours of the picture."""
    if puzzle.dimension == 2:
        return None
    blocks = [
        Block(name, tuple((int(layer), int(row), int(column)) for layer, row, column in where), colour)
        for (name, where), colour in zip(placements, piece_colours(puzzle, placements), strict=True)
    ]
    return Solid(blocks=tuple(blocks))


def draw_cell(
    picture: Picture, painted: Mapping[str, str], x: float, y: float, shade: str, image: Image | None = None, *,
    optional: bool = False,
) -> None:  # fmt: skip
    """Draw a cell in its colour, with its character in a corner unless it is black or white, and with a + if it is optional.

    A colour with an own picture shows only this picture.
    """
    paint, square = painted[shade], [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
    picture.polygon(square, paint, line="#999", width=0.02)
    if image:
        picture.cover(image, [square])
    elif shade not in GROUND:
        picture.text((x + 0.13, y + 0.15), shade, 0.22, fill=ink(paint))
    elif shade == ANY_COLOUR and len(painted) > 1:
        picture.text((x + 0.22, y + 0.15), "any", 0.2)
    if optional:
        picture.text((x + 0.87, y + 0.15), "+", 0.24, fill=ink(paint), bold=True)


def central(cells: Sequence[Cell]) -> Cell:
    """The most central cell."""
    return min(cells, key=lambda cell: sum(math.dist(cell, other) for other in cells))
