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
Forms = frozenset[Form]  # what no two puzzles of a run share


class _Numbers:
    """The puzzles of a run by number, and which of them are final.

    A puzzle is final once it shares no form with those of all lower numbers. They become final in
    order, so that a replacement does not depend on the number of processes.
    """

    def __init__(self, done: Mapping[int, Forms]) -> None:
        self._forms = dict(done)
        self._next = 1  # the lowest number whose puzzle is not final
        self.final = set[Form]()  # what the final puzzles have

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
) -> Iterator[Numbered]:
    """The puzzles of `generate_from` with their numbers, as soon as they are found by one of the
    processes.

    Those with the numbers `done`, given with their forms, are left out; only where a generator
    learned from them, they are found again. Of equal puzzles in several batches the first one is
    kept. Others take the place of the rest as soon as all puzzles with lower numbers are final,
    even of one that has been yielded. If one process is stopped, all are; what the others have
    found by then is yielded before the exception is raised.
    """
    deadline = None if timeout is None else time.monotonic() + timeout
    size = task.puzzles_per_generator
    batches = (range(first, min(first + size, count + 1)) for first in range(1, count + 1, size))
    waiting = (numbers for numbers in batches if any(number not in done for number in numbers))
    children: list[Child[Numbered]] = []
    puzzles = _Numbers(done)

    def start(numbers: range, done: Collection[int], earlier: Collection[Form]) -> None:
        job = partial(_generate_numbered, task, numbers, done, count, earlier)
        children.append(
            Child(job, timeout=None if deadline is None else max(0.0, deadline - time.monotonic()))
        )

    def start_next() -> bool:
        """Start a replacement or the next batch, if there is one."""
        repeated = puzzles.take_repeated()
        if repeated is not None:
            start(range(repeated, repeated + 1), (), sorted(puzzles.final))
            return True
        numbers = next(waiting, None)
        if numbers is not None:
            start(numbers, frozenset(done), ())
        return numbers is not None

    try:
        while True:
            while len(children) < jobs and start_next():
                pass
            if not children:
                return
            wait([child.connection for child in children], 0.1)
            for child in [child for child in children if child.ready()]:
                try:
                    number, generated = next(child)
                except StopIteration:
                    children.remove(child)
                    continue
                if generated.shortcoming or puzzles.add(number, generated.forms):
                    yield number, generated
    except (Stopped, Interrupted):
        for child in children:
            child.stop("another process was stopped")
            with suppress(Stopped, Interrupted, StopIteration):
                while True:
                    yield next(child)
        raise
    finally:
        for child in children:
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
