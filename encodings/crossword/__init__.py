"""Crosswords: see rules.py."""

from jigsat.encodings.crossword.data import Letter, Scored
from jigsat.encodings.crossword.rules import Crossword

__all__ = ["Crossword", "Letter", "Scored"]
