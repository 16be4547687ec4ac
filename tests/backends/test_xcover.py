"""The exact-cover backend compared with truth tables, and the formulas that it refuses."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from support import truth
from support.quick import cases

import jigsat
from jigsat import Formula, InputError
from jigsat.backends.registry import find, open_backend
from jigsat.confirmation import confirm
from jigsat.formula.constraints import Cardinality, Clause
from jigsat.search.portfolio import models

pytest.importorskip("xcover")


def coverlike(rng: random.Random) -> tuple[list[truth.Spec], int]:
    """Random exactly-one and at-most-one constraints, implications and a few clauses, over this
    number of variables."""
    variables = rng.randint(1, 7)

    def specs() -> Iterator[truth.Spec]:
        for _ in range(rng.randint(1, 7)):
            some = rng.sample(range(1, variables + 1), rng.randint(1, variables))
            match rng.choice(
                [
                    "one",
                    "one",
                    "one",
                    "at most",
                    "at most",
                    "implies",
                    "implies",
                    "clause",
                    "support",
                    "bound",
                ]
            ):
                case "one":
                    yield "exactly", (1,), some
                case "at most":
                    yield "at_most", (1,), some
                case "implies":
                    yield "clause", (), [-some[0], *some[1:2]]
                case "clause":
                    yield "clause", (), some
                case "support":
                    yield "clause", (), [-some[0], *some[1:]]
                case "bound":
                    yield "at_most", (rng.choice([0, len(some)]),), some

    return list(specs()), variables


@settings(deadline=None, max_examples=cases(400))
@given(st.integers(0, 2**32).map(lambda seed: coverlike(random.Random(seed))))
def test_it_finds_the_models_of_accepted_formulas(case: tuple[list[truth.Spec], int]) -> None:
    specs, variables = case
    expected = truth.table(specs, variables, variables)
    try:
        found = list(models(truth.formula(specs, variables, variables), "xcover"))
    except InputError:
        event("refused")
        return
    event("many models" if len(found) > 3 else "some models" if found else "no model")
    assert len(found) == len(set(found))
    assert set(found) == expected


@settings(deadline=None, max_examples=cases(300))
@given(truth.instances())
def test_any_formula_is_solved_correctly_or_refused(
    case: tuple[list[truth.Spec], int, int],
) -> None:
    specs, variables, decisions = case
    try:
        found = set(models(truth.formula(specs, variables, decisions), "xcover"))
    except InputError:
        event("refused")
        return
    event("taken")
    assert found == truth.table(specs, variables, decisions)


def test_exactly_one_and_at_most_one_are_never_refused() -> None:
    for seed in range(200):
        specs, variables = coverlike(random.Random(seed))
        cover = [spec for spec in specs if spec[1] == (1,)]
        assert set(models(truth.formula(cover, variables, variables), "xcover")) == truth.table(
            cover, variables, variables
        )


@pytest.mark.parametrize("instance", ["cats", "cats-reuse"])
def test_the_labels_on_edges_are_colours(instance: str) -> None:
    ours, others = jigsat.count(instance, backend="xcover"), jigsat.count(instance)
    assert (ours.solutions, ours.distinct, ours.complete) == (
        others.solutions,
        others.distinct,
        True,
    )
    assert ours.established_by == "exhaustion"


def test_refusals_name_the_constraint() -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(4)])
    formula.exactly(2, x[:])
    with pytest.raises(InputError, match=r"another exactly-k; use another backend"):
        next(models(formula, "xcover"))


def test_an_implication_between_unconstrained_variables() -> None:
    formula = Formula()
    a, b = formula.variables("x", ("i",), [(i,) for i in range(2)])[:]
    formula.implies(a, b)
    assert set(models(formula, "xcover")) == {frozenset(), frozenset({b}), frozenset({a, b})}


def test_an_added_constraint_restarts_the_search() -> None:
    solver = open_backend("xcover")
    for literals in ((1,), (2,), (-3, 2)):
        solver.add(Clause(literals))
    assert solver.solve()
    assert set(solver.model()) >= {1, 2}
    solver.add(Clause((-1,)))
    assert not solver.solve()


def test_assumptions_restart_the_search_and_do_not_persist() -> None:
    solver = open_backend("xcover")
    solver.project([1, 2, 3])
    solver.add(Cardinality((1, 2, 3), 1, 1))

    def found(*assumptions: int) -> list[list[int]]:
        models = []
        while solver.solve(assumptions):
            models.append(sorted(variable for variable in solver.model() if variable <= 3))
        return sorted(models)

    assert found(-1) == [[2], [3]]
    assert found(2) == [[2]]
    assert found(1, 2) == []
    assert found() == [[1], [2], [3]]


def test_its_capabilities_are_confirmed() -> None:
    assert confirm(find("xcover")) == (open_backend("xcover").capabilities, [])
