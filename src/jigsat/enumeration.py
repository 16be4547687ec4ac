"""All solutions of a formula by blocking clauses, and of a puzzle with decoding, checking and counting up to symmetry."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any

from jigsat.backends import DEFAULT, find, open_backend
from jigsat.errors import CheckError, InputError, Stopped
from jigsat.formula import Cardinality, Clause, Formula, Xor
from jigsat.lowering import Lowered, Lowering
from jigsat.optimize import least
from jigsat.process import Child
from jigsat.puzzle import LEVELS, Placement, Puzzle, Solution
from jigsat.relations import nearest
from jigsat.symmetry import Group, Model, burnside, packed


def antichain(formula: Formula) -> bool:
    """Whether it is plain from the formula that no solution's true decision variables contain another's.

    It is if each decision variable stands in an exactly-k constraint over decision variables: a solution with one more true
    variable would break that variable's constraint. Blocking the true literals alone is right only then.
    """
    decisions = set(formula.decisions())
    covered: set[int] = set()
    for constraint in formula.constraints():
        if (
            isinstance(constraint, Cardinality)
            and constraint.at_least == constraint.at_most
            and decisions.issuperset(constraint.literals)
        ):
            covered.update(constraint.literals)
    return covered == decisions


def models(
    formula: Formula,
    backend: str = DEFAULT,
    *,
    lowering: Lowering | None = None,
    group: Group | None = None,
    up_to: str = "nothing",
) -> Iterator[Model]:
    """One model of every orbit, as the frozenset of its true decision variables; when it ends, there is no other.

    Lazy: each model is searched for when it is asked for, then its whole orbit is blocked. The formula is not changed.
    Raises InputError for a backend that is not there and Stopped if the solver gives up.

    >>> formula = Formula()
    >>> x = formula.variables("x", ("i",), [(1,), (2,)])
    >>> formula.clause(x[:])
    >>> sorted(sorted(model) for model in models(formula))
    [[1], [1, 2], [2]]
    """
    decisions = formula.decisions()
    wanted = frozenset(decisions)
    positive_only = antichain(formula)
    solver = open_backend(backend)
    try:
        lowered = Lowered(formula, lowering, solver.capabilities.native)
        by_itself = solver.capabilities.enumerates
        met: set[int] = set()
        for constraint in lowered:
            solver.add(constraint)
            if by_itself:
                met.update(constraint.variables if isinstance(constraint, Xor) else map(abs, constraint.literals))
        if by_itself:  # variables in no constraint, which it must hear of to tell models apart by them
            for variable in sorted(wanted - met):
                for constraint in lowered.lower(Xor((variable, lowered.auxiliary()), odd=False)):
                    solver.add(constraint)
        seen: set[int] = set()
        if group and not by_itself and (breaking := group.breaking(formula, up_to)):
            solver.add(Clause(tuple(breaking)))
        while solver.solve():
            model = wanted.intersection(solver.model())
            if by_itself and packed(model) in seen:
                continue
            yield model
            orbit = group.orbit(model, up_to) if group else {model}
            if by_itself:
                seen.update(map(packed, orbit))
                continue
            for member in orbit:
                if positive_only:
                    clause = tuple(-variable for variable in member)
                else:
                    clause = tuple(-variable if variable in member else variable for variable in decisions)
                if not clause:
                    return  # the empty model is the only one
                solver.add(Clause(clause))
    finally:
        solver.close()


@dataclass
class Result:
    """What is known so far of a puzzle's solutions; the fields are those of `jigsat count --json`."""

    instance: str
    backend: str
    solutions: int = 0
    distinct: dict[str, int] = field(default_factory=dict)
    minimum: int | None = None
    complete: bool = False
    established_by: str | None = None
    stopped_by: str | None = None
    seconds: float = 0.0
    symmetries: dict[str, int] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        """The result as a plain object."""
        return {**asdict(self), "seconds": round(self.seconds, 3)}


class Tally:
    """Counts solutions and orbits of every level from one representative an orbit of the level that was enumerated."""

    def __init__(self, group: Group, up_to: str) -> None:
        self.group = group
        self.up_to = up_to
        self.solutions = 0
        self.distinct = dict.fromkeys(group.orders, 0)
        self._seen: dict[str, set[int]] = {level: set() for level in self.distinct}

    def add(self, model: Model) -> set[Model]:
        """Count a representative and return its orbit."""
        orbit = self.group.orbit(model, self.up_to)
        self.solutions += len(orbit)
        for level in self.distinct:
            if LEVELS.index(level) <= LEVELS.index(self.up_to):
                rest = set(orbit)
                while rest:
                    rest -= self.group.orbit(next(iter(rest)), level)
                    self.distinct[level] += 1
            elif packed(model) not in self._seen[level]:
                self.distinct[level] += 1
                self._seen[level].update(map(packed, self.group.orbit(model, level)))
        return orbit


def _checked(puzzle: Puzzle, formula: Formula, model: Iterable[int], backend: str) -> tuple[Placement, ...]:
    """The placements of a model. Raises CheckError if they are no solution."""
    placements = tuple(formula.key(variable) for variable in model)
    for broken in puzzle.check(placements):
        raise CheckError(
            f"{backend} and the encoding of {puzzle.name} gave an assignment that is no solution: {broken}. This is a bug, "
            "in one of the two"
        )
    return placements


RELATED = 50
"""So many of the first solutions are compared with those before them; the work grows with the square."""

Event = tuple[tuple[Placement, ...] | None, str, Result]
"""A solution's placements with its relation to an earlier one, or None at the end; and the result so far."""


class Enumeration(Iterator[Solution]):
    """The distinct solutions of a puzzle, found one by one, each checked; `result` says at any time what is known.

    After the last solution `result.complete` is true. After a limit, a time-out, an interrupt or a crash of the solver's
    process the iteration ends as well, `result.complete` is false and `result.stopped_by` says why.

    With `minimize` only the solutions with the least objective are found, and `result.minimum` says what it is. They
    are all solutions of no more than that, so that there is none with less is found out twice. Raises InputError for a
    puzzle that has no objective.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        backend: str = DEFAULT,
        up_to: str = "rotation",
        limit: int | None = None,
        timeout: float | None = None,
        lowering: Lowering | None = None,
        isolated: bool = False,
        minimize: bool = False,
    ) -> None:
        if up_to not in LEVELS:
            raise ValueError(f"up to {up_to!r}? There are {', '.join(LEVELS)}")
        self.puzzle = puzzle
        self.up_to = up_to
        self.lowering = lowering
        self.minimize = minimize
        self.result = Result(puzzle.name, backend)
        self.found = 0
        self._limit = limit
        self._started = time.monotonic()
        self._events: Iterator[Event] = self._search()
        if isolated or timeout is not None:
            self._events = Child(self._search, timeout=timeout)
        self._ended = False

    def _search(self) -> Iterator[Event]:
        formula = self.puzzle.encode()
        group = Group.of(formula, self.puzzle.symmetries())
        minimum = None
        if self.minimize:
            minimum = self._minimum(formula)
            group = group.keeping(formula.objective)
        tally = Tally(group, self.up_to)
        result = Result(
            self.puzzle.name, self.result.backend, distinct=tally.distinct, minimum=minimum, symmetries=group.orders
        )
        earlier: list[Model] = []
        for model in models(formula, result.backend, lowering=self.lowering, group=group, up_to=self.up_to):
            if minimum is not None and sum((abs(x) in model) == (x > 0) for x in formula.objective) < minimum:
                raise CheckError(f"{self.puzzle.name} has a solution with less than the minimum {minimum}. This is a bug")
            orbit = sorted(map(sorted, tally.add(model)))  # its first member stands for it, whatever the backend met first
            solutions = [_checked(self.puzzle, formula, member, result.backend) for member in orbit]
            result.solutions = tally.solutions
            relation = ""
            if len(earlier) < RELATED:
                model = frozenset(orbit[0])
                relation = str(nearest(formula, group, earlier, model) or "")
                earlier.append(model)
            yield solutions[0], relation, result
        result.complete, result.established_by = True, find(result.backend).establishes
        yield None, "", result

    def _minimum(self, formula: Formula) -> int | None:
        """The least objective, with what exceeds it forbidden in the formula; None if there is no solution."""
        if not formula.objective:
            raise InputError(f"{self.puzzle.name}: the family {self.puzzle.family!r} has nothing to minimise")
        minimum = least(formula, self.lowering)
        if minimum is not None:
            with formula.group("no more than the minimum"):
                formula.at_most(minimum, formula.objective)
        return minimum

    def __next__(self) -> Solution:
        if self._ended:
            raise StopIteration
        if self._limit is not None and self.found >= self._limit:
            return self._end("limit")
        try:
            placements, relation, self.result = next(self._events)
        except Stopped as stopped:
            return self._end(str(stopped))
        except KeyboardInterrupt:
            return self._end("interrupt")
        self.result.seconds = self.seconds()
        if placements is None:
            return self._end(None)
        self.found += 1
        return Solution(self.puzzle, placements, relation)

    def _end(self, stopped_by: str | None) -> Solution:
        self.result.seconds = self.seconds()
        self.result.stopped_by = stopped_by
        self.close()
        raise StopIteration

    def seconds(self) -> float:
        """Seconds since the search was started, or for how long it ran."""
        return self.result.seconds if self._ended else time.monotonic() - self._started

    def close(self) -> None:
        """Stop searching; the result stays."""
        self._ended = True
        self._events.close()  # type: ignore[attr-defined]


def counted(puzzle: Puzzle, backend: str) -> Result:
    """The counts without a list, by a backend that counts; the distinct solutions by Burnside's lemma.

    One solution is looked for and checked, if there is any. Raises InputError if the backend cannot count.
    """
    spec, started = find(backend), time.monotonic()
    if spec.count is None:
        raise InputError(f"the backend {backend} cannot count solutions without listing them")
    formula = puzzle.encode()
    group = Group.of(formula, puzzle.symmetries())
    result = Result(puzzle.name, backend, symmetries=group.orders)
    result.solutions = spec.count(formula)
    result.distinct = {level: burnside(formula, group.levels[level], spec.count) for level in group.orders}
    for model in islice(models(formula, backend), 1):
        _checked(puzzle, formula, sorted(model), backend)
    result.complete, result.established_by = True, spec.establishes
    result.seconds = time.monotonic() - started
    return result
