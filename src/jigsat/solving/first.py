"""One solution of each puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jigsat.errors import Stopped
from jigsat.puzzle import Puzzle, Solution
from jigsat.solving.enumeration import Enumeration
from jigsat.symmetry import Placement


def first_solutions(puzzles: Iterable[Puzzle]) -> Iterator[tuple[Placement, ...] | None]:
    """A solution of each puzzle, one of minimum cost if the puzzle has an objective; None if there is none. Each is checked.

    Lazy. Raises Stopped if a solver gives up.

    >>> from jigsat.instance import load
    >>> [solution and len(solution) for solution in first_solutions([load("lights-5x5"), load("lights-unsolvable")])]
    [15, None]
    """
    return map(first_solution, puzzles)


def first_solution(puzzle: Puzzle) -> tuple[Placement, ...] | None:
    """A solution of the puzzle; see `first_solutions`."""
    enumeration: Enumeration[Solution] = Enumeration(puzzle, limit=1, up_to="nothing", minimize=bool(puzzle.encode().objective))
    found = next(enumeration, None)
    if found is None and enumeration.result.stopped_by is not None:
        raise Stopped(enumeration.result.stopped_by)
    return None if found is None else found.placements
