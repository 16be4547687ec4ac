"""Counting by subproblems with a ledger: in this process, in several, or on a cluster; stopped and resumed at any time."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from jigsat.backends import AUTO, find, open_backend
from jigsat.errors import InputError
from jigsat.formula import Formula
from jigsat.ledger.coordinator import SECONDS, Sharing
from jigsat.ledger.file import MEMORY, Ledger, begun, is_there
from jigsat.ledger.rows import Header, damage
from jigsat.ledger.worker import Problem, forget
from jigsat.orbits import orbits, with_breaking_clause
from jigsat.runtime.executors import Here, Processes, Workers
from jigsat.search import choose_exhaustive, within_one
from jigsat.search.exhaustive import check_exhaustive
from jigsat.solving.counts import counted_at_once
from jigsat.solving.enumeration import Enumeration, Event, Start
from jigsat.solving.result import Result
from jigsat.subject import Problem as Counted
from jigsat.subject import Subject, described, digest_of, keep_ready, ready, restored
from jigsat.symmetry import LEVELS, Group

if TYPE_CHECKING:
    from jigsat.runtime import Progress
    from jigsat.runtime.cluster import Address

S = TypeVar("S")

LOOK = 1.0
"""Seconds between two reports of progress."""


class LedgerCount(Enumeration[S]):
    """An enumeration of which only the `result` is used; its subproblems are recorded in a ledger.

    - `store`: the file of the ledger, which is resumed if it exists; by default the ledger is kept in memory.
    - `cluster`: where subproblems are searched, see `jigsat.runtime.cluster`; by default in `jobs` processes of this machine.
    - `seconds`: the target duration of a subproblem.
    """

    def __init__(
        self,
        problem: Counted,
        *,
        backend: str = AUTO,
        timeout: float | None = None,
        memory: int | None = None,
        store: str | Path | None = None,
        jobs: int = 1,
        cluster: Address | None = None,
        seconds: float = SECONDS,
        isolated: bool = False,
    ) -> None:
        self._path = MEMORY if store is None else Path(store)
        self._seconds = seconds
        begin: Any = Enumeration.__init__  # its overloads state the type of solutions, and there are none here
        begin(
            self, problem, backend=backend, timeout=timeout, memory=memory, jobs=jobs, cluster=cluster,
            isolated=isolated or store is not None,
        )  # fmt: skip
        if store is not None:
            self.store = self._path

    def _search(self) -> Iterator[Event]:
        if self.result.backend == AUTO and not self._path.exists() and (result := counted_at_once(self._subject)):
            yield None, "", result
            return
        header = header_of(self._subject, resuming(self._path, self.result.backend))
        if is_there(self._path) and (yield from self._earlier(header)):
            return
        try:
            # the workers come first, so that no open file is forked
            with closing(workers(self._cluster, self._jobs)) as found, opened(self._path, header) as ledger:
                yield from shared(self._subject.name, ledger, found, lambda _: self._seconds, self._progress)
        finally:
            forget()

    def _earlier(self, header: Header) -> Generator[Event, None, bool]:
        """The counts in the file, in case the run is stopped while the workers start; returns whether they are complete.

        Then nothing is written, so the file may be read-only.
        """
        with closing(Ledger(self._path)) as there:
            there.compare(header)
            if there.states().get("open"):
                solutions, distinct = there.totals(there.counts(), complete=False)
                backend = there.header.problem.backend
                yield None, "", Result(self._subject.name, backend, solutions, distinct, symmetries=there.header.levels)
                return False
            yield from shared(self._subject.name, there, Here(), lambda _: self._seconds, self._progress)
            return True


def divided(header: Header, start: Start, jobs: int, progress: Progress | None) -> Iterator[Event]:
    """Count in processes of this machine, with a ledger in memory. A result that has less than the `start` is left out."""
    from jigsat.solving.listing import target

    try:
        with closing(workers(None, jobs)) as found, closing(Ledger(MEMORY, header)) as ledger:
            for _, _, result in shared(header.instance, ledger, found, target, progress):
                result.statistics = start.statistics | result.statistics
                if result.complete or result.solutions >= start.solutions:
                    yield None, "", result
    finally:
        forget()


def shared(
    name: str, ledger: Ledger, workers: Workers, target: Callable[[float], float], progress: Progress | None
) -> Iterator[Event]:
    """Count by subproblems. `target` maps the seconds since the start of the search to the target duration of a subproblem."""
    header = ledger.header
    result = Result(name, header.problem.backend, symmetries=header.levels)
    started, looked = time.monotonic(), 0.0
    sharing = Sharing(ledger, workers, target(0))

    def look(*, complete: bool = False) -> Event:
        result.solutions, result.distinct = ledger.totals(sharing.counts, complete=complete)
        result.statistics = ledger.statistics()
        if progress:
            progress.set(ledger.done()[0])
        return None, "", result

    for _ in sharing:
        if (now := time.monotonic()) > looked + LOOK:
            looked = now
            yield look()
        sharing.aim(target(now - started))
    states = ledger.states()
    look(complete=not states.get("open"))
    if result.solutions and not states.get("done"):
        raise AssertionError("solutions without a subproblem")
    result.complete = not states.get("open")
    if result.complete and header.listed and ledger.solutions() < orbits(sharing.counts):
        raise damage(ledger.path, "it has fewer solutions than its counts state")
    result.backend, result.established_by = header.searcher.backend, header.searcher.established_by
    yield None, "", result


@contextmanager
def opened(path: Path, header: Header) -> Iterator[Ledger]:
    """A ledger that is open for a run. A new file is removed if the run is refused before anything was found."""
    new = path != MEMORY and not path.exists()
    with closing(Ledger(path, header)) as ledger:
        try:
            yield ledger
        except InputError:
            if new and not ledger.is_begun() and not ledger.solutions():
                ledger.close()
                path.unlink(missing_ok=True)
            raise


def workers(cluster: Address | None, jobs: int) -> Workers:
    """The workers of a cluster, or this process, or processes of this machine."""
    if cluster is None and jobs == 1:
        return Here()
    try:
        if cluster is None:
            return Processes(jobs)
        from jigsat.runtime.cluster import Cluster

        return Cluster(cluster)
    finally:
        ready.clear()


def resuming(path: Path, backend: str) -> str:
    """The backend to use if this one is requested; for `auto`, the one of the ledger."""
    there = begun(path) if backend == AUTO else None
    return there.problem.backend if there else backend


def header_of(subject: Subject[Any], backend: str = AUTO) -> Header:
    """What a ledger counts: the solutions of a puzzle or formula, by the given backend or a suitable one."""
    formula = subject.encode()
    group = subject.group(formula)
    if backend == AUTO:
        backend = choose_exhaustive(formula)
    check_exhaustive(backend)
    breaking = _breaking(group, formula, backend)
    data = described(subject)
    digest = digest_of(with_breaking_clause(formula, breaking))
    if digest_of(with_breaking_clause(restored(data).encode(), breaking)) != digest:
        raise InputError(f"{subject.name}: cannot be sent to another process, because it is encoded differently there")
    keep_ready(data, subject)
    problem = Problem(puzzle=data, backend=backend, breaking=breaking, digest=digest)
    return Header(
        instance=subject.name,
        digest=subject.digest(),
        jigsat=version("jigsat"),
        problem=problem,
        levels=group.orders,
        establishes=find(backend).establishes,
    )


def _breaking(group: Group, formula: Formula, backend: str) -> list[int]:
    """The symmetry-breaking clause; without it, if the backend does not accept it, all members of each orbit are found."""
    breaking = group.breaking(formula, LEVELS[-1])
    if not breaking:
        return []
    with closing(open_backend(backend)) as solver:
        return breaking if solver.capabilities.clauses or within_one(breaking, formula) else []
