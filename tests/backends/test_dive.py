"""The random search for a first model: its models are models, and it ends only with one or if there
is none."""

from __future__ import annotations

from array import array
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from support import truth
from support.quick import cases

from jigsat.backends.engine import numbers_of
from jigsat.formula import Formula

engine: Any = pytest.importorskip(
    "jigsat.backends.engine._engine", reason="jigsat was installed without a C compiler"
)

ENOUGH = 10**6
NOT_READ = ("xor", "linear", *truth.ON_GRAPHS)  # the engine reads no others


def searched(formula: Formula) -> Any:
    return engine.Dive(formula.top, numbers_of(formula), array("i", formula.decisions()))


@settings(max_examples=cases(200), derandomize=True, deadline=None)
@given(truth.instances(), st.integers(1, 50))
def test_it_finds_a_model_exactly_if_there_is_one(
    case: tuple[list[truth.Spec], int, int], step: int
) -> None:
    specs, variables, decisions = case
    plain = [spec for spec in specs if spec[0] not in NOT_READ]
    formula, table = (
        truth.formula(plain, variables, decisions),
        truth.table(plain, variables, decisions),
    )
    dive, model = searched(formula), None
    while model is None and not dive.over:
        model = dive.step(step)
    event("no model" if model is None else "model")
    if table:
        assert model is not None
        assert frozenset(model) & set(formula.decisions()) in table
    else:
        assert model is None


def test_it_stops_after_the_requested_work_and_at_the_end() -> None:
    formula = Formula()
    queen = formula.variables("queen", {"row": range(30), "column": range(30)})
    for i in range(30):
        formula.exactly_one(queen[i, :])
        formula.exactly_one(queen[:, i])
    dive = searched(formula)
    assert dive.step(0) is None
    assert dive.step(1) is None
    assert not dive.over
    assert len(dive.step(ENOUGH)) == 30
    assert dive.over
    assert dive.step(ENOUGH) is None


def test_failures_lead_to_restarts_and_to_an_end_without_a_model() -> None:
    formula = Formula()
    dove = formula.variables("dove", {"dove": range(7), "hole": range(6)})
    for i in range(7):
        formula.exactly_one(dove[i, :])
    for i in range(6):
        formula.at_most_one(dove[:, i])
    dive = searched(formula)
    assert dive.step(ENOUGH) is None
    assert dive.over


@pytest.mark.parametrize(
    ("numbers", "decisions", "error", "message"),
    [
        ([2, 1, 1], [1], ValueError, "wrong"),
        ([1, 1, 2], [1], ValueError, "wrong"),
        ([1, 1, 0], [1], ValueError, "wrong"),
        ([1, 1, 1], [2], ValueError, "wrong"),
        ([1, 1, 1], [0], ValueError, "wrong"),
        ([-1, 1, 0], [1], ValueError, "wrong"),
        ([-1, 5, 0, 1, 1], [1], ValueError, "wrong"),
        ([1], [1], ValueError, "wrong"),
        ([1, -1, 1], [1], ValueError, "wrong"),
        ([-2, 1, 1], [1], ValueError, "wrong"),
        ([-1, -5, 0, 1, 1], [1], ValueError, "wrong"),
    ],
)
def test_invalid_numbers_are_refused(
    numbers: list[int], decisions: list[int], error: Any, message: str
) -> None:
    with pytest.raises(error, match=message):
        engine.Dive(1, array("i", numbers), array("i", decisions))


@pytest.mark.parametrize(
    ("variables", "error"),
    [(-1, OverflowError), (2**30, OverflowError), ("1", TypeError), (2**40, OverflowError)],
)
def test_an_invalid_number_of_variables_is_refused(variables: Any, error: Any) -> None:
    with pytest.raises(error):
        engine.Dive(variables, array("i"), array("i"))


def test_a_buffer_of_other_things_is_refused() -> None:
    with pytest.raises(ValueError, match="C ints"):
        engine.Dive(1, b"abc", array("i"))
    with pytest.raises(TypeError):
        engine.Dive(1, [1, 1], array("i"))
