"""Answers that child processes send."""

import pytest

from jigsat.errors import CheckError
from jigsat.instance import load
from jigsat.puzzle import Puzzle
from jigsat.solving.answers import Solve, solve_all
from jigsat.solving.many import answer_each
from jigsat.solving.question import FunctionQuestion
from jigsat.solving.task import Resources


@pytest.mark.parametrize("jobs", [1, 2, 9])
def test_sent_solutions_are_those_found(jobs: int) -> None:
    grids = ["12..34......21..", "...1........2...", "1.......2.......", "4321............"]
    puzzles = [load({"family": "sudoku", "grid": [grid[i : i + 4] for i in range(0, 16, 4)]}) for grid in grids]
    puzzles.insert(2, load("cats"))
    answers = list(answer_each(Solve(limit=3, up_to="rotation"), puzzles, Resources(jobs=jobs)))
    for (_, mine, _), theirs in zip(answers, solve_all(puzzles, limit=3, up_to="rotation"), strict=True):
        assert (len(mine.solutions), mine.complete) == (len(theirs.solutions), theirs.complete)
        if mine.complete:  # which of more solutions are found depends on the puzzles that the solver had before
            assert {each.placements for each in mine.solutions} == {each.placements for each in theirs.solutions}
    assert [each.puzzle for each in answers] == puzzles
    assert not any(each.reason for each in answers)


def test_any_question_has_an_answer_for_each_puzzle_until_an_error() -> None:
    def count_clues(puzzle: Puzzle) -> int:
        if puzzle.name == "cube":
            raise CheckError("wrong")
        return len(puzzle.clues())

    names = ["sudoku-hard", "cats", "cube", "fish"]
    answers = answer_each(FunctionQuestion(count_clues, "counting"), list(map(load, names)), Resources(jobs=2))
    assert [next(answers).answer, next(answers).answer] == [[len(load("sudoku-hard").clues())], [0]]
    with pytest.raises(CheckError, match="wrong"):
        next(answers)
