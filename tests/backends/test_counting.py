"""Counting without a list, compared with solvers that list, on random formulas and instances with
known counts."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from support.inside import jigsat
from support.quick import cases

from jigsat import Formula, InputError
from jigsat.answering.ways import count_without_listing
from jigsat.backends import counting, find, frontier, open_backend
from jigsat.backends.engine import is_compiled
from jigsat.confirmation import confirm
from jigsat.errors import NotWorthwhile
from jigsat.instance import load
from jigsat.search.portfolio import find_counting_engine, models
from jigsat.symmetry.burnside import fixed_by
from jigsat.testing import check_backend

pytestmark = pytest.mark.skipif(
    not is_compiled(), reason="jigsat was installed without a C compiler"
)
OPTIONS: dict[str, Any] = {"derandomize": True, "deadline": None}


def dominoes(rows: int, columns: int) -> Any:
    board = "\n".join(["#" * columns] * rows)
    return load("dominoes-6x8", board=board)


def random_cover(rng: random.Random) -> Formula:
    """Items and sums over decision variables; sometimes conflicts, through clauses or auxiliary
    variables for colours."""
    formula = Formula()
    number = rng.randint(1, 10)
    x = formula.variables("x", ("i",), [(i,) for i in range(number)])[:]
    for i in range(0, number, step := rng.randint(1, 4)):
        formula.exactly_one({*x[i : i + step], *rng.sample(x, rng.choice([0, 0, min(2, number)]))})
    for _ in range(rng.choice([0, 0, 1, 2])):
        least = rng.randint(-1, 2)
        formula.between(least, least + rng.randint(0, 3), rng.sample(x, rng.randint(1, number)))
    if rng.random() < 0.5:
        for a, b in combinations(x, 2):
            if rng.random() < 0.1:
                formula.clause([-a, -b])
    if rng.random() < 0.3:
        for edge in range(rng.randint(1, 3)):
            colour = formula.choice("colour", range(3), edge=edge, decision=False)
            for variable in x:
                if rng.random() < 0.7:
                    formula.implies(variable, colour(rng.randrange(3)))
            formula.clause([colour(0), *x])
    return formula


def agree(formula: Formula, seed: int) -> None:
    expected = len(list(models(formula, "cadical195")))
    try:
        found = counting.count(formula)
    except InputError:
        event("refused")
        return
    event(f"models: {min(expected, 2)}")
    assert found == expected, seed


@settings(max_examples=cases(400), **OPTIONS)
@given(st.integers(0, 2**32))
def test_it_counts_what_a_sat_solver_finds(seed: int) -> None:
    agree(random_cover(random.Random(seed)), seed)


@settings(max_examples=cases(300), **OPTIONS)
@given(st.integers(0, 2**32))
def test_equal_variables_are_counted_once(seed: int) -> None:
    """Burnside's lemma equates the variables of each cycle of a symmetry; here it is any
    permutation."""
    rng = random.Random(seed)
    formula = random_cover(rng)
    decisions = formula.decisions()
    moved = rng.sample(decisions, rng.randint(0, len(decisions)))
    shuffled = rng.sample(moved, len(moved))
    images = {x: x for x in decisions} | dict(zip(moved, shuffled, strict=True))
    agree(fixed_by(formula, images), seed)


def test_it_passes_check_backend() -> None:
    check_backend("counting")


def test_domino_tilings_up_to_symmetry() -> None:
    result = count_without_listing(dominoes(8, 8), "counting")
    assert (result.solutions, *result.distinct.values()) == (12_988_816, 3_248_546, 1_629_189)
    assert (result.complete, result.established_by) == (True, "counting")


def test_a_number_of_several_words() -> None:
    """Two words, by Kasteleyn's formula; up to symmetry by another program."""
    result = count_without_listing(dominoes(16, 16), "counting")
    assert result.solutions == 2_444_888_770_250_892_795_802_079_170_816
    assert result.distinct["reflection"] == 305_611_096_281_378_760_240_051_639_364


@pytest.mark.parametrize("name", ["cats", "cats-reuse", "sudoku-4x4-empty", "pentominoes-3x20"])
def test_instances_have_their_known_numbers_of_solutions(name: str) -> None:
    puzzle = load(name)
    result = count_without_listing(puzzle, "counting")
    known = puzzle.known
    assert (result.solutions, result.distinct) == (
        known.solutions,
        {**known.distinct()} | result.distinct,
    )


@pytest.mark.parametrize("name", ["cube-flat"])
def test_formulas_other_than_exact_covers_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="use another backend"):
        counting.count(load(name).encode())


def test_it_gives_up_if_listing_is_faster() -> None:
    with pytest.raises(NotWorthwhile, match="does not pay"):
        counting.count(
            load("pentominoes-6x10").encode(),
            max_unprofitable=counting.MAX_UNPROFITABLE_STATES_AUTO,
        )


def test_the_memory_limit_is_respected() -> None:
    with pytest.raises(NotWorthwhile, match="more than 4 MiB"):
        counting.count(dominoes(14, 14).encode(), memory=2**22)


def test_it_cannot_list_solutions() -> None:
    with pytest.raises(InputError, match="jigsat count"):
        open_backend("counting")


def test_auto_uses_it_only_for_exact_covers() -> None:
    def name(instance: str) -> str | None:
        spec = find_counting_engine(load(instance).encode())
        return spec.name if spec else None

    assert name("dominoes-6x8") == "counting"
    assert name("lights-5x5") == "gf2"
    assert name("cats") is None


def test_count_uses_a_list_only_if_that_is_faster(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (
        "42,873 up to rotation and reflection; complete (by counting"
        in jigsat(capfd, "count", "dominoes-6x8").out
    )
    monkeypatch.setattr(counting, "MAX_UNPROFITABLE_STATES", 1000)
    monkeypatch.setattr(counting, "MAX_UNPROFITABLE_STATES_AUTO", 1000)
    assert (
        "368 up to rotation and reflection; complete (by exhaustion"
        in jigsat(capfd, "count", "pentominoes-4x15").out
    )
    done = jigsat(capfd, "count", "pentominoes-4x15", "--backend", "counting")
    assert (done.status, "incomplete" in done.out) == (3, True)
    assert done.err.startswith("jigsat: counting does not pay here: it stored ")


def test_counting_needs_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "is_compiled", lambda: False)
    assert confirm(find("counting")).capabilities is None


@settings(max_examples=cases(100), **OPTIONS)
@given(st.integers(0, 2**32))
def test_orders_are_permutations(seed: int) -> None:
    rng = random.Random(seed)
    options = range(rng.randint(0, 12))
    items = [
        sorted(rng.sample(options, rng.randint(0, len(options)))) for _ in range(rng.randint(0, 9))
    ]
    assert sorted(frontier.order(frontier.Items(items))) == list(range(len(items)))


def test_the_frontier_of_a_board_runs_along_its_short_side() -> None:
    """Dominoes on 3 × 20, with the cells row by row: an order that follows the rows would have to
    store a whole row."""
    formula = dominoes(3, 20).encode()
    items = [sorted(item) for item in formula.items()]
    found = frontier.order(frontier.Items(items))
    columns = [cell % 20 for cell in found]
    spread = [max(columns[: i + 1]) - min(columns[i:]) for i in range(len(columns))]
    assert max(spread) <= 2
