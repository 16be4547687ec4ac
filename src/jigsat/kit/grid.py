"""The rectangle of cells as encodings use it: its cells, corners, graphs and motions.

A cell is (row, column), counted from 0. The corner (r, c) is the upper left corner of the cell
(r, c); the last row and column of corners lie beyond the last cells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Literal

from jigsat.formula import Thing

if TYPE_CHECKING:
    import networkx

Cell = tuple[int, int]
Edge = tuple[Cell, Cell]
"""A pair of cells, or of corners, the smaller one first."""
Line = tuple[Cell, ...]
"""The cells of a row, a column or a part of it, in order."""
Side = Literal["top", "bottom", "left", "right"]

STEPS: dict[Side, Cell] = {"top": (-1, 0), "right": (0, 1), "bottom": (1, 0), "left": (0, -1)}
"""What is added to a cell to come to the one beside it."""


def edge(one: Cell, other: Cell) -> Edge:
    """The edge between two cells or two corners."""
    return (one, other) if one < other else (other, one)


@dataclass(frozen=True)
class Grid:
    """A rectangle of cells."""

    height: int
    width: int

    # -- cells and lines of cells

    @cached_property
    def cells(self) -> list[Cell]:
        """Row by row."""
        return list(product(range(self.height), range(self.width)))

    @cached_property
    def rows(self) -> list[Line]:
        """The cells of each row, from left to right."""
        return [tuple((r, c) for c in range(self.width)) for r in range(self.height)]

    @cached_property
    def columns(self) -> list[Line]:
        """The cells of each column, from top to bottom."""
        return [tuple((r, c) for r in range(self.height)) for c in range(self.width)]

    @cached_property
    def lines(self) -> dict[Thing, Line]:
        """The rows and columns by what they are, such as `Thing("row", 1)`."""
        lines = {Thing("row", i): line for i, line in enumerate(self.rows, 1)}
        for i, line in enumerate(self.columns, 1):
            lines[Thing("column", i)] = line
        return lines

    def beside(self, cell: Cell) -> list[Cell]:
        """The up to four neighbours of a cell."""
        r, c = cell
        return [
            (r + down, c + right) for down, right in STEPS.values() if self.has(r + down, c + right)
        ]

    def around(self, cell: Cell) -> list[Cell]:
        """The up to eight cells that touch a cell."""
        r, c = cell
        near = product(range(r - 1, r + 2), range(c - 1, c + 2))
        return [other for other in near if other != cell and self.has(*other)]

    def has(self, row: int, column: int) -> bool:
        """Whether there is such a cell."""
        return 0 <= row < self.height and 0 <= column < self.width

    def blocks(self, height: int, width: int) -> list[Line]:
        """All rectangles of this size, each as its cells row by row."""
        corners = product(range(self.height - height + 1), range(self.width - width + 1))
        inside = list(product(range(height), range(width)))
        return [tuple((r + down, c + right) for down, right in inside) for r, c in corners]

    def look(self, cell: Cell, step: Cell, blocked: Collection[Cell] = ()) -> Line:
        """The cells that are seen from a cell in one direction, up to the rim or a blocked cell."""
        line = []
        r, c = cell[0] + step[0], cell[1] + step[1]
        while self.has(r, c) and (r, c) not in blocked:
            line.append((r, c))
            r, c = r + step[0], c + step[1]
        return tuple(line)

    def runs(self, blocked: Collection[Cell] = ()) -> list[Line]:
        """The stretches of cells of rows and columns between blocked cells, which are as long as
        possible."""
        runs = []
        for line in [*self.rows, *self.columns]:
            run: list[Cell] = []
            for cell in line:
                if cell not in blocked:
                    run.append(cell)
                elif run:
                    runs.append(tuple(run))
                    run = []
            if run:
                runs.append(tuple(run))
        return runs

    def view(self, side: Side, i: int) -> Line:
        """The cells that are seen from beside the grid, the nearest first."""
        line = self.rows[i] if side in ("left", "right") else self.columns[i]
        return line if side in ("left", "top") else line[::-1]

    # -- graphs

    @cached_property
    def neighbours(self) -> networkx.Graph[Cell]:
        """The cells, each joined to those beside it."""
        return _make_rectangle(self.height, self.width)

    @cached_property
    def borders(self) -> networkx.Graph[Cell]:
        """The corners, joined along the sides of the cells."""
        return _make_rectangle(self.height + 1, self.width + 1)

    @cached_property
    def walls(self) -> networkx.Graph[Cell]:
        """The corners, joined along the sides between two cells."""
        import networkx  # reading a puzzle needs no graph

        graph: networkx.Graph[Cell] = networkx.Graph()
        for one, other in self.neighbours.edges:
            graph.add_edge(*self.wall(one, other))
        return graph

    @cached_property
    def diagonals(self) -> networkx.Graph[Cell]:
        """The corners, joined across the cells."""
        import networkx

        graph: networkx.Graph[Cell] = networkx.Graph()
        graph.add_nodes_from(self.borders)
        for r, c in self.cells:
            graph.add_edge((r, c), (r + 1, c + 1))
            graph.add_edge((r, c + 1), (r + 1, c))
        return graph

    def sides(self, cell: Cell) -> list[Edge]:
        """The top, right, bottom and left side of a cell, from corner to corner."""
        r, c = cell
        top = ((r, c), (r, c + 1))
        right = ((r, c + 1), (r + 1, c + 1))
        bottom = ((r + 1, c), (r + 1, c + 1))
        left = ((r, c), (r + 1, c))
        return [top, right, bottom, left]

    def wall(self, one: Cell, other: Cell) -> Edge:
        """The side between two neighbouring cells, from corner to corner."""
        (common,) = set(self.sides(one)) & set(self.sides(other))
        return common

    # -- motions

    def motions(self) -> Iterator[Motion]:
        """The rotations and reflections of the rectangle, the identity first."""
        for transposed in (False, True):
            if transposed and self.height != self.width:
                continue
            for upside_down, mirrored in product((False, True), repeat=2):
                yield Motion(self, transposed, upside_down, mirrored)


def _make_rectangle(height: int, width: int) -> networkx.Graph[Cell]:
    import networkx

    graph: networkx.Graph[Cell] = networkx.Graph()
    for r, c in product(range(height), range(width)):
        graph.add_node((r, c))
        if r > 0:
            graph.add_edge((r - 1, c), (r, c))
        if c > 0:
            graph.add_edge((r, c - 1), (r, c))
    return graph


@dataclass(frozen=True)
class Motion:
    """A rotation or reflection of a grid: rows and columns change places if it is `transposed`;
    then each may be counted from the end."""

    grid: Grid
    transposed: bool
    upside_down: bool
    mirrored: bool

    @property
    def level(self) -> Literal["rotation", "reflection"]:
        odd = self.transposed ^ self.upside_down ^ self.mirrored
        return "reflection" if odd else "rotation"

    def cell(self, cell: Cell) -> Cell:
        """The image of a cell."""
        return self._move(cell, self.grid.height, self.grid.width)

    def corner(self, corner: Cell) -> Cell:
        """The image of a corner."""
        return self._move(corner, self.grid.height + 1, self.grid.width + 1)

    def step(self, step: Cell) -> Cell:
        """The image of a direction, such as (0, 1)."""
        r, c = self.cell((0, 0))
        down, right = self.cell(step)
        return down - r, right - c

    def half(self, point: Cell) -> Cell:
        """The image of a place that is counted in half cells from the centre of the first cell."""
        return self._move(point, 2 * self.grid.height - 1, 2 * self.grid.width - 1)

    def _move(self, point: Cell, height: int, width: int) -> Cell:
        r, c = point
        if self.transposed:
            r, c = c, r
        if self.upside_down:
            r = height - 1 - r
        if self.mirrored:
            c = width - 1 - c
        return r, c
