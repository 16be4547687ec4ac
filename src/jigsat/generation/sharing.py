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


def generate_shared(
    task: GenerationTask,
    count: int,
    jobs: int,
    timeout: float | None,
    done: Mapping[int, Form] = MappingProxyType({}),
) -> Iterator[Numbered]:
    """The puzzles of `generate_from` with their numbers, as soon as they are found by one of the
    processes.

    Those with the numbers `done`, given with their forms, are left out; only where a generator
    learned from them, they are found again. Of equal puzzles in several batches the first one is
    kept. In the end others take the place of the rest, even of one that has been yielded. If one
    process is stopped, all are; what the others have found by then is yielded before the exception
    is raised.
    """
    deadline = None if timeout is None else time.monotonic() + timeout
    size = task.puzzles_per_generator
    batches = (range(first, min(first + size, count + 1)) for first in range(1, count + 1, size))
    waiting = (numbers for numbers in batches if any(number not in done for number in numbers))
    children: list[Child[Numbered]] = []
    forms = {form: number for number, form in done.items()}
    repeated: set[int] = set()

    def start(numbers: range, done: Collection[int], earlier: Collection[Form]) -> None:
        job = partial(_generate_numbered, task, numbers, done, count, earlier)
        children.append(
            Child(job, timeout=None if deadline is None else max(0.0, deadline - time.monotonic()))
        )

    try:
        while True:
            for numbers in waiting if len(children) < jobs else ():
                start(numbers, frozenset(done), ())
                if len(children) == jobs:
                    break
            if not children and not repeated:
                return
            if not children:
                repeated.remove(again := min(repeated))
                start(range(again, again + 1), (), [*forms])
            wait([child.connection for child in children], 0.1)
            for child in [child for child in children if child.ready()]:
                try:
                    number, generated = next(child)
                except StopIteration:
                    children.remove(child)
                    continue
                if (
                    not generated.shortcoming
                    and (other := forms.setdefault(generated.form, number)) != number
                ):
                    forms[generated.form] = min(number, other)
                    repeated.add(max(number, other))
                    if number > other:
                        continue
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
