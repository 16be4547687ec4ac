"""How a task is answered: the strategies to try in order, and why.

This is the only place where the task, the resources and the formula are compared to decide that. Whichever strategy is chosen,
the order of the searches within one process is the table in `jigsat.search.portfolio`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from jigsat.backends import AUTO, find, find_two_counters
from jigsat.errors import InputError
from jigsat.search.exhaustive import check_exhaustive, is_exhaustive
from jigsat.search.portfolio import find_counting_engine
from jigsat.solving.counted import Counted
from jigsat.solving.task import Resources, Strategy, Task
from jigsat.solving.whole import Whole
from jigsat.subject import FormulaSubject
from jigsat.symmetry import LEVELS

if TYPE_CHECKING:
    from jigsat.ledger.file import LedgerState

NOT_SPLIT = "a search with --minimize, --amo, --up-to automorphism or `group` cannot be split into subproblems"

WHOLE_FIRST = "one process searches first, because most puzzles are solved before others have started"


def choose(task: Task, resources: Resources) -> list[Strategy]:
    """The strategies for a task, in the order in which they are tried; one that gives up passes on what it found.

    Raises InputError for an option that cannot be honoured, and for a file that cannot be resumed.
    """
    state = None
    if resources.store is not None:
        from jigsat.ledger.file import read_state  # most runs need no SQLite

        state = read_state(resources.store)
    if task.wants_only_numbers and task.up_to in LEVELS:  # they are counted at all of these levels, and orbits are fewest here
        task = replace(task, up_to=LEVELS[-1])
    strategies: list[Strategy] = list(_count_without_listing(task, resources, state))
    if strategies and resources.backend != AUTO and isinstance(strategies[0], Counted):
        return strategies  # the backend can do nothing else
    where = ", and each is written to the file" if resources.store else ""
    whole = Whole(task, resources, f"one process lists the solutions one after another{where}")
    reason = _why_split(task, resources, state)
    if not reason:
        return [*strategies, whole]
    from jigsat.solving.parts import Parts  # imports SQLite

    if resources.store or resources.cluster:
        return [*strategies, Parts(task, resources, reason, required=True)]
    if resources.backend == AUTO:
        strategies.append(Whole(task, resources, WHOLE_FIRST, brief=True))
    return [*strategies, Parts(task, resources, reason, required=False), whole]


def _count_without_listing(task: Task, resources: Resources, state: LedgerState | None) -> Iterator[Strategy]:
    """The ways to count without listing the solutions one by one."""
    if not task.wants_only_numbers or not task.subject.breakable:
        return
    if resources.backend == AUTO:
        if state is None and (spec := find_counting_engine(task.subject.encode())):
            condition = "" if spec.establishes == "rank" else ", if the number of its states stays small"
            yield Counted(task, spec, f"{spec.name} counts without a list{condition}")
        elif not resources.store and isinstance(task.subject, FormulaSubject) and (pair := find_two_counters()):
            yield Whole(task, resources, "the solutions are listed first, in case there are few", brief=True)
            yield Counted(task, pair, f"{pair.name} count without a list, and are believed if they agree")
    elif find(resources.backend).open is None:  # any other backend that is requested lists, as gf2 does
        if resources.store or resources.cluster:
            check_exhaustive(resources.backend)
        yield Counted(task, find(resources.backend), f"{resources.backend} counts without a list")


def _why_split(task: Task, resources: Resources, state: LedgerState | None) -> str:
    """Why the search is split into subproblems; '' if it is not."""
    split = state is not None and state.split
    if (resources.cluster or split) and not task.can_be_split:
        raise InputError(f"{task.subject.name}: {NOT_SPLIT}")
    if not task.can_be_split:
        return ""
    splittable = state is None or state.header.problem is not None
    counts_in_file = task.wants_only_numbers and resources.store is not None and splittable
    if resources.cluster or split or counts_in_file:
        if resources.backend != AUTO:
            check_exhaustive(resources.backend)
    elif not is_exhaustive(resources.backend):
        return ""
    if resources.cluster:
        return "the workers of the cluster search subproblems"
    if resources.jobs > 1:
        return f"{resources.jobs} processes search subproblems"
    if split:
        return "the search goes on with the subproblems in the file"
    return "subproblems are counted, so that the file keeps the state of the search" if counts_in_file else ""


def count_stored(task: Task, resources: Resources) -> int:
    """The number of solutions in the file, from which a search goes on. Raises InputError if it cannot be resumed."""
    if resources.store is None:
        return 0
    from jigsat.ledger.file import count_resumable, read_state
    from jigsat.ledger.headers import plain_list_header

    if read_state(resources.store) is None and not resources.store.parent.is_dir():
        raise InputError(f"{resources.store}: cannot be written: there is no such directory")
    if task.want == "count":
        return 0
    level = LEVELS[-1] if task.up_to in LEVELS else task.up_to
    return count_resumable(resources.store, plain_list_header(task.subject, level, minimize=task.minimize))
