"""The backends and lowerings to test."""

from __future__ import annotations

from contextlib import closing

import pytest

from jigsat.backends import Capabilities, Spec
from jigsat.backends.registry import specs
from jigsat.formula.lowering import AT_MOST_ONE, CARDINALITY, Lowering


def list_capabilities(spec: Spec) -> Capabilities | None:
    """What a backend states that it can do; None if it is not installed or finds no models. That
    it is true is tested in tests/testing/test_check_backend.py."""
    if spec.open is None:
        return None
    try:
        with closing(spec.open()) as backend:
            return backend.capabilities
    except ImportError:
        return None


CAPABILITIES = {
    spec.name: capabilities for spec in specs() if (capabilities := list_capabilities(spec))
}
GENERAL = [name for name, capabilities in CAPABILITIES.items() if capabilities.clauses]
"""The backends that accept any formula."""

SIMILAR = {spec.name for spec in specs() if spec.library == "python-sat"} - {
    "cadical195",
    "kissat404",
    "minicard",
}
"""Solvers with the same interface as another one, which a quick run tests instead where the solver
hardly matters."""

PROGRAMS = {spec.name for spec in specs() if spec.library == "program"}
"""The backends that start a program for every call, which is slow."""

LOWERINGS = [
    *(Lowering(at_most_one=name) for name in ("auto", *AT_MOST_ONE)),
    *(Lowering(cardinality=name) for name in CARDINALITY),
    *(Lowering(xor_cut=cut) for cut in range(3, 8)),
]

every_general = pytest.mark.parametrize(
    "backend",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name in PROGRAMS | SIMILAR))
        for name in GENERAL
    ],
)
