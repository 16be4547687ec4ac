"""Empty crossword grids with half-turn symmetry: which squares are blocks."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import networkx
from jigsat.encodings.crossword.data import BLANK, BLOCK, Cell

from jigsat.formula import Clause, Formula
from jigsat.search.sampling import DRAWN_VARIABLES, Sampler

STEPS = ((0, 1), (1, 0))  # across and down
LARGE = 7  # size of grids from which on 16 blank squares form no square


@dataclass(frozen=True)
class GridRequest:
    """Grids to be made: their size, the length of the longest word of the list, and the least and
    the largest number of blocks. There shall be places for the words of a theme.

    If they are `checked`, each square is in two words. Otherwise, of two neighbours in a word, one
    is in another word, too.
    """

    size: int
    longest: int
    fewest: int
    most: int
    checked: bool = True
    theme: tuple[str, ...] = ()

    @property
    def limit(self) -> int:
        """The length of the longest word. In large grids, only words of a theme are long."""
        limit = self.size if self.size < 9 else 2 * self.size // 3
        return max([min(self.longest, limit), *map(len, self.theme)])


def draw_grid(size: int, blank: Collection[Cell]) -> tuple[str, ...]:
    """The rows of a grid with these blank squares."""
    rows = []
    for r in range(size):
        signs = [BLANK if (r, c) in blank else BLOCK for c in range(size)]
        rows.append("".join(signs))
    return tuple(rows)


class GridMaker:
    """Makes grids with half-turn symmetry in which words have 3 letters or more, and the blank
    squares are connected. No four blocks form a square, nor do 16 blank squares in grids that can
    do without."""

    def __init__(self, request: GridRequest, rng: random.Random) -> None:
        self._request = request
        self._rng = rng
        size = request.size
        self._cells = [(r, c) for r in range(size) for c in range(size)]
        formula = Formula()
        self._block = formula.variables("block", ("row", "column"), self._cells)
        for cell in self._cells:
            self._require_symmetry(formula, cell)
            self._join_to_others(formula, cell)
            self._forbid_squares(formula, cell)
            for step in STEPS:
                self._limit_word(formula, cell, step)
                self._require_checks(formula, cell, step)
        self._decisions = formula.decisions()
        formula.between(request.fewest, request.most, self._decisions)
        self._sampler = Sampler(formula)
        self._reserved = list(self._reserve_places())

    def close(self) -> None:
        self._sampler.close()

    def draw(self) -> tuple[str, ...] | None:
        """A random grid; None if there is none."""
        number = min(DRAWN_VARIABLES, self._request.size)
        sample = self._rng.sample(self._decisions, number)
        while True:
            model = self._sampler.draw([*self._reserved, *sample])
            if model is None:
                return None
            grid = self._read_connected(model)
            if grid is not None:
                return grid

    def vary(self, grid: Sequence[str]) -> tuple[str, ...] | None:
        """A grid in which a random square differs, and few others; None if the blank squares would
        not be connected."""
        row, column = self._rng.choice(self._cells)
        literals = []
        for (r, c), block in zip(self._cells, self._decisions, strict=True):
            is_block = grid[r][c] == BLOCK
            if (r, c) == (row, column):
                changed = -block if is_block else block
            else:
                literals.append(block if is_block else -block)
        self._rng.shuffle(literals)
        model = self._sampler.draw([*self._reserved, *literals], [changed])
        return None if model is None else self._read_connected(model)

    def _read_connected(self, model: Collection[int]) -> tuple[str, ...] | None:
        """The grid of a model. If its blank squares are not connected, None, and no later model has
        the same parts."""
        block = self._block
        blank = {cell for cell in self._cells if block(*cell) not in model}
        size = self._request.size
        board = networkx.grid_2d_graph(size, size)
        parts = list(networkx.connected_components(board.subgraph(blank)))
        if len(parts) == 1:
            return draw_grid(size, blank)
        if not parts:
            self._sampler.add(Clause(tuple(-literal for literal in self._decisions)))
        for part in parts:
            # A square of this part becomes a block, or a block beside it becomes blank.
            beside = {other for cell in part for other in board.neighbors(cell)} - part
            ways = [block(*cell) for cell in sorted(part)]
            ways += [-block(*cell) for cell in sorted(beside)]
            self._sampler.add(Clause(tuple(ways)))
        return None

    def _reserve_places(self) -> Iterator[int]:
        """Literals by which each word of the theme has a place of its own length."""
        size = self._request.size
        for word in self._request.theme:
            is_down = self._rng.random() < 0.5
            line = self._rng.randrange(size)
            start = self._rng.randint(0, size - len(word))
            for i in range(start - 1, start + len(word) + 1):
                cell = (i, line) if is_down else (line, i)
                is_blank = start <= i < start + len(word)
                if cell in self._block:
                    yield -self._block(*cell) if is_blank else self._block(*cell)

    def _list_blank(self, *cells: Cell) -> list[int]:
        """Literals which say that a square is blank, for those in the grid."""
        return [-self._block(*cell) for cell in cells if cell in self._block]

    def _require_symmetry(self, formula: Formula, cell: Cell) -> None:
        r, c = cell
        last = self._request.size - 1
        formula.implies(self._block(r, c), self._block(last - r, last - c))

    def _join_to_others(self, formula: Formula, cell: Cell) -> None:
        """A blank square has a blank neighbour."""
        r, c = cell
        beside = self._list_blank((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1))
        formula.clause([self._block(r, c), *beside])

    def _forbid_squares(self, formula: Formula, cell: Cell) -> None:
        """No square of four blocks, and none of 16 blank squares, begins on this cell. In small
        grids whose squares are all checked, the middle is blank."""
        r, c = cell
        limits = [(2, -1)]
        if self._request.size >= LARGE:
            limits.append((4, 1))
        for wide, sign in limits:
            square = [(r + i, c + j) for i in range(wide) for j in range(wide)]
            if square[-1] in self._block:
                formula.clause(sign * self._block(*other) for other in square)

    def _limit_word(self, formula: Formula, cell: Cell, step: Cell) -> None:
        """A word that begins on this square and goes in this direction has at least three letters
        and not too many. Where all squares are checked, each square is in such a word."""
        block = self._block
        r, c = cell
        down, across = step
        line = [(r + i * down, c + i * across) for i in range(-1, self._request.limit + 1)]
        before, first, second, third = line[:4]

        # It begins on a blank square after a block or the rim, unless one of these is true.
        not_here = [block(*first)]
        if before in block:
            not_here = [-block(*before), block(*first)]

        if self._request.checked:
            formula.clause([*not_here, *self._list_blank(second)])
        if second in block:  # otherwise no word begins here
            formula.clause([*not_here, block(*second), *self._list_blank(third)])
        if line[-1] in block:
            formula.clause(block(*other) for other in line[1:])

    def _require_checks(self, formula: Formula, cell: Cell, step: Cell) -> None:
        """Of this square and the next one in this direction, one is in a word of the other
        direction. So at least half of the squares of a word are checked, rounded down."""
        r, c = cell
        down, across = step
        following = (r + down, c + across)
        if following in self._block:
            beside = []
            for r, c in (cell, following):
                beside += [(r + across, c + down), (r - across, c - down)]
            ends_here = [self._block(*cell), self._block(*following)]
            formula.clause([*ends_here, *self._list_blank(*beside)])
