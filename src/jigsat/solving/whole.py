"""The search of a whole puzzle, solution by solution, with blocking clauses."""

from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain

from jigsat.backends import find
from jigsat.errors import CheckError, InputError
from jigsat.formula import Formula
from jigsat.orbits import count_orbits_by_burnside, find_equivalence
from jigsat.runtime.child import Progress
from jigsat.search.optimum import least
from jigsat.search.portfolio import models
from jigsat.solving.stored import LedgerSolutions, Listing
from jigsat.solving.task import Event, Handover, Resources, Result, Task
from jigsat.subject import Earlier, Source
from jigsat.symmetry import AUTOMORPHISM, LEVELS, Group


@dataclass(frozen=True)
class Whole:
    """Searches the whole puzzle by one portfolio of searches. With a file, each solution is written when it is found.

    If it is `brief`, the search ends where an unlimited stage of the portfolio would begin, and the task is passed on.
    """

    task: Task
    resources: Resources
    reason: str
    brief: bool = False

    def run(self, before: Handover, progress: Progress | None) -> Generator[Event, None, Handover | None]:
        subject, formula = self.task.subject, self.task.subject.encode()
        group, minimum = subject.group(formula), None
        if self.task.minimize:
            minimum = self._find_minimum(formula)
            group = group.keeping(formula.objective)
            yield Event(Result(subject.name, before.backend, minimum=minimum, minimum_proved=True))
        listing = Listing(self.task, formula, find_equivalence(formula, group, self.task.up_to), minimum)
        with ExitStack() as stack:
            stored = None
            if self.resources.store:
                from jigsat.ledger.file import open_ledger  # most runs need no SQLite

                header = listing.header(self.resources.backend)
                stored = LedgerSolutions(stack.enter_context(open_ledger(self.resources.store, header)), listing)
            return (yield from self._search(listing, group, stored, before, progress))

    def _search(
        self, listing: Listing, group: Group, stored: LedgerSolutions | None, before: Handover, progress: Progress | None
    ) -> Generator[Event, None, Handover | None]:
        """List the solutions: those in the file first, then those that are found, without those reported before."""
        task, subject, formula, same = self.task, self.task.subject, listing.formula, listing.same
        tally = same.tally
        result = Result(
            subject.name, before.backend, distinct=tally.distinct, minimum=listing.minimum,
            minimum_proved=True if task.minimize else None, symmetries=same.orders,
        )  # fmt: skip
        earlier = Earlier(subject, formula, group)
        reported = [tuple(sorted(model)) for model in before.found]
        known: dict[tuple[int, ...], Source | None] = stored.read() if stored else dict.fromkeys(reported)
        done = stored.ledger.establishing_backends() if stored and stored.ledger.has_started() else None
        new = models(
            same.formula,
            before.backend,
            lowering=task.lowering,
            group=same.group,
            up_to=same.up_to,
            known=known,
            statistics=result.statistics,
            brief=self.brief,
            breaking=task.limit is None and (subject.breakable or task.up_to in (LEVELS[0], AUTOMORPHISM)),
        )
        result.backend = new.backend
        # without a thread if other processes will follow, because forking a process with threads is not safe
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
                raise CheckError(f"{subject.name}: a solution costs {cost}, but the minimum is {minimum}. This is a bug")
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
            result.distinct = {level: counted[level] for level in result.symmetries if level in counted}
        result.complete, result.backend = True, done.backend if done else new.backend
        result.established_by = done.established_by if done else find(new.backend).establishes
        yield Event(result)
        if stored:
            stored.finish(*counts, result, result.statistics.get("nodes", result.statistics.get("conflicts", 0)))
        return None

    def _find_minimum(self, formula: Formula) -> int | None:
        """The minimum of the objective, after forbidding greater values in the formula; None if there is no solution."""
        if not formula.objective:
            raise InputError(self.task.subject.no_objective())
        minimum = least(formula, self.task.lowering)
        if minimum is not None:
            with formula.group("no more than the minimum"):
                formula.linear(formula.objective, at_most=minimum)
        return minimum
