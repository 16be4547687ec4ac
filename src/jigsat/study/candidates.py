"""Candidates: which placements are in some solution, in all, or in none, and in how many.

For the numbers, the solutions with each placement are counted without a list if `auto` would count
the solutions in that way. Otherwise two searches take turns, each time for twice as long. One lists
the solutions up to symmetry, until every placement was seen and none is in all of them, or until
the list is complete. The other asks a SAT solver for a solution with a placement that was not seen
yet, then for one without a placement that was in all. When there is none, the rest is proved; for
the numbers, the list is then completed. One solution of each orbit is checked.
"""

import itertools
import time
from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from typing import Any, Literal

from jigsat.backends import AUTO, DEFAULT, open_search
from jigsat.diagnosis.cores import Assumed
from jigsat.errors import FamilyError, InputError, NotWorthwhile, Stopped
from jigsat.formula import Clause, Formula
from jigsat.puzzle import Alternatives, Puzzle
from jigsat.questions import Candidates, Status
from jigsat.search.portfolio import models
from jigsat.solving.uniform import rank_models
from jigsat.subject import PuzzleSubject, Subject, check_model
from jigsat.symmetry import Level, Model, Placement

FIRST_LISTED = 200  # orbits that are listed before a SAT solver is asked for the first time
# conflicts of the SAT solver after which it is the turn of the list: 0.03 s for 6×10 pentominoes
FIRST_CONFLICTS = 100
# seconds after which the candidates are reported again while solutions are listed
REPORT_INTERVAL_S = 0.1
MAX_CONFLICT_S = 10.0  # seconds of the search for a smallest set of given placements that conflict


class _Record:
    """What the solutions that were found show about the placements."""

    def __init__(self, keys: dict[int, Placement]) -> None:
        self.keys = keys
        self.number = 0
        self.counts = Counter[int]()
        """For each variable the number of solutions with it."""

    def add(self, solutions: Iterable[Model]) -> None:
        """Add solutions that were found."""
        for solution in solutions:
            self.number += 1
            self.counts.update(solution)

    def missing(self) -> list[int]:
        """The variables that are in no solution."""
        return [x for x in self.keys if not self.counts[x]]

    def common(self) -> list[int]:
        """The variables that are in all solutions."""
        return [x for x, number in self.counts.items() if number == self.number]

    def candidates(self, *, final: bool = False) -> Candidates:
        """What is known; `final` states that no other solution changes it."""
        common = {*self.common()}
        statuses: dict[Placement, Status] = {}
        for x, placement in self.keys.items():
            status: Status = "some"
            if not self.counts[x]:
                status = "none"
            elif x in common:
                status = "all"
            statuses[placement] = status if final or status == "some" else "unknown"
        possible = frozenset(self.keys[x] for x in self.counts if self.counts[x])
        return Candidates(
            statuses, bool(self.number) if self.number or final else None, possible=possible
        )


def find_candidates(
    puzzle: Puzzle, given: Collection[Placement] = (), *, count: bool = False
) -> Iterator[Candidates]:
    """What is known about each placement, again and again while solutions are found; the last item
    is complete.

    `count` requests the number of solutions with each placement. Raises InputError for something
    that is not a placement.

    >>> from jigsat.instance import load
    >>> *_, found = find_candidates(load("cats"), count=True)
    >>> sorted(Counter(found.statuses.values()).items()), max(found.counts.values())
    ([('none', 288), ('some', 36)], 1)
    """
    return find_candidates_of(PuzzleSubject(puzzle), given, count=count)


def find_candidates_of(
    subject: PuzzleSubject, given: Collection[Placement] = (), *, count: bool = False
) -> Iterator[Candidates]:
    """The same for a puzzle that may have been encoded before."""
    puzzle = subject.puzzle
    formula = subject.encode()
    keys = {x: formula.key(x) for x in formula.decisions()}
    variables = {placement: x for x, placement in keys.items()}
    if wrong := [placement for placement in given if placement not in variables]:
        raise InputError(f"{puzzle.name}: there is no placement {wrong[0]}")
    given = [*dict.fromkeys(given)]
    assumed = [variables[placement] for placement in given]
    constrained = _with_literals(formula, assumed)
    record = _Record(keys)
    yield record.candidates()
    if not (count and _count_without_listing(subject, constrained, record)):
        yield from _list_solutions(subject, constrained, assumed, record, count)
    conflict = () if record.number or not assumed else _find_conflict(formula, given, assumed)
    last = replace(record.candidates(final=True), conflict=conflict, complete=True)
    if count:
        last = replace(
            last,
            counts={placement: record.counts[x] for x, placement in keys.items()},
            total=record.number,
        )
    yield last


def _count_without_listing(subject: Subject[Any], formula: Formula, record: _Record) -> bool:
    """Count the solutions with each variable, if that is worthwhile."""
    with suppress(NotWorthwhile):
        if ranked := rank_models(formula):
            ranking, backend = ranked
            record.counts.update(ranking.occurrences())
            record.number = ranking.total
            if ranking.total:
                model = ranking.model(0)
                subject.check_orbit(formula, [sorted(model)], backend)
            return True
    return False


def _list_solutions(
    subject: Subject[Any], formula: Formula, assumed: list[int], record: _Record, count: bool
) -> Iterator[Candidates]:
    """Find solutions until it is known which variables are in some and in all; with `count`, list
    all."""
    orbits = _Orbits(subject, formula, assumed, record, _Record(record.keys) if count else record)
    shown = orbits.shown
    with ExitStack() as stack:
        search = models(formula, AUTO, group=orbits.group, up_to=Level.ALL)
        listed = stack.enter_context(closing(search))
        asked: _Questions | None = None
        for turn in itertools.count():
            yield from orbits.list_next(listed, FIRST_LISTED << turn)
            if listed.complete or not (count or shown.missing() or shown.common()):
                return

            # Many puzzles need only the list, so the solver is opened here.
            asked = asked or stack.enter_context(closing(_Questions(formula, shown)))
            if (yield from orbits.ask(asked, FIRST_CONFLICTS << turn)):
                break

        yield shown.candidates(final=True)
        if count:
            for model in listed:
                orbits.add(model, AUTO, record)


class _Questions:
    """Questions to a SAT solver for solutions that show something new."""

    def __init__(self, formula: Formula, record: _Record) -> None:
        self.record = record
        self.solver = open_search(DEFAULT, formula)
        self.last = self.solver.load(formula).top  # variable; the next one switches a question on

    def find_new(self, conflicts: int) -> Iterator[Model]:
        """Solutions with a placement that was not seen, then without one that was in all, until it
        is proved that there are no others. A solution must be added before the next is asked for.

        Raises Stopped after this number of conflicts.
        """
        self.solver.limit(conflicts)
        for list_wanted in (self.record.missing, self._list_denials):
            while wanted := list_wanted():
                self.last += 1
                self.solver.add(Clause((-self.last, *wanted)))
                if not self.solver.solve([self.last]):
                    break
                yield frozenset(self.record.keys).intersection(self.solver.model())

    def _list_denials(self) -> list[int]:
        """That placements that were in all solutions are not made."""
        return [-x for x in self.record.common()]

    def close(self) -> None:
        self.solver.close()


class _Orbits:
    """The solutions that are found, each with its images by the symmetries that keep what is given.

    `record` has those from the list of all solutions, `shown` also those from questions.
    """

    def __init__(
        self,
        subject: Subject[Any],
        formula: Formula,
        assumed: Iterable[int],
        record: _Record,
        shown: _Record,
    ) -> None:
        self.group = subject.group(formula).preserve_weights(dict.fromkeys(assumed, 1))
        self.shown = shown
        self._record = record
        self._subject, self._formula = subject, formula
        self._reported_at = time.monotonic()

    def add(self, model: Model, backend: str, *to: _Record) -> None:
        orbit = self.group.orbit(model, Level.ALL)
        self._subject.check_orbit(self._formula, sorted(map(sorted, orbit)), backend)
        for record in to:
            record.add(orbit)

    def list_next(self, listed: Iterable[Model], number: int) -> Iterator[Candidates]:
        """Add the next solutions of a list; tells the first one, and then from time to time."""
        for model in itertools.islice(listed, number):
            self.add(model, AUTO, *{self._record, self.shown})
            now = time.monotonic()
            if self.shown.number == 1 or now - self._reported_at >= REPORT_INTERVAL_S:
                self._reported_at = now
                yield self.shown.candidates()

    def ask(self, asked: _Questions, conflicts: int) -> Generator[Candidates, None, bool]:
        """Add solutions that show something new; returns whether there are no others. At its limit
        of conflicts it stops, and goes on in the next turn."""
        try:
            for model in asked.find_new(conflicts):
                self.add(model, DEFAULT, self.shown)
                yield self.shown.candidates()
        except Stopped:
            return False
        return True


def find_alternatives(
    puzzle: Puzzle, place: str, given: Collection[Placement] = ()
) -> Iterator[dict[str, Status]]:
    """What can be at a place, the best first, such as the words of a slot that leave a crossword
    fillable: again and again.

    Raises InputError if there is no such place.
    """
    alternatives = puzzle.alternatives(place, given)
    statuses: dict[str, Status] = dict.fromkeys(alternatives.placements, "unknown")

    def judge(only: Status) -> dict[str, Status]:
        """What is known; `only` is the status of the one that is possible, if there is no other so
        far."""
        one = [*statuses.values()].count("some") == 1
        return {
            name: only if one and status == "some" else status for name, status in statuses.items()
        }

    reported = 0.0
    yield judge("unknown")
    for name, status in _decide_alternatives(puzzle, alternatives, given):
        statuses[name] = status
        if time.monotonic() - reported >= REPORT_INTERVAL_S:
            yield judge("unknown")
            reported = time.monotonic()
    yield judge("all")


def _decide_alternatives(
    puzzle: Puzzle, alternatives: Alternatives, given: Collection[Placement]
) -> Iterator[tuple[str, Literal["some", "none"]]]:
    """What is proved by the solutions that the family finds, and then about the rest by a SAT
    solver."""
    unknown = {name: {*given, *placements} for name, placements in alternatives.placements.items()}
    for name, solution in alternatives.solutions:
        if solution is None:
            yield name, "none"
            del unknown[name]
            continue
        for broken in puzzle.check(solution):
            raise FamilyError(
                f"{puzzle.family}: alternatives: what was found with {name} is not a solution: "
                f"{broken}"
            )
        if unknown[name].issubset(solution):
            yield name, "some"
            del unknown[name]
    if not unknown:
        return
    formula = alternatives.puzzle.encode()
    variables = formula.decisions_by_key()
    decisions = frozenset(variables.values())
    with closing(open_search(DEFAULT, formula)) as solver:
        solver.load(formula)
        for name, placements in unknown.items():
            possible = False
            if placements <= variables.keys():
                possible = solver.solve([variables[placement] for placement in placements])
            if possible:
                check_model(puzzle, formula, decisions.intersection(solver.model()), DEFAULT)
            yield name, "some" if possible else "none"


def has_solution(formula: Formula, literals: Collection[int]) -> bool:
    """Whether a model of a formula has these literals."""
    with closing(models(_with_literals(formula, literals), AUTO)) as search:
        return next(search, None) is not None


def _with_literals(formula: Formula, literals: Collection[int]) -> Formula:
    extended = formula.extended()
    with extended.rule("given placements"):
        for literal in literals:
            extended.clause([literal])
    return extended


def _find_conflict(
    formula: Formula, given: Collection[Placement], assumed: list[int]
) -> tuple[Placement, ...]:
    """A smallest set of the given placements that no solution has together."""
    names = {str(number): x for number, x in enumerate(assumed)}
    with closing(open_search(DEFAULT, formula)) as solver:
        solver.load(formula)
        clues = Assumed(solver, names)
        core = clues.core(list(names))
        assert core is not None, "there is a solution with all of them"
        smallest: Collection[str] = ()
        if core:
            smallest = clues.smallest(list(names), clues.reduce_core(core), MAX_CONFLICT_S).names
    return tuple(placement for number, placement in enumerate(given) if str(number) in smallest)
