"""Puzzles that share a formula have the same solutions whichever solver finds them, and whatever
their clues leave open."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jigsat.encodings.sudoku.data import Digit
from jigsat.encodings.sudoku.rules import Sudoku
from support.answers import solve_all
from support.quick import cases

import jigsat
from jigsat import instance
from jigsat.backends.engine import is_compiled
from jigsat.puzzle import Puzzle
from jigsat.questions import Answer
from jigsat.symmetry import DECLARED_LEVELS, Level

OPTIONS = {"derandomize": True, "deadline": None}


def grids(rng: random.Random, size: int, number: int) -> list[str]:
    """Random grids with few givens, some of which contradict each other."""
    digits = "123456"[:size]
    return [
        "".join(rng.choice(digits) if rng.random() < 0.15 else "." for _ in range(size**2))
        for _ in range(number)
    ]


def puzzles(rng: random.Random) -> list[Puzzle]:
    every: list[dict[str, Any]] = [
        {"family": "sudoku"},
        {"family": "sudoku", "diagonals": True},
        {"family": "latin"},
        {"family": "sudoku", "regions": ["aabb", "aabb", "ccdd", "ccdd"]},
    ]
    data = rng.choice(every)
    return [
        instance.parse(data | {"grid": grid}, name="mine", origin="mine")
        for grid in grids(rng, 4, 6)
    ]


def found(answer: Answer) -> set[tuple[Any, ...]]:
    return {solution.placements for solution in answer.solutions}


@settings(max_examples=cases(30), **OPTIONS)
@given(
    st.randoms(use_true_random=False),
    st.sampled_from([None, 1, 2, 3, 5]),
    st.sampled_from(DECLARED_LEVELS),
)
@pytest.mark.skipif(not is_compiled(), reason="jigsat was installed without a C compiler")
def test_the_answers_agree_with_those_of_the_exact_cover_engine(
    rng: random.Random, limit: int | None, up_to: str
) -> None:
    some = puzzles(rng)
    for mine, theirs in zip(
        solve_all(some, "auto", limit, up_to), solve_all(some, "cover", limit, up_to), strict=True
    ):
        assert (mine.puzzle, mine.complete) == (theirs.puzzle, theirs.complete)
        assert len(found(mine)) == len(mine.solutions) == len(theirs.solutions)
        if up_to == Level.NOTHING and (limit is None or mine.complete):
            assert found(mine) == found(theirs)


def test_what_is_found_does_not_depend_on_the_puzzles_before() -> None:
    rng = random.Random(3)
    some = [
        instance.parse({"family": "sudoku", "grid": grid}, name="mine", origin="mine")
        for grid in grids(rng, 4, 20)
    ]
    for mine, reverse in zip(
        solve_all(some, limit=None), list(solve_all(some[::-1], limit=None))[::-1], strict=True
    ):
        assert mine.complete and reverse.complete
        assert found(mine) == found(reverse)
        assert not is_compiled() or mine == reverse


class Vague(Sudoku):
    """A sudoku with clues that leave several placements. Each is text such as '001 112': row,
    column and digit."""

    family = "vague"
    vague: tuple[str, ...] = ()

    def clues(self) -> dict[str, frozenset[Digit]]:
        return {
            f"vague.{i}": frozenset(Digit((int(r), int(c)), value) for r, c, value in clue.split())
            for i, clue in enumerate(self.vague)
        }

    def without_clues(self) -> Vague:
        return self.model_copy(update={"vague": ()})


def vague(*clues: str) -> Vague:
    return Vague(name="mine", grid="." * 16, vague=clues)


def expected(puzzle: Vague, every: list[frozenset[Digit]]) -> set[frozenset[Digit]]:
    return {
        solution for solution in every if all(clue & solution for clue in puzzle.clues().values())
    }


@pytest.fixture(scope="module")
def every() -> list[frozenset[Digit]]:
    """All solutions of the empty grid."""
    found = jigsat.solutions(
        instance.parse({"family": "sudoku", "grid": "." * 16}, name="", origin=""), up_to="nothing"
    )
    return [frozenset(solution.placements) for solution in found]


CLUES = [
    "001 002",
    "111 112 113",
    "001 011 021",
    "121",
    "",
    "991",
    "001 991",
    "001 001",
    "001 112",
    "121 003 304",
]


def test_clues_that_leave_several_placements(every: list[frozenset[Digit]]) -> None:
    some = [vague(*clues) for clues in product(CLUES, repeat=2)]
    for puzzle, answer in zip(some, solve_all(some, limit=None), strict=True):
        assert answer.complete
        assert {frozenset(placements) for placements in found(answer)} == expected(puzzle, every), (
            puzzle.vague
        )


def test_a_search_may_be_given_up_before_its_end() -> None:
    def some() -> Iterator[Puzzle]:
        for clue in "001", "002":
            yield vague(clue)

    first, second = solve_all(some(), limit=1)
    assert not first.complete and not second.complete
    assert Digit((0, 0), "1") in first.solutions[0].placements
    assert Digit((0, 0), "2") in second.solutions[0].placements
