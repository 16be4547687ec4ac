"""What counts as one solution: the equivalence of solutions, tallies, and shares of orbits in parts of a search."""

from jigsat.orbits.automorphisms import AutomorphismGroup, describe_group, find_automorphisms
from jigsat.orbits.equivalence import Equivalence, as_explicit_group, count_orbits_by_burnside, find_equivalence
from jigsat.orbits.shares import BREAKING, OrbitCounter, OrbitShare, add_orbits, add_shares, with_breaking_clause
from jigsat.orbits.tally import ListedTally

__all__ = [
    "BREAKING",
    "AutomorphismGroup",
    "Equivalence",
    "ListedTally",
    "OrbitCounter",
    "OrbitShare",
    "add_orbits",
    "add_shares",
    "as_explicit_group",
    "count_orbits_by_burnside",
    "describe_group",
    "find_automorphisms",
    "find_equivalence",
    "with_breaking_clause",
]
