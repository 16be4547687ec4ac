"""Backends that enumerate by themselves: models that are already known, and abandoned searches."""

from __future__ import annotations

import pytest
from support.installed import CAPABILITIES

from jigsat import Formula
from jigsat.search.portfolio import models

ENUMERATORS = [
    name
    for name, capabilities in CAPABILITIES.items()
    if capabilities.enumerates and capabilities.clauses
]

pytestmark = pytest.mark.parametrize(
    "backend", ENUMERATORS or [pytest.param("", marks=pytest.mark.skip(reason="none is installed"))]
)


def test_known_models_are_not_repeated(backend: str) -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(4)])
    formula.exactly(2, x[:])
    assert set(models(formula, backend, known=[[1, 2], [3, 4]])) == {
        frozenset(pair) for pair in ((1, 3), (1, 4), (2, 3), (2, 4))
    }


def test_an_abandoned_search_is_stopped(backend: str) -> None:
    formula = Formula()
    formula.variables("x", ("i",), [(i,) for i in range(40)])
    found = models(formula, backend)
    assert len({next(found) for _ in range(5)}) == 5
    found.close()  # type: ignore[attr-defined]
