"""Tiling: see rules.py."""

from jigsat.encodings.tiling.data import Piece, Placement
from jigsat.encodings.tiling.rules import Tiling

__all__ = ["Piece", "Placement", "Tiling"]
