"""Answers that child processes send."""

from contextlib import closing

import pytest

from jigsat.cli import replies
from jigsat.cli.replies import Replies
from jigsat.instance import load
from jigsat.solving import solve_all


@pytest.mark.parametrize("numbered", [20, 100_000])
def test_sent_solutions_are_those_found(monkeypatch: pytest.MonkeyPatch, numbered: int) -> None:
    monkeypatch.setattr(replies, "NUMBERED", numbered)
    grids = ["12..34......21..", "...1........2...", "1.......2.......", "4321............"]
    puzzles = [load({"family": "sudoku", "grid": [grid[i : i + 4] for i in range(0, 16, 4)]}) for grid in grids]
    puzzles.insert(2, load("cats"))
    with closing(Replies(puzzles, "auto", "rotation", timeout=None, limit=3)) as said:
        assert [reply.answer for reply in said] == list(solve_all(puzzles, limit=3, up_to="rotation"))
