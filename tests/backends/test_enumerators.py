"""Backends that enumerate by themselves: what they are told of the variables, and what comes after something was added."""

from __future__ import annotations

import pytest
from support.installed import CAPABILITIES

from jigsat import Formula
from jigsat.backends.registry import open_backend
from jigsat.formula.constraints import Clause
from jigsat.search.blocking import models

ENUMERATORS = [name for name, capabilities in CAPABILITIES.items() if capabilities.enumerates and capabilities.clauses]

pytestmark = pytest.mark.parametrize(
    "backend", ENUMERATORS or [pytest.param("", marks=pytest.mark.skip(reason="none is installed"))]
)


def test_auxiliaries_do_not_multiply_models(backend: str) -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(4)])
    free = formula.variables("free", ("i",), [(i,) for i in range(6)], decision=False)
    formula.clause(x[:])
    formula.clause(free[:])
    found = list(models(formula, backend))
    assert len(found) == len(set(found)) == 15


def test_known_models_do_not_come_again(backend: str) -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(4)])
    formula.exactly(2, x[:])
    assert set(models(formula, backend, known=[[1, 2], [3, 4]])) == {
        frozenset(pair) for pair in ((1, 3), (1, 4), (2, 3), (2, 4))
    }


def test_it_starts_over_when_something_is_added(backend: str) -> None:
    solver = open_backend(backend)
    try:
        solver.project([1, 2, 3])
        solver.add(Clause((1, 2)))
        before = [set(solver.model()) for _ in range(3) if solver.solve()]
        assert len(before) == 3
        solver.add(Clause((-1,)))
        after = []
        while solver.solve():
            after.append(set(solver.model()))
        assert sorted(map(sorted, after)) == [[2], [2, 3]]
        assert not solver.solve(), "it stays at its end"
    finally:
        solver.close()


def test_an_abandoned_search_is_ended(backend: str) -> None:
    formula = Formula()
    formula.variables("x", ("i",), [(i,) for i in range(40)])
    found = models(formula, backend)
    assert len({next(found) for _ in range(5)}) == 5
    found.close()  # type: ignore[attr-defined]
