"""The command `compare`."""

import csv
import sys
from collections.abc import Iterable, Sequence
from dataclasses import fields
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from jigsat import backends
from jigsat.cli import options
from jigsat.cli.common import app, live, print_json, problem_in, reading, say, write
from jigsat.cli.console import Console
from jigsat.cli.inputs import list_files
from jigsat.comparison.matrix import (
    Combination,
    Log,
    Run,
    capabilities,
    combinations,
    disagreements,
    par2,
    runs,
)
from jigsat.errors import CheckError, InputError, Stopped, printable
from jigsat.puzzle import Puzzle
from jigsat.subject import FormulaSubject
from jigsat.symmetry import DECLARED_LEVELS
from jigsat.words import plural

RESULTS = [field.name for field in fields(Run) if field.name not in ("combination", "distinct")]
COLUMNS = [*Combination._fields, *RESULTS, *DECLARED_LEVELS[1:3]]  # columns of the CSV file

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
    puzzles: dict[str, Puzzle | FormulaSubject] = {}
    for name in list_files(names):
        with reading(name, options.limits_from_options(timeout, memory)):
            puzzle = problem_in(name, settings)
        if puzzles.setdefault(puzzle.name, puzzle) != puzzle:
            raise InputError(
                f"{name}: another instance is also called {puzzle.name}; rename one of the files"
            )
    if plots is not None and find_spec("matplotlib") is None:
        raise InputError(
            "--plots: matplotlib is not installed; install it with: pip install 'jigsat[plots]'"
        )
    for name in _split_names(amo):
        options.chosen_lowering(name)
    listed = _split_names(chosen) or USUAL
    able = {
        name if name == backends.AUTO else backends.find(name).name: capabilities(name)
        for name in listed
    }
    if not chosen:
        able = {name: can for name, can in able.items() if can is not None}
    wanted = list(combinations(puzzles, able, _split_names(amo), _split_names(encodings)))

    log = Log(resume, puzzles, timeout=timeout, memory=memory, repeat=repeat) if resume else None
    done = {
        run.combination: run
        for run in (log.done.values() if log else ())
        if run.combination in wanted
    }
    todo = [combination for combination in wanted if combination not in done]
    if done:
        say(f"{resume}: {plural(len(done), 'run')} already finished")
    seen = dict(done)
    stopped: BaseException | None = None
    try:
        with live(lambda: _table([*seen.values()])):
            for run in runs(
                puzzles, todo, timeout=timeout, memory=memory * 2**20, jobs=jobs, repeat=repeat
            ):
                seen[run.combination] = run
                if run.status != "running" and log:
                    log.add(run)
    except (KeyboardInterrupt, Stopped) as reason:
        stopped = reason
        for run in seen.values():
            run.status = "interrupted" if run.status == "running" else run.status
    if log:
        log.close()
    over = [
        seen[combination]
        for combination in wanted
        if combination in seen and seen[combination].status != "running"
    ]
    contradictions = list(disagreements(puzzles, over))
    if as_json:
        print_json(
            {
                "runs": [run.json() for run in over],
                "par2": par2(over, timeout),
                "disagreements": contradictions,
            }
        )
    else:
        _report(over, timeout)
    try:
        if csv_file is not None:
            _write_csv(csv_file, over)
        if plots is not None:
            from jigsat.comparison.plots import draw

            draw(plots, over, timeout)
    finally:  # report contradictions even if a file cannot be written
        if contradictions:
            raise CheckError("; ".join(contradictions))
    if stopped:
        raise stopped
    if not any(run.status == "complete" for run in over):
        raise Stopped("no run was completed")


def _split_names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def _table(shown: Sequence[Run]) -> Table:
    axes = _axes(shown)
    table = Table("instance", *axes, "status", box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for column in ("first s", "all s", "count", "conflicts", "clauses", "MB"):
        table.add_column(column, justify="right")
    for run in shown:
        numbers = [
            "" if run.first is None else f"{run.first:.3f}",
            f"{run.seconds:.3f}",
            ("" if run.complete else "≥ ") + "/".join(f"{count:,}" for count in run.counts.values())
            if run.possible
            else "",
            *("" if number is None else f"{number:,}" for number in (run.conflicts, run.clauses)),
            f"{run.memory / 2**20:,.0f}" if run.memory and run.possible else "",
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
    return [
        axis
        for axis in Combination._fields[1:]
        if any(getattr(run.combination, axis) for run in shown)
    ]


def _report(over: Sequence[Run], timeout: float) -> None:
    console = Console(width=None if sys.stdout.isatty() else 150)
    console.print_table(_table(over))
    where: dict[str, list[str]] = {}
    for run in over:
        if ":" in run.status:
            where.setdefault(f"{run.combination.label}: {run.status}", []).append(
                run.combination.instance
            )
    for said, instances in where.items():
        console.print(f"{', '.join(instances)}: {said}", soft_wrap=True)
    axes = _axes(over)
    table = Table(*axes, box=None, pad_edge=False)
    for column in ("PAR-2 s", "completed"):
        table.add_column(column, justify="right")
    for row in par2(over, timeout):
        table.add_row(
            *(row[axis] for axis in axes),
            f"{row['par2']:.3f}",
            f"{row['completed']} of {row['runs']}",
        )
    console.print()
    console.print_table(table)


def _write_csv(path: Path, over: Iterable[Run]) -> None:
    text = StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for run in over:
        row = run.json()
        writer.writerow(
            {
                **row.pop("distinct"),
                **row,
                "times": " ".join(f"{each:.4f}" for each in row["times"]),
            }
        )
    write(path, [text.getvalue()])
