"""Why a puzzle has no solution: reasons found by counting, clues that conflict, pieces that clash,
and wrong entries."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from pydantic import ValidationError

from jigsat.diagnosis.clashes import SEARCH_EFFORT, clashes
from jigsat.diagnosis.cores import Core, judge_clues
from jigsat.diagnosis.givens import find_changes
from jigsat.errors import FamilyError, Stopped
from jigsat.puzzle import Correction, Puzzle, Reason
from jigsat.questions import FoundReasons, Why
from jigsat.search.sampling import find_orbits
from jigsat.subject import check_model
from jigsat.symmetry import Group, Level, Placement
from jigsat.words import plural

if TYPE_CHECKING:
    pass

# limit of the search for a smallest set of clues that conflict, as in `Limit`; about a second
MAX_CLUE_EFFORT = 5_000_000
# limit of the search for pieces that clash; it is halved if another reason was found before
MAX_CLASH_EFFORT = SEARCH_EFFORT

MAX_CORRECTIONS_S = 10.0  # time limit of the search for corrections
MAX_SHOWN = 10  # number of corrections that are named
MAX_CONFLICTS = 2_000  # number of conflicts after which a correction is given up


def reasons(puzzle: Puzzle, *, proved: bool = True) -> Iterator[FoundReasons | str]:
    """Yield simple reasons why a puzzle has no solution: those that the family finds, then the
    clues or the pieces.

    The last item is a sentence if the search was stopped: its effort is limited, so that a slow
    machine finds the same reasons. Clues that conflict, and pieces that clash, are only searched
    for if it is `proved` that there is no solution.
    """
    clues, found, alone = puzzle.clues(), list[tuple[str, ...]](), set[str]()
    for reason in puzzle.reasons():
        found.append(
            tuple(name for name, clue in clues.items() if not clue.isdisjoint(reason.marked))
        )
        yield FoundReasons(reason, found[-1])
    if not proved:
        return
    core = judge_clues(puzzle, effort=MAX_CLUE_EFFORT).core if clues else None
    names = tuple(core.names) if core else ()
    if core and names and names not in found:
        yield FoundReasons(
            Reason(_conflict(core, len(clues)), frozenset().union(*map(clues.__getitem__, names))),
            names,
        )
    if names:
        yield from find_wrong_givens(puzzle, names)
    elif core and not found:
        yield FoundReasons(Reason("there is no solution even without the clues"))
    if not clues or (core and not names):
        for each in clashes(puzzle, MAX_CLASH_EFFORT / 2 if found else MAX_CLASH_EFFORT):
            if isinstance(each, str):
                yield each
            else:
                yield FoundReasons(
                    Reason(each.words, each.layout.marked), (), each.names, each.layout
                )
                alone.update(each.alone)
        for correction in find_corrections(puzzle, alone) if alone else ():
            yield correction if isinstance(correction, str) else FoundReasons(correction)


def find_wrong_givens(puzzle: Puzzle, names: Collection[str]) -> Iterator[FoundReasons | str]:
    """Yield the changes of one of these conflicting givens that give exactly one solution, as a
    puzzle with givens has.
    """
    changes = find_changes(puzzle, names)
    unique = [change for change in changes if change.solutions == 1]
    way = puzzle.way()
    for change in unique[:MAX_SHOWN]:
        values = f"{way.thing(change.other)} instead of {way.thing(change.given)}"
        words = f"one entry may be wrong: {change.clue}: {values} would give 1 solution"
        yield FoundReasons(Reason(words, frozenset([change.given])), (change.clue,))
    more = len(unique) - MAX_SHOWN
    if more > 0:
        words = f"{plural(more, 'other change')} would give 1 solution, too"
        yield FoundReasons(Reason(f"one entry may be wrong: {words}"))
    untried = sum(change.solutions is None for change in changes)
    if untried:
        yield f"not tried: {plural(untried, 'single change')} of a given"


def find_corrections(puzzle: Puzzle, pieces: Collection[str]) -> Iterator[Reason | str]:
    """Yield the single changes of these pieces that give a solution, those with only one first;
    then how many were untried."""
    end, undecided, shown, more = time.monotonic() + MAX_CORRECTIONS_S, 0, 0, list[str]()
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
                more.append(
                    f"{change.words} would give "
                    f"{'1 solution' if number == 1 else 'several solutions'}"
                )
    for words in more[: MAX_SHOWN - shown]:
        yield Reason(f"one entry may be wrong: {words}")
    if left := len(more[MAX_SHOWN - shown :]):
        yield Reason(
            f"one entry may be wrong: {plural(left, 'other change')} would give a solution, too"
        )
    if undecided:
        yield f"not tried: {plural(undecided, 'single change')} of a piece"


def _count_two(puzzle: Puzzle, change: Correction) -> int:
    """The number of solutions of the changed puzzle up to rotation, at most 2. Raises Stopped if
    this is too hard."""
    try:
        changed = type(puzzle).model_validate(
            {**puzzle.model_dump(exclude_defaults=True), **change.entries}
        )
    except ValidationError:
        return 0
    if any(True for _ in changed.reasons()):
        return 0
    formula = changed.encode()
    found = list(
        islice(
            find_orbits(
                formula, Group.of(formula, changed.symmetries()), Level.ROTATION, MAX_CONFLICTS
            ),
            2,
        )
    )
    for images in found:
        check_model(changed, formula, sorted(min(images, key=sorted)), "the solver")
    return len(found)


def find_reasons(puzzle: Puzzle, *, proved: bool = True) -> Iterator[FoundReasons | str]:
    """The same as `reasons`, but an error of the family is a sentence as well."""
    try:
        yield from reasons(puzzle, proved=proved)
    except FamilyError as error:
        yield str(error)


def collect_reasons(puzzle: Puzzle, *, proved: bool = True) -> Iterator[Why]:
    """What is known after each reason is found; the last one tells what was not finished. See
    `reasons`."""
    why, unfinished = Why(), ""
    yield why
    for reason in find_reasons(puzzle, proved=proved):
        if isinstance(reason, str):
            unfinished = reason
        else:
            why = why._replace(found=(*why.found, reason))
            yield why
    yield why._replace(unfinished=unfinished)


def _conflict(core: Core, number: int) -> str:
    names = core.names
    if len(names) == 1:
        return f"the clue {names[0]} alone rules out every solution"
    return (
        f"these {len(names)} of {plural(number, 'clue')} conflict, {core.extent}: "
        f"{', '.join(names)}"
    )


def placements_to_draw(
    puzzle: Puzzle, found: FoundReasons
) -> tuple[Sequence[Placement], Sequence[Placement]]:
    """The placements to draw for a reason, one for each clue, and those to mark. Both are empty if
    no picture shows them."""
    reason, layout = found.reason, found.layout
    if found.clash:
        return layout.placed, sorted(layout.marked | layout.missing, key=str)
    if not reason.marked:
        return [], []
    clues: Mapping[str, frozenset[Placement]] = puzzle.clues()
    if puzzle.cell_field is None:  # only the picture can tell what it marks
        given, marked = (
            [next(iter(clue)) for clue in clues.values() if len(clue) == 1],
            sorted(reason.marked, key=str),
        )
        return (given, marked) if puzzle.svg(given, marked) != puzzle.svg(given) else ([], [])
    given = [min(clue, key=str) for clue in clues.values() if clue]
    held = {getattr(placement, puzzle.cell_field) for placement in given}
    drawn = [
        each
        for each in reason.marked
        if each in given or getattr(each, puzzle.cell_field) not in held
    ]
    return given, sorted(drawn, key=str)
