"""Model counters of other packages, compared with truth tables and with counts established in other
ways."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.inside import jigsat as command

import jigsat
from jigsat import Formula, InputError
from jigsat.answering.ways import count_without_listing
from jigsat.backends import find, model_counters
from jigsat.confirmation import confirm
from jigsat.instance import load
from jigsat.symmetry.burnside import fixed_by
from jigsat.testing import check_backend

NAMES = [spec.name for spec in model_counters.specs()]
each_counter = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(autouse=True)
def _installed(request: pytest.FixtureRequest) -> None:
    name = request.node.callspec.params["name"] if hasattr(request.node, "callspec") else None
    if name and confirm(find(name)).capabilities is None:
        pytest.skip(f"{name} is not installed")


@each_counter
def test_auxiliary_variables_are_not_counted_and_nothing_is_printed(
    name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(7)])
    formula.variables("help", ("i",), [(i,) for i in range(3)], decision=False)
    formula.between(2, 3, x[:])
    formula.xor(x[:])
    count = find(name).count
    assert count is not None
    assert count(formula) == 35
    assert count(fixed_by(formula, {x(0): x(1), x(1): x(0)})) == 15
    formula.clause([-x(0)])
    formula.at_least(7, x[:])
    assert count(formula) == 0
    free = Formula()
    free.variables("y", ("i",), [(i,) for i in range(3)])
    free.clause([2])
    assert count(free) == 4
    assert capfd.readouterr() == ("", "")


@each_counter
def test_distinct_solutions_are_counted_by_burnside(name: str) -> None:
    result = count_without_listing(
        load("sudoku-4x4-empty", grid=["1234", "....", "....", "...."]), name
    )
    assert (result.solutions, result.established_by, result.complete) == (
        12,
        f"counting by {name}",
        True,
    )


def test_two_counters_that_agree_count_a_plain_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    if model_counters.find_two_counters() is None:
        pytest.skip("they are not installed")
    result = jigsat.count(triples(8))
    assert (result.solutions, result.established_by, result.complete) == (
        7**8,
        "counting by d4 and ganak",
        True,
    )
    assert str(result).startswith(
        "formula: 5,764,801 solutions; complete (by counting by d4 and ganak, "
    )
    one, two = model_counters.specs()
    monkeypatch.setattr(
        model_counters, "specs", lambda: iter((one, replace(two, count=lambda formula: 1)))
    )
    result = jigsat.count(triples(3))
    assert (result.solutions, result.established_by) == (343, "refutation")


def triples(number: int) -> Formula:
    """At least one of each three variables is true."""
    formula = Formula()
    x = formula.variables("x", {"i": range(3 * number)})
    for i in range(number):
        formula.clause(x(3 * i + j) for j in range(3))
    return formula


@pytest.mark.slow
@each_counter
def test_they_pass_check_backend(name: str) -> None:
    check_backend(name)


def test_a_counter_that_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(model_counters, "find_spec", lambda _: None)
    assert confirm(find("ganak")) == (None, ["absent; pip install 'jigsat[counters]'"])
    with pytest.raises(
        InputError, match="the backend ganak is not installed; to install it: pip install"
    ):
        count_without_listing(load("cats"), "ganak")
    done = command(capfd, "count", "cats", "--backend", "ganak")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("jigsat: the backend ganak is not installed")
