"""Boards, that is, cells that meet along their sides: by name or from a drawing. Also lattices and
nets."""

from jigsat.boards.board import (
    Board,
    BoardSymmetry,
    Cell,
    Incidence,
    Orientation,
    Point,
    Spot,
    halfway,
    middle,
    minus,
)
from jigsat.boards.catalogue import (
    DRAWN,
    NAMED,
    BoardName,
    board_named,
    characters,
    title_board,
    torus,
)
from jigsat.boards.nets import extent, unfold_board, views

__all__ = [
    "DRAWN",
    "NAMED",
    "Board",
    "BoardName",
    "BoardSymmetry",
    "Cell",
    "Incidence",
    "Orientation",
    "Point",
    "Spot",
    "board_named",
    "characters",
    "extent",
    "halfway",
    "middle",
    "minus",
    "title_board",
    "torus",
    "unfold_board",
    "views",
]
