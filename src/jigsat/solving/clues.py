"""Puzzles that differ only in their clues share a formula, the solvers that read it, and the clauses these have learned.

Clues are assumed, not added, so they do not affect the next puzzle. Blocking clauses contain a variable that is assumed
together with the clues and set to false afterwards. Hundreds of assumptions slow a solver down, because it decides them again
after each restart and cannot use them to simplify the clauses. So the puzzles of a large formula share only its clauses; each
has a solver to which its clues are added.

If the formula is an exact cover, the compiled engine searches it briefly first: it needs an eighth of CaDiCaL's time for a hard
9×9 sudoku.
"""

from collections.abc import Generator, Iterator, Mapping
from typing import TypeAlias

from jigsat.backends import Backend, CluedCovers, Restriction, open_backend
from jigsat.backends.engine import is_compiled
from jigsat.errors import Stopped
from jigsat.formula import Clause, Formula, Lowered
from jigsat.puzzle import Puzzle
from jigsat.search.blocking import Blocking
from jigsat.search.portfolio import Traits
from jigsat.symmetry import LEVELS, Group, Model, Placement

MAX_SHARED_DECISIONS = 5_000  # number of decision variables above which each puzzle has a solver of its own

MAX_ADDED_VARIABLES = 1_000
"""The number of variables added for puzzles after which a new solver is opened: each model has a value for each of them."""

BRIEF_CONFLICTS = 500
"""The number of conflicts of a brief search, which takes some milliseconds; hard 9×9 sudokus take fewer than 100."""

BRIEF_NODES = 5_000
"""The number of nodes of a brief search as an exact cover, which takes some milliseconds; a hard 9×9 sudoku takes 120."""

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
        self._large = is_large(formula)
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
        for literal in literals if self._large else ():
            self._solver.add(Clause((literal,)))
        assumptions = [here, *(() if self._large else literals)]
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


class BriefCoverSearch:
    """A formula without clues as an exact cover, which is searched briefly with the clues of one puzzle after another."""

    def __init__(self, formula: Formula, covers: CluedCovers) -> None:
        self._covers = covers
        self._variables = {formula.key(variable): variable for variable in formula.decisions()}
        self._restrictions: dict[Clue, Restriction | None] = {}

    def search(self, clues: CluesByName, seen: SeenOrbits) -> Generator[Model, None, bool]:
        """A model of each orbit that satisfies the clues, as far as it is found soon; returns whether there are no others."""
        restrictions = []
        for clue in clues.values():
            if clue not in self._restrictions:
                variables = {variable for placement in clue if (variable := self._variables.get(placement))}
                self._restrictions[clue] = self._covers.restriction(variables)
            if (restriction := self._restrictions[clue]) is None:
                return False
            restrictions.append(restriction)
        self._covers.restart(restrictions)
        more = True
        while more and (left := BRIEF_NODES - self._covers.nodes) > 0:
            found, more = self._covers.part(left)
            for model in found:
                if seen.add(model):
                    yield model
        return not more


class SharedFormula:
    """Searches the formula of a puzzle without its clues, with the clues of one puzzle after another.

    With `briefly`, brief searches for exact covers come first, if the formula suits them. Closing it closes the solver.
    """

    def __init__(self, backend: str, *, briefly: bool) -> None:
        self._backend, self._briefly = backend, briefly
        self._solver = None if briefly else open_backend(backend)
        self._formula: Formula | None = None
        self._cover_search: BriefCoverSearch | None = None
        self._clue_solver: ClueSolver | None = None

    @property
    def takes_assumptions(self) -> bool:
        """Whether one solver can solve one puzzle after the other."""
        if self._solver is None:
            return True
        can = self._solver.capabilities
        return can.assumptions and can.clauses and not can.enumerates

    def encode(self, puzzle: Puzzle) -> Formula:
        """The formula, which is that of the first puzzle without its clues."""
        if self._formula is None:
            self._formula = formula = puzzle.without_clues().encode()
            suits = self._briefly and not is_large(formula) and is_compiled() and Traits(formula).may_be_cover
            if suits and (covers := CluedCovers.of(formula)):
                self._cover_search = BriefCoverSearch(formula, covers)
        return self._formula

    def search(self, puzzle: Puzzle, clues: CluesByName, up_to: str) -> ModelSearch:
        """A model of each orbit that satisfies the clues of a puzzle."""
        formula = self.encode(puzzle)
        seen = SeenOrbits(puzzle, formula, up_to)
        if self._cover_search and (yield from self._cover_search.search(clues, seen)):
            return
        if self._clue_solver is None:
            self._solver = self._solver or open_backend(self._backend)
            self._clue_solver = ClueSolver(formula, self._solver)
        elif is_large(formula) or self._clue_solver.added > MAX_ADDED_VARIABLES:
            self.close()
            self._solver = open_backend(self._backend)
            self._clue_solver.use(self._solver)
        yield from self._clue_solver.search(clues, seen)

    def close(self) -> None:
        if self._solver:
            self._solver.close()


def is_large(formula: Formula) -> bool:
    """Whether each puzzle has a solver of its own."""
    return len(formula.decisions()) > MAX_SHARED_DECISIONS
