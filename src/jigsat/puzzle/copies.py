"""Puzzles that occur several times, as they are or changed by a symmetry of their family."""

from collections.abc import Hashable, Iterable, Iterator

from jigsat.puzzle import Puzzle


def canonical_form(puzzle: Puzzle) -> tuple[str, str]:
    """A value that puzzles share if they are equal up to a symmetry of their family. Raises
    InputError without igraph."""
    graph = puzzle.graph()
    return puzzle.family, graph.canonical_form() if graph else puzzle.digest()


def find_copies(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """For each puzzle which earlier one it equals, such as 'a-1 up to symmetry', or ''. Raises
    InputError without igraph."""
    seen: dict[Hashable, str] = {}
    for puzzle in puzzles:
        stated = tuple(puzzle.known.model_dump(exclude={"source"}).values())
        exact = (stated, puzzle.digest())
        form = (stated, canonical_form(puzzle))
        if exact in seen:
            yield seen[exact]
        elif form in seen:
            yield f"{seen[form]} up to symmetry"
        else:
            yield ""
        seen.setdefault(exact, puzzle.name)
        seen.setdefault(form, puzzle.name)
