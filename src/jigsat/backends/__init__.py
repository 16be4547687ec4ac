"""Backends: thin wrappers around solver libraries, found by name and independent of puzzles."""

from jigsat.backends.base import AUTO, DEFAULT, PROPAGATOR, Backend, Branching, Capabilities, Listing, Ranking, Spec
from jigsat.backends.confirmation import confirm
from jigsat.backends.gf2 import few
from jigsat.backends.hitting import hitting_sets
from jigsat.backends.maxsat import least_cost
from jigsat.backends.registry import find, is_own, not_installed, open_backend, specs

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
    "confirm",
    "few",
    "find",
    "hitting_sets",
    "is_own",
    "least_cost",
    "not_installed",
    "open_backend",
    "specs",
]
