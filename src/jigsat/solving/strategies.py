"""How a task is answered: the strategies to try in order, why, and those for one process.

`choose` is the only place where the task, the resources and the formula are compared to decide
that. Whichever strategy is chosen, the order of the searches within one process is the table in
`jigsat.search.portfolio`.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from jigsat.backends import AUTO, Spec, find, find_two_counters, not_installed
from jigsat.errors import CheckError, InputError, NotWorthwhile
from jigsat.formula import Formula
from jigsat.orbits import (
    as_explicit_group,
    count_orbits_by_burnside,
    find_automorphisms,
    find_equivalence,
)
from jigsat.runtime.child import Progress
from jigsat.search.exhaustive import check_exhaustive, is_exhaustive
from jigsat.search.portfolio import bound_least, find_counting_engine, models
from jigsat.solving.stored import LedgerSolutions, Listing
from jigsat.solving.task import NOT_CONFIRMED, Event, Handover, Resources, Result, Strategy, Task
from jigsat.subject import Earlier, FormulaSubject, Problem, Source, subject_of
from jigsat.symmetry import Group, Level, count_solutions_and_orbits

if TYPE_CHECKING:
    from jigsat.ledger.file import LedgerState


NOT_SPLIT = (
    "a search with --minimize, --amo, --up-to automorphism or `group` cannot be split "
    "into subproblems"
)

WHOLE_FIRST = (
    "one process searches first, because most puzzles are solved before others have started"
)


def choose(task: Task, resources: Resources) -> list[Strategy]:
    """The strategies for a task, in the order in which they are tried; one that gives up passes on
    what it found.

    Raises InputError for an option that cannot be honoured, and for a file that cannot be resumed.
    """
    state = None
    if resources.store is not None:
        from jigsat.ledger.file import read_state  # most runs need no SQLite

        state = read_state(resources.store)
    if (
        task.wants_only_numbers and task.up_to.is_declared
    ):  # they are counted at all of these levels, and orbits are fewest here
        task = replace(task, up_to=Level.ALL)
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


def _count_without_listing(
    task: Task, resources: Resources, state: LedgerState | None
) -> Iterator[Strategy]:
    """The ways to count without listing the solutions one by one."""
    if not task.wants_only_numbers or not task.subject.breakable:
        return
    if resources.backend == AUTO:
        if state is None and (spec := find_counting_engine(task.subject.encode())):
            condition = (
                "" if spec.establishes == "rank" else ", if the number of its states stays small"
            )
            yield Counted(task, spec, f"{spec.name} counts without a list{condition}")
        elif (
            not resources.store
            and isinstance(task.subject, FormulaSubject)
            and (pair := find_two_counters())
        ):
            yield Whole(
                task, resources, "the solutions are listed first, in case there are few", brief=True
            )
            yield Counted(
                task, pair, f"{pair.name} count without a list, and are believed if they agree"
            )
    elif (
        find(resources.backend).open is None
    ):  # any other backend that is requested lists, as gf2 does
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
    return (
        "subproblems are counted, so that the file keeps the state of the search"
        if counts_in_file
        else ""
    )


def count_stored(task: Task, resources: Resources) -> int:
    """The number of solutions in the file, from which a search goes on. Raises InputError if it
    cannot be resumed."""
    if resources.store is None:
        return 0
    from jigsat.ledger.file import count_resumable, read_state
    from jigsat.ledger.headers import plain_list_header

    if read_state(resources.store) is None and not resources.store.parent.is_dir():
        raise InputError(f"{resources.store}: cannot be written: there is no such directory")
    if task.want == "count":
        return 0
    level = Level.ALL if task.up_to.is_declared else task.up_to
    return count_resumable(
        resources.store, plain_list_header(task.subject, level, minimize=task.minimize)
    )


@dataclass(frozen=True)
class Counted:
    """Counts a task's solutions without a list. If that does not pay, it passes the task on."""

    task: Task
    spec: Spec
    reason: str

    def run(
        self, before: Handover, progress: Progress | None
    ) -> Generator[Event, None, Handover | None]:
        try:
            yield Event(count_without_listing(self.task.subject, self.spec, self.task.up_to))
        except (
            NotWorthwhile,
            InputError,
        ) as error:  # also raised if the formula of a symmetry is not an exact cover
            if before.backend == self.spec.name:
                raise
            yield Event(
                Result(self.task.subject.name, AUTO), words=f"{self.spec.name} gives up: {error}"
            )
            return before
        return None


def try_counting_first(problem: Problem) -> Result | None:
    """The counts without a list; None unless a counting backend fits and expects to be faster than
    listing."""
    subject = subject_of(problem)
    spec = find_counting_engine(subject.encode())
    try:
        return count_without_listing(subject, spec) if spec else None
    except (NotWorthwhile, InputError):
        return None


def count_without_listing(
    problem: Problem, backend: str | Spec, up_to: Level = Level.NOTHING
) -> Result:
    """The counts without a list, by a counting backend; the distinct solutions by Burnside's lemma.

    They are counted at each level of the declared symmetries, and with `up_to="automorphism"` also
    up to automorphisms. If there is a solution, one is found and checked. If there is none, a
    reason or a short search confirms it; otherwise `established_by` says 'not confirmed'. Raises
    InputError if the backend cannot count, and NotWorthwhile if the automorphism group is too large
    to list.
    """
    spec, started = find(backend) if isinstance(backend, str) else backend, time.monotonic()
    if spec.count is None:
        raise InputError(f"the backend {spec.name} cannot count solutions without listing them")
    subject = subject_of(problem)
    formula = subject.encode()
    symmetries = subject.group(formula)
    result = Result(subject.name, spec.name, symmetries=symmetries.orders)
    every: Group | None = None
    if not up_to.is_declared:
        automorphisms = find_automorphisms(formula)
        if (every := as_explicit_group(formula, automorphisms)) is None:
            raise NotWorthwhile(
                f"there are {automorphisms.order:,} automorphisms, too many for counting without "
                f"a list"
            )
        result.symmetries[Level.AUTOMORPHISM] = automorphisms.order
    try:
        result.solutions, result.distinct = count_solutions_and_orbits(
            formula, symmetries, spec.count
        )
        if every:
            result.distinct |= count_solutions_and_orbits(formula, every, spec.count)[1]
    except ImportError as error:
        raise not_installed(spec) from error
    lister = spec.name if spec.open else AUTO
    confirmed = result.solutions == 0 and subject.find_reason() != ""
    model = None
    if not confirmed:
        # that there is no solution may take very long to confirm
        with closing(models(formula, lister, brief=result.solutions == 0)) as found:
            model = next(found, None)
        confirmed = model is not None or found.complete
    if (model is None) != (result.solutions == 0):
        raise CheckError(
            f"{spec.name} counts {result.solutions} solutions, but another backend disagrees. "
            f"This is a bug"
        )
    if model is not None:
        subject.check_orbit(formula, [sorted(model)], lister)
    result.complete = True
    result.established_by = spec.establishes if confirmed else spec.establishes + NOT_CONFIRMED
    result.seconds = time.monotonic() - started
    return result


@dataclass(frozen=True)
class Whole:
    """Searches the whole puzzle by one portfolio of searches. With a file, each solution is written
    when it is found.

    If it is `brief`, the search ends where an unlimited stage of the portfolio would begin, and the
    task is passed on.
    """

    task: Task
    resources: Resources
    reason: str
    brief: bool = False

    def run(
        self, before: Handover, progress: Progress | None
    ) -> Generator[Event, None, Handover | None]:
        subject, formula = self.task.subject, self.task.subject.encode()
        group, minimum = subject.group(formula), None
        if self.task.minimize:
            if not formula.objective:
                raise InputError(f"{subject.name}: {subject.no_objective}")
            minimum = yield from self._minimize(formula, before.backend)
            if minimum is not None:
                with formula.rule("no more than the minimum"):
                    formula.linear(formula.objective, at_most=minimum)
            group = group.keeping(formula.objective)
            yield Event(Result(subject.name, before.backend, minimum=minimum, minimum_proved=True))
        listing = Listing(
            self.task, formula, find_equivalence(formula, group, self.task.up_to), minimum
        )
        with ExitStack() as stack:
            stored = None
            if self.resources.store:
                from jigsat.ledger.file import open_ledger  # most runs need no SQLite

                header = listing.header(self.resources.backend)
                stored = LedgerSolutions(
                    stack.enter_context(open_ledger(self.resources.store, header)), listing
                )
            return (yield from self._search(listing, group, stored, before, progress))

    def _minimize(self, formula: Formula, backend: str) -> Generator[Event, None, int | None]:
        """The minimum, None if there is no solution; meanwhile, bounds are reported."""
        subject, decisions = self.task.subject, frozenset(formula.decisions())
        checked: frozenset[int] | None = None
        minimum = None
        for bounds in bound_least(formula, self.task.lowering):
            minimum = bounds.lower
            if bounds.model != checked:
                checked = bounds.model
                subject.check_orbit(formula, [sorted(decisions & checked)], "MaxSAT")
            yield Event(
                Result(
                    subject.name,
                    backend,
                    minimum_proved=False,
                    lower_bound=bounds.lower,
                    best_cost=bounds.best,
                )
            )
        return minimum

    def _search(
        self,
        listing: Listing,
        group: Group,
        stored: LedgerSolutions | None,
        before: Handover,
        progress: Progress | None,
    ) -> Generator[Event, None, Handover | None]:
        """List the solutions: those in the file first, then those that are found, without those
        reported before."""
        task, subject, formula, same = self.task, self.task.subject, listing.formula, listing.same
        tally = same.tally
        result = Result(
            subject.name,
            before.backend,
            distinct=tally.distinct,
            minimum=listing.minimum,
            minimum_proved=True if task.minimize else None,
            symmetries=same.orders,
        )
        earlier = Earlier(subject, formula, group)
        reported = [tuple(sorted(model)) for model in before.found]
        known: dict[tuple[int, ...], Source | None] = (
            stored.read() if stored else dict.fromkeys(reported)
        )
        done = (
            stored.ledger.establishing_backends()
            if stored and stored.ledger.has_started()
            else None
        )
        new = models(
            same.formula,
            before.backend,
            lowering=task.lowering,
            group=same.group,
            up_to=same.up_to,
            known=known,
            statistics=result.statistics,
            brief=self.brief,
            refute=lambda: subject.find_reason() != "",
            breaking=task.limit is None
            and (subject.breakable or task.up_to in (Level.NOTHING, Level.AUTOMORPHISM)),
        )
        result.backend = new.backend
        # without a thread if other processes will follow, because forking a process with threads is
        # not safe
        measured = progress.during(new, new.progress) if progress and not self.brief else new
        number = 0
        found = list(before.found)
        for model in chain(map(frozenset, known), () if done else measured):
            if new.backend != result.backend:
                yield Event(result, words=f"{new.backend} goes on with the search")
            orbit = tally.add(model)  # the first member represents it, whichever the backend found
            if not orbit:
                continue
            number += 1
            origin = known[tuple(orbit[0])] if number <= len(known) else None
            stated = subject.check_orbit(formula, orbit, new.backend, origin)
            minimum, cost = listing.minimum, formula.cost(model)
            if minimum is not None and cost != minimum:
                if origin:
                    raise origin.error(f"not a solution with the minimum {minimum}")
                raise CheckError(
                    f"{subject.name}: a solution costs {cost}, but the minimum is {minimum}. "
                    f"This is a bug"
                )
            result.solutions, result.backend = tally.solutions, new.backend
            relation = earlier.relation(frozenset(orbit[0]))
            if number <= len(reported):
                continue
            if self.brief:  # only a brief search hands its solutions on
                found.append(frozenset(orbit[0]))
            try:
                if stored and number > len(known):
                    stored.add(orbit[0], stated)
            finally:  # report a solution even if it could not be written
                yield Event(result, stated, relation)
            if number == task.limit:
                return None
        if new.backend != result.backend:
            yield Event(result, words=f"{new.backend} goes on with the search")
        if self.brief and not new.complete:
            return Handover(new.backend, tuple(found), tally.solutions, result.statistics)
        counts = tally.solutions, dict(tally.distinct)
        if stored:
            stored.verify(*counts)
        if result.uncounted and subject.breakable:
            counted = result.distinct | count_orbits_by_burnside(formula, group, result.solutions)
            result.distinct = {
                level: counted[level] for level in result.symmetries if level in counted
            }
        result.complete, result.backend = True, done.backend if done else new.backend
        if done:
            result.established_by = done.established_by
        else:
            result.established_by = "reason" if new.refuted else find(new.backend).establishes
        yield Event(result)
        if stored:
            stored.finish(
                *counts,
                result,
                result.statistics.get("nodes", result.statistics.get("conflicts", 0)),
            )
        return None
