"""Every lowering compared with truth tables of random formulas; `test_backends.py` tests the
backends."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import event, given, settings
from support import truth
from support.installed import LOWERINGS
from support.quick import cases

from jigsat import Formula, Lowered, Lowering
from jigsat.formula.constraints import Clause
from jigsat.formula.lowering import AT_MOST_ONE
from jigsat.search.portfolio import models

OPTIONS: dict[str, Any] = {"derandomize": True, "deadline": None}


@settings(max_examples=cases(150), **OPTIONS)
@given(truth.instances())
def test_every_lowering_keeps_the_models(case: tuple[list[truth.Spec], int, int]) -> None:
    expected, formula = truth.table(*case), truth.formula(*case)
    event(f"models: {'none' if not expected else 'one' if len(expected) == 1 else 'some'}")
    for lowering in LOWERINGS:
        found = list(models(formula, lowering=lowering))
        assert len(found) == len(set(found)), lowering
        assert set(found) == expected, lowering


@settings(max_examples=cases(100), **OPTIONS)
@given(truth.instances())
def test_solving_does_not_change_the_formula(case: tuple[list[truth.Spec], int, int]) -> None:
    formula = truth.formula(*case)
    before = copy.deepcopy(formula)
    once, again = set(models(formula)), set(models(formula))
    assert once == again
    assert (formula.top, formula.decisions()) == (before.top, before.decisions())
    assert list(formula.constraints()) == list(before.constraints())
    assert list(formula.groups) == list(before.groups)
    assert [formula.name(i) for i in range(1, formula.top + 1)] == [
        before.name(i) for i in range(1, before.top + 1)
    ]


@settings(max_examples=cases(100), **OPTIONS)
@given(truth.instances())
def test_auxiliaries_are_new_for_every_constraint(case: tuple[list[truth.Spec], int, int]) -> None:
    formula = truth.formula(*case)
    for lowering in (Lowering("ladder", "totalizer", 3), Lowering("bitwise", "mtotalizer", 3)):
        lowered, used = Lowered(formula, lowering), set(range(1, formula.top + 1))
        for constraint in formula.constraints():
            clauses = list(lowered.lower(constraint))
            assert all(isinstance(clause, Clause) and clause.literals for clause in clauses)
            mentioned = {abs(literal) for clause in clauses for literal in clause.literals}
            own = mentioned - set(range(1, formula.top + 1))
            assert not own & used
            assert max(mentioned, default=0) <= lowered.top
            used |= own
        assert [*lowered] == [*lowered], "each iteration makes the same clauses"


def chosen(size: int) -> Formula:
    formula = Formula()
    formula.at_most_one(formula.variables("x", ("i",), [(i,) for i in range(size)])[:])
    return formula


@pytest.mark.parametrize("name", ["auto", *AT_MOST_ONE])
def test_at_most_one_of_many(name: str) -> None:
    found = set(models(chosen(45), lowering=Lowering(at_most_one=name)))
    assert found == {frozenset(), *(frozenset([i]) for i in range(1, 46))}


def test_auto_is_pairwise_for_a_few_and_has_fewer_clauses_for_many() -> None:
    assert len(list(Lowered(chosen(40)))) == 40 * 39 // 2
    assert len(list(Lowered(chosen(41)))) < 41 * 40 // 2
    assert len(list(Lowered(chosen(41), Lowering(at_most_one="pairwise")))) == 41 * 40 // 2


def test_a_long_xor_has_few_clauses() -> None:
    formula = Formula()
    formula.xor(formula.variables("x", ("i",), [(i,) for i in range(60)])[:])
    for cut in range(3, 8):
        clauses = list(Lowered(formula, Lowering(xor_cut=cut)))
        assert max(len(clause.literals) for clause in clauses if isinstance(clause, Clause)) == cut
        assert len(clauses) < 60 * 2**cut


def test_native_constraints_are_not_rewritten() -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(6)])[:]
    formula.at_most(3, x)
    formula.xor(x)
    formula.clause(x)
    assert [*Lowered(formula, native=frozenset({"xor", "cardinality"}))] == [*formula.constraints()]
    kinds = {constraint.kind for constraint in Lowered(formula, native=frozenset({"xor"}))}
    assert kinds == {"xor", "clause"}


def test_backends_get_no_empty_or_trivial_constraints() -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(2)])[:]
    formula.exactly(3, x)
    formula.at_most(-1, x)
    formula.at_least(1, [])
    formula.clause([])
    formula.xor([], odd=True)
    for constraint in Lowered(formula, native=frozenset({"xor", "cardinality"})):
        assert isinstance(constraint, Clause)
        assert constraint.literals


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"at_most_one": "pairwize"},
            r"unknown at-most-one encoding 'pairwize'; did you mean 'pairwise'\?",
        ),
        ({"cardinality": "auto"}, "unknown cardinality encoding 'auto'; use one of 'seqcounter'"),
        ({"xor_cut": 2}, "cannot be cut"),
    ],
)
def test_unknown_lowerings(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Lowering(**arguments)
