"""Searches in parts: cubes are disjoint and contain all models, and every backend finds the same models in them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from support import truth
from support.installed import CAPABILITIES, GENERAL, every_general
from support.pigeons import Pigeons
from support.quick import cases
from support.waiting import with_time

import jigsat
from jigsat import Formula, InputError, Stopped
from jigsat.search import parallel
from jigsat.search.blocking import models
from jigsat.search.parallel import Done, Work
from jigsat.search.subproblems import Cube, split

OPTIONS: dict[str, Any] = {"derandomize": True, "deadline": None}


def holds(cube: Cube, model: frozenset[int]) -> bool:
    return all((abs(literal) in model) == (literal > 0) for literal in cube)


@settings(max_examples=cases(200), **OPTIONS)
@given(truth.instances(), st.integers(1, 12))
def test_each_model_is_in_one_cube(case: tuple[list[truth.Spec], int, int], wanted: int) -> None:
    formula, table = truth.formula(*case), truth.table(*case)
    cubes = split(formula, wanted)
    for model in table:
        assert sum(holds(cube, model) for cube in cubes) == 1
    assert set(formula.decisions()).issuperset(abs(literal) for cube in cubes for literal in cube)
    for cube in cubes:
        parts = split(formula, 4, cube)
        assert all(part[: len(cube)] == cube for part in parts)
        for model in table:
            assert sum(holds(part, model) for part in parts) == holds(cube, model)
    event(f"cubes: {'enough' if len(cubes) >= wanted else 'fewer'}")


def test_the_item_with_the_fewest_options_left_is_split() -> None:
    formula = Formula()
    place = formula.variables("place", ("tile", "cell"), [(t, c) for t in "abc" for c in range(5)])
    for tile in "abc":
        formula.exactly_one(place[tile, :])
    formula.clause([place("b", 1), place("b", 4), place("b", 2)])
    formula.clause([-place("b", 2)])
    assert split(formula, 2) == [(place("b", 1),), (place("b", 4),)]
    assert len(split(formula, 10)) == 10


def test_what_cannot_be_split_is_one_cube_or_none() -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(1,), (2,)])
    formula.exactly(2, x[:])
    assert len(split(formula, 10)) == 1
    formula.clause([-x(1), -x(2)])
    assert split(formula, 10) == []


@pytest.fixture
def in_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """One worker does all of the work, and no process is started."""

    def search(cubes: Iterable[Cube], work: Work, *_: Any) -> Iterator[Any]:
        yield from work(iter(cubes))

    monkeypatch.setattr(parallel, "search", search)


@every_general
@pytest.mark.usefixtures("in_one_process")
def test_every_backend_finds_the_models_cube_by_cube(backend: str) -> None:
    for case in truth.fixed(cases(25)):
        found = list(models(truth.formula(*case), backend, jobs=2))
        assert len(found) == len(set(found)), case
        assert set(found) == truth.table(*case), case


@pytest.mark.parametrize("backend", [name for name in CAPABILITIES if name not in GENERAL])
@pytest.mark.usefixtures("in_one_process")
def test_engines_for_certain_formulas_search_cubes_as_well(backend: str) -> None:
    taken = 0
    for case in truth.fixed(cases(600)):
        formula = truth.formula(*case)
        try:
            found = list(models(formula, backend, jobs=2))
        except InputError:
            continue
        taken += len(found)
        assert len(found) == len(set(found)), case
        assert set(found) == truth.table(*case), case
    assert taken > 3


@pytest.mark.parametrize("backend", ["cadical195", "clingo", "cover"])
def test_orbits_in_several_cubes_are_counted_once(backend: str) -> None:
    if backend not in CAPABILITIES:
        pytest.skip(f"{backend} is not installed")
    alone = jigsat.solutions("cats-reuse", backend=backend)
    together = jigsat.solutions("cats-reuse", backend=backend, jobs=2)
    assert {solution.placements for solution in alone} == {solution.placements for solution in together}
    for field in ("solutions", "distinct", "complete", "established_by"):
        assert getattr(together.result, field) == getattr(alone.result, field)
    assert together.result.statistics["cubes"] > 2
    assert together.result.statistics["clauses"] == alone.result.statistics["clauses"]


def test_known_models_are_left_out() -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(4)])
    formula.exactly(2, x[:])
    found = list(models(formula, known=[[1, 2], [3, 4]], jobs=2))
    assert sorted(map(sorted, found)) == [[1, 3], [1, 4], [2, 3], [2, 4]]


def test_a_limit_is_respected() -> None:
    enumeration = jigsat.Enumeration("cats-reuse", jobs=2, limit=7, isolated=True)
    assert len({solution.placements for solution in enumeration}) == 7
    assert (enumeration.result.complete, enumeration.result.stopped_by) == (False, "limit")


def test_cubes_that_cannot_be_split_are_finished() -> None:
    def limited(seconds: float) -> tuple[Any, set[int]]:
        enumeration = jigsat.solutions(Pigeons(family="pigeons"), jobs=2, timeout=seconds)
        return enumeration, {solution.placements[0].way for solution in enumeration}

    enumeration, found = with_time(limited, lambda ended: len(ended[1]) == 5)
    assert found == {1, 2, 3, 4, 5}
    assert (enumeration.result.complete, enumeration.result.stopped_by) == (False, "timeout")


# -- the processes, with work other than solving


def numbers(cubes: Iterator[Cube], *, hard: Cube = (), kill: Cube = (), wrong: Cube = ()) -> Iterator[Any]:
    """Ten items per cube, with an action for one of them."""
    for cube in cubes:
        yield from ((cube, i) for i in range(10))
        if cube == hard:
            time.sleep(10**6)
        if cube == kill:
            os.kill(os.getpid(), signal.SIGKILL)
        if cube == wrong:
            raise InputError("this is no cube")
        yield Done(os.getpid(), {}, {})


def halves(cube: Cube) -> list[Cube]:
    return [(*cube, 9), (*cube, -9)] if len(cube) == 1 else [cube]


def items(cubes: Iterable[Cube]) -> set[tuple[Cube, int]]:
    return {(cube, i) for cube in cubes for i in range(10)}


CUBES = [(i,) for i in range(1, 6)]


@pytest.mark.parametrize("jobs", [1, 2, 3, 8])
def test_all_cubes_are_searched(jobs: int) -> None:
    found = list(parallel.search(CUBES, numbers, halves, jobs))
    processes = {item.process for item in found if isinstance(item, Done)}
    assert len(processes) <= min(jobs, 5)
    assert os.getpid() not in processes
    found = [item for item in found if not isinstance(item, Done)]
    assert len(found) == 50
    assert set(found) == items(CUBES)


@pytest.mark.parametrize("hard", CUBES[::2])
def test_a_hard_cube_is_split_again_and_its_models_are_kept(hard: Cube, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "HARD", 0.3)
    found = list(parallel.search(CUBES, partial(numbers, hard=hard), halves, 2))  # unless it is split, it never ends
    assert {item for item in found if not isinstance(item, Done)} == items([*CUBES, *halves(hard)])


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_a_killed_process_loses_no_models(jobs: int) -> None:
    found = set()
    with pytest.raises(Stopped, match=r"crash: .*SIGKILL"):
        for item in parallel.search(CUBES, partial(numbers, kill=(3,)), halves, jobs):
            if not isinstance(item, Done):
                found.add(item)
    assert items([(3,)]) <= found <= items(CUBES)


def test_exceptions_of_a_process_are_raised() -> None:
    with pytest.raises(InputError, match="this is no cube"):
        list(parallel.search(CUBES, partial(numbers, wrong=(2,)), halves, 2))
