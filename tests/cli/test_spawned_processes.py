"""Runs whose processes are spawned rather than forked, as on systems other than Linux."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.running import lines_of, placements_of
from support.waiting import gone, soon

from jigsat.runtime.guard import below

SPAWNING = [
    sys.executable,
    "-c",
    "import multiprocessing; multiprocessing.set_start_method('spawn'); from jigsat.cli import "
    "main; main()",
]


@pytest.mark.parametrize("jobs", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_spawned_processes_find_and_store_the_same(few: Path, tmp_path: Path, jobs: int) -> None:
    store = tmp_path / "store"
    for limit in ("--limit", "20"), ():
        command = [*SPAWNING, "solve", few, "--jobs", str(jobs), "--store", store, "--json", *limit]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        answer = json.loads(done.stdout)
        assert done.returncode == 0, done.stderr
        found, kept = (
            set(map(json.dumps, each)) for each in (placements_of(answer), lines_of(store))
        )
        assert found <= kept and (found == kept or (limit and jobs == 2))
    assert (answer["solutions"], answer["distinct"], answer["complete"]) == (
        299,
        {"rotation": 81},
        True,
    )


@pytest.mark.parametrize("jobs", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_spawned_processes_end_in_time(large: Path, jobs: int) -> None:
    for timeout in (2, 4, 8, 16):  # on a loaded machine processes take long to start
        children: set[int] = set()
        command = [
            *SPAWNING,
            "solve",
            large,
            "--backend",
            "cadical195",  # the compiled searches need few seconds
            "--jobs",
            str(jobs),
            "--timeout",
            str(timeout),
            "--json",
        ]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            while process.poll() is None:
                children |= set(below(process.pid))
                time.sleep(0.05)
            out, err = process.communicate()
        answer = json.loads(out)
        assert (process.returncode, err) == (
            3,
            "jigsat: large: stopped by timeout; --timeout raises the limit\n",
        )
        assert (answer["complete"], answer["stopped_by"]) == (False, "timeout")
        soon(lambda: all(map(gone, children)))  # noqa: B023
        if len(children) > jobs:
            break
    assert len(children) > jobs


def test_every_job_can_run_in_a_spawned_process() -> None:
    script = """
import multiprocessing, sys
from jigsat import backends
from jigsat.backends import pysat
from jigsat.cli import main
multiprocessing.set_start_method("spawn")
backends.specs = lambda: list(pysat.specs())[:1]  # each is tested in another process
for command in ("count lights-5x5", "solve black-and-white-batch", "unique cube", "rate cats", "backends"):
    sys.argv = ["jigsat", *command.split()]
    try:
        main()
    except SystemExit as left:
        assert not left.code, command
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) in (
        (0, ""),
        (0, "25 puzzles: 25 unique, 0 several, 0 none, 0 stopped\n"),
    )
    for said in (
        "lights-5x5: 4 solutions",
        "black-and-white",
        "cube: not unique",
        "cats: ",
        "cadical",
    ):
        assert said in done.stdout
    assert "absent" not in done.stdout
