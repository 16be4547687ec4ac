"""Made-up runs, made-up solvers and the command `compare`, for tests of comparisons."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from support.forked import memory_beside_this_process
from support.inside import run

from jigsat.comparison import matrix as compare
from jigsat.comparison.log import Conditions, Log
from jigsat.comparison.matrix import Combination, Run
from jigsat.comparison.verdicts import judge, list_stated
from jigsat.puzzle import Puzzle
from jigsat.subject import subject_of

LIMIT = Conditions(timeout=10.0, memory=1)

# Made-up solvers are scripts whose first argument is a DIMACS file. This is the end of one that
# answers it truly.
HONEST = f"exec {sys.executable} -I -S {Path(__file__).with_name('plain_solver.py')} $1"

FORMULA = "p cnf 3 2\n1 2 3 0\n-1 -2 0\n"


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    return run("compare", *arguments)


def usual_limits() -> dict[str, Any]:
    return {"timeout": 20.0, "memory": memory_beside_this_process(1024) * 2**20}


def run_all(
    puzzles: dict[str, Puzzle], *chosen: tuple[str, str], jobs: int = 1, **limits: Any
) -> dict[str, Run]:
    """The runs of all puzzles with the chosen backends and encodings, by label."""
    wanted = []
    for name, puzzle in puzzles.items():
        stated = list_stated(puzzle, "all")
        wanted += [Run(Combination(name, *choice), stated=stated) for choice in chosen]
    runs = compare.runs(puzzles, wanted, jobs=jobs, **usual_limits() | limits)
    ended = judge([run for run in runs if run.status != "running"])
    return {run.combination.label: run for run in ended}


class MadeUpModels(Iterator[Any]):
    """Models that a test made up, in place of a search."""

    refuted = False
    complete = True

    def __init__(self, models: Iterable[Any], backend: str) -> None:
        self.backend = backend
        self._models = iter(models)

    def __next__(self) -> Any:
        return next(self._models)

    def close(self) -> None:
        pass


def write_file_of_runs(path: Path, *items: tuple[Run, Conditions]) -> None:
    with closing(Log(path)) as log:
        for run, conditions in items:
            log.add(run, conditions)


def run_compare(*arguments: object) -> dict[str, Any]:
    """What `compare --json` prints."""
    done = command(*arguments, "--json")
    assert done.returncode in (0, 3), done.stderr
    output: dict[str, Any] = json.loads(done.stdout)
    return output


def run_alone(formula: str, backend: str, timeout: float, task: str = "first") -> Run:
    """A run of this process, so that a test can change what counts as idle."""
    problems: Any = {"small.cnf": subject_of(formula)}
    wanted = [Run(Combination("small.cnf", backend), task=task)]
    *_, run = compare.runs(problems, wanted, **usual_limits() | {"timeout": timeout})
    return run


def make_run(instance: str, backend: str, seconds: float, status: str = "complete") -> Run:
    return Run(Combination(instance, backend), status, seconds=seconds)


def make_seeded(instance: str, backend: str, seed: int | None, conflicts: int = 5) -> Run:
    run = make_run(instance, backend, 1)
    return replace(run, seed=seed, conflicts=conflicts, propagations=7)
