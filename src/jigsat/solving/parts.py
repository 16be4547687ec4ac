"""The search in parts, which are subproblems in a ledger: by this process, several processes or a
cluster.

Solutions are listed or only counted; the ledger is a file, from which the search can be resumed, or
in memory.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain

from jigsat.backends import AUTO
from jigsat.errors import CheckError, InputError
from jigsat.ledger.coordinator import TARGET_S, Coordinator, write_subproblems
from jigsat.ledger.file import IN_MEMORY, Ledger, damage, open_ledger, read_state
from jigsat.ledger.headers import Header, count_header, own_backend
from jigsat.ledger.worker import SubproblemWorker
from jigsat.orbits import ListedTally, find_equivalence
from jigsat.runtime.child import Progress
from jigsat.runtime.executors import Here, MakeWorker, Processes, Worker, Workers
from jigsat.solving.stored import LedgerSolutions, Listing
from jigsat.solving.task import Event, Handover, Resources, Result, Task
from jigsat.subject import Earlier
from jigsat.symmetry import Level, Model

# target duration of the first subproblems, in seconds, so that the first solutions appear soon
FIRST_TARGET_S = 0.25
GROWTH = 20  # time since the start over the target duration, which is at most `TARGET_S`
PROGRESS_INTERVAL_S = 1.0  # seconds between two reports of progress


@dataclass(frozen=True)
class Parts:
    """Searches subproblems of the puzzle. What is reported before is not reported again.

    Unless it is `required`, the task is passed on if other processes cannot encode the puzzle,
    because its family is not installed, for example.
    """

    task: Task
    resources: Resources
    reason: str
    required: bool

    def run(
        self, before: Handover, progress: Progress | None
    ) -> Generator[Event, None, Handover | None]:
        task, path = self.task, self.resources.store or IN_MEMORY
        listing: Listing | None = None
        state = read_state(path)
        backend = before.backend
        if backend == AUTO:
            backend = own_backend(state.header if state and state.split else None)
        try:
            header: Header = count_header(task.subject, backend)
        except InputError:
            if self.required:
                raise
            return before
        if not task.wants_only_numbers:
            formula = task.subject.encode()
            listing = Listing(
                task, formula, find_equivalence(formula, task.subject.group(formula), task.up_to)
            )
            header = listing.header(backend)
        complete = state is not None and state.complete
        if state and not complete and listing is None:
            with closing(
                Ledger(path)
            ) as there:  # in case the run is stopped while the workers start
                there.compare(header)
                solutions, distinct = there.totals(there.counts(), complete=False)
                by = there.establishing_backends().backend
            yield Event(
                Result(task.subject.name, by, solutions, distinct, symmetries=there.header.levels)
            )
        prepared = partial(SubproblemWorker, task.subject)
        with (
            # before the file is opened, so that no open file is forked
            closing(
                Here(prepared)
                if complete
                else open_workers(SubproblemWorker, prepared, self.resources)
            ) as workers,
            open_ledger(path, header) as ledger,
        ):
            reader = (
                SolutionsReader(ledger, listing, before)
                if listing
                else CountsReader(ledger, task.subject.name)
            )
            for event in self._coordinate(ledger, workers, reader, progress):
                event.result.statistics = before.statistics | ledger.statistics()
                if (
                    event.solution
                    or event.result.complete
                    or event.result.solutions >= before.solutions
                ):
                    yield event
        return None

    def _coordinate(
        self,
        ledger: Ledger,
        workers: Workers,
        reader: SolutionsReader | CountsReader,
        progress: Progress | None,
    ) -> Iterator[Event]:
        started, looked, number = time.monotonic(), 0.0, reader.reported
        coordinator = Coordinator(
            ledger, workers, partial(write_subproblems, ledger.header), target_duration(0)
        )
        for _ in chain([None], coordinator):
            for event in reader.read_new():
                yield event
                number += 1
                if number == self.task.limit:
                    return
            if (now := time.monotonic()) > looked + PROGRESS_INTERVAL_S:
                looked = now
                if progress:
                    progress.set(ledger.progress_totals()[0])
                yield Event(reader.read_numbers(coordinator))
            coordinator.seconds = target_duration(now - started)
        result = reader.read_numbers(coordinator, complete=True)
        result.complete, established = True, ledger.establishing_backends()
        result.backend, result.established_by = established.backend, established.established_by
        yield Event(result)


class CountsReader:
    """Adds up the counts of the subproblems of a ledger while it is searched; it reads no
    solutions."""

    reported = 0

    def __init__(self, ledger: Ledger, name: str) -> None:
        self._ledger = ledger
        self._result = Result(
            name, ledger.establishing_backends().backend, symmetries=ledger.header.levels
        )

    def read_new(self) -> Iterator[Event]:
        return iter(())

    def read_numbers(self, coordinator: Coordinator, *, complete: bool = False) -> Result:
        """The numbers so far, or the final ones, which are verified."""
        ledger, result = self._ledger, self._result
        result.solutions, result.distinct = ledger.totals(coordinator.counts, complete=complete)
        if complete and result.solutions and not ledger.states().get("done"):
            raise CheckError(f"{result.instance}: solutions without a subproblem. This is a bug")
        orbits = sum(number // share.found for share, number in coordinator.counts.items())
        if complete and ledger.header.listed and ledger.solutions() < orbits:
            raise damage(ledger.path, "it has fewer solutions than its counts state")
        return result


class SolutionsReader:
    """Reads solutions from a ledger while it is searched, and counts their orbits; `reported` were
    reported before."""

    def __init__(self, ledger: Ledger, listing: Listing, before: Handover) -> None:
        subject, formula = listing.task.subject, listing.formula
        self._listing, self._stored = listing, LedgerSolutions(ledger, listing)
        self._reported = frozenset[Model](before.found)
        self.reported = len(self._reported)
        for model in before.found:
            ledger.add(listing.check(listing.first(model)))
        self._group = subject.group(formula)
        self._tally = ListedTally(self._group, Level.ALL)
        self._earlier = Earlier(subject, formula, self._group)
        self._result = Result(
            subject.name,
            ledger.establishing_backends().backend,
            distinct=self._tally.distinct,
            symmetries=self._group.orders,
        )

    def read_new(self) -> Iterator[Event]:
        """The solutions that were written since the last call and not reported before."""
        task, result = self._listing.task, self._result
        for source, first in self._stored.read_new():
            self._tally.add(first)
            result.solutions = self._tally.solutions
            for model in map(frozenset, self._listing.distinct(first)):
                orbit = sorted(map(sorted, self._group.orbit(model, task.up_to)))
                stated = task.subject.check_orbit(
                    self._listing.formula, orbit, result.backend, source
                )
                relation = self._earlier.relation(model)
                if model not in self._reported:
                    yield Event(result, stated, relation)

    def read_numbers(self, coordinator: Coordinator, *, complete: bool = False) -> Result:
        """The numbers so far, or the final ones, which are verified."""
        if complete:
            self._stored.verify(self._tally.solutions, self._tally.distinct)
        return self._result


def open_workers(kind: type[Worker], make: MakeWorker, resources: Resources) -> Workers:
    """The workers of a cluster, which make instances of a class; or this process or processes of
    this machine, with `make`."""
    if resources.cluster is not None:
        from jigsat.runtime.cluster import Cluster

        return Cluster(resources.cluster, kind)
    return Here(make) if resources.jobs == 1 else Processes(resources.jobs, make)


def target_duration(seconds: float) -> float:
    """The target duration of a subproblem, given the seconds since the start of the search."""
    return min(TARGET_S, max(FIRST_TARGET_S, seconds / GROWTH))
