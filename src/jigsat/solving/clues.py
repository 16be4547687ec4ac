"""Puzzles that differ only in their clues share a formula, the solvers that read it, and the clauses these have learned.

Clues are assumed, not added, so they do not affect the next puzzle. Blocking clauses contain a variable that is assumed
together with the clues and set to false afterwards. Hundreds of assumptions slow a solver down, because it decides them again
after each restart and cannot use them to simplify the clauses. So the puzzles of a large formula share only its clauses; each
has a solver to which its clues are added.
"""

from collections.abc import Generator, Iterator
from typing import TypeAlias

from jigsat.backends import open_backend
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

ModelSearch: TypeAlias = Generator[Model | None, None, None]
"""The models that a search finds, and None before each search that is not brief."""


class ClueSolver:
    """A formula without clues in a solver, which solves one puzzle after another by assuming its clues.

    If the formula is large, clues are added instead, and the next puzzle has another solver. Closing it closes the solver.
    """

    def __init__(self, formula: Formula, backend: str) -> None:
        self.formula, self._backend = formula, backend
        self._large = len(formula.decisions()) > MAX_SHARED_DECISIONS
        self._blocking = Blocking(formula)
        self.solver = open_backend(backend)
        lowered = Lowered(formula, native=self.solver.capabilities.native)
        self._batches = list(lowered.batches())  # lowering the formula again would take longer than many a puzzle
        self._top = lowered.top
        self._load()

    def _load(self) -> None:
        self.solver.add_all(self._batches)
        self._added = 0
        formula = self.formula
        self._literals: dict[Clue, int] = {frozenset([formula.key(variable)]): variable for variable in formula.decisions()}

    def models(self, puzzle: Puzzle) -> Iterator[Model]:
        """The models that satisfy the clues of the puzzle."""
        return (model for model in self.search(puzzle, LEVELS[0]) if model is not None)

    def search(self, puzzle: Puzzle, up_to: str) -> ModelSearch:
        """A model of each orbit among the models that satisfy the clues of the puzzle."""
        if self._added and (self._large or self._added > MAX_ADDED_VARIABLES):
            self.close()
            self.solver = open_backend(self._backend)
            self._load()
        here = self.add_variable()
        literals = [self.literal(clue) for clue in puzzle.clues().values()]
        for literal in literals if self._large else ():
            self.solver.add(Clause((literal,)))
        assumptions = [here, *(() if self._large else literals)]
        first: Model | None = None
        group: Group | None = None  # most puzzles have one solution and need none
        try:
            while (yield from self._solve(assumptions)):
                model, new = self._blocking.model(self.solver.model()), True
                orbit = group.orbit(model, up_to) if group else {model}
                if first is not None and group is None and up_to != LEVELS[0]:
                    group = Group.of(self.formula, puzzle.symmetries())
                    orbit = group.orbit(first, up_to)
                    new = model not in orbit
                    orbit |= group.orbit(model, up_to)
                first = model if first is None else first
                if new:
                    yield model
                for member in orbit:
                    self.solver.add(Clause((-here, *self._blocking.literals(member))))
        finally:
            self.solver.add(Clause((-here,)))

    def _solve(self, assumptions: list[int]) -> Generator[None, None, bool]:
        """Whether there is a model. Yields None before a search that is not brief."""
        if self.solver.capabilities.conflict_limit:
            self.solver.limit(BRIEF_CONFLICTS)
            try:
                return self.solver.solve(assumptions)
            except Stopped:
                pass
            finally:
                self.solver.limit(None)
        yield None
        return self.solver.solve(assumptions)

    def add_variable(self) -> int:
        self._added += 1
        return self._top + self._added

    def literal(self, clue: Clue) -> int:
        """The literal for a clue: its placement, or a variable that implies one of its placements."""
        if clue not in self._literals:
            fitting = [self._literals[one] for placement in clue if (one := frozenset([placement])) in self._literals]
            literal = self._literals[clue] = self.add_variable()
            for clause in ((-literal, *fitting), *((literal, -x) for x in fitting)):
                self.solver.add(Clause(clause))
        return self._literals[clue]

    def close(self) -> None:
        self.solver.close()
