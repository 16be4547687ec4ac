"""Sets of cells of a lattice, their drawings, the motions of the lattice, and the coordinates of
the cells of a board.

A drawing consists of rows of characters. Each character is a cell, except the full stop, which
marks an empty place. In space, layers are drawn from top to bottom with a blank line between them.
A cell is (row, column) or (layer, row, column). Drawings of hexagons and triangles are read by
`jigsat.boards.catalogue`.

>>> cells(".x\\nxx", 2)
{(0, 1): 'x', (1, 0): 'x', (1, 1): 'x'}
>>> len(motions(2)), len([motion for motion in motions(3) if not motion.mirrored])
(8, 24)
>>> from jigsat.boards import board_named
>>> board = lattice_board(board_named("torus 2x3"))
>>> board.name((3, -1)), len(list(board.automorphisms()))
((1, 2), 24)
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations, product
from operator import add
from typing import Literal, NamedTuple

from jigsat.boards.board import Board

Cell = tuple[int, ...]
NO_CELL = "."

MAX_CELLS = 1_000_000  # largest number of cells in a board or a drawing


def readable(text: str) -> str:
    """The text of a drawing, which must have 1 to MAX_CELLS cells and no blanks. Raises ValueError,
    naming the row."""
    rows = text.strip("\n").splitlines()
    number = sum(len(row.strip()) - row.count(NO_CELL) for row in rows)
    if number > MAX_CELLS:
        raise ValueError(f"{number:,} cells are too many; the limit is {MAX_CELLS:,}")
    for i, row in enumerate(rows, 1):
        if any(character.isspace() for character in row.rstrip()):
            raise ValueError(f"row {i} contains a blank; draw {NO_CELL} where there is no cell")
    if not any(set(row.strip()) - {NO_CELL} for row in rows):
        raise ValueError("this drawing has no cells")
    return text


def layers(drawing: str) -> list[list[str]]:
    """The rows of each layer; a drawing in the plane has one layer."""
    layers: list[list[str]] = [[]]
    for row in drawing.strip().splitlines():
        if row.strip():
            layers[-1].append(row.rstrip())
        elif layers[-1]:
            layers.append([])
    return layers


def cells(drawing: str, dimension: int) -> dict[Cell, str]:
    """The cells of a drawing with their characters, row by row; the least coordinate along each
    axis is 0."""
    characters = {}
    for z, layer in enumerate(layers(drawing)):
        for y, row in enumerate(layer):
            for x, character in enumerate(row):
                if character != NO_CELL:
                    characters[(z, y, x)[-dimension:]] = character
    return dict(zip(at_origin(characters), characters.values(), strict=True))


def draw_cells(characters: Mapping[Cell, str]) -> str:
    """The drawing of cells of the plane or of space with their characters, as `cells` reads it.

    >>> print(draw_cells({(0, 0): "#", (1, 0): "#", (1, 1): "b"}))
    #.
    #b
    """
    there = {}
    for cell, character in characters.items():
        z, y, x = cell if len(cell) == 3 else (0, *cell)
        there[z, y, x] = character
    depth, rows, columns = (range(min(along), 1 + max(along)) for along in zip(*there, strict=True))
    layers = []
    for z in depth:
        lines = []
        for y in rows:
            lines.append("".join(there.get((z, y, x), NO_CELL) for x in columns))
        layers.append("\n".join(lines))
    return "\n\n".join(layers)


def side_by_side(cells: Collection[Cell]) -> dict[Cell, tuple[int, int]]:
    """The row and column of each cell in a picture that shows layers side by side, with an empty
    column between them.

    >>> side_by_side([(0, 0, 0), (0, 0, 1), (1, 0, 0)])
    {(0, 0, 0): (0, 0), (0, 0, 1): (0, 1), (1, 0, 0): (0, 3)}
    """
    width = max(cell[-1] for cell in cells) + 2
    return {cell: (cell[-2], cell[-1] + width * sum(cell[:-2])) for cell in cells}


def shift_cells(cells: Iterable[Cell], by: Cell) -> tuple[Cell, ...]:
    """The cells translated by a vector."""
    return tuple([tuple(map(add, cell, by)) for cell in cells])


def at_origin(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """The cells translated so that the least coordinate along each axis is 0."""
    cells = list(cells)
    return shift_cells(cells, tuple(-min(along) for along in zip(*cells, strict=True)))


class Motion(NamedTuple):
    """A rotation or reflection of a lattice: coordinate i of an image is signs[i] times coordinate
    axes[i]."""

    axes: tuple[int, ...]
    signs: tuple[int, ...]
    mirrored: bool  # whether the motion is a reflection

    @property
    def level(self) -> Literal["rotation", "reflection"]:
        """The lowest level of equivalence that includes this motion."""
        return "reflection" if self.mirrored else "rotation"

    def images(self, cells: Iterable[Cell]) -> tuple[Cell, ...]:
        """The images of the cells; the origin is fixed."""
        along = list(zip(self.axes, self.signs, strict=True))
        return tuple([tuple([sign * cell[axis] for axis, sign in along]) for cell in cells])

    def apply(self, cells: Iterable[Cell]) -> tuple[Cell, ...]:
        """The images of the cells, translated together to the origin."""
        return at_origin(self.images(cells))


def motions(dimension: int) -> list[Motion]:
    """All motions of the square or the cubic lattice that fix the origin, the identity first."""
    every = product(permutations(range(dimension)), product((1, -1), repeat=dimension))
    return [
        Motion(axes, signs, (_inversions(axes) + signs.count(-1)) % 2 == 1) for axes, signs in every
    ]


def _inversions(axes: tuple[int, ...]) -> int:
    return sum(a > b for a, b in combinations(axes, 2))


class Lattice(NamedTuple):
    """A lattice: its motions that fix the origin, the identity first.

    In a `balanced` lattice, of hexagons or triangles, a cell has three coordinates for the three
    directions of the plane, and translations keep their sum. It is 0 for a hexagon, 1 for a
    triangle that points up, -1 for one that points down.
    """

    motions: tuple[Motion, ...]
    balanced: bool = False

    @property
    def flat(self) -> bool:
        """Whether the lattice lies in the plane."""
        return self.balanced or len(self.motions[0].axes) == 2

    def allowed_motions(self, *, turning: bool, turning_over: bool) -> list[Motion]:
        """The motions that a piece may undergo. Turning over is a reflection in the plane; in space
        it is a rotation."""
        over = turning_over and self.flat
        if turning:
            return [motion for motion in self.motions if over or not motion.mirrored]
        left_for_right = (
            Motion((2, 1, 0), (1, 1, 1), True) if self.balanced else Motion((0, 1), (1, -1), True)
        )
        return [self.motions[0], left_for_right] if over else [self.motions[0]]

    def at_origin(self, cells: Iterable[Cell]) -> tuple[Cell, ...]:
        """The cells, translated to a fixed position, which is the same for all translates of a set
        of cells."""
        if not self.balanced:
            return at_origin(cells)
        cells = list(cells)
        a, b = (min(along) for along in list(zip(*cells, strict=True))[:2])
        return shift_cells(cells, (-a, -b, a + b))


SQUARES, CUBES = (Lattice(tuple(motions(dimension))) for dimension in (2, 3))
BALANCED = Lattice(
    tuple(
        Motion(axes, (sign,) * 3, _inversions(axes) % 2 == 1)
        for sign in (1, -1)
        for axes in permutations(range(3))
    ),
    balanced=True,
)
"""The lattices of hexagons and of triangles; their coordinates are measured across the three
directions of sides."""


@dataclass(frozen=True, eq=False)
class LatticeBoard:
    """The cells of a board, by name, with their coordinates; `periods` has the length of the board
    by axis where it wraps."""

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
            at = tuple(
                x % self.periods[axis] if axis in self.periods else x for axis, x in enumerate(at)
            )
        return self.names.get(at)

    def automorphisms(self) -> Iterator[tuple[Motion, dict[Cell, Cell]]]:
        """The motions and translations that map the board onto itself, each with the image of every
        cell."""
        for motion in self.lattice.motions:
            images = motion.images(self.coordinates.values())
            for shift in self._shifts(motion, images):
                to = [self.name(at) for at in shift_cells(images, shift)]
                if None not in to:
                    yield (
                        motion,
                        dict(
                            zip(
                                self.coordinates,
                                (cell for cell in to if cell is not None),
                                strict=True,
                            )
                        ),
                    )

    def _shifts(self, motion: Motion, images: tuple[Cell, ...]) -> Iterator[Cell]:
        """The translations that may move the images onto the board."""
        here = tuple(self.coordinates.values())
        if not self.periods:
            to, home = self.lattice.at_origin(here), self.lattice.at_origin(images)
            yield tuple(
                x - a + b - y for x, a, b, y in zip(here[0], to[0], home[0], images[0], strict=True)
            )
            return
        width = len(here[0])
        for axis, length in self.periods.items():
            (image,) = motion.images([tuple(length * (i == axis) for i in range(width))])
            if any(x % self.periods[i] if i in self.periods else x for i, x in enumerate(image)):
                return  # the motion does not preserve the board's periods
        for cell in here:
            yield tuple(x - y for x, y in zip(cell, images[0], strict=True))


# kind of a drawing by the number of sides of its cells
KINDS = {
    4: "squares",
    6: "hexagons",
    3: "triangles",
}


def kind(board: Board) -> str:
    """The kind of the drawings of a board in the plane, such as 'hexagons'. Raises ValueError for a
    solid."""
    if not board.flat:
        raise ValueError(
            f"{board.name} is a solid, but pieces made of cells need a board in the plane"
        )
    return KINDS[board.sides(board.cells[0])]


def lattice_board(board: Board) -> LatticeBoard:
    """The cells of a board with their coordinates. Raises ValueError for a solid."""
    locate = {"squares": _squares, "hexagons": _hexagons, "triangles": _triangles}[kind(board)]
    periods = {axis: int(length) for axis, length in enumerate(reversed(board.wrap)) if length}
    lattice = SQUARES if locate is _squares else BALANCED
    return LatticeBoard(lattice, locate(board), periods)


def _squares(board: Board) -> dict[Cell, Cell]:
    return {cell: cell for cell in _rows_and_columns(board)}


def _hexagons(board: Board) -> dict[Cell, Cell]:
    """The topmost cell of a column is in the first or the second row, alternately."""
    cells = _rows_and_columns(board)
    shift = sum(cells[0]) % 2
    coordinates: dict[Cell, Cell] = {}
    for row, column in cells:
        x = (column + shift - row) // 2
        coordinates[row, column] = (x, row, -x - row)
    return coordinates


def _triangles(board: Board) -> dict[Cell, Cell]:
    """Coordinates across the lines `/`, the horizontal lines and the lines `\\`: a triangle in
    strip n of each has 2n + 1."""
    cells = _rows_and_columns(board)
    (_, top), (_, right), _ = board.polygons[cells[0]]
    shift = (sum(cells[0]) + (right == top)) % 2
    coordinates: dict[Cell, Cell] = {}
    for row, column in cells:
        x = column + shift
        up = 1 - (x + row) % 2
        coordinates[row, column] = (x + row + up, -2 * row - 1, row - x + up)
    return coordinates


def _rows_and_columns(board: Board) -> list[tuple[int, int]]:
    return [(row, column) for row, column in board.cells]  # type: ignore[misc,has-type]
