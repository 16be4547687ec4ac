"""Answers to questions about puzzles: enumeration, batches of puzzles, stores, differences, clues and difficulty."""

from jigsat.solving.answers import answered, confirmed
from jigsat.solving.batch import Answer, Shared, attempts, solve_all
from jigsat.solving.counts import Count, counted_at_once
from jigsat.solving.difficulty import Level, Rating, rating
from jigsat.solving.enumeration import Enumeration
from jigsat.solving.explanation import Explanation, explained
from jigsat.solving.options import validate
from jigsat.solving.redundancy import judged
from jigsat.solving.relations import change
from jigsat.solving.result import Result
from jigsat.solving.store import Header, Lines
from jigsat.solving.subject import EncodedSubject, Instance, Subject, Symmetries, checked, subject_of
from jigsat.solving.tally import ListedTally

__all__ = [
    "Answer",
    "Count",
    "EncodedSubject",
    "Enumeration",
    "Explanation",
    "Header",
    "Instance",
    "Level",
    "Lines",
    "ListedTally",
    "Rating",
    "Result",
    "Shared",
    "Subject",
    "Symmetries",
    "answered",
    "attempts",
    "change",
    "checked",
    "confirmed",
    "counted_at_once",
    "explained",
    "judged",
    "rating",
    "solve_all",
    "subject_of",
    "validate",
]
