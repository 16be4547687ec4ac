"""Every installed backend finds the same models of the same formulas; every lowering that makes a
difference is tried."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import cache, partial
from typing import Any

import pytest
from support import truth
from support.installed import CAPABILITIES, GENERAL, LOWERINGS, PROGRAMS
from support.quick import cases

from jigsat import Formula, InputError, Lowered, Lowering, Stopped, load
from jigsat.backends.base import DEFAULT
from jigsat.backends.registry import open_backend
from jigsat.instance import instances
from jigsat.runtime.child import Child
from jigsat.search.portfolio import models
from jigsat.symmetry.group import Group, Model

QUICK = ("black-and-white", "cats", "lights-5x5", "push-pull", "sudoku-6x6")
"""The instances of a quick run, two of them with each backend."""
FAST = [
    path.stem
    for path in instances()
    if path.stem not in ("black-and-white-batch", "fish-plain", "soma")
    and not path.stem.startswith(("hexiamonds", "polycube", "pentagons", "pentominoes"))
    and 0 <= (-1 if (known := load(path).known.solutions) is None else known) <= 1500
]

LOWERED = {
    CAPABILITIES[backend].native: backend
    for backend in [*sorted(CAPABILITIES, key=GENERAL.__contains__), DEFAULT]
}
"""A backend for each set of constraints that need not be lowered; others with the same set get the
same clauses."""

LIMIT = 10
"""Seconds for a backend with a lowering; longer runs are inconclusive and reported as expected
failures."""


def different(formula: Formula, native: frozenset[str]) -> list[Lowering]:
    """The lowerings with which a backend gets different constraints."""
    found: dict[int, Lowering] = {}
    for lowering in LOWERINGS:
        found.setdefault(hash(tuple(Lowered(formula, lowering, native))), lowering)
    return list(found.values())


def takes(formula: Formula, backend: str) -> bool:
    """Whether a backend accepts a formula; one that accepts clauses accepts every formula."""
    try:
        next(models(formula, backend), None)
    except InputError:
        assert backend not in GENERAL
        return False
    return True


@pytest.mark.parametrize(
    "backend",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in PROGRAMS else [])
        for name in CAPABILITIES
    ],
)
def test_random_formulas(backend: str) -> None:
    native, found_at_all = CAPABILITIES[backend].native, 0
    number = cases(40 if backend in GENERAL else 1000)
    for index, formula in enumerate(random_formulas(number)):
        if not takes(formula, backend):
            continue
        for lowering in different(formula, native):
            found = list(models(formula, backend, lowering=lowering))
            assert len(found) == len(set(found)), (lowering, index)
            assert set(found) == expected_models(number, index), (lowering, index)
            found_at_all += len(found)
    assert found_at_all > cases(20)


@cache
def random_formulas(number: int) -> list[Formula]:
    """The same formulas for every backend."""
    return [truth.formula(*case) for case in truth.fixed(number)]


@cache
def expected_models(number: int, index: int) -> set[frozenset[int]]:
    """The models of one of them, by trying all assignments."""
    return truth.table(*truth.fixed(number)[index])


@cache
def encoded(name: str) -> tuple[Formula, Group]:
    puzzle = load(name)
    formula = puzzle.encode()
    return formula, Group.of(formula, puzzle.symmetries())


@cache
def different_for(name: str, native: frozenset[str]) -> list[Lowering]:
    return different(encoded(name)[0], native)


def orbits(name: str, backend: str, lowering: Lowering) -> list[Model]:
    """The smallest member of every orbit of models."""
    formula, group = encoded(name)
    found = models(formula, backend, lowering=lowering, group=group, up_to="all")
    return sorted((min(group.orbit(model, "all"), key=sorted) for model in found), key=sorted)


def listed(name: str, backend: str, lowering: Lowering) -> list[list[Model]]:
    """The same, yielded by a child process."""
    return [orbits(name, backend, lowering)]


@cache
def expected_of(name: str) -> list[Model]:
    return orbits(name, DEFAULT, Lowering())


def pairs() -> Iterator[Any]:
    for name in FAST:
        for number, backend in enumerate(CAPABILITIES):
            quick = backend not in PROGRAMS and name in (QUICK[number % 5], QUICK[(number + 2) % 5])
            yield pytest.param(
                name,
                backend,
                False,
                marks=[] if quick else pytest.mark.slow,
                id=f"{name}-{backend}",
            )
            if backend in LOWERED.values():
                yield pytest.param(
                    name,
                    backend,
                    True,
                    marks=pytest.mark.slow,
                    id=f"{name}-{backend}-every-lowering",
                )


@pytest.mark.parametrize(("name", "backend", "every_lowering"), list(pairs()))
def test_instances(name: str, backend: str, every_lowering: bool) -> None:
    if backend in PROGRAMS and (load(name).known.solutions or 0) > 100:
        pytest.skip(f"{backend} would be run hundreds of times")
    for lowering in (
        different_for(name, CAPABILITIES[backend].native)[1:] if every_lowering else LOWERINGS[:1]
    ):
        try:
            found = next(
                Child(
                    partial(listed, name, backend, lowering), timeout=60 if name in QUICK else LIMIT
                )
            )
        except InputError:
            assert backend not in GENERAL
            pytest.skip(f"{backend} does not take it")
        except Stopped as stopped:
            assert (str(stopped), name in QUICK) == ("timeout", False), lowering
            pytest.xfail(f"{backend} takes more than {LIMIT} s with {lowering}")
        assert found == expected_of(name), lowering


@pytest.mark.parametrize("backend", GENERAL)
def test_a_formula_without_variables_has_one_model(backend: str) -> None:
    with closing(open_backend(backend)) as solver:
        solver.project(())
        solver.load(Formula())
        assert solver.solve()
        assert not list(solver.model())
