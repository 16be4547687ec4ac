"""Solve many puzzles one after another. Those that differ only in their clues share a formula and the solvers that read it."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack, closing
from itertools import groupby
from typing import Any, NamedTuple

from jigsat.backends import AUTO, DEFAULT, Backend, open_backend
from jigsat.errors import plural
from jigsat.formula import Formula
from jigsat.puzzle import IRRELEVANT, Puzzle, Solution
from jigsat.search import Models, models
from jigsat.solving.covering import Covering
from jigsat.solving.shared import Clues, Seen, Shared, is_large
from jigsat.subject import checked, nearest
from jigsat.symmetry import LEVELS, Group, Model, Placement


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
    solver, unless the backend does not accept assumptions. For puzzles with clues, `auto` uses the default backend, but if they
    are exact covers, the compiled engine searches each of them briefly first; for each of the others it chooses a backend.
    Raises InputError for an unknown backend, Stopped if the solver gives up, and CheckError if it found something that is not a
    solution.

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
        with ExitStack() as stack:
            solver = None if backend == AUTO else stack.enter_context(closing(open_backend(name)))
            together: _Together | None = None
            for puzzle, clues in alike:
                found: Generator[Model | None, None, None]
                if name != AUTO and (solver is None or _can_be_shared(solver)):
                    together = together or _Together(puzzle.without_clues().encode(), name, solver, stack)
                    formula, found = together.formula, together.search(puzzle, clues, up_to)
                else:
                    formula = puzzle.encode()
                    group = None if up_to == LEVELS[0] else Group.of(formula, puzzle.symmetries())
                    found = _announced(models(formula, name, group=group, up_to=up_to))
                yield from _answered(puzzle, formula, found, name, limit, up_to)


class _Together:
    """Puzzles with the same formula except for their clues.

    Without a `solver`, brief searches by the engine for exact covers come first, and a solver is opened when it is needed. The
    `stack` closes it.
    """

    def __init__(self, formula: Formula, backend: str, solver: Backend | None, stack: ExitStack) -> None:
        self.formula = formula
        self._backend, self._stack = backend, stack
        self._covering = None if solver or is_large(formula) else Covering.of(formula)
        self._shared = Shared(formula, solver) if solver else None

    def search(self, puzzle: Puzzle, clues: Clues, up_to: str) -> Generator[Model | None, None, None]:
        """A model of each orbit that satisfies the clues of a puzzle, and None before each search that is not brief."""
        seen = Seen(puzzle, self.formula, up_to)
        if self._covering and (yield from self._covering.search(clues, seen)):
            return
        if self._shared is None:
            self._shared = Shared(self.formula, self._solver())
        elif self._shared.spent:
            self._stack.close()
            self._shared = self._shared.in_new_solver(self._solver())
        yield from self._shared.search(clues, seen)

    def _solver(self) -> Backend:
        return self._stack.enter_context(closing(open_backend(self._backend)))


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
