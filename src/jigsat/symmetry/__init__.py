"""Permutation groups on the decision variables: levels, orbits, symmetry breaking and Burnside's lemma."""

from jigsat.symmetry.group import Group, Model, burnside, packed
from jigsat.symmetry.levels import LEVELS, Placement, Symmetry

__all__ = [
    "LEVELS",
    "Group",
    "Model",
    "Placement",
    "Symmetry",
    "burnside",
    "packed",
]
