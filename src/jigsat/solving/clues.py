"""Puzzles that differ only in their clues share a formula, the solvers that read it, and the clauses these have learned.

Clues are assumed, not added, so they do not affect the next puzzle. Blocking clauses contain a variable that is assumed
together with the clues and set to false afterwards. Hundreds of assumptions slow a solver down, because it decides them again
after each restart and cannot use them to simplify the clauses. So the puzzles of a large formula share only its clauses; each
has a solver to which its clues are added.
"""

from collections.abc import Generator, Iterator, Mapping
from typing import TypeAlias

from jigsat.backends import Backend, open_backend
from jigsat.errors import Stopped
from jigsat.formula import Clause, Formula, Lowered
from jigsat.puzzle import Puzzle
from jigsat.search.blocking import Blocking
from jigsat.symmetry import LEVELS, Group, Model, Placement

MAX_SHARED_DECISIONS = 5_000  # number of decision variables above which each puzzle has a solver of its own

MAX_ADDED_VARIABLES = 1_000
"""The number of variables added for puzzles after which a new solver is opened: each model has a value for each of them."""

BRIEF_CONFLICTS = 500
"""The number of conflicts of a brief search, which takes some milliseconds; hard 9×9 sudokus take fewer than 100."""

Clue: TypeAlias = frozenset[Placement]  # placements of which one must be in the solution
CluesByName: TypeAlias = Mapping[str, Clue]  # clues of a puzzle, as `Puzzle.clues` returns them

ModelSearch: TypeAlias = Generator[Model | None, None, None]
"""The models that a search finds, and None before each search that is not brief."""


class SeenOrbits:
    """The orbits of the models that were found for a puzzle. Most puzzles have one solution and need no group."""

    def __init__(self, puzzle: Puzzle, formula: Formula, up_to: str) -> None:
        self._puzzle, self._formula, self._up_to = puzzle, formula, up_to
        self._group: Group | None = None
        self._members = set[Model]()
        self._news = set[Model]()

    def add(self, model: Model) -> bool:
        """Add the orbit of a model; returns whether it is new."""
        if self._group is None and self._members and self._up_to != LEVELS[0]:
            self._group = Group.of(self._formula, self._puzzle.symmetries())
            (first,) = self._members
            self._extend(self._group.orbit(first, self._up_to))
        if model in self._members:
            return False
        self._extend(self._group.orbit(model, self._up_to) if self._group else {model})
        return True

    def _extend(self, orbit: set[Model]) -> None:
        self._news |= orbit - self._members
        self._members |= orbit

    def take_news(self) -> set[Model]:
        """The members of these orbits that were added since the last call."""
        news, self._news = self._news, set()
        return news


class ClueSolver:
    """An open solver with a formula without clues, which solves one puzzle after another by assuming its clues.

    If the formula is large, clues are added instead, and the next puzzle needs another solver. `added` variables were added.
    """

    def __init__(self, formula: Formula, solver: Backend) -> None:
        self.formula = formula
        self.large = len(formula.decisions()) > MAX_SHARED_DECISIONS  # whether each puzzle has a solver of its own
        lowered = Lowered(formula, native=solver.capabilities.native)
        self._batches = list(lowered.batches())
        self._top = lowered.top
        self._blocking = Blocking(formula)
        self.use(solver)

    def use(self, solver: Backend) -> None:
        """Continue with another solver; lowering the formula again would take longer than many a puzzle."""
        solver.add_all(self._batches)
        self._solver, self.added = solver, 0
        formula = self.formula
        self._literals: dict[Clue, int] = {frozenset([formula.key(variable)]): variable for variable in formula.decisions()}

    def models(self, puzzle: Puzzle, up_to: str = LEVELS[0]) -> Iterator[Model]:
        """One model per orbit among the models that satisfy the clues of the puzzle."""
        found = self.search(puzzle.clues(), SeenOrbits(puzzle, self.formula, up_to))
        return (model for model in found if model is not None)

    def search(self, clues: CluesByName, seen: SeenOrbits) -> ModelSearch:
        """A model of each orbit not yet seen that satisfies the clues."""
        here = self.add_variable()
        literals = [self.literal(clue) for clue in clues.values()]
        for literal in literals if self.large else ():
            self._solver.add(Clause((literal,)))
        assumptions = [here, *(() if self.large else literals)]
        try:
            while True:
                for model in seen.take_news():
                    self._solver.add(Clause((-here, *self._blocking.literals(model))))
                if not (yield from self._solve(assumptions)):
                    return
                model = self._blocking.model(self._solver.model())
                if seen.add(model):
                    yield model
        finally:
            self._solver.add(Clause((-here,)))

    def _solve(self, assumptions: list[int]) -> Generator[None, None, bool]:
        """Whether there is a model. Yields None before a search that is not brief."""
        if self._solver.capabilities.conflict_limit:
            self._solver.limit(BRIEF_CONFLICTS)
            try:
                return self._solver.solve(assumptions)
            except Stopped:
                pass
            finally:
                self._solver.limit(None)
        yield None
        return self._solver.solve(assumptions)

    def add_variable(self) -> int:
        self.added += 1
        return self._top + self.added

    def literal(self, clue: Clue) -> int:
        """The literal for a clue: its placement, or a variable that implies one of its placements."""
        if clue not in self._literals:
            fitting = [self._literals[one] for placement in clue if (one := frozenset([placement])) in self._literals]
            literal = self._literals[clue] = self.add_variable()
            for clause in ((-literal, *fitting), *((literal, -x) for x in fitting)):
                self._solver.add(Clause(clause))
        return self._literals[clue]


class SharedFormula:
    """Searches the formula of a puzzle without its clues, with the clues of one puzzle after another, by a solver it opens."""

    def __init__(self, backend: str) -> None:
        self._backend, self._solver = backend, open_backend(backend)
        self._shared: ClueSolver | None = None

    @property
    def takes_assumptions(self) -> bool:
        """Whether one solver can solve one puzzle after the other."""
        can = self._solver.capabilities
        return can.assumptions and can.clauses and not can.enumerates

    def search(self, puzzle: Puzzle, clues: CluesByName, up_to: str) -> tuple[Formula, ModelSearch]:
        """The formula, that of the first puzzle without its clues, and a model of each orbit that satisfies the clues."""
        if self._shared is None:
            self._shared = ClueSolver(puzzle.without_clues().encode(), self._solver)
        elif self._shared.large or self._shared.added > MAX_ADDED_VARIABLES:
            self.close()
            self._solver = open_backend(self._backend)
            self._shared.use(self._solver)
        formula = self._shared.formula
        return formula, self._shared.search(clues, SeenOrbits(puzzle, formula, up_to))

    def close(self) -> None:
        self._solver.close()
