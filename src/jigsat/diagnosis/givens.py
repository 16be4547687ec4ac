"""Which given may be wrong: single changes of a given after which a puzzle has a solution."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from jigsat.backends import DEFAULT, Backend, open_search
from jigsat.formula import Clause
from jigsat.kit import GridPuzzle
from jigsat.puzzle import Puzzle
from jigsat.search.blocking import Blocking
from jigsat.subject import check_model
from jigsat.symmetry import Placement

PLACING = "value in a cell"  # the kind of placing whose givens are tried
MAX_SECONDS = 10.0  # time limit of all changes


@dataclass(frozen=True)
class Change:
    """Another value for a given, and the number of solutions with it, at most 2; None if it is not
    known.
    """

    clue: str
    given: Placement
    other: Placement
    solutions: int | None


def find_changes(puzzle: Puzzle, names: Collection[str]) -> list[Change]:
    """The changes of one given that give a solution, those with exactly one first; then those that
    were not decided in time.

    The clues of these names conflict, so that each change that helps changes one of them. There are
    none for families whose givens are not values in cells. The givens of a puzzle on a grid are
    clues like others; see `wrong_clues`.
    """
    if puzzle.way().placing != PLACING or isinstance(puzzle, GridPuzzle):
        return []
    clues = {name: next(iter(clue)) for name, clue in puzzle.clues().items() if len(clue) == 1}
    with closing(_Changes(puzzle, clues)) as changes:
        tried = [change for name in names if name in clues for change in changes.try_clue(name)]
    useful = [change for change in tried if change.solutions != 0]
    return sorted(useful, key=lambda change: (change.solutions is None, change.solutions))


class _Changes:
    """One solver for all changes: the givens are assumptions."""

    def __init__(self, puzzle: Puzzle, clues: dict[str, Placement]) -> None:
        self._puzzle = puzzle.without_clues()
        self._formula = self._puzzle.encode()
        self._clues = clues
        self._variables = self._formula.decisions_by_key()
        self._blocking = Blocking(self._formula)
        self._solver: Backend = open_search(DEFAULT, self._formula)
        self._switch = self._solver.load(self._formula).top
        self._end = time.monotonic() + MAX_SECONDS

    def close(self) -> None:
        """Free the solver."""
        self._solver.close()

    def try_clue(self, name: str) -> Iterator[Change]:
        """Every other value of a given, with the number of solutions."""
        given = self._clues[name]
        others = [self._variables[clue] for other, clue in self._clues.items() if other != name]
        if not self._solver.solve(others):
            return  # no value of this cell helps
        for placement, x in self._variables.items():
            if self._cell(placement) == self._cell(given) and placement != given:
                yield Change(name, given, placement, self._count([*others, x]))

    def _cell(self, placement: Placement) -> object:
        return getattr(placement, self._puzzle.cell_field or "")

    def _count(self, assumed: Sequence[int]) -> int | None:
        """The number of solutions, at most 2; None after the time limit."""
        if time.monotonic() >= self._end:
            return None
        if not self._solver.solve(assumed):
            return 0
        model = self._blocking.model(self._solver.model())
        check_model(self._puzzle, self._formula, model, DEFAULT)

        self._switch += 1
        self._solver.add(Clause((-self._switch, *self._blocking.literals(model))))
        return 2 if self._solver.solve([self._switch, *assumed]) else 1
