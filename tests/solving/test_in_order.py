"""Solutions in sorted order: all of them, each once, in the order of sorted full lists."""

from __future__ import annotations

import json
import random
from collections.abc import Collection
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.inside import jigsat as command
from support.quick import cases

import jigsat
from jigsat.backends.engine import is_compiled
from jigsat.search.portfolio import models
from jigsat.solving import in_order
from jigsat.solving.in_order import Exhausted, list_in_order

engine = pytest.mark.skipif(not is_compiled(), reason="jigsat was installed without a C compiler")


def read_rows(solution: jigsat.Solution) -> str:
    """The digits of a sudoku, row by row; the placements themselves may come in any order."""
    values = {digit.cell: digit.value for digit in solution.placements}
    return "".join(values[cell] for cell in sorted(values))


def test_all_grids_of_the_4x4_sudoku() -> None:
    rows = [read_rows(solution) for solution in jigsat.solutions_in_order("sudoku-4x4-empty")]
    listed = map(read_rows, jigsat.solutions("sudoku-4x4-empty", up_to="nothing"))
    assert rows == sorted(listed)
    assert len(rows) == 288


@pytest.mark.parametrize("skip", [1, 100, 287, 288, 1_000])
def test_the_first_solutions_are_skipped(skip: int, monkeypatch: pytest.MonkeyPatch) -> None:
    every = list(jigsat.solutions_in_order("sudoku-4x4-empty"))
    monkeypatch.setattr(in_order, "MAX_LISTED_MODELS", 10)
    assert list(jigsat.solutions_in_order("sudoku-4x4-empty", skip=skip)) == every[skip:]


def test_the_empty_sudoku_from_the_10000th_solution() -> None:
    """The first grid is the one that every backtracking program prints first. Rows 1 to 4 of the
    10,000th were confirmed by such a program, which counted 9,999 grids before it."""
    first = next(jigsat.solutions_in_order("sudoku-empty"))
    assert read_rows(first) == (
        "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
    )
    later = next(jigsat.solutions_in_order("sudoku-empty", skip=9_999))
    assert read_rows(later) == TEN_THOUSANDTH


TEN_THOUSANDTH = "123456789456789123789123456214365897365978241978241635837514962542697318691832574"


@pytest.mark.slow
def test_a_plain_search_finds_the_same_grid() -> None:
    grid = [0] * 81
    number = 0

    def sees(cell: int, other: int) -> bool:
        row, column = divmod(cell, 9)
        above, beside = divmod(other, 9)
        same_box = (above // 3, beside // 3) == (row // 3, column // 3)
        return above == row or beside == column or same_box

    before = [[other for other in range(cell) if sees(cell, other)] for cell in range(81)]

    def fill(cell: int) -> bool:
        nonlocal number
        if cell == 81:
            number += 1
            return number == 10_000
        for value in range(1, 10):
            if all(grid[other] != value for other in before[cell]):
                grid[cell] = value
                if fill(cell + 1):
                    return True
        return False

    assert fill(0)
    assert "".join(map(str, grid)) == TEN_THOUSANDTH


@engine
def test_solutions_that_can_be_counted_are_skipped_by_counting() -> None:
    """All dominoes of the sorted list that lie before and after a solution are counted."""
    formula = jigsat.load("dominoes-6x8").encode()
    for skip in (0, 20_000, 123_456, 167_088):
        solution = next(jigsat.solutions_in_order(formula, skip=skip))
        assert count_before(formula, solution.variables) == skip
    assert list(jigsat.solutions_in_order(formula, skip=167_089)) == []


def count_before(formula: jigsat.Formula, true: Collection[int]) -> int:
    """The number of models that come before a model: those that agree with it up to a variable
    which is true in them and not in this one."""
    number = 0
    fixed: list[int] = []
    for variable in formula.decisions():
        if variable not in true:
            part = formula.extended()
            with part.rule("part"):
                for literal in (*fixed, variable):
                    part.clause([literal])
            number += jigsat.count(part).solutions
        fixed.append(variable if variable in true else -variable)
    return number


@settings(max_examples=cases(60), deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 12), st.integers(1, 5))
def test_random_formulas(seed: int, skip: int, listed: int) -> None:
    rng = random.Random(seed)
    formula = jigsat.Formula()
    x = formula.variables("x", {"i": range(7)})
    for _ in range(rng.randint(0, 8)):
        literals = [x(i) * rng.choice([1, -1]) for i in rng.sample(range(7), rng.randint(1, 4))]
        formula.clause(literals)
    vectors = [[i in model for i in formula.decisions()] for model in models(formula)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(in_order, "MAX_LISTED_MODELS", listed)
        patch.setattr(in_order, "MIN_COUNTED_MODELS", 3)
        found = list(jigsat.solutions_in_order(formula, skip=skip))
    ordered = [[i in each.variables for i in formula.decisions()] for each in found]
    assert ordered == sorted(vectors, reverse=True)[skip:]


@engine
def test_what_ended_the_list() -> None:
    *_, end = list_in_order("cube", 90)
    assert end == Exhausted("cover", "exhaustion")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = command(
        capsys, "solve", "sudoku-4x4-empty", "--sorted", "--skip", "286", "--json"
    )
    output = json.loads(out)
    last = list(islice(jigsat.solutions_in_order("sudoku-4x4-empty"), 286, None))
    assert status == 0
    assert output["found"] == json.loads(json.dumps([solution.objects() for solution in last]))
    assert (output["skipped"], output["complete"], output["stopped_by"]) == (286, True, None)

    status, out, _ = command(capsys, "solve", "sudoku-4x4-empty", "--sorted", "--limit", "2")
    assert status == 0
    assert out.splitlines()[-1] == "sudoku-4x4-empty: the first 2 solutions in sorted order"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--skip", "3"],
        ["--sorted", "--up-to", "rotation"],
        ["--sorted", "--jobs", "2"],
        ["--sorted", "--backend", "z3"],
        ["--sorted", "--best"],
    ],
)
def test_options_that_do_not_fit(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, out, complaint = command(capsys, "solve", "cats", *arguments)
    assert (status, out) == (2, "")
    assert complaint.startswith("jigsat: cats: ")
    assert complaint.count("\n") == 1
