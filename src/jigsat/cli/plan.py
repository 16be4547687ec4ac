"""The command `plan`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from jigsat.analysis.plan import MOST, Workers, planned
from jigsat.analysis.schedule import Costs
from jigsat.cli.common import (
    AsJson,
    Backend,
    Changes,
    Counted,
    Timeout,
    app,
    limited,
    print_json,
    print_line,
    problem_in,
    reading,
)
from jigsat.errors import InputError, stops_named
from jigsat.runtime import apart, held_interrupts
from jigsat.runtime.cluster import LOCAL


@app.command()
def plan(
    name: Counted,
    workers: Annotated[
        str,
        typer.Option(
            metavar="N,…", help=f"numbers of workers, each with a core of its own; {LOCAL}N shares the cores of this machine"
        ),
    ] = "1,10,100,1000,10000",
    backend: Backend = "auto",
    seconds: Annotated[
        float, typer.Option(min=1, max=86_400, help="how long to probe; more time narrows the intervals")
    ] = 60.0,
    failures: Annotated[float, typer.Option(min=0, max=60, help="failures of each worker in an hour")] = Costs.failures,
    seed: Annotated[int, typer.Option(min=0, help="random seed")] = 0,
    timeout: Timeout = None,
    settings: Changes = None,
    as_json: AsJson = False,
) -> None:
    """Predict how long a count takes on a cluster: search a random sample of its subproblems, and simulate the schedule."""
    numbers, limits = _workers(workers), limited(timeout)
    costs = replace(Costs(), failures=failures)
    with reading(name, limits):
        problem = problem_in(name, settings)
    with held_interrupts(), stops_named(problem.name):
        found = apart(planned, problem, numbers, backend, seconds, seed, costs, timeout=limits.timeout)
    if as_json:
        print_json(found.json())
    else:
        for line in str(found).split("\n"):
            print_line(line)


def _workers(text: str) -> list[Workers]:
    """The numbers of workers given by the option."""
    found = list[Workers]()
    for word in text.split(","):
        number = word.strip().removeprefix(LOCAL)
        if not (number.isascii() and number.isdecimal() and len(number) < 9 and 1 <= int(number) <= MOST):
            raise InputError(f"--workers {word.strip()}: write numbers from 1 to {MOST:,}, such as 1,10,100 or {LOCAL}2")
        found.append(Workers(int(number), word.strip().startswith(LOCAL)))
    return found
