"""Searches in parts: subproblems are disjoint and contain all models, and every backend finds the
same models in them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import closing
from typing import Any

import pytest
from hypothesis import event, given, settings
from support import truth
from support.installed import CAPABILITIES, GENERAL, every_general
from support.ledgers import here, set_target
from support.pigeons import Pigeons
from support.quick import cases
from support.stages import changed
from support.waiting import LONG, with_time

import jigsat
from jigsat import Formula, InputError
from jigsat.answering import parts
from jigsat.backends import DEFAULT
from jigsat.runtime.guard import below
from jigsat.search import portfolio
from jigsat.search.exhaustive import Literals, SplitChoice, Splitter

OPTIONS: dict[str, Any] = {"derandomize": True, "deadline": None}


def holds(cube: Literals, model: frozenset[int]) -> bool:
    return all((abs(literal) in model) == (literal > 0) for literal in cube)


@settings(max_examples=cases(200), **OPTIONS)
@given(truth.instances())
def test_each_model_is_in_one_part_that_is_not_refuted(
    case: tuple[list[truth.Spec], int, int],
) -> None:
    formula, table = truth.formula(*case), truth.table(*case)
    waiting: list[Literals] = [()]
    with closing(Splitter(formula)) as splitter:
        while waiting:
            cube = waiting.pop()
            within = [model for model in table if holds(cube, model)]
            choice = splitter.choice(cube)
            if choice is None:
                assert len(within) <= 1
                event("refuted" if not within else "decided")
                continue
            assert set(formula.decisions()).issuperset(map(abs, (*choice.open, *choice.refuted)))
            parts = [(*cube, literal) for literal in choice.open]
            assert all(sum(holds(part, model) for part in parts) == 1 for model in within)
            waiting += parts if len(cube) < 3 else []


def test_the_item_with_the_fewest_options_left_is_split() -> None:
    formula = Formula()
    place = formula.variables("place", ("tile", "cell"), [(t, c) for t in "abc" for c in range(5)])
    for tile in "abc":
        formula.exactly_one(place[tile, :])
    formula.clause([place("b", 1), place("b", 4), place("b", 2)])
    formula.clause([-place("b", 2)])
    with closing(Splitter(formula)) as splitter:
        refuted = place("b", 0), place("b", 2), place("b", 3)
        assert splitter.choice(()) == SplitChoice((place("b", 1), place("b", 4)), refuted)


def test_there_is_no_choice_if_everything_is_decided_or_refuted() -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(1,), (2,)])
    formula.exactly(2, x[:])
    for _ in range(2):
        with closing(Splitter(formula)) as splitter:
            assert splitter.choice(()) is None
        formula.clause([-x(1), -x(2)])


@pytest.fixture
def in_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process does all of the work, and splits it as far as possible."""
    monkeypatch.setattr(parts, "open_workers", lambda *_: here())
    set_target(monkeypatch)


def models(formula: Formula, backend: str) -> list[frozenset[int]]:
    enumeration = jigsat.models(formula, backend=backend, jobs=2)
    found = [model.variables for model in enumeration]
    assert enumeration.result.complete and enumeration.result.solutions == len(found) == len(
        set(found)
    )
    return found


@every_general
@pytest.mark.usefixtures("in_one_process")
def test_every_backend_finds_the_models_part_by_part(backend: str) -> None:
    for case in truth.fixed(cases(4)):
        assert set(models(truth.formula(*case), backend)) == truth.table(*case), case


@pytest.mark.parametrize("backend", [name for name in CAPABILITIES if name not in GENERAL])
@pytest.mark.usefixtures("in_one_process")
def test_engines_for_certain_formulas_search_parts_as_well(backend: str) -> None:
    taken = 0
    number = {"cover": 1200, "scan": 600}.get(backend, 100)  # they accept few of them, but quickly
    for case in truth.fixed(cases(number)):
        try:
            found = models(truth.formula(*case), backend)
        except InputError:
            continue
        taken += len(found)
        assert set(found) == truth.table(*case), case
    assert taken > 3


@pytest.mark.usefixtures("in_one_process")
def test_what_the_first_search_found_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (0, 3):
        monkeypatch.setattr(portfolio, "STAGES", changed({DEFAULT: {"models": number}}))
        for level, distinct in {"nothing": 96, "rotation": 4}.items():
            cubes: Any = jigsat.solutions("cube", up_to=level, jobs=2)
            assert len({cube.placements for cube in cubes}) == cubes.found == distinct
            assert (cubes.result.solutions, cubes.result.complete) == (96, True)
            assert cubes.result.distinct == {"rotation": 4, "reflection": 2}
            some: Any = jigsat.solutions("cube", up_to=level, jobs=2, limit=2)
            assert len({cube.placements for cube in some}) == some.found == 2
        count = jigsat.count("cube", jobs=2)
        assert (count.solutions, count.distinct, count.complete) == (
            96,
            {"rotation": 4, "reflection": 2},
            True,
        )


@pytest.mark.parametrize("backend", ["cadical195", "clingo", "cover"])
def test_orbits_in_several_parts_are_counted_once(backend: str) -> None:
    if backend not in CAPABILITIES:
        pytest.skip(f"{backend} is not installed")
    alone = jigsat.solutions("cats-reuse", backend=backend)
    together = jigsat.solutions("cats-reuse", backend=backend, jobs=2)
    assert {solution.placements for solution in alone} == {
        solution.placements for solution in together
    }
    for result in (together.result, jigsat.count("cats-reuse", backend=backend, jobs=2)):
        for field in ("solutions", "distinct", "complete", "established_by"):
            assert getattr(result, field) == getattr(alone.result, field)
        assert result.statistics["subproblems"] > 2


def test_a_limit_is_respected() -> None:
    enumeration = jigsat.Enumeration("cats-reuse", backend="cover", jobs=2, limit=7, isolated=True)
    assert len({solution.placements for solution in enumeration}) == 7
    assert (enumeration.result.complete, enumeration.result.stopped_by) == (False, "limit")


@pytest.mark.parametrize(
    "options", [{"up_to": "automorphism"}, {"lowering": jigsat.Lowering("pairwise")}], ids=str
)
def test_what_cannot_be_split_is_searched_by_one_process(options: Any) -> None:
    cubes: Any = jigsat.solutions("cube", jobs=2, **options)
    assert list(cubes) and (cubes.result.solutions, cubes.result.complete) == (96, True)
    assert "subproblems" not in cubes.result.statistics


def test_the_first_solutions_of_a_puzzle_that_cannot_be_sent_are_not_repeated() -> None:
    def limited(seconds: float) -> tuple[Any, list[int]]:
        # the family is not registered
        enumeration = jigsat.solutions(Pigeons(family="pigeons"), jobs=2, timeout=seconds)
        return enumeration, [solution.placements[0].way for solution in enumeration]

    enumeration, found = with_time(limited, lambda ended: len(ended[1]) == 5)
    assert sorted(found) == [1, 2, 3, 4, 5]
    assert (enumeration.result.complete, enumeration.result.stopped_by) == (False, "timeout")


def test_a_killed_process_ends_the_search_and_its_solutions_are_kept() -> None:
    # A puzzle whose search takes much longer than the time until its first solution.
    enumeration = jigsat.solutions("pentominoes-6x10", backend="cadical195", jobs=2)
    found = {next(enumeration).placements}
    for process in below(os.getpid()):
        os.kill(process, signal.SIGKILL)
    found |= {solution.placements for solution in enumeration}
    assert enumeration.found == len(found)
    assert enumeration.result.stopped_by == "crash: a process of jigsat was killed by SIGKILL"
    assert not enumeration.result.complete


def test_an_unfinished_search_does_not_keep_python_from_ending() -> None:
    script = (
        "import jigsat; found = jigsat.solutions('soma', backend='z3', jobs=2, limit=1); "
        "print(next(found).puzzle.name)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=LONG
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "soma\n", "")
