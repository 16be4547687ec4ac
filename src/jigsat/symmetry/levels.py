"""The levels of equivalence, and one declared symmetry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Placement: TypeAlias = Any
"""A NamedTuple of the family's; see the family's file."""

LEVELS = ("nothing", "rotation", "reflection", "all")
"""Up to what two solutions can count as one, each level taking in those before it: turning the board; also mirroring it;
also exchanges that the family declares, such as one label for another."""


@dataclass(frozen=True)
class Symmetry:
    """A permutation of the placements that maps solutions to solutions; `level` is the first of LEVELS to take it in."""

    level: Literal["rotation", "reflection", "all"]
    images: Mapping[Placement, Placement]
