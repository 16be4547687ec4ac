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
    names: dict[Hashable, str] = {}
    for puzzle in puzzles:
        stated = tuple(puzzle.known.model_dump(exclude={"source"}).values())
        exact = (stated, puzzle.digest())
        form = (stated, canonical_form(puzzle))
        if exact in names:
            yield names[exact]
        elif form in names:
            yield f"{names[form]} up to symmetry"
        else:
            yield ""
        names.setdefault(exact, puzzle.name)
        names.setdefault(form, puzzle.name)
