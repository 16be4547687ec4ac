"""The service that answers a question about one puzzle or formula, within limits."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import closing
from functools import partial
from typing import overload

from jigsat.answering.many import stop_in_words
from jigsat.answering.task import Desk, Task
from jigsat.answering.work import answer_task
from jigsat.errors import Interrupted, Stopped
from jigsat.questions import (
    AlternativesAnswer,
    Answer,
    CandidatesAnswer,
    Chosen,
    Event,
    FindAlternatives,
    FindCandidates,
    FirstSolutions,
    Halted,
    Means,
    PuzzleAnswer,
    Question,
    Rate,
    RatingAnswer,
    Result,
    Solutions,
)
from jigsat.runtime.child import Child
from jigsat.subject import Problem, subject_of


@overload
def answer_question(
    question: FirstSolutions, problem: Problem, means: Means | None = None
) -> Answer: ...
@overload
def answer_question(
    question: Rate, problem: Problem, means: Means | None = None
) -> RatingAnswer: ...
@overload
def answer_question(
    question: FindCandidates,
    problem: Problem,
    means: Means | None = None,
    *,
    isolated: bool = False,
) -> CandidatesAnswer: ...
@overload
def answer_question(
    question: FindAlternatives,
    problem: Problem,
    means: Means | None = None,
    *,
    isolated: bool = False,
) -> AlternativesAnswer: ...
@overload
def answer_question(
    question: Solutions, problem: Problem, means: Means | None = None
) -> Result: ...
def answer_question(
    question: Question, problem: Problem, means: Means | None = None, *, isolated: bool = False
) -> Result | PuzzleAnswer | CandidatesAnswer | AlternativesAnswer:
    """The answer to a question. If a limit or a signal stops the work, it has what is known, and
    `stopped_by` says which.

    With a limit, or if it is `isolated`, the work is done in another process, which a signal stops
    at once. Raises InputError for means that cannot be used, and CheckError if something was found
    that is not a solution.
    """
    task = Task(subject_of(problem), question, means or Means())
    answer = task.begin_answer()
    started = time.monotonic()
    try:
        with closing(_begin(task, isolated)) as events:
            for event in events:
                answer.add(event)
    except (Stopped, Interrupted) as reason:
        answer.add(Halted(stop_in_words(reason)))
    if isinstance(answer, Result):
        answer.seconds = time.monotonic() - started
    return answer


def follow_answer(question: FindCandidates, problem: Problem) -> Iterator[CandidatesAnswer]:
    """The answer so far, the same object whenever more is known."""
    task = Task(subject_of(problem), question)
    answer = task.begin_answer()
    assert isinstance(answer, CandidatesAnswer)
    with closing(_answer(task)) as events:
        for event in events:
            answer.add(event)
            if not isinstance(event, Chosen):
                yield answer


def _begin(task: Task, isolated: bool) -> Generator[Event, None, None] | Child[Event]:
    """What happens, in another process if there are limits."""
    job = partial(_answer, task)
    if not isolated and not task.means.need_process:
        return job()
    return Child(job, timeout=task.means.timeout, memory=task.means.memory)


def _answer(task: Task) -> Generator[Event, None, None]:
    with closing(Desk(task.means.backend)) as desk:
        yield from answer_task(task, desk)
