"""The command `compare`."""

import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from jigsat.cli import options
from jigsat.cli.common import app, live, print_json, problem_in, reading, say
from jigsat.cli.console import Console
from jigsat.cli.inputs import list_files
from jigsat.comparison.matrix import Combination, Run, par2
from jigsat.errors import CheckError, InputError, Stopped, printable
from jigsat.services.compare import Compared, CompareRequest, Comparison, write_table
from jigsat.services.files import write_file
from jigsat.words import plural

USUAL = (
    "cadical195",
    "glucose42",
    "minisat22",
    "cryptominisat",
    "z3",
    "clingo",
    "ortools",
    "cover",
)
"""The default: a few backends of different kinds. Those that are not installed are left out."""


@app.command()
def compare(
    names: options.ComparedNames,
    chosen: Annotated[
        str,
        typer.Option("--backends", metavar="A,B,…", help="names from `jigsat backends`, and auto"),
    ] = "",
    amo: Annotated[str, typer.Option("--amo", metavar="X,Y,…", help="at-most-one encodings")] = "",
    encodings: Annotated[
        str, typer.Option(metavar="X,Y,…", help="encodings of the families, if they have several")
    ] = "",
    timeout: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="time limit of each run")
    ] = 60,
    memory: Annotated[
        int, typer.Option(min=1, metavar="MB", help="memory limit of each run")
    ] = 4096,
    jobs: Annotated[
        int,
        typer.Option(
            min=1, help="runs at the same time; more than there are cores distort the times"
        ),
    ] = 1,
    repeat: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="run each combination N times; the median counts"),
    ] = 1,
    settings: options.Changes = None,
    resume: Annotated[
        Path | None,
        typer.Option(help="save finished runs in this file and skip those already in it"),
    ] = None,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", help="write the table to this file")
    ] = None,
    plots: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="draw cactus and scatter plots in this directory"),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Run instances on several backends, each run in its own process; compare the counts and the
    times.

    A run finds all solutions up to the puzzle's rotations and reflections.
    """
    puzzles = _read_problems(names, settings, timeout, memory)
    if plots is not None and find_spec("matplotlib") is None:
        raise InputError(
            "--plots: matplotlib is not installed; install it with: pip install 'jigsat[plots]'"
        )
    for name in _split_names(amo):
        options.chosen_lowering(name)
    request = CompareRequest(
        puzzles,
        _split_names(chosen) or USUAL,
        _split_names(amo),
        _split_names(encodings),
        timeout,
        memory * 2**20,
        jobs,
        repeat,
        resume,
        only_installed=not chosen,
    )
    comparison = Comparison(request)
    if comparison.earlier:
        say(f"{resume}: {plural(comparison.earlier, 'run')} already finished")
    stopped = _follow_runs(comparison)

    ended = comparison.list_ended()
    contradictions = comparison.list_disagreements()
    if as_json:
        print_json(
            {
                "runs": [run.json() for run in ended],
                "par2": par2(ended, timeout),
                "disagreements": contradictions,
            }
        )
    else:
        _report(ended, timeout)
    try:
        if csv_file is not None:
            write_file(csv_file, [write_table(ended)])
        if plots is not None:
            from jigsat.comparison.plots import draw

            draw(plots, ended, timeout)
    finally:  # report contradictions even if a file cannot be written
        if contradictions:
            raise CheckError("; ".join(contradictions))
    if stopped:
        raise stopped
    if not any(run.status == "complete" for run in ended):
        raise Stopped("no run was completed")


def _follow_runs(comparison: Comparison) -> KeyboardInterrupt | Stopped | None:
    """Show the runs in a table; returns what stopped them, if anything did."""
    try:
        with (
            live(lambda: _table(list(comparison.runs.values()))),
            closing(iter(comparison)) as active,
        ):
            for _ in active:
                pass
    except (KeyboardInterrupt, Stopped) as reason:
        comparison.interrupt()
        return reason
    return None


def _read_problems(
    names: Sequence[str], settings: list[str] | None, timeout: float, memory: int
) -> dict[str, Compared]:
    """The puzzles and formulas by name."""
    problems: dict[str, Compared] = {}
    for file in list_files(names):
        with reading(file, options.limits_from_options(timeout, memory)):
            problem = problem_in(file, settings)
        if problems.setdefault(problem.name, problem) != problem:
            raise InputError(
                f"{file}: another instance is also called {problem.name}; rename one of the files"
            )
    return problems


def _split_names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def _table(shown: Sequence[Run]) -> Table:
    axes = _axes(shown)
    table = Table("instance", *axes, "status", box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for column in ("first s", "all s", "count", "conflicts", "clauses", "MB"):
        table.add_column(column, justify="right")
    for run in shown:
        counts = memory = ""
        if run.possible:
            counts = "/".join(f"{count:,}" for count in run.counts.values())
            if not run.complete:
                counts = f"≥ {counts}"
            if run.memory:
                memory = f"{run.memory / 2**20:,.0f}"
        numbers = [
            "" if run.first is None else f"{run.first:.3f}",
            f"{run.seconds:.3f}",
            counts,
            "" if run.conflicts is None else f"{run.conflicts:,}",
            "" if run.clauses is None else f"{run.clauses:,}",
            memory,
        ]
        colour = {"complete": "green", "running": "cyan"}.get(run.status, "red")
        choices = (getattr(run.combination, axis) for axis in axes)
        table.add_row(
            run.combination.instance,
            *choices,
            Text(printable(run.status.partition(":")[0]), colour),
            *numbers,
        )
    return table


def _axes(shown: Iterable[Run]) -> list[str]:
    """The axes for which options were given."""
    axes = []
    for axis in Combination._fields[1:]:
        if any(getattr(run.combination, axis) for run in shown):
            axes.append(axis)
    return axes


def _report(ended: Sequence[Run], timeout: float) -> None:
    console = Console(width=None if sys.stdout.isatty() else 150)
    console.print_table(_table(ended))

    # What went wrong, once for all instances.
    instances: dict[str, list[str]] = {}
    for run in ended:
        if ":" in run.status:
            failure = f"{run.combination.label}: {run.status}"
            instances.setdefault(failure, []).append(run.combination.instance)
    for failure, names in instances.items():
        console.print(f"{', '.join(names)}: {failure}", soft_wrap=True)

    axes = _axes(ended)
    table = Table(*axes, box=None, pad_edge=False)
    for column in ("PAR-2 s", "completed"):
        table.add_column(column, justify="right")
    for row in par2(ended, timeout):
        table.add_row(
            *(row[axis] for axis in axes),
            f"{row['par2']:.3f}",
            f"{row['completed']} of {row['runs']}",
        )
    console.print()
    console.print_table(table)
