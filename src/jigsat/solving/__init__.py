"""Answers to questions about puzzles: enumeration, batches of puzzles, stores and differences."""

from jigsat.solving.automorphisms import AutomorphismGroup, described_group
from jigsat.solving.batch import Answer, attempts, solve_all
from jigsat.solving.counts import Count, counted_at_once
from jigsat.solving.enumeration import Enumeration
from jigsat.solving.first import first_solution, first_solutions
from jigsat.solving.options import check_level, check_number, validate
from jigsat.solving.relations import change
from jigsat.solving.result import Result
from jigsat.solving.shared import Shared
from jigsat.solving.subject import (
    EncodedSubject,
    FormulaSubject,
    Instance,
    Problem,
    PuzzleSubject,
    Subject,
    Symmetries,
    checked,
    subject_of,
)
from jigsat.solving.tally import ListedTally
from jigsat.solving.uniform import Population, ranked, samples

__all__ = [
    "Answer",
    "AutomorphismGroup",
    "Count",
    "EncodedSubject",
    "Enumeration",
    "FormulaSubject",
    "Instance",
    "ListedTally",
    "Population",
    "Problem",
    "PuzzleSubject",
    "Result",
    "Shared",
    "Subject",
    "Symmetries",
    "attempts",
    "change",
    "check_level",
    "check_number",
    "checked",
    "counted_at_once",
    "described_group",
    "first_solution",
    "first_solutions",
    "ranked",
    "samples",
    "solve_all",
    "subject_of",
    "validate",
]
