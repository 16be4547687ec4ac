"""Answers that child processes send."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.answers import solve_all
from support.stages import changed
from support.waiting import LONG, soon, with_time

from jigsat.answering import many, parts
from jigsat.answering.many import answer_each, find_first_solutions, rate_each
from jigsat.answering.parts import FindFirstInParts
from jigsat.answering.plan import can_divide, make_plan
from jigsat.answering.task import Desk, Task
from jigsat.backends import DEFAULT
from jigsat.backends.engine import is_compiled
from jigsat.errors import CheckError
from jigsat.instance import load
from jigsat.puzzle import Solution
from jigsat.questions import (
    Answer,
    Established,
    Event,
    FirstSolutions,
    Found,
    LongSearch,
    Means,
    PuzzleQuestion,
    Rate,
    begin_answer,
)
from jigsat.search import portfolio
from jigsat.subject import PuzzleSubject
from jigsat.symmetry import Group, Level


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

    def answer_task(task: Task, desk: Desk, known: Iterable[Event]) -> Iterator[Event]:
        yield from events[task.subject.name]
        if task.subject.name == "sudoku-6x6":
            raise CheckError("wrong")

    monkeypatch.setattr(many, "answer_task", answer_task)
    puzzles = [load(name) for name in events]

    def sent(numbers: list[int]) -> Iterator[list[Any]]:
        return many._PuzzleWorker(FirstSolutions(), puzzles, Means()).work(many.Job(numbers))

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

    def answer_task(task: Task, desk: Desk, known: Iterable[Event]) -> Iterator[Event]:
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


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("cats", Level.NOTHING),
        ("cats", Level.ALL),
        ("cube", Level.ROTATION),
        ("push-pull", Level.NOTHING),
        ("push-pull", Level.ROTATION),
        ("sudoku-6x6", Level.NOTHING),
        ("lights-unsolvable", Level.NOTHING),
    ],
)
def test_a_divided_search_has_the_same_answer(name: str, level: Level) -> None:
    """Also if some of the solutions are known before."""
    puzzle = load(name)
    question = FirstSolutions(level, limit=3, explain=False)
    (whole,) = solve_all([puzzle], limit=3, up_to=level)
    task = Task(PuzzleSubject(puzzle), question, Means(jobs=2))
    for number in range(len(whole.solutions) + 1):
        known = [Found(each.placements, each.relation) for each in whole.solutions[:number]]
        answer = begin_answer(question, puzzle)
        assert isinstance(answer, Answer)
        for event in [*known, *answer_divided(task, known)]:
            answer.add(event)
        assert (len(answer.solutions), answer.complete) == (len(whole.solutions), whole.complete)
        orbits = {find_orbit(each, level) for each in answer.solutions}
        assert len(orbits) == len(answer.solutions), "no solution is told twice"
        if whole.complete:
            assert orbits == {find_orbit(each, level) for each in whole.solutions}


def answer_divided(task: Task, known: list[Event]) -> Iterator[Event]:
    """What the search in parts reports, after what is known."""
    answer = task.begin_answer()
    for event in known:
        answer.add(event)
    if not answer.is_final:
        (way,) = [way for way in make_plan(task) if isinstance(way, FindFirstInParts)]
        with closing(Desk("auto")) as desk:
            yield from way.run(desk, answer)


def find_orbit(solution: Solution, level: Level) -> frozenset[frozenset[int]]:
    puzzle = solution.puzzle
    formula = puzzle.encode()
    variables = {formula.key(variable): variable for variable in formula.decisions()}
    model = frozenset(variables[placement] for placement in solution.placements)
    group = Group.of(formula, puzzle.symmetries())
    return frozenset(map(frozenset, group.orbit(model, level)))


def divide_at_once(
    monkeypatch: pytest.MonkeyPatch, answer_task: Callable[..., Iterator[Event]]
) -> list[many.Job]:
    """Have a search divided as soon as a process is free, and puzzles answered by this function.
    The jobs that are submitted from now on."""
    jobs = list[many.Job]()
    submit = many._Run._submit

    def note(run: Any, job: many.Job) -> None:
        jobs.append(job)
        submit(run, job)

    monkeypatch.setattr(many, "answer_task", answer_task)
    monkeypatch.setattr(many, "HARD_AFTER_S", 0.0)
    monkeypatch.setattr(many._Run, "_submit", note)
    return jobs


def test_a_hard_puzzle_is_divided_when_a_process_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search of one puzzle by one process never ends here; the others are done meanwhile."""
    whole = many.answer_task

    def answer_task(task: Task, desk: Desk, known: Iterable[Event]) -> Iterator[Event]:
        if task.subject.name == "cube" and task.means.jobs == 1:
            yield LongSearch()
            for event in whole(task, desk, known):
                if isinstance(event, Found):
                    yield event  # a solution is told before
                    break
            while True:
                yield LongSearch()
                time.sleep(3600)
        yield from whole(task, desk, known)

    jobs = divide_at_once(monkeypatch, answer_task)
    puzzles = [load(name) for name in ("cube", "cats", "sudoku-6x6", "lights-unsolvable")]
    question = FirstSolutions(Level.ROTATION, limit=3)
    answers = list(find_first_solutions(question, puzzles, Means(jobs=2)))
    assert [len(answer.solutions) for answer in answers] == [3, 1, 1, 0]
    assert [answer.complete for answer in answers] == [False, True, True, True]
    divided = [job for job in jobs if job.processes > 1]
    assert 0 in {number for job in divided for number in job.puzzles}
    assert {job.processes for job in divided} == {2}
    (found,) = [job.known for job in divided if list(job.puzzles) == [0]]
    assert len(found) <= 1 and all(isinstance(event, Found) for event in found)


def test_a_search_that_cannot_be_divided_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = many.answer_task
    asked = list[str]()

    def answer_task(task: Task, desk: Desk, known: Iterable[Event]) -> Iterator[Event]:
        if task.subject.name == "cube":
            yield LongSearch()
            time.sleep(2)  # meanwhile the other process has nothing to do
        yield from whole(task, desk, known)

    def refuse(task: Task) -> bool:
        asked.append(task.subject.name)
        return False

    jobs = divide_at_once(monkeypatch, answer_task)
    puzzles = [load(name) for name in ("cube", "cats")]
    question = FirstSolutions(Level.ROTATION)
    means = Means("sqlite", jobs=2)  # it does not search subproblems
    assert not can_divide(Task(PuzzleSubject(puzzles[1]), question, means))
    assert can_divide(Task(PuzzleSubject(puzzles[1]), question, Means(jobs=2)))
    monkeypatch.setattr(many, "can_divide", refuse)
    answers = list(find_first_solutions(question, puzzles, Means(jobs=2)))
    assert all(answer.is_final and answer.stopped_by is None for answer in answers)
    assert [list(job.puzzles) for job in jobs] == [[0], [1]], "no search is begun anew"
    assert len(asked) == len(set(asked)), "each puzzle is asked about once"


@pytest.mark.parametrize("question", [FirstSolutions(), Rate()])
def test_puzzles_behind_a_hard_one_go_to_a_free_process(
    question: PuzzleQuestion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hard one is not done before the next one, which is in the same job."""
    whole = many.answer_task
    is_done = tmp_path / "done"

    def answer_task(task: Task, desk: Desk, known: Iterable[Event]) -> Iterator[Event]:
        if task.subject.name == "cube":
            yield LongSearch()
            soon(is_done.exists)
        yield from whole(task, desk, known)
        if task.subject.name == "push-pull":
            is_done.touch()

    puzzles = [load(name) for name in ("cube", "push-pull", *["sudoku-6x6"] * 14)]
    expected = list(answer_each(question, [puzzles[0], puzzles[1], puzzles[2]], Means()))
    is_done.unlink(missing_ok=True)
    jobs = divide_at_once(monkeypatch, answer_task)
    monkeypatch.setattr(many, "can_divide", lambda task: False)
    answers = list(answer_each(question, puzzles, Means(jobs=2)))
    assert list(jobs[0].puzzles) == [0, 1]
    assert [1] in [list(job.puzzles) for job in jobs], "it was handed over"
    assert answers == [expected[0], expected[1], *[expected[2]] * 14]


def test_a_solution_of_a_divided_puzzle_is_kept_at_a_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The search of the whole puzzle never ends here, and that of its parts, which begins at once,
    stops after a solution."""
    monkeypatch.setattr(portfolio, "STAGES", changed({DEFAULT: {"models": 0}}))
    whole = many.answer_task
    run_parts = parts.SearchParts.run

    def answer_task(task: Task, desk: Desk, known: Iterable[Event]) -> Iterator[Event]:
        if task.means.jobs == 1:
            yield LongSearch()
            time.sleep(10 * LONG)
        yield from whole(task, desk, known)

    def run(search: parts.SearchParts, desk: Desk, answer: Any) -> Iterator[Event]:
        for event in run_parts(search, desk, answer):
            yield event
            if isinstance(event, Found):
                time.sleep(10 * LONG)

    divide_at_once(monkeypatch, answer_task)
    monkeypatch.setattr(parts.SearchParts, "run", run)

    def solve(seconds: float) -> Answer:
        means = Means(jobs=2, timeout=seconds)
        with closing(find_first_solutions(FirstSolutions(), [load("cube")], means)) as answers:
            return next(answers)

    answer = with_time(solve, lambda answer: answer.solutions, 4)
    assert (len(answer.solutions), answer.complete, answer.stopped_by) == (1, False, "timeout")
