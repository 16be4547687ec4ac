"""Boards on a lattice: the coordinates of their cells, drawings of pieces in the same style, and board automorphisms.

>>> from jigsat.boards import board_named
>>> board = lattice_board(board_named("torus 2x3"))
>>> board.name((3, -1)), len(list(board.automorphisms()))
((1, 2), 24)
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from jigsat.boards.board import Board
from jigsat.boards.catalogue import DRAWN, characters
from jigsat.boards.lattice import BALANCED, SQUARES, Cell, Lattice, Motion, shift_cells


@dataclass(frozen=True, eq=False)
class LatticeBoard:
    """The cells of a board, by name, with their coordinates; `periods` has the length of the board by axis where it wraps."""

    lattice: Lattice
    coordinates: Mapping[Cell, Cell]
    periods: Mapping[int, int]

    @cached_property
    def names(self) -> dict[Cell, Cell]:
        """The name of the cell at each position on the board."""
        return {at: cell for cell, at in self.coordinates.items()}

    def name(self, at: Cell) -> Cell | None:
        """The name of the cell at these coordinates, None if they are not on the board."""
        if self.periods:
            at = tuple(x % self.periods[axis] if axis in self.periods else x for axis, x in enumerate(at))
        return self.names.get(at)

    def automorphisms(self) -> Iterator[tuple[Motion, dict[Cell, Cell]]]:
        """The motions and translations that map the board onto itself, each with the image of every cell."""
        for motion in self.lattice.motions:
            images = motion.images(self.coordinates.values())
            for shift in self._shifts(motion, images):
                to = [self.name(at) for at in shift_cells(images, shift)]
                if None not in to:
                    yield motion, dict(zip(self.coordinates, (cell for cell in to if cell is not None), strict=True))

    def _shifts(self, motion: Motion, images: tuple[Cell, ...]) -> Iterator[Cell]:
        """The translations that may move the images onto the board."""
        here = tuple(self.coordinates.values())
        if not self.periods:
            to, home = self.lattice.at_origin(here), self.lattice.at_origin(images)
            yield tuple(x - a + b - y for x, a, b, y in zip(here[0], to[0], home[0], images[0], strict=True))
            return
        width = len(here[0])
        for axis, length in self.periods.items():
            (image,) = motion.images([tuple(length * (i == axis) for i in range(width))])
            if any(x % self.periods[i] if i in self.periods else x for i, x in enumerate(image)):
                return  # the motion does not preserve the board's periods
        for cell in here:
            yield tuple(x - y for x, y in zip(cell, images[0], strict=True))


KINDS = {4: "squares", 6: "hexagons", 3: "triangles"}  # kind of a drawing by the number of sides of its cells


def kind(board: Board) -> str:
    """The kind of the drawings of a board in the plane, such as 'hexagons'. Raises ValueError for a solid."""
    if not board.flat:
        raise ValueError(f"{board.name} is a solid, but pieces made of cells need a board in the plane")
    return KINDS[board.sides(board.cells[0])]


def lattice_board(board: Board) -> LatticeBoard:
    """The cells of a board with their coordinates. Raises ValueError for a solid."""
    locate = {"squares": _squares, "hexagons": _hexagons, "triangles": _triangles}[kind(board)]
    periods = {axis: int(length) for axis, length in enumerate(reversed(board.wrap)) if length}
    lattice = SQUARES if locate is _squares else BALANCED
    return LatticeBoard(lattice, locate(board), periods)


def read_drawing(kind: str, drawing: str) -> tuple[Board, dict[Cell, str]]:
    """The board of a drawing, and the characters of its cells. Raises ValueError if it is drawn wrongly."""
    return DRAWN[kind](drawing), characters(kind, drawing)


def _squares(board: Board) -> dict[Cell, Cell]:
    return {cell: cell for cell in _rows_and_columns(board)}


def _hexagons(board: Board) -> dict[Cell, Cell]:
    """The topmost cell of a column is in the first or the second row, alternately."""
    cells = _rows_and_columns(board)
    shift = sum(cells[0]) % 2
    return {(y, x): ((x + shift - y) // 2, y, -((x + shift - y) // 2) - y) for y, x in cells}


def _triangles(board: Board) -> dict[Cell, Cell]:
    """Coordinates across the lines `/`, the horizontal lines and the lines `\\`: a triangle in strip n of each has 2n + 1."""
    cells = _rows_and_columns(board)
    (_, top), (_, right), _ = board.polygons[cells[0]]
    shift = (sum(cells[0]) + (right == top)) % 2
    return {(y, x): (x + shift + y + up, -2 * y - 1, y - x - shift + up) for y, x in cells for up in [1 - (x + shift + y) % 2]}


def _rows_and_columns(board: Board) -> list[tuple[int, int]]:
    return [(row, column) for row, column in board.cells]  # type: ignore[misc,has-type]
