"""The command `ledger`."""

import re
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jigsat.backends import AUTO
from jigsat.cli import options
from jigsat.cli.common import app, print_json, print_line
from jigsat.errors import CheckError, InputError, stops_named
from jigsat.ledger.audit import Audit
from jigsat.ledger.report import Report
from jigsat.runtime.child import held_interrupts
from jigsat.services.ledger import AUDITED_SUBPROBLEMS, AuditRequest, report_on_ledger
from jigsat.services.ledger import audit as run_audit
from jigsat.words import plural


@app.command()
def ledger(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="the ledger that `solve` and `count` keep with --store FILE"
        ),
    ],
    sample: Annotated[
        str | None,
        typer.Argument(
            metavar="[N|all]",
            help=f"how many subproblems --audit counts again ({AUDITED_SUBPROBLEMS})",
        ),
    ] = None,
    audit: Annotated[
        bool,
        typer.Option("--audit", help="verify that the parts are complete, and count some again"),
    ] = False,
    backend: options.BackendOption = AUTO,
    seed: Annotated[int, typer.Option(min=0, help="random seed of the sample")] = 0,
    timeout: options.Timeout = None,
    as_json: options.AsJson = False,
) -> None:
    """Show the state of a long search: its progress, an estimate of the time left, and the slowest
    subproblems."""
    if sample is not None and not audit:
        raise InputError(f"{sample}: only allowed with --audit")
    if backend != AUTO and not audit:
        raise InputError(f"--backend {backend}: only allowed with --audit")
    number = _read_sample(sample)
    limits = options.limits_from_options(timeout)
    with held_interrupts(), stops_named(str(file)):
        report: Audit | Report
        if audit:
            report = run_audit(AuditRequest(file, number, seed, backend, limits.timeout))
        else:
            report = report_on_ledger(file, limits.timeout)
    if as_json:
        print_json(asdict(report))
    else:
        for line in str(report).split("\n"):
            print_line(line)
    if isinstance(report, Audit) and report.faults:
        raise CheckError(
            f"{file}: the audit found {plural(len(report.faults), 'fault')}; do not trust the "
            f"counts in it"
        )


def _read_sample(sample: str | None) -> int | None:
    """How many subproblems are counted again; None for all."""
    if sample is None:
        return AUDITED_SUBPROBLEMS
    if sample == "all":
        return None
    if not re.fullmatch("[0-9]{1,9}", sample):
        raise InputError(f"--audit {sample}: write a number, or all")
    return int(sample)
