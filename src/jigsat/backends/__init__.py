"""Backends: thin wrappers around solver libraries, found by name and independent of puzzles."""

from jigsat.backends.auto import AUTO, clued_covers, counter, exhaustive, first, plan, probes, successor
from jigsat.backends.base import DEFAULT, PROPAGATOR, Backend, Branching, Capabilities, Listing, Ranking, Spec
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
    "clued_covers",
    "confirm",
    "counter",
    "exhaustive",
    "few",
    "find",
    "first",
    "hitting_sets",
    "is_own",
    "least_cost",
    "not_installed",
    "open_backend",
    "plan",
    "probes",
    "specs",
    "successor",
]
