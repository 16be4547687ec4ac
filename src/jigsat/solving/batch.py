"""Solve many puzzles with one solver: puzzles that differ only in their clues share a formula and its learned clauses.

Clues are assumed, not added, so they do not affect the next puzzle. Blocking clauses contain a variable that is assumed
together with the clues and set to false afterwards. Hundreds of assumptions slow a solver down, because it decides them again
after each restart and cannot use them to simplify the clauses. So the puzzles of a large formula share only its clauses; each
has a solver to which its clues are added.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from copy import copy
from itertools import groupby
from typing import Any, NamedTuple

from jigsat.backends import AUTO, DEFAULT, Backend, open_backend
from jigsat.errors import Stopped, plural
from jigsat.formula import Clause, Formula, Lowered
from jigsat.puzzle import IRRELEVANT, Puzzle, Solution
from jigsat.search import Blocking, Models, models
from jigsat.solving.relations import nearest
from jigsat.solving.subject import checked
from jigsat.symmetry import LEVELS, Group, Model, Placement

LARGE = 5_000
"""The number of decision variables above which each puzzle has a solver of its own."""

MOST_VARIABLES = 1_000
"""The number of variables added for puzzles after which a new solver is opened: each model has a value for each of them."""

BRIEF = 500
"""The number of conflicts of a brief search, which takes some milliseconds; hard 9×9 sudokus take fewer than 100."""

Clues = Mapping[str, frozenset[Placement]]
"""The clues of a puzzle, as `Puzzle.clues` returns them."""


class Answer(NamedTuple):
    """The checked solutions of a puzzle, up to the limit; `complete` if it is established that there are no others."""

    puzzle: Puzzle
    solutions: list[Solution]
    complete: bool

    @property
    def unique(self) -> bool:
        """Whether it is established that the puzzle has exactly one solution."""
        return self.complete and len(self.solutions) == 1

    def json(self) -> dict[str, Any]:
        """The answer as a plain object."""
        found = [solution.objects() for solution in self.solutions]
        answer = self.puzzle.answer(self.solutions[0].placements) if self.unique else ""
        return {
            "instance": self.puzzle.name, "unique": self.unique, "complete": self.complete, "answer": answer, "found": found
        }  # fmt: skip

    def __str__(self) -> str:
        number = len(self.solutions)
        if self.unique:
            answer = self.puzzle.answer(self.solutions[0].placements)
            return f"unique, {answer}" if answer else "unique"
        if self.complete and not number:
            return "no solution"
        said = f"{'' if self.complete else 'at least '}{plural(number, 'solution')}"
        return f"not unique ({said})" if number > 1 else said


def solve_all(
    puzzles: Iterable[Puzzle], backend: str = AUTO, limit: int | None = 2, up_to: str = "nothing"
) -> Iterator[Answer]:
    """Up to `limit` distinct solutions of each puzzle; two are enough to tell whether it has exactly one.

    Each solution after the first is represented by the member of its orbit that is most similar to the first. Lazy: a puzzle is
    solved when its answer is requested. Consecutive puzzles that are equal without their clues are solved by one incremental
    solver, unless the backend does not accept assumptions; `auto` uses the default backend for puzzles with clues and chooses
    one for each of the others. Raises InputError for an unknown backend, Stopped if the solver gives up, and CheckError if it
    found something that is not a solution.

    >>> from jigsat.instance import load
    >>> [(len(found), complete) for _, found, complete in solve_all([load("cats"), load("cube")], limit=5)]
    [(4, True), (5, False)]
    """
    return (said for said in attempts(puzzles, backend, limit, up_to) if isinstance(said, Answer))


def attempts(
    puzzles: Iterable[Puzzle], backend: str, limit: int | None, up_to: str
) -> Iterator[Answer | tuple[Placement, ...]]:
    """The answers of `solve_all`. Before a search that is not brief also the puzzle's first solution, or () if none is found.

    So a caller that collects answers can pass on what is known, in case this search is stopped.
    """

    def kind(each: tuple[Puzzle, Clues]) -> tuple[str, type[Puzzle], dict[str, Any]]:
        puzzle, clues = each
        name = DEFAULT if backend == AUTO and clues else backend
        return name, type(puzzle), _decisive(puzzle.without_clues())

    for (name, *_), alike in groupby(((puzzle, puzzle.clues()) for puzzle in puzzles), kind):
        solver = None if name == AUTO else open_backend(name)
        shared: Shared | None = None
        try:
            for puzzle, clues in alike:
                found: Generator[Model | None, None, None]
                if solver and _can_be_shared(solver):
                    if shared and shared.spent:
                        solver.close()
                        solver = open_backend(name)
                        shared = shared.in_new_solver(solver)
                    shared = shared or Shared(puzzle.without_clues().encode(), solver)
                    formula, found = shared.formula, shared.search(puzzle, clues, up_to)
                else:
                    formula = puzzle.encode()
                    group = None if up_to == LEVELS[0] else Group.of(formula, puzzle.symmetries())
                    found = _announced(models(formula, name, group=group, up_to=up_to))
                yield from _answered(puzzle, formula, found, name, limit, up_to)
        finally:
            if solver:
                solver.close()


def _answered(
    puzzle: Puzzle, formula: Formula, found: Generator[Model | None, None, None], backend: str, limit: int | None, up_to: str
) -> Iterator[Answer | tuple[Placement, ...]]:
    """The answer for one puzzle, given its models; None among them announces a search that is not brief."""
    first, others = list[Model](), list[Model]()
    solutions: list[Solution] = []
    with closing(found):
        for model in found:
            if model is None:
                yield solutions[0].placements if solutions else ()
                continue
            if solutions:
                others.append(model)
            else:
                first.append(model)
                solutions.append(Solution(puzzle, checked(puzzle, formula, sorted(model), backend)))
            if 1 + len(others) == limit:
                break
        for model, relation in _alike(puzzle, formula, first, others, up_to):
            solutions.append(Solution(puzzle, checked(puzzle, formula, sorted(model), backend), relation))
    yield Answer(puzzle, solutions, limit is None or len(solutions) < limit)


def _announced(found: Models) -> Generator[Model | None, None, None]:
    """The models, each after None."""
    with closing(found):
        yield None
        for model in found:
            yield model
            yield None


def _decisive(puzzle: Puzzle) -> dict[str, Any]:
    """The entries on which the solutions depend. Comparing them is faster than hashing them."""
    return {entry: getattr(puzzle, entry) for entry in type(puzzle).model_fields if entry not in IRRELEVANT}


def _can_be_shared(solver: Backend) -> bool:
    """Whether the solver takes assumptions, so that it can solve one puzzle after the other."""
    return solver.capabilities.assumptions and solver.capabilities.clauses and not solver.capabilities.enumerates


def _alike(puzzle: Puzzle, formula: Formula, first: list[Model], others: list[Model], up_to: str) -> list[tuple[Model, str]]:
    """The other models, each replaced by the image most similar to the first model, with a description for the second."""
    if not others or up_to == LEVELS[0]:
        return [(model, "") for model in others]
    group = Group.of(formula, puzzle.symmetries())
    alike = [min(group.orbit(other, up_to), key=lambda m: (len(m ^ first[0]), sorted(m))) for other in others]
    relation = str(nearest(puzzle, formula, group, first, alike[0]) or "")
    return [(alike[0], relation), *((other, "") for other in alike[1:])]


class Shared:
    """An open solver with a formula without clues, which solves one puzzle after another by assuming its clues.

    If the formula is `large`, clues are added instead, and `in_new_solver` gives the next puzzle a solver of its own.
    """

    def __init__(self, formula: Formula, solver: Backend) -> None:
        self.formula = formula
        self.large = len(formula.decisions()) > LARGE
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
        return (model for model in self.search(puzzle, puzzle.clues(), up_to) if model is not None)

    def search(self, puzzle: Puzzle, clues: Clues, up_to: str) -> Generator[Model | None, None, None]:
        """Yield the models of `models`, and None before each search that is not brief."""
        here = self.variable()
        literals = [self.literal(clue) for clue in clues.values()]
        for literal in literals if self.large else ():
            self._solver.add(Clause((literal,)))
        assumptions = [here, *(() if self.large else literals)]
        group: Group | None = None
        blocked: set[Model] = set()
        try:
            while (yield from self._solved(assumptions)):
                model = self._blocking.model(self._solver.model())
                if group is None and blocked and up_to != LEVELS[0]:  # most puzzles have one solution and need no group
                    group = Group.of(self.formula, puzzle.symmetries())
                    (first,) = blocked
                    new = group.orbit(first, up_to) - blocked
                    if model not in new:
                        yield model
                        new |= group.orbit(model, up_to)
                else:
                    yield model
                    new = group.orbit(model, up_to) if group else {model}
                for member in new:
                    self._solver.add(Clause((-here, *self._blocking.literals(member))))
                blocked |= new
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
