"""The list of solutions that is asked for, and its form in a ledger.

The file has one representative of each orbit, up to all declared symmetries (or all automorphisms),
so it serves every level.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jigsat.backends import AUTO
from jigsat.errors import InputError
from jigsat.formula import Formula
from jigsat.orbits import Equivalence, OrbitCounter, OrbitShare, add_shares
from jigsat.questions import Solutions
from jigsat.runtime.untrusted import canonical
from jigsat.search.exhaustive import is_exhaustive
from jigsat.subject import Source, Stated, Subject, formula_digest
from jigsat.symmetry import Level, Model

if TYPE_CHECKING:
    from jigsat.ledger.file import Ledger
    from jigsat.ledger.headers import ListHeader


@dataclass(frozen=True)
class Listing:
    """The solutions to list: those of a formula of the subject, perhaps only those of the minimum
    cost."""

    subject: Subject[Any]
    question: Solutions
    formula: Formula
    same: Equivalence
    minimum: int | None = None

    @property
    def top(self) -> Level:
        """The level at which each orbit has a representative in a file."""
        return Level.ALL if self.question.up_to.is_declared else self.question.up_to

    def header(self, backend: str) -> ListHeader:
        """The header of a ledger for these solutions, which are searched in parts by the given
        backend if that is possible."""
        from jigsat.ledger.headers import ListHeader, count_header, plain_list_header

        subject, question = self.subject, self.question
        if question.up_to.is_declared and not question.minimize and subject.can_be_sent:
            with suppress(InputError):  # the family is not installed for other processes
                counting = dict(count_header(subject, backend if is_exhaustive(backend) else AUTO))
                return ListHeader.model_validate({**counting, "kind": "list", "listed": self.top})
        digest = formula_digest(subject.encode()) if not question.up_to.is_declared else ""
        return plain_list_header(subject, self.top, digest, minimize=question.minimize)

    def first(self, model: Model) -> list[int]:
        """The model that represents the orbit in the file."""
        group = self.same.group
        if group is None:
            return self.same.tally.representative(model)
        return list(group.least_image(model, self.top))

    def distinct(self, model: Model) -> list[list[int]]:
        """A representative of each distinct solution in the orbit that a model in the file
        represents."""
        group = self.same.group
        if group is None or self.question.up_to == self.top:
            return [self.first(model)]
        rest = group.orbit(model, self.top)
        models: list[list[int]] = []
        while rest:
            models.append(min(map(sorted, rest)))
            rest -= group.orbit(frozenset(models[-1]), self.question.up_to)
        return models

    def check(self, model: list[int], source: Source | None = None) -> Stated:
        """The form in which a model is kept; the model is checked."""
        return self.subject.check_orbit(self.formula, [model], "the solver", source)


class LedgerSolutions:
    """The solutions in an open ledger."""

    def __init__(self, ledger: Ledger, listing: Listing) -> None:
        self.ledger, self._listing = ledger, listing
        self._variables = listing.subject.variables(listing.formula)
        problem, group = ledger.header.problem, listing.same.group
        self._orbits = OrbitCounter(group, problem.breaking) if problem and group else None
        self._shares = Counter[OrbitShare]()
        self._last = 0
        self._started = time.monotonic()

    def read_new(self) -> Iterator[tuple[Source, Model]]:
        """The orbits that were written to the file since the last call; each is represented by its
        first member."""
        from jigsat.ledger.file import REMEDY

        while rows := self.ledger.solutions_after(self._last):
            for row in rows:
                self._last = row.id
                source = Source(f"{self.ledger.path}: solution {row.id}", REMEDY)
                model = self._model(source, row.placements)
                first = self._listing.first(model)
                # a solution that was written with another encoding may have another representative
                if first == sorted(model) or self.ledger.restate(
                    row.id, self._listing.check(first, source)
                ):
                    yield source, frozenset(first)

    def _model(self, source: Source, placements: list[object]) -> Model:
        try:
            model = frozenset(self._variables[canonical(placement)] for placement in placements)
        except KeyError:
            raise source.error("not a solution of this puzzle") from None
        if len(model) < len(placements):
            raise source.error("a placement is repeated")
        return model

    def read(self) -> dict[tuple[int, ...], Source | None]:
        """A representative of each distinct solution in the file, with its place."""
        models: dict[tuple[int, ...], Source | None] = {}
        for source, first in self.read_new():
            self._add_shares(first)
            for model in self._listing.distinct(first):
                models.setdefault(tuple(model), source)
        return models

    def add(self, model: list[int], stated: Stated) -> None:
        """Write the orbit of a model, unless it is there already."""
        first = self._listing.first(frozenset(model))
        if self.ledger.add(stated if first == model else self._listing.check(first)):
            self._add_shares(frozenset(first))

    def _add_shares(self, model: Model) -> None:
        if self._orbits:
            share = self._orbits.share(self._orbits.orbit(model))
            self._shares[share] += share.found

    def finish(
        self, solutions: int, distinct: dict[Level, int], backend: str, by: str, nodes: int
    ) -> None:
        """Write that there are no other solutions, and how the backend established that, unless it
        is written already."""
        from jigsat.ledger.headers import Established
        from jigsat.ledger.worker import SubproblemOutcome, rows_of

        if self.ledger.has_started():
            return
        orders = {level: self._listing.same.orders[level] for level in distinct}
        shares = self._shares
        if not self._orbits:
            shares = Counter([OrbitShare(solutions, 1, tuple(distinct.values()))])
        if add_shares(shares, orders, complete=True) != (solutions, distinct):
            raise self._disagreement()
        outcome = SubproblemOutcome(
            seconds=time.monotonic() - self._started, nodes=nodes, counts=rows_of(shares)
        )
        self.ledger.finish(
            outcome,
            Established(backend=backend, established_by=by),
            orders,
        )

    def verify(self, solutions: int, distinct: dict[Level, int]) -> None:
        """Raise InputError if the file is complete and its counts differ from these."""
        if self.ledger.has_started():
            counts = self.ledger.totals(self.ledger.counts(), complete=True)
            if counts != (solutions, {level: distinct.get(level) for level in counts[1]}):
                raise self._disagreement()

    def _disagreement(self) -> Exception:
        from jigsat.ledger.file import damage

        return damage(self.ledger.path, "its solutions do not agree with its counts")
