"""Certificates of counts for the command `count`."""

from __future__ import annotations

from pathlib import Path

from jigsat.cli import options
from jigsat.cli.common import print_line, say
from jigsat.cli.prove import print_written
from jigsat.errors import InputError
from jigsat.proofs import counting
from jigsat.proofs.certificate import prove
from jigsat.proofs.output import require_new
from jigsat.puzzle import Puzzle
from jigsat.runtime.limits import Limits
from jigsat.subject.subject import FormulaSubject
from jigsat.symmetry import Group


def require_certifiable(problem: Puzzle | FormulaSubject, directory: Path, given: dict[str, bool]) -> None:
    """Raise InputError if no certificate of the count can be written."""
    if option := options.first_given(given):
        raise InputError(f"--certify cannot be combined with {option}")
    if not isinstance(problem, Puzzle):
        raise InputError(f"{problem.name}: only a puzzle has a certificate, not a formula")
    formula = problem.encode()
    if not counting.fits(formula, Group.of(formula, problem.symmetries())):
        raise InputError(f"{problem.name}: {counting.NOT_COUNTABLE}")
    require_new(directory)


def write_certificate(name: str, directory: Path, limits: Limits, as_json: bool) -> None:
    """Write a certificate of a count."""
    for line in prove(name, directory, count=True, timeout=limits.timeout):
        (say if as_json else print_line)(line)
    print_written(directory)
