"""Answers that child processes send."""

from collections.abc import Iterator

import pytest

from jigsat.backends.engine import is_compiled
from jigsat.errors import CheckError
from jigsat.instance import load
from jigsat.puzzle import Puzzle
from jigsat.solving import many
from jigsat.solving.answers import Solve, solve_all
from jigsat.solving.many import answer_each
from jigsat.solving.question import Findings, FunctionQuestion
from jigsat.solving.task import Resources


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
    answers = list(answer_each(Solve(limit=3, up_to="rotation"), puzzles, Resources(jobs=jobs)))
    assert [each.answer for each in answers] == list(solve_all(puzzles, limit=3, up_to="rotation"))
    assert [each.puzzle for each in answers] == puzzles
    assert not any(each.reason for each in answers)


def test_answers_are_sent_together_until_a_search_may_take_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, two, unknown, known = (
        Findings([1]),
        Findings([2]),
        Findings([], final=False),
        Findings([1], final=False),
    )

    def find() -> Iterator[Findings]:
        yield from (one, two, unknown, one, known, known, two)
        raise CheckError("wrong")

    sent = many._send_together(find)
    assert next(sent) == [one, two, unknown], "what is known before a search that takes long"
    assert [next(sent), next(sent)] == [[one, known], [known]]
    assert next(sent) == [two]
    with pytest.raises(CheckError, match="wrong"):
        next(sent)
    monkeypatch.setattr(many, "MAX_SENT_TOGETHER", 2)
    assert list(many._send_together(lambda: iter([one, two, one]))) == [[one, two], [one]]


def test_any_question_has_an_answer_for_each_puzzle_until_an_error() -> None:
    def count_clues(puzzle: Puzzle) -> int:
        if puzzle.name == "cube":
            raise CheckError("wrong")
        return len(puzzle.clues())

    names = ["sudoku-hard", "cats", "cube", "fish"]
    answers = answer_each(
        FunctionQuestion(count_clues, "counting"), list(map(load, names)), Resources(jobs=2)
    )
    assert [next(answers).answer, next(answers).answer] == [[len(load("sudoku-hard").clues())], [0]]
    with pytest.raises(CheckError, match="wrong"):
        next(answers)
