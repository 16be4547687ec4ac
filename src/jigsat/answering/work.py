"""The work on a task: its ways are tried in turn, until the answer is final."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing

from jigsat.answering.plan import make_plan
from jigsat.answering.task import Desk, Task
from jigsat.backends import AUTO
from jigsat.errors import CheckError
from jigsat.puzzle import Puzzle
from jigsat.questions import Answer, Chosen, Event, FirstSolutions, Means
from jigsat.subject import PuzzleSubject
from jigsat.symmetry import Level


def answer_task(task: Task, desk: Desk) -> Iterator[Event]:
    """What happens until the answer is final.

    Raises InputError for means that cannot be used, Stopped if a solver gives up, and CheckError if
    it found something that is not a solution.
    """
    answer = task.begin_answer()
    for way in make_plan(task):
        yield Chosen(way.why)
        for event in way.run(desk, answer):
            answer.add(event)
            yield event
        if answer.is_final:
            return
    raise CheckError(f"{task.subject.name}: the work ended without an answer. This is a bug")


def solve_all(
    puzzles: Iterable[Puzzle],
    backend: str = AUTO,
    limit: int | None = 2,
    up_to: Level = Level.NOTHING,
) -> Iterator[Answer]:
    """The first solutions of each puzzle, without the reasons if there is none. Lazy: a puzzle is
    solved when its answer is requested.

    Raises InputError for an unknown backend, Stopped if the solver gives up, and CheckError if it
    found something that is not a solution.

    >>> from jigsat.instance import load
    >>> puzzles = [load("cats"), load("cube")]
    >>> [(len(answer.solutions), answer.complete) for answer in solve_all(puzzles, limit=5)]
    [(4, True), (5, False)]
    """
    question = FirstSolutions(up_to, limit, explain=False)
    means = Means(backend)
    with closing(Desk(backend)) as desk:
        for puzzle in puzzles:
            task = Task(PuzzleSubject(puzzle), question, means)
            answer = task.begin_answer()
            assert isinstance(answer, Answer)
            for event in answer_task(task, desk):
                answer.add(event)
            yield answer
