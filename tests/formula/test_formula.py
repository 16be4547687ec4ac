"""Formulas: names, slices, choices, groups and errors."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jigsat import ANY, Formula
from jigsat.formula import Lowered
from jigsat.formula.constraints import Cardinality, Clause, Requirement, Xor
from jigsat.search.portfolio import models


class Lies(NamedTuple):
    tile: str
    cell: tuple[int, int]


def two_by_two() -> tuple[Formula, Any]:
    formula = Formula()
    keys = [Lies(tile, (r, c)) for tile in ("blue tit", "owl") for r in (0, 1) for c in (0, 1)]
    return formula, formula.variables("place", Lies._fields, keys)


def test_names_and_keys_go_both_ways() -> None:
    formula, place = two_by_two()
    for key, literal in place.items():
        assert place(*key) == literal
        assert formula.key(literal) == key
        assert isinstance(formula.key(literal), Lies)
        assert (formula.name(literal).key, formula.name(literal).negated) == (key, False)
        assert (formula.name(-literal).key, formula.name(-literal).negated) == (key, True)
        assert key in place
    assert str(formula.name(-place("blue tit", (0, 1)))) == "not place tile=blue_tit cell=(0,1)"
    assert (
        len({str(formula.name(i)) for i in range(1, formula.top + 1)})
        == formula.top
        == len(place)
        == 8
    )


def test_slices_keep_the_order_of_creation() -> None:
    _, place = two_by_two()
    assert place[:, :] == place[ANY, ANY] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert place["owl", :] == [5, 6, 7, 8]
    assert place[:, (1, 0)] == [3, 7]
    assert place["owl", (1, 0)] == [7]
    place["owl", :].clear()
    assert place["owl", :] == [5, 6, 7, 8], "a slice gives a new list"


@settings(derandomize=True, deadline=None)
@given(
    st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), max_size=20),
    st.data(),
)
def test_slices_agree_with_a_filter(keys: set[tuple[int, int, int]], data: st.DataObject) -> None:
    formula = Formula()
    ordered = sorted(keys, key=hash)
    first = formula.variables("x", "abc", ordered[:7])
    first[:, :, :]
    x = formula.variables("x", "abc", ordered[7:])
    assert x is first
    axis = st.one_of(st.just(ANY), st.integers(0, 3))
    pattern = data.draw(st.tuples(axis, axis, axis))
    fits = [
        key
        for key in ordered
        if all(part in (ANY, value) for part, value in zip(pattern, key, strict=True))
    ]
    known = [[ANY, *(key[i] for key in ordered)] for i in range(3)]
    if unknown := [
        f"the axis {'abc'[i]} has no value {part};"
        for i, part in enumerate(pattern)
        if part not in known[i]
    ]:
        with pytest.raises(KeyError, match=unknown[0]):
            x[pattern]
    else:
        assert [formula.key(literal) for literal in x[pattern]] == fits


@pytest.mark.parametrize(
    ("values", "asked", "message"),
    [
        (
            ["owl", "kite"],
            "kit",
            "bird: the axis kind has no value 'kit'; its values are 'owl', 'kite'",
        ),
        (
            list("abcdefg"),
            "x",
            "bird: the axis kind has no value 'x'; its values are 'a', 'b', 'c', 'd', 'e', 'f', …",
        ),
        ([*"abcdefg", "kite"], "kit", "bird: the axis kind has no value 'kit'; nearest are 'kite'"),
        (
            list(range(100)),
            102,
            "bird: the axis kind has no value 102; nearest are 99, 98, 97, 96, 95, 94",
        ),
        (
            [(0, i) for i in range(9)],
            (0, 9),
            "bird: the axis kind has no value (0, 9); nearest are (0, 8), ",
        ),
        (
            [*range(9), None],
            9,
            "bird: the axis kind has no value 9; its values are 0, 1, 2, 3, 4, 5, …",
        ),
        ([], 9, "bird: the axis kind has no value 9; it has none"),
    ],
)
def test_an_unknown_value_is_reported_with_similar_ones(
    values: list[Any], asked: Any, message: str
) -> None:
    formula = Formula()
    bird = formula.variables("bird", ("kind", "tree"), [(value, 1) for value in values])
    for ask in (lambda: bird[asked, :], lambda: bird[asked, 1], lambda: bird(asked, 1)):
        with pytest.raises(KeyError) as error:
            ask()
        assert str(error.value.args[0]).startswith(message)


def test_known_values_without_a_variable_give_nothing() -> None:
    formula = Formula()
    axes = {"tile": ["owl", "kite"], "cell": range(3)}
    place = formula.variables("place", axes, [("owl", 0), ("owl", 1)])
    assert place["kite", :] == place[:, 2] == place["kite", 0] == []
    with pytest.raises(KeyError, match="the axis cell has no value 3; its values are 0, 1, 2"):
        place["kite", 3]
    formula.variables("place", {"tile": ["wren"], "cell": []}, [("owl", 3)])
    assert place["wren", 3] == []
    with pytest.raises(KeyError, match="no variable place"):
        place("kite", 0)


def test_axes_with_values_need_no_keys() -> None:
    formula = Formula()
    digit = formula.variables("digit", {"cell": iter("ab"), "value": (1, 2)})
    assert [key for key, _ in digit.items()] == [("a", 1), ("a", 2), ("b", 1), ("b", 2)]
    assert formula.variables("constant", {})() == 5
    with pytest.raises(ValueError, match="digit: give the keys, or each axis with its values"):
        formula.variables("digit", ("cell", "value"))


def test_variables_of_all_families_are_numbered_consecutively() -> None:
    formula, place = two_by_two()
    label = formula.choice("label", "rgb", decision=False, edge=3)
    more = formula.variables("place", Lies._fields, [Lies("kite", (0, 0))])
    helper = formula.variables("helper", (), [()], decision=False)
    used = [literal for family in formula.families.values() for _, literal in family.items()]
    assert sorted(used) == list(range(1, formula.top + 1))
    assert more is place
    assert more("kite", (0, 0)) == 12
    assert helper() == 13
    assert formula.decisions() == [*range(1, 9), 12]
    assert [label(value) for value in "rgb"] == [9, 10, 11]
    assert str(formula.name(helper())) == "helper"


def test_a_choice_has_exactly_one_value() -> None:
    formula = Formula()
    with formula.rule("colours"):
        choices = [formula.choice("colour", ["red", "blue", "green"], cell=cell) for cell in (1, 2)]
    assert len(set(models(formula))) == 9
    assert formula.families["colour"][1, :] == [
        choices[0](value) for value in ("red", "blue", "green")
    ]
    assert str(formula.name(choices[1]("blue"))) == "colour cell=2 value=blue"
    assert formula.choices == choices
    assert formula.groups["colours"].kinds() == {"exactly-one": 2}
    with pytest.raises(KeyError, match="cannot be 'pink'; its values are 'red', 'blue', 'green'"):
        choices[0]("pink")


@pytest.mark.parametrize("huge", [2**31, 10**30])
def test_bounds_may_exceed_the_number_of_literals(huge: int) -> None:
    formula, place = two_by_two()
    x = place[:, :]
    formula.at_most(huge, x)
    formula.at_least(-huge, x)
    formula.between(-huge, huge, x)
    assert len(list(models(formula))) == 2**8
    for impossible in (
        lambda f: f.at_least(huge, x),
        lambda f: f.at_most(-huge, x),
        lambda f: f.exactly(huge, x),
    ):
        more = formula.extended()
        with more.rule("impossible"):
            impossible(more)
        assert not list(models(more))


def test_an_empty_choice_has_no_value() -> None:
    formula = Formula()
    formula.choice("colour", [])
    assert list(models(formula)) == []


def test_constraints_state_the_open_rule() -> None:
    formula, place = two_by_two()
    formula.clause([1])
    with formula.rule("outer"):
        formula.at_most_one(place["owl", :])
        with formula.rule("inner"):
            formula.implies(1, 2, 3)
        formula.xor([1, 2])
    with formula.rule("inner"):
        formula.exactly(2, [5, 6, 7])
    with formula.rule("never used"):
        pass
    assert {name: group.kinds() for name, group in formula.groups.items()} == {
        "other": {"clause": 1},
        "outer": {"at-most-one": 1, "xor": 1},
        "inner": {"clause": 1, "exactly-k": 1},
    }
    assert list(formula.groups["inner"].constraints) == [
        Clause((-1, 2, 3)),
        Cardinality((5, 6, 7), 2, 2),
    ]
    with pytest.raises(RuntimeError), formula.rule("broken off"):
        raise RuntimeError
    formula.clause([2])
    assert list(formula.groups["other"].constraints) == [Clause((1,)), Clause((2,))]


def test_constraints_are_about_what_the_innermost_rule_names() -> None:
    formula, _ = two_by_two()
    with formula.rule("first", "cell", 0):
        formula.clause([1])
        with formula.rule("second"):  # about the same cell
            formula.clause([2])
        formula.clause([3])
        with formula.rule("first", "cell", 1, must_be="filled"):
            formula.exactly_one([1, 2])
        formula.clause([4])
    with formula.rule("first", "cell", 0):
        formula.clause([5])
    with formula.rule("first"):
        formula.clause([6])
    with formula.rule("unused", "cell", 2):
        pass
    assert formula.rules == {
        "cell 0": {"first": [range(2), range(3, 5)], "second": [range(1)]},
        "cell 1": {"first": [range(2, 3)]},
    }
    about = ["cell 0", "cell 0", "cell 1", "cell 0", "cell 0"]
    assert formula.rules_of("first") == dict(enumerate(about))
    assert list(formula.list_rules()) == ["cell 0", "cell 1", "first: tile owl, cell r1c2"]
    assert formula.requirements == {
        Requirement("cell", "1", "filled"): ("first", range(2, 3)),
    }


def test_what_an_extended_formula_adds_is_not_in_the_original() -> None:
    formula, _ = two_by_two()
    with formula.rule("first", "cell", 0):
        formula.clause([1])
    more = formula.extended()
    with more.rule("second", "cell", 0):
        more.clause([2])
    assert formula.rules == {"cell 0": {"first": [range(1)]}}
    assert more.rules == {"cell 0": {"first": [range(1)], "second": [range(1)]}}


def test_kinds() -> None:
    formula, place = two_by_two()
    x = place[:, :]
    for make, kind in [
        (lambda: formula.clause(x), "clause"),
        (lambda: formula.at_most_one(x), "at-most-one"),
        (lambda: formula.exactly_one(x), "exactly-one"),
        (lambda: formula.at_most(3, x), "at-most-k"),
        (lambda: formula.at_least(3, x), "at-least-k"),
        (lambda: formula.exactly(3, x), "exactly-k"),
        (lambda: formula.between(2, 3, x), "between"),
        (lambda: formula.xor(x), "xor"),
    ]:
        make()
        assert [*formula.constraints()][-1].kind == kind


@pytest.mark.parametrize(
    ("literals", "odd", "variables", "parity"),
    [
        ([1, 2], True, (1, 2), True),
        ([2, -1], True, (1, 2), False),
        ([-1, -2], True, (1, 2), True),
        ([3, 1, 3], False, (1,), False),
        ([3, -3], True, (), False),
        ([3, -3], False, (), True),
        ([1, 1, 1], True, (1,), True),
        ([-1, -1], True, (), True),
        ([], True, (), True),
    ],
)
def test_an_xor_is_stored_with_distinct_positive_variables(
    literals: list[int], odd: bool, variables: tuple[int, ...], parity: bool
) -> None:
    formula, _ = two_by_two()
    formula.xor(literals, odd=odd)
    assert [*formula.constraints()] == [Xor(variables, parity)]


def test_what_a_formula_refuses() -> None:
    formula, place = two_by_two()
    before = formula.top
    for wrong in (0, 9, -9):
        for method in (formula.clause, formula.at_most_one, formula.xor, formula.minimize):
            with pytest.raises(ValueError, match="which has the variables 1 to 8"):
                method([1, wrong])
    with pytest.raises(ValueError, match="is repeated"):
        formula.at_most_one([1, 2, 1])
    with pytest.raises(ValueError, match="is already a variable"):
        formula.variables("place", Lies._fields, [Lies("owl", (0, 0))])
    with pytest.raises(ValueError, match="place has the axes tile, cell"):
        formula.variables("place", Lies._fields, [("owl",)])
    with pytest.raises(ValueError, match="other axes"):
        formula.variables("place", ("tile",), [("kite",)])
    with pytest.raises(ValueError, match="another role"):
        formula.variables("place", Lies._fields, [Lies("kite", (0, 0))], decision=False)
    with pytest.raises(KeyError, match="the axis tile has no value 'kite'"):
        place("kite", (0, 0))
    with pytest.raises(KeyError, match="its axes are tile, cell"):
        place("owl")
    with pytest.raises(KeyError, match="has 2 axes"):
        place["owl"]
    with pytest.raises(KeyError, match="a value or a full slice"):
        place["owl", 1:]
    for literal in (0, 9, -9):
        with pytest.raises(KeyError, match="1 to 8"):
            formula.name(literal)
    assert formula.top == before
    assert [*formula.constraints()] == []


ROWS = [[[1, 2], [-1, 3]], [[1, -2, 3]], [[]], [[4], [1, 2]], [], [[-1, -2], [2, 4], [-3, -4]]]
"""Clauses to be added together."""


def test_clauses_added_together_are_those_added_one_by_one() -> None:
    formulas = [Formula(), Formula()]
    for formula in formulas:
        formula.variables("x", {"i": range(4)})
    for rows in ROWS:
        formulas[0].clauses(iter(rows))
        for row in rows:
            formulas[1].clause(row)
        for formula in formulas:
            formula.exactly_one([1, -4])
    together, single = formulas
    assert list(together.constraints()) == list(single.constraints())
    assert together.groups["other"].kinds() == single.groups["other"].kinds()
    assert len(together.groups["other"].constraints) == len(single.groups["other"].constraints)
    lowered = Lowered(together)
    low = [
        one
        for batch in lowered.batches()
        for one in (map(Clause, batch) if isinstance(batch, list) else [batch])
    ]
    assert low == list(Lowered(single))
    assert lowered.number == len(low)


def test_wrong_clauses_are_refused_together() -> None:
    formula, _ = two_by_two()
    for rows, error in (
        ([[1, 2], [3, 9]], ValueError),
        ([[1], [True]], TypeError),
        ([[1, 0]], ValueError),
        ([3], TypeError),
    ):
        with pytest.raises(error):
            formula.clauses(rows)
    assert [*formula.constraints()] == []


def test_extending_a_formula_does_not_change_it() -> None:
    formula, place = two_by_two()
    with formula.rule("one owl"):
        formula.exactly_one(place["owl", :])
    more = formula.extended()
    with more.rule("no tits"):
        more.at_most(0, place["blue tit", :])
    assert more.top == formula.top
    assert list(formula.groups) == ["one owl"]
    assert list(more.groups) == ["one owl", "no tits"]
    assert len(list(models(formula))) == 4 * 2**4
    assert len(list(models(more))) == 4


def test_slacks_only_name_what_is_left_over() -> None:
    formula = Formula()
    place = formula.variables("place", ("i",), [(i,) for i in range(4)])
    left = formula.variables("left", ("i",), [(i,) for i in range(4)], decision=False)
    formula.exactly_one([place(0), place(1), left(0)])
    formula.exactly_one([place(2), place(3), left(1)])
    formula.exactly_one([place(2), left(2), left(3)])  # two others: neither follows
    formula.between(1, 2, left[:])
    assert formula.slacks() == [left(0), left(1)]
    assert formula.options() == [*place[:], left(0), left(1)]
    assert list(formula.items()) == [
        (place(0), place(1), left(0)),
        (place(2), place(3), left(1)),
    ]
    formula.clause([-left(1), place(0)])
    formula.exactly_one([place(3), left(0)])
    assert formula.slacks() == []


@pytest.mark.parametrize("rule", [None, "at most one"])
def test_adding_to_a_rule_of_an_extended_formula_changes_no_other(rule: str | None) -> None:
    formula = Formula()
    x = formula.variables("x", {"i": range(3)})
    stated = formula.rule(rule) if rule else nullcontext()
    with stated:
        formula.clause([x(0), x(1)])
        formula.at_most_one(x[:])
    original = list(formula.constraints())

    first, second = formula.extended(), formula.extended()
    for more, literal in ((first, x(0)), (second, x(1)), (formula, -x(2))):
        with more.rule(rule) if rule else nullcontext():
            more.clause([literal])
    added = {literal: Clause((literal,)) for literal in (x(0), x(1), -x(2))}
    assert list(first.constraints()) == [*original, added[x(0)]]
    assert list(second.constraints()) == [*original, added[x(1)]]
    assert list(formula.constraints()) == [*original, added[-x(2)]]
