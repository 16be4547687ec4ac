"""The command `ledger`."""

from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jigsat.backends import AUTO
from jigsat.cli import options
from jigsat.cli.common import app, print_json, print_line
from jigsat.errors import CheckError, InputError, stops_named
from jigsat.ledger.audit import Audit, audit_ledger
from jigsat.ledger.file import Ledger
from jigsat.ledger.headers import PuzzlesHeader
from jigsat.ledger.report import Report, report
from jigsat.runtime.child import apart, held_interrupts
from jigsat.words import plural

AUDITED_SUBPROBLEMS = 100  # number of subproblems that an audit counts again


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
    if sample not in (None, "all") and not (
        sample.isascii() and sample.isdecimal() and len(sample) < 10
    ):
        raise InputError(f"--audit {sample}: write a number, or all")
    number = None if sample == "all" else int(sample or AUDITED_SUBPROBLEMS)
    limits = options.limits_from_options(timeout)
    with held_interrupts(), stops_named(str(file)):
        said: Audit | Report
        if audit:
            said = apart(_run_audit, file, number, seed, backend, timeout=limits.timeout)
        else:
            said = apart(_report, file, timeout=limits.timeout)
    if as_json:
        print_json(asdict(said))
    else:
        for line in str(said).split("\n"):
            print_line(line)
    if isinstance(said, Audit) and said.faults:
        raise CheckError(
            f"{file}: the audit found {plural(len(said.faults), 'fault')}; do not trust the "
            f"counts in it"
        )


def _report(file: Path) -> Report:
    with closing(Ledger(file)) as opened:
        opened.validate()
        return report(opened)


def _run_audit(file: Path, sample: int | None, seed: int, backend: str) -> Audit:
    with closing(Ledger(file)) as opened:
        if isinstance(opened.header, PuzzlesHeader):
            raise InputError(
                f"{file}: a ledger of many puzzles has no audit; `jigsat solve` with it checks "
                f"all solutions"
            )
        if opened.header.problem is None:
            raise InputError(
                f"{file}: the search in it cannot be split into subproblems, so there is nothing "
                f"to audit"
            )
        opened.validate()
        return audit_ledger(opened, sample, seed, backend)
