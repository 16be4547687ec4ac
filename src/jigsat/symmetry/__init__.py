"""Permutation groups on the decision variables: levels, orbits, symmetry breaking and Burnside's lemma."""

from jigsat.symmetry.burnside import fixed_by, orbits
from jigsat.symmetry.closure import generated, preserves
from jigsat.symmetry.group import Group, Model, Permutation, packed
from jigsat.symmetry.levels import LEVELS, Placement, Symmetry

__all__ = [
    "LEVELS",
    "Group",
    "Model",
    "Permutation",
    "Placement",
    "Symmetry",
    "fixed_by",
    "generated",
    "orbits",
    "packed",
    "preserves",
]
