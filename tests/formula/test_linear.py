"""Linear constraints, the diagrams that they become, all-different, and weighted objectives,
compared with brute force."""

from __future__ import annotations

import math
import random
from contextlib import closing
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.installed import CAPABILITIES, GENERAL, PROGRAMS
from support.quick import cases

from jigsat import Formula, Lowered
from jigsat.backends import open_backend
from jigsat.formula import Cardinality, Clause, Linear, diagram
from jigsat.formula.lowering import MAX_WEIGHT_SUM
from jigsat.search.portfolio import least, models

OPTIONS: dict[str, Any] = {"derandomize": True, "deadline": None}
weights = st.integers(-4, 4) | st.sampled_from([-(2**40), 2**31, 2**62])
bounds = st.none() | st.integers(-9, 9) | st.sampled_from([2**31, 2**40, -(2**41)])


def over(variables: int) -> Formula:
    formula = Formula()
    formula.variables("x", {"i": range(1, variables + 1)})
    return formula


def weight(terms: list[tuple[int, int]], true: frozenset[int]) -> int:
    return sum(weight for literal, weight in terms if (abs(literal) in true) == (literal > 0))


def every(variables: int) -> list[frozenset[int]]:
    return [
        frozenset(i for i, bit in enumerate(bits, 1) if bit)
        for bits in product((0, 1), repeat=variables)
    ]


@settings(max_examples=cases(200), **OPTIONS)
@given(
    st.lists(
        st.tuples(st.integers(1, 5).flatmap(lambda x: st.sampled_from([x, -x])), weights),
        max_size=7,
    ),
    bounds,
    bounds,
)
def test_the_models_are_those_within_the_bounds(
    terms: list[tuple[int, int]], low: int | None, high: int | None
) -> None:
    formula = over(5)
    if low is None and high is None:
        with pytest.raises(ValueError, match="a bound is missing"):
            formula.linear(terms, at_least=low, at_most=high)
        return
    formula.linear(terms, at_least=low, at_most=high)
    (constraint,) = formula.constraints()
    assert list(formula.others()) == [constraint]
    if isinstance(constraint, Linear):
        assert (
            min(constraint.weights)
            > 0
            < len(set(map(abs, constraint.literals)))
            == len(constraint.literals)
        )
        assert math.gcd(*constraint.weights) == 1
    lowest, highest = -math.inf if low is None else low, math.inf if high is None else high
    expected = {true for true in every(5) if lowest <= weight(terms, true) <= highest}
    assert set(models(formula)) == expected
    small = all(abs(w) < 10 for _, w in terms)
    for backend in {"clingo", "ortools", "z3", "minicard"} & set(GENERAL) if small else ():
        assert set(models(formula, backend)) == expected, backend


@pytest.mark.parametrize("backend", [name for name in GENERAL if name not in PROGRAMS])
def test_every_backend(backend: str) -> None:
    rng = random.Random(7)
    for size in (3, 20, 2**33):
        formula, terms = (
            over(7),
            [(rng.choice((i, -i)), rng.randint(-size, size)) for i in range(1, 8)],
        )
        costs = [weight(terms, true) for true in every(7)]
        middle = sorted(costs)[len(costs) // 2]
        with formula.rule("a band"):
            formula.linear(terms, at_least=middle - size, at_most=middle + size)
        with formula.rule("an equation"):
            formula.linear([(1, 2), (2, 2), (3, 1), (-4, 1)], at_least=3, at_most=3)
        expected = {
            true
            for true in every(7)
            if abs(weight(terms, true) - middle) <= size
            and weight([(1, 2), (2, 2), (3, 1), (-4, 1)], true) == 3
        }
        found = list(models(formula, backend))
        assert len(found) == len(set(found))
        assert set(found) == expected
        assert expected


@settings(max_examples=cases(150), **OPTIONS)
@given(st.lists(st.integers(1, 12) | st.integers(1, 10**12), min_size=1, max_size=7), st.data())
def test_diagrams(sizes: list[int], data: st.DataObject) -> None:
    bound = data.draw(st.integers(0, sum(sizes) - 1))
    n = len(sizes)
    for largest in (diagram.MAX_NODES, 0):  # with the original weights, and with powers of two
        clauses, auxiliaries = diagram.at_most(tuple(sizes), bound, largest)
        used = {abs(literal) for clause in clauses for literal in clause}
        assert used <= set(range(1, n + auxiliaries + 1)) and used >= set(
            range(n + 1, n + auxiliaries + 1)
        )
        with closing(open_backend("minisat22")) as solver:
            for clause in clauses:
                solver.add(Clause(tuple(clause)))
            for true in every(n):
                total = sum(sizes[i - 1] for i in true)
                assert solver.solve([i if i in true else -i for i in range(1, n + 1)]) == (
                    total <= bound
                )
                possible, implied = solver.propagate(sorted(true))
                if largest:
                    assert possible == (total <= bound), "unit propagation finds every conflict"
                if possible and largest:
                    always = {-i for i in range(1, n + 1) if sizes[i - 1] > bound}
                    follows = {
                        -i
                        for i in range(1, n + 1)
                        if i not in true and total + sizes[i - 1] > bound
                    }
                    assert {x for x in implied if -n <= x < 0} | always == follows | always, (
                        "and everything that follows"
                    )


def test_diagrams_of_huge_weights_stay_small() -> None:
    rng = random.Random(1)
    weights = tuple(rng.randint(1, 10**9) for _ in range(60))
    clauses, auxiliaries = diagram.at_most(weights, sum(weights) // 2)
    terms = sum(weight.bit_count() for weight in weights)
    assert auxiliaries <= terms * (terms + 1) / 2
    assert len(clauses) <= 2 * auxiliaries + 62


def test_equal_weights_make_a_cardinality_constraint() -> None:
    formula = over(4)
    formula.linear({1: 6, 2: 6, -3: 6}, at_least=7, at_most=17)
    formula.linear([1, 2, 3], at_least=2)
    formula.linear([(1, 2), (2, -2), (1, -1), (-1, -1), (3, 0)], at_most=0)
    formula.linear({}, at_least=1)
    assert list(formula.constraints()) == [
        Cardinality((1, 2, -3), 2, 2),
        Cardinality((1, 2, 3), 2, 3),
        Cardinality((1, -2), 0, 1),
        Cardinality((), 1, 0),
    ]


def test_native_linear_constraints() -> None:
    formula = over(4)
    formula.linear({1: 3, 2: 2, 3: 2}, at_least=2, at_most=5)
    formula.linear({1: 3, 2: 2}, at_least=3, at_most=3)
    formula.linear({1: 3, 2: 2}, at_least=0)
    formula.linear({1: 3, 2: 2}, at_most=5)
    native = frozenset({"linear"})
    assert list(Lowered(formula, native=native)) == [
        Linear((1, 2, 3), (3, 2, 2), 2, 7),
        Linear((1, 2, 3), (3, 2, 2), 0, 5),
        Linear((1, 2), (3, 2), 3, 3),
    ]
    for impossible in ({"at_least": 6}, {"at_most": -1}, {"at_least": 3, "at_most": 2}):
        formula = over(2)
        formula.linear({1: 3, 2: 2}, **impossible)
        assert all(
            isinstance(low, Clause) and low.literals for low in Lowered(formula, native=native)
        )
        assert not list(models(formula))
    formula = over(2)
    formula.linear({1: MAX_WEIGHT_SUM - 1, 2: 2}, at_most=5)
    assert all(isinstance(low, Clause) for low in Lowered(formula, native=native)), (
        "no solver may overflow"
    )


def test_what_a_linear_constraint_refuses() -> None:
    formula = over(2)
    with pytest.raises(ValueError, match="which has the variables 1 to 2"):
        formula.linear({3: 1}, at_most=1)
    with pytest.raises(TypeError, match=r"a weight is an integer, not 0\.5"):
        formula.linear({1: 0.5}, at_most=1)  # type: ignore[dict-item]
    assert list(formula.constraints()) == []


# -- all different


@pytest.mark.parametrize(
    ("choices", "values"), [(0, 0), (1, 1), (3, 3), (4, 4), (3, 5), (2, 6), (4, 3), (1, 0)]
)
def test_all_different_choices_give_all_arrangements(choices: int, values: int) -> None:
    formula = Formula()
    formula.all_different([formula.choice("seat", range(values), guest=i) for i in range(choices)])
    assert len(list(models(formula))) == math.perm(values, choices)
    exactly = [
        c for c in formula.others() if isinstance(c, Cardinality) and c.at_least == c.at_most == 1
    ]
    assert len(exactly) == choices + (values if choices == values else 0)


def test_all_different_with_different_domains() -> None:
    domains = ["abc", "bc", "cd"]
    formula = Formula()
    chosen = [formula.choice("letter", domain, at=i) for i, domain in enumerate(domains)]
    formula.all_different(chosen)
    expected = {letters for letters in product(*domains) if len(set(letters)) == 3}
    found = {tuple(formula.key(x)[1] for x in sorted(model)) for model in models(formula)}
    assert found == expected
    with pytest.raises(ValueError, match="is repeated"):
        formula.all_different([chosen[0], chosen[0]])


# -- weighted objectives


@settings(max_examples=cases(100), **OPTIONS)
@given(
    st.lists(
        st.lists(
            st.integers(1, 5).flatmap(lambda x: st.sampled_from([x, -x])), min_size=1, max_size=4
        ),
        max_size=6,
    ),
    st.dictionaries(
        st.integers(1, 5).flatmap(lambda x: st.sampled_from([x, -x])), weights, min_size=1
    ),
)
def test_the_least_cost_and_its_models(clauses: list[list[int]], objective: dict[int, int]) -> None:
    formula = over(5)
    for clause in clauses:
        formula.clause(clause)
    formula.minimize(objective)
    costs = {model: weight(list(objective.items()), model) for model in models(formula)}
    assert {model: formula.cost(model) for model in costs} == costs
    minimum = least(formula)
    assert minimum == min(costs.values(), default=None)
    if minimum is not None:
        formula.linear(formula.objective, at_most=minimum)
        assert set(models(formula)) == {model for model, cost in costs.items() if cost == minimum}


def test_ways_to_state_an_objective() -> None:
    formula = over(3)
    for terms, objective in [
        ([1, -2], {1: 1, -2: 1}),
        (iter([(1, 3), (2, -1)]), {1: 3, 2: -1}),
        ({3: 2, 1: 0}, {3: 2}),
        ([], {}),
    ]:
        formula.minimize(terms)
        assert formula.objective == objective
    assert formula.extended().objective == formula.objective
    with pytest.raises(ValueError, match="is repeated"):
        formula.minimize([(1, 2), (1, 3)])


# -- in exact covers


@pytest.mark.parametrize(
    "backend",
    [name for name in ("auto", "cover", "clingo", "z3-fd") if name in (*CAPABILITIES, "auto")],
)
def test_choices_with_sums(backend: str) -> None:
    for seed in range(25):
        rng = random.Random(seed)
        formula, values = Formula(), range(rng.randint(3, 4))
        choices = [formula.choice("value", values, at=i) for i in range(3)]
        formula.all_different(choices)
        terms = [
            (literal, rng.randint(-4, 4))
            for choice in choices
            for literal in choice.literals.values()
        ]
        formula.linear(terms, at_least=-3, at_most=2)
        expected = {
            frozenset(choice(value) for choice, value in zip(choices, chosen, strict=True))
            for chosen in permutations(values, 3)
            if -3
            <= sum(
                dict(terms)[choice(value)] for choice, value in zip(choices, chosen, strict=True)
            )
            <= 2
        }
        found = list(models(formula, backend))
        assert len(found) == len(set(found))
        assert set(found) == expected
