"""A given that was copied wrongly is found among the changes that give a solution."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

import pytest

import jigsat
from jigsat import Puzzle, instance
from jigsat.diagnosis.cores import judge_clues
from jigsat.diagnosis.givens import find_changes
from jigsat.diagnosis.unsolvable import collect_reasons
from jigsat.symmetry import Placement


def plant(name: str, index: int) -> tuple[Puzzle, Placement, Placement]:
    """A puzzle in which a given has the value of the next one in its row; the given as it was, and
    as it is.
    """
    puzzle = instance.load(name)
    givens = puzzle.given_placements()
    pairs = [(x, y) for x, y in pairwise(givens) if x.cell[0] == y.cell[0]]
    right, beside = pairs[index]
    wrong = right._replace(value=beside.value)
    return puzzle.with_clues([wrong if x == right else x for x in givens]), right, wrong


def count_solutions(puzzle: Puzzle, givens: Collection[Placement]) -> int:
    """The number of solutions, at most 2."""
    changed = puzzle.with_clues(givens)
    return len(list(jigsat.solutions(changed, up_to="nothing", limit=2)))


@pytest.mark.parametrize(
    ("name", "index"), [("sudoku-hard", 0), ("sudoku-hard", 5), ("sudoku-6x6", 0)]
)
def test_the_planted_error_is_named_and_every_number_is_counted_again(
    name: str, index: int
) -> None:
    puzzle, right, wrong = plant(name, index)
    core = judge_clues(puzzle).core
    assert core, "the planted value conflicts"
    changes = find_changes(puzzle, core.names)
    assert (right, wrong) in [(change.other, change.given) for change in changes]
    numbers = [change.solutions for change in changes]
    assert numbers == sorted(numbers)
    for change in changes[:4]:
        kept = [x for x in puzzle.given_placements() if x != change.given]
        assert count_solutions(puzzle, [*kept, change.other]) == change.solutions

    *_, why = collect_reasons(puzzle)
    words = [found.reason.words for found in why.found]
    expected = f"{right.value} instead of {wrong.value} would give"
    assert any(line.startswith("one entry may be wrong: ") and expected in line for line in words)


def test_every_change_that_helps_is_found() -> None:
    puzzle, *_ = plant("sudoku-6x6", 0)
    core = judge_clues(puzzle).core
    assert core
    changes = {(change.given, change.other) for change in find_changes(puzzle, core.names)}
    givens = puzzle.given_placements()
    for given in givens:
        kept = [x for x in givens if x != given]
        for value in "123456":
            other = given._replace(value=value)
            if other != given:
                assert (given, other) in changes or not count_solutions(puzzle, [*kept, other])


def test_tiles_have_no_givens_to_change() -> None:
    assert find_changes(instance.load("cats"), []) == []
