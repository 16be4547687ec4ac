"""What counts as one solution: the equivalence of solutions, tallies, and shares of orbits in parts of a search."""

from jigsat.orbits.automorphisms import AutomorphismGroup, Generator, automorphisms_of, described_group, in_words
from jigsat.orbits.equivalence import Equivalence, by_burnside, find_equivalence, listed
from jigsat.orbits.shares import BREAKING, Kind, Weigher, orbits, totals, with_breaking_clause
from jigsat.orbits.tally import CanonicalTally, ListedTally, Tally

__all__ = [
    "BREAKING",
    "AutomorphismGroup",
    "CanonicalTally",
    "Equivalence",
    "Generator",
    "Kind",
    "ListedTally",
    "Tally",
    "Weigher",
    "automorphisms_of",
    "by_burnside",
    "described_group",
    "find_equivalence",
    "in_words",
    "listed",
    "orbits",
    "totals",
    "with_breaking_clause",
]
