"""Typical mistakes in a formula: each is a TypeError or ValueError with one sentence, and the formula stays as it was."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

import jigsat
from jigsat.formula import Cardinality, Choice, Clause, Formula, Variables

MISTAKES: dict[str, tuple[Callable[[Formula, Variables, Choice], object], type[Exception], str]] = {
    "a choice in a clause": (
        lambda f, x, c: f.clause([c]),  # type: ignore[list-item]
        TypeError,
        "the choice c is not a literal; choice(value) is one",
    ),
    "a negated choice": (lambda f, x, c: -c, TypeError, "the choice c cannot be negated; negate the literal of a value"),
    "a list where literals are expected": (
        lambda f, x, c: f.implies(x(0), [x(1)]),  # type: ignore[arg-type]
        TypeError,
        "[2] is not a literal; unpack it where literals are expected one by one, as in implies(x, *literals)",
    ),
    "a choice implies": (
        lambda f, x, c: f.implies(c, x(1)),  # type: ignore[arg-type]
        TypeError,
        "the choice c is not a literal",
    ),
    "the number after the literals": (
        lambda f, x, c: f.exactly(x[:], 2),  # type: ignore[arg-type]
        TypeError,
        "the number comes first, then the literals, as in exactly(2, literals)",
    ),
    "at_least the wrong way round": (
        lambda f, x, c: f.at_least(x[:], 2),  # type: ignore[arg-type]
        TypeError,
        "the number comes first",
    ),
    "a single literal": (lambda f, x, c: f.clause(x(0)), TypeError, "expected a list of literals; got 1"),  # type: ignore[arg-type]
    "a truth value": (lambda f, x, c: f.clause([True]), TypeError, "True is not a literal; a literal is a variable"),
    "a truth value to minimise": (lambda f, x, c: f.minimize([True]), TypeError, "True is not a literal"),
    "text": (lambda f, x, c: f.xor([None]), TypeError, "None is not a literal"),  # type: ignore[list-item]
    "variables without a key": (
        lambda f, x, c: f.at_most_one([x]),  # type: ignore[list-item]
        TypeError,
        "the variables 'x' are not a literal; x(…) with a value per axis is one",
    ),
    "half a queen": (lambda f, x, c: f.exactly(0.5, x[:]), TypeError, "a bound is an integer, not 0.5"),  # type: ignore[arg-type]
    "half a weight": (
        lambda f, x, c: f.linear({x(0): 0.5}, at_most=1),  # type: ignore[dict-item]
        TypeError,
        "a weight is an integer, not 0.5",
    ),
    "half a bound": (
        lambda f, x, c: f.linear(x[:], at_most=0.5),  # type: ignore[arg-type]
        TypeError,
        "a bound is an integer, not 0.5",
    ),
    "a choice in a sum": (lambda f, x, c: f.linear([c], at_most=1), TypeError, "the choice c is not a literal"),  # type: ignore[list-item]
    "literals that differ": (
        lambda f, x, c: f.all_different(x[:]),  # type: ignore[arg-type]
        TypeError,
        "all_different takes choices, which `formula.choice` makes; got 1",
    ),
    "a key that is no tuple": (
        lambda f, x, c: f.variables("y", ["i"], range(3)),  # type: ignore[arg-type]
        TypeError,
        "y: a key is a tuple with one value per axis; got 0",
    ),
    "an unknown literal": (lambda f, x, c: f.clause([99]), ValueError, "99 is not a literal of this formula"),
}


@pytest.mark.parametrize(("mistake", "kind", "says"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_named_and_adds_nothing(
    mistake: Callable[[Formula, Variables, Choice], object], kind: type[Exception], says: str
) -> None:
    formula = Formula()
    x, c = formula.variables("x", {"i": range(4)}), formula.choice("c", "ab")
    before = list(formula.constraints())
    with pytest.raises(kind, match=re.escape(says)):
        mistake(formula, x, c)
    assert list(formula.constraints()) == before


def test_integers_of_other_types_are_literals() -> None:
    formula = Formula()
    x = formula.variables("x", {"i": range(4)})
    formula.clause(np.array([-1, 2]))
    formula.exactly(np.int64(1), map(np.int64, x[:]))
    assert [*formula.constraints()] == [Clause((-1, 2)), Cardinality((1, 2, 3, 4), 1, 1)]


def test_constraints_that_cannot_hold_are_allowed() -> None:
    """They may follow from the data of a puzzle, such as a clue that is too large."""
    formulas = [Formula() for _ in range(3)]
    x, y, _ = (formula.variables("x", {"i": range(4)}) for formula in formulas)
    formulas[0].exactly(9, x[:])
    formulas[1].at_least(9, y[:])
    formulas[2].choice("c", [])
    assert [jigsat.count(formula).solutions for formula in formulas] == [0, 0, 0]
