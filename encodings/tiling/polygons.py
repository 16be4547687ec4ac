"""Pictures of tilings on a board of polygons: hexagons, triangles, and squares on a board that may wrap around."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jigsat.encodings.tiling.data import Placement, TilingData
from jigsat.encodings.tiling.illustration import cover_placement
from jigsat.encodings.tiling.shading import GROUND, fill_colours, left_over, piece_colours, shared_cells

from jigsat.boards import Board, Cell, Point, middle
from jigsat.pictures import MARK, Picture, between, image_of, ink, number_cuts
from jigsat.pieces.cells import ANY_COLOUR

if TYPE_CHECKING:
    from jigsat.pictures.images import Image


def scale(board: Board) -> float:
    """Pixels per unit, so that cells of every shape have about the same size."""
    return {3: 135.0, 4: 100.0, 6: 60.0}[board.sides(board.cells[0])]


def draw_polygons(puzzle: TilingData, board: Board, placements: Sequence[Placement], marked: Collection[Placement] = ()) -> str:
    """The board with its pieces as an SVG document. On a board with colours and no pictures, a piece is a chain of discs."""
    picture, painted = Picture(scale(board), margin=15 / scale(board)), fill_colours(puzzle)
    room, colours = inradius(board), dict[Cell, str](puzzle.cells.items())
    on: dict[Cell, int] = {cell: i for i, placement in enumerate(placements) for cell in placement.cells}
    coloured, middles = set(colours.values()) != {ANY_COLOUR}, {c: middle(p) for c, p in board.polygons.items()}
    optional: set[Cell] = {cell for cell in puzzle.cells if puzzle.marks_optional(cell)}
    paint = [
        "#ffffff" if image_of(puzzle.pictures, placement.piece) else colour
        for placement, colour in zip(placements, piece_colours(puzzle, placements), strict=True)
    ]
    for cell, outline in board.polygons.items():
        shade = colours[cell]
        fill = paint[on[cell]] if cell in on and not coloured else painted[shade]
        picture.place(cell, outline)
        draw_polygon(picture, outline, fill, shade, room, image_of(puzzle.pictures, shade), several=coloured)
        if cell in optional:
            mark_optional(picture, outline, fill, room)
    covered = {placement.piece for placement in placements if cover_placement(picture, puzzle, placement)}
    if coloured and not puzzle.pictures:
        for width, fills in ((0.9, ["#222"] * len(paint)), (0.8, paint)):
            _draw_chains(picture, board, on, width * room, fills)
    if puzzle.pictures:  # a dark wall would not be seen on black cells or dark pictures
        draw_walls(picture, board, on, 0.3 * room, "white")
    draw_walls(picture, board, on, 0.14 * room)
    for placement in placements:
        if placement in marked:
            draw_walls(picture, board, dict.fromkeys(placement.cells, 0), 0.2 * room, MARK)
    if len(puzzle.pieces) > 1 and not puzzle.lettered:
        for i, (name, where) in enumerate(placements):
            at = min((middles[cell] for cell in where), key=lambda one: sum(math.dist(one, middles[cell]) for cell in where))
            if coloured and puzzle.pictures and name not in covered:
                picture.badge(at, 0.45 * room, name, arrow=False)
            elif name not in covered:
                picture.text(at, name, min(0.8, 2.2 / max(len(name), 1)) * room, fill=ink(paint[i]), bold=True)
    for cell in left_over(puzzle, placements):
        picture.circle(middles[cell], 0.6 * room, "white", line="#d22", width=0.12 * room)
    for cell in shared_cells(placements, marked):
        picture.mark(board.polygons[cell])
    for cell, letter in puzzle.lettered.items():
        if puzzle.pictures:
            picture.circle(middles[cell], 0.5 * room, "white", line="none")
        picture.text(middles[cell], letter, 0.68 * room, bold=True)
    number_cuts(picture, board)
    if any(board.wrap):
        picture.note("sides with the same red number meet", 0.4 * room)
    return str(picture)


def inradius(board: Board) -> float:
    """The distance from the middle of a cell to its sides."""
    corners = board.polygons[board.cells[0]]
    return math.dist(middle(corners), middle(corners[:2]))


def draw_polygon(
    picture: Picture, outline: Sequence[Point], fill: str, shade: str, room: float, image: Image | None, *, several: bool
) -> None:
    """Draw a cell, with the picture of its colour, or with the character of its colour in a corner unless it is black or white.

    A cell without a colour has the word 'any' there if there are several colours.
    """
    picture.polygon(outline, fill, line="#999", width=0.04 * room)
    if image:
        picture.cover(image, [outline])
        return
    said = "any" if shade == ANY_COLOUR and several else "" if shade in GROUND else shade
    picture.text(between(outline[0], middle(outline), 0.3), said, 0.35 * room, fill=ink(fill))


def mark_optional(picture: Picture, outline: Sequence[Point], fill: str, room: float) -> None:
    """Mark a cell that may stay empty."""
    picture.text(between(outline[1], middle(outline), 0.3), "+", 0.48 * room, fill=ink(fill), bold=True)


def _draw_chains(picture: Picture, board: Board, on: Mapping[Any, int], width: float, fills: Sequence[str]) -> None:
    """Draw a disc of this width on each cell of a piece, and lines between them."""
    for cell, number in on.items():
        corners, fill = board.polygons[cell], fills[number]
        picture.line(middle(corners), middle(corners), fill, width)
        for side, start in enumerate(corners):
            beyond, _ = board.across.get((cell, side), (None, 0))
            if on.get(beyond) == number:
                picture.line(middle(corners), middle([start, corners[(side + 1) % len(corners)]]), fill, width)


def draw_walls(
    picture: Picture, board: Board, rooms: Mapping[Any, int], width: float, colour: str = "#222", *, cut: bool = False
) -> None:
    """Draw the sides of cells beyond which there is another room or nothing; with `cut`, as lines to cut along."""
    for cell, room in rooms.items():
        corners = board.polygons[cell]
        for side, start in enumerate(corners):
            beyond, _ = board.across.get((cell, side), (None, 0))
            if rooms.get(beyond) != room:
                end = corners[(side + 1) % len(corners)]
                picture.cut([start, end], width) if cut else picture.line(start, end, colour, width)
