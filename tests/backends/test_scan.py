"""The search in a fixed order: it finds the same solutions as other backends, wherever it
applies."""

from __future__ import annotations

import random
from array import array
from contextlib import closing
from itertools import islice, product
from typing import Any

import pytest
from jigsat.encodings.edge_matching.rules import EdgeMatching
from support.boards import board
from support.stages import changed

from jigsat.backends import DEFAULT, open_backend
from jigsat.backends.engine import numbers_of
from jigsat.backends.scan import Scan
from jigsat.errors import InputError, Stopped
from jigsat.formula import Formula
from jigsat.instance import load
from jigsat.search import portfolio
from jigsat.search.portfolio import explain_plan, models

engine: Any = pytest.importorskip(
    "jigsat.backends.engine._engine", reason="jigsat was installed without a C compiler"
)


def test_it_finds_the_solutions_of_random_boards() -> None:
    found = suited = 0
    for seed in range(60):
        formula = board(seed)
        expected = set(models(formula))
        with closing(open_backend("scan")) as backend:
            backend.project(formula.decisions())
            backend.load(formula)
            if not backend.pays():
                continue
        listed = list(models(formula, "scan"))
        assert len(listed) == len(set(listed))
        assert set(listed) == expected, seed
        assert set(models(formula, "auto")) == expected
        suited += 1
        found += len(expected)
    assert suited >= 50
    assert found >= 300


@pytest.mark.parametrize(
    ("turning", "labels"), [(False, "abcd"), (False, "abc"), (True, "abcdefghijkl")]
)
def test_it_fills_larger_boards_in_several_levels(turning: bool, labels: str) -> None:
    rng = random.Random(labels)
    down, across = ([[rng.choice(labels) for _ in range(5)] for _ in range(5)] for _ in range(2))
    sides = [
        (down[r][c], across[r][c + 1], down[r + 1][c], across[r][c])
        for r, c in product(range(4), repeat=2)
    ]
    tiles = {f"t{i}": {"sides": side} for i, side in enumerate(sides)}
    formula = EdgeMatching(board="square 4x4", tiles=tiles, turning=turning).encode()
    expected = set(models(formula, "cadical195"))
    listed = list(models(formula, "scan"))
    assert len(listed) == len(set(listed)) > 0
    assert set(listed) == expected


def test_assumptions_and_clauses_restrict_it() -> None:
    formula = load("cats").encode()
    everything = set(models(formula))
    variable = next(
        x
        for x in formula.decisions()
        if 0 < sum(x in model for model in everything) < len(everything)
    )
    with closing(open_backend("scan")) as backend:
        backend.project(formula.decisions())
        backend.load(formula)
        for assumed in ([variable], [-variable], []):
            listed = set()
            while backend.solve(assumed):
                listed.add(frozenset(backend.model()))
            assert listed == {
                model for model in everything if all((abs(x) in model) == (x > 0) for x in assumed)
            }


def test_it_stops_at_its_limit_and_continues() -> None:
    formula = load("cats").encode()
    with closing(open_backend("scan")) as backend:
        backend.project(formula.decisions())
        backend.load(formula)
        backend.limit(10)
        with pytest.raises(Stopped):
            backend.solve()
        nodes = backend.statistics()["nodes"]
        assert nodes > 0
        assert 0 <= (backend.progress() or 0) < 1
        backend.limit(None)
        assert sum(1 for _ in iter(backend.solve, False)) == 4
        assert backend.statistics()["nodes"] > 2 * nodes
        assert backend.progress() == 1


def test_tiles_that_are_alike_but_for_their_picture_are_exchanged_in_solutions() -> None:
    formula = Formula()
    place = formula.variables("place", {"cell": range(3), "tile": range(3)})
    for i in range(3):
        formula.exactly_one(place[i, :])
        formula.exactly_one(place[:, i])
    for edge in range(2):
        label = formula.choice("label", "ab", decision=False, edge=edge)
        for cell, tile in product((edge, edge + 1), range(3)):
            formula.implies(place(cell, tile), label("a"))
    search = engine.Scan(formula.top, numbers_of(formula), array("i", formula.decisions()))
    listed = []
    while found := search.step(1000):
        listed.append(found)
    assert len(set(listed)) == len(listed) == 6
    assert search.over
    assert search.nodes == 2  # one level with one entry


def test_refused_exchanges_of_tiles_that_are_alike_count_as_nodes() -> None:
    size = 12
    formula = Formula()
    place = formula.variables("place", {"cell": range(size), "tile": range(size)})
    for i in range(size):
        formula.exactly_one(place[i, :])
        formula.exactly_one(place[:, i])
    for edge in range(size - 1):
        label = formula.choice("label", "ab", decision=False, edge=edge)
        for cell, tile in product((edge, edge + 1), range(size)):
            formula.implies(place(cell, tile), label("a"))
    odd = [place(cell, tile) for cell, tile in product(range(size), repeat=2) if (cell + tile) % 2]
    even = [
        place(cell, tile) for cell, tile in product(range(size), repeat=2) if not (cell + tile) % 2
    ]
    formula.at_least(1, odd)
    formula.at_least(size - 1, even)  # impossible: an arrangement has an even number of odd places
    search = engine.Scan(formula.top, numbers_of(formula), array("i", formula.decisions()))
    assert search.suits
    assert search.step(100_000) is None  # there are 12! exchanges
    assert not search.over


@pytest.mark.parametrize("instance", ["soma", "cube", "lights-5x5"])
def test_it_refuses_other_formulas(instance: str) -> None:
    formula = load(instance).encode()
    with closing(Scan()) as backend, pytest.raises((InputError, TypeError)):
        backend.project(formula.decisions())
        backend.load(formula)
        assert not backend.pays()
        backend.solve()


def test_it_applies_without_colours_but_does_not_pay() -> None:
    formula = load("sudoku-4x4-empty").encode()
    with closing(Scan()) as backend:
        backend.project(formula.decisions())
        backend.load(formula)
        assert not backend.pays()
        assert sum(1 for _ in iter(backend.solve, False)) == 288


def test_all_cells_may_be_assumed() -> None:
    formula = load("cats").encode()
    model, *_ = models(formula)
    with closing(Scan()) as backend:
        backend.project(formula.decisions())
        backend.load(formula)
        for number in range(9):
            assert backend.solve(sorted(model)[: 9 - number])
            assert number > 1 or frozenset(backend.model()) == model


def test_a_formula_without_models_ends_at_once() -> None:
    formula = board(1)
    formula.clause([formula.decisions()[0]])
    formula.clause([-formula.decisions()[0]])
    search = engine.Scan(formula.top, numbers_of(formula), array("i", formula.decisions()))
    assert search.suits
    assert search.step(10) is None
    assert search.over


def test_auto_continues_with_it_if_it_promises_to_end_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = load("cats").encode()
    assert "scan takes over if it promises to end soon" in explain_plan(formula)
    monkeypatch.setattr(portfolio, "STAGES", changed({DEFAULT: {"effort": 1}}))
    found = models(formula, "auto")
    assert len(set(found)) == 4
    assert found.backend == "scan"


def test_many_solutions_do_not_end_it() -> None:
    found = models(load("cats-reuse").encode(), "auto")
    assert len(set(found)) == 1272
    assert found.backend == "scan"


def test_a_resumed_search_goes_the_same_way_as_a_new_one() -> None:
    formula = load("cats-reuse").encode()
    known = set(islice(models(formula), 200))
    found = models(formula, "auto", known=known)
    assert known.isdisjoint(rest := set(found))
    assert (len(rest), found.backend) == (1072, "scan")


@pytest.mark.parametrize("nodes", [5, 50, 200])
def test_auto_keeps_what_it_found_if_another_backend_continues(
    nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    formula = load("cats-reuse").encode()
    expected = set(models(formula))
    for other in ("cover", "cadical195"):
        stages = changed({DEFAULT: {"effort": 1}, "scan": {"effort": nodes}})
        stages = tuple(
            stage
            for stage in stages
            if stage.effort in (1, nodes) or (stage.shared and stage.backend == other)
        )
        monkeypatch.setattr(portfolio, "STAGES", stages)
        found = models(formula, "auto")
        listed = list(found)
        assert len(listed) == len(set(listed))
        assert set(listed) == expected
        assert found.backend == other


@pytest.mark.parametrize(
    ("numbers", "decisions", "error"),
    [([2, 1, 1], [1], ValueError), ([1, 1, 1], [2], ValueError), ([1, 1, 2], [1], ValueError)],
)
def test_invalid_numbers_are_refused(numbers: list[int], decisions: list[int], error: Any) -> None:
    with pytest.raises(error):
        engine.Scan(1, array("i", numbers), array("i", decisions))
