"""The answers to a question about each of some puzzles, by other processes that are stopped at a
limit or by a signal."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from itertools import chain, cycle
from typing import TypeAlias

from jigsat.answering.task import Desk, Task
from jigsat.answering.work import answer_task
from jigsat.errors import CheckError, Interrupted, Stopped, stops_named
from jigsat.puzzle import Puzzle
from jigsat.questions import (
    Answer,
    Chosen,
    Event,
    FirstSolutions,
    Halted,
    LongSearch,
    Means,
    PuzzleAnswer,
    PuzzleQuestion,
    Rate,
    RatingAnswer,
    begin_answer,
)
from jigsat.runtime.child import Child
from jigsat.subject import PuzzleSubject

# number of puzzles in a message; a placement in several of their solutions is sent once
MAX_SENT_TOGETHER = 50

Report: TypeAlias = tuple[int, Event]
"""An event about the puzzle of this number, counted from 0."""


def answer_each(
    question: PuzzleQuestion, puzzles: Sequence[Puzzle], means: Means
) -> Generator[PuzzleAnswer, None, None]:
    """The answer for each puzzle, in order, whatever stops the work.

    After the last one, what stopped it before an answer was known is raised: Stopped, or
    KeyboardInterrupt. With a store or a cluster, the workers share the puzzles as they finish them.
    Without, each process has every n-th puzzle.
    """
    stop: Stopped | KeyboardInterrupt | None = None
    lost: Stopped | KeyboardInterrupt | None = None  # what stopped an answer that is not known
    with ExitStack() as stack:
        if means.store is not None:
            from jigsat.ledger.file import checkpoint

            stack.callback(checkpoint, means.store)
        children = [
            stack.enter_context(closing(Child(job, timeout=means.timeout)))
            for job in _divide(question, puzzles, means)
        ]
        streams = cycle([chain.from_iterable(child) for child in children])
        doing = f" while {question.doing}" if question.doing else ""
        for expected, (puzzle, reports) in enumerate(zip(puzzles, streams, strict=False)):
            answer = begin_answer(question, puzzle)
            try:
                with stops_named(puzzle.name, doing):
                    while not answer.is_final and (report := next(reports, None)):
                        number, event = report
                        assert number == expected  # each process goes on in order
                        answer.add(event)
            except (Stopped, KeyboardInterrupt) as reason:
                stop = stop or reason
            if not answer.is_final:
                if stop is None:
                    raise CheckError(f"{puzzle.name}: no answer was sent. This is a bug")
                answer.add(Halted(stop_in_words(stop)))
                if not answer.is_known:
                    lost = stop
            yield answer
    if lost is not None:
        raise lost


def find_first_solutions(
    question: FirstSolutions, puzzles: Sequence[Puzzle], means: Means
) -> Generator[Answer, None, None]:
    """The first solutions of each puzzle; see `answer_each`."""
    with closing(answer_each(question, puzzles, means)) as answers:
        for answer in answers:
            assert isinstance(answer, Answer)
            yield answer


def rate_each(puzzles: Sequence[Puzzle], means: Means) -> Generator[RatingAnswer, None, None]:
    """The difficulty of each puzzle; see `answer_each`."""
    with closing(answer_each(Rate(), puzzles, means)) as answers:
        for answer in answers:
            assert isinstance(answer, RatingAnswer)
            yield answer


def stop_in_words(reason: Stopped | KeyboardInterrupt) -> str:
    """The reason a run stopped, in the words used by answers."""
    return reason.reason if isinstance(reason, Stopped | Interrupted) else str(reason)


def _divide(
    question: PuzzleQuestion, puzzles: Sequence[Puzzle], means: Means
) -> list[Callable[[], Iterator[list[Report]]]]:
    """What each process does."""
    if means.store is not None or means.cluster is not None:
        from jigsat.answering.puzzle_ledger import answer_with_ledger

        return [partial(answer_with_ledger, question, puzzles, means)]
    number = min(means.jobs, len(puzzles))
    return [
        partial(_answer_some, question, puzzles, means, range(first, len(puzzles), number))
        for first in range(number)
    ]


def _answer_some(
    question: PuzzleQuestion, puzzles: Sequence[Puzzle], means: Means, numbers: Sequence[int]
) -> Iterator[list[Report]]:
    """What happens to some of the puzzles, in lists. Everything that is known is sent before
    anything that may take long."""
    ready: list[Report] = []
    answered = 0
    try:
        with closing(Desk(means.backend)) as desk:
            for number in numbers:
                task = Task(PuzzleSubject(puzzles[number]), question, means)
                for event in answer_task(task, desk):
                    if isinstance(event, LongSearch):
                        yield ready
                        ready, answered = [], 0
                    elif not isinstance(event, Chosen):
                        ready.append((number, event))
                answered += 1
                if answered == MAX_SENT_TOGETHER:
                    yield ready
                    ready, answered = [], 0
    except Exception:
        yield ready
        raise
    yield ready
