"""Sudoku: comparison with simple backtracking on small grids, and pictures."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import pairwise, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jigsat.encodings.sudoku.data import Digit
from jigsat.encodings.sudoku.rules import Sudoku
from support.agreement import assert_counted, few_and_many
from support.grids import parsed, placed, rows
from support.quick import cases
from support.sudokus import Filled, areas, fillings

import jigsat
from jigsat.search.portfolio import models
from jigsat.symmetry import Group, count_solutions_and_orbits

OPTIONS = {"derandomize": True, "deadline": None}


# -- the twin: backtracking on the data of an instance


def images(filled: Filled) -> Iterator[tuple[str, Filled]]:
    """Every image of a grid under rotation, reflection and permutation of its digits, with the
    level of the symmetry."""
    for mirrored in (False, True):
        turned = tuple(row[::-1] for row in filled) if mirrored else filled
        for _ in range(4):
            turned = tuple("".join(column) for column in zip(*turned[::-1], strict=True))
            for digits in permutations("1234"):
                exchange = str.maketrans("1234", "".join(digits))
                level = (
                    "all" if digits != tuple("1234") else "reflection" if mirrored else "rotation"
                )
                yield level, tuple(row.translate(exchange) for row in turned)


def orbits(data: dict[str, Any], solutions: set[Filled]) -> dict[str, int]:
    """The number of distinct solutions by level; symmetries keep the givens and the areas that must
    differ."""
    cells = [(r, c) for r in range(4) for c in range(4)]
    where = ("ABCD", "EFGH", "IJKL", "MNOP")  # letters do not change when digits are exchanged
    wanted = {frozenset(area) for area in areas(data)}
    kept = []
    for (level, moved), (_, grid) in zip(images(where), images(tuple(data["grid"])), strict=True):
        at = {where[r][c]: (r, c) for r, c in cells}
        move = {at[moved[r][c]]: (r, c) for r, c in cells}
        kept.append(
            (
                level,
                grid == tuple(data["grid"])
                and {frozenset(map(move.get, area)) for area in wanted} == wanted,
            )
        )
    counts, order = {}, 1
    for i, level in enumerate(("rotation", "reflection", "all"), 1):
        levels = ("rotation", "reflection", "all")[:i]
        size = sum(keeps and at in levels for at, keeps in kept)
        if size > order:
            order, rest, counts[level] = size, set(solutions), 0
            while rest:
                one = images(next(iter(rest)))
                rest -= {
                    image
                    for (at, image), (_, keeps) in zip(one, kept, strict=True)
                    if keeps and at in levels
                }
                counts[level] += 1
    return counts


@st.composite
def small(draw: st.DrawFn) -> dict[str, Any]:
    """A 4×4 puzzle: some givens of a solution, perhaps one of them changed; perhaps diagonals,
    regions, extra regions."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    data: dict[str, Any] = {"grid": ["...."] * 4}
    if draw(st.booleans()):
        data["diagonals"] = True
    if draw(st.booleans()):
        data["regions"] = draw(
            st.sampled_from(
                [
                    ["aaab", "cabb", "ccdb", "cddd"],
                    ["aabb", "aabb", "ccdd", "ccdd"],
                    ["abbb", "aacb", "addc", "dccd"],
                ]
            )
        )
    if draw(st.integers(0, 3)) == 0:
        data["extra"] = draw(
            st.sampled_from([["....", ".xx.", ".xx.", "...."], ["x..y", ".xy.", ".yx.", "y..x"]])
        )
    solutions = sorted(fillings(data))
    if solutions:
        solution = rng.choice(solutions)
        share = draw(st.sampled_from([0, 0.1, 0.25, 0.5]))
        grid = [[value if rng.random() < share else "." for value in row] for row in solution]
        if draw(st.integers(0, 4)) == 0:
            grid[rng.randrange(4)][rng.randrange(4)] = rng.choice("1234")
        data["grid"] = ["".join(row) for row in grid]
    return data


@settings(max_examples=cases(40), **OPTIONS)
@given(
    small(),
    st.sampled_from(["cadical195", "z3"]),
    st.sampled_from(["nothing", "rotation", "reflection", "all"]),
)
def test_solutions_and_counts_are_those_of_backtracking(
    data: dict[str, Any], backend: str, up_to: str
) -> None:
    expected = set(fillings(data))
    enumeration = jigsat.solutions(parsed(**data), backend=backend, up_to=up_to)
    found = [rows(solution.placements) for solution in enumeration]
    assert expected.issuperset(found)
    assert len(set(found)) == len(found)
    assert enumeration.result.complete
    assert enumeration.result.solutions == len(expected)
    assert enumeration.result.distinct == orbits(data, expected)
    if up_to == "nothing":
        assert set(found) == expected


@few_and_many
def test_counts_without_a_list_are_those_of_backtracking(number: int) -> None:
    @settings(max_examples=number, **OPTIONS)
    @given(small())
    def compare_counts(data: dict[str, Any]) -> None:
        expected = set(fillings(data))
        assert_counted(parsed(**data), len(expected), orbits(data, expected))

    compare_counts()


@settings(max_examples=cases(12), **OPTIONS)
@given(small())
def test_the_checker_refuses_exactly_the_wrong_grids(data: dict[str, Any]) -> None:
    puzzle, solutions = parsed(**data), set(fillings(data))
    for filled in sorted(solutions)[:3]:
        placements = placed(filled)
        assert not list(puzzle.check(placements))
        for i, (cell, value) in enumerate(placements):
            others = [*placements[:i], *placements[i + 1 :]]
            assert list(puzzle.check(others)), "an empty cell"
            assert list(puzzle.check([*placements, Digit(cell, "1")])), "two digits in a cell"
            for other in set("12345") - {value}:
                assert list(puzzle.check([*others, Digit(cell, other)])), "one digit changed"
        for i, j in permutations(
            range(16), 2
        ):  # swapping two digits sometimes gives another solution
            swapped = list(placements)
            swapped[i], swapped[j] = (
                Digit(a.cell, b.value)
                for a, b in ((swapped[i], swapped[j]), (swapped[j], swapped[i]))
            )
            assert bool(list(puzzle.check(swapped))) == (rows(tuple(swapped)) not in solutions)
    # correct rows and columns may violate the boxes, the regions, the diagonals or the givens
    for filled in fillings({"grid": ["...."] * 4, "regions": ["aaaa", "bbbb", "cccc", "dddd"]}):
        assert bool(list(puzzle.check(placed(filled)))) == (filled not in solutions)


def test_the_empty_grid_of_4x4_by_burnside() -> None:
    puzzle = jigsat.load("sudoku-4x4-empty")
    formula = puzzle.encode()
    group = Group.of(formula, puzzle.symmetries())
    assert group.orders == {"rotation": 4, "reflection": 8, "all": 8 * 24}
    distinct = count_solutions_and_orbits(
        formula, group, lambda fixed: sum(1 for _ in models(fixed))
    )[1]
    assert distinct == puzzle.known.distinct()
    everything = set(fillings({"grid": ["...."] * 4}))
    assert len(everything) == puzzle.known.solutions
    assert orbits({"grid": ["...."] * 4}, everything) == puzzle.known.distinct()


def test_digits_that_can_be_exchanged() -> None:
    underconstrained = jigsat.load("sudoku-underconstrained")
    assert Group.of(underconstrained.encode(), underconstrained.symmetries()).orders == {"all": 2}
    # half a turn with 1 ↔ 4 and 2 ↔ 3 keeps these givens, and no digit is free
    turned = parsed(grid=["12..", "....", "....", "..34"])
    assert Group.of(turned.encode(), turned.symmetries()).orders == {"all": 2}
    # 9! exchanges are not listed
    empty = jigsat.load("sudoku-empty")
    assert Group.of(empty.encode(), empty.symmetries()).orders == {"rotation": 4, "reflection": 8}
    # boxes of 2×3 have no quarter turn
    six = parsed(grid=["......"] * 6)
    assert Group.of(six.encode(), six.symmetries()).orders == {
        "rotation": 2,
        "reflection": 4,
        "all": 4 * 720,
    }


@pytest.mark.parametrize(
    "name", ["sudoku-hard", pytest.param("sudoku-jigsaw", marks=pytest.mark.slow)]
)
def test_the_instances_of_9x9_have_the_solution_that_backtracking_finds(name: str) -> None:
    puzzle = jigsat.load(name)
    assert isinstance(puzzle, Sudoku)
    data = {"grid": puzzle.grid} | ({"regions": puzzle.regions} if puzzle.regions else {})
    (solution,) = jigsat.solutions(puzzle)
    assert [rows(solution.placements)] == list(fillings(data))


def test_the_printed_completions_are_among_those_of_the_underconstrained_grid() -> None:
    printed = {
        "178236495 359147268 264598137 745962381 813754629 926813754 481325976 592671843 637489512",
        "178236495 359147268 264598137 745962381 813754629 926813754 481325976 637489512 592671843",
    }
    puzzle = jigsat.load("sudoku-underconstrained")
    assert isinstance(puzzle, Sudoku)
    for completion in printed:
        assert not list(puzzle.check(placed(tuple(completion.split()))))
    # if their common digits are also given, only these two solutions remain
    common = "".join(a if a == b else "." for a, b in zip(*printed, strict=True)).split()
    narrowed = puzzle.model_copy(update={"grid": tuple(common)})
    assert all(
        was in (".", now) for was, now in zip("".join(puzzle.grid), "".join(common), strict=True)
    )
    assert {
        " ".join(rows(solution.placements)) for solution in jigsat.solutions(narrowed)
    } == printed


@pytest.mark.slow
def test_more_than_20000_completions_of_the_underconstrained_grid() -> None:
    found = {
        solution.placements
        for solution in jigsat.solutions("sudoku-underconstrained", up_to="nothing", limit=20_001)
    }
    assert len(found) == 20_001


@pytest.mark.slow
def test_ten_thousand_completions_of_the_empty_grid() -> None:
    enumeration = jigsat.solutions("sudoku-empty", limit=10_000)
    found = {solution.placements for solution in enumeration}
    assert (len(found), enumeration.result.solutions, enumeration.result.stopped_by) == (
        10_000,
        40_000,
        "limit",
    )


@pytest.mark.parametrize(
    ("size", "letters"),
    [(12, "ABC"), (16, "ABCDEFG"), pytest.param(25, "ABCDEFGHIJKLMNOP", marks=pytest.mark.slow)],
)
def test_large_grids_take_letters(size: int, letters: str) -> None:
    (solution,) = jigsat.solutions(parsed(grid=["." * size] * size), up_to="nothing", limit=1)
    found = rows(solution.placements)
    assert all(set(row) == {*"123456789", *letters} for row in found)
    given = parsed(grid=[found[0].lower(), *["." * size] * (size - 1)])
    assert given.grid[0] == found[0]


def test_two_equal_givens_in_a_row_are_not_an_error() -> None:
    result = jigsat.count(parsed(grid=["11..", "....", "....", "...."]))
    assert (result.solutions, result.complete) == (0, True)


# -- pictures


def test_text_distinguishes_givens() -> None:
    puzzle = jigsat.load("sudoku-jigsaw")
    (solution,) = jigsat.solutions(puzzle)
    *lines, legend = solution.text().splitlines()
    drawn = "\n".join(lines)
    assert isinstance(puzzle, Sudoku)
    assert drawn.count("·") == 81 - len(puzzle.givens)
    assert "dot" in legend
    assert "dot" not in puzzle.text(
        [Digit(cell, value) for cell, value in puzzle.givens.items()]
    )  # nothing is filled in
    assert [re.sub(r"[^\d·]", "", line) for line in lines[1::2]] == [
        "".join(value + "·" * (given == ".") for value, given in zip(row, givens, strict=True))
        for row, givens in zip(rows(solution.placements), puzzle.grid, strict=True)
    ]
    # the lines of the picture separate exactly the cells of different regions
    assert puzzle.regions is not None
    for r, row in enumerate(puzzle.regions):
        for c, name in enumerate(row):
            if c < 8:
                assert (lines[2 * r + 1][4 * c + 4] == "│") == (name != row[c + 1])
            if r < 8:
                assert (lines[2 * r + 2][4 * c + 2] == "─") == (name != puzzle.regions[r + 1][c])


def test_svg_distinguishes_givens() -> None:
    puzzle = jigsat.load("sudoku-jigsaw")
    (solution,) = jigsat.solutions(puzzle)
    svg = solution.svg()
    assert isinstance(puzzle, Sudoku) and puzzle.regions is not None
    given = re.findall(r'font-weight="bold"[^>]*>(\d)</text>', svg)
    assert given == [value for row in puzzle.grid for value in row if value != "."]
    assert len(re.findall(r">\d</text>", svg)) == 81
    lines = [*puzzle.regions, *("".join(column) for column in zip(*puzzle.regions, strict=True))]
    inner = sum(a != b for line in lines for a, b in pairwise(line))
    assert svg.count('stroke-width="3.6"') == inner + 4 * 9
