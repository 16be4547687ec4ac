"""Answers that child processes send."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from jigsat.cli import replies
from jigsat.cli.replies import Replies
from jigsat.errors import CheckError
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


def test_answers_are_sent_together_until_a_search_is_not_brief(monkeypatch: pytest.MonkeyPatch) -> None:
    cats = load("cats")
    first, second = solve_all([cats, cats])
    placements = first.solutions[0].placements

    def attempts(*_: Any) -> Iterator[Any]:
        yield from (first, second, (), first, placements, placements, second)
        raise CheckError("wrong")

    monkeypatch.setattr(replies, "attempts", attempts)
    monkeypatch.setattr(replies, "TOGETHER", 1e9)
    sent = replies._sent([cats], "auto", 2, "nothing")
    assert [complete for _, complete in next(sent)] == [False, False], "what is known before a search that takes long"
    assert next(sent) == [([(s.placements, "") for s in first.solutions], False), ([(placements, "")], None)]
    assert next(sent) == [([(second.solutions[1].placements, "")], False)], "its first solution has been sent"
    with pytest.raises(CheckError, match="wrong"):
        next(sent)
    monkeypatch.setattr(replies, "TOGETHER", -1)
    assert len(next(replies._sent([cats], "auto", 2, "nothing"))) == 1
