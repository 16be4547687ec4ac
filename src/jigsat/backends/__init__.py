"""Backends: thin wrappers around solver libraries, found by name. They know no puzzle."""

from jigsat.backends.auto import choose, counting
from jigsat.backends.base import DEFAULT, PROPAGATOR, Backend, Capabilities, Spec
from jigsat.backends.maxsat import least_cost
from jigsat.backends.registry import find, open_backend, specs

__all__ = [
    "DEFAULT",
    "PROPAGATOR",
    "Backend",
    "Capabilities",
    "Spec",
    "choose",
    "counting",
    "find",
    "least_cost",
    "open_backend",
    "specs",
]
