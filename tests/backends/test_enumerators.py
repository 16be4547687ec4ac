"""Backends that enumerate by themselves: models that are already known, and abandoned searches."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.installed import CAPABILITIES
from support.waiting import LONG

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


@pytest.mark.slow  # ten new processes, which import the solver
def test_python_ends_as_usual_in_the_middle_of_a_search(backend: str) -> None:
    script = (
        "import jigsat\n"
        f"found = jigsat.solutions('cats', up_to='nothing', backend={backend!r})\n"
        "next(found)"
    )
    for _ in range(10):  # CP-SAT aborted most runs
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, timeout=LONG
        )
        assert (done.returncode, done.stderr) == (0, "")
