"""Answers to questions about several puzzles, one after the other in this process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing

from jigsat.answering.task import Desk, Task
from jigsat.answering.work import answer_task
from jigsat.puzzle import Puzzle
from jigsat.questions import Answer, FirstSolutions, Means
from jigsat.subject import PuzzleSubject
from jigsat.symmetry import Level


def solve_all(
    puzzles: Iterable[Puzzle],
    backend: str = "auto",
    limit: int | None = 2,
    up_to: Level = Level.NOTHING,
) -> Iterator[Answer]:
    """The first solutions of each puzzle, without the reasons if there is none. Puzzles that differ
    only in their clues share a solver."""
    question = FirstSolutions(up_to, limit, explain=False)
    with closing(Desk(backend)) as desk:
        for puzzle in puzzles:
            task = Task(PuzzleSubject(puzzle), question, Means(backend))
            answer = task.begin_answer()
            assert isinstance(answer, Answer)
            for event in answer_task(task, desk):
                answer.add(event)
            yield answer
