"""Solutions in space: the faces of a solid with the net from which it folds, and solids made of cubes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jigsat.boards import Board, Cell, Point, halfway, middle, unfold_board


@dataclass(frozen=True)
class Face:
    """A face of a solid.

    `points` are its corners in space, clockwise as seen from outside; one unit is the length of a side of most boards. `net`
    are the same corners in the picture of the net, in the picture's units. `parent` is the index of the face from which it is
    unfolded, along its side number `side`: side i runs from corner i to corner i + 1. Both are None for the first face of each
    part of the net. `rim` tells which small squares along the border are teeth, clockwise from the first corner, for pieces
    with teeth: the same number for each side, with the corner at its start.
    """

    cell: str
    points: tuple[Point, ...]
    net: tuple[Point, ...]
    parent: int | None = None
    side: int | None = None
    piece: str = ""
    rim: tuple[bool, ...] = ()


@dataclass(frozen=True)
class Block:
    """A piece made of unit cubes, each given by layer, row and column; the layers are drawn from top to bottom."""

    piece: str
    cells: tuple[tuple[int, int, int], ...]
    colour: str


@dataclass(frozen=True)
class Solid:
    """The faces of a solid, or the blocks in it."""

    faces: tuple[Face, ...] = ()
    blocks: tuple[Block, ...] = ()


def fold_board(
    board: Board, scale: float, pieces: Mapping[Cell, str], rims: Mapping[Cell, Sequence[bool]] | None = None
) -> Solid | None:
    """The faces of a board with the names of the pieces on them; None for a board in the plane.

    `scale` is the number of pixels per unit in the picture of the net.

    >>> from jigsat.boards import board_named
    >>> [(face.cell, face.parent) for face in fold_board(board_named("cube"), 100, {}).faces]
    [('top', 2), ('left', 2), ('front', None), ('right', 2), ('bottom', 2), ('back', 4)]
    """
    if board.flat:
        return None
    net, hinges = unfold_board(board), _hinges(board)
    number = {cell: i for i, cell in enumerate(board.cells)}
    faces = []
    for cell in board.cells:
        parent, side = hinges.get(cell, (None, None))
        faces.append(
            Face(
                " ".join(map(str, cell)) if isinstance(cell, tuple) else str(cell),
                board.polygons[cell],
                tuple(tuple(x * scale for x in corner) for corner in net.corners[cell]),
                None if parent is None else number[parent],
                side,
                pieces.get(cell, ""),
                tuple((rims or {}).get(cell, ())),
            )
        )
    return Solid(tuple(faces))


def _hinges(board: Board) -> dict[Cell, tuple[Cell, int]]:
    """For each cell of the net, except for the first of each part, the cell before it and the side along which it folds."""
    corners = unfold_board(board).corners
    centre = middle([middle(polygon) for polygon in corners.values()])
    beside: dict[Cell, list[tuple[Cell, int]]] = {cell: [] for cell in board.cells}
    for (cell, side), (other, other_side) in board.across.items():
        if math.dist(halfway(corners[cell], side), halfway(corners[other], other_side)) < 0.01:
            beside[cell].append((other, other_side))
    hinges: dict[Cell, tuple[Cell, int]] = {}
    seen: set[Cell] = set()
    for root in sorted(board.cells, key=lambda cell: math.dist(middle(corners[cell]), centre)):  # folding starts in the middle
        queue = [] if root in seen else [root]
        seen.add(root)
        for cell in queue:
            for other, side in beside[cell]:
                if other not in seen:
                    seen.add(other)
                    hinges[other] = cell, side
                    queue.append(other)
    return hinges
