"""The interface between a puzzle family and the pipeline."""

from jigsat.puzzle.entries import Entries, Known, Shorthand
from jigsat.puzzle.methods import MODULES, faults_named, optional_modules
from jigsat.puzzle.puzzle import (
    IRRELEVANT,
    Alternatives,
    Correction,
    Puzzle,
    Reason,
    Solution,
    Writer,
    require_plain,
    single,
)

__all__ = [
    "IRRELEVANT",
    "MODULES",
    "Alternatives",
    "Correction",
    "Entries",
    "Known",
    "Puzzle",
    "Reason",
    "Shorthand",
    "Solution",
    "Writer",
    "faults_named",
    "optional_modules",
    "require_plain",
    "single",
]
