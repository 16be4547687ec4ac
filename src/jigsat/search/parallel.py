"""Work on cubes in several processes: each takes one after the other, and a cube that proves hard is split again."""

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
"""Seconds after which a cube is split again, if a process has nothing to do and no cube is waiting."""

_PATIENCE = 0.1


@dataclass(frozen=True)
class Done:
    """Says that a cube holds no more than what came from it; with what its process was given and has counted since."""

    process: int
    given: dict[str, int]
    counted: dict[str, int]


Work: TypeAlias = Callable[[Iterator[Cube]], Iterable[Any]]
"""What a process does with the cubes it is handed: whatever it finds in one, and then `Done`."""


def search(
    cubes: Iterable[Cube], work: Work, refine: Callable[[Cube], Sequence[Cube]], jobs: int
) -> Generator[Any, None, None]:
    """What `work` finds in the cubes, and each `Done`, in no fixed order; when this ends, all of them are done.

    A cube may be begun, given up and begun again in parts, which `refine` makes, so what was found in it may come again.
    Raises what a process raises, and Stopped if one ends without a word, once all that was found has been handed on.
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
    """A process that is handed cubes."""

    def __init__(self, work: Work) -> None:
        receiver, self._sender = multiprocessing.Pipe(duplex=False)
        self.child: Child[Any] = Child(partial(_serve, work, receiver))
        receiver.close()
        self.cube: Cube | None = None
        self.since = 0.0

    def begin(self, cube: Cube) -> None:
        """Hand the process a cube, the last one being done."""
        self.cube, self.since = cube, time.monotonic()
        with suppress(BrokenPipeError):  # the process has ended, which will be found out when its items are read
            self._sender.send(cube)

    def read(self) -> Any:
        """The next item."""
        item = next(self.child)
        if isinstance(item, Done):
            self.cube = None
        return item

    def rest(self) -> Iterator[Any]:
        """Kill the process; the items that it had sent before."""
        self.child.stop("given up")
        with suppress(Stopped):
            while True:
                yield self.read()

    def close(self) -> None:
        self._sender.close()
        self.child.close()


def _serve(work: Work, receiver: Connection) -> Iterable[Any]:
    return work(iter(receiver.recv, None))
