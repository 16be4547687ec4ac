"""The commands `prove` and `check`: certificates that no solution is missing."""

import time
from pathlib import Path
from typing import Annotated

import typer

from jigsat.cli import options
from jigsat.cli.common import STDOUT, app, live, print_line, program, say
from jigsat.errors import CheckError, InputError, stops_named
from jigsat.proofs import certificate, counting
from jigsat.proofs.certificate import require_new
from jigsat.proofs.offers import DEFAULT_MAX_SOLUTIONS
from jigsat.proofs.report import describe_property, describe_step
from jigsat.puzzle import Puzzle
from jigsat.runtime.child import repeating
from jigsat.runtime.limits import Limits
from jigsat.services.check import Verdict
from jigsat.services.check import check as check_certificate
from jigsat.subject import FormulaSubject
from jigsat.symmetry import Group


@app.command()
def prove(
    name: options.InstanceName,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="the directory to create")
    ],
    backend: Annotated[
        str | None,
        typer.Option(
            "--backend", help="a solver that writes proofs; default: algebra, graphs or cadical195"
        ),
    ] = None,
    count: Annotated[
        bool, typer.Option("--count", help="prove only the number of solutions, by graphs")
    ] = False,
    store: Annotated[
        Path | None, typer.Option(help="prove the counts of a complete ledger, by graphs")
    ] = None,
    lrat: Annotated[
        bool,
        typer.Option(
            "--lrat", help="also write the proof for verified checkers, and a short program"
        ),
    ] = False,
    limit: Annotated[
        int, typer.Option(min=0, help="give up if there are more solutions than this")
    ] = DEFAULT_MAX_SOLUTIONS,
    timeout: options.Timeout = None,
) -> None:
    """Write all solutions, or their number, and a proof that there are no others, which anybody can
    check."""
    if (count or store) and backend:
        raise InputError(
            f"--{'count' if count else 'store'} cannot be combined with --backend: graphs need "
            f"no solver"
        )
    if (count or store) and lrat:
        raise InputError(
            f"--{'count' if count else 'store'} cannot be combined with --lrat: graphs are no "
            f"refutation"
        )
    if str(output) == STDOUT:
        raise InputError("-o -: a certificate is a folder with several files; name one")
    steps = ["finding all solutions", "proving that there are no others"]
    if lrat:
        steps.append("converting the proof to LRAT")
    started = time.monotonic()
    step = steps.pop(0)
    with live(lambda: f"{step}, {time.monotonic() - started:,.0f} s", regularly=repeating):
        for done in certificate.prove(
            name,
            output,
            backend=backend,
            count=count,
            store=store,
            with_lrat=lrat,
            limit=limit,
            timeout=timeout,
        ):
            print_line(describe_step(done))
            if steps:
                step = steps.pop(0)
    print_written(output)


def print_written(output: Path) -> None:
    """State where a certificate is, and how to check it."""
    how = (
        f"`{program()} check {output}` verifies it, and README.md there says how to do so "
        f"without jigsat"
    )
    print_line(f"written     {output}; {how}")


@app.command()
def check(
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="a directory written by `jigsat prove`")
    ],
    timeout: options.Timeout = None,
) -> None:
    """Verify the solutions and the proof in a directory without trusting it. Exit status: 0
    verified, 1 refuted."""
    with stops_named(f"{directory}: not verified"):
        for event in check_certificate(directory, timeout):
            match event:
                case Verdict(is_right=is_right, refuted_by=why):
                    if not is_right:
                        raise CheckError(f"{directory}: refuted: {why}")
                case _:
                    print_line(describe_property(event))


def require_certifiable(
    problem: Puzzle | FormulaSubject, directory: Path, others: dict[str, bool]
) -> None:
    """Raise InputError if no certificate of the count can be written."""
    if option := options.first_given(others):
        raise InputError(f"--certify cannot be combined with {option}")
    if not isinstance(problem, Puzzle):
        raise InputError(f"{problem.name}: only a puzzle has a certificate, not a formula")
    formula = problem.encode()
    if not counting.fits(formula, Group.of(formula, problem.symmetries())):
        raise InputError(f"{problem.name}: {counting.NOT_COUNTABLE}")
    require_new(directory)


def write_certificate(name: str, directory: Path, limits: Limits, as_json: bool) -> None:
    for done in certificate.prove(name, directory, count=True, timeout=limits.timeout):
        line = describe_step(done)
        if as_json:
            say(line)
        else:
            print_line(line)
    print_written(directory)
