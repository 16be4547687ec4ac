"""Puzzles on a grid, each in one file that reads like its rules; see `jigsat help
writing-a-family`."""

from jigsat.formula import Choice, Variables
from jigsat.kit import walks
from jigsat.kit.clues import (
    BlackCells,
    CellNumbers,
    CellSigns,
    Clues,
    CornerNumbers,
    Givens,
    GridNumbers,
    Islands,
    Labels,
    PositiveNumbers,
)
from jigsat.kit.division import (
    divide_into_rectangles,
    divide_into_rooms,
    draw_rooms,
    grow_rooms,
    join_pairs,
    name_rooms,
)
from jigsat.kit.grid import Cell, Edge, Grid, Line, Motion, Side, edge
from jigsat.kit.layers import Diagonals, Layer, Lines, LineVariables, Mark, Shading, Values
from jigsat.kit.loops import bend_loop, draw_loop
from jigsat.kit.picture import GridPicture
from jigsat.kit.puzzle import Answer, ClueValues, GridPuzzle, layer
from jigsat.kit.reading import draw_blank, draw_rows
from jigsat.kit.regions import (
    Arrows,
    Cages,
    Calculations,
    NumberedRooms,
    Pointer,
    Rooms,
    RunSums,
)
from jigsat.kit.rim import LineLists, LineTotals, Rim
from jigsat.kit.room_numbers import make_room_numbers, require_room_numbers
from jigsat.kit.rules import ClueName, Rules
from jigsat.kit.signs import Inequalities, blank_signs
from jigsat.kit.totals import Total
from jigsat.words import name_place as name_cell

__all__ = [
    "Answer",
    "Arrows",
    "BlackCells",
    "Cages",
    "Calculations",
    "Cell",
    "CellNumbers",
    "CellSigns",
    "Choice",
    "ClueName",
    "ClueValues",
    "Clues",
    "CornerNumbers",
    "Diagonals",
    "Edge",
    "Givens",
    "Grid",
    "GridNumbers",
    "GridPicture",
    "GridPuzzle",
    "Inequalities",
    "Islands",
    "Labels",
    "Layer",
    "Line",
    "LineLists",
    "LineTotals",
    "LineVariables",
    "Lines",
    "Mark",
    "Motion",
    "NumberedRooms",
    "Pointer",
    "PositiveNumbers",
    "Rim",
    "Rooms",
    "Rules",
    "RunSums",
    "Shading",
    "Side",
    "Total",
    "Values",
    "Variables",
    "bend_loop",
    "blank_signs",
    "divide_into_rectangles",
    "divide_into_rooms",
    "draw_blank",
    "draw_loop",
    "draw_rooms",
    "draw_rows",
    "edge",
    "grow_rooms",
    "join_pairs",
    "layer",
    "make_room_numbers",
    "name_cell",
    "name_rooms",
    "require_room_numbers",
    "walks",
]
