"""The audit of a ledger: the subproblems partition the search, and a sample of the counts is right.

The puzzle in the ledger is encoded again. Each split must be by a literal and its negation, or by
all literals of an exactly-one constraint of the formula, so its parts are disjoint and together
cover it. A SAT solver confirms each part that was refuted by unit propagation. The counts of some
finished subproblems, or of all, are computed again.
"""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from jigsat import instance
from jigsat.backends import AUTO, DEFAULT, open_backend
from jigsat.errors import CheckError, printable
from jigsat.ledger.file import Ledger, Subproblem
from jigsat.ledger.headers import own_backend
from jigsat.ledger.tree import SubproblemTree, is_variable, name_choices
from jigsat.ledger.worker import Searcher, shares_in
from jigsat.orbits import ListedTally, add_shares
from jigsat.runtime.untrusted import canonical
from jigsat.search.portfolio import choose_exhaustive
from jigsat.subject import PuzzleSubject, restore_subject
from jigsat.symmetry import Level
from jigsat.words import plural

MAX_LISTED_FAULTS = 20  # maximum number of faults that are listed


@dataclass
class Audit:
    """The result of an audit; the fields are those of `jigsat ledger --audit --json`.

    `splits` has the number of splits by the name of the constraint group, or 'a variable'. `missed`
    is the probability that the sample misses one wrong count. `backend` counted again what those in
    `counted_by` had counted. `faults` are sentences; there are none if the ledger is right as far
    as it was audited.
    """

    instance: str
    complete: bool
    broken: bool
    solutions: int = 0
    distinct: dict[Level, int] = field(default_factory=dict)
    splits: dict[str, int] = field(default_factory=dict)
    refuted: int = 0
    finished: int = 0
    recomputed: int = 0
    listed: int = 0
    missed: float = 1.0
    backend: str = ""
    counted_by: str = ""
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        if self.faults:
            return "\n".join(printable(f"{self.instance}: {fault}") for fault in self.faults)
        what = "the formula"
        if self.broken:
            what += " with its symmetry-breaking clause, which every orbit satisfies,"
        lines = [f"{self.instance}: the subproblems partition {what} of the instance:"]
        lines += [f"  {plural(number, 'split')} on {name}" for name, number in self.splits.items()]
        lines.append(
            f"  {plural(self.refuted, 'part')} refuted by unit propagation, confirmed by a SAT "
            f"solver"
        )
        lines.append(
            f"{self.recomputed:,} of {plural(self.finished, 'finished subproblem')} of "
            f"{self.counted_by} counted again by "
            f"{self.backend}, with the same counts; the probability that one wrong count was "
            f"missed is {self.missed:.3g}"
        )
        if self.listed:
            lines.append(
                f"{plural(self.listed, 'solution')} in the file, each checked, all of different "
                f"orbits"
            )
        if not self.complete:
            lines.append("the ledger is not complete: some subproblems are open")
        return "\n".join(map(printable, lines))


def audit_ledger(ledger: Ledger, sample: int | None, seed: int = 0, backend: str = AUTO) -> Audit:
    """Audit a ledger, and count `sample` random subproblems again, or all of them if None.

    They are counted by this backend, or else by that of the ledger, unless it is a program with a
    path.
    """
    auditor = _Auditor(ledger, backend)
    auditor.result.faults += islice(auditor.faults(sample, seed), MAX_LISTED_FAULTS)
    auditor.result.splits = dict(auditor.splits.most_common())
    return auditor.result


class _Auditor:
    def __init__(self, ledger: Ledger, backend: str) -> None:
        header = ledger.header
        assert header.problem is not None, "there is nothing to audit"
        self._ledger = ledger
        self._subject = restore_subject(header.problem.puzzle)
        self._plain, self._formula = header.problem.encode_subject(self._subject)
        if backend == AUTO:
            backend = own_backend(header)
        if backend == AUTO:
            backend = choose_exhaustive(self._formula)
        self._problem = header.problem.model_copy(update={"backend": backend})
        self._names = name_choices(self._plain)
        self.splits = Counter[str]()
        complete = not ledger.states().get("open")
        by = ledger.establishing_backends().backend
        self.result = Audit(
            header.instance, complete, bool(self._problem.breaking), backend=backend, counted_by=by
        )

    def faults(self, sample: int | None, seed: int) -> Iterator[str]:
        audit, name = self.result, self._subject.name
        if audit.instance != name:
            yield f"the puzzle in it has another name, {name}"
        shipped = instance.shipped_files().get(name)
        if shipped and instance.load(shipped).digest() != self._subject.digest():
            yield f"not the {name} that comes with jigsat"
        if (
            isinstance(self._subject, PuzzleSubject)
            and self._ledger.header.digest != self._subject.digest()
        ):
            yield "it is resumed for another puzzle"
        group = self._subject.group(self._plain)
        if self._problem.breaking and self._problem.breaking != group.find_breaking_clause(
            self._plain, Level.ALL
        ):
            yield (
                "the symmetry-breaking clause is not that of the instance, so an orbit could "
                "be missing"
            )
        if self._ledger.header.levels != group.orders:
            yield "the orders of the symmetry groups are not those of the instance"
        yield from self._tree()
        try:
            counts = self._ledger.counts()
            audit.solutions, audit.distinct = add_shares(
                counts, self._ledger.header.levels, complete=audit.complete
            )
        except (CheckError, ValueError, ZeroDivisionError) as error:
            yield str(error)
        if self._ledger.header.listed:
            yield from self._solutions()
        yield from self._recount(sample, seed)

    def _solutions(self) -> Iterator[str]:
        """Faults in the solutions: some are wrong, two are of one orbit, or those of a complete
        file contradict its counts."""
        group = self._subject.group(self._plain)
        variables = self._subject.variables(self._plain)
        last = 0
        tally = ListedTally(group, Level.ALL)
        seen: set[tuple[int, ...]] = set()
        while rows := self._ledger.solutions_after(last):
            for row in rows:
                last = row.id
                self.result.listed += 1
                try:
                    model = frozenset(
                        variables[canonical(placement)] for placement in row.placements
                    )
                    self._subject.check_orbit(self._plain, [sorted(model)], "it")
                except (KeyError, CheckError):
                    yield f"solution {last} is not a solution"
                    continue
                first = tuple(tally.representative(model))
                if first in seen:
                    yield f"solution {last} belongs to the same orbit as another one"
                    continue
                seen.add(first)
                tally.add(model)
        if self.result.complete and (tally.solutions, tally.distinct) != (
            self.result.solutions,
            self.result.distinct,
        ):
            yield "the solutions in the file do not agree with the counts of the subproblems"

    # -- the tree

    def _tree(self) -> Iterator[str]:
        """Faults in the partition."""
        tree = SubproblemTree()
        with closing(open_backend(DEFAULT)) as solver:
            solver.load(self._formula)
            yield from tree.read(self._ledger.every())
            yield from tree.find_wrong_choices(self._names)
            for row in self._ledger.every():
                yield from self._row(row, solver)

        for _, choice in tree.choices():
            if is_variable(choice):
                self.splits["a variable"] += 1
            elif choice in self._names:
                self.splits[f"“{self._names[choice]}”"] += 1

    def _row(self, row: Subproblem, solver: Any) -> Iterator[str]:
        """Faults within one row."""
        self.result.finished += row.state == "done"
        without = row.refuted or ()
        self.result.refuted += len(without)
        refuted = [(*row.literals, literal) for literal in without]
        for subproblem in [row.literals, *refuted] if row.state == "refuted" else refuted:
            if solver.solve(subproblem):
                yield (
                    f"subproblem {row.id}: a part that was refuted by unit propagation has a model"
                )

    # -- the counts

    def _recount(self, sample: int | None, seed: int) -> Iterator[str]:
        """Faults in the counts of finished subproblems, chosen at random."""
        audit = self.result
        chosen = random.Random(seed)
        finished = [row.id for row in self._ledger.every() if row.state == "done"]
        numbers = set(
            finished if sample is None else chosen.sample(finished, min(sample, len(finished)))
        )
        with closing(Searcher(self._problem)) as searcher:
            for row in self._ledger.every():
                if row.id in numbers:
                    audit.recomputed += 1
                    if searcher.count(row.literals) != shares_in(row.counts):
                        yield f"subproblem {row.id}: the counts differ when it is counted again"
        audit.missed = 1 - audit.recomputed / len(finished) if finished else 0.0
