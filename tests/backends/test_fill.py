"""The search for words that fill a grid: it agrees with trying all words, and refuses wrong
grids."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest
from support.fills import list_fills, make_grid
from support.quick import cases

engine: Any = pytest.importorskip(
    "jigsat.backends.engine._engine", reason="jigsat was installed without a C compiler"
)


@pytest.mark.parametrize("seed", range(cases(300)))
def test_it_agrees_with_trying_all_words(seed: int) -> None:
    rng = random.Random(seed)
    grid = make_grid(rng)
    slots, _, words, *_ = grid
    search, fills = engine.Fill(*grid), list_fills(grid)
    preferred = [rng.sample(range(len(words)), rng.randrange(len(words) + 1)) for _ in slots]
    for slot, cells in enumerate(slots):
        candidates = search.candidates(slot)
        assert len({*candidates}) == len(candidates)
        assert (
            {fill[slot] for fill in fills}
            <= {*candidates}
            <= {i for i, word in enumerate(words) if len(word) == len(cells)}
        )
        for word in range(len(words)):
            found = search.search(slot, word, preferred, 10_000)
            assert (
                found in {fill for fill in fills if fill[slot] == word} if found else search.refuted
            )
            assert bool(found) == any(fill[slot] == word for fill in fills)
    found = search.search(-1, 0, [[]] * len(slots), 10_000)
    assert found in fills if fills else (found is None and search.refuted)


def test_words_without_a_partner_are_left_out() -> None:
    search = engine.Fill(
        [[0, 1], [0, 2, 3]], [[]] * 4, ["AB", "BA", "ABB", "CAA"], [0, 0, 0, 0], True
    )
    assert [search.candidates(slot) for slot in (0, 1)] == [(0,), (2,)]
    repeated = engine.Fill(
        [[0, 1], [0, 2]], [[], [ord("A")], []], ["AB", "BA", "CA"], [0, 0, 0], False
    )
    assert [sorted(repeated.candidates(slot)) for slot in (0, 1)] == [[1, 2], [1, 2]]


def test_a_slot_without_cells_takes_the_word_without_letters() -> None:
    search = engine.Fill([[], [0]], [[]], ["ab", "", "c"], [1] * 3, True)
    assert [search.candidates(slot) for slot in (0, 1)] == [(1,), (2,)]


def test_the_best_words_and_the_preferred_ones_are_tried_first() -> None:
    search = engine.Fill([[0, 1], [2, 3]], [[]] * 4, ["AB", "CD", "EF"], [3, 2, 1], True)
    assert search.search(-1, 0, [[], []], 10) == (0, 1)
    assert search.search(1, 0, [[2, 1], []], 10) == (2, 0)


def test_the_number_of_words_is_limited() -> None:
    slots = [[r * 4 + c for c in range(4)] for r in range(4)] + [
        [r * 4 + c for r in range(4)] for c in range(4)
    ]
    words = ["".join(word) for word in product("ABC", repeat=4)]
    search = engine.Fill(slots, [[]] * 16, words, [0] * len(words), True)
    assert search.search(-1, 0, [[]] * 8, 1) is None
    assert (search.tried, search.refuted) == (1, False)
    assert search.search(-1, 0, [[]] * 8, 10_000)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({0: [[0, 2]]}, ValueError),
        ({0: [[1, 0]]}, ValueError),
        ({0: [[0, 0]]}, ValueError),
        ({0: [[0], [0], [0]]}, ValueError),
        ({1: [[-1], []]}, ValueError),
        ({1: [[0x110000], []]}, ValueError),
        ({2: [1]}, ValueError),
        ({3: []}, ValueError),
        ({3: [2**40]}, ValueError),
        ({0: [["0"]]}, TypeError),
    ],
)
def test_wrong_grids_are_refused(change: dict[int, Any], error: type[Exception]) -> None:
    grid: list[Any] = [[[0, 1]], [[], []], ["AB"], [0], True]
    for i, value in change.items():
        grid[i] = value
    with pytest.raises(error):
        engine.Fill(*grid)


def test_wrong_searches_are_refused() -> None:
    search = engine.Fill([[0, 1]], [[], []], ["AB"], [0], True)
    for slot, word, preferred in ((1, 0, [[]]), (-2, 0, [[]]), (0, 1, [[]]), (0, -1, [[]])):
        with pytest.raises(IndexError):
            search.search(slot, word, preferred, 1)
    for preferred in ([], [[1]], [[-1]]):
        with pytest.raises(ValueError):
            search.search(0, 0, preferred, 1)
    with pytest.raises(IndexError):
        search.candidates(1)
