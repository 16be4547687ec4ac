"""The services that show the state of a long search and audit it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from jigsat.backends import AUTO
from jigsat.errors import InputError
from jigsat.ledger.audit import Audit, audit_ledger
from jigsat.ledger.file import Ledger
from jigsat.ledger.headers import PuzzlesHeader
from jigsat.ledger.report import Report, report
from jigsat.runtime.child import apart

AUDITED_SUBPROBLEMS = 100  # number of subproblems that an audit counts again


@dataclass(frozen=True)
class AuditRequest:
    """A ledger to audit: its file, and how many subproblems are counted again (None: all of them),
    by which backend. `seed` chooses them."""

    file: Path
    sample: int | None = AUDITED_SUBPROBLEMS
    seed: int = 0
    backend: str = AUTO
    timeout: float | None = None


def report_on_ledger(file: Path, timeout: float | None = None) -> Report:
    """The state of a search. Raises InputError for a file that is not a ledger or damaged, and
    Stopped after `timeout` seconds."""
    return apart(_report, file, timeout=timeout)


def audit(request: AuditRequest) -> Audit:
    """Verify that the parts of a search are complete, and count some of them again.

    Raises InputError for a ledger without subproblems, and Stopped at the time limit.
    """
    return apart(_audit, request, timeout=request.timeout)


def _report(file: Path) -> Report:
    with closing(Ledger(file)) as ledger:
        ledger.check_partition()
        return report(ledger)


def _audit(request: AuditRequest) -> Audit:
    file = request.file
    with closing(Ledger(file)) as ledger:
        if isinstance(ledger.header, PuzzlesHeader):
            raise InputError(
                f"{file}: a ledger of many puzzles has no audit; `jigsat solve` with it checks "
                f"all solutions"
            )
        if ledger.header.problem is None:
            raise InputError(
                f"{file}: the search in it cannot be split into subproblems, so there is nothing "
                f"to audit"
            )
        ledger.validate()
        return audit_ledger(ledger, request.sample, request.seed, request.backend)
