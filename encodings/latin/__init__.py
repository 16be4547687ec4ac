"""Latin squares: see rules.py."""

from jigsat.encodings.latin.data import Symbol
from jigsat.encodings.latin.rules import Latin

__all__ = ["Latin", "Symbol"]
