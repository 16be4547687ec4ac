"""Tiling on paper: the rules in sentences, the board, and the pieces to cut out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from jigsat.encodings.tiling.data import TilingData
from jigsat.encodings.tiling.picture import (
    DOT,
    cover_piece,
    draw_borders,
    draw_cell,
    drawn_board,
    drawn_piece,
    fill_colours,
    find_borders,
    inradius,
    mark_colour,
    scale,
)

from jigsat.boards import Board, middle
from jigsat.boards.lattice import Cell
from jigsat.pictures import (
    NAME,
    Part,
    Picture,
    ambiguous,
    draw_cubes,
    explain_joins,
    image_of,
    ink,
    name_colour,
    number_cuts,
)
from jigsat.pieces.cells import ANY_COLOUR
from jigsat.pieces.groups import Amount, group_rules
from jigsat.words import plural

PADDING = 0.2  # between a piece in space and its frame, in cells
# width of a cell in millimetres, and of one of a puzzle in space, which is not cut out
CELL, SPACE_CELL = 12.0, 8.5


TURNING_RULES = {
    (True, True): "Pieces may be turned, and turned over.",
    (True, False): "Pieces may be turned, but not turned over.",
    (False, True): "Pieces may be turned over, left for right, but not turned.",
    (False, False): "Pieces may be neither turned nor turned over.",
}
"""In the plane, by whether pieces may be turned and turned over."""


def write_rules(puzzle: TilingData) -> Iterator[str]:
    """The rules in sentences."""
    if puzzle.dimension == 3:
        yield from _explain_building(puzzle)
    yield from _explain_goal(puzzle)
    if all(puzzle.number_of_uses(name) == (1, 1) for name in puzzle.pieces):
        yield "Each piece is used once."
    else:
        yield (
            "The number below a piece is how often it is used; pieces that look alike can "
            "replace each other."
        )
    if puzzle.dimension == 3:
        yield (
            "The layers of the board and of the pieces are drawn side by side, from top to "
            "bottom, each in a thin frame."
        )
        yield (
            "Beside its layers, a piece is drawn in space, seen from above its lower right corner."
        )
        if puzzle.turning:
            yield "Pieces may be turned in space."
        else:
            yield "Pieces may not be turned; arrows point the same way."
    else:
        yield TURNING_RULES[puzzle.turning, puzzle.turning_over]
        if not puzzle.turning:
            yield "The arrow on a piece points up on the printed board."
    painted = fill_colours(puzzle)
    if len(painted) > 1:
        picture = " or with the same picture" if puzzle.pictures else ""
        yield f"Each cell of a piece covers a cell of the same colour{picture}."
        if ANY_COLOUR in painted:
            yield "Cells marked 'any', on a piece or on the board, match every colour."
    if puzzle.surface:
        yield from explain_joins(puzzle.surface)
    yield from group_rules(puzzle.groups)
    if puzzle.lettered:
        cells = "that stay free"
        if any(len(shape) == 1 for shape in puzzle.drawn.values()):
            cells = "that stay free or are covered by a piece of one cell"
        yield f"The answer is the letters of the cells {cells}, read row by row."
        marks = {mark_colour(puzzle, shade, painted).strip(DOT) for shade in painted}
        if len(painted) > 3 and marks == {""}:
            yield "The dots tell the colours apart and do not belong to the answer."
        elif len(marks) > 1:
            yield "The small letters are names of colours and do not belong to the answer."


def _explain_building(puzzle: TilingData) -> Iterator[str]:
    """How a puzzle in space is solved with a pencil, or with pieces that somebody builds."""
    pencil = "Write the name of its piece into each cell of the layers of the board. Or"
    glued = "of one size, glued face to face"
    if len(set(puzzle.cells.values())) == 1:
        yield f"{pencil} build the pieces from cubes {glued}."
        return
    amounts: Counter[str] = Counter()
    for cells in puzzle.drawn.values():
        amounts.update(cells.values())
    fills = fill_colours(puzzle)
    cubes = []
    for shade, number in sorted(amounts.items()):
        cubes.append(f"{number} {name_colour(fills[shade])} ({shade})")
    yield (
        f"{pencil} build the {plural(len(puzzle.drawn), 'piece')} from {amounts.total()} cubes "
        f"{glued}: {', '.join(cubes)}."
    )
    yield (
        "The small letter in a cell is the name of its colour; the large one is the name of "
        "the piece."
    )


def _explain_goal(puzzle: TilingData) -> Iterator[str]:
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
    parts = [_draw_part(puzzle, drawn_board(puzzle), puzzle.cells)]
    used_once = all(puzzle.number_of_uses(name) == (1, 1) for name in puzzle.pieces)
    for name, cells in puzzle.drawn.items():
        uses = puzzle.number_of_uses(name)
        any_number = uses.most > len(puzzle.cells)
        copies = max(1, uses.least) if any_number else uses.most
        part = _draw_part(puzzle, drawn_piece(puzzle, name), cells, name)
        if not used_once:
            part = part._replace(caption=_describe_uses(uses, any_number))
        parts += [part] * min(copies, len(puzzle.cells) // len(cells))
    return parts


def _describe_uses(uses: Amount, any_number: bool) -> str:
    if any_number:
        return f"at least {uses.least} times" if uses.least else "any number"
    if uses == (1, 1):
        return "once"
    return f"{uses} {'time' if uses.most == 1 else 'times'}"


def _draw_part(puzzle: TilingData, board: Board, cells: Mapping[Cell, str], name: str = "") -> Part:
    """The board, or the piece with this name."""
    drawing = _PartDrawing(puzzle, board, cells)
    drawing.draw_cells(mark_optional=not name)
    cover_piece(drawing.picture, puzzle, name)
    in_space = puzzle.dimension == 3
    if in_space:
        _draw_layers(drawing.picture, drawing.painted, cells, in_space=bool(name))
        if name:
            _draw_frame(drawing.picture, puzzle)
    drawing.outline(to_cut=bool(name) and not in_space)
    number_cuts(drawing.picture, board)
    if name:
        drawing.write_name(name)
    else:
        drawing.write_letters()

    kind: Literal["piece", "board", "picture"] = "board"
    if name:
        kind = "picture" if in_space else "piece"
    _, _, width, _ = drawing.picture.size()
    cell = SPACE_CELL if in_space else CELL
    return Part(str(drawing.picture), cell * width / 100, kind=kind, name=name)


class _PartDrawing:
    """The picture of a board or a piece, to be printed."""

    def __init__(self, puzzle: TilingData, board: Board, cells: Mapping[Cell, str]) -> None:
        underlined = ambiguous([*puzzle.pieces, *puzzle.cells.values()])
        self.picture = Picture(scale(board), margin=0.05, underlined=underlined)
        self.painted = fill_colours(puzzle)
        self._puzzle, self._board, self._cells = puzzle, board, cells
        self._room = inradius(board)

    def draw_cells(self, *, mark_optional: bool) -> None:
        for cell, shade in self._cells.items():
            optional = mark_optional and self._puzzle.marks_optional(cell)
            outline = self._board.polygons[cell]
            draw_cell(self.picture, self._puzzle, outline, shade, self.painted, optional=optional)

    def outline(self, *, to_cut: bool) -> None:
        """The outline, which is cut if the part is a piece."""
        cells = dict.fromkeys(self._cells, 0)
        if not to_cut:
            draw_borders(self.picture, self._board, cells, 0.1 * self._room)
            return
        for ends in find_borders(self._board, cells):
            self.picture.cut(ends, CELL * self.picture.scale / 100)

    def write_letters(self) -> None:
        """The letters of the cells of the board."""
        for cell, letter in self._puzzle.lettered.items():
            place = middle(self._board.polygons[cell])
            has_image = self._has_image(cell)
            if has_image:
                self.picture.circle(place, 0.6 * self._room, "white", line="none")
            fill = self._ink_on(cell, has_image)
            self.picture.text(place, letter, 0.8 * self._room, fill=fill, bold=True)

    def write_name(self, name: str) -> None:
        """The name of a piece on its first cell, with an arrow if it may not be turned."""
        room = self._room
        cell = next(iter(self._cells))
        x, y = middle(self._board.polygons[cell])
        has_image = bool(image_of(self._puzzle.pictures, name)) or self._has_image(cell)
        fill = self._ink_on(cell, has_image)

        place = x, y + 0.1 * room
        if has_image:
            self.picture.circle(place, 0.68 * room, "white", line="none")
        width = 1.8 if has_image else 2.2
        size = min(0.8, width / len(name)) * room
        self.picture.text(place, name, size, fill=fill, bold=True, kind=NAME)

        if not self._puzzle.turning:
            corner = x + 0.5 * room, y - 0.6 * room
            if has_image:
                self.picture.circle(corner, 0.36 * room, "white", line="none")
            self.picture.text(corner, "↑", 0.6 * room, fill=fill)

    def _has_image(self, cell: Cell) -> bool:
        """Whether the colour of a cell has a picture."""
        return bool(image_of(self._puzzle.pictures, self._cells[cell]))

    def _ink_on(self, cell: Cell, has_image: bool) -> str:
        return "#111" if has_image else ink(self.painted[self._cells[cell]])


def _draw_frame(picture: Picture, puzzle: TilingData) -> None:
    """A frame as large as that of the largest piece, so that all pieces in space are printed at
    the same scale."""
    sizes = [_measure_drawing(cells) for cells in puzzle.drawn.values()]
    right = max(width for width, _ in sizes) + PADDING
    bottom = max(height for _, height in sizes) + PADDING
    frame = [(-PADDING, -PADDING), (right, -PADDING), (right, bottom), (-PADDING, bottom)]
    picture.polygon(frame, "none", line="#999", width=0.02)


def _draw_layers(
    picture: Picture, painted: Mapping[str, str], cells: Mapping[Cell, str], *, in_space: bool
) -> None:
    """Draw a thin frame around each layer, and perhaps the cubes in space beside them."""
    deep, high, wide = _measure_box(cells)
    for left in range(0, deep * (wide + 1), wide + 1):
        right = left + wide
        picture.polygon(
            [(left, 0), (right, 0), (right, high), (left, high)], "none", line="#999", width=0.02
        )
    if in_space:
        cubes = {(int(z), int(y), int(x)): painted[shade] for (z, y, x), shade in cells.items()}
        draw_cubes(picture, cubes, deep * (wide + 1) + 0.6 * high)


def _measure_box(cells: Iterable[Cell]) -> tuple[int, ...]:
    """The numbers of layers, rows and columns."""
    return tuple(max(along) + 1 for along in zip(*cells, strict=True))


def _measure_drawing(cells: Iterable[Cell]) -> tuple[float, float]:
    """How far to the right and down the layers of a piece and its cubes in space reach."""
    deep, high, wide = _measure_box(cells)
    return deep * (wide + 1) + 0.6 * (high + wide), max(high, 0.35 * (high + wide) + 0.7 * deep)
