"""Pictures of tilings: cells as polygons, their colours, own pictures on the pieces, and the board
with the pieces on it."""

import math
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from jigsat.encodings.tiling.data import Placement, TilingData

from jigsat.boards import Board, Point, middle
from jigsat.boards.lattice import Cell, kind, side_by_side
from jigsat.errors import printable
from jigsat.pictures import (
    MARK,
    TURNED_OPACITY,
    Block,
    Painted,
    Picture,
    Solid,
    between,
    draw_outlines,
    draw_walls,
    image_of,
    ink,
    number_cuts,
    paints,
    short_names,
    swatches,
)
from jigsat.pieces.cells import ANY_COLOUR

DOT = "•"
MAX_DOTTED = 3  # number of colours that dots tell apart
# the characters for cells of some colours
GROUND = {"b": "#222222", "w": "#ffffff", ANY_COLOUR: "#f4f4f4"}
Outline = Sequence[Point]
Way = tuple[complex, bool]
"""A motion up to a translation: a point z is multiplied by this number, after it is mirrored (top
to bottom) if True."""


def drawn_board(puzzle: TilingData) -> Board:
    """The board as polygons; the layers of a board in space are side by side."""
    return puzzle.surface or _squares(tuple(puzzle.cells))


def drawn_piece(puzzle: TilingData, name: str) -> Board:
    """A piece as drawn in the file, as polygons."""
    return puzzle.drawn_boards.get(name) or _squares(tuple(puzzle.drawn[name]))


@lru_cache(maxsize=64)
def _squares(cells: tuple[Cell, ...]) -> Board:
    polygons: dict[Hashable, tuple[Point, ...]] = {}
    for cell, (y, x) in side_by_side(cells).items():
        polygons[cell] = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
    return Board("squares", polygons)


def fill_colours(puzzle: TilingData) -> dict[str, str]:
    """The fill of each colour of a cell, as #rrggbb."""
    characters = set(puzzle.cells.values())
    for cells in puzzle.drawn.values():
        characters.update(cells.values())
    painted = paints(sorted(characters), given=GROUND | puzzle.colours)
    return {character: paint.fill for character, paint in painted.items()}


def piece_colours(puzzle: TilingData, placements: Sequence[Placement]) -> list[str]:
    """The colour of each placement: that of its piece if each is used at most once, so that it is
    the same in every picture."""
    at_most_once = all(puzzle.number_of_uses(name).most == 1 for name in puzzle.pieces)
    numbers = list(range(len(placements)))
    if at_most_once:
        names = list(puzzle.pieces)
        numbers = [names.index(name) for name in puzzle.own_names(placements)]
    colours = swatches()
    return [colours[number % len(colours)] for number in numbers]


def left_over(puzzle: TilingData, placements: Sequence[Placement]) -> Collection[Cell]:
    """The cells that a solution leaves over; none for a part of a solution."""
    free = puzzle.cells.keys() - {cell for placement in placements for cell in placement.cells}
    least, most = puzzle.empty
    return free if least <= len(free) <= most and free <= puzzle.optional_cells else ()


def shared_cells(placements: Sequence[Placement], marked: Collection[Placement]) -> frozenset[Cell]:
    """The cells shared by all marked placements that are not in the picture; if they share none,
    all of their cells."""
    missing = [frozenset(placement.cells) for placement in marked if placement not in placements]
    if not missing:
        return frozenset()
    return frozenset.intersection(*missing) or frozenset.union(*missing)


def scale(board: Board) -> float:
    """Pixels per unit, so that cells of every shape have about the same size."""
    return {3: 135.0, 4: 100.0, 6: 60.0}[board.sides(board.cells[0])]


def inradius(board: Board) -> float:
    """The distance from the middle of a cell to its sides."""
    corners = board.polygons[board.cells[0]]
    return math.dist(middle(corners), middle(corners[:2]))


def draw_cell(
    picture: Picture,
    puzzle: TilingData,
    outline: Sequence[Point],
    shade: str,
    painted: Mapping[str, str],
    fill: str = "",
    *,
    optional: bool,
    marked: bool = True,
) -> None:
    """Draw a cell, in the `fill` of its piece, with the picture of its colour, or its mark if it is
    `marked`, and a + if it may stay empty."""
    fill = fill or painted[shade]
    centre = middle(outline)
    room = math.dist(centre, middle(outline[:2]))
    picture.polygon(outline, fill, line="#999", width=0.04 * room)

    image = image_of(puzzle.pictures, shade)
    letter = mark_colour(puzzle, shade, painted)
    if image:
        picture.cover(image, [outline])
    elif letter and marked:
        picture.text(between(outline[0], centre, 0.4), letter, 0.77 * room, fill=ink(fill))
    if optional:
        picture.text(between(outline[1], centre, 0.3), "+", 0.48 * room, fill=ink(fill), bold=True)


def mark_colour(puzzle: TilingData, shade: str, colours: Mapping[str, str]) -> str:
    """What a cell of a colour has in its corner, for people who cannot tell the colours apart: the
    letter of the colour, or dots if cells have letters of their own."""
    others = sorted(colours - GROUND.keys())
    if shade == ANY_COLOUR and len(colours) > 1:
        return "any"
    if shade in GROUND:
        return ""
    if puzzle.lettered and len(others) <= MAX_DOTTED:
        return DOT * others.index(shade)
    return shade


def draw_borders(
    picture: Picture, board: Board, rooms: Mapping[Any, int], width: float, colour: str = "#222"
) -> None:
    """Draw the sides of cells beyond which there is another room or nothing."""
    for start, end in find_borders(board, rooms):
        picture.line(start, end, colour, width)


def find_borders(board: Board, rooms: Mapping[Any, int]) -> Iterator[tuple[Point, Point]]:
    """The ends of the sides of cells beyond which there is another room or nothing."""
    for cell, room in rooms.items():
        corners = board.polygons[cell]
        for side, start in enumerate(corners):
            beyond, _ = board.across.get((cell, side), (None, 0))
            if rooms.get(beyond) != room:
                yield start, corners[(side + 1) % len(corners)]


# -- own pictures, turned and turned over with their pieces


def cover_piece(picture: Picture, puzzle: TilingData, name: str) -> None:
    """Cover a piece that is drawn as in the file with its own picture, if it has one."""
    image = image_of(puzzle.pictures, name)
    if image:
        cells = _draw_piece(puzzle, name)
        picture.cover(image, cells, within=map(_enlarge_cell, cells))


def cover_placement(picture: Picture, puzzle: TilingData, placement: Placement) -> None:
    """The same for a piece on the board. Where the board wraps around, the picture continues on the
    opposite side."""
    image = image_of(puzzle.pictures, placement.piece)
    if image is None:
        return
    board = drawn_board(puzzle)
    home = _draw_piece(puzzle, placement.piece)
    there = [board.polygons[cell] for cell in placement.cells]
    turn, flipped = next(_ways(puzzle, home, there))

    # The cells that are shifted alike; only where the board wraps around there are several parts.
    parts: dict[complex, list[Outline]] = {}
    for cell, moved in zip(home, there, strict=True):
        shift = _shift(cell, moved, turn, flipped)
        rounded = complex(round(shift.real, 3), round(shift.imag, 3))
        parts.setdefault(rounded, []).append(_enlarge_cell(cell))
    opacity = TURNED_OPACITY if flipped else 1.0
    for shift, cells in parts.items():
        ends = [_move_point(corner, turn, flipped) + shift for corner in home[0][:3]]
        with picture.mapped(home[0], [(z.real, z.imag) for z in ends]):
            picture.cover(image, home, within=cells, opacity=opacity)


def _shift(cell: Outline, moved: Outline, turn: complex, flipped: bool) -> complex:
    """The translation that brings a cell to its place on the board, once it is turned."""
    return complex(*middle(moved)) - _move_point(middle(cell), turn, flipped)


def _draw_piece(puzzle: TilingData, name: str) -> list[Outline]:
    """The cells of a piece as drawn in the file."""
    return [drawn_piece(puzzle, name).polygons[cell] for cell in puzzle.drawn[name]]


def _enlarge_cell(cell: Outline) -> Outline:
    """Slightly larger, so that no gap shows between two cells."""
    return [between(middle(cell), corner, 1.02) for corner in cell]


def _ways(puzzle: TilingData, home: Sequence[Outline], there: Sequence[Outline]) -> Iterator[Way]:
    """The allowed motions that move each cell of a piece to its cell of the board; those without
    turning over come first."""
    wrap = (puzzle.surface and puzzle.surface.wrap) or (0, 0)
    first, first_moved = home[0], there[0]
    for flipped in (False, True) if puzzle.turning_over else (False,):
        side = _move_point(first[1], 1, flipped) - _move_point(first[0], 1, flipped)
        for i, start in enumerate(first_moved):
            following = i - 1 if flipped else (i + 1) % len(first_moved)
            turn = (complex(*first_moved[following]) - complex(*start)) / side
            if not puzzle.turning and not math.isclose(turn.real, -1 if flipped else 1):
                continue
            pairs = zip(home, there, strict=True)
            shifts = [_shift(cell, moved, turn, flipped) for cell, moved in pairs]
            if all(_is_multiple(shift - shifts[0], wrap) for shift in shifts):
                yield turn, flipped


def _is_multiple(shift: complex, wrap: Sequence[float]) -> bool:
    """Whether a translation maps a board that wraps around onto itself."""
    for distance, length in zip((shift.real, shift.imag), wrap, strict=True):
        rest = distance
        if length:
            times = distance / length
            rest = times - round(times)
        if not math.isclose(rest, 0, abs_tol=1e-6):
            return False
    return True


def _move_point(point: Point, turn: complex, flipped: bool) -> complex:
    return turn * (complex(*point).conjugate() if flipped else complex(*point))


# -- the board with its pieces


def read_answer(puzzle: TilingData, placements: Sequence[Placement]) -> str:
    """The letters of the cells that are left over or covered by a piece of one cell."""
    covered: set[Cell] = set()  # by larger pieces
    for placement in placements:
        if len(placement.cells) > 1:
            covered.update(placement.cells)
    return "".join(letter for cell, letter in puzzle.lettered.items() if cell not in covered)


def draw_text(
    puzzle: TilingData, placements: Sequence[Placement], marked: Collection[Placement] = ()
) -> str:
    on: dict[Cell, int] = {}
    for i, placement in enumerate(placements):
        for cell in placement.cells:
            on[cell] = i

    short = short_names(puzzle.pieces)
    names = [short[name] for name in puzzle.own_names(placements)]
    marks = {}
    for cell, square in puzzle.squares.items():
        mark = puzzle.cells[cell].replace(ANY_COLOUR, "") + puzzle.lettered.get(cell, "")
        if cell not in on:
            marks[square] = f"({mark})"
            continue
        # The layers of a piece do not touch, so each is named.
        if puzzle.dimension == 3 or not mark:
            mark = f"{names[on[cell]]} {mark}".rstrip()
        marks[square] = f"{mark}*" if placements[on[cell]] in marked else mark

    picture = _draw_rooms(puzzle, marks, on)
    answer = read_answer(puzzle, placements)
    letters = printable(f"the remaining letters: {answer}") if answer else ""
    note = ""
    if puzzle.surface and any(puzzle.surface.wrap):
        note = "where the outer line is open, a piece continues on the opposite side"
    return picture.above(letters, note)


def _draw_rooms(
    puzzle: TilingData, marks: Mapping[tuple[int, int], str], on: Mapping[Cell, int]
) -> Painted:
    """The cells with these marks, and walls around the pieces."""
    board = puzzle.surface
    rooms = {square: on.get(cell, cell) for cell, square in puzzle.squares.items()}
    if board and kind(board) != "squares":
        return Painted(draw_outlines(board, marks, rooms), {})

    width = max(map(len, marks.values())) + 2
    centred = {square: mark.center(width) for square, mark in marks.items()}
    columns, rows = board.wrap if board and board.wrap else (0, 0)
    colours = {}
    for cell, i in on.items():
        colours[puzzle.squares[cell]] = swatches()[i % len(swatches())]
    return draw_walls(centred, rooms, (rows, columns), colours)


def draw_svg(
    puzzle: TilingData, placements: Sequence[Placement], marked: Collection[Placement] = ()
) -> str:
    """The board with its pieces as an SVG document. On a board with colours and no pictures, a
    piece is a chain of discs."""
    drawing = _Drawing(puzzle, placements)
    drawing.draw_cells()
    drawing.draw_pieces()
    drawing.draw_walls()
    for placement in placements:
        if placement in marked:
            drawing.outline(placement)
    if len(puzzle.pieces) > 1 and not puzzle.lettered:
        drawing.write_names()
    drawing.circle_free_cells()
    for cell in shared_cells(placements, marked):
        drawing.picture.mark(drawing.board.polygons[cell])
    drawing.write_letters()
    number_cuts(drawing.picture, drawing.board)
    drawing.write_note()
    return str(drawing.picture)


class _Drawing:
    """The picture of a board with its pieces. What is drawn later covers what was drawn before."""

    def __init__(self, puzzle: TilingData, placements: Sequence[Placement]) -> None:
        self.puzzle, self.placements = puzzle, placements
        self.board = drawn_board(puzzle)
        self.picture = Picture(scale(self.board), margin=15 / scale(self.board))
        self._room = inradius(self.board)
        self._middles = {cell: middle(outline) for cell, outline in self.board.polygons.items()}
        self._free = left_over(puzzle, placements)
        self._painted = fill_colours(puzzle)
        self._is_coloured = set(puzzle.cells.values()) != {ANY_COLOUR}

        # For each placement its colour, and for each covered cell the number of the placement.
        self._fills = piece_colours(puzzle, placements)
        self._on: dict[Cell, int] = {}
        for i, placement in enumerate(placements):
            if image_of(puzzle.pictures, placement.piece):
                self._fills[i] = "#ffffff"
            for cell in placement.cells:
                self._on[cell] = i

    def draw_cells(self) -> None:
        for cell, shade in self.puzzle.cells.items():
            fill = ""
            if cell in self._on and not self._is_coloured:
                fill = self._fills[self._on[cell]]
            outline = self.board.polygons[cell]
            self.picture.place(cell, outline)
            optional = self.puzzle.marks_optional(cell)
            draw_cell(
                self.picture,
                self.puzzle,
                outline,
                shade,
                self._painted,
                fill,
                optional=optional,
                marked=not (self._is_coloured and cell in self._on),  # a disc covers it
            )

    def draw_pieces(self) -> None:
        """Own pictures of pieces, and chains of discs on a board with colours."""
        for placement in self.placements:
            cover_placement(self.picture, self.puzzle, placement)
        if self._is_coloured and not self.puzzle.pictures:
            rims = ["#222"] * len(self._fills)
            _draw_chains(self.picture, self.board, self._on, 1.45 * self._room, rims)
            _draw_chains(self.picture, self.board, self._on, 1.2 * self._room, self._fills)

    def draw_walls(self) -> None:
        """The outlines of the pieces."""
        if self.puzzle.pictures:  # a dark wall would not be seen on black cells or dark pictures
            draw_borders(self.picture, self.board, self._on, 0.3 * self._room, "white")
        draw_borders(self.picture, self.board, self._on, 0.14 * self._room)

    def outline(self, placement: Placement) -> None:
        """Mark a piece."""
        cells = dict.fromkeys(placement.cells, 0)
        draw_borders(self.picture, self.board, cells, 0.2 * self._room, MARK)

    def write_names(self) -> None:
        names = list(self.puzzle.own_names(self.placements))
        for i, placement in enumerate(self.placements):
            for layer in {cell[:-2] for cell in placement.cells}:  # they do not touch
                cells = [cell for cell in placement.cells if cell[:-2] == layer]
                self._write_name(placement.piece, names[i], cells, self._fills[i])

    def _write_name(self, piece: str, name: str, cells: Sequence[Cell], fill: str) -> None:
        """Write the name of a piece on the one of these cells that is nearest to the others."""
        middles = [self._middles[cell] for cell in cells]
        place = min(middles, key=lambda one: sum(math.dist(one, other) for other in middles))
        on_coloured_picture = self._is_coloured and self.puzzle.pictures
        if image_of(self.puzzle.pictures, piece) or on_coloured_picture:
            self.picture.badge(place, 0.45 * self._room, name, arrow=False)
            return
        width = 1.15 if self._is_coloured else 2.2  # a disc is narrower than a cell
        size = min(0.8, width / max(len(name), 1)) * self._room
        self.picture.text(place, name, size, fill=ink(fill), bold=True)

    def circle_free_cells(self) -> None:
        radius, line = 0.6 * self._room, 0.12 * self._room
        for cell in self._free:
            self.picture.circle(self._middles[cell], radius, "white", line="#d22", width=line)

    def write_letters(self) -> None:
        """The letters of the cells, in a colour that is seen on what is behind them."""
        for cell, letter in self.puzzle.lettered.items():
            place = self._middles[cell]
            if self.puzzle.pictures:
                self.picture.circle(place, 0.5 * self._room, "white", line="none")
            fill = ink(self._colour_behind(cell))
            self.picture.text(place, letter, 0.68 * self._room, fill=fill, bold=True)

    def _colour_behind(self, cell: Cell) -> str:
        if self.puzzle.pictures or cell in self._free:
            return "#ffffff"
        if cell in self._on:
            return self._fills[self._on[cell]]
        return self._painted[self.puzzle.cells[cell]]

    def write_note(self) -> None:
        """How a board that is not flat is drawn."""
        if self.puzzle.dimension == 3:
            self.picture.note("layers from top to bottom", 0.4 * self._room)
        elif any(self.board.wrap):
            self.picture.note("sides with the same red number meet", 0.4 * self._room)


def _draw_chains(
    picture: Picture, board: Board, on: Mapping[Any, int], width: float, fills: Sequence[str]
) -> None:
    """Draw a disc of this width on each cell of a piece, and lines between them."""
    for cell, number in on.items():
        corners = board.polygons[cell]
        centre = middle(corners)
        fill = fills[number]
        picture.line(centre, centre, fill, width)
        for side, start in enumerate(corners):
            beyond, _ = board.across.get((cell, side), (None, 0))
            if on.get(beyond) == number:
                end = corners[(side + 1) % len(corners)]
                picture.line(centre, middle([start, end]), fill, width)


def build_solid(puzzle: TilingData, placements: Sequence[Placement]) -> Solid | None:
    """The pieces in space, in the colours of the picture."""
    if puzzle.dimension == 2:
        return None
    names = puzzle.own_names(placements)
    colours = piece_colours(puzzle, placements)
    blocks = []
    for placement, name, colour in zip(placements, names, colours, strict=True):
        cubes = tuple((layer, row, column) for layer, row, column in placement.cells)
        blocks.append(Block(name, cubes, colour))
    return Solid(blocks=tuple(blocks))
