"""Symmetries of boards, groups on the variables, and enumeration up to symmetry."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from support import truth
from support.quick import cases
from support.tables import faces, rectangle

import jigsat
from jigsat import Formula, Group, InputError
from jigsat.boards.board import BoardSymmetry
from jigsat.boards.catalogue import board_named
from jigsat.pieces import rims
from jigsat.search.blocking import antichain
from jigsat.search.portfolio import models
from jigsat.symmetry import count_solutions_and_orbits, generate_group
from jigsat.symmetry.group import Permutation
from jigsat.symmetry.levels import DECLARED_LEVELS, Level, OnDemand, Symmetry

OPTIONS: dict[str, Any] = {"derandomize": True, "deadline": None}
KNOWN = {
    "cats": {"rotation": 1},
    "cats-reuse": {"rotation": 318},
    "cube": {"rotation": 4, "reflection": 2},
}


# -- boards


@pytest.mark.parametrize(
    ("board", "rotations", "all_in_all"),
    [
        ("square 1x1", 4, 8),
        ("square 3x3", 4, 8),
        ("square 6x6", 4, 8),
        ("square 1x2", 2, 4),
        ("square 5x2", 2, 4),
        ("cube", 24, 48),
    ],
)
def test_boards_have_the_symmetries_of_their_shape(
    board: str, rotations: int, all_in_all: int
) -> None:
    def moved(symmetry: BoardSymmetry) -> tuple[Any, ...]:
        sides = {}
        for cell, (image, orientation) in symmetry.images.items():
            came_from = {orientation.side(side, 4): side for side in range(4)}
            sides[cell] = image, tuple(came_from[side] for side in range(4))
        return symmetry.mirrored, tuple(sorted(sides.items()))

    symmetries = board_named(board).symmetries()
    assert len(symmetries) == all_in_all
    assert sum(not symmetry.mirrored for symmetry in symmetries) == rotations
    table = faces() if board == "cube" else rectangle(*map(int, board.split()[1].split("x")))
    assert {moved(symmetry) for symmetry in symmetries} == {
        (mirrored, tuple(sorted(move.items()))) for mirrored, move in table.moves
    }, "the same as by turning coordinates"


@pytest.mark.parametrize(
    "name", ["cube", "cube-tower", "cats-reuse", "macmahon-triangles", "foam-frame"]
)
def test_images_computed_on_demand_are_the_listed_ones(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    formula, listed = encoded(name)
    monkeypatch.setattr(rims, "MAX_LISTED_RIMS", -1)
    symmetries = list(jigsat.load(name).symmetries())
    assert all(isinstance(symmetry.images, OnDemand) for symmetry in symmetries)
    group = Group.of(formula, symmetries)
    assert {level: list(map(dict, images)) for level, images in group.levels.items()} == dict(
        listed.levels
    )
    model = next(models(formula))
    for level in DECLARED_LEVELS:
        assert group.orbit(model, level) == listed.orbit(model, level)
        assert group.least_image(model, level) == listed.least_image(model, level)


# -- groups of permutations


@cache
def encoded(name: str) -> tuple[Formula, Group]:
    puzzle = jigsat.load(name)
    formula = puzzle.encode()
    return formula, Group.of(formula, puzzle.symmetries())


def composed(f: Permutation, g: Permutation) -> dict[int, int]:
    return {x: f[y] for x, y in g.items()}


@pytest.mark.parametrize("name", KNOWN)
def test_the_symmetries_of_a_puzzle_are_a_chain_of_groups(name: str) -> None:
    formula, group = encoded(name)
    before: set[tuple[int, ...]] = set()
    for level in DECLARED_LEVELS:
        members = {tuple(g[x] for x in formula.decisions()): g for g in group.levels[level]}
        assert len(members) == len(group.levels[level])
        assert tuple(formula.decisions()) in members
        for g in members.values():
            assert sorted(g) == sorted(g.values()) == formula.decisions()
            for f in members.values():
                assert tuple(f[g[x]] for x in formula.decisions()) in members
        assert before <= members.keys()
        before = set(members)


@pytest.mark.parametrize(
    ("name", "orders"), [("cats", {"rotation": 4}), ("cube", {"rotation": 24, "reflection": 48})]
)
def test_symmetries_map_solutions_to_solutions(name: str, orders: dict[str, int]) -> None:
    puzzle = jigsat.load(name)
    everything = {
        frozenset(solution.placements) for solution in jigsat.solutions(name, up_to="nothing")
    }
    symmetries = list(puzzle.symmetries())
    for i, solution in enumerate(everything):
        for symmetry in symmetries:
            image = frozenset(symmetry.images[placement] for placement in solution)
            assert image in everything
            assert i > 10 or not list(puzzle.check(sorted(image)))
    assert encoded(name)[1].orders == orders


@pytest.mark.parametrize("name", KNOWN)
def test_burnside_counts_what_enumeration_counts(name: str) -> None:
    formula, group = encoded(name)
    solutions, distinct = count_solutions_and_orbits(
        formula, group, lambda f: sum(1 for _ in models(f))
    )
    assert distinct == KNOWN[name]
    assert solutions == jigsat.count(name).solutions


def test_burnside_detects_sets_that_are_not_groups() -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(3)])[:]
    formula.clause([1])
    identity, swapped = dict(zip(x, x, strict=True)), {1: 2, 2: 1, 3: 3}
    group = Group({"nothing": [identity], "all": [identity, swapped, swapped]})
    with pytest.raises(InputError, match="not a group of symmetries"):
        count_solutions_and_orbits(formula, group, lambda f: len(list(models(f))))


def test_symmetries_are_broken_by_what_is_needed_least_often() -> None:
    formula = Formula()
    often = formula.variables("often", {"i": range(4)})
    once = formula.variables("once", {"i": range(4)})
    formula.at_least(3, often[:])
    formula.exactly_one(once[:])
    shift = {x(i): x((i + 1) % 4) for x in (often, once) for i in range(4)}
    group = generate_group(formula, [shift])
    assert group.find_breaking_clause(formula, Level.ALL) == [once(0)]


@pytest.mark.parametrize("name", KNOWN)
def test_breaking_changes_no_count(name: str) -> None:
    formula, group = encoded(name)
    everything = set(models(formula))
    for level in group.orders:
        broken = group.find_breaking_clause(formula, level)
        assert broken, "something is gained"
        representatives = list(models(formula, group=group, up_to=level))
        assert len(representatives) == KNOWN[name][level]
        orbits = [group.orbit(model, level) for model in representatives]
        assert sum(map(len, orbits)) == len(everything)
        assert set().union(*orbits) == everything


def test_a_symmetry_keeps_its_first_level() -> None:
    formula = Formula()
    formula.exactly_one(formula.variables("x", ("i",), [(i,) for i in range(3)])[:])
    swap = {(0,): (1,), (1,): (0,), (2,): (2,)}
    identity = {key: key for key in swap}
    group = Group.of(
        formula,
        [Symmetry("all", swap), Symmetry("rotation", identity), Symmetry("reflection", swap)],
    )
    assert {level: len(members) for level, members in group.levels.items()} == {
        "nothing": 1,
        "rotation": 1,
        "reflection": 2,
        "all": 2,
    }
    assert group.orders == {"reflection": 2}


# -- symmetric formulas of any kind


def symmetric(
    seed: int,
) -> tuple[list[truth.Spec], int, list[dict[int, int]], list[dict[int, int]]]:
    """Random constraints with all their images under a random group on the variables, and a
    subgroup of that group."""
    rng = random.Random(seed)
    size = rng.randint(2, 7)
    variables = range(1, size + 1)

    def closure(generators: list[dict[int, int]]) -> list[dict[int, int]]:
        found = {tuple(variables): {x: x for x in variables}}
        new = list(found.values())
        while new:
            new = [composed(f, g) for f in generators for g in new]
            new = [g for g in new if found.setdefault(tuple(g.values()), g) is g]
        return list(found.values())

    def some_permutation() -> dict[int, int]:
        some = rng.sample(variables, rng.randint(2, min(4, size)))
        return {**{x: x for x in variables}, **dict(zip(some, some[1:] + some[:1], strict=True))}

    generators = [some_permutation() for _ in range(rng.randint(1, 2))]
    group, subgroup = closure(generators), closure(generators[1:])
    if len(group) > 48:
        group, subgroup = closure(generators[:1]), closure([])
    specs: list[truth.Spec] = []
    for _ in range(rng.randint(1, 3)):
        name, bounds, literals = truth.constraint(rng, size)
        if rng.random() < 0.4:
            name, bounds, literals = "at_least", (1,), rng.sample(variables, rng.randint(1, size))
        images = [
            (name, bounds, [g[abs(x)] if x > 0 else -g[abs(x)] for x in literals]) for g in group
        ]
        if truth.table([*specs, *images], size, size):
            specs += images
    return specs, size, group, subgroup


@settings(max_examples=cases(150), **OPTIONS)
@given(st.integers(0, 2**32).map(symmetric))
def test_symmetric_formulas_are_counted_up_to_their_group(case: Any) -> None:
    specs, size, members, some = case
    formula, everything = truth.formula(specs, size, size), truth.table(specs, size, size)
    identity = members[:1]
    group = Group({"nothing": identity, "rotation": some, "reflection": members, "all": members})
    for level in ("nothing", "rotation", "reflection"):
        orbits = {
            frozenset(frozenset(g[x] for x in model) for g in group.levels[level])
            for model in everything
        }
        broken = group.find_breaking_clause(formula, level)
        if broken:
            event("breaks")
            assert all(any(model & set(broken) for model in orbit) for orbit in orbits), (
                "the breaking loses an orbit"
            )
        found = list(models(formula, group=group, up_to=level))
        assert len(found) == len(orbits)
        assert all(len(orbit.intersection(found)) == 1 for orbit in orbits)
        if level in group.orders:
            assert count_solutions_and_orbits(formula, group, lambda f: sum(1 for _ in models(f)))[
                1
            ][level] == len(orbits)


# -- antichains, where blocking only the true literals is correct


def built(*constraints: truth.Spec, decisions: int = 3, variables: int = 3) -> Formula:
    return truth.formula(constraints, variables, decisions)


@pytest.mark.parametrize(
    ("formula", "answer", "count"),
    [
        (built(("exactly", (1,), [1, 2, 3])), True, 3),
        (built(("exactly", (2,), [1, 2]), ("exactly", (1,), [2, 3])), True, 1),
        (built(("exactly", (0,), [1, 2, 3])), True, 1),
        (built(("at_most", (1,), [1, 2, 3])), False, 4),  # none is contained in another
        (built(("exactly", (1,), [1, 2])), False, 4),  # the third is optional
        (built(("between", (1, 2), [1, 2, 3])), False, 6),
        (built(("clause", (), [1, 2, 3])), False, 7),
        (built(("xor", (True,), [1, 2, 3])), False, 4),  # {1} is contained in {1, 2, 3}
        (built(), False, 8),
        (built(("exactly", (1,), [1, 2, -3])), False, 3),  # {} … with 3 false; {1, 3}, {2, 3}
        (
            built(("exactly", (1,), [1, 2, 3]), decisions=2),
            False,
            3,
        ),  # {} with the helper, {1}, {2}
        (built(("exactly", (2,), [1, 2, 3, 4]), decisions=3, variables=4), False, 6),
    ],
)
def test_antichains(formula: Formula, answer: bool, count: int) -> None:
    assert antichain(formula) is answer
    found = list(models(formula))
    assert len(found) == len(set(found)) == count


@settings(max_examples=cases(300), **OPTIONS)
@given(st.integers(0, 2**32), st.booleans())
def test_detected_antichains_are_antichains(seed: int, mended: bool) -> None:
    rng = random.Random(seed)
    specs, variables, decisions = truth.instance(rng)
    if mended:
        specs = [
            *specs,
            (
                "exactly",
                (rng.randint(0, 2),),
                rng.sample(range(1, variables + 1), rng.randint(1, variables)),
            ),
        ]
    expected, formula = (
        truth.table(specs, variables, decisions),
        truth.formula(specs, variables, decisions),
    )
    contained = any(a < b or b < a for a, b in combinations(expected, 2))
    event(f"antichain {antichain(formula)}, contained {contained}")
    assert not (antichain(formula) and contained)
    assert set(models(formula)) == expected


def test_every_permutation_of_a_choice_makes_one() -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(5)])[:]
    formula.at_most(4, x)
    everyone = [dict(zip(x, images, strict=True)) for images in permutations(x)]
    group = Group(
        {"nothing": everyone[:1], "rotation": everyone, "reflection": everyone, "all": everyone}
    )
    assert sorted(map(len, models(formula, group=group, up_to="rotation"))) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("symmetry", "says"),
    [
        (
            Symmetry("turn", {(0,): (1,), (1,): (0,)}),
            "symmetries: unknown level 'turn'; use one of rotation, reflection, all",
        ),  # type: ignore[arg-type]
        (Symmetry("all", {(0,): (1,), (1,): (1,)}), "(1,) is the image of two of them"),
        (Symmetry("all", {(0,): (0,)}), "(1,) has no image"),
        (Symmetry("all", None), "the images are None, not a dict"),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_symmetry_is_named(symmetry: Symmetry, says: str) -> None:
    formula = Formula()
    formula.variables("x", {"i": range(2)})
    with pytest.raises(InputError, match=r"^symmetries: ") as caught:
        Group.of(formula, [symmetry])
    assert says in str(caught.value)
