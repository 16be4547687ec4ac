"""Places where workers do jobs: this process or processes of this machine. For clusters see
`cluster`.

A place makes its workers, keeps each from one job to the next, and closes them. Each process is a
`Child`, so its limits, its crashes and what it sent before its end are those of any child.
"""

import math
import multiprocessing
import os
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Generic, Protocol, TypeAlias, TypeVar

from jigsat.errors import Interrupted, Stopped
from jigsat.runtime.child import Child

J = TypeVar("J")
T = TypeVar("T")
JobT = TypeVar("JobT", contravariant=True)
ItemT = TypeVar("ItemT", covariant=True)

MAX_WAIT_S = 0.1  # seconds between two looks at the limits of processes


class Worker(Protocol[JobT, ItemT]):
    """Does one job after another, and keeps what several of them need, such as a solver, until it
    is closed."""

    def work(self, job: JobT, /) -> Iterator[ItemT]:
        """What is found, as soon as it is. Whoever searches in parts sends a text as a job, and
        gets a text."""

    def close(self) -> None:
        """Free what is kept."""


MakeWorker: TypeAlias = Callable[[], Worker[J, T]]


class Lost(Exception):
    """A job was lost, because its worker on a cluster ended; it can be submitted again."""


class Workers(ABC, Generic[J, T]):
    """A place with workers. Jobs wait there in one queue, each with a number."""

    elastic = False
    """Whether workers come and go: others may join later, and `abandon` replaces one that hangs."""

    @property
    @abstractmethod
    def number(self) -> int:
        """The number of jobs that can be done at once now."""

    @abstractmethod
    def submit(self, number: int, job: J) -> None:
        """Have a worker do a job."""

    @abstractmethod
    def receive(self, patience: float) -> list[tuple[int, T | BaseException]]:
        """What was found since the last call, each with the number of its job. Waits about
        `patience` seconds, or less, if that is nothing.

        An exception is the last that comes of its job: Lost, or Stopped if its worker cannot
        continue, for example.
        """

    def refuse(self, worker: str, reason: str) -> None:
        """Stop using this worker. Raises InputError or Stopped if there is no other."""
        raise Stopped(f"the worker {worker} refuses: {reason}")

    def abandon(self, number: int) -> None:
        """Stop waiting for a job, whose worker hangs. Workers that are not elastic are not given
        up."""

    @abstractmethod
    def close(self) -> None:
        """End the workers that were started here."""


class Here(Workers[J, T]):
    """This process, which does a job when it is asked what was found."""

    number = 1

    def __init__(self, make: MakeWorker[J, T]) -> None:
        self._make = make
        self._worker: Worker[J, T] | None = None
        self._queue = deque[tuple[int, J]]()

    def submit(self, number: int, job: J) -> None:
        self._queue.append((number, job))

    def receive(self, patience: float) -> list[tuple[int, T | BaseException]]:
        if not self._queue:
            return []
        number, job = self._queue.popleft()
        results: list[tuple[int, T | BaseException]] = []
        try:
            self._worker = self._worker or self._make()
            for item in self._worker.work(job):
                results.append((number, item))
        except Exception as error:
            results.append((number, error))
        return results

    def close(self) -> None:
        if self._worker:
            self._worker.close()


class Processes(Workers[J, T]):
    """Processes of this machine, which end with this process. They are started at once, before
    files are opened.

    Each has one job at a time, and gets the next one when that is done. If a process ends during a
    job, so does the job with an exception, and the others go on; the jobs that wait end with the
    last process. A process that ends without a job is replaced when there is one for it.
    `timeout` is in seconds, for all jobs together.
    """

    number = 0

    def __init__(
        self, number: int, make: MakeWorker[J, T], *, timeout: float | None = None
    ) -> None:
        self.number = number
        self._owner = os.getpid()
        self._queue = deque[tuple[int, J]]()
        self._current: dict[Child[T | None], int] = {}  # the numbers of the jobs under way
        self._senders: dict[Child[T | None], Connection] = {}  # where each gets its jobs
        self._make = make
        self._deadline = math.inf if timeout is None else time.monotonic() + timeout
        for _ in range(number):
            self._start()

    def _start(self) -> Child[T | None]:
        """Start a process, which waits for jobs."""
        jobs, sender = multiprocessing.Pipe(duplex=False)
        timeout = None
        if self._deadline < math.inf:
            timeout = max(0.0, self._deadline - time.monotonic())
        child = Child(partial(_do_jobs, jobs, self._make), timeout=timeout)
        self._senders[child] = sender
        jobs.close()
        return child

    @property
    def is_busy(self) -> bool:
        """Whether a job is under way or waits."""
        return bool(self._current or self._queue)

    @property
    def under_way(self) -> list[int]:
        """The numbers of the jobs under way."""
        return [*self._current.values()]

    def submit(self, number: int, job: J) -> None:
        self._queue.append((number, job))
        self._hand_out()

    def abandon(self, number: int) -> None:
        """End the process that does this job. Another one, for other jobs, takes its place."""
        for child, current in [*self._current.items()]:
            if current == number:
                del self._current[child]
                self._senders.pop(child).close()
                child.close()
                self._start()
        self._hand_out()

    def _hand_out(self) -> None:
        """Give jobs to the processes that have none."""
        for child in [*self._senders]:
            if self._queue and child not in self._current:
                number, job = self._queue.popleft()
                self._give(child, number, job)

    def _give(self, child: Child[T | None], number: int, job: J) -> None:
        """Have a process do a job. If it was killed while it had none, another takes its place."""
        try:
            self._senders[child].send(job)
        except BrokenPipeError:
            self._senders.pop(child).close()
            child.close()
            child = self._start()
            with suppress(BrokenPipeError):  # it ends at once as well; receiving tells why
                self._senders[child].send(job)
        self._current[child] = number

    def receive(self, patience: float) -> list[tuple[int, T | BaseException]]:
        wait([child.connection for child in self._current], min(patience, MAX_WAIT_S))
        results: list[tuple[int, T | BaseException]] = []
        for child, number in [*self._current.items()]:
            while child in self._current and _has_item(child):
                try:
                    item = next(child)
                except (Exception, Interrupted) as reason:
                    results.append((number, reason))
                    self._drop(child, reason, results)
                    break
                if item is None:
                    del self._current[child]
                else:
                    results.append((number, item))
        self._hand_out()
        return results

    def _drop(
        self,
        child: Child[T | None],
        reason: BaseException,
        results: list[tuple[int, T | BaseException]],
    ) -> None:
        """Go on without a process that has ended. If it was the last one, nobody does the jobs that
        wait."""
        del self._current[child]
        self._senders.pop(child).close()
        if not self._senders:
            results += [(number, reason) for number, _ in self._queue]
            self._queue.clear()

    def close(self) -> None:
        if os.getpid() != self._owner:  # a fork of the process that started them
            return
        for child, sender in self._senders.items():
            child.close()
            sender.close()


def _has_item(child: Child[T]) -> bool:
    """Whether the next item of a child is there, or the reason why there is none. What it sent
    before a signal is read first."""
    try:
        return child.ready()
    except Interrupted:
        return True


def _do_jobs(jobs: Connection, make: MakeWorker[J, T]) -> Iterator[T | None]:
    """What is found in one job after the other; None follows the last item of each."""
    with closing(make()) as worker:
        while True:
            yield from worker.work(jobs.recv())
            yield None
