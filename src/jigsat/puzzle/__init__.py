"""The interface between a puzzle family and the pipeline."""

from jigsat.puzzle.entries import Entries, Known, Shorthand
from jigsat.puzzle.modules import MODULES, optional_modules
from jigsat.puzzle.puzzle import IRRELEVANT, Correction, Puzzle, Reason, Solution, Writer, require_plain, single

__all__ = [
    "IRRELEVANT", "MODULES", "Correction", "Entries", "Known", "Puzzle", "Reason", "Shorthand", "Solution", "Writer",
    "optional_modules", "require_plain", "single",
]  # fmt: skip
