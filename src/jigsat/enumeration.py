"""All solutions of a formula by blocking clauses, and of a puzzle with decoding, checking and counting up to symmetry."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from jigsat.backends import DEFAULT, find, open_backend
from jigsat.errors import CheckError, Stopped
from jigsat.formula import Cardinality, Clause, Formula
from jigsat.lowering import Lowered, Lowering
from jigsat.process import Child
from jigsat.puzzle import LEVELS, Placement, Puzzle, Solution
from jigsat.symmetry import Group, Model


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


def blocking(formula: Formula) -> Callable[[Model], tuple[int, ...]]:
    """What makes from a model, its true decision variables, the clause that rules out that model and no other."""
    if antichain(formula):
        return lambda model: tuple(-variable for variable in sorted(model))
    decisions = formula.decisions()
    return lambda model: tuple(-variable if variable in model else variable for variable in decisions)


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
    wanted = frozenset(formula.decisions())
    against = blocking(formula)
    solver = open_backend(backend)
    try:
        for constraint in Lowered(formula, lowering, solver.capabilities.native):
            solver.add(constraint)
        by_itself = solver.capabilities.enumerates
        seen: set[Model] = set()
        if group and not by_itself and (breaking := group.breaking(formula, up_to)):
            solver.add(Clause(tuple(breaking)))
        while solver.solve():
            model = wanted.intersection(solver.model())
            if model in seen:
                continue
            yield model
            orbit = group.orbit(model, up_to) if group else {model}
            if by_itself:
                seen |= orbit
                continue
            for member in orbit:
                clause = against(member)
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
        self._seen: dict[str, set[Model]] = {level: set() for level in self.distinct}

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
            elif model not in self._seen[level]:
                self.distinct[level] += 1
                self._seen[level] |= self.group.orbit(model, level)
        return orbit


Event = tuple[tuple[Placement, ...] | None, Result]


class Enumeration(Iterator[Solution]):
    """The distinct solutions of a puzzle, found one by one, each checked; `result` says at any time what is known.

    After the last solution `result.complete` is true. After a limit, a time-out, an interrupt or a crash of the solver's
    process the iteration ends as well, `result.complete` is false and `result.stopped_by` says why.
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
    ) -> None:
        if up_to not in LEVELS:
            raise ValueError(f"up to {up_to!r}? There are {', '.join(LEVELS)}")
        self.puzzle = puzzle
        self.up_to = up_to
        self.lowering = lowering
        self.result = Result(puzzle.name, backend)
        self.found = 0
        self._limit = limit
        self._started = time.monotonic()
        self._events: Iterator[Event] = self._search()
        if isolated or timeout is not None:
            self._events = Child(self._search, timeout=timeout)
        self._ended = False

    def _search(self) -> Iterator[Event]:
        """Each representative's placements with the result so far; None when there are no more."""
        formula = self.puzzle.encode()
        group = Group.of(formula, self.puzzle.symmetries())
        tally = Tally(group, self.up_to)
        result = Result(self.puzzle.name, self.result.backend, distinct=tally.distinct, symmetries=group.orders)
        for model in models(formula, result.backend, lowering=self.lowering, group=group, up_to=self.up_to):
            orbit = sorted(map(sorted, tally.add(model)))  # its first member stands for it, whatever the backend met first
            for member in orbit:
                placements = tuple(formula.key(variable) for variable in member)
                for broken in self.puzzle.check(placements):
                    raise CheckError(
                        f"{result.backend} and the encoding of {self.puzzle.name} gave an assignment that is no solution: "
                        f"{broken}. This is a bug, in one of the two"
                    )
            result.solutions = tally.solutions
            yield tuple(formula.key(variable) for variable in orbit[0]), result
        result.complete, result.established_by = True, find(result.backend).establishes
        yield None, result

    def __next__(self) -> Solution:
        if self._ended:
            raise StopIteration
        if self._limit is not None and self.found >= self._limit:
            return self._end("limit")
        try:
            placements, self.result = next(self._events)
        except Stopped as stopped:
            return self._end(str(stopped))
        except KeyboardInterrupt:
            return self._end("interrupt")
        self.result.seconds = self.seconds()
        if placements is None:
            return self._end(None)
        self.found += 1
        return Solution(self.puzzle, placements)

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
