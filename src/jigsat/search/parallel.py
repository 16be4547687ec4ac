"""Working on cubes in several processes: each takes one cube after the other, and hard cubes are split again.

This serves `--jobs` without a ledger. `concurrent.futures` and `jigsat.solving.sharing` answer when a cube is finished. Here,
each item arrives as soon as it is found. A cube that keeps one process busy while others are idle is split after two seconds,
and the process that works on it is killed, whatever its solver is doing.
"""

from __future__ import annotations

import multiprocessing
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any, TypeAlias

from jigsat.errors import Stopped
from jigsat.runtime import Child
from jigsat.search.subproblems import Cube

HARD = 2.0
"""Seconds after which a cube is split again if a process is idle and no cube is waiting."""

_PATIENCE = 0.1


@dataclass(frozen=True)
class Done:
    """A cube is finished. `given` are the statistics of its process after loading, `counted` their growth since then."""

    process: int
    given: dict[str, int]
    counted: dict[str, int]


Work: TypeAlias = Callable[[Iterator[Cube]], Iterable[Any]]
"""The function that a process applies to its cubes: for each cube it yields the items found and then `Done`."""


def search(
    cubes: Iterable[Cube], work: Work, refine: Callable[[Cube], Sequence[Cube]], jobs: int
) -> Generator[Any, None, None]:
    """The items that `work` yields for the cubes, in no fixed order; when the iterator ends, all cubes are done.

    A cube may be abandoned and searched again in parts, which `refine` makes, so its items may be repeated. If a process
    raises an exception or dies, this raises the exception or Stopped after yielding all items found so far.
    """
    waiting, workers, whole = deque(cubes), list[_Worker](), set[Cube]()
    try:
        while True:
            for worker in workers:
                if waiting and worker.cube is None:
                    worker.begin(waiting.popleft())
            while waiting and len(workers) < jobs:
                workers.append(_Worker(work))
                workers[-1].begin(waiting.popleft())
            busy = [worker for worker in workers if worker.cube is not None]
            if not busy:
                return
            hardest = min(busy, key=lambda worker: (worker.cube in whole, worker.since))
            cube = hardest.cube
            if len(busy) < jobs and time.monotonic() > hardest.since + HARD and cube is not None and cube not in whole:
                parts = refine(cube)
                if len(parts) == 1:
                    whole.add(cube)
                    continue
                yield from hardest.rest()
                workers.remove(hardest)
                waiting.extend(parts if hardest.cube else ())
                continue
            wait([worker.child.connection for worker in busy], _PATIENCE)
            for worker in busy:
                if worker.child.ready():
                    yield worker.read()
    except Exception:
        for worker in workers:
            with suppress(Exception):
                yield from worker.rest()
        raise
    finally:
        for worker in workers:
            worker.close()


class _Worker:
    """A child process that works on cubes."""

    def __init__(self, work: Work) -> None:
        receiver, self._sender = multiprocessing.Pipe(duplex=False)
        self.child: Child[Any] = Child(partial(_serve, work, receiver))
        receiver.close()
        self.cube: Cube | None = None
        self.since = 0.0

    def begin(self, cube: Cube) -> None:
        """Send a cube to the process, which has finished the previous one."""
        self.cube, self.since = cube, time.monotonic()
        with suppress(BrokenPipeError):  # the process has died; `read` will report it
            self._sender.send(cube)

    def read(self) -> Any:
        """The next item."""
        item = next(self.child)
        if isinstance(item, Done):
            self.cube = None
        return item

    def rest(self) -> Iterator[Any]:
        """Kill the process and yield the items that it sent before."""
        self.child.stop("given up")
        with suppress(Stopped):
            while True:
                yield self.read()

    def close(self) -> None:
        self._sender.close()
        self.child.close()


def _serve(work: Work, receiver: Connection) -> Iterable[Any]:
    return work(iter(receiver.recv, None))
