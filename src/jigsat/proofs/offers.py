"""Which certificate can be made."""

from __future__ import annotations

from jigsat.proofs import counting
from jigsat.proofs.certificate import LIMIT
from jigsat.puzzle import Puzzle
from jigsat.solving import Result
from jigsat.symmetry import Group


def countable(puzzle: Puzzle) -> bool:
    """Whether a certificate of the count can be made."""
    formula = puzzle.encode()
    return counting.fits(formula, Group.of(formula, puzzle.symmetries()))


def offered(puzzle: Puzzle, result: Result) -> tuple[str, str] | None:
    """The options with which `prove` certifies a complete count, and what the certificate consists of; None if it cannot.

    A proof by a solver takes very long where the solutions were found by an exhaustive search for exact covers.
    """
    if result.established_by == "rank":
        return "", "linear algebra"
    if result.established_by == "counting" and result.backend != "counting":
        return None  # a count by another program
    if result.established_by != "refutation" and countable(puzzle):
        return "" if result.backend == "counting" else "--count ", "graphs of the count"
    if result.established_by != "counting" and result.solutions <= LIMIT:
        return "", "all solutions and a proof that there is no other" if result.solutions else "a proof that there is none"
    return None
