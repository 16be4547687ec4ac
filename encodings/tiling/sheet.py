"""Tiling on paper: the rules in sentences, the board, and the pieces to cut out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from jigsat.encodings.tiling.data import TilingData
from jigsat.encodings.tiling.illustration import cover_piece
from jigsat.encodings.tiling.picture import draw_cell
from jigsat.encodings.tiling.polygons import draw_polygon, draw_walls, inradius, mark_optional, scale
from jigsat.encodings.tiling.shading import fill_colours

from jigsat.boards import Board, Point, middle
from jigsat.boards.lattice import Cell, side_by_side
from jigsat.pictures import NAME, Part, Picture, ambiguous, explain_joins, image_of, ink, number_cuts, walls
from jigsat.pieces.amounts import Amount
from jigsat.pieces.cells import ANY_COLOUR
from jigsat.pieces.groups import group_rules

CELL = 12.0  # width of a cell in millimetres


def write_rules(puzzle: TilingData) -> Iterator[str]:
    """The rules in sentences."""
    yield from _goal(puzzle)
    if all(puzzle.number_of_uses(name) == (1, 1) for name in puzzle.pieces):
        yield "Each piece is used once."
    else:
        yield "The number below a piece is how often it is used; pieces that look alike can replace each other."
    if puzzle.dimension == 3:
        yield "The layers of the board and of the pieces are drawn side by side, from top to bottom, each in a thin frame."
        yield "Beside its layers, a piece is drawn in space, seen from above its lower right corner."
        yield "Pieces may be turned in space." if puzzle.turning else "Pieces may not be turned; arrows point the same way."
    else:
        yield {
            (True, True): "Pieces may be turned, and turned over.",
            (True, False): "Pieces may be turned, but not turned over.",
            (False, True): "Pieces may be turned over, left for right, but not turned.",
            (False, False): "Pieces may be neither turned nor turned over.",
        }[puzzle.turning, puzzle.turning_over]
        if not puzzle.turning:
            yield "The arrow on a piece points up on the printed board."
    painted = fill_colours(puzzle)
    if len(painted) > 1:
        yield f"Each cell of a piece covers a cell of the same colour{' or with the same picture' * bool(puzzle.pictures)}."
        if ANY_COLOUR in painted:
            yield "Cells marked 'any', on a piece or on the board, match every colour."
    if puzzle.surface:
        yield from explain_joins(puzzle.surface)
    yield from group_rules(puzzle.groups)
    if puzzle.lettered:
        yield "The answer is the letters of the cells that stay free or are covered by a piece of one cell, read row by row."


def _goal(puzzle: TilingData) -> Iterator[str]:
    """The cells to cover, and those that may stay free."""
    if puzzle.optional is None:
        free = {(0, 0): "", (1, 1): " but one"}.get(puzzle.empty, f" but {puzzle.empty}")
        yield f"Cover all cells{free} of the board with pieces that do not overlap."
        return
    yield "Cover all cells of the board that are not marked + with pieces that do not overlap."
    free = "any number" if puzzle.empty == (0, len(puzzle.optional_cells)) else str(puzzle.empty)
    yield f"The number of cells marked + that stay free: {free}."


def draw_parts(puzzle: TilingData) -> list[Part]:
    """The board, and as many copies of each piece as may be needed."""
    found = [_draw_part(puzzle, puzzle.surface, puzzle.cells, letters=puzzle.lettered)]
    single = all(puzzle.number_of_uses(name) == (1, 1) for name in puzzle.pieces)
    for name, cells in puzzle.drawn.items():
        uses, fit = puzzle.number_of_uses(name), len(puzzle.cells) // len(cells)
        endless = uses.most > len(puzzle.cells)
        part = _draw_part(puzzle, puzzle.drawn_boards.get(name), cells, name)._replace(
            caption="" if single else _times(uses, endless)
        )
        found += [part] * min(max(1, uses.least) if endless else uses.most, fit)
    return found


def _times(uses: Amount, endless: bool) -> str:
    if endless:
        return f"at least {uses.least} times" if uses.least else "any number"
    return "once" if uses == (1, 1) else f"{uses} {'time' if uses.most == 1 else 'times'}"


def _draw_part(
    puzzle: TilingData,
    board: Board | None,
    cells: Mapping[Cell, str],
    name: str = "",
    *,
    letters: Mapping[Cell, str] | None = None,
) -> Part:
    """The board or a piece with an outline, the piece's name, and an arrow if it may not be turned."""
    underlined = ambiguous([*puzzle.pieces, *puzzle.cells.values()])
    picture = Picture(scale=scale(board) if board else 60, margin=0.05, underlined=underlined)
    middles = _draw_polygons(puzzle, board, picture, cells, name) if board else _draw_layers(puzzle, picture, cells, name)
    painted, room = fill_colours(puzzle), inradius(board) if board else 0.5
    images = {cell: image_of(puzzle.pictures, shade) for cell, shade in cells.items()}
    for cell, letter in letters.items() if letters else ():
        if images[cell]:
            picture.circle(middles[cell], 0.6 * room, "white", line="none")
        fill = "#111" if images[cell] else ink(painted[cells[cell]])
        picture.text(middles[cell], letter, 0.8 * room, fill=fill, bold=True)
    if name and image_of(puzzle.pictures, name) is None:
        cell, (x, y) = next(iter(middles.items()))
        if images[cell]:
            picture.circle((x, y + 0.1 * room), 0.68 * room, "white", line="none")
        fill = "#111" if images[cell] else ink(painted[cells[cell]])
        size = min(0.8, (1.8 if images[cell] else 2.6) / len(name)) * room
        picture.text((x, y + 0.1 * room), name, size, fill=fill, bold=True, kind=NAME)
        if not puzzle.turning:
            picture.text((x, y - 0.6 * room), "↑", 0.6 * room, fill=fill)
    kind: Literal["piece", "board", "picture"] = "picture" if puzzle.dimension == 3 else "piece" if name else "board"
    return Part(str(picture), CELL * picture.size()[2] / (100 if board else 60), kind=kind)


def _draw_layers(puzzle: TilingData, picture: Picture, cells: Mapping[Cell, str], name: str) -> dict[Cell, Point]:
    """Draw squares, or cubes layer beside layer; return the middle of each cell."""
    painted, squares = fill_colours(puzzle), side_by_side(cells)
    for cell, (y, x) in squares.items():
        image = image_of(puzzle.pictures, cells[cell])
        draw_cell(picture, painted, x, y, cells[cell], image, optional=not name and puzzle.marks_optional(cell))
    cover_piece(picture, puzzle, name)
    high, wide = (max(cell[axis] for cell in cells) + 1 for axis in (-2, -1))
    for layer in range(max(cell[0] for cell in cells) + 1) if puzzle.dimension == 3 else ():
        left = layer * (wide + 1)
        right = left + wide
        picture.polygon([(left, 0), (right, 0), (right, high), (left, high)], "none", line="#999", width=0.02)  # the layer
    if name and puzzle.dimension == 3:
        _draw_in_space(picture, painted, cells, (max(cell[0] for cell in cells) + 1) * (wide + 1) + 0.6 * high)
    for ends in walls(dict.fromkeys(squares.values(), name)):
        if name and puzzle.dimension == 2:
            picture.cut(ends, 0.06)
        else:
            picture.polygon(ends, "none", line="#222", width=0.05)
    return {cell: (x + 0.5, y + 0.5) for cell, (y, x) in squares.items()}


def _draw_in_space(picture: Picture, painted: Mapping[str, str], cells: Mapping[Cell, str], left: float) -> None:
    """Draw the cubes of a piece as seen from above its front corner: of each its top and the two sides in front."""
    square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    for z, y, x in sorted(cells, key=lambda cell: (-cell[0], cell[1] + cell[2])):
        for first, along, down in (
            ((x, y, z), (x + 1, y, z), (x, y + 1, z)),
            ((x, y + 1, z), (x + 1, y + 1, z), (x, y + 1, z + 1)),
            ((x + 1, y + 1, z), (x + 1, y, z), (x + 1, y + 1, z + 1)),
        ):
            corners = [(left + 0.6 * (a - b), 0.35 * (a + b) + 0.7 * c) for a, b, c in (first, along, down)]
            with picture.mapped([square[0], square[1], square[3]], corners):
                picture.polygon(square, painted[cells[z, y, x]], line="#222", width=0.03)


def _draw_polygons(
    puzzle: TilingData, board: Board, picture: Picture, cells: Mapping[Cell, str], name: str
) -> dict[Cell, Point]:
    """Draw cells that are polygons; return the middle of each."""
    painted, room = fill_colours(puzzle), inradius(board)
    for cell, shade in cells.items():
        image = image_of(puzzle.pictures, shade)
        draw_polygon(picture, board.polygons[cell], painted[shade], shade, room, image, several=len(painted) > 1)
        if not name and puzzle.marks_optional(cell):
            mark_optional(picture, board.polygons[cell], painted[shade], room)
    cover_piece(picture, puzzle, name)
    draw_walls(picture, board, dict.fromkeys(cells, 0), 0.1 * room, cut=bool(name))
    number_cuts(picture, board)
    return {cell: middle(board.polygons[cell]) for cell in cells}
