"""From a puzzle to its answers: enumeration, many puzzles at once, the store, relations, clues and difficulty."""

from jigsat.solving.answers import answered, confirmed
from jigsat.solving.batch import Answer, Shared, attempts, solve_all
from jigsat.solving.counts import counted, counted_at_once
from jigsat.solving.difficulty import Level, rating
from jigsat.solving.enumeration import Enumeration, Result, Tally, checked
from jigsat.solving.redundancy import judged
from jigsat.solving.relations import change
from jigsat.solving.store import Header, Lines

__all__ = [
    "Answer",
    "Enumeration",
    "Header",
    "Level",
    "Lines",
    "Result",
    "Shared",
    "Tally",
    "answered",
    "attempts",
    "change",
    "checked",
    "confirmed",
    "counted",
    "counted_at_once",
    "judged",
    "rating",
    "solve_all",
]
