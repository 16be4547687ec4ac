"""Solutions in space: the faces of a solid with the net from which it folds, and solids made of
cubes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jigsat.boards import Board, Cell, Point, halfway, middle, unfold_board
from jigsat.pictures.colours import fade_colour
from jigsat.pictures.layout import Part
from jigsat.pictures.svg import Picture

CUBE_MM = 4.5  # side of a cube in pictures of steps
# layer, row and column; layers from top to bottom, rows from the back to the front
Cube = tuple[int, int, int]

WAYS = {
    "from above": (0, -1),
    "from the front": (1, 1),
    "from the right": (2, 1),
    "from behind": (1, -1),
    "from the left": (2, -1),
}
"""The ways in which a block is put in, each with the axis along which it is taken out again, and
the direction."""


@dataclass(frozen=True)
class Face:
    """A face of a solid.

    `points` are its corners in space, clockwise as seen from outside; one unit is the length of a
    side of most boards. `net` are the same corners in the picture of the net, in the picture's
    units. `parent` is the index of the face from which it is unfolded, along its side number
    `side`: side i runs from corner i to corner i + 1. Both are None for the first face of each part
    of the net. `rim` tells which small squares along the border are teeth, clockwise from the first
    corner, for pieces with teeth: the same number for each side, with the corner at its start.
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
    """A piece made of unit cubes, each given by layer, row and column; the layers are drawn from
    top to bottom."""

    piece: str
    cells: tuple[Cube, ...]
    colour: str


@dataclass(frozen=True)
class Solid:
    """The faces of a solid, or the blocks in it."""

    faces: tuple[Face, ...] = ()
    blocks: tuple[Block, ...] = ()


def fold_board(
    board: Board,
    scale: float,
    pieces: Mapping[Cell, str],
    rims: Mapping[Cell, Sequence[bool]] | None = None,
) -> Solid | None:
    """The faces of a board with the names of the pieces on them; None for a board in the plane.

    `scale` is the number of pixels per unit in the picture of the net.

    >>> from jigsat.boards import board_named
    >>> [(face.cell, face.parent) for face in fold_board(board_named("cube"), 100, {}).faces]
    [('top', 2), ('left', 2), ('front', None), ('right', 2), ('bottom', 2), ('back', 4)]
    """
    if board.flat:
        return None
    net = unfold_board(board)
    hinges = _hinges(board)
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
    """For each cell of the net, except for the first of each part, the cell before it and the side
    along which it folds."""
    import networkx

    corners = unfold_board(board).corners
    centre = middle([middle(polygon) for polygon in corners.values()])
    beside: networkx.DiGraph[Cell] = networkx.DiGraph()
    beside.add_nodes_from(board.cells)
    for (cell, side), (other, other_side) in board.across.items():
        if math.dist(halfway(corners[cell], side), halfway(corners[other], other_side)) < 0.01:
            beside.add_edge(cell, other, side=other_side)
    hinges: dict[Cell, tuple[Cell, int]] = {}
    for root in sorted(
        board.cells, key=lambda cell: math.dist(middle(corners[cell]), centre)
    ):  # folding starts in the middle
        if root not in hinges:
            hinges |= {
                cell: (before, beside[before][cell]["side"])
                for before, cell in networkx.bfs_edges(beside, root)
            }
    return hinges


def order_blocks(blocks: Sequence[Block]) -> list[tuple[Block, str]]:
    """The blocks in an order in which they can be put together, each with the way of `WAYS` in
    which it is put in.

    Blocks are taken away one by one in a straight line, from above if possible, those in front
    first. No block that is taken away hinders the others, so if none can be taken away, there is no
    such order, and the list is empty.
    """
    left = [*blocks]
    taken: list[tuple[Block, str]] = []
    while left:
        left.sort(
            key=lambda block: max(row + column - layer for layer, row, column in block.cells),
            reverse=True,
        )
        removable = (
            (block, way)
            for way, (axis, sign) in WAYS.items()
            for block in left
            if _is_free(block, left, axis, sign)
        )
        if (first := next(removable, None)) is None:
            return []
        left.remove(first[0])
        taken.append(first)
    return taken[::-1]


def _is_free(block: Block, blocks: Sequence[Block], axis: int, sign: int) -> bool:
    """Whether no other block is in the way of a block that is moved along an axis."""
    ends: dict[tuple[int, ...], float] = {}
    for cell in (cell for other in blocks if other != block for cell in other.cells):
        line = cell[:axis] + cell[axis + 1 :]
        ends[line] = max(sign * cell[axis], ends.get(line, -math.inf))
    return all(
        ends.get(cell[:axis] + cell[axis + 1 :], -math.inf) < sign * cell[axis]
        for cell in block.cells
    )


def draw_steps(order: Sequence[tuple[Block, str]]) -> list[Part]:
    """The blocks as they are put in one after another, in pictures of one size; those put in
    before are pale."""
    cells = [cell for block, _ in order for cell in block.cells]
    high, deep, wide = (max(axis) + 1 for axis in zip(*cells, strict=True))
    corner = (0.6 * (wide + deep), 0.35 * (wide + deep) + 0.7 * high)
    parts = []
    before: dict[Cube, str] = {}
    for number, (block, way) in enumerate(order, 1):
        picture = Picture(scale=40)
        picture.reach((0, 0), corner)
        draw_cubes(picture, before | dict.fromkeys(block.cells, block.colour), 0.6 * deep)
        before |= dict.fromkeys(block.cells, fade_colour(block.colour))
        width = CUBE_MM * picture.size()[2] / picture.scale
        parts.append(Part(str(picture), width, f"{number}. {block.piece}" + (way and f", {way}")))
    return parts


def draw_cubes(picture: Picture, cubes: Mapping[Cube, str], left: float, top: float = 0.0) -> None:
    """Draw cubes in their colours as seen from above their front right corner: of each its top and
    the two sides in front."""
    square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    for z, y, x in sorted(cubes, key=lambda cell: (-cell[0], cell[1] + cell[2])):
        faces = (  # each by a corner and the two beside it
            ((x, y, z), (x + 1, y, z), (x, y + 1, z)),
            ((x, y + 1, z), (x + 1, y + 1, z), (x, y + 1, z + 1)),
            ((x + 1, y + 1, z), (x + 1, y, z), (x + 1, y + 1, z + 1)),
        )
        for face in faces:
            corners = [(left + 0.6 * (a - b), top + 0.35 * (a + b) + 0.7 * c) for a, b, c in face]
            with picture.mapped([square[0], square[1], square[3]], corners):
                picture.polygon(square, cubes[z, y, x], line="#222", width=0.03)
