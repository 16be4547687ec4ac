"""Whether each of many puzzles has exactly one solution, or what its first solutions are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from itertools import groupby, tee
from typing import Any, NamedTuple

from jigsat.backends import AUTO, DEFAULT, open_backend
from jigsat.formula import Formula
from jigsat.puzzle import IRRELEVANT, Puzzle, Solution
from jigsat.runtime.untrusted import canonical
from jigsat.search.portfolio import models
from jigsat.solving.clues import ClueCovers, ClueSolver, ModelSearch
from jigsat.solving.question import Findings
from jigsat.subject import PuzzleSubject, Source, check_model, nearest
from jigsat.symmetry import Group, Level, Model
from jigsat.words import plural


class Answer(NamedTuple):
    """The checked solutions of a puzzle, up to the limit; `complete` if it is established that
    there are no others."""

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
            "instance": self.puzzle.name,
            "unique": self.unique,
            "complete": self.complete,
            "answer": answer,
            "found": found,
        }

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
    puzzles: Iterable[Puzzle],
    backend: str = AUTO,
    limit: int | None = 2,
    up_to: Level = Level.NOTHING,
) -> Iterator[Answer]:
    """The answers to `Solve`. Lazy: a puzzle is solved when its answer is requested.

    Raises InputError for an unknown backend, Stopped if the solver gives up, and CheckError if it
    found something that is not a solution.

    >>> from jigsat.instance import load
    >>> puzzles = [load("cats"), load("cube")]
    >>> [(len(found), complete) for _, found, complete in solve_all(puzzles, limit=5)]
    [(4, True), (5, False)]
    """
    question = Solve(backend, limit, up_to)
    puzzles, asked = tee(puzzles)
    for findings in question.find(puzzles):
        if findings.final:
            yield question.answer(next(asked), findings)


@dataclass(frozen=True)
class Solve:
    """Up to `limit` distinct solutions of each puzzle; two are enough to tell whether it has
    exactly one.

    Each solution after the first is represented by the member of its orbit that is most similar to
    the first. Consecutive puzzles that are equal without their clues are solved by one incremental
    solver, unless the backend does not accept assumptions. For puzzles with clues, `auto` uses the
    exact-cover engine and the default backend; for each of the others it chooses one. A row has the
    placements of a solution, and the relation of the second solution to the first.
    """

    backend: str = AUTO
    limit: int | None = 2
    up_to: Level = Level.NOTHING
    doing = ""

    def find(self, puzzles: Iterable[Puzzle]) -> Iterator[Findings]:
        takes_clues = self.backend == AUTO or _takes_clues(self.backend)
        for _, alike in groupby(puzzles, _find_kind):
            shared: Formula | None = None
            solver: ClueSolver | None = None
            with ExitStack() as stack:
                for puzzle in alike:
                    clues = puzzle.clues()
                    if takes_clues and (clues or self.backend != AUTO):
                        if shared is None:
                            shared = puzzle.without_clues().encode()
                            covers = ClueCovers.of(shared) if self.backend == AUTO else None
                        formula, found = shared, covers.search(clues) if covers else None
                        if found is None:
                            backend = DEFAULT if self.backend == AUTO else self.backend
                            solver = solver or stack.enter_context(
                                closing(ClueSolver(shared, backend))
                            )
                            found = solver.search(puzzle)
                    else:
                        formula = puzzle.encode()
                        found = self._search(puzzle, formula)
                    with closing(found):
                        yield from self._report(puzzle, formula, found)

    def _search(self, puzzle: Puzzle, formula: Formula) -> ModelSearch:
        """The models of a puzzle by itself."""
        group = None if self.up_to == Level.NOTHING else Group.of(formula, puzzle.symmetries())
        subject = PuzzleSubject(puzzle)
        searched = models(
            formula,
            self.backend,
            group=group,
            up_to=self.up_to,
            refute=lambda: subject.find_reason() != "",
        )
        with closing(searched) as found:
            yield None
            for model in found:
                yield model
                yield None

    def _report(self, puzzle: Puzzle, formula: Formula, found: ModelSearch) -> Iterator[Findings]:
        """The findings about a puzzle, given its models."""
        rows = list[Any]()
        first: Model = frozenset()
        known = set[Model]()
        group: Group | None = None  # most puzzles have one solution and need none
        for model in found:
            if model is None:
                yield Findings(rows[:], final=False)
                continue
            relation = ""
            if not rows:
                first = model
            elif self.up_to != Level.NOTHING:
                if group is None:
                    group = Group.of(formula, puzzle.symmetries())
                    known = group.orbit(first, self.up_to)
                if model in known:
                    continue
                known |= (orbit := group.orbit(model, self.up_to))
                model = min(orbit, key=lambda image: (len(image ^ first), sorted(image)))
                relation = (
                    str(nearest(puzzle, formula, group, [first], model) or "")
                    if len(rows) == 1
                    else ""
                )
            rows.append((check_model(puzzle, formula, sorted(model), self.backend), relation))
            if len(rows) == self.limit:
                break
        yield Findings(rows)

    def answer(self, puzzle: Puzzle, findings: Findings) -> Answer:
        solutions = [
            Solution(puzzle, placements, relation) for placements, relation in findings.rows
        ]
        return Answer(
            puzzle,
            solutions,
            findings.final and (self.limit is None or len(solutions) < self.limit),
        )


def _find_kind(puzzle: Puzzle) -> tuple[type[Puzzle], dict[str, Any]]:
    """What is equal for puzzles that share a formula: the entries on which the solutions depend,
    without the clues."""
    plain = puzzle.without_clues()
    return type(plain), {
        entry: getattr(plain, entry)
        for entry in type(plain).model_fields
        if entry not in IRRELEVANT
    }


def _takes_clues(backend: str) -> bool:
    """Whether one solver can solve one puzzle after the other."""
    with closing(open_backend(backend)) as solver:
        can = solver.capabilities
        return can.assumptions and can.clauses and not can.enumerates


class SolutionReader:
    """Reads the solutions of puzzles. The last formula is kept, because many puzzles differ only in
    their clues."""

    def __init__(self) -> None:
        self._kind: tuple[type[Puzzle], str] | None = None
        self._formula = Formula()
        self._variables: dict[str, int] = {}

    def read(self, puzzle: Puzzle, rows: list[Any], source: Source) -> Findings:
        """The solutions of a puzzle, checked. Raises InputError for a row that is none."""
        from jigsat.ledger.file import Damaged

        plain = puzzle.without_clues()
        if (kind := (type(puzzle), plain.digest())) != self._kind:
            subject = PuzzleSubject(plain)
            self._kind, self._formula = kind, subject.encode()
            self._variables = subject.variables(self._formula)
        solutions = [self._check(puzzle, row, source) for row in rows]
        if len({frozenset(placements) for placements, _ in solutions}) < len(solutions):
            raise Damaged(f"a solution of {puzzle.name} is repeated")
        return Findings(solutions)

    def _check(self, puzzle: Puzzle, row: Any, source: Source) -> tuple[tuple[Any, ...], str]:
        match row:
            case [[*placements], str(relation)]:
                with suppress(KeyError):
                    model = dict.fromkeys(
                        [self._variables[canonical(placement)] for placement in placements]
                    )
                    return check_model(puzzle, self._formula, model, "the solver", source), relation
        raise source.error("not a solution of this puzzle")
