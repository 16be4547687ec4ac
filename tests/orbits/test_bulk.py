"""Counting solutions that the engine lists in bulk, compared with counting them one by one."""

from __future__ import annotations

import random
from itertools import permutations, product

import pytest

import jigsat
from jigsat.backends.engine import is_compiled
from jigsat.errors import CheckError
from jigsat.instance import load
from jigsat.orbits.bulk import BulkTally, batches
from jigsat.orbits.tally import ListedTally
from jigsat.solving.enumeration import Enumeration
from jigsat.symmetry import LEVELS, Group

engine = pytest.mark.skipif(not is_compiled(), reason="jigsat was installed without a C compiler")


def board(rows: int, columns: int) -> str:
    return "\n".join(["#" * columns] * rows)


def one_by_one(puzzle: jigsat.Puzzle) -> jigsat.Result:
    enumeration = Enumeration(puzzle, backend="cover", up_to="all")
    assert list(enumeration)
    return enumeration.result


@engine
@pytest.mark.parametrize("name", ["sudoku-4x4-empty", "dominoes 4x4", "dominoes 2x7", "dominoes 4x5", "cats"])
def test_both_ways_give_the_same_counts(name: str) -> None:
    """Some solutions have symmetries of their own. The formula of the cats has auxiliary variables, so they are not in bulk."""
    kind, _, size = name.partition(" ")
    puzzle = load("dominoes-6x8", board=board(*map(int, size.split("x")))) if kind == "dominoes" else load(name)
    expected = one_by_one(puzzle)
    for up_to in ("nothing", "rotation", "all"):
        found = jigsat.count(puzzle, backend="cover", up_to=up_to)  # type: ignore[arg-type]
        assert (found.solutions, found.distinct) == (expected.solutions, expected.distinct)
        assert (found.complete, found.established_by, found.symmetries) == (True, "exhaustion", expected.symmetries)


@engine
def test_nothing_to_count() -> None:
    found = jigsat.count(load("dominoes-6x8", board=board(3, 3)), backend="cover")
    assert (found.solutions, found.distinct, found.complete) == (0, {"rotation": 0, "reflection": 0}, True)


@engine
def test_one_solution_of_each_orbit_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = load("dominoes-6x8", board=board(4, 4))
    seen = []
    monkeypatch.setattr(type(puzzle), "check", lambda _, placements: seen.append(placements) or iter(()))
    assert jigsat.count(puzzle, backend="cover").distinct["reflection"] == 9 == len(seen)
    monkeypatch.setattr(type(puzzle), "check", lambda *_: iter(["a domino overlaps another"]))
    with pytest.raises(CheckError, match="a domino overlaps another"):
        jigsat.count(puzzle, backend="cover")


@engine
def test_counts_so_far_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jigsat.backends.cover.MAX_BATCH_COVERS", 10)
    count = Enumeration(load("dominoes-6x8", board=board(4, 5)), want="count", backend="cover")
    events = (event.result for event in count._search() if not event.words)
    so_far = [(result.solutions, result.complete) for result in events]  # the result changes
    assert so_far == sorted(so_far)
    assert so_far[0][0] < so_far[-1][0] == 95
    assert [complete for _, complete in so_far] == [False] * (len(so_far) - 1) + [True]


@pytest.mark.parametrize("seed", range(8))
def test_orbits_under_random_groups(seed: int) -> None:
    """Groups that permute the cells of words; each orbit comes with several of its members."""
    rng = random.Random(seed)
    size, width = rng.choice([(3, 1), (4, 2), (3, 3)])
    variables = [10 + i for i in range(size * width)]
    motions = [
        {variables[i * width + j]: variables[p[i] * width + j] for i, j in product(range(size), range(width))}
        for p in permutations(range(size))
    ]
    turns = [motion for motion, p in zip(motions, permutations(range(size)), strict=True) if sorted(p) == [*p] or even(p)]
    group = Group({"nothing": motions[:1], "rotation": turns, "reflection": motions, "all": motions})
    models = [frozenset(x for x in variables if rng.random() < 0.5) for _ in range(40)]
    expected = ListedTally(group, LEVELS[-1])
    kept = {}
    for model in models:
        kept.setdefault(group.first(model, LEVELS[-1]), model)
    for model in kept.values():
        expected.add(model)
    tally = BulkTally(variables, group)
    covers = [[tuple(variables.index(x) for x in model)] for model in models]
    yielded = [model for rows in batches(covers, range(len(variables)), len(variables)) for model in tally.add(rows)]
    assert (tally.solutions, tally.distinct) == (expected.solutions, expected.distinct)
    assert {group.first(model, LEVELS[-1]) for model in yielded} == set(kept)
    assert len(yielded) == len(kept)


def even(p: tuple[int, ...]) -> bool:
    return sum(p[i] > p[j] for j in range(len(p)) for i in range(j)) % 2 == 0


def test_a_piece_that_fits_nowhere_leaves_one_empty_solution() -> None:
    puzzle = load({"family": "tiling", "board": "square 1x1", "pieces": {"a": {"shape": "##", "uses": [0, 1]}}, "left_over": 1})
    for backend in ("auto", "cover", "cadical195"):
        assert jigsat.count(puzzle, backend=backend).solutions == 1
