"""Latin squares: comparison with a plain count over all squares, published numbers, pictures and
error messages."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import permutations
from math import factorial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jigsat.encodings.latin.data import Symbol
from jigsat.encodings.latin.rules import Latin
from support.agreement import assert_counted, few_and_many
from support.quick import cases

import jigsat
from jigsat import instance
from jigsat.errors import InputError
from jigsat.symmetry import Group

Square = tuple[str, ...]
DIGITS, LETTERS = "12345", "ABCDE"


def parsed(**data: Any) -> Latin:
    puzzle = instance.parse({"family": "latin", **data}, name="mine", origin="mine.toml")
    assert isinstance(puzzle, Latin)
    return puzzle


def empty(n: int) -> list[str]:
    return ["." * n] * n


def read(placements: tuple[Symbol, ...], number: int) -> tuple[Square, ...]:
    """The squares that the placements fill, each row by row."""
    shown = {cell if len(cell) == 3 else (0, *cell): value for cell, value in placements}
    n = 1 + max(r for _, r, _ in shown)
    return tuple(
        tuple("".join(shown[s, r, c] for c in range(n)) for r in range(n)) for s in range(number)
    )


def placed(squares: tuple[Square, ...]) -> list[Symbol]:
    cells = [
        ((s, r, c), value)
        for s, rows in enumerate(squares)
        for r, row in enumerate(rows)
        for c, value in enumerate(row)
    ]
    return [Symbol(cell if len(squares) > 1 else cell[1:], value) for cell, value in cells]


# -- the twin: rows are permutations, columns are compared


@cache
def latin(n: int) -> list[Square]:
    """Every Latin square of the digits 1 to n."""
    return list(grown(n, ()))


def grown(n: int, begun: Square) -> Iterator[Square]:
    """Every Latin square that begins with these rows."""
    rows = ["".join(row) for row in permutations(DIGITS[:n])]

    def grow(square: Square) -> Iterator[Square]:
        if len(square) == n:
            yield square
            return
        for row in rows:
            if all(a != b for above in square for a, b in zip(above, row, strict=True)):
                yield from grow((*square, row))

    return grow(begun)


def fits(square: Square, drawn: list[str]) -> bool:
    return all(
        b in (".", a)
        for row, wanted in zip(square, drawn, strict=True)
        for a, b in zip(row, wanted, strict=True)
    )


def diagonal(square: Square) -> bool:
    n = len(square)
    return (
        len({square[i][i] for i in range(n)}) == len({square[i][n - 1 - i] for i in range(n)}) == n
    )


def solutions(data: dict[str, Any]) -> set[tuple[Square, ...]]:
    n = len(data["grid"])
    every = [square for square in latin(n) if diagonal(square) or not data.get("diagonals")]
    found = [(square,) for square in every if fits(square, data["grid"])]
    for drawn in data.get("mates", ()):
        lettered = [
            tuple(row.translate(str.maketrans(DIGITS, LETTERS)) for row in square)
            for square in every
        ]
        mates = [square for square in lettered if fits(square, drawn)]
        found = [
            (*one, mate)
            for one in found
            for mate in mates
            if all(orthogonal(other, mate) for other in one)
        ]
    return set(found)


def orthogonal(one: Square, other: Square) -> bool:
    return len(set(zip("".join(one), "".join(other), strict=True))) == len(one) ** 2


def turned(square: Square) -> Square:
    return tuple("".join(column) for column in zip(*square[::-1], strict=True))


def orbits(squares: set[tuple[Square, ...]]) -> dict[str, int]:
    """The number of distinct solutions of an empty square by level."""

    def canonical(square: Square) -> Square:
        exchange = str.maketrans(
            "".join(sorted(square[0], key=square[0].index)), DIGITS[: len(square)]
        )
        return tuple(row.translate(exchange) for row in square)

    def images(square: Square, level: str) -> Iterator[Square]:
        for _ in range(4):
            square = turned(square)
            for one in (square, square[::-1]) if level != "rotation" else (square,):
                yield canonical(one) if level == "all" else one

    return {
        level: len({min(images(square, level)) for (square,) in squares})
        for level in ("rotation", "reflection", "all")
    }


@st.composite
def small(draw: st.DrawFn) -> dict[str, Any]:
    """A square of order 1 to 4: some givens of a solution, perhaps one of them changed; perhaps
    diagonals or mates."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    n = draw(st.sampled_from([1, 2, 3, 3, 4, 4, 4]))
    data: dict[str, Any] = {"grid": empty(n), "diagonals": draw(st.booleans())}
    if mates := draw(st.sampled_from([0, 0, 1, 2])) if n != 4 else draw(st.sampled_from([0, 0, 1])):
        data["mates"] = [empty(n)] * mates
    if n == 4 and mates:
        data["diagonals"] = True
    found = sorted(solutions(data))
    if found:
        share = draw(st.sampled_from([0, 0.2, 0.5]))
        squares = [
            [[v if rng.random() < share else "." for v in row] for row in square]
            for square in rng.choice(found)
        ]
        if draw(st.integers(0, 3)) == 0:
            at = rng.randrange(len(squares))
            squares[at][rng.randrange(n)][rng.randrange(n)] = (LETTERS if at else DIGITS)[
                rng.randrange(n)
            ]
        data["grid"], *rest = [["".join(row) for row in square] for square in squares]
        if rest:
            data["mates"] = rest
    return data


@settings(max_examples=cases(30), derandomize=True, deadline=None)
@given(small(), st.sampled_from(["cadical195", "auto"]))
def test_solutions_are_those_of_a_plain_count(data: dict[str, Any], backend: str) -> None:
    expected, number = solutions(data), 1 + len(data.get("mates", ()))
    enumeration = jigsat.solutions(parsed(**data), backend=backend, up_to="nothing")
    found = [read(solution.placements, number) for solution in enumeration]
    assert set(found) == expected
    assert len(found) == len(expected)
    assert enumeration.result.complete


@few_and_many
def test_counts_without_a_list_are_those_of_a_plain_count(number: int) -> None:
    @settings(max_examples=number, derandomize=True, deadline=None)
    @given(small())
    def compare_counts(data: dict[str, Any]) -> None:
        puzzle, expected = parsed(**data), len(solutions(data))
        listed = jigsat.count(puzzle, backend="cadical195", up_to="all")
        assert listed.solutions == expected
        assert_counted(puzzle, expected, listed.distinct)

    compare_counts()


@settings(max_examples=15, derandomize=True, deadline=None)
@given(small(), st.randoms(use_true_random=False))
def test_the_checker_refuses_exactly_the_wrong_squares(
    data: dict[str, Any], rng: random.Random
) -> None:
    puzzle, expected = parsed(**data), solutions(data)
    for squares in sorted(expected)[:2]:
        placements = placed(squares)
        assert not list(puzzle.check(placements))
        for i in rng.sample(range(len(placements)), min(6, len(placements))):
            others = [*placements[:i], *placements[i + 1 :]]
            cell, value = placements[i]
            assert list(puzzle.check(others)), "an empty cell"
            assert list(puzzle.check([*placements, placements[i]])), "a symbol twice"
            for symbol in {*DIGITS, *LETTERS} - {value}:
                assert list(puzzle.check([*others, Symbol(cell, symbol)])), "another symbol"
    for square in latin(len(data["grid"]))[
        :40
    ]:  # rows and columns are right; diagonals, givens and pairs may be wrong
        squares = (square, *(one for one in sorted(expected)[0][1:])) if expected else (square,)
        if len(squares) == 1 + len(puzzle.mates):
            assert bool(list(puzzle.check(placed(squares)))) == (squares not in expected)


# -- published numbers


@pytest.mark.parametrize(("n", "number"), [(2, 2), (3, 12), (4, 576), (5, 161_280)])
def test_latin_squares_by_counting_and_by_a_plain_count(n: int, number: int) -> None:
    assert sum(1 for _ in grown(n, (DIGITS[:n],))) * factorial(n) == number
    result = jigsat.count(parsed(grid=empty(n)), backend="counting")
    assert (result.solutions, result.complete) == (number, True)
    if n <= 4:
        every = orbits({(square,) for square in latin(n)})
        assert result.distinct == {level: every[level] for level in result.distinct}


@pytest.mark.slow
def test_latin_squares_of_order_6_by_counting() -> None:
    result = jigsat.count("latin-6")
    assert (result.solutions, result.complete, result.backend) == (812_851_200, True, "counting")
    # Frolov's 9,408 reduced squares, whose first row and column are in order
    reduced = jigsat.count(parsed(grid=["123456", *(f"{i}....." for i in range(2, 7))]))
    assert reduced.solutions == 9408 == 812_851_200 // (factorial(6) * factorial(5))


def test_orthogonal_pairs_of_order_3() -> None:
    assert jigsat.count(parsed(grid=empty(3), mates=[empty(3)])).solutions == len(
        solutions({"grid": empty(3), "mates": [empty(3)]})
    )


def test_court_cards_by_a_plain_count() -> None:
    puzzle = jigsat.load("court-cards")
    assert (
        len(solutions({"grid": empty(4), "mates": [empty(4)], "diagonals": True}))
        == puzzle.known.solutions
        == 1152
    )


def test_three_orthogonal_squares_of_order_4_and_none_of_order_2() -> None:
    first = next(jigsat.solutions(parsed(grid=empty(4), mates=[empty(4), empty(4)])))
    squares = read(first.placements, 3)
    assert all(
        orthogonal(one, other)
        for one, other in zip(squares, squares[1:] + squares[:1], strict=True)
    )
    assert jigsat.count(parsed(grid=empty(2), mates=[empty(2)])).solutions == 0


def test_symmetries_permute_the_symbols_that_are_not_given() -> None:
    orders = {
        ("....", "....", "....", "...."): {"rotation": 4, "reflection": 8, "all": 8 * 24},
        ("1...", "....", "....", "...."): {"reflection": 2, "all": 2 * 6},
        ("12..", "....", "....", "...."): {"all": 2},
        ("1234", "....", "....", "...."): {"all": 2},
    }
    for grid, expected in orders.items():
        puzzle = parsed(grid=list(grid))
        assert Group.of(puzzle.encode(), puzzle.symmetries()).orders == expected
    pair = parsed(grid=empty(3), mates=[["A..", "...", "..."]])
    assert Group.of(pair.encode(), pair.symmetries()).orders == {"reflection": 2, "all": 2 * 6 * 2}
    # 7! exchanges of symbols are not listed
    seven = parsed(grid=empty(7))
    assert Group.of(seven.encode(), seven.symmetries()).orders == {"rotation": 4, "reflection": 8}


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ({"grid": ["12.", ".."]}, "grid: row 1 has 3 characters, but the grid has 2 rows"),
        (
            {"grid": ["14.", "...", "..."]},
            "grid: row 1, column 2 is '4'; write one of 123, or one of . 0 _ for a blank",
        ),
        ({"grid": empty(3), "mates": [empty(2)]}, "mates.0: 2 rows, but the grid has 3"),
        (
            {"grid": empty(3), "mates": [["1..", "...", "..."]]},
            "mates.0: row 1, column 1 is '1'; write one of ABC",
        ),
        (
            {"grid": empty(27), "mates": [empty(27)]},
            "grid: 27 rows; the limit is 26, the number of symbols",
        ),
        ({"grid": []}, "grid: the square has no rows"),
        ({"grid": empty(36)}, "grid: 36 rows; the limit is 35, the number of symbols"),
    ],
)
def test_wrong_squares_are_refused(data: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        parsed(**data)
    assert complaint in str(caught.value)


def test_pictures() -> None:
    puzzle = parsed(grid=["12.", ".3.", "..."], mates=[["AB.", "...", "..."]])
    (solution,) = jigsat.solutions(puzzle)
    assert solution.text().splitlines() == [
        "┌──────────────────┐",
        "│ 1 A   2 B   3·C· │",
        "│ 2·C·  3 A·  1·B· │",
        "│ 3·B·  1·C·  2·A· │",
        "└──────────────────┘",
        "a dot marks each symbol that was filled in",
    ]
    assert "dot" not in puzzle.text([Symbol((0, 0, 0), "1")])  # nothing is filled in
    (plain,) = jigsat.solutions(parsed(grid=["12", ".."]))
    assert plain.text().splitlines() == [
        "┌──────┐",
        "│ 1  2 │",
        "│ 2· 1·│",
        "└──────┘",
        "a dot marks each symbol that was filled in",
    ]


def test_generated_squares_are_unique_by_a_plain_count() -> None:
    for options in (
        {"order": 4},
        {"order": 4, "mates": 1, "diagonals": True},
        {"order": 3, "mates": 1, "symmetric": True},
    ):
        (puzzle,) = jigsat.generate("latin", seed=5, **options)
        assert isinstance(puzzle, Latin)
        data = {
            "grid": [*puzzle.grid],
            "mates": [[*mate] for mate in puzzle.mates],
            "diagonals": puzzle.diagonals,
        }
        assert len(solutions(data)) == 1
