"""From a puzzle to its answers: enumeration, many puzzles at once, the store, relations, clues and difficulty."""

from jigsat.solving.answers import answered, confirmed
from jigsat.solving.batch import Answer, Shared, attempts, solve_all
from jigsat.solving.difficulty import Level, rating
from jigsat.solving.enumeration import Enumeration, Result, Tally, checked, counted
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
    "judged",
    "rating",
    "solve_all",
]
