"""Stores: what runs keep in them, load from them and refuse."""

from __future__ import annotations

import json
import re
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command import run
from support.running import every_backend, lines_of, placements_of, run_process
from support.stores import listed

import jigsat


@pytest.fixture
def store(few: Path, tmp_path: Path) -> Path:
    """The complete store of `few`."""
    path = tmp_path / "store"
    assert len(list(jigsat.solutions(few, store=path))) == 81
    return path


@pytest.fixture
def old(few: Path, tmp_path: Path) -> Path:
    """The complete solutions of `few` as version 0.1 wrote them."""
    path = tmp_path / "old"
    path.write_bytes(listed(few))
    return path


@every_backend
def test_a_truncated_store_is_completed(few: Path, old: Path, solver: tuple[Any, ...]) -> None:
    lines = old.read_bytes().splitlines(keepends=True)
    old.write_bytes(b"".join(lines[:41]) + lines[41][:20])  # the header, 40 solutions, and half a line
    done = run("solve", few, *solver, "--store", old, "--json")
    answer = json.loads(done.stdout)
    assert done.stderr == f"{old}: 40 solutions loaded\n"
    assert (answer["solutions"], answer["distinct"]["rotation"], answer["complete"]) == (299, 81, True)
    assert sorted(map(json.dumps, placements_of(answer))) == sorted(json.dumps(json.loads(line)) for line in lines[1:-1])
    assert lines_of(old)[:40] == [json.loads(line) for line in lines[1:41]]
    assert [path.name for path in old.parent.glob("old*")] == ["old"]


def test_a_complete_list_becomes_a_complete_ledger(few: Path, old: Path) -> None:
    before = [json.loads(line) for line in old.read_bytes().splitlines()[1:-1]]
    done = run("solve", few, "--backend", "cryptosat", "--store", old, "--json")  # not available
    answer = json.loads(done.stdout)
    assert done.stderr == f"{old}: 81 solutions loaded\n"
    assert (answer["solutions"], answer["complete"], answer["backend"]) == (299, True, "cadical195")
    assert lines_of(old) == before
    counted = json.loads(run("count", few, "--store", old, "--json").stdout)
    assert (counted["solutions"], counted["distinct"], counted["complete"]) == (299, {"rotation": 81}, True)


def test_a_converted_list_can_be_audited(few: Path, old: Path) -> None:
    assert len(list(jigsat.solutions(few, store=old))) == 81  # the backend is auto
    audit = json.loads(run("ledger", old, "all", "--audit", "--json").stdout)
    assert (audit["solutions"], audit["listed"], audit["faults"]) == (299, 81, [])


def test_a_complete_store_answers_without_a_solver(few: Path, store: Path) -> None:
    done = run("solve", few, "--backend", "cryptosat", "--store", store, "--json")  # listed by PySAT, but not available
    answer = json.loads(done.stdout)
    assert done.stderr == f"{store}: 81 solutions loaded\n"
    assert (answer["solutions"], answer["complete"], answer["established_by"]) == (299, True, "refutation")
    assert answer["backend"] == "cadical195"


def test_a_solution_removed_from_a_complete_list_is_found_again(few: Path, old: Path) -> None:
    lines = old.read_bytes().splitlines(keepends=True)
    old.write_bytes(b"".join(lines[:5] + lines[6:]))
    answer = json.loads(run("solve", few, "--store", old, "--json").stdout)
    assert (answer["solutions"], answer["distinct"], answer["complete"]) == (299, {"rotation": 81}, True)
    again = json.loads(run("solve", few, "--backend", "cryptosat", "--store", old, "--json").stdout)
    assert (again["solutions"], again["complete"]) == (299, True)  # there was nothing left to solve


@pytest.mark.parametrize("copy", ["the same", "turned"])
def test_a_solution_overwritten_by_a_copied_line_is_found_again(copy: str, few: Path, old: Path) -> None:
    lines = old.read_bytes().splitlines(keepends=True)
    puzzle = jigsat.load(few)
    formula = puzzle.encode()
    copied = lines[3]
    if copy == "turned":
        numbers = {json.dumps(formula.key(variable)): variable for variable in formula.decisions()}
        model = frozenset(numbers[json.dumps(placement)] for placement in json.loads(copied))
        (turned, *_) = jigsat.Group.of(formula, puzzle.symmetries()).orbit(model, "rotation") - {model}
        copied = json.dumps([formula.key(variable) for variable in turned]).encode() + b"\n"
    old.write_bytes(b"".join([*lines[:8], copied, *lines[9:]]))
    for _ in range(2):  # missing solutions are found, and the store is complete again
        enumeration = jigsat.Enumeration(puzzle, store=old)
        assert len(list(enumeration)) == 81
        assert enumeration.result.complete
    assert lines_of(old)[-1] == json.loads(lines[8])


def test_a_limit_includes_the_solutions_in_the_store(few: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    for limit, there in ((10, 10), (20, 20), (15, 20)):
        answer = json.loads(run("solve", few, "--store", store, "--limit", limit, "--json").stdout)
        assert (len(answer["found"]), answer["stopped_by"]) == (limit, "limit")
        assert len(lines_of(store)) == there


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda lines: [re.sub(b'"digest":".', b'"digest":"x', lines[0]), *lines[1:]], "another instance"),
        (lambda lines: [lines[0].replace(b"digest", b"disgust"), *lines[1:]], "not a file of solutions"),
        (lambda lines: [lines[0].replace(b'"version":1', b'"version":true'), *lines[1:]], "not a file of solutions"),
        (lambda lines: [lines[0].replace(b'"version":1', b'"version":1,"version":1'), *lines[1:]], "not a file of"),
        (lambda lines: [lines[0][:30] + b"[" * 100_000 + b"\n", *lines[1:]], "not a file of solutions"),
        (lambda lines: [lines[0], b"[" * 100_000 + b"\n", *lines[1:]], "line 2: damaged"),
        (lambda lines: [lines[0], b"[" * 900 + b"]" * 900 + b"\n", *lines[1:]], "line 2: damaged"),
        (lambda lines: [*lines[:-1], b'{"complete":5}\n'], "line 83: not a solution of this puzzle; remove the line"),
        (lambda lines: [*lines[:-1], b'{"complete":5,"after":81}\n'], "line 83: not a solution of this puzzle"),
        (lambda lines: [*lines[:-1], lines[-1].replace(b"81", b"81.0")], "line 83: not a solution of this puzzle"),
        (lambda lines: [*lines[:2], lines[2].replace(b"[0,0]", b"[0.0,false]"), *lines[3:]], "line 3: not a solution of this"),
        (
            lambda lines: [*lines[:2], b"[" + lines[2][1:-2] + b"," + lines[2][1:], *lines[3:]],
            "line 3: a placement is repeated",
        ),
        (lambda lines: [*lines[:2], b"5\n", *lines[3:]], "line 3: not a solution of this puzzle"),
        (lambda lines: [*lines[:2], b"[" + b"1," * 10_000_000 + b"1]\n", *lines[3:]], "line 3: longer than 16 MiB"),
        (lambda lines: [lines[0].replace(b"rotation", b"nothing"), *lines[1:]], "up to nothing, not up to rotation"),
        (lambda lines: [lines[0].replace(b'"version":1', b'"version":0'), *lines[1:]], "from this version of jigsat"),
        (lambda lines: [*lines[:3], b'{"garbage":1}\n', *lines[4:]], "line 4: not a solution of this puzzle; remove the line"),
        (lambda lines: [b"my notes\n", *lines[1:]], "not a ledger of jigsat; name another file"),
        (lambda lines: [b"my notes without an end"], "not a ledger of jigsat"),
        (lambda lines: [*lines[:3], b"\0" * 20 + b"\n", *lines[4:]], "line 4: damaged"),
        (
            lambda lines: [*lines[:3], lines[3].replace(b'"x"', b'"y"').replace(b"[1,1]", b"[9,9]"), *lines[4:]],
            "line 4: not a solution",
        ),
    ],
)
def test_a_damaged_or_foreign_list_is_refused(
    few: Path, old: Path, change: Callable[[list[bytes]], list[bytes]], says: str
) -> None:
    changed = b"".join(change(old.read_bytes().splitlines(keepends=True)))
    old.write_bytes(changed)
    with pytest.raises(jigsat.InputError, match=says):
        list(jigsat.solutions(few, store=old))
    assert old.read_bytes() == changed


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
        (lambda line, more: more, "line 2: not a solution with the minimum 4; remove the line"),
        (lambda line, more: line[1:], "line 2: not a solution: "),
    ],
    ids=["another solution", "one press less"],
)
def test_other_costs_are_refused_in_a_store_of_least_solutions(
    change: Callable[[Any, Any], Any], complaint: str, tmp_path: Path
) -> None:
    puzzle = jigsat.load("lights-5x5", board="square 4x4")
    store = tmp_path / "old"
    store.write_bytes(listed(puzzle, minimize=True))
    more = next(solution.placements for solution in jigsat.solutions(puzzle) if len(solution.placements) > 4)
    lines = store.read_text().splitlines()
    lines[1] = json.dumps(change(json.loads(lines[1]), more))
    store.write_text("".join(f"{line}\n" for line in lines))
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
    assert (answer["complete"], answer["stopped_by"]) == (False, f"{store}: cannot be written: disk I/O error")
    there = lines_of(store)
    assert 0 < len(there) == len(answer["found"]) - 1  # the solution that could not be written is also shown
    assert len(list(jigsat.solutions(few, store=store))) == 81  # with free space the run is resumed
