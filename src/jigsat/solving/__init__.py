"""Answers to questions about puzzles: enumeration, counts, batches of puzzles and random solutions."""

from jigsat.solving.answers import Answer, Solve, solve_all
from jigsat.solving.clues import ClueSolver
from jigsat.solving.counted import try_counting_first
from jigsat.solving.enumeration import Enumeration
from jigsat.solving.first import first_solution
from jigsat.solving.many import answer_each
from jigsat.solving.options import SearchOptions, check_level, check_number, show_options, validate
from jigsat.solving.question import FunctionQuestion
from jigsat.solving.result import Result
from jigsat.solving.strategies import choose
from jigsat.solving.task import Resources, Task, Want
from jigsat.solving.uniform import Population, rank_models, samples

__all__ = [
    "Answer",
    "ClueSolver",
    "Enumeration",
    "FunctionQuestion",
    "Population",
    "Resources",
    "Result",
    "SearchOptions",
    "Solve",
    "Task",
    "Want",
    "answer_each",
    "check_level",
    "check_number",
    "choose",
    "first_solution",
    "rank_models",
    "samples",
    "show_options",
    "solve_all",
    "try_counting_first",
    "validate",
]
