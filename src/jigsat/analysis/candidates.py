"""Candidates: which placements are in some solution, in all, or in none, and in how many.

The solutions are listed until every placement was seen and none is in all of them, or until the list is complete. After
`MAX_LISTED` solutions, a SAT solver goes on: it is asked for a solution with a placement that was not seen yet, then for one
without a placement that was in all. When there is none, the rest is proved. Each solution is checked.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from jigsat.analysis.cores import Assumed
from jigsat.backends import AUTO, DEFAULT, open_backend
from jigsat.errors import InputError, Stopped
from jigsat.formula import Clause, Formula
from jigsat.puzzle import Puzzle
from jigsat.runtime.child import Child
from jigsat.search.portfolio import models
from jigsat.solving.enumeration import Enumeration
from jigsat.subject.subject import check_model
from jigsat.symmetry import Placement

Status = Literal["all", "some", "none", "unknown"]
"""Whether a placement is in all solutions, in some but not in all, or in none."""

MAX_LISTED = 20_000  # number of solutions that are listed before a SAT solver or a counter goes on
REPORT_INTERVAL_S = 0.1  # seconds after which the candidates are reported again while solutions are listed
MAX_CONFLICT_S = 10.0  # seconds of the search for a smallest set of given placements that conflict


@dataclass(frozen=True)
class Candidates:
    """What is known about each placement. `counts` are the numbers of solutions that have it, if requested and known.

    `possible`: the placements that were seen in a solution, which may be in all.
    `conflict`: given placements that no solution has together, if there is no solution. No smaller set conflicts, unless the
    search for one took too long.
    """

    statuses: dict[Placement, Status]
    counts: dict[Placement, int] | None = None
    conflict: tuple[Placement, ...] = ()
    possible: frozenset[Placement] = frozenset()

    @property
    def complete(self) -> bool:
        """Whether everything is known."""
        return "unknown" not in self.statuses.values()

    def json(self) -> list[dict[str, Any]]:
        """The placements as plain objects, each with its status and, if it is known, its number of solutions."""
        counts = self.counts or {}
        return [
            {**placement._asdict(), "in": status, **({"solutions": counts[placement]} if placement in counts else {})}
            for placement, status in self.statuses.items()
        ]


def find_candidates(puzzle: Puzzle, given: Collection[Placement] = (), *, count: bool = False) -> Iterator[Candidates]:
    """What is known about each placement, again and again while solutions are found; the last item is complete.

    `count` requests the number of solutions with each placement. Raises InputError for something that is not a placement.

    >>> from jigsat.instance import load
    >>> *_, found = find_candidates(load("cats"), count=True)
    >>> sorted(Counter(found.statuses.values()).items()), max(found.counts.values())
    ([('none', 288), ('some', 36)], 1)
    """
    formula = puzzle.encode()
    keys = {x: formula.key(x) for x in formula.decisions()}
    variables = {placement: x for x, placement in keys.items()}
    if wrong := [placement for placement in given if placement not in variables]:
        raise InputError(f"{puzzle.name}: there is no placement {wrong[0]}")
    assumed = [variables[placement] for placement in given]
    constrained = _with_literals(formula, assumed)
    seen, always, number = Counter[int](), frozenset(keys), 0

    def known(*, everything: bool = False) -> Candidates:
        """What is known after the solutions up to now; `everything` states that no other solution changes it."""
        statuses: dict[Placement, Status] = {}
        for x, placement in keys.items():
            final: Status = "none" if x not in seen else "all" if x in always else "some"
            statuses[placement] = final if everything or final == "some" else "unknown"
        return Candidates(statuses, possible=frozenset(keys[x] for x in seen if x in keys))

    yield known()
    told = time.monotonic()
    with closing(models(constrained, AUTO)) as listed:
        for model in listed:
            check_model(puzzle, formula, sorted(model), AUTO)
            number, always = number + 1, always & model
            seen.update(model)
            if number == 1 or time.monotonic() - told >= REPORT_INTERVAL_S:
                told = time.monotonic()
                yield known()
            if number == MAX_LISTED or (not count and len(seen) == len(keys) and not always):
                break
        else:
            conflict = () if number or not assumed else _find_conflict(formula, given, assumed)
            counts = {placement: seen[x] for x, placement in keys.items()} if count else None
            yield replace(known(everything=True), counts=counts, conflict=conflict)
            return
    with closing(open_backend(DEFAULT)) as solver:
        switch = solver.load(constrained).top
        for sign in (1, -1):  # first placements that were not seen, then those that were in all solutions
            while wanted := [x for x in keys if x not in seen] if sign == 1 else [-x for x in always if x in seen]:
                switch += 1
                solver.add(Clause((-switch, *wanted)))
                if not solver.solve([switch]):
                    break
                model = frozenset(x for x in solver.model() if x in keys)
                check_model(puzzle, formula, sorted(model), DEFAULT)
                seen.update(model)
                always &= model
                yield known()
    yield (found := known(everything=True))
    numbers: dict[Placement, int] = {}
    for x, placement in keys.items() if count else ():
        enumeration: Enumeration[Any] = Enumeration(_with_literals(formula, [*assumed, x]), want="count")
        numbers[placement] = enumeration.run().solutions if x in seen else 0
        yield replace(found, counts=dict(numbers))


def find_candidates_until(
    puzzle: Puzzle, given: Collection[Placement] = (), *, count: bool = False, timeout: float | None = None
) -> Candidates:
    """What is known after `timeout` seconds, at the latest."""
    known = Candidates({})
    child = Child(partial(find_candidates, puzzle, given, count=count), timeout=timeout)
    with closing(child), suppress(Stopped):
        for known in child:  # noqa: B007  # the last one counts
            pass
    return known


def has_solution(formula: Formula, literals: Collection[int]) -> bool:
    """Whether a model of a formula has these literals."""
    with closing(models(_with_literals(formula, literals), AUTO)) as found:
        return next(found, None) is not None


def _with_literals(formula: Formula, literals: Collection[int]) -> Formula:
    extended = formula.extended()
    with extended.group("given placements"):
        for literal in literals:
            extended.clause([literal])
    return extended


def _find_conflict(formula: Formula, given: Collection[Placement], assumed: list[int]) -> tuple[Placement, ...]:
    """A smallest set of the given placements that no solution has together."""
    names = {str(number): x for number, x in enumerate(assumed)}
    with closing(open_backend(DEFAULT)) as solver:
        solver.load(formula)
        clues = Assumed(solver, names)
        core = clues.core(list(names))
        assert core is not None, "there is a solution with all of them"
        smallest = clues.smallest(list(names), clues.reduce_core(core), MAX_CONFLICT_S).names if core else []
    return tuple(placement for number, placement in enumerate(given) if str(number) in smallest)
