"""The commands `sample` and `estimate`, which draw at random."""

from functools import partial
from typing import Annotated

import typer

from jigsat.cli import options
from jigsat.cli.answers import stopped_by
from jigsat.cli.colour import print_picture
from jigsat.cli.common import (
    app,
    print_json,
    print_line,
    problem_in,
    read_puzzle,
    reading,
    write_gallery,
)
from jigsat.errors import stops_named
from jigsat.puzzle import Solution
from jigsat.runtime.child import Child, apart, held_interrupts
from jigsat.solving.estimates import estimate_search
from jigsat.solving.uniform import Population, samples
from jigsat.subject import PuzzleSubject
from jigsat.words import plural


@app.command()
def sample(
    name: options.InstanceName,
    count: Annotated[
        int, typer.Option(min=1, help="the number of draws; solutions can repeat")
    ] = 1,
    seed: Annotated[
        int, typer.Option(min=0, help="random seed; the same seed gives the same solutions")
    ] = 0,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    settings: options.Changes = None,
    picture: options.PictureOption = None,
    as_json: options.AsJson = False,
) -> None:
    """Draw random solutions. All solutions are equally likely; turned and mirrored solutions are
    different solutions."""
    limits = options.limits_from_options(timeout, memory)
    puzzle = read_puzzle(name, settings, limits)
    population: Population | None = None
    solutions: list[Solution] = []
    with held_interrupts(), stops_named(puzzle.name):
        run = Child(
            partial(samples, PuzzleSubject(puzzle), count, seed),
            timeout=limits.timeout,
            memory=limits.memory,
        )
        for item in run.until_stopped():
            if isinstance(item, Population):
                population = item
                continue
            solutions.append(Solution(puzzle, item))
            if not as_json:
                print_picture(solutions[-1].text(), f"Draw {len(solutions)}")
        of, backend, by = population or (None, None, None)
        if as_json:
            objects = [solution.objects() for solution in solutions]
            print_json(
                {
                    "instance": puzzle.name,
                    "seed": seed,
                    "solutions": of,
                    "established_by": by,
                    "backend": backend,
                    "stopped_by": stopped_by(run.stopped),
                    "found": objects,
                }
            )
        elif of:
            draws = plural(len(solutions), "uniform draw")
            print_line(
                f"{puzzle.name}: {draws} from {plural(of, 'solution')} (by {by}), seed {seed}"
            )
        elif population:
            print_line(f"{puzzle.name}: no solution (by {by})")
        if picture is not None and solutions:
            write_gallery(picture, [solution.svg() for solution in solutions], limits)
        if run.stopped:
            raise run.stopped


@app.command()
def estimate(
    name: options.CountedName,
    seconds: Annotated[
        float, typer.Option(min=0, help="how long to probe; more time narrows the intervals")
    ] = 1.0,
    seed: Annotated[int, typer.Option(min=0, help="random seed")] = 0,
    probes: Annotated[
        int | None,
        typer.Option(min=1, help="the number of probes instead of --seconds, repeatable"),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="also predict how long N workers, each with a core, take to count",
        ),
    ] = None,
    timeout: options.Timeout = None,
    settings: options.Changes = None,
    as_json: options.AsJson = False,
) -> None:
    """Estimate the number of solutions and the size of the search, without solving, by random paths
    in the search tree.

    The intervals contain the truth in more than 9 of 10 cases.
    """
    limits = options.limits_from_options(timeout)
    with reading(name, limits):
        problem = problem_in(name, settings)
    with held_interrupts(), stops_named(problem.name):
        estimates = apart(
            estimate_search, problem, seconds, probes, seed, workers, timeout=limits.timeout
        )
    if as_json:
        print_json(estimates.json())
    else:
        for line in str(estimates).split("\n"):
            print_line(line)
