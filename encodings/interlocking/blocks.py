"""The pieces of foam as objects, as thick as a tooth is wide."""

from __future__ import annotations

from collections.abc import Iterator

from jigsat.encodings.interlocking.data import InterlockingData

from jigsat.errors import InputError
from jigsat.pieces.blocks import Block, Cube


def list_blocks(puzzle: InterlockingData) -> Iterator[Block]:
    cells = len(puzzle.surface.cells)
    for name, piece in puzzle.pieces.items():
        if len(piece.shape) != 4:
            raise InputError(
                f"pieces.{name}: it has {len(piece.shape)} sides; only squares can be cut or "
                f"printed"
            )
        cubes = frozenset(_list_cubes(puzzle.size, piece.rim))
        yield Block(name, cubes, min(piece.count, cells), any_thickness=False)


def _list_cubes(size: int, rim: tuple[bool, ...]) -> Iterator[Cube]:
    """The solid inside, and the teeth. The rim begins at the top left and goes clockwise."""
    last = size - 1
    for column in range(1, last):
        for row in range(1, last):
            yield column, row, 0

    border: list[tuple[int, int]] = []
    for i in range(last):
        border.append((i, last))  # the top, from left to right
    for i in range(last):
        border.append((last, last - i))  # the right side, downwards
    for i in range(last):
        border.append((last - i, 0))  # the bottom, from right to left
    for i in range(last):
        border.append((0, i))  # the left side, upwards
    for (column, row), is_tooth in zip(border, rim, strict=True):
        if is_tooth:
            yield column, row, 0
