"""The interface between a puzzle family and the pipeline."""

from jigsat.puzzle.entries import Entries, Known, Shorthand
from jigsat.puzzle.methods import MODULES, ReturnType, faults_named, guard_method, optional_modules
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
    warn_if_accepted,
    write_links,
)
from jigsat.puzzle.ways import GO_IN, LIE_IN, LIE_ON, SIT_IN, Ask, Rule, Verb, Way, name_turn

__all__ = [
    "GO_IN",
    "IRRELEVANT",
    "LIE_IN",
    "LIE_ON",
    "MODULES",
    "SIT_IN",
    "Alternatives",
    "Ask",
    "Correction",
    "Entries",
    "Known",
    "Puzzle",
    "Reason",
    "ReturnType",
    "Rule",
    "Shorthand",
    "Solution",
    "Verb",
    "Way",
    "Writer",
    "faults_named",
    "guard_method",
    "name_turn",
    "optional_modules",
    "require_plain",
    "single",
    "warn_if_accepted",
    "write_links",
]
