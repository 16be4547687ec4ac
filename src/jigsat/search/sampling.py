"""Random models: a formula on an incremental solver that draws them.

Random literals are assumed, and of those that the solver finds to be in conflict the last one is given up, until the rest
can be completed to a model. Work is counted in conflicts, not in seconds, so a draw depends on the random numbers alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from jigsat.backends import open_backend
from jigsat.errors import Stopped
from jigsat.formula import Constraint, Formula, Lowered

SOLVER = "cadical195"
"""A short call costs it little: it makes 450 minimal sudokus a second, and minisat22, with its heap of all variables, 295."""

CONFLICTS = 200_000
"""A call that meets with more conflicts is given up."""

DRAWN = 16
"""So many random variables are assumed true. On the 288 grids of the 4×4 sudoku 64 are a little more even, and 6 less so."""


class Sampler:
    """A formula on a solver; constraints and variables can be added to it."""

    def __init__(self, formula: Formula, conflicts: int = CONFLICTS) -> None:
        self._conflicts = conflicts
        self._lowered = Lowered(formula)
        self._clauses = list(dict.fromkeys(self._lowered))  # where rules overlap, they say some things twice
        self.renew()

    def renew(self) -> None:
        """Take a new solver, that has learned nothing yet; what was added to the old one is gone."""
        if hasattr(self, "solver"):
            self.close()
        self.solver = open_backend(SOLVER)
        self.solver.limit(self._conflicts)
        for clause in self._clauses:
            self.solver.add(clause)

    def add(self, constraint: Constraint) -> None:
        """Add a constraint of any kind."""
        for clause in self._lowered.lower(constraint):
            self.solver.add(clause)

    def new(self) -> int:
        """A variable that nothing uses yet."""
        return self._lowered.auxiliary()

    def close(self) -> None:
        """Free the solver."""
        self.solver.close()

    def draw(self, assumed: list[int], fixed: Sequence[int] = ()) -> set[int] | None:
        """The true variables of a model that keeps what is fixed, and of what is assumed all that is left in the list.

        What stands first in the list is kept rather than what comes after it.

        None if there is no model. Raises Stopped if that is too hard to tell.
        """
        while True:
            try:
                if self.solver.solve([*fixed, *assumed]):
                    return set(self.solver.model())
            except Stopped:
                if not assumed:
                    raise
                del assumed[len(assumed) // 2 :]
                continue
            core = set(self.solver.core())
            clash = [literal for literal in assumed if literal in core]
            if not clash:
                return None
            assumed.remove(clash[-1])
