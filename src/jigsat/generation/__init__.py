"""Generating puzzles with the requested number of solutions."""

from jigsat.generation.arrangements import MAX_LINK_CLAUSES, Arrangements, Move, add_moves
from jigsat.generation.clues import ClueOptions
from jigsat.generation.counterexamples import CounterexampleGuidedGenerator, PuzzleSpace, RandomDataGenerator
from jigsat.generation.generator import GeneratedPuzzle, Generator, GeneratorOptions, generate, generators
from jigsat.generation.sharing import generate_shared
from jigsat.generation.sources import generate_from, generate_with, options_for, public_settings

__all__ = [
    "MAX_LINK_CLAUSES",
    "Arrangements",
    "ClueOptions",
    "CounterexampleGuidedGenerator",
    "GeneratedPuzzle",
    "Generator",
    "GeneratorOptions",
    "Move",
    "PuzzleSpace",
    "RandomDataGenerator",
    "add_moves",
    "generate",
    "generate_from",
    "generate_shared",
    "generate_with",
    "generators",
    "options_for",
    "public_settings",
]
