"""Backends: thin wrappers around solver libraries, found by name and independent of puzzles."""

from jigsat.backends.base import AUTO, DEFAULT, PROPAGATOR, Backend, Branching, Capabilities, Listing, Ranking, Spec
from jigsat.backends.gf2 import few
from jigsat.backends.hitting import hitting_sets
from jigsat.backends.maxsat import least_cost
from jigsat.backends.registry import find, not_installed, open_backend, specs

__all__ = [
    "AUTO",
    "DEFAULT",
    "PROPAGATOR",
    "Backend",
    "Branching",
    "Capabilities",
    "Listing",
    "Ranking",
    "Spec",
    "few",
    "find",
    "hitting_sets",
    "least_cost",
    "not_installed",
    "open_backend",
    "specs",
]
