"""The pieces as objects: polyominoes of any thickness, or polycubes."""

from __future__ import annotations

from collections.abc import Iterator

from jigsat.encodings.tiling.data import TilingData

from jigsat.boards.lattice import CUBES, SQUARES, Cell
from jigsat.errors import InputError
from jigsat.pieces.blocks import Block, Cube
from jigsat.pieces.cells import ANY_COLOUR


def list_blocks(puzzle: TilingData) -> Iterator[Block]:
    if puzzle.lattice_board.lattice not in (SQUARES, CUBES):
        raise InputError("board: only pieces of squares or cubes can be cut or printed")
    board_size = len(puzzle.cells)
    is_flat = puzzle.dimension == 2
    is_coloured = set(puzzle.cells.values()) != {ANY_COLOUR}
    for name, cells in puzzle.located.items():
        number_that_fits = board_size // len(cells)
        count = min(puzzle.number_of_uses(name).most, number_that_fits)
        cubes = frozenset(_place_cube(cell) for cell in cells)
        yield Block(name, cubes, count, is_flat, is_coloured)


def _place_cube(cell: Cell) -> Cube:
    """Layers are drawn from top to bottom, and rows from back to front."""
    *layers_above, row, column = cell
    return column, -row, -sum(layers_above)
