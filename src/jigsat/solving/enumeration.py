"""All solutions of a puzzle: its models decoded, checked, and counted up to symmetry."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from jigsat.backends import DEFAULT, find
from jigsat.errors import CheckError, InputError, Interrupted, Stopped
from jigsat.formula import Formula, Lowering
from jigsat.puzzle import Puzzle, Solution
from jigsat.runtime import Child
from jigsat.search import least, models
from jigsat.solving.relations import nearest
from jigsat.solving.store import Established, Store
from jigsat.symmetry import LEVELS, Group, Model, Placement, packed


@dataclass
class Result:
    """What is known so far of a puzzle's solutions; the fields are those of `jigsat count --json`.

    `minimum_proved` is None unless the minimum is asked for. It does not depend on `complete`: the minimum is proved before
    the solutions that attain it are listed.
    """

    instance: str
    backend: str
    solutions: int = 0
    distinct: dict[str, int] = field(default_factory=dict)
    minimum: int | None = None
    minimum_proved: bool | None = None
    complete: bool = False
    established_by: str | None = None
    stopped_by: str | None = None
    seconds: float = 0.0
    symmetries: dict[str, int] = field(default_factory=dict)
    statistics: dict[str, int] = field(default_factory=dict)

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
        group = self.group.levels
        for level in self.distinct:
            if LEVELS.index(level) <= LEVELS.index(self.up_to) and len(orbit) == len(group[self.up_to]):
                self.distinct[level] += len(orbit) // len(group[level])  # nothing but the identity keeps any of the orbit
            elif LEVELS.index(level) <= LEVELS.index(self.up_to):
                rest = set(orbit)
                while rest:
                    rest -= self.group.orbit(next(iter(rest)), level)
                    self.distinct[level] += 1
            elif packed(model) not in self._seen[level]:
                self.distinct[level] += 1
                self._seen[level].update(map(packed, self.group.orbit(model, level)))
        return orbit


def checked(
    puzzle: Puzzle, formula: Formula, model: Iterable[int], backend: str, origin: str | None = None
) -> tuple[Placement, ...]:
    """The placements of a model. Raises CheckError if they are no solution, InputError if they come from a file."""
    placements = tuple(map(formula.key, model))
    if placements and not hasattr(placements[0], "_asdict"):
        raise CheckError(
            f"{puzzle.family}: the key {placements[0]!r} of a decision variable is not a NamedTuple; pass NamedTuples as keys "
            "to formula.variables, as docs/writing-a-family.md does"
        )
    for broken in puzzle.check(placements):
        if origin:
            raise InputError(f"{origin}: no solution: {broken}; remove the line")
        raise CheckError(
            f"{backend} and the encoding of {puzzle.name} gave an assignment that is no solution: {broken}. This is a bug, "
            "in one of the two"
        )
    return placements


RELATED = 50
"""So many of the first solutions are compared with those before them; the work grows with the square."""

Event = tuple[tuple[Placement, ...] | None, str, Result]
"""A solution's placements with its relation to an earlier one, and the result so far; None where only the result changed."""


class Enumeration(Iterator[Solution]):
    """The distinct solutions of a puzzle, found one by one, each checked; `result` says at any time what is known.

    After the last solution `result.complete` is true. After a limit, a time-out, an interrupt or a crash of the solver's
    process the iteration ends as well, `result.complete` is false and `result.stopped_by` says why. `interrupted` is the
    exception of the interrupt. A result can be complete and stopped: then its store could not be marked as complete.

    With `minimize` only the solutions with the least objective are found, and `result.minimum` says what it is. They
    are all solutions of no more than that, so that there is none with less is found out twice. Raises InputError for a
    puzzle that has no objective.
    `timeout` is in seconds, `memory` in bytes and for all processes together, `jobs` the number of processes that search.
    `store` names a file that each solution is written to once it is found and
    checked; those that are in it from a run before come first, are checked again, and are not searched for. Raises
    InputError for a file that is no store of this search.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        backend: str = DEFAULT,
        up_to: str = "rotation",
        limit: int | None = None,
        timeout: float | None = None,
        memory: int | None = None,
        lowering: Lowering | None = None,
        store: Path | None = None,
        isolated: bool = False,
        minimize: bool = False,
        jobs: int = 1,
    ) -> None:
        if up_to not in LEVELS:
            raise ValueError(f"up to {up_to!r}? There are {', '.join(LEVELS)}")
        self.puzzle = puzzle
        self.up_to = up_to
        self.lowering = lowering
        self.minimize = minimize
        self.store = None if store is None else Store(store, puzzle, up_to, minimize=minimize)
        self.result = Result(puzzle.name, backend, minimum_proved=False if minimize else None)
        self.interrupted: KeyboardInterrupt | None = None
        self.found = 0
        self._limit = limit
        self._jobs = jobs
        self._started = time.monotonic()
        self._ended = False
        self._events: Iterator[Event]
        if isolated or timeout is not None or memory is not None:
            self._events = Child(self._search, timeout=timeout, memory=memory)
        else:
            self._events = self._search()

    def _search(self) -> Iterator[Event]:
        formula = self.puzzle.encode()
        group = Group.of(formula, self.puzzle.symmetries())
        minimum = None
        if self.minimize:
            minimum = self._minimum(formula)
            group = group.keeping(formula.objective)
            yield None, "", replace(self.result, minimum=minimum, minimum_proved=True)
        tally = Tally(group, self.up_to)
        result = Result(
            self.puzzle.name, self.result.backend, distinct=tally.distinct, minimum=minimum, symmetries=group.orders
        )
        result.minimum_proved = True if self.minimize else None
        earlier: list[Model] = []
        known = self._known(formula, group)
        done = self.store.complete(len(known)) if self.store else None
        new = models(
            formula,
            result.backend,
            lowering=self.lowering,
            group=group,
            up_to=self.up_to,
            known=known,
            statistics=result.statistics,
            jobs=self._jobs,
            breaking=self._limit is None,
        )
        result.backend = new.backend
        number = 0
        for number, model in enumerate(chain(map(frozenset, known), () if done else new), 1):
            orbit = sorted(map(sorted, tally.add(model)))  # its first member stands for it, whatever the backend met first
            origin = known[tuple(orbit[0])] if number <= len(known) else None
            solutions = [checked(self.puzzle, formula, member, new.backend, origin) for member in orbit]
            cost = formula.cost(model)
            if minimum is not None and cost != minimum:
                raise _not_least(self.puzzle, cost, minimum, origin)
            result.solutions, result.backend = tally.solutions, new.backend
            relation = ""
            if len(earlier) < RELATED:
                model = frozenset(orbit[0])
                relation = str(nearest(self.puzzle, formula, group, earlier, model) or "")
                earlier.append(model)
            try:
                if self.store and number > len(known):
                    self.store.add(solutions[0])
            finally:  # one that could not be written is a solution all the same
                yield solutions[0], relation, result
            if number == self._limit:
                return
        stored = done is not None
        if done is None:
            done = Established(backend=new.backend, established_by=find(new.backend).establishes)
        result.complete, result.backend, result.established_by = True, done.backend, done.established_by
        yield None, "", result
        if self.store and not stored:
            self.store.finish(done, number)

    def _known(self, formula: Formula, group: Group) -> dict[tuple[int, ...], str]:
        """The first member of each orbit in the store, with the place where the store names it."""
        known: dict[tuple[int, ...], str] = {}
        for place, model in self.store.read(formula) if self.store else ():
            known.setdefault(min(tuple(sorted(member)) for member in group.orbit(model, self.up_to)), place)
        return known

    def _minimum(self, formula: Formula) -> int | None:
        """The least objective, with what exceeds it forbidden in the formula; None if there is no solution."""
        if not formula.objective:
            raise InputError(f"{self.puzzle.name}: the family {self.puzzle.family!r} has nothing to minimise")
        minimum = least(formula, self.lowering)
        if minimum is not None:
            with formula.group("no more than the minimum"):
                formula.linear(formula.objective, at_most=minimum)
        return minimum

    def __next__(self) -> Solution:
        if self._ended:
            raise StopIteration
        if self._limit is not None and self.found >= self._limit:
            return self._end("limit")
        try:
            for placements, relation, result in self._events:
                self.result = result
                result.seconds = self.seconds()
                if placements is not None:
                    self.found += 1
                    return Solution(self.puzzle, placements, relation)
        except Stopped as stopped:
            return self._end(str(stopped))
        except KeyboardInterrupt as asked:
            self.interrupted = asked
            return self._end(asked.reason if isinstance(asked, Interrupted) else "interrupt")
        return self._end(None)

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
        if self.store:
            self.store.close()


def _not_least(puzzle: Puzzle, cost: int, minimum: int, origin: str | None) -> Exception:
    """What to raise for a solution, found or read at `origin`, that costs other than the minimum."""
    if origin is None:
        return CheckError(f"{puzzle.name}: a solution costs {cost}, where the minimum is {minimum}. This is a bug")
    return InputError(f"{origin}: not one of the solutions with {minimum}, the fewest; remove the line")
