"""The command `estimate`."""

from __future__ import annotations

from typing import Annotated

import typer

from jigsat import instance
from jigsat.analysis import estimated
from jigsat.cli.common import (
    AsJson,
    Changes,
    InstanceName,
    Timeout,
    app,
    changes,
    limited,
    print_json,
    print_line,
    reading,
)
from jigsat.errors import stops_named
from jigsat.runtime import apart, held_interrupts
from jigsat.subject import PuzzleSubject


@app.command()
def estimate(
    name: InstanceName,
    seconds: Annotated[float, typer.Option(min=0, help="how long to probe; more time narrows the intervals")] = 1.0,
    seed: Annotated[int, typer.Option(min=0, help="random seed")] = 0,
    probes: Annotated[
        int | None,
        typer.Option(min=1, help="the number of probes, instead of --seconds; it makes the estimate repeatable"),
    ] = None,
    timeout: Timeout = None,
    settings: Changes = None,
    as_json: AsJson = False,
) -> None:
    """Estimate the number of solutions and the size of the search, without solving, by random paths in the search tree."""
    limits = limited(timeout)
    with reading(name, limits):
        puzzle = instance.load(name, **changes(settings))
    with held_interrupts(), stops_named(puzzle.name):
        found = apart(estimated, PuzzleSubject(puzzle), seconds, probes, seed, timeout=limits.timeout)
    if as_json:
        print_json(found.json())
    else:
        print_line(str(found))
