"""Four small families with constraints on graphs, and their solutions by brute force, which shares no
code with jigsat."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

import networkx

from jigsat import Formula, Puzzle
from jigsat.symmetry import Symmetry

Cell = tuple[int, int]


class Shaded(NamedTuple):
    """The cell is shaded."""

    cell: Cell


class Island(Puzzle[Shaded]):
    """Some cells of a board are shaded; they are connected, and as many as stated."""

    family = "test-island"
    cell_field = "cell"

    rows: int
    columns: int
    number: int
    given: tuple[Cell, ...] = ()
    empty: tuple[Cell, ...] = ()

    def encode(self) -> Formula:
        formula = Formula()
        shaded = formula.variables("shaded", Shaded._fields, map(Shaded, self.board_cells()))
        with formula.rule("so many cells are shaded"):
            formula.exactly(self.number, shaded[:])
        with formula.rule("the shaded cells are connected", "island", 1):
            formula.connected(self.grid(), {cell: shaded(cell) for cell in self.board_cells()})
        for row, column in self.given:
            with formula.rule("a cell is given", "cell", (row, column)):
                formula.clause([shaded((row, column))])
        for row, column in self.empty:
            with formula.rule("a cell is empty", "cell", (row, column)):
                formula.clause([-shaded((row, column))])
        return formula

    def check(self, placements: Sequence[Shaded]) -> Iterator[str]:
        cells = {each.cell for each in placements}
        if len(cells) != self.number or len(placements) != self.number:
            yield f"{len(cells)} cells are shaded"
        if cells and not networkx.is_connected(self.grid().subgraph(cells)):
            yield "the shaded cells are not connected"
        if not cells.issuperset(self.given):
            yield "a given cell is not shaded"
        if not cells.isdisjoint(self.empty):
            yield "an empty cell is shaded"

    def symmetries(self) -> Iterator[Symmetry]:
        turned = {cell: self.turn(cell) for cell in self.board_cells()}
        kept = [{turned[cell] for cell in cells} == {*cells} for cells in (self.given, self.empty)]
        if all(kept):
            yield Symmetry("rotation", {Shaded(a): Shaded(b) for a, b in turned.items()})

    def turn(self, cell: Cell) -> Cell:
        """The cell half a turn away."""
        return self.rows - 1 - cell[0], self.columns - 1 - cell[1]

    def given_placements(self) -> Collection[Shaded]:
        return [Shaded(cell) for cell in self.given]

    def grid(self) -> networkx.Graph[Cell]:
        return networkx.grid_2d_graph(self.rows, self.columns)

    def board_cells(self) -> Collection[Cell]:
        return [*product(range(self.rows), range(self.columns))]

    def solutions(self) -> set[frozenset[Cell]]:
        """All solutions, by trying all sets of cells."""
        found = set()
        for cells in combinations(self.board_cells(), self.number):
            if not any(self.check([Shaded(cell) for cell in cells])):
                found.add(frozenset(cells))
        return found

    def orbits(self) -> int:
        """The number of solutions that differ not only by half a turn."""
        return len({frozenset([one, frozenset(map(self.turn, one))]) for one in self.solutions()})


class Line(NamedTuple):
    """A line joins two corners."""

    corners: tuple[Cell, Cell]


class Loop(Puzzle[Line]):
    """One closed loop along the sides of cells, of a given length."""

    family = "test-loop"

    rows: int
    columns: int
    length: int
    given: tuple[tuple[Cell, Cell], ...] = ()

    def encode(self) -> Formula:
        formula = Formula()
        grid = self.grid()
        line = formula.variables("line", Line._fields, map(Line, grid.edges))
        with formula.rule("the lines form one loop", "loop", 1):
            formula.single_loop(grid, {edge: line(edge) for edge in grid.edges})
        with formula.rule("the loop is so long"):
            formula.exactly(self.length, line[:])
        for corners in self.given:
            with formula.rule("a line is given"):
                formula.clause([line(corners)])
        return formula

    def check(self, placements: Sequence[Line]) -> Iterator[str]:
        lines = {each.corners for each in placements}
        drawn: networkx.Graph[Cell] = networkx.Graph(list(lines))
        if len(lines) != self.length or len(placements) != self.length:
            yield f"there are {len(lines)} lines"
        elif not networkx.is_connected(drawn) or {n for _, n in drawn.degree} != {2}:
            yield "the lines are not one loop"
        if not lines.issuperset(self.given):
            yield "a given line is not drawn"

    def given_placements(self) -> Collection[Line]:
        return [Line(corners) for corners in self.given]

    def grid(self) -> networkx.Graph[Cell]:
        """The corners of the cells."""
        return networkx.grid_2d_graph(self.rows + 1, self.columns + 1)

    def solutions(self) -> set[frozenset[tuple[Cell, Cell]]]:
        """All solutions, by trying all sets of lines."""
        found = set()
        for lines in combinations(self.grid().edges, self.length):
            if not any(self.check([Line(line) for line in lines])):
                found.add(frozenset(lines))
        return found


class Forest(Puzzle[Line]):
    """Lines along the sides of cells without a closed path, so many."""

    family = "test-forest"

    rows: int
    columns: int
    number: int
    given: tuple[tuple[Cell, Cell], ...] = ()

    def encode(self) -> Formula:
        formula = Formula()
        grid = self.grid()
        line = formula.variables("line", Line._fields, map(Line, grid.edges))
        with formula.rule("the lines are trees", "forest", 1):
            formula.acyclic(grid, {edge: line(edge) for edge in grid.edges})
        with formula.rule("there are so many"):
            formula.exactly(self.number, line[:])
        for corners in self.given:
            with formula.rule("a line is given"):
                formula.clause([line(corners)])
        return formula

    def check(self, placements: Sequence[Line]) -> Iterator[str]:
        lines = {each.corners for each in placements}
        if len(lines) != self.number or len(placements) != self.number:
            yield f"there are {len(lines)} lines"
        if lines and not networkx.is_forest(networkx.Graph(list(lines))):
            yield "there is a closed path"
        if not lines.issuperset(self.given):
            yield "a given line is not drawn"

    def given_placements(self) -> Collection[Line]:
        return [Line(corners) for corners in self.given]

    def grid(self) -> networkx.Graph[Cell]:
        """The corners of the cells."""
        return networkx.grid_2d_graph(self.rows + 1, self.columns + 1)

    def solutions(self) -> set[frozenset[tuple[Cell, Cell]]]:
        """All solutions, by trying all sets of lines."""
        found = set()
        for lines in combinations(self.grid().edges, self.number):
            if not any(self.check([Line(line) for line in lines])):
                found.add(frozenset(lines))
        return found


class Number(NamedTuple):
    """The cell has this number."""

    cell: Cell
    number: int


class Areas(Puzzle[Number]):
    """Each cell has a number up to a limit; equal numbers that are connected are as many as they
    say."""

    family = "test-areas"
    cell_field = "cell"

    rows: int
    columns: int
    most: int
    given: tuple[tuple[Cell, int], ...] = ()

    def encode(self) -> Formula:
        formula = Formula()
        numbers = range(1, self.most + 1)
        number = {
            cell: formula.choice("number", numbers, key=Number, cell=cell)
            for cell in self.board_cells()
        }
        with formula.rule("areas are as large as they say", "board", 1):
            formula.regions(self.grid(), number)
        for cell, value in self.given:
            with formula.rule("a number is given", "cell", cell):
                formula.clause([number[cell](value)])
        return formula

    def check(self, placements: Sequence[Number]) -> Iterator[str]:
        number = {each.cell: each.number for each in placements}
        if len(number) < len(placements) or set(number) != {*self.board_cells()}:
            yield "not every cell has one number"
            return
        equal = networkx.Graph([(a, b) for a, b in self.grid().edges if number[a] == number[b]])
        equal.add_nodes_from(number)
        for part in networkx.connected_components(equal):
            if {number[cell] for cell in part} != {len(part)}:
                yield f"{sorted(part)} is of the wrong size"
        for cell, value in self.given:
            if number[cell] != value:
                yield "a given number is another one"

    def given_placements(self) -> Collection[Number]:
        return [Number(cell, value) for cell, value in self.given]

    def grid(self) -> networkx.Graph[Cell]:
        return networkx.grid_2d_graph(self.rows, self.columns)

    def board_cells(self) -> Collection[Cell]:
        return [*product(range(self.rows), range(self.columns))]

    def solutions(self) -> set[frozenset[tuple[Cell, int]]]:
        """All solutions, by trying all numbers."""
        found = set()
        cells = [*self.board_cells()]
        for values in product(range(1, self.most + 1), repeat=len(cells)):
            placements = [Number(cell, n) for cell, n in zip(cells, values, strict=True)]
            if not any(self.check(placements)):
                found.add(frozenset((each.cell, each.number) for each in placements))
        return found
