"""The search that can be watched: it finds all solutions, and its counts add up."""

from __future__ import annotations

import pytest
from support.inside import jigsat as command

import jigsat
from jigsat.search.watched import watch_search


@pytest.mark.parametrize("name", ["cats", "black-and-white", "sudoku-hard", "latin-4"])
def test_positions_lead_to_all_solutions(name: str) -> None:
    puzzle = jigsat.load(name)
    formula = puzzle.encode()
    decisions = set(formula.decisions())
    solved = set()
    before: tuple[int, ...] = ()
    for position in watch_search(formula):
        if position.solved:
            solved.add(frozenset(decisions.intersection(position.placed)))
            assert len(solved) == position.solutions
        elif len(position.placed) > len(before):
            assert position.placed[:-1] == before
        else:
            assert position.placed == before[:-1]
        assert len(position.placed) == position.placements - position.taken_back
        before = position.placed
    assert before == ()
    listed = {solution.placements for solution in jigsat.solutions(puzzle, up_to="nothing")}
    watched = {frozenset(map(formula.key, model)) for model in solved}
    assert watched == set(map(frozenset, listed))


def test_every_hundredth_position_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = command(capsys, "solve", "cube", "--watch", "--limit", "12")
    lines = out.splitlines()
    assert status == 0
    assert sum(line.startswith("Solution ") for line in lines) == 12
    shown = [line for line in lines if " placed now; " in line]
    positions = sum(1 for _ in watch_to_solution("cube", 12))
    assert len(shown) == (positions - 1) // 100 + 2  # and the last line
    assert lines[-1].startswith("cube: 6 placed now; ")
    assert lines[-1].endswith("12 solutions")


def watch_to_solution(name: str, number: int) -> list[object]:
    positions = []
    for position in watch_search(jigsat.load(name).encode()):
        positions.append(position)
        if position.solved and position.solutions == number:
            break
    return positions


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["lights-5x5", "--watch"], "lights-5x5: --watch shows how places are filled"),
        (["cats", "--watch", "--json"], "cats: --json cannot be used with --watch"),
        (["cats", "--watch", "--sorted"], "cats: --watch cannot be used with --sorted"),
    ],
)
def test_what_cannot_be_watched(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, message = command(capsys, "solve", *arguments)
    assert (status, out) == (2, "")
    assert complaint in message
    assert message.count("\n") == 1
