"""The least objective by MaxSAT, compared with all models."""

import json
import random
import re
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.forked import run
from support.quick import cases
from support.waiting import with_time

import jigsat
from jigsat.answering import ways as strategies
from jigsat.answering.enumeration import Enumeration
from jigsat.backends import Bounds, gf2
from jigsat.errors import CheckError, InputError
from jigsat.formula import solution_blocks
from jigsat.formula.formula import Formula
from jigsat.puzzle import Puzzle
from jigsat.questions import Result
from jigsat.search.portfolio import bound_least, least, models
from jigsat.symmetry.levels import Symmetry

literals = st.integers(1, 5).flatmap(lambda variable: st.sampled_from([variable, -variable]))


@settings(deadline=None, max_examples=cases(100))
@given(
    st.lists(st.lists(literals, min_size=1, max_size=4), max_size=8),
    st.lists(st.lists(literals, max_size=4), max_size=2),
    st.lists(literals, unique=True, min_size=1),
)
def test_least_of_all_models(
    clauses: list[list[int]], xors: list[list[int]], objective: list[int]
) -> None:
    formula = Formula()
    formula.variables("x", ("i",), [(i,) for i in range(5)])
    for clause in clauses:
        formula.clause(clause)
    for xor in xors:
        formula.xor(xor)
    formula.minimize(objective)
    costs = [sum((abs(x) in model) == (x > 0) for x in objective) for model in models(formula)]
    assert least(formula) == min(costs, default=None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            gf2, "MAX_TESTED_NULLITY", -1
        )  # MaxSAT finds the minimum instead of listing the solutions of the XORs
        assert least(formula) == min(costs, default=None)


@settings(deadline=None, max_examples=cases(100))
@given(
    st.lists(st.lists(literals, min_size=1, max_size=4), max_size=12),
    st.dictionaries(st.integers(1, 5), st.integers(-4, 4), min_size=1),
)
def test_bounds_enclose_the_minimum(clauses: list[list[int]], objective: dict[int, int]) -> None:
    formula = Formula()
    formula.variables("x", ("i",), [(i,) for i in range(5)])
    for clause in clauses:
        formula.clause(clause)
    formula.minimize(objective)
    every = {model: formula.cost(model) for model in models(formula)}
    bounds = list(bound_least(formula))
    assert bool(bounds) == bool(every)
    if every:
        minimum = min(every.values())
        assert all(each.lower <= minimum <= each.best for each in bounds)
        assert all(every[each.model & {1, 2, 3, 4, 5}] == each.best for each in bounds)
        lower = [each.lower for each in bounds]
        assert (lower, bounds[-1].best) == (sorted(lower), minimum)


def test_a_search_for_the_minimum_that_is_stopped_states_its_bounds(tmp_path: Path) -> None:
    file = tmp_path / "lights.toml"
    file.write_text('family = "lights-out"\nboard = "square 39x39"\nlit = "all"\n')

    def stop_after(seconds: float) -> dict[str, Any]:
        done = run("solve", file, "--minimize", "--json", "--timeout", seconds)
        assert done.status == 3
        answer: dict[str, Any] = json.loads(done.out)
        return answer

    answer = with_time(stop_after, lambda answer: answer["lower_bound"])
    assert 0 < answer["lower_bound"] <= answer["best_cost"]
    # The first solution that linear algebra finds has more than 650 presses.
    assert answer["best_cost"] < 650
    assert (answer["minimum"], answer["minimum_proved"]) == (None, False)
    (best,) = answer["found"]
    assert (answer["solutions"], len(best)) == (1, answer["best_cost"])
    said = Result("lights", "auto", minimum_proved=False, lower_bound=170, best_cost=456)
    assert "the minimum is at least 170 (proved), and the best cost found is 456; inc" in str(said)

    done = jigsat.minimum("lights-5x5")
    assert (done.minimum, done.lower_bound, done.best_cost) == (15, None, None)


def test_the_best_model_is_printed_if_the_search_is_stopped(tmp_path: Path) -> None:
    rng = random.Random(1)
    weights = [f"{rng.randint(1, 99)} x{i}" for i in range(1, 401)]
    lines = ["* #variable= 400 #constraint= 1500", f"min: {' '.join(weights)} ;"]
    for _ in range(1500):
        chosen = rng.sample(range(1, 401), 4)
        lines.append(" ".join(f"1 {rng.choice(['', '~'])}x{i}" for i in chosen) + " >= 1 ;")
    path = tmp_path / "hard.opb"
    path.write_text("\n".join(lines))

    def stop_after(seconds: float) -> str:
        done = run("solve", path, "--minimize", "--timeout", seconds)
        assert done.status == 3
        return done.out

    out = with_time(stop_after, lambda out: "best cost found" in out)
    assert "no solution" not in out and ": at least 1 solution; the minimum is at least" in out
    heading, _, values, *_ = out.splitlines()
    assert heading == "The best solution found" and values.startswith("v ")
    cost = re.search(r"the best cost found is (\d+)", out)
    assert cost is not None
    true = {int(value) for value in values.split()[1:-1] if not value.startswith("-")}
    assert sum(int(weights[i - 1].split()[0]) for i in true) == int(cost[1])


def test_fewest_presses_among_a_million_solutions(tmp_path: Path) -> None:
    file = tmp_path / "lights.toml"
    file.write_text('family = "lights-out"\nboard = "square 30x30"\nlit = "all"\n')
    done = jigsat.minimum(file)
    assert (done.minimum, done.minimum_proved) == (376, True)  # by another program
    assert (done.solutions, done.established_by) == (4, "rank")


@settings(deadline=None, max_examples=cases(60))
@given(
    st.lists(st.lists(st.integers(1, 7), max_size=4), max_size=4),
    st.dictionaries(st.integers(1, 7), st.integers(-3, 5), min_size=1),
    st.integers(-4, 9),
)
def test_solutions_in_blocks_of_any_size(
    xors: list[list[int]], objective: dict[int, int], bound: int
) -> None:
    formula = Formula()
    formula.variables("x", ("i",), [(i,) for i in range(7)])
    for xor in xors:
        formula.xor(xor)
    formula.linear(objective, at_most=bound)
    formula.minimize(objective)
    every = {model: formula.cost(model) for model in models(formula)}
    for size in (1, 2, 16):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(solution_blocks, "BLOCK_BITS", size)
            assert set(models(formula, "gf2")) == every.keys()
            assert least(formula) == min(every.values(), default=None)


class Chosen(NamedTuple):
    item: int


class Choose(Puzzle):
    """Choose at least `few` of the items 0 to 3, and as few expensive ones as possible."""

    family: str = "choose"
    few: int
    dear: tuple[int, ...]

    def encode(self) -> Formula:
        formula = Formula()
        chosen = formula.variables("chosen", Chosen._fields, map(Chosen, range(4)))
        formula.at_least(self.few, chosen[:])
        formula.minimize(chosen(item) for item in self.dear)
        return formula

    def check(self, placements: Sequence[Chosen]) -> Iterator[str]:
        if len(placements) < self.few:
            yield "too few"

    def symmetries(self) -> Iterator[Symmetry]:
        for images in permutations(range(4)):
            yield Symmetry(
                "rotation", {Chosen(item): Chosen(image) for item, image in enumerate(images)}
            )

    def text(self, placements: Sequence[Chosen]) -> str:
        return str(placements)

    def svg(self, placements: Sequence[Chosen]) -> str:
        return ""


@pytest.mark.parametrize(("few", "dear"), list(product(range(5), [(0,), (0, 1), (0, 1, 2, 3)])))
def test_only_symmetries_that_keep_the_objective_count(few: int, dear: tuple[int, ...]) -> None:
    sets = [{item for item in range(4) if bits >> item & 1} for bits in range(16)]
    costs = {frozenset(chosen): len(chosen & set(dear)) for chosen in sets if len(chosen) >= few}
    attained = [chosen for chosen, cost in costs.items() if cost == min(costs.values())]
    result = jigsat.minimum(Choose(few=few, dear=dear))
    assert (result.minimum, result.solutions) == (min(costs.values()), len(attained))
    # equally expensive items are equivalent, so the numbers of expensive and cheap items identify
    # an orbit
    orbits = {(len(chosen & set(dear)), len(chosen - set(dear))) for chosen in attained}
    assert result.distinct == {"rotation": len(orbits)}
    assert result.complete


def test_without_minimize_all_solutions_are_found() -> None:
    assert jigsat.count(Choose(few=3, dear=(0,))).solutions == 5
    assert jigsat.count(Choose(few=3, dear=(0,))).minimum is None


def test_a_puzzle_without_an_objective_is_refused() -> None:
    with pytest.raises(InputError, match=r"cats: .* nothing to minimise"):
        jigsat.minimum("cats")


def test_a_wrong_minimum_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Bounds(2, 2, frozenset([1]))
    monkeypatch.setattr(strategies, "bound_least", lambda *_: [wrong])
    with pytest.raises(CheckError, match="costs 1, but the minimum is 2"):
        list(Enumeration(Choose(few=1, dear=(0, 1, 2, 3)), minimize=True))


def test_what_can_be_minimised() -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(1,)])
    y = formula.variables("y", ("i",), [(1,)], decision=False)
    with pytest.raises(ValueError, match="decision"):
        formula.minimize(y[:])
    with pytest.raises(ValueError, match="repeated"):
        formula.minimize([*x[:], *x[:]])
