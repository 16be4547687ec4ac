"""Commands in processes of their own, which tests interrupt, kill or limit."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from support.command import JIGSAT
from support.waiting import LONG, soon, worked

from jigsat import backends
from jigsat.runtime.guard import below

LIBRARIES = {"python-sat": ("cadical195", "kissat404"), "program": ("cadical",)}
"""The solvers to test, for libraries with many solvers."""


def _tried() -> Iterator[Any]:
    """One backend per library that accepts clauses or items, with one and two processes, as
    options.

    All but the default backend are marked slow; missing ones are skipped.
    """
    names: dict[str, list[str]] = {}
    for spec in backends.specs():
        names.setdefault(spec.library, []).append(spec.name)
    for library, solvers in names.items():
        for name in LIBRARIES.get(library, solvers):
            spec = backends.find(name)
            if spec.open is None or spec.rank:  # it only counts, or it only solves XORs
                continue
            try:
                backend = spec.open()
            except ImportError:
                yield pytest.param(
                    (), id=name, marks=pytest.mark.skip(reason=f"{library} is not installed")
                )
                continue
            fits = backend.capabilities.clauses or backend.capabilities.cardinality
            backend.close()
            for jobs in (1, 2) if fits else ():
                options = ("--backend", name, "--jobs", jobs)
                yield pytest.param(
                    options,
                    marks=[pytest.mark.slow] * (name != backends.DEFAULT),
                    id=f"{name}-{jobs}",
                )


every_backend = pytest.mark.parametrize("solver", list(_tried()))


def run_process(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own rather than a fork of this one, which is large."""
    return subprocess.run(
        [*JIGSAT, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options
    )


class Running:
    """A running command in its own process group, as in a terminal.

    Leaving the `with` block kills it if it is still running.
    """

    def __init__(self, *arguments: object) -> None:
        self.process = subprocess.Popen(
            [*JIGSAT, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def child(self) -> int:
        """The process that the solver runs in."""
        for process in Path("/proc").glob("[0-9]*"):
            try:
                fields = (process / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == self.process.pid:
                return int(process.name)
        return 0

    def wait_until_it_solves(self) -> int:
        """Wait until the solver's process and its program have worked longer than encoding takes;
        returns the process ID."""
        self.wait_for(lambda: self.child() != 0)
        child = self.child()
        self.wait_for_work(child, 0.8)
        return child

    def wait_for_work(self, process: int, seconds: float) -> None:
        """Wait until a process and its descendants have used this much processor time."""
        self.wait_for(lambda: sum(map(worked, [process, *below(process)])) > seconds)

    def wait_for(self, condition: Callable[[], bool]) -> None:
        def holds() -> bool:
            assert self.process.poll() is None, self.process.communicate()
            return condition()

        soon(holds)

    def wait_for_lines_of(self, store: Path, number: int) -> None:
        self.wait_for(lambda: len(lines_of(store)) >= number)

    def end(self, number: signal.Signals) -> tuple[str, str]:
        """Send a signal to the process group; returns the output on stdout and stderr until it
        ended."""
        os.killpg(self.process.pid, number)
        return self.process.communicate(timeout=LONG)


def lines_of(store: Path) -> list[Any]:
    """The solutions in a store, in the order in which they were written; also while a run writes to
    it."""
    with (
        suppress(sqlite3.OperationalError),
        closing(sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True)) as rows,
    ):
        return [
            json.loads(text)
            for (text,) in rows.execute("SELECT placements FROM solution ORDER BY id")
        ]
    return []  # the file or its tables are not there yet


def placements_of(found: dict[str, Any]) -> list[list[Any]]:
    """The solutions of `solve --json` in the format of a store."""
    return [[list(placement.values()) for placement in solution] for solution in found["found"]]
