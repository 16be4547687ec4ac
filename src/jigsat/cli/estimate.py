"""The command `estimate`."""

from __future__ import annotations

from typing import Annotated

import typer

from jigsat.analysis.estimates import estimate_search
from jigsat.cli import options
from jigsat.cli.common import app, print_json, print_line, problem_in, reading
from jigsat.errors import stops_named
from jigsat.runtime.child import apart, held_interrupts


@app.command()
def estimate(
    name: options.CountedName,
    seconds: Annotated[float, typer.Option(min=0, help="how long to probe; more time narrows the intervals")] = 1.0,
    seed: Annotated[int, typer.Option(min=0, help="random seed")] = 0,
    probes: Annotated[
        int | None, typer.Option(min=1, help="the number of probes, instead of --seconds; it makes the estimate repeatable")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="also predict how long N workers, each with a core of its own, take to count the solutions"
        ),
    ] = None,
    timeout: options.Timeout = None,
    settings: options.Changes = None,
    as_json: options.AsJson = False,
) -> None:
    """Estimate the number of solutions and the size of the search, without solving, by random paths in the search tree.

    The intervals contain the truth in more than 9 of 10 cases.
    """
    limits = options.limits_from_options(timeout)
    with reading(name, limits):
        problem = problem_in(name, settings)
    with held_interrupts(), stops_named(problem.name):
        found = apart(estimate_search, problem, seconds, probes, seed, workers, timeout=limits.timeout)
    if as_json:
        print_json(found.json())
    else:
        for line in str(found).split("\n"):
            print_line(line)
