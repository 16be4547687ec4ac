"""Real runs that are interrupted, killed and limited: how they end, and which solutions are
kept."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from support.command import run
from support.quick import cases
from support.running import Running, every_backend, lines_of, placements_of, run_process
from support.waiting import LONG, gone, soon, with_time

import jigsat
from jigsat.cli import REMEDIES
from jigsat.runtime.guard import below

# -- during a call that does not return


@every_backend
def test_ctrl_c_ends_a_hard_call(hard: Path, solver: tuple[Any, ...]) -> None:
    with Running("solve", hard, *solver, "--json") as running:
        child = running.wait_until_it_solves()
        programs = list(below(child))
        out, err = running.end(signal.SIGINT)  # otherwise the call would take hours
    assert running.process.returncode == 130
    answer = json.loads(out)
    assert (answer["complete"], answer["stopped_by"], answer["found"]) == (False, "interrupt", [])
    assert err == ""
    soon(lambda: all(map(gone, (child, *programs))))


def test_ctrl_c_keeps_the_best_puzzle_so_far(tmp_path: Path) -> None:
    path = tmp_path / "best.toml"
    with Running(
        "generate", "sudoku", "--set", "size=4", "--difficulty", "hard", "-o", path
    ) as running:
        running.wait_for_work(
            running.process.pid, 1.5
        )  # the first puzzle is found quickly; no hard one is known
        _, err = running.end(signal.SIGINT)
    assert running.process.returncode == 130
    assert re.fullmatch(
        rf"jigsat: interrupted; not as requested: {re.escape(str(path))} \(.*it is .*; "
        rf"requested: hard\)\n",
        err,
    )
    assert list(jigsat.solutions(path))


@pytest.mark.parametrize(
    "module",
    [
        "typer",
        "jigsat.cli.solve",
        "pydantic",
        "jigsat.runtime.child",
        "jigsat.encodings.edge_matching",
        "multiprocessing.connection",
    ],
)
def test_ctrl_c_during_startup_ends_cleanly(hard: Path, module: str) -> None:
    script = f"""
import os, signal, sys
from jigsat.cli import main
class Interrupting:
    def find_spec(self, name, *rest):
        if name == {module!r}:
            print("there", flush=True)
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", script, "solve", str(hard)],
        capture_output=True,
        text=True,
        timeout=LONG,
    )
    assert (done.returncode, done.stdout.partition("\n")[0]) == (130, "there")
    assert (
        done.stdout.count("\n") == 1
        or "hard: no solution found so far; incomplete: stopped by interrupt" in done.stdout
    )
    assert done.stderr in ("", "jigsat: interrupted\n")


def test_the_entry_point_imports_nothing_big() -> None:
    script = "import sys, jigsat.cli; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.split()
    assert {"jigsat", "jigsat.cli", "jigsat.errors"} == {
        name for name in loaded if name.startswith("jigsat")
    }
    assert not {"pydantic", "typer", "rich", "multiprocessing"}.intersection(loaded)


def test_ctrl_c_is_not_lost_if_python_drops_it() -> None:
    script = """
import os, signal, time, weakref
from jigsat.runtime.child import Child, keep_interrupts
class Object: pass
keep_interrupts()
child = Child(lambda: [time.sleep(60)])
gone = Object()
reference = weakref.ref(gone, lambda _: os.kill(os.getpid(), signal.SIGINT))
del gone
print("dropped", flush=True)
try:
    next(child)
except KeyboardInterrupt:
    print("interrupted")
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=LONG
    )
    assert done.stdout.split() == ["dropped", "interrupted"]
    assert "Exception ignored" in done.stderr


@every_backend
def test_a_timeout_ends_a_hard_call(hard: Path, solver: tuple[Any, ...]) -> None:
    started = time.monotonic()
    done = run("solve", hard, *solver, "--timeout", "1", "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 3
    assert time.monotonic() - started >= 1, "it was stopped too soon"
    assert (answer["complete"], answer["stopped_by"]) == (False, "timeout")


@every_backend
def test_too_little_memory_is_reported_in_one_line(large: Path, solver: tuple[Any, ...]) -> None:
    """Starting and reading the file takes less than 45 MB, and every search more than 80."""
    done = run_process("solve", large, *solver, "--memory", "60")
    assert done.returncode == 3
    assert done.stderr == "jigsat: large: stopped by memory; --memory raises the limit\n"
    assert "incomplete: stopped by memory" in done.stdout


# -- solutions found so far


@every_backend
def test_a_timeout_keeps_what_was_found(
    many: Path, tmp_path: Path, solver: tuple[Any, ...]
) -> None:
    def limited(seconds: float) -> tuple[Path, subprocess.CompletedProcess[str]]:
        store = tmp_path / f"store {seconds}"
        return store, run("solve", many, *solver, "--timeout", seconds, "--store", store, "--json")

    store, done = with_time(limited, lambda ended: json.loads(ended[1].stdout)["found"])
    answer = json.loads(done.stdout)
    assert done.returncode == 3
    assert not answer["complete"]
    assert answer["distinct"]["rotation"] == len(answer["found"])
    assert placements_of(answer) == lines_of(store)[: len(answer["found"])]


@every_backend
def test_a_killed_child_keeps_its_solutions(
    many: Path, tmp_path: Path, solver: tuple[Any, ...]
) -> None:
    store = tmp_path / "store"
    with Running("solve", many, *solver, "--store", store, "--json") as running:
        running.wait_for_lines_of(store, 10)
        os.kill(running.child(), signal.SIGKILL)
        out, err = running.process.communicate(timeout=60)
    answer = json.loads(out)
    assert running.process.returncode == 3
    reason = "crash: a process of jigsat was killed by SIGKILL"
    assert err == f"jigsat: {reason}{REMEDIES[reason]}\n"
    assert not answer["complete"]
    # the last solution before the signal may be only in the store, or those of the last subproblem
    more = len(lines_of(store)) - len(answer["found"])
    assert more in (0, 1) or (more > 0 and solver[-1] == 2)
    assert placements_of(answer) == lines_of(store)[: len(answer["found"])]


def _kill_until_the_end(running: Running) -> tuple[str, str]:
    """Kill a process of the search. One that has just ended its part is replaced, and the search
    goes on; then the next one is killed."""
    for _ in range(30):
        os.kill(list(below(running.child()))[-1], signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            return running.process.communicate(timeout=3)
    raise AssertionError("the search goes on, whichever process is killed")


@pytest.mark.parametrize("backend", ["cadical195", pytest.param("cover", marks=pytest.mark.slow)])
def test_killing_one_of_several_processes_is_a_crash(
    many: Path, tmp_path: Path, backend: str
) -> None:
    store = tmp_path / "store"
    with Running(
        "solve", many, "--backend", backend, "--jobs", 2, "--store", store, "--json"
    ) as running:
        running.wait_for_lines_of(store, 10)
        processes = [running.child(), *below(running.child())]
        assert len(processes) == 3
        out, err = _kill_until_the_end(running)
    answer = json.loads(out)
    assert running.process.returncode == 3
    reason = "crash: a process of jigsat was killed by SIGKILL"
    assert err == f"jigsat: {reason}{REMEDIES[reason]}\n"
    assert not answer["complete"]
    assert placements_of(answer) == lines_of(store)
    soon(lambda: all(map(gone, processes)))


@every_backend
def test_a_killed_run_loses_nothing_and_can_be_resumed(
    many: Path, tmp_path: Path, solver: tuple[Any, ...]
) -> None:
    store = tmp_path / "store"
    with Running("solve", many, *solver, "--store", store) as running:
        running.wait_for_lines_of(store, 10)
        child = running.child()
        programs = list(below(child))
        running.end(signal.SIGKILL)
    soon(lambda: all(map(gone, (child, *programs))))
    before = lines_of(store)
    done = run("solve", many, *solver, "--store", store, "--limit", len(before) + 5, "--json")
    assert done.returncode == 0
    assert done.stderr == f"{store}: {len(before):,} solutions loaded\n"
    after = lines_of(store)
    assert after[: len(before)] == before
    assert placements_of(json.loads(done.stdout)) == after[: len(before) + 5]
    assert len({json.dumps(solution) for solution in after}) == len(after)
    assert (
        len(after) == len(before) + 5 or solver[-1] == 2
    )  # the solutions of a subproblem are written together


def test_runs_killed_at_random_moments_find_all_solutions_together(
    few: Path, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    for _ in range(cases(12)):
        more = len(lines_of(store)) + 5
        with Running(
            "solve", few, "--store", store, "--backend", "z3"
        ) as running:  # killed when the block ends
            while running.process.poll() is None and len(lines_of(store)) < more:
                time.sleep(0.01)
    answer = json.loads(run("solve", few, "--store", store, "--json").stdout)
    assert (answer["solutions"], answer["distinct"], answer["complete"]) == (
        299,
        {"rotation": 81},
        True,
    )
