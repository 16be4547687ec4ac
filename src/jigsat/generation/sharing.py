"""Generating many puzzles in several processes. The number of processes does not change the
puzzles."""

import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import partial
from multiprocessing.connection import wait
from types import MappingProxyType

from jigsat.errors import Interrupted, Stopped
from jigsat.generation.generator import Form, GeneratedPuzzle
from jigsat.generation.sources import GenerationTask, generate_from
from jigsat.runtime.child import Child

Numbered = tuple[int, GeneratedPuzzle]
POLL_INTERVAL_S = 0.1
Forms = frozenset[Form]  # what no two puzzles of a run share


class _Numbers:
    """The puzzles of a run by number, and which of them are final.

    A puzzle is final once it shares no form with those of all lower numbers. They become final in
    order, so that a replacement does not depend on the number of processes.
    """

    def __init__(self, done: Mapping[int, Forms], others: Forms) -> None:
        self._forms = dict(done)
        self._next = 1  # the lowest number whose puzzle is not final
        self.final = set(others)  # what the final puzzles have, and puzzles of other runs

    def add(self, number: int, forms: Forms) -> bool:
        """Add a puzzle; whether it differs from the final ones."""
        self._forms[number] = forms
        return self.final.isdisjoint(forms)

    def take_repeated(self) -> int | None:
        """The number of the next puzzle that equals one with a lower number, and must be found
        again."""
        while self._next in self._forms:
            forms = self._forms[self._next]
            if not self.final.isdisjoint(forms):
                del self._forms[self._next]
                return self._next
            self.final |= forms
            self._next += 1
        return None


def generate_shared(
    task: GenerationTask,
    count: int,
    jobs: int,
    timeout: float | None,
    done: Mapping[int, Forms] = MappingProxyType({}),
    others: Forms = frozenset(),
) -> Iterator[Numbered]:
    """The puzzles of `generate_from` with their numbers, as soon as they are found by one of the
    processes.

    Those with the numbers `done`, given with their forms, are left out; only where a generator
    learned from them, they are found again. Of equal puzzles in several batches the first one is
    kept, and none shares a form with `others`. Others take the place of the rest as soon as all
    puzzles with lower numbers are final, even of one that has been yielded. If one process is
    stopped, all are; what the others have found by then is yielded before the exception is raised.
    """
    run = _SharedRun(task, count, timeout, done, others)
    try:
        while run.start_up_to(jobs):
            yield from run.receive()
    except (Stopped, Interrupted):
        yield from run.stop()
        raise
    finally:
        run.close()


class _SharedRun:
    """The processes of a run. `count` puzzles are made in batches, one for each generator."""

    def __init__(
        self,
        task: GenerationTask,
        count: int,
        timeout: float | None,
        done: Mapping[int, Forms],
        others: Forms,
    ) -> None:
        self._task = task
        self._count = count
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._done = frozenset(done)
        self._batches = self._list_batches()
        self._children: list[Child[Numbered]] = []
        self._others = others
        self._puzzles = _Numbers(done, others)

    def _list_batches(self) -> Iterator[range]:
        """The numbers of the puzzles of each generator, unless all of them are done."""
        size = self._task.puzzles_per_generator
        for first in range(1, self._count + 1, size):
            numbers = range(first, min(first + size, self._count + 1))
            if not self._done.issuperset(numbers):
                yield numbers

    def start_up_to(self, jobs: int) -> bool:
        """Start processes as long as there are fewer than `jobs`; whether any is running."""
        while len(self._children) < jobs and self._start_next():
            pass
        return bool(self._children)

    def _start_next(self) -> bool:
        """Start a replacement or the next batch, if there is one."""
        repeated = self._puzzles.take_repeated()
        if repeated is not None:
            self._start(range(repeated, repeated + 1), (), sorted(self._puzzles.final))
            return True
        numbers = next(self._batches, None)
        if numbers is None:
            return False
        self._start(numbers, self._done, self._others)
        return True

    def _start(self, numbers: range, done: Collection[int], earlier: Collection[Form]) -> None:
        job = partial(_generate_numbered, self._task, numbers, done, self._count, earlier)
        timeout = None
        if self._deadline is not None:
            timeout = max(0.0, self._deadline - time.monotonic())
        self._children.append(Child(job, timeout=timeout))

    def receive(self) -> Iterator[Numbered]:
        """Wait for puzzles for a moment."""
        wait([child.connection for child in self._children], POLL_INTERVAL_S)
        ready = [child for child in self._children if child.ready()]
        for child in ready:
            try:
                number, generated = next(child)
            except StopIteration:
                self._children.remove(child)
                continue
            if generated.shortcoming or self._puzzles.add(number, generated.forms):
                yield number, generated

    def stop(self) -> Iterator[Numbered]:
        """Stop all processes; yields what they have found by then."""
        for child in self._children:
            child.stop("another process was stopped")
            with suppress(Stopped, Interrupted, StopIteration):
                while True:
                    yield next(child)

    def close(self) -> None:
        for child in self._children:
            child.close()


def _generate_numbered(
    task: GenerationTask,
    numbers: range,
    done: Collection[int],
    count: int,
    earlier: Collection[Form],
) -> Iterator[Numbered]:
    number = numbers.start
    try:
        for generated in generate_from(task, len(numbers), numbers.start, earlier):
            if number not in done:
                yield number, generated
            number += not generated.shortcoming
    except Stopped as reason:
        if count == 1:
            raise
        raise reason.within(f"puzzle {number:,}") from reason
