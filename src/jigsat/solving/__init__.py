"""Answers to questions about puzzles: enumeration, counts, batches of puzzles and random solutions."""

from jigsat.solving.batch import Answer, attempts, solve_all
from jigsat.solving.counted import try_counting_first
from jigsat.solving.enumeration import Enumeration
from jigsat.solving.first import first_solution, first_solutions
from jigsat.solving.options import check_level, check_number, validate
from jigsat.solving.result import Result
from jigsat.solving.shared import Shared
from jigsat.solving.uniform import Population, ranked, samples

__all__ = [
    "Answer",
    "Enumeration",
    "Population",
    "Result",
    "Shared",
    "attempts",
    "check_level",
    "check_number",
    "first_solution",
    "first_solutions",
    "ranked",
    "samples",
    "solve_all",
    "try_counting_first",
    "validate",
]
