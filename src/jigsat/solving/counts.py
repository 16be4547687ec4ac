"""The counts of a puzzle without a list of its solutions."""

from __future__ import annotations

import time
from contextlib import closing

from jigsat.backends import AUTO, Spec, counter, find
from jigsat.errors import CheckError, InputError, NotWorthwhile
from jigsat.puzzle import Puzzle
from jigsat.search import models
from jigsat.solving.enumeration import Result, checked
from jigsat.symmetry import Group, orbits


def counted_at_once(puzzle: Puzzle) -> Result | None:
    """The counts without a list, if there is a backend for it that fits and soon finds that it pays."""
    spec = counter(puzzle.encode())
    try:
        return counted(puzzle, spec) if spec else None
    except NotWorthwhile:
        return None


def counted(puzzle: Puzzle, backend: str | Spec) -> Result:
    """The counts without a list, by a backend that counts; the distinct solutions by Burnside's lemma.

    One solution is looked for and checked, if there is any. Raises InputError if the backend cannot count.
    """
    spec, started = find(backend) if isinstance(backend, str) else backend, time.monotonic()
    if spec.count is None:
        raise InputError(f"the backend {spec.name} cannot count solutions without listing them")
    formula = puzzle.encode()
    group = Group.of(formula, puzzle.symmetries())
    result = Result(puzzle.name, spec.name, symmetries=group.orders)
    result.solutions, result.distinct = orbits(formula, group, spec.count)
    lister = spec.name if spec.open else AUTO
    with closing(models(formula, lister)) as found:
        model = next(found, None)
    if (model is None) != (result.solutions == 0):
        raise CheckError(f"{spec.name} counts {result.solutions} solutions, but another backend disagrees. This is a bug")
    if model is not None:
        checked(puzzle, formula, sorted(model), lister)
    result.complete, result.established_by = True, spec.establishes
    result.seconds = time.monotonic() - started
    return result
