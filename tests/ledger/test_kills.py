"""Ledgers of runs that end at any moment: a run that goes on gives the same answer.

A run is killed after each write by a copy of the file at that moment, and commands are killed at
random moments.
"""

from __future__ import annotations

import json
import random
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.command import run
from support.ledgers import DISTINCT, count_in_parts, dominoes
from support.running import Running

import jigsat
from jigsat.ledger.file import Ledger

MAX_COPIES = 40  # maximum number of copies of a run from which others go on
LONGEST_S = 1.0  # seconds after which a run is killed at the latest


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder with copies of a ledger, which are made after each write, also by a process that
    is forked. A killed run would leave them."""
    folder = tmp_path / "copies"
    folder.mkdir()
    transaction = Ledger._transaction

    @contextmanager
    def copied(ledger: Ledger) -> Iterator[None]:
        with transaction(ledger):
            yield
        copy = folder / str(len(list(folder.iterdir())))
        copy.mkdir()
        for file in tmp_path.glob(f"{ledger.path.name}*"):
            if not file.name.endswith("-shm"):
                shutil.copy(file, copy)

    monkeypatch.setattr(Ledger, "_transaction", copied)
    return folder


def choose(copies: Path) -> list[Path]:
    """Some of the copies, also the first and the last ones."""
    made = [copies / str(number) / "ledger" for number in range(len(list(copies.iterdir())))]
    assert made
    if len(made) <= MAX_COPIES:
        return made
    between = random.Random(1).sample(made[2:-2], MAX_COPIES - 4)
    return [*made[:2], *between, *made[-2:]]


@pytest.mark.parametrize("backend", ["cover", "cadical195"])
def test_a_count_goes_on_after_any_write(
    backend: str, copies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parts are split as finely as possible, also during their search."""
    puzzle = dominoes()
    whole = count_in_parts(puzzle, seconds=0.0, backend=backend, store=tmp_path / "ledger")
    assert (whole.solutions, whole.distinct) == (36, DISTINCT)
    monkeypatch.undo()

    begun = 0
    for copy in choose(copies):
        with closing(Ledger(copy)) as ledger:
            begun += 0 < ledger.totals(ledger.counts(), complete=False)[0] < 36
        again = count_in_parts(puzzle, seconds=0.0, backend=backend, store=copy)
        assert (again.solutions, again.distinct, again.complete) == (36, DISTINCT, True)
    assert begun > 3


@pytest.mark.parametrize("backend", ["cover", "z3"])
def test_a_list_goes_on_after_any_write(
    backend: str, copies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = dominoes()
    whole = list(jigsat.solutions(puzzle, backend=backend, store=tmp_path / "ledger"))
    assert len(whole) == DISTINCT["rotation"]
    monkeypatch.undo()

    expected = {frozenset(solution.placements) for solution in whole}
    for copy in choose(copies):
        found = jigsat.solutions(puzzle, backend=backend, store=copy)
        assert {frozenset(solution.placements) for solution in found} == expected
        assert (found.result.solutions, found.result.complete) == (36, True)


def test_many_puzzles_go_on_after_any_write(
    copies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["sudoku-6x6", "cube", "lights-unsolvable", "cats", "push-pull", "lights-5x5"]
    expected = [answer.json() for answer in jigsat.unique_each(names, store=tmp_path / "ledger")]
    assert {answer["unique"] for answer in expected} == {True, False}
    monkeypatch.undo()
    for copy in choose(copies):
        assert [answer.json() for answer in jigsat.unique_each(names, store=copy)] == expected


KILLED = {
    "a count": ("count", "pentominoes-6x10", "--backend", "cover"),
    "a count in two processes": ("count", "pentominoes-6x10", "--jobs", 2),
    "a list": ("solve", "pentominoes-5x12", "--backend", "cover"),
    "a list in two processes": ("solve", "pentominoes-5x12", "--jobs", 2),
}


@pytest.mark.slow
@pytest.mark.parametrize("command", KILLED.values(), ids=KILLED)
def test_a_command_that_is_killed_at_random_moments_goes_on(
    command: tuple[Any, ...], tmp_path: Path
) -> None:
    """25 kills of each command; they share a ledger, until one of them has the answer."""
    store, rng = tmp_path / "ledger", random.Random(1)
    for _ in range(25):
        with Running(*command, "--store", store, "--json") as running:
            time.sleep(rng.uniform(0.2, LONGEST_S))
            if running.process.poll() is not None:
                store.unlink()  # complete: begin again
            else:
                running.end(signal.SIGKILL)
    assert find_facts(run(*command, "--store", store, "--json").stdout) == find_facts(
        run(*command, "--json").stdout
    )


def find_facts(text: str) -> dict[str, Any]:
    """What does not depend on the run."""
    answer = json.loads(text)
    facts = {name: answer[name] for name in ("solutions", "distinct", "complete", "stopped_by")}
    facts["found"] = answer.get("found")
    return facts
