"""Drawing random models of a formula with an incremental solver.

Random literals are assumed. If they contradict the formula, the last of them in the unsatisfiable
core is dropped, until the rest can be extended to a model. Work is limited by conflicts, not by
seconds, so a draw depends only on the random numbers.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing

from jigsat.backends import open_backend
from jigsat.errors import Stopped
from jigsat.formula import Clause, Constraint, Formula, Lowered
from jigsat.search.blocking import Blocking
from jigsat.symmetry import Group, Level, Model

SOLVER = "cadical153"
"""A solver that decides assumptions in the given order, so that its cores prefer the first ones,
and with little overhead per call.

cadical195 sorts the assumptions by variable. Its cores prefer low variables, so that clues chosen
by them would lie at the top of a board. minisat22 takes half as long again for a minimal sudoku,
because it builds a heap of all variables in each call.
"""

MAX_CALL_CONFLICTS = 200_000  # limit of conflicts for a call

DRAWN_VARIABLES = 16
"""The number of random variables that are assumed to be true. On the 288 grids of the 4×4 sudoku,
draws are slightly more uniform with 64, and less uniform with 6."""


def find_orbits(
    formula: Formula, group: Group, level: Level, conflicts: int
) -> Iterator[set[Model]]:
    """The orbits of the models, one after another. Raises Stopped if a call of the solver needs
    more conflicts."""
    sampler = Sampler(formula, conflicts)
    blocking = Blocking(formula)
    with closing(sampler):
        while sampler.solver.solve():
            model = blocking.model(sampler.solver.model())
            yield (images := {model, *group.orbit(model, level)})
            for image in images:
                sampler.add(Clause(blocking.literals(image)))


class Sampler:
    """A formula in a solver; constraints and variables can be added."""

    def __init__(self, formula: Formula, conflicts: int = MAX_CALL_CONFLICTS) -> None:
        self._lowered = Lowered(formula)
        # overlapping rules produce duplicate clauses
        rows = (
            row for batch in self._lowered.batches() if isinstance(batch, list) for row in batch
        )
        self.solver = open_backend(SOLVER)
        self.solver.limit(conflicts)
        self.solver.add_clauses(list(dict.fromkeys(rows)))

    def add(self, constraint: Constraint) -> None:
        for clause in self._lowered.lower(constraint):
            self.solver.add(clause)

    def new(self) -> int:
        return self._lowered.auxiliary()

    def close(self) -> None:
        self.solver.close()

    def draw(self, assumed: list[int], fixed: Sequence[int] = ()) -> set[int] | None:
        """The true variables of a model in which the literals of `fixed` and those left in
        `assumed` hold.

        Contradictory literals are removed from the list `assumed`, later ones first. Returns None
        if there is no model; raises Stopped if this is too hard to decide.
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
            failed = [literal for literal in assumed if literal in core]
            if not failed:
                return None
            assumed.remove(failed[-1])
