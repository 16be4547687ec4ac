"""Why a puzzle has no solution: reasons found by counting, and clues that conflict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from jigsat.analysis.cores import Core
from jigsat.analysis.redundancy import judged
from jigsat.errors import plural
from jigsat.puzzle import Puzzle, Reason
from jigsat.symmetry import Placement

SECONDS = 1.5
"""The time limit of the search for a smallest set of clues that conflict."""


class Found(NamedTuple):
    """A reason, with the names of the clues that it marks."""

    reason: Reason
    clues: tuple[str, ...] = ()

    def json(self) -> dict[str, Any]:
        """The reason as a plain object."""
        marked = [placement._asdict() for placement in sorted(self.reason.marked, key=str)]
        return {"words": self.reason.words, "clues": list(self.clues), "marked": marked}


def reasons(puzzle: Puzzle, *, proved: bool = True) -> Iterator[Found]:
    """Yield simple reasons why a puzzle has no solution: those that the family finds, then the clues.

    The search for clues that conflict may take long. It is only made if it is `proved` that there is no solution.
    """
    clues, found = puzzle.clues(), list[tuple[str, ...]]()
    for reason in puzzle.reasons():
        found.append(tuple(name for name, clue in clues.items() if not clue.isdisjoint(reason.marked)))
        yield Found(reason, found[-1])
    if not (proved and clues):
        return
    core = judged(puzzle, SECONDS).core
    names = tuple(core.names) if core else ()
    if core and names and names not in found:
        yield Found(Reason(_conflict(core, len(clues)), frozenset().union(*map(clues.__getitem__, names))), names)
    elif core and not (names or found):
        yield Found(Reason("there is no solution even without the clues"))


def _conflict(core: Core, number: int) -> str:
    names = core.names
    if len(names) == 1:
        return f"the clue {names[0]} alone rules out every solution"
    return f"these {len(names)} of {plural(number, 'clue')} conflict, {core.extent}: {', '.join(names)}"


def shown(puzzle: Puzzle, reason: Reason) -> tuple[list[Placement], list[Placement]]:
    """The placements to draw for a reason, one for each clue, and those to mark. Both are empty if no picture shows them.

    If a clue allows several placements, the first is drawn.
    """
    if not reason.marked or puzzle.cell_field is None:
        return [], []
    clues: Mapping[str, frozenset[Placement]] = puzzle.clues()
    given = [min(clue, key=str) for clue in clues.values() if clue]
    held = {getattr(placement, puzzle.cell_field) for placement in given}
    drawn = [each for each in reason.marked if each in given or getattr(each, puzzle.cell_field) not in held]
    return given, sorted(drawn, key=str)
