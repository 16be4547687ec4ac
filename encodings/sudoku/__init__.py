"""Sudoku: see rules.py."""

from jigsat.encodings.sudoku.data import Digit
from jigsat.encodings.sudoku.rules import Sudoku

__all__ = ["Digit", "Sudoku"]
