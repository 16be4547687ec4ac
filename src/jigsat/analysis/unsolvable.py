"""Why a puzzle has no solution: reasons found by counting, clues that conflict, and pieces that clash."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from jigsat.analysis.clashes import SEARCH_EFFORT, Layout, Unfinished, clashes
from jigsat.analysis.cores import Core
from jigsat.analysis.corrections import find_corrections
from jigsat.analysis.redundancy import judge_clues
from jigsat.errors import plural
from jigsat.puzzle import Puzzle, Reason
from jigsat.symmetry import Placement

MAX_CLUE_EFFORT = 5_000_000
"""The limit of the search for a smallest set of clues that conflict, as in `cores.Limit`; about a second."""

MAX_CLASH_EFFORT = SEARCH_EFFORT
"""The limit of the search for pieces that clash; it is halved if another reason was found before."""


class FoundReasons(NamedTuple):
    """A reason, with the names of the clues that it marks, or of the pieces and cells that clash and how to draw them."""

    reason: Reason
    clues: tuple[str, ...] = ()
    clash: tuple[str, ...] = ()
    layout: Layout = Layout()

    def json(self) -> dict[str, Any]:
        """The reason as a plain object."""
        return {
            "words": self.reason.words,
            "clues": list(self.clues),
            "marked": _objects(sorted(self.reason.marked, key=str)),
            "clash": list(self.clash),
            "placed": _objects(self.layout.placed),
        }


def _objects(placements: Iterable[Placement]) -> list[dict[str, Any]]:
    return [placement._asdict() for placement in placements]


def reasons(puzzle: Puzzle, *, proved: bool = True) -> Iterator[FoundReasons | Unfinished]:
    """Yield simple reasons why a puzzle has no solution: those that the family finds, then the clues or the pieces.

    The last item tells if the search was stopped. It is limited by its effort, so that a slow machine finds the same reasons.

    The search for clues that conflict, and for pieces that clash without the clues, may take long. It is only made if it is
    `proved` that there is no solution.
    """
    clues, found, alone = puzzle.clues(), list[tuple[str, ...]](), set[str]()
    for reason in puzzle.reasons():
        found.append(tuple(name for name, clue in clues.items() if not clue.isdisjoint(reason.marked)))
        yield FoundReasons(reason, found[-1])
    if not proved:
        return
    core = judge_clues(puzzle, effort=MAX_CLUE_EFFORT).core if clues else None
    names = tuple(core.names) if core else ()
    if core and names and names not in found:
        yield FoundReasons(Reason(_conflict(core, len(clues)), frozenset().union(*map(clues.__getitem__, names))), names)
    elif core and not (names or found):
        yield FoundReasons(Reason("there is no solution even without the clues"))
    if not clues or (core and not names):
        for each in clashes(puzzle, MAX_CLASH_EFFORT / 2 if found else MAX_CLASH_EFFORT):
            if isinstance(each, Unfinished):
                yield each
            else:
                yield FoundReasons(Reason(each.words, each.layout.marked), (), each.names, each.layout)
                alone.update(each.alone)
        for correction in find_corrections(puzzle, alone) if alone else ():
            yield correction if isinstance(correction, Unfinished) else FoundReasons(correction)


def _conflict(core: Core, number: int) -> str:
    names = core.names
    if len(names) == 1:
        return f"the clue {names[0]} alone rules out every solution"
    return f"these {len(names)} of {plural(number, 'clue')} conflict, {core.extent}: {', '.join(names)}"


def placements_to_draw(puzzle: Puzzle, found: FoundReasons) -> tuple[Sequence[Placement], Sequence[Placement]]:
    """The placements to draw for a reason, and those to mark. Both are empty if no picture shows them.

    For clues these are one placement for each clue; if a clue allows several placements, the first is drawn.
    """
    reason, layout = found.reason, found.layout
    if found.clash:
        return layout.placed, sorted(layout.marked | layout.missing, key=str)
    if not reason.marked:
        return [], []
    clues: Mapping[str, frozenset[Placement]] = puzzle.clues()
    if puzzle.cell_field is None:
        return _without_cells(puzzle, clues, sorted(reason.marked, key=str))
    given = [min(clue, key=str) for clue in clues.values() if clue]
    held = {getattr(placement, puzzle.cell_field) for placement in given}
    drawn = [each for each in reason.marked if each in given or getattr(each, puzzle.cell_field) not in held]
    return given, sorted(drawn, key=str)


def _without_cells(
    puzzle: Puzzle, clues: Mapping[str, frozenset[Placement]], marked: Sequence[Placement]
) -> tuple[Sequence[Placement], Sequence[Placement]]:
    """The same for a family that names no field for cells; only its picture can tell what it marks."""
    given = [next(iter(clue)) for clue in clues.values() if len(clue) == 1]
    return (given, marked) if puzzle.svg(given, marked) != puzzle.svg(given) else ([], [])
