"""Stopped enumerations: limits, time-outs, interrupts, killed children, and wrong encodings."""

from __future__ import annotations

import asyncio
import inspect
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest
from jigsat.encodings.sudoku.rules import Sudoku
from support.pigeons import Pigeons
from support.waiting import LONG, soon, with_time, worked

import jigsat
from jigsat import CheckError, InputError, Stopped
from jigsat.backends.pysat import PySat
from jigsat.runtime.child import Child
from jigsat.runtime.guard import below
from jigsat.symmetry import Symmetry


def pigeons(**data: Any) -> Pigeons:
    return Pigeons.model_validate({"family": "pigeons", "name": "pigeons", **data})


def children() -> set[int | None]:
    return {child.pid for child in multiprocessing.active_children()}


# -- limits and laziness


@pytest.mark.parametrize("isolated", [False, True])
@pytest.mark.parametrize("up_to", ["nothing", "rotation"])
@pytest.mark.parametrize("limit", [1, 3])
def test_a_limit_stops_in_time(limit: int, up_to: str, isolated: bool) -> None:
    enumeration = jigsat.Enumeration("cats-reuse", limit=limit, up_to=up_to, isolated=isolated)
    found = list(enumeration)
    assert len(found) == limit
    result = enumeration.result
    assert (result.complete, result.stopped_by, result.established_by) == (False, "limit", None)
    assert result.solutions == limit * (1 if up_to == "nothing" else 4)
    assert next(enumeration, None) is None, "it remains at its end"


def test_reported_solutions_are_not_kept() -> None:
    formula = jigsat.Formula()
    value = formula.variables("value", {"place": range(20), "value": range(5)})
    for place in range(20):
        formula.exactly_one(value[place, :])
    enumeration = jigsat.models(formula, backend="cover", isolated=False)
    tracemalloc.start()
    try:
        used = [
            sum(1 for _ in islice(enumeration, 500)) and tracemalloc.get_traced_memory()[0]
            for _ in range(4)
        ]
    finally:
        tracemalloc.stop()
    assert used[-1] - used[0] < 1500 * 500, "less than 500 bytes for each solution"


def test_a_limit_that_is_not_reached_does_not_stop() -> None:
    enumeration = jigsat.solutions("cats", limit=5, up_to="nothing")
    assert len(list(enumeration)) == 4
    assert (enumeration.result.complete, enumeration.result.stopped_by) == (True, None)
    assert enumeration.result.established_by == "refutation"


def test_the_first_solution_comes_without_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    solve = PySat.solve
    monkeypatch.setattr(PySat, "solve", lambda self, *rest: calls.append(1) or solve(self, *rest))
    enumeration = jigsat.solutions("cats-reuse")
    assert not calls, "nothing is solved before it is requested"
    for i, _ in enumerate(islice(enumeration, 3), 1):
        assert len(calls) == i
        assert (enumeration.found, enumeration.result.solutions, enumeration.result.complete) == (
            i,
            4 * i,
            False,
        )
    enumeration.close()
    assert (list(enumeration), enumeration.result.solutions, len(calls)) == ([], 12, 3)


def test_closing_ends_the_child() -> None:
    before = children()
    enumeration = jigsat.Enumeration(pigeons(), isolated=True)
    next(enumeration)
    assert len(children() - before) == 1
    enumeration.close()
    assert children() == before
    assert list(enumeration) == []


# -- long calls


def test_a_timeout_stops_a_hard_call_and_keeps_what_was_found() -> None:
    before = children()

    def limited(seconds: float) -> tuple[Any, set[int]]:
        enumeration = jigsat.solutions(pigeons(), timeout=seconds)
        return enumeration, {
            solution.placements[0].way for solution in enumeration
        }  # without a limit it would take hours

    enumeration, found = with_time(limited, lambda ended: len(ended[1]) == 5)
    assert found == {1, 2, 3, 4, 5}
    result = enumeration.result
    assert (result.solutions, result.complete, result.stopped_by, result.established_by) == (
        5,
        False,
        "timeout",
        None,
    )
    assert result.seconds > 0.9
    assert children() == before


def test_a_timeout_that_is_not_reached_does_not_stop() -> None:
    result = jigsat.count("cats", timeout=60)
    assert (result.solutions, result.complete, result.stopped_by) == (4, True, None)


def test_a_timeout_stops_a_child_that_is_faster_than_its_reader() -> None:
    read = 0
    with pytest.raises(Stopped, match="timeout"):
        for number, _ in Child(lambda: ((i, bytes(4000)) for i in count()), timeout=0.3):
            assert number == read, "nothing is lost on the way"
            read += 1
            time.sleep(0.005)
    assert read


@pytest.mark.parametrize(
    ("backend", "isolated"),
    [
        ("cadical195", False),
        ("z3", True),
        pytest.param("cadical195", True, marks=pytest.mark.slow),
        pytest.param("z3", False, marks=pytest.mark.slow),
    ],
)
def test_an_interrupt_keeps_what_was_found(backend: str, isolated: bool) -> None:
    script = f"""
import json, sys
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
import jigsat
from support import pigeons
enumeration = jigsat.Enumeration(pigeons.Pigeons(family="pigeons"), backend={backend!r}, isolated={isolated})
try:
    for i, solution in enumerate(enumeration, 1):
        print("found", i, flush=True)
except KeyboardInterrupt:
    assert list(enumeration) == []
    print(json.dumps(enumeration.result.json()), flush=True)
"""
    run = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert run.stdout
        for i in range(1, 6):
            assert run.stdout.readline() == f"found {i}\n"
        working = [run.pid, *below(run.pid)]
        before = sum(map(worked, working))
        soon(lambda: sum(map(worked, working)) > before + 0.3)  # into the hard call
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=LONG)
    finally:
        run.kill()
    assert (run.returncode, err) == (0, "")
    result = json.loads(out)
    assert (result["solutions"], result["complete"], result["stopped_by"]) == (
        5,
        False,
        "interrupt",
    )


def count_cube(name: str) -> int:
    return jigsat.count(name, timeout=LONG).solutions


def test_a_pool_of_processes_may_use_time_limits() -> None:
    """The workers of a pool are daemons, which Python lets have no children."""
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(count_cube, ["cube", "cats"]) == [96, 4]


@pytest.mark.parametrize("isolated", [True, False])
def test_another_thread_may_cancel(isolated: bool) -> None:
    with jigsat.Enumeration("cats-reuse", isolated=isolated) as enumeration:
        next(enumeration)
        with ThreadPoolExecutor(1) as other:
            other.submit(enumeration.cancel).result()
        assert len(list(enumeration)) < 318
    result = enumeration.result
    assert (result.complete, result.stopped_by) == (False, "cancelled") and result.solutions >= 4


def test_cancelling_stops_a_hard_call() -> None:
    enumeration: Any = jigsat.Enumeration(
        Pigeons(family="pigeons"), backend="cadical195", isolated=True
    )
    for _ in range(5):
        next(enumeration)
    with ThreadPoolExecutor(1) as other:
        hard = other.submit(next, enumeration, None)
        enumeration.cancel()
        assert hard.result(LONG) is None
    assert (enumeration.result.solutions, enumeration.result.stopped_by) == (5, "cancelled")


def test_asyncio_runs_it_in_a_thread() -> None:
    async def search() -> list[Any]:
        found = jigsat.solutions("cube", timeout=LONG)
        return [one async for one in each(found)]

    async def each(found: Any) -> Any:
        while (one := await asyncio.to_thread(next, found, None)) is not None:
            yield one

    assert len(asyncio.run(search())) == 4


@pytest.mark.usefixtures("counted_threads")
def test_enumerations_may_run_in_different_threads() -> None:
    with ThreadPoolExecutor(3) as threads:
        found = list(
            threads.map(
                lambda name: jigsat.count(name).solutions, ["cube", "cats", "lights-5x5", "soma"]
            )
        )
    assert found == [96, 4, 4, 11520]


def test_options_are_in_the_signature_of_each_function() -> None:
    for function in (
        jigsat.solutions,
        jigsat.models,
        jigsat.count,
        jigsat.minimum,
        jigsat.Enumeration,
    ):
        parameters = inspect.signature(function).parameters
        assert (parameters["backend"].default, parameters["jobs"].default) == ("auto", 1)
        assert {
            "limit",
            "timeout",
            "memory",
            "lowering",
            "store",
            "minimize",
            "up_to",
        } <= parameters.keys()


# -- crashes and errors


def test_a_killed_child_is_a_crash_and_keeps_what_was_found() -> None:
    before = children()
    enumeration = jigsat.Enumeration(pigeons(), isolated=True)
    found = [next(enumeration) for _ in range(5)]
    (child,) = children() - before
    assert child
    os.kill(child, signal.SIGKILL)
    assert list(enumeration) == []
    assert {solution.placements[0].way for solution in found} == {1, 2, 3, 4, 5}
    result = enumeration.result
    assert (result.solutions, result.complete, result.established_by) == (5, False, None)
    assert (result.stopped_by or "").startswith("crash")
    assert "SIGKILL" in (result.stopped_by or "")


def test_items_sent_by_a_killed_child_are_not_lost() -> None:
    def job() -> Iterator[int]:
        yield from range(100)
        os.kill(os.getpid(), signal.SIGKILL)

    before = children()
    child, found = Child(job), []
    soon(lambda: not children() - before)
    with pytest.raises(Stopped, match=r"crash: .* SIGKILL"):
        for item in child:
            found.append(item)  # noqa: PERF402
    assert found == list(range(100))


def test_a_child_that_exits_is_a_crash() -> None:
    def job() -> Iterator[int]:
        yield 1
        os._exit(7)

    child = Child(job)
    assert next(child) == 1
    with pytest.raises(Stopped, match=r"crash: .* exit status 7"):
        next(child)
    assert list(child) == []


def test_a_child_at_its_memory_limit_stops() -> None:
    def job() -> Iterator[int]:
        yield 1
        yield len(bytearray(2**36))

    child = Child(job, memory=2**35)
    assert next(child) == 1
    with pytest.raises(Stopped, match="memory"):
        next(child)


def test_an_exception_in_the_child_is_raised_here() -> None:
    def job() -> Iterator[int]:
        yield 1
        raise InputError("the tile is of cheese")

    child = Child(job)
    assert next(child) == 1
    with pytest.raises(InputError, match="the tile is of cheese") as caught:
        next(child)
    assert str(caught.value) == "the tile is of cheese"
    assert "in job" in "".join(caught.value.__notes__), "with the child's traceback"
    assert list(child) == []


@pytest.mark.parametrize("isolated", [False, True])
def test_a_solution_that_its_check_refuses_is_a_bug(isolated: bool) -> None:
    before = children()
    enumeration = jigsat.Enumeration(pigeons(refused=[1, 2, 3, 4, 5]), isolated=isolated)
    with pytest.raises(
        CheckError, match=r"cadical195 and the encoding of pigeons .*: way \d is closed"
    ):
        list(enumeration)
    assert enumeration.result.solutions == 0
    assert not enumeration.result.complete
    assert children() == before


def test_found_solutions_are_kept_when_a_later_one_is_refused() -> None:
    enumeration = jigsat.solutions(pigeons(refused=[3]))
    found = []
    with pytest.raises(CheckError):
        for solution in enumeration:
            found.append(solution.placements[0].way)
    assert found
    assert 3 not in found
    assert enumeration.result.solutions == len(found)
    assert list(enumeration) == [], "and then it is over"


def test_invalid_options() -> None:
    with pytest.raises(
        InputError, match=r"unknown backend 'cadical196'; did you mean 'cadical195'"
    ):
        list(jigsat.solutions("cats", backend="cadical196"))
    with pytest.raises(ValueError, match=r"up_to.* must be one of .*; got 'colour'"):
        jigsat.solutions("cats", up_to="colour")
    with pytest.raises(InputError, match="dogs: unknown instance"):
        jigsat.solutions("dogs")


# -- printed solutions


def test_print_draws_a_solution() -> None:
    solution = next(jigsat.solutions("cats"))
    assert str(solution) == solution.text()
    assert str(solution).startswith("+-")


@pytest.mark.parametrize("images", [0, 10**9])
def test_a_wrong_symmetry_is_found_whether_or_not_it_is_verified_on_the_formula(
    monkeypatch: pytest.MonkeyPatch, images: int
) -> None:
    class Wrong(Sudoku):
        def symmetries(self) -> Iterator[Symmetry]:
            first, second, *others = map(self.encode().key, self.encode().decisions())
            yield Symmetry(
                "rotation", {first: second, second: first, **{other: other for other in others}}
            )

    monkeypatch.setattr("jigsat.subject.MAX_CHECKED_IMAGES", images)
    wrong = Wrong.model_validate({"grid": ["1...", "....", "....", "...."]})
    with pytest.raises(CheckError):
        list(jigsat.Enumeration(wrong))


@pytest.mark.parametrize("images", [0, 10**9])
def test_counts_do_not_depend_on_how_images_are_checked(
    monkeypatch: pytest.MonkeyPatch, images: int
) -> None:
    monkeypatch.setattr("jigsat.subject.MAX_CHECKED_IMAGES", images)
    result = jigsat.count("sudoku-4x4-empty", limit=10**6, up_to="all")
    assert (result.solutions, result.distinct["all"]) == (288, 5)
