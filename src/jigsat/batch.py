"""Many puzzles, one solver: those that differ by their clues alone share a formula, and what the solver learns of it.

Clues are assumed, not added, so the next puzzle finds the solver without them. Blocking clauses hang on a variable that is
assumed with the clues and false ever after.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import count, groupby, islice
from typing import NamedTuple

from jigsat.backends import DEFAULT, Backend, open_backend
from jigsat.enumeration import checked
from jigsat.formula import Clause, Formula
from jigsat.lowering import Lowered
from jigsat.puzzle import Placement, Puzzle, Solution
from jigsat.search import Blocking, models
from jigsat.symmetry import Model


class Answer(NamedTuple):
    """The solutions of a puzzle that were looked for, each checked; `complete` if it is established that it has no other."""

    puzzle: Puzzle
    solutions: list[Solution]
    complete: bool


def solve_all(puzzles: Iterable[Puzzle], backend: str = DEFAULT, limit: int | None = 2) -> Iterator[Answer]:
    """Up to `limit` solutions of each puzzle, symmetric ones told apart; two are enough to tell whether it has exactly one.

    Lazy: a puzzle is taken and solved when its answer is asked for. Puzzles that follow each other and are equal without
    their clues are solved by one incremental solver, unless the backend takes no assumptions. Raises InputError for a
    backend that is not there, Stopped if the solver gives up, and CheckError if what it found is no solution.

    >>> from jigsat.instance import load
    >>> [(len(found), complete) for _, found, complete in solve_all([load("cats"), load("cube")], limit=5)]
    [(4, True), (5, False)]
    """
    for _, alike in groupby(puzzles, lambda puzzle: (type(puzzle), puzzle.without_clues().digest())):
        with closing(open_backend(backend)) as solver:
            able = solver.capabilities.assumptions and solver.capabilities.clauses and not solver.capabilities.enumerates
            shared: Shared | None = None
            for puzzle in alike:
                if able:
                    shared = shared or Shared(puzzle.without_clues().encode(), solver)
                    formula, found = shared.formula, shared.models(puzzle)
                else:
                    formula = puzzle.encode()
                    found = models(formula, backend)
                yield _answer(puzzle, formula, found, backend, limit)


def _answer(puzzle: Puzzle, formula: Formula, found: Generator[Model, None, None], backend: str, limit: int | None) -> Answer:
    with closing(found):
        solutions = [Solution(puzzle, checked(puzzle, formula, sorted(model), backend)) for model in islice(found, limit)]
    return Answer(puzzle, solutions, limit is None or len(solutions) < limit)


class Shared:
    """A formula without clues on an open solver, to be solved with the clues of one puzzle after the other."""

    def __init__(self, formula: Formula, solver: Backend) -> None:
        self.formula = formula
        self._solver = solver
        lowered = Lowered(formula, native=solver.capabilities.native)
        for constraint in lowered:
            solver.add(constraint)
        self._free = count(lowered.top + 1)
        self._blocking = Blocking(formula)
        self._literals: dict[frozenset[Placement], int] = {
            frozenset([formula.key(variable)]): variable for variable in formula.decisions()
        }

    def models(self, puzzle: Puzzle) -> Generator[Model, None, None]:
        """The models that keep the clues of the puzzle, as long as they are asked for."""
        here = next(self._free)
        assumptions = [here, *(self._literal(clue) for clue in puzzle.clues().values())]
        try:
            while self._solver.solve(assumptions):
                model = self._blocking.model(self._solver.model())
                yield model
                self._solver.add(Clause((-here, *self._blocking.literals(model))))
        finally:
            self._solver.add(Clause((-here,)))

    def _literal(self, clue: frozenset[Placement]) -> int:
        """The literal to be assumed for a clue: its placement, or a variable that says 'one of these'."""
        if clue not in self._literals:
            fitting = [self._literals[one] for placement in clue if (one := frozenset([placement])) in self._literals]
            self._literals[clue] = next(self._free)
            self._solver.add(Clause((-self._literals[clue], *fitting)))
        return self._literals[clue]
