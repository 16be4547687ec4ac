"""All solutions of a puzzle or models of a formula: decoded, checked, and counted up to symmetry."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar, overload

from jigsat.backends import AUTO, find
from jigsat.errors import CheckError, InputError, Interrupted, Stopped
from jigsat.formula import Assignment, Formula, Lowering
from jigsat.puzzle import Solution
from jigsat.runtime import Child, Progress
from jigsat.search import least, models
from jigsat.solving.equivalence import Equivalence, by_burnside, equivalence
from jigsat.solving.options import validate
from jigsat.solving.result import Result
from jigsat.solving.subject import (
    Earlier,
    FormulaSubject,
    Instance,
    Problem,
    PuzzleSubject,
    Source,
    Stated,
    Subject,
    Symmetries,
    subject_of,
)
from jigsat.symmetry import AUTOMORPHISM, EVERY_LEVEL, LEVELS, Group, Model

if TYPE_CHECKING:
    from jigsat.runtime.cluster import Address
    from jigsat.solving.ledger_rows import CountHeader
    from jigsat.solving.listing import Kept, Wanted
    from jigsat.solving.store import Established

S = TypeVar("S")

Event = tuple[Stated | None, str, Result]
"""A solution's placements, its relation to an earlier one, and the result so far; None if only the result changed."""


@dataclass
class Start:
    """The first part of a search, which one process does before others take part.

    `backend` is the one to continue with. `found` are the distinct solutions, each as the first member of its orbit, and
    `solutions` is the number of all. `over` states that nothing is left to do.
    """

    backend: str
    found: list[Model] = field(default_factory=list)
    solutions: int = 0
    statistics: dict[str, int] = field(default_factory=dict)
    over: bool = False


class Enumeration(Iterator[S], Generic[S]):
    """An iterator over the distinct solutions of a puzzle or models of a formula; `result` is what is known so far.

    Lazy: each solution is searched for when it is requested, and checked. After the last one `result.complete` is true. The
    iteration also ends after a limit, a time-out, an interrupt or a crash of the solver's process; then `result.complete` is
    false and `result.stopped_by` gives the reason. `interrupted` is the exception of the interrupt. A result can be both
    complete and stopped: then its store could not be marked as complete.

    - `backend`: a name from `jigsat backends`, or `auto`: CaDiCaL first, then another engine if it is likely to be faster.
    - `up_to`: count solutions up to nothing, rotation, reflection or all symmetries; each level includes the ones before it.
      With automorphism, up to all automorphisms of the formula, which igraph finds. If their group is too large to list, the
      other levels are counted at the end, and left out of `result.distinct` if their symmetries fix too many solutions.
    - `limit`: the maximum number of solutions.
    - `timeout`: in seconds. `memory`: in bytes, for all processes together.
    - `lowering`: how constraints become clauses; see `Lowering`.
    - `store`: a ledger, the SQLite file in which solutions are kept. Those from an earlier run come first and are checked
      again, but not searched for. With `jobs` or a `cluster`, finished subproblems are kept as well.
    - `cluster`: the workers that search instead of this machine's, see `jigsat.runtime.cluster`.
    - `minimize`: only the solutions with the minimum of the objective, which is `result.minimum`.
    - `jobs`: the number of processes that search. Only one can search with `minimize`, with a `lowering` or `group`, up to
      automorphism, or with a backend that does not accept assumptions.
    - `isolated`: search in another process even without a limit, so that Ctrl-C stops any solver immediately.
    - `group`: for a formula, permutations of decision variables (`{variable: image, …}`) that generate its symmetries, which
      then form the level `all`.

    Raises ValueError or TypeError for an invalid option, and InputError for an invalid instance, backend, store or objective.

    >>> cubes = Enumeration("cube", up_to="reflection")
    >>> len(list(cubes)), cubes.result.solutions, cubes.result.complete
    (2, 96, True)
    """

    @overload
    def __init__(
        self: Enumeration[Solution],
        problem: Instance | PuzzleSubject,
        *,
        backend: str = AUTO,
        up_to: str = "rotation",
        limit: int | None = None,
        timeout: float | None = None,
        memory: int | None = None,
        lowering: Lowering | None = None,
        store: str | Path | None = None,
        isolated: bool = False,
        minimize: bool = False,
        jobs: int = 1,
    ) -> None: ...
    @overload
    def __init__(
        self: Enumeration[Assignment],
        problem: Formula | FormulaSubject,
        *,
        backend: str = AUTO,
        up_to: str = "rotation",
        limit: int | None = None,
        timeout: float | None = None,
        memory: int | None = None,
        lowering: Lowering | None = None,
        store: str | Path | None = None,
        isolated: bool = False,
        minimize: bool = False,
        jobs: int = 1,
        cluster: Address | None = None,
        group: Symmetries = (),
    ) -> None: ...
    def __init__(
        self,
        problem: Problem,
        *,
        backend: str = AUTO,
        up_to: str = "rotation",
        limit: int | None = None,
        timeout: float | None = None,
        memory: int | None = None,
        lowering: Lowering | None = None,
        store: str | Path | None = None,
        isolated: bool = False,
        minimize: bool = False,
        jobs: int = 1,
        cluster: Address | None = None,
        group: Symmetries = (),
    ) -> None:
        validate(
            backend, up_to, limit=limit, timeout=timeout, memory=memory, jobs=jobs, lowering=lowering, levels=EVERY_LEVEL
        )  # fmt: skip
        subject: Subject[S] = subject_of(problem, group)
        self._subject = subject
        self.up_to = up_to
        self.lowering = lowering
        self.minimize = minimize
        self.store = None if store is None else Path(store)
        self.stored = 0
        if self.store:
            from jigsat.solving.listing import examined  # most runs need no SQLite

            self.stored = examined(self.store, subject, up_to, minimize=minimize)
        self.result = Result(subject.name, backend, minimum_proved=False if minimize else None)
        self.interrupted: KeyboardInterrupt | None = None
        self.found = 0
        self._limit = limit
        self._jobs = jobs
        self._cluster = cluster
        self._started = time.monotonic()
        self._ended = False
        self._events: Iterator[Event]
        self._progress: Progress | None = None
        if isolated or timeout is not None or memory is not None:
            self._progress = Progress()
            self._events = Child(self._search, timeout=timeout, memory=memory)
        else:
            self._events = self._search()

    def _search(self) -> Iterator[Event]:
        subject, formula = self._subject, self._subject.encode()
        group = subject.group(formula)
        minimum = None
        if self.minimize:
            minimum = self._minimum(formula)
            group = group.keeping(formula.objective)
            yield None, "", replace(self.result, minimum=minimum, minimum_proved=True)
        same = equivalence(formula, group, self.up_to)
        if self.store is None and self._cluster is None:
            yield from self._without_store(formula, group, same, minimum)
            return
        from jigsat.solving.ledger import MEMORY
        from jigsat.solving.listing import Wanted, searched

        yield from searched(
            Wanted(subject, formula, same, self.up_to, self.minimize, minimum),
            self.store or MEMORY,
            self.result.backend,
            lambda kept, done: self._whole(formula, group, same, minimum, kept, done),
            jobs=self._jobs,
            cluster=self._cluster,
            limit=self._limit,
            splits=self.lowering in (None, Lowering()),
            progress=self._progress,
        )

    def _without_store(self, formula: Formula, group: Group, same: Equivalence, minimum: int | None) -> Iterator[Event]:
        """Search in this process; with several jobs only for a short time, if possible, and then in as many processes."""
        start = Start(self.result.backend)
        if self._jobs > 1 and not self.minimize and self.up_to in LEVELS and self.lowering in (None, Lowering()):
            if start.backend == AUTO:
                yield from self._whole(formula, group, same, minimum, start=start, brief=True)
                if start.over:
                    return
            from jigsat.solving.listing import Wanted, divisible

            if header := divisible(self._subject, start.backend):
                yield from self._divided(Wanted(self._subject, formula, same, self.up_to), header, start)
                return
        yield from self._whole(formula, group, same, minimum, start=start)

    def _divided(self, wanted: Wanted, header: CountHeader, start: Start) -> Iterator[Event]:
        """Search in several processes."""
        from jigsat.solving.listing import divided

        yield from divided(wanted, header, start, self._jobs, self._limit, self._progress)

    def _whole(
        self,
        formula: Formula,
        group: Group,
        same: Equivalence,
        minimum: int | None,
        kept: Kept | None = None,
        done: Established | None = None,
        start: Start | None = None,
        brief: bool = False,
    ) -> Iterator[Event]:
        """Search the whole puzzle, with the solutions that are `kept`. With `done`, there are no others.

        Continue after the `start`, or, if `brief`, do that part of the search.
        """
        subject, tally = self._subject, same.tally
        result = Result(subject.name, self.result.backend, distinct=tally.distinct, minimum=minimum, symmetries=same.orders)
        result.minimum_proved = True if self.minimize else None
        earlier = Earlier(subject, formula, group)
        shown = list(map(sorted, start.found)) if start else []
        known: dict[tuple[int, ...], Source | None] = {**kept.known()} if kept else dict.fromkeys(map(tuple, shown))
        new = models(
            same.formula,
            result.backend,
            lowering=self.lowering,
            group=same.group,
            up_to=same.up_to,
            known=known,
            statistics=result.statistics,
            brief=brief,
            breaking=self._limit is None and (subject.breakable or self.up_to in (LEVELS[0], AUTOMORPHISM)),
        )
        result.backend = new.backend
        number = 0
        # without a thread if other processes will follow, because forking a process with threads is not safe
        measured = self._progress.during(new, new.progress) if self._progress and not brief else new
        for model in chain(map(frozenset, known), () if done else measured):
            orbit = tally.add(model)  # the first member represents it, whichever the backend found
            if not orbit:
                continue
            number += 1
            origin = known[tuple(orbit[0])] if number <= len(known) else None
            stated = subject.checked(formula, model, orbit, new.backend, origin)
            cost = formula.cost(model)
            if minimum is not None and cost != minimum:
                raise _not_least(subject.name, cost, minimum, origin)
            result.solutions, result.backend = tally.solutions, new.backend
            relation = earlier.relation(frozenset(orbit[0]))
            if number <= len(shown):
                continue
            if start and brief:
                start.found.append(frozenset(orbit[0]))
                start.over = number == self._limit
            try:
                if kept and number > len(known):
                    kept.add(orbit[0], stated)
            finally:  # report a solution even if it could not be written
                yield stated, relation, result
            if number == self._limit:
                return
        if start and brief:
            start.backend, start.over = new.backend, new.complete
            start.solutions, start.statistics = tally.solutions, result.statistics
            if not start.over:
                return
        counts = tally.solutions, dict(tally.distinct)
        if kept:
            kept.verify(*counts)
        if result.uncounted and subject.breakable:
            counted = result.distinct | by_burnside(formula, group, result.solutions)
            result.distinct = {level: counted[level] for level in result.symmetries if level in counted}
        result.complete, result.backend = True, done.backend if done else new.backend
        result.established_by = done.established_by if done else find(new.backend).establishes
        yield None, "", result
        if kept:
            searched = result.statistics
            kept.finish(*counts, result, searched.get("nodes", searched.get("conflicts", 0)))

    def _minimum(self, formula: Formula) -> int | None:
        """The minimum of the objective, after forbidding greater values in the formula; None if there is no solution."""
        if not formula.objective:
            raise InputError(self._subject.no_objective())
        minimum = least(formula, self.lowering)
        if minimum is not None:
            with formula.group("no more than the minimum"):
                formula.linear(formula.objective, at_most=minimum)
        return minimum

    def __next__(self) -> S:
        if self._ended:
            raise StopIteration
        limited = self._limit is not None and self.found >= self._limit
        if limited and not self.store:  # with a store, the search ends by itself and closes the file
            return self._end("limit")
        try:
            for placements, relation, result in self._events:
                self.result = result
                result.seconds = self.seconds()
                if placements is not None:
                    self.found += 1
                    return self._subject.solution(placements, relation)
        except Stopped as stopped:  # the answer is already complete; only its store is affected
            return self._end(None if self.result.complete and self.store is None else stopped.reason)
        except KeyboardInterrupt as asked:
            self.interrupted = asked
            return self._end(asked.reason if isinstance(asked, Interrupted) else "interrupt")
        return self._end("limit" if limited else None)

    def _end(self, stopped_by: str | None) -> S:
        self.result.seconds = self.seconds()
        self.result.stopped_by = stopped_by
        self.close()
        raise StopIteration

    def __repr__(self) -> str:
        return f"<Enumeration of {self._subject.name}, {self.found:,} found so far>"

    @property
    def progress(self) -> float | None:
        """The fraction of the search that is done, from 0 to 1, if the options of each choice take equally long.

        None if it is not known: before the search, for backends without a search tree unless several `jobs` divide the search,
        and if the search is not in another process.
        """
        return self._progress.fraction if self._progress else None

    def seconds(self) -> float:
        """The duration of the search so far, or in total if it has ended."""
        return self.result.seconds if self._ended else time.monotonic() - self._started

    def close(self) -> None:
        """Stop searching; the result is kept."""
        self._ended = True
        self._events.close()  # type: ignore[attr-defined]
        if self.store and self._progress:
            from jigsat.solving.ledger import settle

            settle(self.store)


def _not_least(name: str, cost: int, minimum: int, origin: Source | None) -> Exception:
    """The error for a solution, found or read from `origin`, whose cost is not the minimum."""
    if origin is None:
        return CheckError(f"{name}: a solution costs {cost}, but the minimum is {minimum}. This is a bug")
    return InputError(f"{origin.place}: not a solution with the minimum {minimum}; {origin.remedy}")
