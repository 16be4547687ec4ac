"""Counting without a list: memoised exact covers, linear algebra and model counters; distinct solutions by Burnside's lemma."""

import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass

from jigsat.backends import AUTO, Spec, find, not_installed
from jigsat.errors import CheckError, InputError, NotWorthwhile
from jigsat.orbits import as_explicit_group, find_automorphisms
from jigsat.runtime.child import Progress
from jigsat.search.portfolio import find_counting_engine, models
from jigsat.solving.task import Event, Handover, Result, Task
from jigsat.subject import Problem, subject_of
from jigsat.symmetry import AUTOMORPHISM, LEVELS, Group, count_solutions_and_orbits


@dataclass(frozen=True)
class Counted:
    """Counts a task's solutions without a list. If that does not pay, it passes the task on."""

    task: Task
    spec: Spec
    reason: str

    def run(self, before: Handover, progress: Progress | None) -> Generator[Event, None, Handover | None]:
        try:
            yield Event(count_without_listing(self.task.subject, self.spec, self.task.up_to))
        except (NotWorthwhile, InputError) as error:  # also raised if the formula of a symmetry is not an exact cover
            if before.backend == self.spec.name:
                raise
            yield Event(Result(self.task.subject.name, AUTO), words=f"{self.spec.name} gives up: {error}")
            return before
        return None


def try_counting_first(problem: Problem, up_to: str = LEVELS[0]) -> Result | None:
    """The counts without a list; None unless a counting backend fits and expects to be faster than listing."""
    subject = subject_of(problem)
    spec = find_counting_engine(subject.encode())
    try:
        return count_without_listing(subject, spec, up_to) if spec else None
    except (NotWorthwhile, InputError):
        return None


def count_without_listing(problem: Problem, backend: str | Spec, up_to: str = LEVELS[0]) -> Result:
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
        automorphisms = find_automorphisms(formula)
        if (every := as_explicit_group(formula, automorphisms)) is None:
            raise NotWorthwhile(f"there are {automorphisms.order:,} automorphisms, too many for counting without a list")
        result.symmetries[AUTOMORPHISM] = automorphisms.order
    try:
        result.solutions, result.distinct = count_solutions_and_orbits(formula, symmetries, spec.count)
        if every:
            result.distinct |= count_solutions_and_orbits(formula, every, spec.count)[1]
    except ImportError as error:
        raise not_installed(spec) from error
    lister = spec.name if spec.open else AUTO
    with closing(models(formula, lister)) as found:
        model = next(found, None)
    if (model is None) != (result.solutions == 0):
        raise CheckError(f"{spec.name} counts {result.solutions} solutions, but another backend disagrees. This is a bug")
    if model is not None:
        subject.check_orbit(formula, [sorted(model)], lister)
    result.complete, result.established_by = True, spec.establishes
    result.seconds = time.monotonic() - started
    return result
