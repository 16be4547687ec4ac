"""Single changes of a piece with which a puzzle that has no solution gets one: entries that may have been copied wrongly."""

import time
from collections.abc import Collection, Iterator
from itertools import islice

from pydantic import ValidationError

from jigsat.analysis.clashes import Unfinished
from jigsat.errors import Stopped, plural
from jigsat.puzzle import Correction, Puzzle, Reason
from jigsat.search.sampling import find_orbits
from jigsat.subject import check_model
from jigsat.symmetry import LEVELS, Group

MAX_SEARCH_S = 10.0  # time limit of the search
MAX_SHOWN = 10  # number of changes that are named
MAX_CONFLICTS = 2_000  # number of conflicts after which a change is given up


def find_corrections(puzzle: Puzzle, pieces: Collection[str]) -> Iterator[Reason | Unfinished]:
    """Yield the single changes of these pieces with which there is a solution, those with only one first.

    The puzzle has no solution, but all other pieces fit without one of these, so no change of another piece helps. The last
    item tells if some changes were not decided.
    """
    end, undecided, shown, more = time.monotonic() + MAX_SEARCH_S, 0, 0, list[str]()
    for change in puzzle.corrections():
        if change.piece in pieces:
            try:
                number = _count_two(puzzle, change) if time.monotonic() < end else None
            except Stopped:
                number = None
            undecided += number is None
            if number == 1 and shown < MAX_SHOWN:
                shown += 1
                yield Reason(f"one entry may be wrong: {change.words} would give 1 solution")
            elif number:
                more.append(f"{change.words} would give {'1 solution' if number == 1 else 'several solutions'}")
    for words in more[: MAX_SHOWN - shown]:
        yield Reason(f"one entry may be wrong: {words}")
    if left := len(more[MAX_SHOWN - shown :]):
        yield Reason(f"one entry may be wrong: {plural(left, 'other change')} would give a solution, too")
    if undecided:
        yield Unfinished(f"not tried: {plural(undecided, 'single change')} of a piece")


def _count_two(puzzle: Puzzle, change: Correction) -> int:
    """The number of solutions of the changed puzzle up to rotation, at most 2. Raises Stopped if this is too hard."""
    try:
        changed = type(puzzle).model_validate({**puzzle.model_dump(exclude_defaults=True), **change.entries})
    except ValidationError:
        return 0
    if any(True for _ in changed.reasons()):
        return 0
    formula = changed.encode()
    found = list(islice(find_orbits(formula, Group.of(formula, changed.symmetries()), LEVELS[1], MAX_CONFLICTS), 2))
    for images in found:
        check_model(changed, formula, sorted(min(images, key=sorted)), "the solver")
    return len(found)
