"""Answers to questions about puzzles: enumeration, counts, batches of puzzles and random solutions."""

from jigsat.solving.batch import Answer, attempts, solve_all
from jigsat.solving.counted import try_counting_first
from jigsat.solving.enumeration import Enumeration
from jigsat.solving.first import first_solution, first_solutions
from jigsat.solving.options import Options, check_level, check_number, show_options, validate
from jigsat.solving.result import Result
from jigsat.solving.shared import Shared
from jigsat.solving.task import Want
from jigsat.solving.uniform import Population, ranked, samples

__all__ = [
    "Answer",
    "Enumeration",
    "Options",
    "Population",
    "Result",
    "Shared",
    "Want",
    "attempts",
    "check_level",
    "check_number",
    "first_solution",
    "first_solutions",
    "ranked",
    "samples",
    "show_options",
    "solve_all",
    "try_counting_first",
    "validate",
]
