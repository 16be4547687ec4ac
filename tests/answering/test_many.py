"""Answers that child processes send."""

from collections.abc import Iterator
from typing import Any

import pytest
from support.answers import solve_all

from jigsat.answering import many
from jigsat.answering.many import find_first_solutions, rate_each
from jigsat.answering.task import Desk, Task
from jigsat.backends.engine import is_compiled
from jigsat.errors import CheckError
from jigsat.instance import load
from jigsat.questions import Established, Event, FirstSolutions, LongSearch, Means
from jigsat.symmetry import Level


@pytest.mark.skipif(not is_compiled(), reason="what a solver finds depends on the puzzles before")
@pytest.mark.parametrize("jobs", [1, 2, 9])
@pytest.mark.parametrize("together", [1, 2, 50])
def test_sent_solutions_are_those_found(
    monkeypatch: pytest.MonkeyPatch, together: int, jobs: int
) -> None:
    monkeypatch.setattr(many, "MAX_SENT_TOGETHER", together)
    grids = ["12..34......21..", "...1........2...", "1.......2.......", "4321............"]
    puzzles = [
        load({"family": "sudoku", "grid": [grid[i : i + 4] for i in range(0, 16, 4)]})
        for grid in grids
    ]
    puzzles.insert(2, load("cats"))
    question = FirstSolutions(Level.ROTATION, limit=3, explain=False)
    answers = list(find_first_solutions(question, puzzles, Means(jobs=jobs)))
    assert answers == list(solve_all(puzzles, limit=3, up_to=Level.ROTATION))
    assert [answer.puzzle for answer in answers] == puzzles
    assert all(answer.is_final and answer.stopped_by is None for answer in answers)


def test_events_are_sent_together_until_a_search_may_take_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, two, long = Established("1"), Established("2"), LongSearch()
    events: dict[str, list[Event]] = {
        "cats": [one],
        "cube": [two, long, one],
        "fish": [long, two],
        "sudoku-hard": [one],
        "sudoku-6x6": [],
    }

    def answer_task(task: Task, desk: Desk) -> Iterator[Event]:
        yield from events[task.subject.name]
        if task.subject.name == "sudoku-6x6":
            raise CheckError("wrong")

    monkeypatch.setattr(many, "answer_task", answer_task)
    puzzles = [load(name) for name in events]

    def sent(numbers: list[int]) -> Iterator[list[Any]]:
        return many._PuzzleWorker(FirstSolutions(), puzzles, Means()).work(numbers)

    every = sent([0, 1, 2, 3, 4])
    assert next(every) == [(0, one), (1, two)], "what is known before a search that takes long"
    assert next(every) == [(1, one)]
    assert next(every) == [(2, two), (3, one)], "before the error"
    with pytest.raises(CheckError, match="wrong"):
        next(every)


def test_puzzles_are_shared_out_in_ever_smaller_jobs() -> None:
    for total, processes in [(0, 0), (1, 1), (7, 2), (1000, 3)]:
        shares = list(many.share_out(total, processes))
        assert [number for share in shares for number in share] == list(range(total))
        sizes = [len(share) for share in shares]
        assert sizes == sorted(sizes, reverse=True)
        assert max(sizes, default=0) <= many.MAX_SENT_TOGETHER
        assert not sizes or sizes[-1] == 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_puzzles_have_answers_until_an_error(monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    whole = many.answer_task

    def answer_task(task: Task, desk: Desk) -> Iterator[Event]:
        if task.subject.name == "cube":
            raise CheckError("wrong")
        yield from whole(task, desk)

    monkeypatch.setattr(many, "answer_task", answer_task)
    puzzles = [load(name) for name in ("sudoku-6x6", "cats", "cube", "fish")]
    answers = rate_each(puzzles, Means(jobs=jobs))
    first, second = next(answers), next(answers)
    assert (first.puzzle, second.puzzle) == (puzzles[0], puzzles[1])
    assert first.rating is not None and first.rating.level == "medium"
    with pytest.raises(CheckError, match="wrong"):
        next(answers)


def test_a_question_about_no_puzzles_has_no_answers() -> None:
    assert list(rate_each([], Means(jobs=2))) == []
