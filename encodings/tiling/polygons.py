"""What pictures of tilings share: the cells as polygons, their colours, the cells left over, and the marked ones."""

import math
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from jigsat.encodings.tiling.data import Placement, TilingData

from jigsat.boards import Board, Point, middle
from jigsat.boards.lattice import Cell, side_by_side
from jigsat.pictures import Picture, between, image_of, ink, paints, swatches
from jigsat.pieces.cells import ANY_COLOUR

GROUND = {"b": "#222222", "w": "#ffffff", ANY_COLOUR: "#f4f4f4"}
"""The characters for cells of some colours."""


def drawn_board(puzzle: TilingData) -> Board:
    """The board as polygons; the layers of a board in space are side by side."""
    return puzzle.surface or _squares(tuple(puzzle.cells))


def drawn_piece(puzzle: TilingData, name: str) -> Board:
    """A piece as drawn in the file, as polygons."""
    return puzzle.drawn_boards.get(name) or _squares(tuple(puzzle.drawn[name]))


@lru_cache(maxsize=64)
def _squares(cells: tuple[Cell, ...]) -> Board:
    corners = ((cell, ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))) for cell, (y, x) in side_by_side(cells).items())
    return Board("squares", dict(corners))


def fill_colours(puzzle: TilingData) -> dict[str, str]:
    """The fill of each colour of a cell, as #rrggbb."""
    characters = {shade for drawn in (puzzle.cells, *puzzle.drawn.values()) for shade in drawn.values()}
    return {label: paint.fill for label, paint in paints(sorted(characters), given=GROUND | puzzle.colours).items()}


def piece_colours(puzzle: TilingData, placements: Sequence[Placement]) -> list[str]:
    """The colour of each placement: that of its piece if each is used at most once, so that it is the same in every picture."""
    names, once = list(puzzle.pieces), all(puzzle.number_of_uses(name).most == 1 for name in puzzle.pieces)
    numbers = (names.index(placement.piece) if once else i for i, placement in enumerate(placements))
    return [swatches()[number % len(swatches())] for number in numbers]


def left_over(puzzle: TilingData, placements: Sequence[Placement]) -> Collection[Cell]:
    """The cells that a solution leaves over; none for a part of a solution."""
    free = puzzle.cells.keys() - {cell for placement in placements for cell in placement.cells}
    least, most = puzzle.empty
    return free if least <= len(free) <= most and free <= puzzle.optional_cells else ()


def shared_cells(placements: Sequence[Placement], marked: Collection[Placement]) -> frozenset[Cell]:
    """The cells shared by all marked placements that are not in the picture; if they share none, all of their cells."""
    missing = [frozenset(placement.cells) for placement in marked if placement not in placements]
    return frozenset.intersection(*missing) or frozenset.union(*missing) if missing else frozenset()


def scale(board: Board) -> float:
    """Pixels per unit, so that cells of every shape have about the same size."""
    return {3: 135.0, 4: 100.0, 6: 60.0}[board.sides(board.cells[0])]


def inradius(board: Board) -> float:
    """The distance from the middle of a cell to its sides."""
    corners = board.polygons[board.cells[0]]
    return math.dist(middle(corners), middle(corners[:2]))


def draw_cell(
    picture: Picture, puzzle: TilingData, outline: Sequence[Point], shade: str, painted: Mapping[str, str], fill: str = "", *,
    optional: bool,
) -> None:  # fmt: skip
    """Draw a cell, with the picture of its colour, or with the character of its colour in a corner unless it is black or white.

    A cell without a colour has the word 'any' there if there are several colours. A cell that may stay empty has a +. `fill`
    is the colour of a piece that covers it.
    """
    fill, centre = fill or painted[shade], middle(outline)
    room = math.dist(centre, middle(outline[:2]))
    picture.polygon(outline, fill, line="#999", width=0.04 * room)
    if image := image_of(puzzle.pictures, shade):
        picture.cover(image, [outline])
    elif said := "any" * (len(painted) > 1) if shade == ANY_COLOUR else shade * (shade not in GROUND):
        picture.text(between(outline[0], centre, 0.3), said, 0.35 * room, fill=ink(fill))
    if optional:
        picture.text(between(outline[1], centre, 0.3), "+", 0.48 * room, fill=ink(fill), bold=True)


def draw_borders(
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
