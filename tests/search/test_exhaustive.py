"""Searches that give up some of their branches: together with searches of these branches, they find
every model once."""

from __future__ import annotations

import math
from collections import Counter
from contextlib import closing

import pytest
from hypothesis import event, given, settings
from support import truth
from support.boards import alike_in_turn
from support.installed import CAPABILITIES
from support.quick import cases

from jigsat import Formula, InputError, load
from jigsat.backends import Branching
from jigsat.search import exhaustive
from jigsat.search.exhaustive import Exhaustive, Literals
from jigsat.search.portfolio import models

BACKENDS = [
    name
    for name in ("cover", "scan", "cadical195", "minisat22", "clingo", "gf2")
    if name in CAPABILITIES
]


@pytest.fixture(autouse=True)
def short_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search looks at the clock after each node or conflict."""
    monkeypatch.setattr(exhaustive, "FIRST_PART_NODES", 1)
    monkeypatch.setattr(exhaustive, "CLOCK_INTERVAL_S", 0.0)
    monkeypatch.setattr(exhaustive, "CONFLICTS_PER_CHECK", 1)


def holds(literal: int, model: frozenset[int]) -> bool:
    return (abs(literal) in model) == (literal > 0)


def searched(
    search: Exhaustive, cube: Literals, until: float
) -> tuple[list[frozenset[int]], list[Literals]]:
    """The models in the branches that are finished, and the cubes of those given up."""
    finished, models, rest = list[frozenset[int]](), list[frozenset[int]](), list[Literals]()
    for found in search.models(cube, until):
        if not isinstance(found, Branching):
            models += found
            continue
        assert {found.taken, *found.rest} - {None} <= set(found.literals)
        branches: dict[int, list[frozenset[int]]] = {literal: [] for literal in found.literals}
        for model in models:
            (literal,) = (literal for literal in found.literals if holds(literal, model))
            branches[literal].append(model)
        for literal in set(found.literals) - {found.taken, *found.rest}:
            finished += branches[literal]
        rest += [(*cube, literal) for literal in found.rest]
        models = branches.get(found.taken or 0, [])
        cube = (*cube, found.taken or 0)
    return finished + models, rest


def every(search: Exhaustive, until: float) -> tuple[Counter[frozenset[int]], int]:
    """All models with the number of times that they are found, and the number of cubes that were
    given up."""
    found, given_up = Counter[frozenset[int]](), 0
    waiting: list[Literals] = [()]
    while waiting:
        cube = waiting.pop()
        models, rest = searched(search, cube, until)
        assert all(holds(literal, model) for model in models for literal in cube)
        found.update(models)
        waiting += rest
        given_up += len(rest)
    return found, given_up


@pytest.mark.parametrize("backend", BACKENDS)
@settings(max_examples=cases(60), derandomize=True, deadline=None)
@given(case=truth.instances())
def test_models_are_found_once_whatever_is_given_up(
    backend: str, case: tuple[list[truth.Spec], int, int]
) -> None:
    try:
        search = Exhaustive(truth.formula(*case), backend)
    except InputError:
        return
    with closing(search):
        try:
            for until in (-math.inf, math.inf):
                found, given_up = every(search, until)
                assert found == Counter(truth.table(*case))
                assert until < 0 or not given_up
                event(f"{until}: {'divided' if given_up else 'whole'}")
        except InputError:
            assert backend in ("cover", "scan", "gf2")


@pytest.mark.parametrize("backend", ["cover", "cadical195", "clingo"])
@pytest.mark.parametrize(
    ("instance", "number"),
    [(("dominoes-6x8", {"board": "####\n####\n####"}), 11), (("cats", {}), 4)],
)
def test_puzzles_are_searched_in_parts(
    backend: str, instance: tuple[str, dict[str, str]], number: int
) -> None:
    if backend not in CAPABILITIES:
        pytest.skip(f"{backend} is not installed")
    with closing(Exhaustive(load(instance[0], **instance[1]).encode(), backend)) as search:
        found, given_up = every(search, -math.inf)
        assert (len(found), set(found.values())) == (number, {1})
        assert given_up > 5
        assert every(search, math.inf) == (found, 0)


@pytest.mark.parametrize("seed", [*range(5), pytest.param(5, marks=pytest.mark.slow)])
def test_boards_with_tiles_that_are_alike_are_searched_in_parts(seed: int) -> None:
    formula = alike_in_turn(seed).encode()
    expected = Counter(models(formula, "cadical195"))
    with closing(Exhaustive(formula, "scan")) as search:
        assert every(search, math.inf) == (expected, 0)
        found, given_up = every(search, -math.inf)
        assert found == expected
        assert given_up or seed % 2
        for _, choice in zip(range(8), search.splitter.choices(()), strict=False):
            parts = Counter[frozenset[int]]()
            for literal in choice.open:
                parts.update(searched(search, (literal,), math.inf)[0])
            assert parts == expected


def test_a_search_with_a_tree_loses_nothing() -> None:
    """The parts together have about as many nodes as the whole."""
    formula = Formula()
    place = formula.variables(
        "queen", ("row", "column"), [(r, c) for r in range(6) for c in range(6)]
    )
    for i in range(6):
        formula.exactly_one(place[i, :])
        formula.exactly_one(place[:, i])
    for d in range(1, 5):
        for line in ([(r, r + d) for r in range(6 - d)], [(r + d, r) for r in range(6 - d)]):
            formula.at_most_one(place(r, c) for r, c in line)
            formula.at_most_one(place(r, 5 - c) for r, c in line)
    for line in ([(r, r) for r in range(6)], [(r, 5 - r) for r in range(6)]):
        formula.at_most_one(place(r, c) for r, c in line)
    with closing(Exhaustive(formula, "cover")) as search:
        assert every(search, math.inf)[0].total() == 4
        whole = search.nodes
        found, given_up = every(search, -math.inf)
        assert found.total() == 4
        assert given_up > 4
        assert search.nodes - whole <= whole + 7 * given_up, (
            "each part enters at most one more node per level of its path"
        )


def test_a_choice_adds_no_nodes() -> None:
    with closing(Exhaustive(load("cats").encode(), "cover")) as search:
        found, _ = every(search, math.inf)
        nodes = search.nodes
        assert found.total() == 4 and search.choice(()) is not None
        assert every(search, math.inf)[0] == found
        assert search.nodes == 2 * nodes
