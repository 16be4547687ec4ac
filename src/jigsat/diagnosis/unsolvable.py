"""Why a puzzle has no solution: reasons found by counting, clues that conflict, pieces that clash,
and wrong entries."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Mapping, Sequence

from jigsat.diagnosis.clashes import SEARCH_EFFORT, clashes
from jigsat.diagnosis.cores import Core, judge_clues
from jigsat.diagnosis.corrections import MAX_SHOWN, Corrections, find_corrections
from jigsat.diagnosis.givens import find_changes
from jigsat.diagnosis.grid_clues import find_clue_conflict
from jigsat.errors import FamilyError
from jigsat.kit import GridPuzzle
from jigsat.puzzle import Puzzle, Reason
from jigsat.questions import FoundReasons, Why
from jigsat.symmetry import Placement
from jigsat.words import plural

# limit of the search for a smallest set of clues that conflict, as in `Limit`; about a second
MAX_CLUE_EFFORT = 5_000_000
# limit of the search for pieces that clash; it is halved if another reason was found before
MAX_CLASH_EFFORT = SEARCH_EFFORT

MAX_CORRECTIONS_S = 10.0  # time limit of the search for corrections
# the share of a stated time in which reasons are searched for; the rest is for ranking them
SEARCHING_SHARE = 0.9


def reasons(
    puzzle: Puzzle, *, proved: bool = True, seconds: float = MAX_CORRECTIONS_S
) -> Iterator[FoundReasons | Corrections | str]:
    """Yield simple reasons why a puzzle has no solution: those that the family finds, then the
    clues or the pieces, then changes that give a solution.

    The last sentence says what was not finished. The effort is limited, so that a slow machine
    finds the same reasons; only the search for corrections ends after some `seconds`. Clues that
    conflict, pieces that clash, and corrections are only searched for if it is `proved` that there
    is no solution.
    """
    clues = puzzle.clues()
    by_counting = []
    for reason in puzzle.reasons():
        names = tuple(name for name, clue in clues.items() if not clue.isdisjoint(reason.marked))
        by_counting.append(names)
        yield FoundReasons(reason, names)
    if not proved:
        return

    suspects = yield from _find_conflicts(puzzle, by_counting)
    yield from find_corrections(puzzle, suspects, seconds)


def _find_conflicts(
    puzzle: Puzzle, by_counting: Collection[tuple[str, ...]]
) -> Generator[FoundReasons | str, None, set[str]]:
    """Yield clues that conflict, or pieces that clash, as far as counting has not told them;
    returns the pieces without which the others fit."""
    clues = puzzle.clues()
    core = judge_clues(puzzle, effort=MAX_CLUE_EFFORT).core if clues else None
    conflicting = tuple(core.names) if core else ()
    suspects: set[str] = set()
    if core and conflicting:
        if conflicting not in by_counting:
            marked = frozenset().union(*(clues[name] for name in conflicting))
            yield FoundReasons(Reason(_conflict(puzzle, core, len(clues)), marked), conflicting)
        yield from find_wrong_givens(puzzle, conflicting)
    elif isinstance(puzzle, GridPuzzle):
        conflict = None if by_counting else find_clue_conflict(puzzle)
        if conflict is not None:
            yield FoundReasons(Reason(conflict.describe(puzzle)))
    else:
        if core and not by_counting:
            yield FoundReasons(Reason("there is no solution even without the clues"))
        for clash in clashes(puzzle, MAX_CLASH_EFFORT / 2 if by_counting else MAX_CLASH_EFFORT):
            if isinstance(clash, str):
                yield clash
            else:
                reason = Reason(clash.words, clash.layout.marked)
                yield FoundReasons(reason, (), clash.names, clash.layout)
                suspects.update(clash.alone)
    return suspects


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


def find_reasons(
    puzzle: Puzzle, *, proved: bool = True, seconds: float = MAX_CORRECTIONS_S
) -> Iterator[FoundReasons | Corrections | str]:
    """The same as `reasons`, but an error of the family is a sentence as well."""
    try:
        yield from reasons(puzzle, proved=proved, seconds=seconds)
    except FamilyError as error:
        yield str(error)


def collect_reasons(
    puzzle: Puzzle, *, proved: bool = True, seconds: float = MAX_CORRECTIONS_S
) -> Iterator[Why]:
    """What is known after each reason is found; the last one tells what was not finished. See
    `reasons`."""
    why = Why()
    known: tuple[FoundReasons, ...] = ()
    unfinished = ""
    yield why
    for reason in find_reasons(puzzle, proved=proved, seconds=seconds):
        match reason:
            case str():
                unfinished = reason
            case Corrections():
                corrections = tuple(FoundReasons(correction) for correction in reason.reasons)
                why = why._replace(found=(*known, *corrections))
                unfinished = reason.unfinished or unfinished
                yield why
            case FoundReasons():
                known = (*known, reason)
                why = why._replace(found=known)
                yield why
    yield why._replace(unfinished=unfinished)


def _conflict(puzzle: Puzzle, core: Core, number: int) -> str:
    told = puzzle.tell_clues(core.names)
    rule = f"; {told.rule}" if told.rule else ""
    if len(core.names) == 1:
        return f"a single {told.noun} rules out every solution: {told.names[0]}{rule}"
    return (
        f"these {len(core.names)} of {plural(number, told.noun)} conflict, {core.extent}: "
        f"{', '.join(told.names)}{rule}"
    )


def placements_to_draw(
    puzzle: Puzzle, explained: FoundReasons
) -> tuple[Sequence[Placement], Sequence[Placement]]:
    """The placements to draw for a reason, one for each clue, and those to mark. Both are empty if
    no picture shows them."""
    reason, layout = explained.reason, explained.layout
    if explained.clash:
        return layout.placed, sorted(layout.marked | layout.missing, key=str)
    if not reason.marked:
        return [], []
    clues: Mapping[str, frozenset[Placement]] = puzzle.clues()
    if puzzle.cell_field is None:
        given = [next(iter(clue)) for clue in clues.values() if len(clue) == 1]
        marked = sorted(reason.marked, key=str)
        # Only the picture can tell what it marks.
        is_marked = puzzle.svg(given, marked) != puzzle.svg(given)
        return (given, marked) if is_marked else ([], [])

    given = [min(clue, key=str) for clue in clues.values() if clue]
    held = {getattr(placement, puzzle.cell_field) for placement in given}
    to_mark = []
    for placement in reason.marked:
        if placement in given or getattr(placement, puzzle.cell_field) not in held:
            to_mark.append(placement)
    return given, sorted(to_mark, key=str)
