"""Exact cover with colours: see rules.py."""

from jigsat.encodings.exact_cover.data import Chosen
from jigsat.encodings.exact_cover.rules import ExactCover

__all__ = ["Chosen", "ExactCover"]
