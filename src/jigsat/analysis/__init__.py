"""Facts about a puzzle: its encoding, difficulty and clues, and whether the answers of other programs are right."""

from jigsat.analysis.answers import answered, confirmed
from jigsat.analysis.clashes import Unfinished
from jigsat.analysis.deduction import Deduction, NextPlacement, deduced, next_placement
from jigsat.analysis.difficulty import Level, Rating, rating
from jigsat.analysis.estimates import Estimate, Interval, estimated
from jigsat.analysis.explanation import Explanation, explained
from jigsat.analysis.redundancy import SECONDS, judged
from jigsat.analysis.unsolvable import Found, reasons, shown

__all__ = [
    "SECONDS",
    "Deduction",
    "Estimate",
    "Explanation",
    "Found",
    "Interval",
    "Level",
    "NextPlacement",
    "Rating",
    "Unfinished",
    "answered",
    "confirmed",
    "deduced",
    "estimated",
    "explained",
    "judged",
    "next_placement",
    "rating",
    "reasons",
    "shown",
]
