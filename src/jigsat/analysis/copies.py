"""Puzzles that occur several times, as they are or changed by a symmetry of their family."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from jigsat.puzzle import Puzzle


def find_copies(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """For each puzzle which earlier one it equals, such as 'a-1 up to symmetry', or ''. Raises InputError without igraph."""
    seen: dict[Hashable, str] = {}
    for puzzle in puzzles:
        stated = tuple(puzzle.known.model_dump(exclude={"source"}).values())
        graph = puzzle.graph()
        exact, form = (stated, puzzle.digest()), (stated, puzzle.family, graph and graph.canonical_form())
        if exact in seen:
            yield seen[exact]
        elif graph and form in seen:
            yield f"{seen[form]} up to symmetry"
        else:
            yield ""
        seen.setdefault(exact, puzzle.name)
        seen.setdefault(form, puzzle.name)
