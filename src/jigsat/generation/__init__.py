"""Generating puzzles with the requested number of solutions."""

from jigsat.generation.clues import ClueWishes, Reclued
from jigsat.generation.counterexamples import Hinted, Inventing, Invention
from jigsat.generation.generation import Made, Maker, Wishes, generate, generators

__all__ = [
    "ClueWishes",
    "Hinted",
    "Inventing",
    "Invention",
    "Made",
    "Maker",
    "Reclued",
    "Wishes",
    "generate",
    "generators",
]
