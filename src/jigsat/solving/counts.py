"""The counts of a puzzle or a formula without a list of its solutions."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from typing import TypeVar

from jigsat.backends import AUTO, Spec, counter, find
from jigsat.errors import CheckError, InputError, NotWorthwhile
from jigsat.formula import Lowering
from jigsat.search import models
from jigsat.solving.automorphisms import automorphisms_of
from jigsat.solving.enumeration import Enumeration, Event
from jigsat.solving.equivalence import listed
from jigsat.solving.result import Result
from jigsat.solving.subject import Problem, subject_of
from jigsat.symmetry import AUTOMORPHISM, LEVELS, Group, orbits

S = TypeVar("S")


class Count(Enumeration[S]):
    """An enumeration for its `result` only. Nothing is listed if a backend can count without a list."""

    def _search(self) -> Iterator[Event]:
        result = self._counted()
        if result:
            yield None, "", result
        else:
            yield from super()._search()

    def _counted(self) -> Result | None:
        listing = self._limit is not None or self.store or self.minimize or self.lowering not in (None, Lowering())
        if listing or not self._subject.breakable:
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
        raise InputError(f"the backend {spec.name} is not installed; to install it: {spec.install}") from error
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
