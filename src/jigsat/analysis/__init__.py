"""Facts about a puzzle: its encoding, difficulty and clues, and whether the answers of other programs are right."""

from jigsat.analysis.answers import confirm_models, read_solutions
from jigsat.analysis.clashes import Unfinished
from jigsat.analysis.deduction import Deduction, NextPlacement, deduce_placements, next_placement
from jigsat.analysis.difficulty import Difficulty, Rating, rating
from jigsat.analysis.estimates import Estimate, Interval, estimate_search
from jigsat.analysis.explanation import Explanation, explain_encoding
from jigsat.analysis.redundancy import MAX_SEARCH_S, judge_clues
from jigsat.analysis.unsolvable import FoundReasons, placements_to_draw, reasons

__all__ = [
    "MAX_SEARCH_S",
    "Deduction",
    "Difficulty",
    "Estimate",
    "Explanation",
    "FoundReasons",
    "Interval",
    "NextPlacement",
    "Rating",
    "Unfinished",
    "confirm_models",
    "deduce_placements",
    "estimate_search",
    "explain_encoding",
    "judge_clues",
    "next_placement",
    "placements_to_draw",
    "rating",
    "read_solutions",
    "reasons",
]
