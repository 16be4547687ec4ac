"""The search in parts, which are subproblems in a ledger: by this process, several processes or a
cluster.

Solutions are listed or only counted; the ledger is a file, from which the search can be resumed, or
in memory.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from jigsat.answering.puzzles import report_first
from jigsat.answering.stored import LedgerSolutions, Listing
from jigsat.answering.task import Desk, Task
from jigsat.backends import AUTO
from jigsat.errors import CheckError, InputError
from jigsat.ledger.coordinator import TARGET_S, Coordinator, write_subproblems
from jigsat.ledger.file import IN_MEMORY, Ledger, LedgerState, damage, open_ledger, read_state
from jigsat.ledger.headers import Header, count_header, own_backend
from jigsat.ledger.tree import Choice, name_choices
from jigsat.ledger.worker import SubproblemWorker
from jigsat.orbits import ListedTally, find_equivalence
from jigsat.questions import (
    Answer,
    Counted,
    Established,
    Event,
    Found,
    Halted,
    Means,
    Result,
    Solutions,
    Totals,
)
from jigsat.runtime.child import Progress
from jigsat.runtime.executors import Here, MakeWorker, Processes, Worker, Workers
from jigsat.solving.clues import ModelSearch
from jigsat.subject import Earlier
from jigsat.symmetry import Level, Model

# target duration of the first subproblems, in seconds, so that the first solutions appear soon
FIRST_TARGET_S = 0.25
GROWTH = 20  # time since the start over the target duration, which is at most `TARGET_S`
PROGRESS_INTERVAL_S = 1.0  # seconds between two reports of progress


@dataclass(frozen=True)
class SearchParts:
    """Searches subproblems of the puzzle. What is reported before is not reported again.

    Unless it is `required`, the next way goes on if other processes cannot encode the puzzle,
    because its family is not installed, for example.
    """

    task: Task
    why: str
    required: bool

    def run(self, desk: Desk, answer: Result) -> Iterator[Event]:
        subject, question, means = self.task.subject, self.task.search, self.task.means
        path = means.store or IN_MEMORY
        state = read_state(path)
        backend = answer.backend
        if backend == AUTO:
            backend = own_backend(state.header if state and state.split else None)
        try:
            header: Header = count_header(subject, backend)
        except InputError:
            if self.required:
                raise
            return
        listing: Listing | None = None
        if not question.wants_only_numbers:
            formula = subject.encode()
            same = find_equivalence(formula, subject.group(formula), question.up_to)
            listing = Listing(subject, question, formula, same)
            header = listing.header(backend)

        complete = state is not None and state.complete
        if state is not None and not complete and listing is None:
            # The run may be stopped while the workers start.
            yield Counted(_read_totals(header, state, means))

        prepared = partial(SubproblemWorker, subject)
        workers: Workers[str, str]
        if complete:
            workers = Here(prepared)
        else:
            workers = open_workers(SubproblemWorker, prepared, means)
        choices: dict[Choice, str] = {}
        if state is not None and state.split:
            choices = name_choices(subject.encode())
        # The workers start before the file is opened, so that no open file is forked.
        with closing(workers), open_ledger(path, header, choices) as ledger:
            reader: SolutionsReader | CountsReader
            if listing is None:
                reader = CountsReader(ledger)
            else:
                reader = SolutionsReader(ledger, listing, desk.reported)
            statistics = dict(answer.statistics)
            yield from self._coordinate(ledger, workers, reader, statistics, desk.progress)

    def _coordinate(
        self,
        ledger: Ledger,
        workers: Workers[str, str],
        reader: SolutionsReader | CountsReader,
        statistics: dict[str, int],
        progress: Progress | None,
    ) -> Iterator[Event]:
        """Report what the workers find. The statistics are those of the search before."""

        def add_statistics(totals: Totals) -> Totals:
            return replace(totals, statistics=statistics | ledger.statistics())

        started = time.monotonic()
        looked = 0.0
        number = reader.number_reported
        coordinator = Coordinator(
            ledger, workers, partial(write_subproblems, ledger.header), target_duration(0)
        )
        for _ in chain([None], coordinator):
            for event in reader.read_new():
                assert event.totals is not None
                yield event._replace(totals=add_statistics(event.totals))
                number += 1
                if number == self.task.search.limit:
                    yield Halted("limit")
                    return
            now = time.monotonic()
            if now > looked + PROGRESS_INTERVAL_S:
                looked = now
                if progress:
                    progress.set(ledger.progress_totals()[0])
                yield Counted(add_statistics(reader.read_totals(coordinator)))
            coordinator.seconds = target_duration(now - started)
        totals = add_statistics(reader.read_totals(coordinator, complete=True))
        established = ledger.establishing_backends()
        totals = replace(totals, backend=established.backend)
        yield Established(established.established_by, totals)


@dataclass(frozen=True)
class FindFirstInParts:
    """Finds the first solutions of a puzzle by searching subproblems of it in other processes. If
    these cannot encode the puzzle, the next way goes on.

    The backend is the one that would search the whole puzzle, so that the answer is established in
    the same way.
    """

    task: Task
    why: str

    def run(self, desk: Desk, answer: Answer) -> Iterator[Event]:
        if answer.is_known:  # only the reasons are missing
            return
        subject = self.task.subject
        backend = desk.clue_search.choose_backend(self.task.puzzle)
        means = replace(self.task.means, backend=backend, store=None, cluster=None)
        search = Task(subject, Solutions(self.task.first.up_to), means)
        formula = subject.encode()
        variables = formula.decisions_by_key()
        established = ""

        def find_models() -> ModelSearch:
            nonlocal established
            for event in SearchParts(search, self.why, required=False).run(desk, result):
                match event:
                    case Found(placements):
                        yield frozenset(variables[placement] for placement in placements)
                        yield None  # the next one may take long
                    case Established(by):
                        established = by

        result = search.begin_search()
        with closing(find_models()) as models:
            complete = yield from report_first(self.task, formula, models, answer)
        if complete and established:
            yield Established(established)


def _read_totals(header: Header, state: LedgerState, means: Means) -> Totals:
    """What is counted in the file of an earlier run."""
    assert means.store is not None
    with closing(Ledger(means.store)) as ledger:
        ledger.compare(header)
        solutions, distinct = ledger.totals(ledger.counts(), complete=False)
        backend = ledger.establishing_backends().backend
    return Totals(backend, solutions, distinct, state.header.levels)


class CountsReader:
    """Adds up the counts of the subproblems of a ledger while it is searched; it reads no
    solutions."""

    number_reported = 0

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._backend = ledger.establishing_backends().backend

    def read_new(self) -> Iterator[Found]:
        return iter(())

    def read_totals(self, coordinator: Coordinator, *, complete: bool = False) -> Totals:
        """The numbers so far, or the final ones, which are verified."""
        ledger = self._ledger
        solutions, distinct = ledger.totals(coordinator.counts, complete=complete)
        if complete and solutions and not ledger.states().get("done"):
            raise CheckError(
                f"{ledger.header.instance}: solutions without a subproblem. This is a bug"
            )
        orbits = sum(number // share.found for share, number in coordinator.counts.items())
        if complete and ledger.header.listed and ledger.solutions() < orbits:
            raise damage(ledger.path, "it has fewer solutions than its counts state")
        return Totals(self._backend, solutions, distinct, ledger.header.levels)


class SolutionsReader:
    """Reads solutions from a ledger while it is searched, and counts their orbits.

    Those that an earlier way reported are counted, but not reported again.
    """

    def __init__(self, ledger: Ledger, listing: Listing, reported: list[Model]) -> None:
        subject, formula = listing.subject, listing.formula
        self._listing = listing
        self._stored = LedgerSolutions(ledger, listing)
        self._reported = frozenset(reported)
        self.number_reported = len(self._reported)
        for model in reported:
            ledger.add(listing.check(listing.first(model)))
        self._group = subject.group(formula)
        self._tally = ListedTally(self._group, Level.ALL)
        self._earlier = Earlier(subject, formula, self._group)
        self._backend = ledger.establishing_backends().backend

    def read_new(self) -> Iterator[Found]:
        """The solutions that were written since the last call and not reported before."""
        listing = self._listing
        for source, first in self._stored.read_new():
            self._tally.add(first)
            for model in map(frozenset, listing.distinct(first)):
                orbit = sorted(map(sorted, self._group.orbit(model, listing.question.up_to)))
                stated = listing.subject.check_orbit(listing.formula, orbit, self._backend, source)
                relation = self._earlier.relation(model)
                if model not in self._reported:
                    yield Found(stated, relation, self._totals())

    def read_totals(self, coordinator: Coordinator, *, complete: bool = False) -> Totals:
        """The numbers so far, or the final ones, which are verified."""
        if complete:
            self._stored.verify(self._tally.solutions, self._tally.distinct)
        return self._totals()

    def _totals(self) -> Totals:
        distinct = dict(self._tally.distinct)
        return Totals(self._backend, self._tally.solutions, distinct, self._group.orders)


def open_workers(
    kind: type[Worker[str, str]], make: MakeWorker[str, str], means: Means
) -> Workers[str, str]:
    """The workers of a cluster, which make instances of a class; or this process or processes of
    this machine, with `make`."""
    if means.cluster is not None:
        from jigsat.runtime.cluster import Cluster

        return Cluster(means.cluster, kind)
    return Here(make) if means.jobs == 1 else Processes(means.jobs, make)


def target_duration(seconds: float) -> float:
    """The target duration of a subproblem, given the seconds since the start of the search."""
    return min(TARGET_S, max(FIRST_TARGET_S, seconds / GROWTH))
