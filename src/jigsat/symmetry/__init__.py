"""Permutation groups on the decision variables: levels, orbits, symmetry breaking, Burnside's lemma, and automorphisms."""

from jigsat.symmetry.automorphisms import INSTALL, Automorphisms
from jigsat.symmetry.burnside import fixed_by, generators, orbits
from jigsat.symmetry.closure import generated, preserves
from jigsat.symmetry.group import Group, Model, Permutation, packed
from jigsat.symmetry.levels import AUTOMORPHISM, LEVELS, WORDS, Placement, Symmetry
from jigsat.symmetry.lexleader import lex_leaders

__all__ = [
    "AUTOMORPHISM",
    "INSTALL",
    "LEVELS",
    "WORDS",
    "Automorphisms",
    "Group",
    "Model",
    "Permutation",
    "Placement",
    "Symmetry",
    "fixed_by",
    "generated",
    "generators",
    "lex_leaders",
    "orbits",
    "packed",
    "preserves",
]
