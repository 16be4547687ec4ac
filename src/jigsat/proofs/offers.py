"""Which certificate can be made of a count. Every count asks, so this module imports little."""

from jigsat.backends import is_plain_cover
from jigsat.puzzle import Puzzle
from jigsat.questions import Result

DEFAULT_MAX_SOLUTIONS = 10_000  # default for the maximum number of solutions


def offer_certificate(puzzle: Puzzle, result: Result) -> tuple[str, str] | None:
    """The options with which `prove` certifies a complete count, and what the certificate consists
    of; None if it cannot.

    A proof by a solver takes very long where the solutions were found by an exhaustive search for
    exact covers.
    """
    if result.established_by == "rank":
        return "", "linear algebra"
    if str(result.established_by).startswith("counting by"):
        return None  # a count by another program
    if result.established_by != "refutation" and is_plain_cover(puzzle.encode()):
        return "" if result.backend == "counting" else "--count ", "graphs of the count"
    if result.solutions <= DEFAULT_MAX_SOLUTIONS:
        return (
            "",
            "all solutions and a proof that there is no other"
            if result.solutions
            else "a proof that there is none",
        )
    return None
