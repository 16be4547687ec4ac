"""Matrices of XOR equations modulo 2."""

from __future__ import annotations

import json
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.inside import jigsat as command

import jigsat
from jigsat import Formula
from jigsat.explanation.matrices import Row, read_matrix

Capture = pytest.CaptureFixture[str]

INVERSE = """
1 0 1 0 0 1 1 1 0
0 0 0 0 1 0 1 1 1
1 0 1 1 0 0 0 1 1
0 0 1 0 1 1 0 0 1
0 1 0 1 1 1 0 1 0
1 0 0 1 1 0 1 0 0
1 1 0 0 0 1 1 0 1
1 1 1 0 1 0 0 0 0
0 1 1 1 0 0 1 0 1
"""
"""The inverse that the author of push-pull worked out in 2016."""


def multiply(rows: list[Row], vector: Row) -> Row:
    return tuple(sum(a & b for a, b in zip(row, vector, strict=True)) % 2 for row in rows)


def span(basis: list[Row], size: int) -> set[Row]:
    vectors = {(0,) * size}
    for new in basis:
        vectors |= {tuple(a ^ b for a, b in zip(new, old, strict=True)) for old in vectors}
    return vectors


def test_push_pull_has_the_inverse_of_its_author() -> None:
    matrix = read_matrix(jigsat.load("push-pull").encode())
    assert matrix and matrix.inverse
    assert [" ".join(map(str, row)) for row in matrix.inverse] == INVERSE.strip().splitlines()


@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_matrices_agree_with_trial(variables: int, equations: int, data: st.DataObject) -> None:
    formula = Formula()
    x = formula.variables("x", {"number": range(variables)})
    for number in range(equations):
        chosen = data.draw(st.sets(st.sampled_from(range(variables)), min_size=1))
        with formula.rule("equation", "row", number):
            formula.xor([x(i) for i in chosen], odd=data.draw(st.booleans()))
    matrix = read_matrix(formula)
    assert matrix
    images = {v: multiply(matrix.rows, v) for v in product((0, 1), repeat=variables)}
    zero = (0,) * equations
    assert span(matrix.kernel, variables) == {v for v, image in images.items() if image == zero}
    reached = set(images.values())
    for b in product((0, 1), repeat=equations):
        even = all(sum(map(int.__and__, b, c)) % 2 == 0 for c in matrix.conditions)
        assert (b in reached) == even
    invertible = variables == equations and len(reached) == len(images)
    assert (matrix.inverse is not None) == invertible
    if matrix.inverse:
        assert all(multiply(matrix.inverse, image) == v for v, image in images.items())


@pytest.mark.parametrize("name", ["cats", "sudoku-6x6"])
def test_other_formulas_have_no_matrix(name: str) -> None:
    assert read_matrix(jigsat.load(name).encode()) is None


def test_the_command_prints_the_kernel_and_json(capsys: Capture) -> None:
    shown = command(capsys, "explain", "lights-unsolvable")
    assert shown.out.count("these together change nothing") == 2  # nullity 2
    assert shown.out.count("solvable only if an even number of these is odd") == 2
    matrix = json.loads(command(capsys, "explain", "lights-unsolvable", "--json").out)["matrix"]
    assert matrix["inverse"] is None
    assert len(matrix["rows"]) == len(matrix["odd"]) == 25
    # the position is unsolvable because one of the sums is odd
    sums = [sum(map(int.__and__, matrix["odd"], c)) % 2 for c in matrix["conditions"]]
    assert 1 in sums
    refused = command(capsys, "explain", "cats", "--json", "--clues")
    assert (refused.status, refused.err) == (
        2,
        "jigsat: --json and --clues cannot be combined\n",
    )
