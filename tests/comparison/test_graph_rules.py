"""How rules about graphs reach a solver, as comparisons state it."""

from __future__ import annotations

import pytest

import jigsat
from jigsat.comparison.tasks import Trial, answer


@pytest.mark.parametrize(
    ("instance", "backend", "graphs"),
    [
        ("slitherlink-4", "cadical195", "lazy"),
        ("slitherlink-4", "clingo", "eager"),
        ("cats", "cadical195", ""),
    ],
)
def test_lazy_and_eager_rules(instance: str, backend: str, graphs: str) -> None:
    *_, last = answer(jigsat.load(instance), Trial(backend, "", "", "first"))
    assert last.solutions == 1
    assert last.graphs == graphs
    assert ("cuts" in last.statistics) == ("cuts_ms" in last.statistics) == (graphs == "lazy")
