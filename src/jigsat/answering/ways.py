"""The ways to find or count solutions in one process."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from jigsat.answering.stored import LedgerSolutions, Listing
from jigsat.answering.task import Desk, Task
from jigsat.backends import AUTO, Spec, find, not_installed
from jigsat.errors import CheckError, InputError, NotWorthwhile
from jigsat.formula import Formula
from jigsat.orbits import (
    as_explicit_group,
    count_orbits_by_burnside,
    find_automorphisms,
    find_equivalence,
)
from jigsat.questions import (
    NOT_CONFIRMED,
    Chosen,
    Counted,
    Established,
    Event,
    Found,
    Halted,
    MinimumBounded,
    MinimumProved,
    Result,
    Totals,
)
from jigsat.search.portfolio import Models, bound_least, find_counting_engine, models
from jigsat.subject import Earlier, Problem, Source, subject_of
from jigsat.symmetry import Group, Level, Model, Placement, count_solutions_and_orbits

if TYPE_CHECKING:
    from jigsat.ledger.headers import Established as EstablishedBy

REPORT_INTERVAL_S = 0.25
"""Seconds between two reports of the numbers so far, if only numbers are asked for: to send the
solutions of a long count to another process takes longer than to find them."""


MAX_FEW_SOLUTIONS = 400
"""The number of solutions, with their images under symmetries, after which counting is tried: to
check 400 takes 0.03 s. An orbit may have thousands."""


@dataclass(frozen=True)
class CountWithoutList:
    """Counts solutions without a list. If that does not pay, the next way goes on."""

    task: Task
    spec: Spec
    why: str

    def run(self, desk: Desk, answer: Result) -> Iterator[Event]:
        subject = self.task.subject
        try:
            result = count_without_listing(subject, self.spec, self.task.search.up_to)
        except (
            NotWorthwhile,
            InputError,
        ) as error:  # also raised if the formula of a symmetry is not an exact cover
            if self.task.means.backend == self.spec.name:
                raise
            yield Chosen(f"{self.spec.name} gives up: {error}")
            return
        totals = Totals(result.backend, result.solutions, result.distinct, result.symmetries)
        yield Established(str(result.established_by), totals)


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

    They are counted at each level of the declared symmetries, and up to automorphisms if that is
    the level. If there is a solution, one is found and checked. If there is none, a reason or a
    short search confirms it; otherwise `established_by` says 'not confirmed'. Raises InputError if
    the backend cannot count, and NotWorthwhile if the automorphism group is too large to list.
    """
    spec = find(backend) if isinstance(backend, str) else backend
    if spec.count is None:
        raise InputError(f"the backend {spec.name} cannot count solutions without listing them")
    subject = subject_of(problem)
    formula = subject.encode()
    declared = subject.group(formula)
    symmetries = declared.orders
    every: Group | None = None
    if not up_to.is_declared:
        automorphisms = find_automorphisms(formula)
        every = as_explicit_group(formula, automorphisms)
        if every is None:
            raise NotWorthwhile(
                f"there are {automorphisms.order:,} automorphisms, too many for counting without "
                f"a list"
            )
        symmetries[Level.AUTOMORPHISM] = automorphisms.order

    try:
        solutions, distinct = count_solutions_and_orbits(formula, declared, spec.count)
        if every is not None:
            distinct |= count_solutions_and_orbits(formula, every, spec.count)[1]
    except ImportError as error:
        raise not_installed(spec) from error

    # Another search must agree that there is a solution, and the solution is checked. That there is
    # none may take very long to confirm.
    lister = spec.name if spec.open else AUTO
    confirmed = solutions == 0 and subject.find_reason() != ""
    model = None
    if not confirmed:
        with closing(models(formula, lister, brief=solutions == 0)) as search:
            model = next(search, None)
        confirmed = model is not None or search.complete
    if (model is None) != (solutions == 0):
        raise CheckError(
            f"{spec.name} counts {solutions} solutions, but another backend disagrees. "
            f"This is a bug"
        )
    if model is not None:
        subject.check_orbit(formula, [sorted(model)], lister)
    return Result(
        subject.name,
        spec.name,
        solutions,
        distinct,
        complete=True,
        established_by=spec.establishes if confirmed else spec.establishes + NOT_CONFIRMED,
        symmetries=symmetries,
    )


@dataclass(frozen=True)
class FindReason:
    """Looks for a simple reason why there is no solution. If there is none, the next way goes
    on."""

    task: Task
    why: str

    def run(self, desk: Desk, answer: Result) -> Iterator[Event]:
        subject = self.task.subject
        if subject.find_reason():
            orders = subject.group(subject.encode()).orders
            totals = Totals(answer.backend, 0, dict.fromkeys(orders, 0), orders)
            yield Established("reason", totals)


@dataclass(frozen=True)
class SearchWhole:
    """Searches the whole puzzle by one portfolio of searches. With a file, each solution is written
    when it is found.

    If it is `brief`, the search ends where an unlimited stage of the portfolio would begin, and the
    next way goes on; if it is the `first`, already after the first part of the default backend.
    """

    task: Task
    why: str
    brief: bool = False
    first: bool = False

    def run(self, desk: Desk, answer: Result) -> Iterator[Event]:
        subject, question = self.task.subject, self.task.search
        formula = subject.encode()
        group = subject.group(formula)
        minimum, best = None, None
        if question.minimize:
            if not formula.objective:
                raise InputError(f"{subject.name}: {subject.no_objective}")
            minimum, best = yield from self._minimize(formula)
            if minimum is not None:
                with formula.rule("no more than the minimum"):
                    formula.linear(formula.objective, at_most=minimum)
            group = group.preserve_weights(formula.objective)
            yield MinimumProved(minimum)

        same = find_equivalence(formula, group, question.up_to)
        listing = Listing(subject, question, formula, same, minimum)
        with ExitStack() as stack:
            stored = None
            if self.task.means.store is not None:
                from jigsat.ledger.file import open_ledger  # most runs need no SQLite

                header = listing.header(self.task.means.backend)
                ledger = open_ledger(self.task.means.store, header)
                stored = LedgerSolutions(stack.enter_context(ledger), listing)
            search = _WholeSearch(self, listing, group, stored, desk, answer, best)
            yield from search.run()

    def _minimize(
        self, formula: Formula
    ) -> Generator[Event, None, tuple[int | None, Model | None]]:
        """The minimum and a model that attains it, None if there is no solution; meanwhile, bounds
        are reported."""
        subject = self.task.subject
        decisions = frozenset(formula.decisions())
        minimum, best = None, None
        for bounds in bound_least(formula, self.task.search.lowering):
            minimum = bounds.lower
            placements = None
            model = decisions & bounds.model
            if model != best:
                best = model
                placements = subject.check_orbit(formula, [sorted(best)], "MaxSAT")
            yield MinimumBounded(bounds.lower, bounds.best, placements)
        return minimum, best


class _WholeSearch:
    """The search of `SearchWhole`: the solutions in the file first, then the one that attains the
    minimum, if that was proved, then those that are found, without those that were reported
    before."""

    def __init__(
        self,
        way: SearchWhole,
        listing: Listing,
        group: Group,
        stored: LedgerSolutions | None,
        desk: Desk,
        answer: Result,
        best: Model | None,
    ) -> None:
        self._way = way
        self._best = [] if best is None else [best]
        self._listing = listing
        self._group = group
        self._stored = stored
        self._desk = desk
        self._subject = listing.subject
        self._limit = listing.question.limit
        self._listed = not listing.question.wants_only_numbers
        self._reported = 0.0  # when the numbers were reported, if no solutions are
        self._tally = listing.same.tally
        self._earlier = Earlier(self._subject, listing.formula, group)
        self._statistics: dict[str, int] = {}

        # Solutions that an earlier way reported are counted again, but not reported again.
        reported = [tuple(sorted(model)) for model in desk.reported]
        self._number_reported = len(reported)
        self._known: dict[tuple[int, ...], Source | None] = dict.fromkeys(reported)
        self._done: EstablishedBy | None = None
        if stored is not None:
            self._known = stored.read()
            if stored.ledger.has_started():
                self._done = stored.ledger.establishing_backends()
        self._search = self._open(answer.backend)
        self._backend = self._search.backend  # that found the last solution

    def _open(self, backend: str) -> Models:
        """The search for models that are not known."""
        question, same = self._listing.question, self._listing.same
        breakable = self._subject.breakable or question.up_to in (
            Level.NOTHING,
            Level.AUTOMORPHISM,
        )
        return models(
            same.formula,
            backend,
            lowering=question.lowering,
            group=same.group,
            up_to=same.up_to,
            known=[*self._known, *self._best],
            statistics=self._statistics,
            brief=self._way.brief,
            first=self._way.first,
            refute=lambda: self._subject.find_reason() != "",
            breaking=self._limit is None and breakable,
        )

    def run(self) -> Iterator[Event]:
        """Report what happens."""
        number = 0
        for model in chain(map(frozenset, self._known), self._best, self._new_models()):
            if self._search.backend != self._backend:
                yield self._change_backend()

            # The first member represents the orbit, whichever of them the backend found.
            orbit = self._tally.add(model)
            if not orbit:
                continue
            number += 1
            is_known = number <= len(self._known)
            origin = self._known[tuple(orbit[0])] if is_known else None
            stated = self._subject.check_orbit(
                self._listing.formula, orbit, self._search.backend, origin
            )
            self._check_cost(model, origin)
            relation = ""
            if self._listed:
                relation = self._earlier.relation(frozenset(orbit[0]))
            if number <= self._number_reported:
                continue
            if self._way.brief:
                self._desk.reported.append(frozenset(orbit[0]))
            try:
                if self._stored is not None and not is_known:
                    self._stored.add(orbit[0], stated)
            finally:  # report a solution even if it could not be written
                yield from self._report(stated, relation)
            if number == self._limit:
                yield Halted("limit")
                return
            if self._way.first and self._tally.solutions > MAX_FEW_SOLUTIONS:
                break

        if self._search.backend != self._backend:
            yield self._change_backend()
        if self._way.brief and not self._search.complete:
            yield Counted(self._totals())
            return
        yield from self._end()

    def _report(self, stated: tuple[Placement, ...], relation: str) -> Iterator[Event]:
        """Report a solution, or from time to time the numbers so far."""
        if self._listed:
            yield Found(stated, relation, self._totals())
        elif time.monotonic() > self._reported + REPORT_INTERVAL_S:
            self._reported = time.monotonic()
            yield Counted(self._totals())

    def _new_models(self) -> Iterator[Model]:
        """The models that are searched for; none if the file has all of them."""
        if self._done is not None:
            return iter(())
        # Other processes may follow a brief search, and to fork a process with threads is not safe.
        if self._desk.progress is None or self._way.brief:
            return self._search
        return self._desk.progress.during(self._search, self._search.progress)

    def _change_backend(self) -> Chosen:
        """The event if another backend goes on."""
        self._backend = self._search.backend
        return Chosen(f"{self._backend} goes on with the search", self._backend)

    def _check_cost(self, model: Model, origin: Source | None) -> None:
        """Raise an error if a solution does not have the minimum cost."""
        minimum = self._listing.minimum
        if minimum is None:
            return
        cost = self._listing.formula.cost(model)
        if cost == minimum:
            return
        if origin is not None:
            raise origin.error(f"not a solution with the minimum {minimum}")
        raise CheckError(
            f"{self._subject.name}: a solution costs {cost}, but the minimum is {minimum}. "
            f"This is a bug"
        )

    def _totals(self) -> Totals:
        """The numbers so far."""
        return Totals(
            self._backend,
            self._tally.solutions,
            dict(self._tally.distinct),
            self._listing.same.orders,
            dict(self._statistics),
        )

    def _end(self) -> Iterator[Event]:
        """Report that there are no other solutions, and write it down."""
        totals = self._totals()
        if self._stored is not None:
            self._stored.verify(totals.solutions, totals.distinct)
        counts = totals.distinct
        if self._done is not None:
            by, backend = self._done.established_by, self._done.backend
        else:
            backend = self._search.backend
            by = "reason" if self._search.refuted else find(backend).establishes
        distinct = self._count_missing_levels(totals)
        final = Totals(backend, totals.solutions, distinct, totals.symmetries, totals.statistics)
        yield Established(by, final)
        if self._stored is not None:
            statistics = totals.statistics
            nodes = statistics.get("nodes", statistics.get("conflicts", 0))
            self._stored.finish(totals.solutions, counts, backend, by, nodes)

    def _count_missing_levels(self, totals: Totals) -> dict[Level, int]:
        """The numbers of distinct solutions, if possible also at levels that were not counted
        during the search."""
        missing = totals.symmetries.keys() - totals.distinct.keys()
        if not missing or not self._subject.breakable:
            return totals.distinct
        numbers = totals.distinct | count_orbits_by_burnside(
            self._listing.formula, self._group, totals.solutions
        )
        return {level: numbers[level] for level in totals.symmetries if level in numbers}
