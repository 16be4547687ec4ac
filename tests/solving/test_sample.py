"""Random solutions: uniform, checked, and the same for the same seed."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.inside import jigsat as command

import jigsat
from jigsat.backends.engine import is_compiled
from jigsat.errors import CheckError, Stopped
from jigsat.instance import load
from jigsat.search.portfolio import models
from jigsat.solving import uniform
from jigsat.solving.uniform import Population, rank_models, samples

engine = pytest.mark.skipif(not is_compiled(), reason="jigsat was installed without a C compiler")


def chi_square(found: Counter[Any], kinds: int) -> float:
    expected = found.total() / kinds
    return sum((times - expected) ** 2 / expected for times in found.values()) + expected * (
        kinds - len(found)
    )


@pytest.mark.parametrize("number", [5_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_grids_of_the_4x4_sudoku_are_equally_likely(number: int) -> None:
    """For a uniform distribution, the statistic has the mean 287 and the standard deviation 24."""
    found = Counter(
        solution.placements for solution in jigsat.sample("sudoku-4x4-empty", number, seed=1)
    )
    assert abs(chi_square(found, 288) - 287) < 4 * 24


def test_listed_solutions_are_equally_likely() -> None:
    population, *found = samples("cube", 2_000, 5)
    assert isinstance(population, Population)
    assert (population.total, population.established_by) == (96, "refutation")
    assert abs(chi_square(Counter(found), 96) - 95) < 4 * 14


@engine
def test_draws_repeat_as_often_as_independent_ones() -> None:
    """Of n draws from m solutions, about n² / 2m repeat an earlier one; the standard deviation is
    the root of this number."""
    formula = load("dominoes-6x8", board="\n".join(["#" * 8] * 8)).encode()
    assert rank_models(formula, memory=1000) is None
    ranking, backend = rank_models(formula) or (None, "")
    assert ranking is not None
    assert (ranking.total, backend) == (12_988_816, "counting")
    rng, number = random.Random(1), 100_000
    repeated = number - len({ranking.model(rng.randrange(ranking.total)) for _ in range(number)})
    expected = number**2 / 2 / ranking.total
    assert round(expected) == 385
    assert abs(repeated - expected) < 5 * expected**0.5


@engine
@pytest.mark.parametrize(
    "name", ["dominoes-3x4", "sudoku-4x4-empty", "lights-5x5", "lights-unsolvable", "lights-torus"]
)
def test_ranks_number_all_solutions(name: str) -> None:
    puzzle = (
        load("dominoes-6x8", board="####\n####\n####") if name == "dominoes-3x4" else load(name)
    )
    formula = puzzle.encode()
    ranking, _ = rank_models(formula) or (None, "")
    assert ranking is not None
    assert {ranking.model(rank) for rank in range(ranking.total)} == set(models(formula))
    for rank in (-1, ranking.total, 2**200):
        with pytest.raises(IndexError):
            ranking.model(rank)


@settings(max_examples=10, deadline=None, derandomize=True)
@given(st.integers(0, 2**32))
def test_the_options_may_be_in_any_order(seed: int) -> None:
    """Latin squares of order 3 with variables in a random order: 12 models, equally likely."""
    rng = random.Random(seed)
    formula = jigsat.Formula()
    keys = rng.sample([(r, c, v) for r in range(3) for c in range(3) for v in range(3)], 27)
    x = formula.variables("x", ("r", "c", "v"), keys)
    for a in range(3):
        for b in range(3):
            for group in (x[a, b, :], x[a, :, b], x[:, a, b]):
                formula.exactly_one(group)
    found = Counter(frozenset(model) for model in jigsat.sample(formula, 600, seed=seed))
    assert chi_square(found, 12) < 11 + 6 * 22**0.5


def test_the_same_seed_gives_the_same_solutions() -> None:
    one, two, other = (
        list(jigsat.sample("sudoku-4x4-empty", 5, seed=seed, timeout=60)) for seed in (3, 3, 4)
    )
    assert one == two != other
    assert len(one) == 5


def test_every_draw_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        type(load("sudoku-4x4-empty")), "check", lambda *_: iter(["a digit is repeated"])
    )
    with pytest.raises(CheckError, match="a digit is repeated"):
        next(jigsat.sample("sudoku-4x4-empty"))


def test_nothing_is_drawn_if_there_is_no_solution(capfd: pytest.CaptureFixture[str]) -> None:
    assert list(jigsat.sample("lights-unsolvable", 3)) == []
    done = command(capfd, "sample", "lights-unsolvable")
    assert (done.status, done.out, done.err) == (
        0,
        "lights-unsolvable: no solution (by rank)\n",
        "",
    )


def test_too_many_solutions_to_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uniform, "MAX_LISTED_SOLUTIONS", 50)
    with pytest.raises(Stopped, match="cube: no uniform samples: there are more than 50 solutions"):
        next(jigsat.sample("cube"))


def test_the_command(capfd: pytest.CaptureFixture[str]) -> None:
    done = command(capfd, "sample", "sudoku-4x4-empty", "--count", "2", "--seed", "7")
    assert done.status == 0
    assert [line for line in done.out.splitlines() if line.startswith("Draw")] == [
        "Draw 1",
        "Draw 2",
    ]
    assert done.out.endswith(
        "sudoku-4x4-empty: 2 uniform draws from 288 solutions (by counting), seed 7\n"
    )
    said = json.loads(command(capfd, "sample", "cats", "--seed", "7", "--json").out)
    (solution,) = jigsat.sample("cats", seed=7)
    assert said == {
        "schema": 1,
        "instance": "cats",
        "seed": 7,
        "solutions": 4,
        "established_by": "refutation",
        "backend": "cadical195",
        "stopped_by": None,
        "found": json.loads(json.dumps([solution.objects()])),
    }


def test_a_stopped_command(capfd: pytest.CaptureFixture[str]) -> None:
    done = command(capfd, "sample", "pentominoes-6x10", "--timeout", "0.4", "--json")
    assert (done.status, done.err) == (
        3,
        "jigsat: pentominoes-6x10: stopped by timeout; --timeout raises the limit\n",
    )
    said = json.loads(done.out)
    assert (said["solutions"], said["stopped_by"], said["found"]) == (None, "timeout", [])
