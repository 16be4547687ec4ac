"""Stores: what runs keep in them, load from them and refuse."""

from __future__ import annotations

import json
import resource
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.inside import run
from support.running import lines_of, run_process

import jigsat


@pytest.fixture
def store(few: Path, tmp_path: Path) -> Path:
    """The complete store of `few`."""
    path = tmp_path / "store"
    assert len(list(jigsat.solutions(few, store=path))) == 81
    return path


def test_a_complete_store_answers_without_a_solver(few: Path, store: Path) -> None:
    # listed by PySAT, but not available
    done = run("solve", few, "--backend", "cryptosat", "--store", store, "--json")
    answer = json.loads(done.stdout)
    assert (
        done.stderr
        == f"{store}: 81 solutions loaded\n{store}: complete, so nothing was searched again\n"
    )
    assert (answer["solutions"], answer["complete"], answer["established_by"]) == (
        299,
        True,
        "refutation",
    )
    assert answer["backend"] == "cadical195"


def test_a_limit_includes_the_solutions_in_the_store(few: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    for limit, there in ((10, 10), (20, 20), (15, 20)):
        answer = json.loads(run("solve", few, "--store", store, "--limit", limit, "--json").stdout)
        assert (len(answer["found"]), answer["stopped_by"]) == (limit, "limit")
        assert len(lines_of(store)) == there


def test_a_store_of_something_else_is_refused_in_one_line(store: Path) -> None:
    there = store.read_bytes()
    done = run("solve", "cats", "--store", store)
    assert done.returncode == 2
    assert done.stderr == f"jigsat: {store}: belongs to another instance, few; name another file\n"
    assert store.read_bytes() == there


def test_a_store_of_all_solutions_is_refused_when_minimizing(tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert len(list(jigsat.solutions("lights-5x5", up_to="nothing", store=store))) == 4
    with pytest.raises(jigsat.InputError, match="holds all solutions"):
        jigsat.solutions("lights-5x5", up_to="nothing", minimize=True, store=store)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda line, more: more, "solution 1: not a solution with the minimum 4; restore a copy"),
        (lambda line, more: line[1:], "solution 1: not a solution: "),
    ],
    ids=["another solution", "one press less"],
)
def test_other_costs_are_refused_in_a_store_of_least_solutions(
    change: Callable[[Any, Any], Any], complaint: str, tmp_path: Path
) -> None:
    puzzle = jigsat.load("lights-5x5", board="square 4x4")
    store = tmp_path / "ledger"
    assert len(list(jigsat.solutions(puzzle, minimize=True, store=store, up_to="nothing"))) > 1
    more = next(
        solution.placements for solution in jigsat.solutions(puzzle) if len(solution.placements) > 4
    )
    with closing(sqlite3.connect(store)) as rows:
        ((before,),) = rows.execute("SELECT placements FROM solution WHERE id = 1")
        rows.execute(
            "UPDATE solution SET placements = ? WHERE id = 1",
            (json.dumps(change(json.loads(before), more)),),
        )
        rows.commit()
    with pytest.raises(jigsat.InputError, match=complaint):
        list(jigsat.solutions(puzzle, minimize=True, store=store))


@pytest.mark.parametrize("path", ["/dev/full", "/nowhere/store", "/"])
def test_impossible_stores_are_refused(few: Path, path: str) -> None:
    with pytest.raises(jigsat.InputError, match=f"^{path}: "):
        jigsat.solutions(few, store=Path(path))


def test_two_runs_do_not_share_a_store(few: Path, tmp_path: Path) -> None:
    first = jigsat.solutions(few, store=tmp_path / "store")
    next(first)
    with pytest.raises(jigsat.InputError, match="in use by another run"):
        jigsat.solutions(few, store=tmp_path / "store")
    first.close()
    assert len(list(jigsat.solutions(few, store=tmp_path / "store"))) == 81


def test_a_full_disk_ends_the_run_and_keeps_the_solutions(few: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2**16, 2**16))

    done = run_process("solve", few, "--store", store, "--json", preexec_fn=little_room)
    answer = json.loads(done.stdout)
    assert done.returncode == 3
    assert done.stderr == f"jigsat: {store}: cannot be written: disk I/O error\n"
    assert (answer["complete"], answer["stopped_by"]) == (
        False,
        f"{store}: cannot be written: disk I/O error",
    )
    there = lines_of(store)
    assert (
        0 < len(there) == len(answer["found"]) - 1
    )  # the solution that could not be written is also shown
    assert len(list(jigsat.solutions(few, store=store))) == 81  # with free space the run is resumed
