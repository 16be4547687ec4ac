"""The counts of a puzzle or a formula without a list of its solutions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar

from jigsat.backends import AUTO, Spec, find, not_installed
from jigsat.errors import CheckError, InputError, NotWorthwhile
from jigsat.formula import Formula, Lowering
from jigsat.orbits import automorphisms_of, listed
from jigsat.search import counter, models
from jigsat.solving.enumeration import Enumeration, Event, Start
from jigsat.solving.result import Result
from jigsat.subject import Problem, subject_of
from jigsat.symmetry import AUTOMORPHISM, LEVELS, Group, orbits

if TYPE_CHECKING:
    from jigsat.ledger.rows import Header
    from jigsat.solving.listing import Wanted

S = TypeVar("S")

BULK = "cover"
"""The backend that lists solutions in bulk (`Backend.covers`)."""


class Count(Enumeration[S]):
    """An enumeration for its `result` only.

    Nothing is listed if a backend can count without a list. Otherwise solutions are counted in bulk if the backend lists them
    in bulk and the symmetries preserve the formula; one solution of each orbit is checked.
    """

    def _search(self) -> Iterator[Event]:
        result = self._counted()
        if result:
            yield None, "", result
            return
        if (
            self._jobs == 1
            and self.result.backend == BULK
            and find_spec("numpy")
            and self._plain
            and self.up_to in LEVELS
            and self._subject.symmetric
        ):
            subject, formula = self._subject, self._subject.encode()
            group, statistics = subject.group(formula), dict[str, int]()
            backend, top = self.result.backend, LEVELS[-1]
            with closing(models(formula, backend, group=group, up_to=top, statistics=statistics)) as found:
                if covers := found.covers():
                    yield from self._in_bulk(formula, group, covers, found.progress, statistics)
                    return
        yield from super()._search()

    def _divided(self, wanted: Wanted, header: Header, start: Start) -> Iterator[Event]:
        if not self._plain:
            yield from super()._divided(wanted, header, start)
            return
        from jigsat.solving.ledger_count import divided

        yield from divided(header, start, self._jobs, self._progress)

    def _in_bulk(
        self,
        formula: Formula,
        group: Group,
        covers: tuple[list[int], Iterator[list[tuple[int, ...]]]],
        progress: Callable[[], float | None],
        statistics: dict[str, int],
    ) -> Iterator[Event]:
        """Count solutions that a backend lists in bulk; see `Backend.covers`."""
        from jigsat.orbits.bulk import BulkTally, batches  # imports numpy

        subject, backend, decisions = self._subject, self.result.backend, formula.decisions()
        result = Result(subject.name, backend, symmetries=group.orders, statistics=statistics)
        column = {variable: at for at, variable in enumerate(decisions)}
        tally = BulkTally(decisions, group)
        rows = batches(covers[1], [column[option] for option in covers[0]], len(decisions))
        for batch in self._progress.during(rows, progress) if self._progress else rows:
            for model in tally.add(batch):
                subject.checked(formula, model, [sorted(model)], backend, None)
            result.solutions, result.distinct = tally.solutions, tally.distinct
            yield None, "", result
        result.solutions, result.distinct = tally.solutions, tally.distinct
        result.complete, result.established_by = True, find(backend).establishes
        yield None, "", result

    @property
    def _plain(self) -> bool:
        """Whether only the counts are requested, with no option that needs a list."""
        return self._limit is None and not self.store and not self.minimize and self.lowering in (None, Lowering())

    def _counted(self) -> Result | None:
        if not self._plain or not self._subject.breakable:
            return None
        if self.result.backend == AUTO:
            return counted_at_once(self._subject, self.up_to)
        return None if find(self.result.backend).open else counted(self._subject, self.result.backend, self.up_to)


def counted_at_once(problem: Problem, up_to: str = LEVELS[0]) -> Result | None:
    """The counts without a list; None unless a counting backend fits and expects to be faster than listing."""
    subject = subject_of(problem)
    spec = counter(subject.encode())
    try:
        return counted(subject, spec, up_to) if spec else None
    except (NotWorthwhile, InputError):  # also raised if the formula of a symmetry is not an exact cover
        return None


def counted(problem: Problem, backend: str | Spec, up_to: str = LEVELS[0]) -> Result:
    """The counts without a list, by a counting backend; the distinct solutions by Burnside's lemma.

    They are counted at each level of the declared symmetries, and with `up_to="automorphism"` also up to automorphisms. If
    there is a solution, one is found and checked. Raises InputError if the backend cannot count, and NotWorthwhile if the
    automorphism group is too large to list.
    """
    spec, started = find(backend) if isinstance(backend, str) else backend, time.monotonic()
    if spec.count is None:
        raise InputError(f"the backend {spec.name} cannot count solutions without listing them")
    subject = subject_of(problem)
    formula = subject.encode()
    symmetries = subject.group(formula)
    result = Result(subject.name, spec.name, symmetries=symmetries.orders)
    every: Group | None = None
    if up_to == AUTOMORPHISM:
        automorphisms = automorphisms_of(formula)
        if (every := listed(formula, automorphisms)) is None:
            raise NotWorthwhile(f"there are {automorphisms.order:,} automorphisms, too many for counting without a list")
        result.symmetries[AUTOMORPHISM] = automorphisms.order
    try:
        result.solutions, result.distinct = orbits(formula, symmetries, spec.count)
        if every:
            result.distinct |= orbits(formula, every, spec.count)[1]
    except ImportError as error:
        raise not_installed(spec) from error
    lister = spec.name if spec.open else AUTO
    with closing(models(formula, lister)) as found:
        model = next(found, None)
    if (model is None) != (result.solutions == 0):
        raise CheckError(f"{spec.name} counts {result.solutions} solutions, but another backend disagrees. This is a bug")
    if model is not None:
        subject.checked(formula, model, [sorted(model)], lister, None)
    result.complete, result.established_by = True, spec.establishes
    result.seconds = time.monotonic() - started
    return result
