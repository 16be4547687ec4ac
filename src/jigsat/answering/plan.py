"""How a task is answered: the ways to try in order, and why.

This is the only place where the question, the means and the formula are compared to decide that.
Whichever way is chosen, the order of the searches within one process is the table in
`jigsat.search.portfolio`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from jigsat.answering.puzzles import (
    DecideAlternatives,
    DecideCandidates,
    Explain,
    FindFirst,
    FindNarrow,
    RatePuzzle,
)
from jigsat.answering.task import Task, Way
from jigsat.answering.ways import CountWithoutList, FindReason, SearchWhole
from jigsat.backends import AUTO, find, find_two_counters, quick_spec
from jigsat.errors import InputError
from jigsat.puzzle import Puzzle
from jigsat.questions import (
    Count,
    FindAlternatives,
    FindCandidates,
    FirstSolutions,
    Rate,
    Solutions,
)
from jigsat.search.exhaustive import check_exhaustive, is_exhaustive
from jigsat.search.portfolio import find_counting_engine, may_repeat_states
from jigsat.subject import FormulaSubject, describe_subject, restore_subject
from jigsat.symmetry import Level

if TYPE_CHECKING:
    from jigsat.ledger.file import LedgerState

NOT_SPLIT = (
    "a search with --minimize, --amo, --up-to automorphism or `group` cannot be split "
    "into subproblems"
)

WHOLE_FIRST = (
    "one process searches first, because most puzzles are solved before others have started"
)


FEW_FIRST = "the solutions are listed first, in case there are few"

MAX_QUICK_VARIABLES = 10_000
"""Variables of a formula that is read in about a second. One with 20,000 may take 17 s, and a
simple reason why there is no solution is found, or missed, in less than one."""

REASON_FIRST = "a simple reason is looked for, because the formula is large"

FEW_STATES = ", if the number of its states stays small"


def make_plan(task: Task) -> list[Way]:
    """The ways to answer a task, in the order in which they are tried; one that gives up passes on
    what it found.

    Raises InputError for an option that cannot be honoured, and for a file that cannot be resumed.
    """
    match task.question:
        case Solutions():
            return _plan_search(task)
        case FirstSolutions():
            return _plan_first(task)
        case Rate():
            return [RatePuzzle(task)]
        case FindCandidates():
            return [DecideCandidates(task)]
        case FindAlternatives():
            return [DecideAlternatives(task)]


def _plan_first(task: Task) -> list[Way]:
    ways: list[Way] = [FindFirst(task)]
    jobs = task.means.jobs
    if jobs > 1 and can_divide(task):
        from jigsat.answering.parts import FindFirstInParts  # imports SQLite

        ways.insert(0, FindFirstInParts(task, f"{jobs} processes search subproblems"))
        if task.means.backend == AUTO:
            ways.insert(0, FindFirst(task, WHOLE_FIRST, brief=True))
    if type(task.puzzle).encode_narrow is not Puzzle.encode_narrow:
        ways.insert(0, FindNarrow(task))
    if task.first.explain:
        ways.append(Explain(task))
    return ways


def can_divide(task: Task) -> bool:
    """Whether other processes can search parts of the puzzle for its first solutions: the backend
    searches subproblems, and they can read the puzzle."""
    search = replace(task, question=Solutions(task.first.up_to))
    if not search.can_be_split or not is_exhaustive(task.means.backend):
        return False
    with suppress(InputError):
        restore_subject(describe_subject(task.subject))
        return True
    return False


def _plan_search(task: Task) -> list[Way]:
    question, means = task.search, task.means
    state = None
    if means.store is not None:
        from jigsat.ledger.file import read_state  # most runs need no SQLite

        state = read_state(means.store)

    # All of the declared levels are counted, and orbits are fewest at the last one.
    if question.wants_only_numbers and question.up_to.is_declared:
        task = replace(task, question=replace(question, up_to=Level.ALL))

    ways = list(_count_without_listing(task, state))
    if _may_find_reason(task):
        ways.insert(0, FindReason(task, REASON_FIRST))
    if ways and means.backend != AUTO and isinstance(ways[0], CountWithoutList):
        return ways  # the backend can do nothing else
    where = ", and each is written to the file" if means.store else ""
    whole = SearchWhole(task, f"one process lists the solutions one after another{where}")
    why = _why_split(task, state)
    if not why:
        return [*ways, whole]
    from jigsat.answering.parts import SearchParts  # imports SQLite

    if means.store or means.cluster:
        return [*ways, SearchParts(task, why, required=True)]
    if means.backend == AUTO:
        ways.append(SearchWhole(task, WHOLE_FIRST, brief=True))
    return [*ways, SearchParts(task, why, required=False), whole]


def _may_find_reason(task: Task) -> bool:
    """Whether a simple reason is looked for before any search: the formula is large, and nothing
    but the number of solutions is stated."""
    question, means = task.search, task.means
    free = means.backend == AUTO and means.store is None
    if not free or question.minimize or not question.up_to.is_declared:
        return False
    return task.subject.encode().top > MAX_QUICK_VARIABLES


def _count_without_listing(task: Task, state: LedgerState | None) -> Iterator[Way]:
    """The ways to count without listing the solutions one by one."""
    means = task.means
    if not task.search.wants_only_numbers or not task.subject.breakable:
        return
    if means.backend == AUTO:
        yield from _choose_counters(task, state)
        return

    # Any other backend that is requested lists, as gf2 does.
    spec = find(means.backend)
    if spec.open is None:
        if means.store or means.cluster:
            check_exhaustive(means.backend)
        yield CountWithoutList(task, spec, f"{means.backend} counts without a list")


def _choose_counters(task: Task, state: LedgerState | None) -> Iterator[Way]:
    """The ways to count without a list if no backend is requested."""
    subject, means = task.subject, task.means
    spec = find_counting_engine(subject.encode()) if state is None else None
    pair = None
    if spec is None and means.store is None and isinstance(subject, FormulaSubject):
        pair = find_two_counters()
    if spec is not None:
        condition = FEW_STATES
        if spec.establishes == "rank":
            condition = ""
        yield CountWithoutList(task, spec, f"{spec.name} counts without a list{condition}")
    elif not (means.store or means.cluster) and may_repeat_states(subject.encode()):
        yield SearchWhole(task, FEW_FIRST, brief=True, first=True)
        spec = quick_spec()
        yield CountWithoutList(task, spec, f"{spec.name} counts without a list{FEW_STATES}")
    if pair is not None:
        yield SearchWhole(task, FEW_FIRST, brief=True)
        why = f"{pair.name} count without a list, and are believed if they agree"
        yield CountWithoutList(task, pair, why)


def _why_split(task: Task, state: LedgerState | None) -> str:
    """Why the search is split into subproblems; '' if it is not."""
    question, means = task.search, task.means
    split = state is not None and state.split
    if not task.can_be_split:
        if means.cluster is not None or split:
            raise InputError(f"{task.subject.name}: {NOT_SPLIT}")
        return ""

    splittable = state is None or state.header.problem is not None
    counts_in_file = question.wants_only_numbers and means.store is not None and splittable
    if means.cluster is not None or split or counts_in_file:
        if means.backend != AUTO:
            check_exhaustive(means.backend)
    elif not is_exhaustive(means.backend):
        return ""

    if means.cluster:
        return "the workers of the cluster search subproblems"
    if means.jobs > 1:
        return f"{means.jobs} processes search subproblems"
    if split:
        return "the search goes on with the subproblems in the file"
    if counts_in_file:
        return "subproblems are counted, so that the file keeps the state of the search"
    return ""


def count_stored(task: Task) -> int:
    """The number of solutions in the file, from which a search goes on. Raises InputError if it
    cannot be resumed."""
    question, store = task.search, task.means.store
    if store is None:
        return 0
    from jigsat.ledger.file import count_resumable, read_state
    from jigsat.ledger.headers import plain_list_header

    if read_state(store) is None and not store.parent.is_dir():
        raise InputError(f"{store}: cannot be written: there is no such directory")
    if isinstance(question, Count):
        return 0
    level = Level.ALL if question.up_to.is_declared else question.up_to
    header = plain_list_header(task.subject, level, minimize=question.minimize)
    return count_resumable(store, header)
