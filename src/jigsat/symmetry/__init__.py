"""Permutation groups on the decision variables: levels, orbits, symmetry breaking, Burnside's
lemma, and automorphisms."""

from jigsat.symmetry.automorphisms import Automorphisms, ColouredGraph, preserves
from jigsat.symmetry.burnside import (
    conjugacy_classes,
    count_solutions_and_orbits,
    fixed_by,
    generators,
)
from jigsat.symmetry.exchanges import symbol_symmetries
from jigsat.symmetry.group import Group, Model, Permutation, generate_group
from jigsat.symmetry.levels import (
    DECLARED_LEVELS,
    Level,
    OnDemand,
    Placement,
    Symmetry,
    add_levels,
    in_words,
)
from jigsat.symmetry.lexleader import lex_leaders

__all__ = [
    "DECLARED_LEVELS",
    "Automorphisms",
    "ColouredGraph",
    "Group",
    "Level",
    "Model",
    "OnDemand",
    "Permutation",
    "Placement",
    "Symmetry",
    "add_levels",
    "conjugacy_classes",
    "count_solutions_and_orbits",
    "fixed_by",
    "generate_group",
    "generators",
    "in_words",
    "lex_leaders",
    "preserves",
    "symbol_symmetries",
]
