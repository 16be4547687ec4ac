"""Many puzzles by one incremental solver: puzzles that differ only in their clues share a formula and its learned clauses.

Clues are assumed, not added, so they do not affect the next puzzle. Blocking clauses contain a variable that is assumed
together with the clues and set to false afterwards. Hundreds of assumptions slow a solver down, because it decides them again
after each restart and cannot use them to simplify the clauses. So the puzzles of a large formula share only its clauses; each
has a solver to which its clues are added.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from copy import copy

from jigsat.backends import Backend
from jigsat.errors import Stopped
from jigsat.formula import Clause, Formula, Lowered
from jigsat.puzzle import Puzzle
from jigsat.search import Blocking
from jigsat.symmetry import LEVELS, Group, Model, Placement

LARGE = 5_000
"""The number of decision variables above which each puzzle has a solver of its own."""

MOST_VARIABLES = 1_000
"""The number of variables added for puzzles after which a new solver is opened: each model has a value for each of them."""

BRIEF = 500
"""The number of conflicts of a brief search, which takes some milliseconds; hard 9×9 sudokus take fewer than 100."""

Clues = Mapping[str, frozenset[Placement]]
"""The clues of a puzzle, as `Puzzle.clues` returns them."""


def is_large(formula: Formula) -> bool:
    """Whether each puzzle has a solver of its own."""
    return len(formula.decisions()) > LARGE


class Seen:
    """The orbits of the models that were found for a puzzle. Most puzzles have one solution and need no group."""

    def __init__(self, puzzle: Puzzle, formula: Formula, up_to: str) -> None:
        self._puzzle, self._formula, self._up_to = puzzle, formula, up_to
        self._group: Group | None = None
        self._members = set[Model]()
        self._news = set[Model]()

    def __contains__(self, model: Model) -> bool:
        """Whether the orbit of a model was added."""
        if self._group is None and self._members and self._up_to != LEVELS[0]:
            self._group = Group.of(self._formula, self._puzzle.symmetries())
            (first,) = self._members
            self._extend(self._group.orbit(first, self._up_to))
        return model in self._members

    def add(self, model: Model) -> None:
        """Add the orbit of a model."""
        if model not in self._members:
            self._extend(self._group.orbit(model, self._up_to) if self._group else {model})

    def _extend(self, orbit: set[Model]) -> None:
        self._news |= orbit - self._members
        self._members |= orbit

    def news(self) -> set[Model]:
        """The members of these orbits that were added since the last call."""
        news, self._news = self._news, set()
        return news


class Shared:
    """An open solver with a formula without clues, which solves one puzzle after another by assuming its clues.

    If the formula is `large`, clues are added instead, and `in_new_solver` gives the next puzzle a solver of its own.
    """

    def __init__(self, formula: Formula, solver: Backend) -> None:
        self.formula = formula
        self.large = is_large(formula)
        lowered = Lowered(formula, native=solver.capabilities.native)
        self._batches = list(lowered.batches())
        solver.add_all(self._batches)
        self._top = lowered.top
        self._blocking = Blocking(formula)
        self._begin(solver)

    def _begin(self, solver: Backend) -> None:
        self._solver = solver
        self._used = 0
        self._literals: dict[frozenset[Placement], int] = {
            frozenset([self.formula.key(variable)]): variable for variable in self.formula.decisions()
        }

    @property
    def spent(self) -> bool:
        """Whether the next puzzle needs another solver, or is solved faster by another one."""
        return self.large or self._used > MOST_VARIABLES

    def in_new_solver(self, solver: Backend) -> Shared:
        """The same formula in another solver; it is not lowered again."""
        other = copy(self)
        solver.add_all(self._batches)
        other._begin(solver)
        return other

    def models(self, puzzle: Puzzle, up_to: str = "nothing") -> Iterator[Model]:
        """One model per orbit among the models that satisfy the clues of the puzzle."""
        found = self.search(puzzle.clues(), Seen(puzzle, self.formula, up_to))
        return (model for model in found if model is not None)

    def search(self, clues: Clues, seen: Seen) -> Generator[Model | None, None, None]:
        """Yield a model of each orbit not yet seen that satisfies the clues, and None before each search that is not brief."""
        here = self.variable()
        literals = [self.literal(clue) for clue in clues.values()]
        for literal in literals if self.large else ():
            self._solver.add(Clause((literal,)))
        assumptions = [here, *(() if self.large else literals)]
        try:
            while True:
                for model in seen.news():
                    self._solver.add(Clause((-here, *self._blocking.literals(model))))
                if not (yield from self._solved(assumptions)):
                    return
                model = self._blocking.model(self._solver.model())
                if model not in seen:
                    yield model
                seen.add(model)
        finally:
            self._solver.add(Clause((-here,)))

    def _solved(self, assumptions: list[int]) -> Generator[None, None, bool]:
        """Whether there is a model. Yields None before a search that is not brief."""
        if self._solver.capabilities.conflict_limit:
            self._solver.limit(BRIEF)
            try:
                return self._solver.solve(assumptions)
            except Stopped:
                pass
            finally:
                self._solver.limit(None)
        yield None
        return self._solver.solve(assumptions)

    def variable(self) -> int:
        """An unused variable."""
        self._used += 1
        return self._top + self._used

    def literal(self, clue: frozenset[Placement]) -> int:
        """The literal for a clue: its placement, or a variable that implies one of its placements."""
        if clue not in self._literals:
            fitting = [self._literals[one] for placement in clue if (one := frozenset([placement])) in self._literals]
            kept = self._literals[clue] = self.variable()
            for clause in ((-kept, *fitting), *((kept, -x) for x in fitting)):
                self._solver.add(Clause(clause))
        return self._literals[clue]
