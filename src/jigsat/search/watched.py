"""A search that can be watched: it places one piece after another in a fixed order, and takes them
back.

The order is that in which the formula states its exactly-one constraints: for a board, cell by
cell. In each, the choices that unit propagation leaves are tried in the order of their variables.
This is the backtracking of the engines `scan` and `cover`, one step at a time; they choose their
order by what ends soonest, and do not look ahead as far.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

from jigsat.errors import InputError
from jigsat.formula import Formula
from jigsat.search.exhaustive import Splitter


@dataclass(frozen=True)
class Position:
    """The variables that are placed, in the order in which they were, and what was done so far.

    `solved` tells whether they are a solution. A variable that is no decision says that a cell is
    left over.
    """

    placed: tuple[int, ...]
    solved: bool
    placements: int
    taken_back: int
    solutions: int


def watch_search(formula: Formula) -> Iterator[Position]:
    """The positions of a search for all solutions, one after each placement and each one that is
    taken back.

    Raises InputError if some decision variables are in no exactly-one constraint, because then
    there is no list of places to be filled.
    """
    items = [list(item) for item in formula.items()]
    if not items or not set().union(*items).issuperset(formula.decisions()):
        raise InputError(
            "--watch shows how places are filled, and this puzzle is not a list of places"
        )
    with closing(Splitter(formula)) as splitter:
        yield from _Search(items, splitter).fill()


class _Search:
    def __init__(self, items: list[list[int]], splitter: Splitter) -> None:
        self._items = items
        self._splitter = splitter
        self._placed: list[int] = []
        self._placements = 0
        self._taken_back = 0
        self._solutions = 0

    def fill(self) -> Iterator[Position]:
        """Fill what is still empty, in all ways."""
        item = self._first_empty()
        if item is None:
            self._solutions += 1
            yield self._position(solved=True)
            return
        for option in item:
            if self._splitter.implied_literals((*self._placed, option)) is None:
                continue
            self._placed.append(option)
            self._placements += 1
            yield self._position()
            yield from self.fill()
            self._placed.pop()
            self._taken_back += 1
            yield self._position()

    def _first_empty(self) -> list[int] | None:
        """The first constraint of which no variable is placed; None if there is none."""
        placed = set(self._placed)
        for item in self._items:
            if placed.isdisjoint(item):
                return item
        return None

    def _position(self, solved: bool = False) -> Position:
        return Position(
            tuple(self._placed), solved, self._placements, self._taken_back, self._solutions
        )
