"""Backends: thin wrappers around solver libraries, found by name and independent of puzzles."""

from jigsat.backends.base import (
    AUTO,
    DEFAULT,
    PROPAGATOR,
    Backend,
    Branching,
    Capabilities,
    Listing,
    NotInBuild,
    Ranking,
    Spec,
)
from jigsat.backends.counting import is_plain_cover, quick_spec
from jigsat.backends.cover import is_cover, load_plain_search, probes
from jigsat.backends.cutting import Cutting, open_search, takes_cuts
from jigsat.backends.gf2 import few, load_xors
from jigsat.backends.model_counters import find_two_counters
from jigsat.backends.pysat import Bounds, bound_least_cost, hitting_sets, minimal_hitting_sets
from jigsat.backends.registry import find, is_own, not_installed, open_backend, register, specs

__all__ = [
    "AUTO",
    "DEFAULT",
    "PROPAGATOR",
    "Backend",
    "Bounds",
    "Branching",
    "Capabilities",
    "Cutting",
    "Listing",
    "NotInBuild",
    "Ranking",
    "Spec",
    "bound_least_cost",
    "few",
    "find",
    "find_two_counters",
    "hitting_sets",
    "is_cover",
    "is_own",
    "is_plain_cover",
    "load_plain_search",
    "load_xors",
    "minimal_hitting_sets",
    "not_installed",
    "open_backend",
    "open_search",
    "probes",
    "quick_spec",
    "register",
    "specs",
    "takes_cuts",
]
