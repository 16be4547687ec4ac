"""Boards, that is, cells that meet along their sides: by name or from a drawing. Also lattices and nets."""

from jigsat.boards.board import Board, BoardSymmetry, Cell, Incidence, Orientation, Point, Spot, middle, minus
from jigsat.boards.catalogue import DRAWN, NAMED, BoardName, characters, named, torus
from jigsat.boards.nets import extent, unfolded, views

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
    "characters",
    "extent",
    "middle",
    "minus",
    "named",
    "torus",
    "unfolded",
    "views",
]
