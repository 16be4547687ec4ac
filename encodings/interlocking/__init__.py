"""Interlocking pieces: see rules.py."""

from jigsat.encodings.interlocking.data import Piece, Placement
from jigsat.encodings.interlocking.rules import Interlocking

__all__ = ["Interlocking", "Piece", "Placement"]
