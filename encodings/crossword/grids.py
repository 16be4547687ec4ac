"""Empty crossword grids with half-turn symmetry: which squares are blocks."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

import networkx
from jigsat.encodings.crossword.data import BLANK, BLOCK, Cell

from jigsat.formula import Clause, Formula, Variables
from jigsat.search.sampling import DRAWN_VARIABLES, Sampler

# share of blocks above which squares may belong to one word only
FULLY_CHECKED = 0.25
STEPS = ((0, 1), (1, 0))  # across and down


@dataclass(frozen=True)
class GridRequest:
    """A grid to be made: its size, the length of the longest word, the share of blocks, and the
    most blocks. There shall be places for the words of a theme."""

    size: int
    longest: int
    blocks: float
    most_blocks: int | None = None
    theme: tuple[str, ...] = ()

    @property
    def is_sparse(self) -> bool:
        """Whether a square need not be in a word of each direction."""
        return self.blocks > FULLY_CHECKED and self.size % 2 == 1

    @property
    def limit(self) -> int:
        """The length of the longest word. In large grids, only words of a theme are long."""
        limit = self.size if self.size < 9 else 2 * self.size // 3
        return max([min(self.longest, limit), *map(len, self.theme)])


def make_grid(request: GridRequest, rng: random.Random) -> tuple[str, ...] | None:
    """A random grid with half-turn symmetry and about this share of blocks, in which words have 3
    letters or more, and the blank squares are connected.

    No four blocks form a square, nor do 16 blank squares. None if there is no such grid.
    """
    size = request.size
    formula = Formula()
    cells = [(r, c) for r in range(size) for c in range(size)]
    block = formula.variables("block", ("row", "column"), cells)
    for r, c in cells:
        formula.clause([-block(r, c), block(size - 1 - r, size - 1 - c)])
        if request.is_sparse and r % 2 == 1 and c % 2 == 1:
            formula.clause([block(r, c)])
        _join_to_others(formula, block, (r, c))
        for step in STEPS:
            _limit_word(formula, block, (r, c), step, request.limit, request.is_sparse)
        _forbid_squares(formula, block, (r, c))
    number = round(size**2 * request.blocks)
    most = number + 2
    if request.most_blocks is not None:
        most = min(most, request.most_blocks)
    formula.between(min(number - 2, most), most, formula.decisions())

    drawn = list(_reserve_places(request, block, rng))
    drawn += rng.sample(formula.decisions(), min(DRAWN_VARIABLES, size))
    with closing(Sampler(formula)) as sampler:
        blank = _draw_connected(block, cells, sampler, drawn)
    return None if blank is None else _draw_grid(size, blank)


def _reserve_places(request: GridRequest, block: Variables, rng: random.Random) -> Iterator[int]:
    """Literals by which each word of the theme has a place of its own length."""
    for word in request.theme:
        is_down = rng.random() < 0.5
        line, start = rng.randrange(request.size), rng.randint(0, request.size - len(word))
        for i in range(start - 1, start + len(word) + 1):
            cell = (i, line) if is_down else (line, i)
            is_blank = start <= i < start + len(word)
            if cell in block:
                yield -block(*cell) if is_blank else block(*cell)


def _draw_connected(
    block: Variables, cells: Sequence[Cell], sampler: Sampler, drawn: list[int]
) -> set[Cell] | None:
    """The blank squares of a grid near the drawn literals; None if there is none."""
    last_row, last_column = cells[-1]
    board = networkx.grid_2d_graph(last_row + 1, last_column + 1)
    while True:
        model = sampler.draw(drawn)
        if model is None:
            return None
        blank = {cell for cell in cells if block(*cell) not in model}
        parts = list(networkx.connected_components(board.subgraph(blank)))
        if len(parts) <= 1:
            return blank or None
        for part in parts:
            # A square of this part becomes a block, or a block beside it becomes blank.
            beside = {other for cell in part for other in board.neighbors(cell)} - part
            ways = [block(*cell) for cell in sorted(part)]
            ways += [-block(*cell) for cell in sorted(beside)]
            sampler.add(Clause(tuple(ways)))


def _draw_grid(size: int, blank: Collection[Cell]) -> tuple[str, ...]:
    """The rows of a grid with these blank squares."""
    rows = []
    for r in range(size):
        rows.append("".join(BLANK if (r, c) in blank else BLOCK for c in range(size)))
    return tuple(rows)


def _forbid_squares(formula: Formula, block: Variables, cell: Cell) -> None:
    """No square of four blocks, and none of 16 blank squares, begins on this cell."""
    r, c = cell
    for wide, sign in ((2, -1), (4, 1)):
        square = [(r + i, c + j) for i in range(wide) for j in range(wide)]
        if square[-1] in block:
            formula.clause(sign * block(*other) for other in square)


def _join_to_others(formula: Formula, block: Variables, cell: Cell) -> None:
    """A blank square has a blank neighbour."""
    r, c = cell
    beside = [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
    blank_beside = [-block(*other) for other in beside if other in block]
    formula.clause([block(r, c), *blank_beside])


def _limit_word(
    formula: Formula, block: Variables, cell: Cell, step: Cell, longest: int, is_sparse: bool
) -> None:
    """A word that begins on this square and goes in this direction has at least three letters and
    at most `longest`. In a sparse grid, a square need not be in a word of each direction."""
    r, c = cell
    down, across = step
    line = [(r + i * down, c + i * across) for i in range(-1, longest + 1)]
    before, first, second, third = line[:4]

    # It begins on a blank square after a block or the rim, unless one of these literals is true.
    not_here = [block(*first)]
    if before in block:
        not_here = [-block(*before), block(*first)]

    blank_second = [-block(*second)] if second in block else []
    blank_third = [-block(*third)] if third in block else []
    if not is_sparse:
        formula.clause([*not_here, *blank_second])
    if second in block:  # otherwise no word begins here
        formula.clause([*not_here, block(*second), *blank_third])
    if line[-1] in block:
        formula.clause(block(*other) for other in line[1:])
