"""What counts as one solution: the equivalence of solutions, tallies, and shares of orbits in parts of a search."""

from jigsat.orbits.automorphisms import AutomorphismGroup, automorphisms_of, described_group
from jigsat.orbits.equivalence import Equivalence, by_burnside, find_equivalence, listed
from jigsat.orbits.shares import BREAKING, Kind, Weigher, orbits, totals, with_breaking_clause
from jigsat.orbits.tally import ListedTally

__all__ = [
    "BREAKING",
    "AutomorphismGroup",
    "Equivalence",
    "Kind",
    "ListedTally",
    "Weigher",
    "automorphisms_of",
    "by_burnside",
    "described_group",
    "find_equivalence",
    "listed",
    "orbits",
    "totals",
    "with_breaking_clause",
]
