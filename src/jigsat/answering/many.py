"""The answers to a question about each of some puzzles, by other processes that are stopped at a
limit or by a signal."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from jigsat.answering.plan import can_divide
from jigsat.answering.task import Desk, Task
from jigsat.answering.work import answer_task
from jigsat.errors import CheckError, Interrupted, Stopped, stops_named
from jigsat.puzzle import Puzzle
from jigsat.questions import (
    Answer,
    Chosen,
    Event,
    FirstSolutions,
    Found,
    Halted,
    LongSearch,
    Means,
    PuzzleAnswer,
    PuzzleQuestion,
    Rate,
    RatingAnswer,
    begin_answer,
)
from jigsat.runtime.executors import Processes
from jigsat.subject import PuzzleSubject

MAX_SENT_TOGETHER = 50
"""The number of puzzles in a job; a placement in several of their solutions is sent once."""

JOBS_LEFT = 4
"""The number of jobs for each process in which the puzzles that are left would be done, so that all
processes end at about the same time."""

HARD_AFTER_S = 5.0
"""Seconds of a search after which its puzzle counts as hard. When a process has nothing to do, a
hard puzzle is divided: the search so far is lost, and others search its parts. If that is not
possible, other processes take the puzzles that wait behind it."""

WAIT_S = 1.0  # seconds between two looks at what was found

Report: TypeAlias = tuple[int, Event]
"""An event about the puzzle of this number, counted from 0."""


@dataclass(frozen=True)
class Job:
    """Some puzzles, by number, for one process.

    With several `processes`, the process starts as many others for the parts of the search. What is
    `known` about the only puzzle of the job is not reported again.
    """

    puzzles: Sequence[int]
    processes: int = 1
    known: tuple[Event, ...] = ()


def answer_each(
    question: PuzzleQuestion, puzzles: Sequence[Puzzle], means: Means
) -> Generator[PuzzleAnswer, None, None]:
    """The answer for each puzzle, in order, whatever stops the work.

    After the last one, what stopped it before an answer was known is raised: Stopped, or
    KeyboardInterrupt. The puzzles wait in one queue, from which the processes take the next ones.
    When the queue is empty, a hard puzzle is divided among the processes, or those that wait behind
    it go to another process.
    """
    stop: Stopped | KeyboardInterrupt | None = None
    lost: Stopped | KeyboardInterrupt | None = None  # what stopped an answer that is not known
    with ExitStack() as stack:
        if means.store is not None:
            from jigsat.ledger.file import checkpoint

            stack.callback(checkpoint, means.store)
        run = stack.enter_context(closing(_Run(question, puzzles, means)))
        doing = f" while {question.doing}" if question.doing else ""
        for number, puzzle in enumerate(puzzles):
            answer = run.answers[number]
            try:
                with stops_named(puzzle.name, doing):
                    run.finish(number)
            except (Stopped, KeyboardInterrupt) as reason:
                stop = stop or reason
                answer.add(Halted(stop_in_words(stop)))
                if not answer.is_known:
                    lost = stop
            yield answer
    if lost is not None:
        raise lost


class _Run:
    """The processes that answer a question about some puzzles, and the answers so far."""

    def __init__(self, question: PuzzleQuestion, puzzles: Sequence[Puzzle], means: Means) -> None:
        self.answers = [begin_answer(question, puzzle) for puzzle in puzzles]
        # what ended the work on a puzzle before its answer was final
        self._ends: dict[int, BaseException] = {}
        processes = min(means.jobs, len(puzzles))
        kind: type[_PuzzleWorker] = _PuzzleWorker
        shares = list(share_out(len(puzzles), processes))
        self._may_help = means.jobs > 1
        if means.store is not None or means.cluster is not None:
            # one process coordinates the others
            processes = 1
            kind = _LedgerWorker
            shares = [range(len(puzzles))]
            self._may_help = False
        make = partial(kind, question, puzzles, means)
        self._question = question
        self._puzzles = puzzles
        self._means = means
        self._workers = Processes(processes, make, timeout=means.timeout)
        self._jobs: list[Job] = []
        self._heard: dict[int, float] = {}  # when something was received of a job
        self._indivisible: set[int] = set()  # puzzles of which this was found out
        self._shortened: set[int] = set()  # jobs whose last puzzles were handed over
        for share in shares:
            self._submit(Job(share))

    def finish(self, number: int) -> None:
        """Wait until the answer for this puzzle is final. Raises what ended the work before."""
        answer = self.answers[number]
        while not answer.is_final and number not in self._ends:
            if not self._workers.is_busy:
                raise CheckError(f"{answer.puzzle.name}: no answer was sent. This is a bug")
            self._receive()
        if not answer.is_final:
            raise self._ends[number]

    def _receive(self) -> None:
        """Add what was found to the answers."""
        try:
            received = self._workers.receive(WAIT_S)
        except KeyboardInterrupt as interrupt:
            self._ends |= dict.fromkeys(range(len(self.answers)), interrupt)
            return
        for job, reports in received:
            if isinstance(reports, BaseException):
                self._ends |= dict.fromkeys(self._jobs[job].puzzles, reports)
            else:
                self._heard[job] = time.monotonic()
                # Others answer the puzzles that were handed over.
                own = self._jobs[job].puzzles
                for number, event in reports:
                    if number in own:
                        self.answers[number].add(event)
        if self._may_help:
            self._end_shortened_jobs()
            self._relieve_hard_puzzle()

    def _end_shortened_jobs(self) -> None:
        """End the processes that would go on with puzzles that were handed over."""
        for job in self._workers.under_way:
            (number, *_) = self._jobs[job].puzzles
            if job in self._shortened and self.answers[number].is_final:
                self._workers.abandon(job)

    def _submit(self, job: Job) -> None:
        self._workers.submit(len(self._jobs), job)
        self._jobs.append(job)

    def _relieve_hard_puzzle(self) -> None:
        """If a process has nothing to do, let it help where a search takes long.

        The search ends, and all processes that are free search its parts. One that cannot be
        divided goes on, and the free processes answer the puzzles that wait behind it.
        """
        under_way = self._workers.under_way
        free = self._means.jobs - sum(self._jobs[job].processes for job in under_way)
        if free <= 0:
            return
        now = time.monotonic()
        for job in under_way:
            begun = self._heard.setdefault(job, now)
            left = [
                number for number in self._jobs[job].puzzles if not self.answers[number].is_final
            ]
            if not left or now <= begun + HARD_AFTER_S:
                continue
            hard, *others = left
            if self._jobs[job].processes == 1 and self._may_be_divided(hard):
                self._workers.abandon(job)
                self._submit(Job([hard], free + 1, list_known(self.answers[hard])))
                if others:
                    self._submit(Job(others))
                return
            if others:
                self._hand_over(job, hard, others, free)
                return

    def _hand_over(self, job: int, hard: int, others: Sequence[int], processes: int) -> None:
        """Have other processes answer the puzzles that wait behind a hard one."""
        self._jobs[job] = replace(self._jobs[job], puzzles=[hard])
        self._shortened.add(job)
        for share in share_out(len(others), processes):
            self._submit(Job([others[i] for i in share]))

    def _may_be_divided(self, number: int) -> bool:
        """Whether the search for one of the puzzles can be divided. If it cannot, this is
        remembered: the puzzle is read to find out, and the question comes back many times."""
        is_search = isinstance(self._question, FirstSolutions)
        if not is_search or self.answers[number].is_known or number in self._indivisible:
            return False
        task = Task(PuzzleSubject(self._puzzles[number]), self._question, self._means)
        if not can_divide(task):
            self._indivisible.add(number)
            return False
        return True

    def close(self) -> None:
        """End the processes."""
        self._workers.close()


def list_known(answer: PuzzleAnswer) -> tuple[Event, ...]:
    """The events from which a search goes on."""
    assert isinstance(answer, Answer)
    return tuple(Found(solution.placements, solution.relation) for solution in answer.solutions)


def share_out(total: int, processes: int) -> Iterator[range]:
    """Ranges of the numbers below the total, the large ones first.

    >>> [len(share) for share in share_out(20, 2)]
    [2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    """
    first = 0
    while first < total:
        size = (total - first) // (JOBS_LEFT * processes)
        size = max(1, min(size, MAX_SENT_TOGETHER))
        yield range(first, first + size)
        first += size


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


class _PuzzleWorker:
    """Answers a question about some of the puzzles. The solvers are kept for the next job."""

    def __init__(self, question: PuzzleQuestion, puzzles: Sequence[Puzzle], means: Means) -> None:
        self._question = question
        self._puzzles = puzzles
        self._means = means
        self._desk = Desk(means.backend)

    def work(self, job: Job) -> Iterator[list[Report]]:
        """What happens, in lists. Everything that is known is sent before anything that may take
        long."""
        means = replace(self._means, jobs=job.processes)
        ready: list[Report] = []
        try:
            for number in job.puzzles:
                task = Task(PuzzleSubject(self._puzzles[number]), self._question, means)
                for event in answer_task(task, self._desk, job.known):
                    if isinstance(event, LongSearch):
                        yield ready
                        ready = []
                    elif not isinstance(event, Chosen):
                        ready.append((number, event))
        except Exception:
            yield ready
            raise
        yield ready

    def close(self) -> None:
        """Close the solvers."""
        self._desk.close()


class _LedgerWorker(_PuzzleWorker):
    """Answers the question about all puzzles with a ledger, perhaps by workers of its own."""

    def work(self, job: Job) -> Iterator[list[Report]]:
        from jigsat.answering.puzzle_ledger import answer_with_ledger

        return answer_with_ledger(self._question, self._puzzles, self._means)
