"""The compiled exact-cover engine compared with a SAT solver, on random formulas whose decision
variables are all in items."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from support.installed import CAPABILITIES
from support.quick import cases

from jigsat import Formula, InputError
from jigsat.search.portfolio import models

pytestmark = pytest.mark.skipif(
    "cover" not in CAPABILITIES, reason="jigsat was installed without a C compiler"
)
OPTIONS: dict[str, Any] = {"derandomize": True, "deadline": None}


def random_formula(rng: random.Random) -> Formula:
    """Items that cover the decision variables and may overlap, then constraints of every kind,
    including auxiliaries."""
    formula = Formula()
    number = rng.randint(1, 11)
    x = formula.variables("x", ("i",), [(i,) for i in range(number)])[:]
    extra = formula.variables(
        "a", ("i",), [(i,) for i in range(rng.randint(0, 3))], decision=False
    )[:]
    for i in range(0, number, step := rng.randint(1, 5)):
        formula.exactly_one({*x[i : i + step], *rng.sample(x, rng.choice([0, 0, min(2, number)]))})
    for i in range(
        rng.choice([0, 0, 40])
    ):  # enough trivial variables for bit sets of more than one word
        settled = formula.variables("y", ("i", "j"), [(i, 0), (i, 1)])[i, :]
        formula.exactly_one(settled)
        formula.clause([rng.choice(settled)])
    for _ in range(rng.randint(0, 5)):
        literals = [
            rng.choice([1, -1]) * v
            for v in rng.sample(x + extra, rng.randint(1, min(4, len(x + extra))))
        ]
        kind = rng.randrange(7)
        if kind < 3:
            formula.clause(literals)
        elif kind == 3:
            formula.xor(literals)
        elif kind == 4:
            formula.between(
                rng.randint(-1, 3), rng.randint(0, 5), rng.sample(x, rng.randint(1, len(x)))
            )
        else:
            formula.between(rng.randint(0, 2), rng.randint(0, 3), literals)
    return formula


@settings(max_examples=cases(300), **OPTIONS)
@given(st.integers(0, 2**32))
def test_it_finds_what_a_sat_solver_finds(seed: int) -> None:
    formula = random_formula(random.Random(seed))
    expected = set(models(formula, "cadical195"))
    found = list(models(formula, "cover"))
    assert len(found) == len(set(found))
    assert set(found) == expected
    event(f"models: {'none' if not found else 'one' if len(found) == 1 else 'some'}")


def test_an_empty_formula_has_one_model() -> None:
    assert list(models(Formula(), "cover")) == [frozenset()]


@pytest.mark.parametrize("clause", [[1, 1], [1, 1, 1], [-2, -2]], ids=str)
def test_a_clause_may_repeat_a_literal(clause: list[int]) -> None:
    formula = Formula()
    formula.exactly_one(formula.variables("x", ("i",), [(1,), (2,)])[:])
    formula.clause(clause)
    assert list(models(formula, "cover")) == [{1}]


def test_it_refuses_formulas_other_than_covers() -> None:
    formula = Formula()
    formula.at_most_one(formula.variables("x", ("i",), [(1,), (2,)])[:])
    with pytest.raises(InputError, match="exactly-one"):
        next(models(formula, "cover"))


def test_auxiliary_variables_of_which_both_values_are_refuted_leave_no_model() -> None:
    formula = Formula()
    formula.variables("x", ("i",), [(1,)])
    formula.variables("helper", ("i",), [(i,) for i in range(3)], decision=False)
    formula.exactly_one([1])
    formula.xor([2, 3, 4], odd=True)
    formula.clause([3])
    formula.xor([2, 3, 4], odd=False)
    assert list(models(formula, "cover")) == []
