"""One solution of a puzzle."""

from __future__ import annotations

from jigsat.errors import Stopped
from jigsat.puzzle import Puzzle, Solution
from jigsat.solving.enumeration import Enumeration
from jigsat.symmetry import Placement


def first_solution(puzzle: Puzzle) -> tuple[Placement, ...] | None:
    """A solution, one of minimum cost if the puzzle has an objective; None if there is none. It is checked.

    Raises Stopped if a solver gives up.

    >>> from jigsat.instance import load
    >>> len(first_solution(load("lights-5x5"))), first_solution(load("lights-unsolvable"))
    (15, None)
    """
    enumeration: Enumeration[Solution] = Enumeration(puzzle, limit=1, up_to="nothing", minimize=bool(puzzle.encode().objective))
    found = next(enumeration, None)
    if found is None and enumeration.result.stopped_by is not None:
        raise Stopped(enumeration.result.stopped_by)
    return None if found is None else found.placements
