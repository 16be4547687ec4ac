"""Formulas of XORs: elimination, counting and native XOR, compared with brute force."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.quick import cases

from jigsat.backends.gf2 import MAX_TESTED_NULLITY
from jigsat.backends.registry import find, open_backend
from jigsat.confirmation import confirm
from jigsat.errors import InputError
from jigsat.formula.constraints import Clause, Xor
from jigsat.formula.formula import Formula
from jigsat.formula.gf2 import System, bits, count_models, vector
from jigsat.search.portfolio import models

VARIABLES = 6
Equations = list[tuple[list[int], bool]]
equations = st.lists(
    st.tuples(
        st.lists(st.integers(1, VARIABLES).flatmap(lambda v: st.sampled_from([v, -v])), max_size=5),
        st.booleans(),
    ),
    max_size=8,
)


def holds(literals: list[int], odd: bool, true: set[int]) -> bool:
    return sum((abs(literal) in true) == (literal > 0) for literal in literals) % 2 == odd


def by_hand(parts: Equations, decisions: int = VARIABLES) -> set[frozenset[int]]:
    """The models, each by its true variables among the first `decisions`, from all assignments."""
    found = set()
    for values in product((False, True), repeat=VARIABLES):
        true = {variable for variable, value in enumerate(values, 1) if value}
        if all(holds(literals, odd, true) for literals, odd in parts):
            found.add(frozenset(variable for variable in true if variable <= decisions))
    return found


def formula_of(parts: Equations, decisions: int = VARIABLES) -> Formula:
    formula = Formula()
    formula.variables("x", ("i",), [(i,) for i in range(decisions)])
    formula.variables("y", ("i",), [(i,) for i in range(decisions, VARIABLES)], decision=False)
    for literals, odd in parts:
        if len(literals) == 1 and odd:
            formula.clause(literals)
        else:
            formula.xor(literals, odd=odd)
    return formula


@settings(deadline=None)
@given(equations)
def test_rank_nullity_and_solutions(parts: Equations) -> None:
    formula = formula_of(parts)
    system = System(formula.constraints())
    met = {
        abs(x)
        for c in formula.constraints()
        for x in (c.variables if isinstance(c, Xor) else c.literals)
    }
    expected = {frozenset(true & met) for true in by_hand(parts)}
    listed = [frozenset(bits(solution)) for solution in system.solutions()]
    assert len(listed) == len(set(listed))
    assert set(listed) == expected
    assert system.consistent == bool(expected)
    assert system.rank + system.nullity == len(met)
    homogeneous = by_hand([([abs(x) for x in literals], False) for literals, _ in parts])
    kernel = system.kernel()
    assert len(kernel) == system.nullity
    assert all(frozenset(bits(direction)) in homogeneous for direction in kernel)
    spanned = {0}
    for direction in kernel:
        assert direction not in spanned
        spanned |= {vector ^ direction for vector in spanned}
    if system.consistent:
        assert len(expected) == 2**system.nullity


@settings(deadline=None)
@given(equations, st.integers(1, VARIABLES))
def test_models_are_counted_on_the_decision_variables(parts: Equations, decisions: int) -> None:
    assert count_models(formula_of(parts, decisions)) == len(by_hand(parts, decisions))


@pytest.mark.parametrize("backend", ["gf2", "cryptominisat", "cadical195", "z3"])
def test_every_route_finds_the_same_models(backend: str) -> None:
    if backend == "cryptominisat":
        pytest.importorskip("pycryptosat")

    @settings(deadline=None)
    @given(equations, st.integers(1, VARIABLES))
    def agree(parts: Equations, decisions: int) -> None:
        found = list(models(formula_of(parts, decisions), backend))
        assert len(found) == len(set(found))
        assert set(found) == by_hand(parts, decisions)

    agree()


def test_a_variable_in_no_constraint_takes_both_values() -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(3)])
    formula.xor(x[:][:2])
    assert set(models(formula, "gf2")) == {frozenset(m) for m in ({1}, {2}, {1, 3}, {2, 3})}


def test_constraints_added_after_a_solution_count() -> None:
    solver = open_backend("gf2")
    solver.add(Xor((1, 2), True))
    assert solver.solve()
    solver.add(Clause((-1,)))
    assert solver.solve()
    assert solver.model() == [2]
    assert not solver.solve()
    solver.add(Clause((1,)))
    assert not solver.solve()


def test_other_constraints_are_refused_if_the_xors_have_many_solutions() -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(MAX_TESTED_NULLITY + 1)])
    formula.at_least(MAX_TESTED_NULLITY, x[:])
    with pytest.raises(
        InputError, match=r"of the kind 'at-least-k', and its XORs have 2\^25 solutions"
    ):
        next(models(formula, "gf2"))
    with pytest.raises(InputError, match="gf2 accepts only XOR constraints"):
        count_models(formula)
    formula.xor(x[:], odd=True)  # half of the solutions are left
    search = models(formula, "auto")
    assert {len(model) for model in search} == {MAX_TESTED_NULLITY + 1}
    assert search.backend == "gf2"


def test_systems_of_many_variables() -> None:
    chain = [Xor((i, i + 1), i % 3 == 0) for i in range(1, 2000)]
    system = System(chain)
    assert (system.rank, system.nullity) == (1999, 1)
    solutions = [set(bits(solution)) for solution in system.solutions()]
    for true in solutions:
        assert all(((i in true) ^ (i + 1 in true)) == (i % 3 == 0) for i in range(1, 2000))
    assert solutions[0] ^ solutions[1] == set(range(1, 2001))
    assert vector([3, 1]) == 0b1010


def test_the_capabilities_are_confirmed() -> None:
    spec = find("gf2")
    assert spec.establishes == "rank"
    assert spec.count is count_models
    assert confirm(spec) == (open_backend("gf2").capabilities, [])
    pytest.importorskip("pycryptosat")
    assert confirm(find("cryptominisat")) == (open_backend("cryptominisat").capabilities, [])


@settings(deadline=None, max_examples=cases(100))
@given(
    st.lists(
        st.lists(
            st.integers(1, 6).flatmap(lambda v: st.sampled_from([v, -v])), min_size=1, max_size=3
        ),
        max_size=6,
    ),
    st.lists(st.sets(st.integers(1, 6), max_size=6).map(sorted), max_size=3),
    st.lists(
        st.tuples(
            st.sets(st.integers(1, 6), min_size=1).map(sorted), st.integers(0, 3), st.integers(1, 4)
        ),
        max_size=2,
    ),
)
def test_cryptominisat_with_all_kinds_of_constraints(
    clauses: list[list[int]], xors: list[list[int]], cardinalities: list[tuple[list[int], int, int]]
) -> None:
    pytest.importorskip("pycryptosat")
    formula = Formula()
    formula.variables("x", ("i",), [(i,) for i in range(6)])
    for literals in clauses:
        formula.clause(literals)
    for variables in xors:
        formula.xor(variables)
    for variables, low, high in cardinalities:
        formula.between(low, high, variables)
    assert set(models(formula, "cryptominisat")) == set(models(formula, "cadical195"))


def test_a_clause_may_repeat_a_literal() -> None:
    formula = Formula()
    x, y = (
        formula.variables("x", {"i": range(2)}),
        formula.variables("y", {"i": range(1)}, decision=False),
    )
    formula.xor([x(1)])
    formula.clause([-x(0)] * 3)
    formula.clause([y(0), y(0), -x(1)])
    for backend in "gf2", "auto":
        assert list(models(formula, backend)) == [{x(1)}]
