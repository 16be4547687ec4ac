"""Boards, that is, cells that meet along their sides: by name or from a drawing. Also lattices and nets."""

from jigsat.boards.board import Board, Cell, Incidence, Orientation, Point, Spot, middle, minus
from jigsat.boards.catalogue import BoardName, named, torus
from jigsat.boards.nets import extent, unfolded, views

__all__ = [
    "Board",
    "BoardName",
    "Cell",
    "Incidence",
    "Orientation",
    "Point",
    "Spot",
    "extent",
    "middle",
    "minus",
    "named",
    "torus",
    "unfolded",
    "views",
]
