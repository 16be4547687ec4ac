"""Hints: three degrees, and first of all what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.inside import jigsat as run

import jigsat
from jigsat import instance
from jigsat.study.hints import find_hint

WRONG = '[{"cell": [0, 0], "value": "1"}]'
"""r1c1 of sudoku-6x6 is 5 or 6 in the end, though no single rule excludes 1."""


def hint(capsys: pytest.CaptureFixture[str], *arguments: Any) -> list[str]:
    done = run(capsys, "hint", *arguments)
    assert done.status == 0, done.err
    return list(done.out.splitlines())


def test_the_three_degrees_say_more_and_more(capsys: pytest.CaptureFixture[str]) -> None:
    assert hint(capsys, "sudoku-6x6") == ["Look at row 1."]
    assert hint(capsys, "sudoku-6x6", "--more") == [
        "Look at row 1. Hidden single: Where can 3 still go in row 1?"
    ]
    assert hint(capsys, "sudoku-6x6", "--more", "--more")[-3:] == [
        "Hidden single:",
        "In row 1, 3 can only go in r1c5.",
        "The 3s in r2c3 and r5c4 block the other empty cells.",
    ]


@pytest.mark.parametrize("name", ["sudoku-6x6", "black-and-white", "push-pull"])
def test_a_hint_never_tells_more_than_one_step(name: str) -> None:
    puzzle = instance.load(name)
    (solution,) = jigsat.solutions(puzzle, up_to="nothing")
    way = puzzle.way()
    words = " ".join(find_hint(puzzle).lines(3))
    unplaced = set(solution.placements) - set(puzzle.given_placements())
    assert sum(way.state(placement) in words for placement in unplaced) <= 1


def test_a_hint_says_that_there_are_several_solutions(capsys: pytest.CaptureFixture[str]) -> None:
    several = "There is more than one solution, so logic does not decide everything."
    first, look = hint(capsys, "sudoku-underconstrained")
    assert first == several and look.startswith("Look at ")
    assert hint(capsys, "sudoku-underconstrained", "--more", "--more")[:2].count(several) == 1
    assert several not in hint(capsys, "sudoku-6x6")


def test_what_is_wrong_is_said_first(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    given = tmp_path / "given.json"
    given.write_text(WRONG)
    *_, said = hint(capsys, "sudoku-6x6", "--given", given, "--more", "--more")
    assert said == "Not right: 1 goes in r1c1. No solution has that."


def test_placements_that_are_wrong_only_together() -> None:
    puzzle = instance.load("cats")
    one, *others = jigsat.solutions(puzzle, up_to="nothing")
    mixed = {*one.placements[:1], *others[0].placements[-1:]}
    (said,) = find_hint(puzzle, sorted(mixed)).lines(1)
    assert said.startswith("Not right: ") and said.endswith("No solution has all of that together.")
    for placement in mixed:
        assert puzzle.way().state(placement) in said


def test_right_placements_give_a_hint_about_the_next_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    puzzle = instance.load("sudoku-6x6")
    (solution,) = jigsat.solutions(puzzle, up_to="nothing")
    given = tmp_path / "given.json"
    placed = [placement._asdict() for placement in solution.placements]
    given.write_text(json.dumps(placed[:-1]))
    assert hint(capsys, "sudoku-6x6", "--given", given)[-1].startswith("Look at ")
    given.write_text(json.dumps(placed))
    assert hint(capsys, "sudoku-6x6", "--given", given) == ["Nothing is left to decide."]


def test_logic_that_goes_no_further_and_a_puzzle_without_a_solution() -> None:
    several = find_hint(instance.load("lights-5x5"), []).lines(1)
    assert several[-1].startswith("Look at ")
    (said,) = find_hint(instance.load("lights-unsolvable")).lines(1)
    assert said.endswith("has no solution, whatever is placed; `jigsat solve` tells why.")
