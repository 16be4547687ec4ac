"""Edge matching: see rules.py."""

from jigsat.encodings.edge_matching.data import Hint, Placement, Tile
from jigsat.encodings.edge_matching.rules import EdgeMatching

__all__ = ["EdgeMatching", "Hint", "Placement", "Tile"]
