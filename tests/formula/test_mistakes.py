"""Typical mistakes in a formula: each is an exception with one sentence, and the constraints stay
as they were."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jigsat
from jigsat.formula import Cardinality, Choice, Clause, Formula, Variables

MISTAKES: dict[str, tuple[Callable[[Any, Variables, Choice], object], type[Exception], str]] = {
    "a choice in a clause": (
        lambda f, x, c: f.clause([c]),
        TypeError,
        "the choice c is not a literal; choice(value) is one",
    ),
    "a negated choice": (
        lambda f, x, c: -c,
        TypeError,
        "the choice c cannot be negated; negate the literal of a value",
    ),
    "a list where literals are expected": (
        lambda f, x, c: f.implies(x(0), [x(1)]),
        TypeError,
        "[2] is not a literal; unpack it where literals are expected one by one, as in "
        "implies(x, *literals)",
    ),
    "a choice implies": (
        lambda f, x, c: f.implies(c, x(1)),
        TypeError,
        "the choice c is not a literal",
    ),
    "the number after the literals": (
        lambda f, x, c: f.exactly(x[:], 2),
        TypeError,
        "the number comes first, then the literals, as in exactly(2, literals)",
    ),
    "at_least the wrong way round": (
        lambda f, x, c: f.at_least(x[:], 2),
        TypeError,
        "the number comes first",
    ),
    "a single literal": (
        lambda f, x, c: f.clause(x(0)),
        TypeError,
        "expected a list of literals; got 1",
    ),
    "a truth value": (
        lambda f, x, c: f.clause([True]),
        TypeError,
        "True is not a literal; a literal is a variable",
    ),
    "a truth value to minimise": (
        lambda f, x, c: f.minimize([True]),
        TypeError,
        "True is not a literal",
    ),
    "text": (lambda f, x, c: f.xor([None]), TypeError, "None is not a literal"),
    "variables without a key": (
        lambda f, x, c: f.at_most_one([x]),
        TypeError,
        "the variables 'x' are not a literal; x(…) with a value per axis is one",
    ),
    "half a queen": (
        lambda f, x, c: f.exactly(0.5, x[:]),
        TypeError,
        "a bound is an integer, not 0.5",
    ),
    "half a weight": (
        lambda f, x, c: f.linear({x(0): 0.5}, at_most=1),
        TypeError,
        "a weight is an integer, not 0.5",
    ),
    "half a bound": (
        lambda f, x, c: f.linear(x[:], at_most=0.5),
        TypeError,
        "a bound is an integer, not 0.5",
    ),
    "a choice in a sum": (
        lambda f, x, c: f.linear([c], at_most=1),
        TypeError,
        "the choice c is not a literal",
    ),
    "literals that differ": (
        lambda f, x, c: f.all_different(x[:]),
        TypeError,
        "all_different takes choices, which `formula.choice` makes; got 1",
    ),
    "a key that is no tuple": (
        lambda f, x, c: f.variables("y", ["i"], range(3)),
        TypeError,
        "y: a key is a tuple with one value per axis; got 0",
    ),
    "an unknown literal": (
        lambda f, x, c: f.clause([99]),
        ValueError,
        "99 is not a literal of this formula",
    ),
    "a word as a literal": (
        lambda f, x, c: f.clause(["a"]),
        TypeError,
        "'a' is not a literal; a literal is a variable",
    ),
    "a choice with a weight": (
        lambda f, x, c: f.linear({c: 2}, at_least=1),
        TypeError,
        "the choice c is not a literal; choice(value) is one",
    ),
    "variables where literals are expected": (
        lambda f, x, c: f.exactly_one(x),
        TypeError,
        "expected a list of literals; got the variables 'x', whose literals are x[:]",
    ),
    "one clause instead of several": (
        lambda f, x, c: f.clauses([1, 2]),
        TypeError,
        "expected each row to be a list of literals; got 1",
    ),
    "a bound in words": (
        lambda f, x, c: f.linear(x[:], at_least="1"),
        TypeError,
        "a bound is an integer, not '1'",
    ),
    "a number in words": (
        lambda f, x, c: f.at_least("2", x[:]),
        TypeError,
        "a bound is an integer, not '2'",
    ),
    "a list as a bound": (
        lambda f, x, c: f.linear(x[:], at_most=[1]),
        TypeError,
        "a bound is an integer, not [1]",
    ),
    "a number instead of a range": (
        lambda f, x, c: f.variables("y", {"i": 3}),
        TypeError,
        "y: the values of the axis i must be a list or range; got 3",
    ),
    "a number instead of keys": (
        lambda f, x, c: f.variables("y", ["i"], 3),
        TypeError,
        "y: the keys must be a list or range; got 3",
    ),
    "a number instead of axes": (
        lambda f, x, c: f.variables("y", 3, []),
        TypeError,
        "y: the axes must be a list or range; got 3",
    ),
    "a choice from a number": (
        lambda f, x, c: f.choice("y", 3),
        TypeError,
        "y: the values of a choice must be a list or range; got 3",
    ),
    "a number instead of choices": (
        lambda f, x, c: f.all_different(3),
        TypeError,
        "the choices must be a list or range; got 3",
    ),
    "a value that is a list": (
        lambda f, x, c: f.choice("y", [[1]]),
        TypeError,
        "y: [1] cannot be the value of an axis; use a tuple, text or number",
    ),
    "an axis with a list": (
        lambda f, x, c: f.variables("y", {"i": [{}]}),
        TypeError,
        "y: {} cannot be the value of an axis",
    ),
    "a choice with two axes called value": (
        lambda f, x, c: f.choice("y", "ab", value=3),
        ValueError,
        "y: `value` is the axis of the values of the choice; give the index another name",
    ),
    "a choice with an axis called key": (
        lambda f, x, c: f.choice("y", "ab", key=3),
        TypeError,
        "y: `key` is a function that makes the keys; an axis of the index needs another name",
    ),
    "two axes of the same name": (
        lambda f, x, c: f.variables("y", ["i", "i"], [(1, 2)]),
        ValueError,
        "y: two axes have the same name in i, i",
    ),
    "a choice instead of literals": (
        lambda f, x, c: f.exactly_one(c),
        TypeError,
        "expected a list of literals; got <Choice c of 2 values>",
    ),
    "two values in a pattern": (
        lambda f, x, c: x[[0, 1]],
        KeyError,
        "x: the axis i has no value [0, 1]; its values are 0, 1, 2, 3",
    ),
    "a list as a key": (lambda f, x, c: x([0]), KeyError, "x: the axis i has no value [0]"),
    "a list as a value": (
        lambda f, x, c: c(["a"]),
        KeyError,
        "c cannot be ['a']; its values are 'a', 'b'",
    ),
    "the name of a word": (lambda f, x, c: f.name("x"), TypeError, "'x' is not a literal"),
    "a value in a model": (
        lambda f, x, c: "a" in next(jigsat.models(f)),
        TypeError,
        "'a' is not a literal; model[choice] is the value of a choice",
    ),
    "the value of a literal": (
        lambda f, x, c: next(jigsat.models(f))[c("a")],
        TypeError,
        "5 is neither a choice nor a family of variables; for a literal write `literal in model`",
    ),
    "a choice of another formula": (
        lambda f, x, c: next(jigsat.models(f))[Choice(c.name, {"a": 99})],
        KeyError,
        "a model has no value of c; the choice is auxiliary or of another formula",
    ),
    "an unknown literal in a model": (
        lambda f, x, c: -99 in next(jigsat.models(f)),
        KeyError,
        "no variable 99",
    ),
    "an auxiliary variable in a model": (
        lambda f, x, c: f.variables("y", {"i": [0]}, decision=False)(0) in next(jigsat.models(f)),
        KeyError,
        "a model has no values of 'y'; they are auxiliary variables (decision=False)",
    ),
    "auxiliary variables of a model": (
        lambda f, x, c: next(jigsat.models(f))[f.variables("y", {"i": [0]}, decision=False)],
        KeyError,
        "a model has no values of 'y'",
    ),
    "text in a group": (
        lambda f, x, c: jigsat.count(f, group=["red"]),
        TypeError,
        "permutation 1 of `group` must be a dict {variable: image, …}; got str",
    ),
    "a list in a group": (
        lambda f, x, c: jigsat.count(f, group=[{}, [2, 1]]),
        TypeError,
        "permutation 2 of `group` must be a dict",
    ),
    "a symmetry of a puzzle in a group": (
        lambda f, x, c: jigsat.models(f, group=[jigsat.Symmetry("all", {})]),
        TypeError,
        "permutation 1 of `group` must be a dict {variable: image, …}; got Symmetry",
    ),
    "a choice in a group": (
        lambda f, x, c: jigsat.count(f, group=[{c: c}]),
        TypeError,
        "the choice c is not a literal; choice(value) is one",
    ),
    "a number as a group": (
        lambda f, x, c: jigsat.count(f, group=5),
        TypeError,
        "`group` is a list of permutations: write group=[{…}]",
    ),
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


@pytest.mark.parametrize(
    "next_call", [lambda formula: formula.clause([1]), lambda formula: formula.rule("other rules")]
)
def test_a_rule_without_with_is_an_error_at_the_next_call(
    next_call: Callable[[Formula], object],
) -> None:
    formula = Formula()
    formula.variables("x", {"i": range(2)})
    formula.rule("rules")
    with pytest.raises(ValueError, match=re.escape("write `with formula.rule('rules'):`")):
        next_call(formula)
    with formula.rule("rules"):
        formula.clause([2])
    assert list(formula.groups) == ["rules"]


def test_a_requirement_names_what_it_is_about() -> None:
    with pytest.raises(ValueError, match="needs what it is about"):
        Formula().rule("each cell is filled", must_be="filled")


def test_a_failed_call_adds_no_variables() -> None:
    formula = Formula()
    for wrong in ([[1]], [1, 1]):
        with pytest.raises((TypeError, ValueError)):
            formula.choice("c", wrong, node=1)
    assert (formula.families, formula.top) == ({}, 0)
    assert formula.choice("c", "ab")("b") == 2


def test_a_family_iterates_over_its_keys_and_has_a_short_repr() -> None:
    cell = Formula().variables("cell", {"row": range(2), "column": "ab"})
    assert list(cell) == [(0, "a"), (0, "b"), (1, "a"), (1, "b")]
    assert repr(cell) == "<Variables cell of 4 keys (row, column)>"


def test_choices_are_keys_of_dicts() -> None:
    formula = Formula()
    c, d = formula.choice("c", "ab"), formula.choice("d", "ab")
    assert {c: 1, d: 2}[d] == 2


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


def test_keys_of_a_single_axis_are_explained() -> None:
    cells = [(0, 0), (0, 1)]
    with pytest.raises(ValueError, match=r"single axis, write \{'cell': values\}"):
        Formula().variables("visited", ["cell"], cells)
    assert len(Formula().variables("visited", {"cell": cells})) == 2
