"""Solutions up to the automorphisms of the formula: listed groups, and groups that are too large to
list."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from math import factorial, prod
from pathlib import Path
from typing import Any

import pytest
from support import truth
from support.inside import run
from support.quick import cases

import jigsat
from jigsat import Enumeration, Formula, Group, InputError
from jigsat.answering.ways import count_without_listing
from jigsat.orbits import find_automorphisms
from jigsat.search.portfolio import models
from jigsat.symmetry import Level, lex_leaders

pytest.importorskip("igraph")

Model = frozenset[int]


@pytest.fixture(params=["listed", "by canonical form"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways of distinguishing orbits, regardless of the order of the group."""
    monkeypatch.setattr(
        "jigsat.orbits.MAX_GROUP_ENTRIES", 10**7 if request.param == "listed" else 0
    )
    return str(request.param)


def orbits(solutions: set[Model], generators: list[Mapping[int, int]]) -> list[set[Model]]:
    """The orbits of solutions, by closing them under the generators."""
    left, found = set(solutions), []
    while left:
        queue = [left.pop()]
        for model in queue:  # grows during the loop
            for images in generators:
                image = frozenset(images.get(x, x) for x in model)
                assert image in solutions
                if image in left:
                    left.discard(image)
                    queue.append(image)
        found.append(set(queue))
    return found


# -- formulas


@pytest.mark.parametrize("seed", range(cases(40)))
def test_random_formulas(seed: int, way: str) -> None:
    specs, variables, decisions = truth.instance(random.Random(seed))
    formula, everything = (
        truth.formula(specs, variables, decisions),
        truth.table(specs, variables, decisions),
    )
    expected = orbits(everything, list(find_automorphisms(formula).generators))
    enumeration = jigsat.models(formula, up_to="automorphism", backend="cadical195")
    found = [assignment.variables for assignment in enumeration]
    result = enumeration.result
    assert (result.solutions, result.distinct, result.complete) == (
        len(everything),
        {"automorphism": len(expected)},
        True,
    )
    assert sorted(sum(model in orbit for model in found) for orbit in expected) == [1] * len(
        expected
    )


@pytest.mark.parametrize("seed", range(cases(40)))
def test_breaking_leaves_a_member_of_every_orbit(seed: int) -> None:
    specs, variables, decisions = truth.instance(random.Random(100 + seed))
    formula, everything = (
        truth.formula(specs, variables, decisions),
        truth.table(specs, variables, decisions),
    )
    generators = list(find_automorphisms(formula).generators)
    left = set(models(lex_leaders(formula, generators)))
    assert left <= everything
    assert all(not left.isdisjoint(orbit) for orbit in orbits(everything, generators))


def assignment(people: int, seats: int) -> tuple[Formula, Callable[..., int]]:
    """Each person takes a seat, and several may share one. People can be exchanged, and so can
    seats."""
    formula = Formula()
    sits = formula.variables("sits", {"person": range(people), "seat": range(seats)})
    for person in range(people):
        formula.exactly_one(sits[person, :])
    return formula, sits


def test_interchangeable_rows_are_put_in_order() -> None:
    """Without exchanges of seats, one of the arrangements that differ by an exchange of people is
    left."""
    formula, sits = assignment(5, 4)
    for number, seat in enumerate(range(4)):
        formula.at_most(number + 2, [sits(person, seat) for person in range(5)])
    group = find_automorphisms(formula)
    assert group.order == factorial(5)
    left = list(models(lex_leaders(formula, group.generators)))
    assert len(
        {tuple(sorted(Counter(formula.key(x)[1] for x in model).items())) for model in left}
    ) == len(left)


def test_rows_and_columns(way: str) -> None:
    """At most 3 of 4 people on a seat, up to exchanges of both: the partitions of 4 into parts of
    at most 3."""
    formula, sits = assignment(4, 4)
    for seat in range(4):
        formula.at_most(3, [sits(person, seat) for person in range(4)])
    result = jigsat.count(formula, up_to="automorphism", backend="cadical195")
    assert (
        result.solutions,
        result.distinct["automorphism"],
        result.symmetries["automorphism"],
    ) == (252, 4, 576)


def test_a_huge_group() -> None:
    """Subsets of a size up to all permutations: one of 137,846,528,820."""
    formula = Formula()
    formula.exactly(20, formula.variables("x", {"i": range(40)})[:])
    result = jigsat.count(formula, up_to="automorphism", backend="cadical195")
    assert (result.solutions, result.distinct, result.complete) == (
        137846528820,
        {"automorphism": 1},
        True,
    )


def test_a_declared_group_that_is_not_found() -> None:
    """x and y can be exchanged, but the constraints do not look alike: the declared orbits are not
    counted then."""
    formula = Formula()
    x, y, z = formula.variables("x", {"i": range(3)})[:]
    formula.clause([x, y, z])
    formula.linear({x: 2, y: 3}, at_least=2)
    result = jigsat.count(formula, up_to="automorphism", group=[{x: y, y: x}], backend="cadical195")
    assert (result.solutions, result.symmetries) == (6, {"all": 2, "automorphism": 1})
    assert result.distinct == {"automorphism": 6}
    assert "6 up to automorphism, not counted up to all its symmetries" in str(result)


# -- puzzles


@pytest.mark.parametrize(
    ("name", "solutions", "distinct"),
    [
        ("cats", 4, 1),
        pytest.param("cats-reuse", 1272, 179, marks=pytest.mark.slow),
        ("cube", 96, 2),
        ("sudoku-4x4-empty", 288, 2),
        ("lights-5x5", 4, 1),
    ],
)
def test_instances(name: str, solutions: int, distinct: int, way: str) -> None:
    enumeration = jigsat.solutions(name, up_to="automorphism")
    assert len(list(enumeration)) == distinct
    result = enumeration.result
    assert (result.solutions, result.distinct["automorphism"], result.complete) == (
        solutions,
        distinct,
        True,
    )
    assert {**result.distinct, "automorphism": None} == {
        **jigsat.count(name).distinct,
        "automorphism": None,
    }


def test_the_declared_levels_are_counted_too() -> None:
    result = jigsat.count("sudoku-4x4-empty", up_to="automorphism", backend="cadical195")
    assert result.distinct == {"rotation": 78, "reflection": 39, "all": 5, "automorphism": 2}


@pytest.mark.parametrize(
    "name", ["dominoes-6x8", pytest.param("sudoku-4x4-empty", marks=pytest.mark.slow), "lights-5x5"]
)
def test_without_a_list(name: str) -> None:
    by_burnside = jigsat.count(name, up_to="automorphism")
    assert by_burnside.established_by in ("counting", "rank")
    assert (
        by_burnside.distinct["automorphism"]
        == {"dominoes-6x8": 42873, "sudoku-4x4-empty": 2, "lights-5x5": 1}[name]
    )
    assert by_burnside.distinct["reflection"] == jigsat.count(name).distinct["reflection"]


def test_counting_without_a_list_refuses_what_is_too_large() -> None:
    with pytest.raises(jigsat.Stopped, match="1,218,998,108,160 automorphisms, too many"):
        count_without_listing("sudoku-empty", "counting", up_to=Level.AUTOMORPHISM)


def test_the_minimum(way: str) -> None:
    result = jigsat.minimum("lights-5x5", up_to="automorphism")
    assert (result.minimum, result.solutions, result.distinct["automorphism"]) == (15, 4, 1)


def test_several_processes(way: str) -> None:
    result = jigsat.count("sudoku-4x4-empty", up_to="automorphism", jobs=2, backend="cadical195")
    assert (result.solutions, result.distinct["automorphism"], result.complete) == (288, 2, True)


def test_a_limit_stops_and_claims_nothing() -> None:
    enumeration = jigsat.solutions("sudoku-empty", up_to="automorphism", limit=2)
    assert len(list(enumeration)) == 2
    result = enumeration.result
    assert (result.complete, result.distinct, result.stopped_by) == (
        False,
        {"automorphism": 2},
        "limit",
    )
    assert str(result).startswith(
        f"sudoku-empty: at least {result.solutions:,} solutions, 2 up to automorphism, not "
        f"counted up to"
    )


# -- exchanges of tiles with the same sides and other faces


def framed(size: int, across: str, down: str) -> dict[str, Any]:
    """Tiles cut from a board, given the labels of the edges between columns and between rows, one
    letter each. All faces differ."""
    columns, rows = ["rim", *across, "rim"], ["rim", *down, "rim"]
    tiles = {
        f"{r}{c}": {"sides": [rows[r], columns[c + 1], rows[r + 1], columns[c]], "face": f"{r}{c}"}
        for r in range(size)
        for c in range(size)
    }
    return {
        "family": "edge-matching",
        "board": f"square {size}x{size}",
        "frame": "rim",
        "tiles": tiles,
    }


def alike(tiles: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    """The tiles that have the same sides, up to turning."""
    found: dict[tuple[str, ...], list[str]] = {}
    for name, tile in tiles.items():
        sides = tile["sides"]
        found.setdefault(min((*sides[i:], *sides[:i]) for i in range(4)), []).append(name)
    return list(found.values())


Shown = tuple[tuple[str, tuple[str, ...]], ...]
"""For each cell, row by row, the tile and the sides that it shows."""


def laid(size: int, tiles: Mapping[str, Any], before: Shown = ()) -> Iterator[Shown]:
    """Every way to lay the tiles, by trying all."""
    if len(before) == size * size:
        yield before
        return
    row, column = divmod(len(before), size)
    for name in tiles.keys() - {name for name, _ in before}:
        sides = tiles[name]["sides"]
        for shown in {(*sides[i:], *sides[:i]) for i in range(4)}:
            up, right, down, left = shown
            fits = up == (before[-size][1][2] if row else "rim") and left == (
                before[-1][1][1] if column else "rim"
            )
            if (
                fits
                and (right == "rim") == (column == size - 1)
                and (down == "rim") == (row == size - 1)
            ):
                yield from laid(size, tiles, (*before, (name, shown)))


def turned(size: int, solution: Shown) -> Shown:
    """The board turned clockwise by a quarter."""
    return tuple(
        (name, (shown[3], *shown[:3]))
        for row in range(size)
        for column in range(size)
        for name, shown in [solution[(size - 1 - column) * size + row]]
    )


def exchanged(a: str, b: str, solution: Shown) -> Shown:
    names = {a: b, b: a}
    return tuple((names.get(name, name), shown) for name, shown in solution)


@pytest.mark.parametrize(
    ("across", "down"),
    [("aa", "bb"), ("ab", "aa"), ("ab", "cc"), ("ab", "cd"), ("aa", "aa"), ("ab", "ab")],
)
def test_brute_force_on_3x3(across: str, down: str, way: str) -> None:
    data = framed(3, across, down)
    everything = set(laid(3, data["tiles"]))
    steps: list[Callable[[Shown], Shown]] = [lambda solution: turned(3, solution)]
    for names in alike(data["tiles"]):
        steps += [lambda solution, a=a, b=b: exchanged(a, b, solution) for a, b in pairwise(names)]  # type: ignore[misc]
    left, distinct = set(everything), 0
    while left:
        queue = [left.pop()]
        for solution in queue:  # grows during the loop
            images = {step(solution) for step in steps}
            assert images <= everything
            queue += images & left
            left -= images
        distinct += 1
    order = 4 * prod(factorial(len(names)) for names in alike(data["tiles"]))
    result = jigsat.count(data, up_to="automorphism", backend="cadical195")
    assert (result.solutions, result.complete) == (len(everything), True)
    assert result.symmetries["automorphism"] % order == 0
    if result.symmetries["automorphism"] == order:
        assert result.distinct["automorphism"] == distinct
    else:  # other symmetries were found, such as a reflection with an exchange of labels
        assert result.distinct["automorphism"] <= distinct


def many(seed: int, across: str, down: str) -> dict[str, Any]:
    rng = random.Random(seed)
    return framed(6, *("".join(rng.choice(labels) for _ in range(5)) for labels in (across, down)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 3])
def test_more_solutions_than_can_be_listed(seed: int) -> None:
    """6×6 tiles cut from a board; the total is that of the same tiles without faces times the ways
    to exchange equal ones."""
    data = many(seed, "abcd", "e")
    plain = {**data, "tiles": {name: tile["sides"] for name, tile in data["tiles"].items()}}
    total = jigsat.count(plain).solutions * prod(
        factorial(len(names)) for names in alike(data["tiles"])
    )
    result = jigsat.count(data, up_to="automorphism")
    assert result.solutions == total > 10**9
    assert result.complete
    assert result.distinct == {"rotation": total // 4, "automorphism": {1: 17, 3: 466}[seed]}


def test_orbits_of_a_board_with_many_exchanges(way: str) -> None:
    """Both ways, and closing all solutions under the generators."""
    data = framed(4, "aba", "ccd")
    puzzle = jigsat.load(data)
    formula = puzzle.encode()
    everything = set(models(formula))
    expected = orbits(everything, list(find_automorphisms(formula).generators))
    result = jigsat.count(data, up_to="automorphism", backend="cadical195")
    assert (result.solutions, result.distinct["automorphism"]) == (len(everything), len(expected))


def test_a_store(tmp_path: Path, way: str) -> None:
    """A run continues from the store; another encoding has other automorphisms."""
    store, data = tmp_path / "tiles", framed(4, "aba", "ccd")
    first = jigsat.solutions(data, up_to="automorphism", store=store, limit=2)
    assert len(list(first)) == 2
    for _ in range(2):  # the second of these runs finds the store complete
        again = jigsat.solutions(data, up_to="automorphism", store=store)
        assert len(list(again)) == 6
        assert (again.result.solutions, again.result.distinct) == (
            128,
            {"rotation": 32, "automorphism": 6},
        )
        assert again.result.complete
    with pytest.raises(InputError, match="encodes this instance differently"):
        list(jigsat.solutions({**data, "encoding": "supports"}, up_to="automorphism", store=store))
    with pytest.raises(
        InputError, match="holds the solutions up to automorphism, not up to all its symmetries"
    ):
        jigsat.solutions(data, store=store)


# -- the command line, and what is refused


def test_the_command_line() -> None:
    solved = json.loads(run("solve", "cube", "--up-to", "automorphism", "--json").stdout)
    assert (solved["up_to"], solved["solutions"], solved["distinct"], len(solved["found"])) == (
        "automorphism",
        96,
        {"rotation": 4, "reflection": 2, "automorphism": 2},
        2,
    )
    counted = run("count", "cube", "--up-to", "automorphism").stdout
    assert (
        "96 solutions, 4 up to rotation, 2 up to rotation and reflection, 2 up to automorphism; "
        "complete" in counted
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["unique", "cats", "--up-to", "automorphism"],
        ["export", "cats", "-o", "cats.cnf", "--break", "automorphism"],
        ["solve", "black-and-white-batch", "--up-to", "automorphism"],
    ],
)
def test_where_it_is_refused(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "automorphism" in done.stderr


def test_it_is_no_entry_of_known(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="automorphism"):
        jigsat.load({**framed(3, "ab", "cd"), "known": {"solutions": 4, "automorphism": 1}})


def test_levels_with_many_fixed_solutions_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jigsat.orbits.MAX_GROUP_ENTRIES", 0)
    monkeypatch.setattr("jigsat.orbits.MAX_FIXED_SOLUTIONS", 3)
    result = jigsat.count("sudoku-4x4-empty", up_to="automorphism", backend="cadical195")
    assert result.distinct == {"automorphism": 2}
    assert (
        "2 up to automorphism, not counted up to rotation or rotation and reflection or all its "
        "symmetries; " in str(result)
    )


def test_without_igraph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "igraph", None)
    with pytest.raises(InputError, match=r"pip install 'jigsat\[symmetry\]'"):
        list(jigsat.solutions("cats", up_to="automorphism"))
    assert jigsat.count("cats").solutions == 4


def test_the_level_of_a_group_given_by_its_elements() -> None:
    """Group.orders states the automorphisms even where the declared levels are as large."""
    identity, swap = {1: 1, 2: 2}, {1: 2, 2: 1}
    declared = {
        "nothing": [identity],
        "rotation": [identity, swap],
        "reflection": [identity, swap],
        "all": [identity, swap],
    }
    assert Group(declared).orders == {"rotation": 2}
    assert Group({**declared, "automorphism": [identity, swap]}).orders == {
        "rotation": 2,
        "automorphism": 2,
    }


def test_enumeration_validates_the_level() -> None:
    with pytest.raises(ValueError, match="nothing, rotation, reflection, all, automorphism"):
        Enumeration("cats", up_to="automorphisms")
    with pytest.raises(ValueError, match="nothing, rotation, reflection, all; got"):
        jigsat.unique("cats", up_to="automorphism")  # type: ignore[arg-type]
