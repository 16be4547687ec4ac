"""SQL: the scripts run in SQLite, and list the models of the formula, each once."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from support.quick import cases

import jigsat
from jigsat import Formula
from jigsat.errors import InputError
from jigsat.formats.export import lines
from jigsat.formula import Assignment, holds

AUTHOR = {"216897534", "674193285", "435798612", "582391476"}
"""The four rows of the query that solved the cats in 2011: the tiles, row by row."""


def run(name: str) -> list[tuple[object, ...]]:
    puzzle = jigsat.load(name)
    script = "".join(lines(puzzle.encode(), Path(f"{name}.sql"), puzzle))
    tables, select = script.split("SELECT", 1)
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(tables)
        return list(database.execute(f"SELECT{select}"))


def test_the_cats_are_those_of_the_author() -> None:
    rows = run("cats")
    assert len(rows) == 4
    assert {"".join(map(str, row[::2])) for row in rows} == AUTHOR


@pytest.mark.parametrize(
    ("name", "solutions"),
    [
        ("cats-reuse", 1272),  # the seed's count, before tiles may be used only once
        ("cube", 96),
        ("cube-tower", 16),
        ("latin-4", 576),  # OEIS A002860
        ("queens-8", 92),
        ("sudoku-4x4-empty", 288),
        ("sudoku-6x6", 1),
        ("push-pull", 1),
        ("lights-hexagon", 8),
        pytest.param("fish", 1, marks=pytest.mark.slow),
    ],
)
def test_the_script_lists_all_solutions(name: str, solutions: int) -> None:
    rows = run(name)
    assert len(rows) == len(set(rows)) == solutions


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("sudoku-empty", "there are 81 choices"),
        ("dinner", "near how=beside one=Bob other=Cathy does not follow"),
        ("black-and-white", "left cell=(0,0) does not follow from the choice for one cell"),
    ],
)
def test_other_formulas_are_refused(name: str, reason: str) -> None:
    with pytest.raises(InputError, match="no tables can be joined: ") as raised:
        run(name)
    assert reason in str(raised.value)


def test_names_are_quoted_and_cut() -> None:
    formula = Formula()
    long = "x" * 80
    one = formula.choice("it's", ["a'b", 'c"d'], at=f"{long}1")
    other = formula.choice("it's", ["a'b", 'c"d'], at=f"{long}2")
    formula.clause([-one("a'b"), other('c"d')])
    formula.clause([-one('c"d'), other("a'b")])
    puzzle = jigsat.load("cats")
    script = "".join(lines(formula, Path("x.sql"), puzzle))
    tables, select = script.split("SELECT", 1)
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(tables)
        rows = list(database.execute(f"SELECT{select}"))
        names = [row[0] for row in database.execute("SELECT name FROM sqlite_master")]
    assert sorted(rows) == [("a'b", 'c"d'), ('c"d', "a'b")]
    assert len(set(names)) == 2
    assert all(len(name) <= 63 for name in names)


def test_names_that_differ_only_in_case_are_told_apart() -> None:
    formula = Formula()
    x = formula.variables("x", {"i": range(2), "I": range(2)})
    formula.exactly_one(x[:, :])
    assert len(list(jigsat.models(formula, backend="sqlite"))) == 4
    script = "".join(lines(formula, Path("x.sql"), jigsat.load("cats")))
    tables, select = script.split("SELECT", 1)
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(tables)
        assert sorted(database.execute(f"SELECT{select}")) == [(0, 0), (0, 1), (1, 0), (1, 1)]


@st.composite
def formulas(draw: st.DrawFn) -> Formula:
    """A few choices, variables that each option decides, and constraints of all kinds on them."""
    formula = Formula()
    choices = [
        formula.choice("pick", range(draw(st.integers(1, 3))), cell=cell)
        for cell in range(draw(st.integers(1, 3)))
    ]
    switches = formula.variables(
        "switch", ("number",), [(i,) for i in range(draw(st.integers(0, 2)))]
    )
    free = [x for choice in choices for x in choice.literals.values()] + switches[:]
    for number in range(draw(st.integers(0, 3))):
        shown = formula.variables("shown", ("number",), [(number,)], decision=False)(number)
        for choice in draw(st.lists(st.sampled_from(choices), min_size=1, max_size=2)):
            for option in choice.literals.values():
                formula.clause([-option, shown if draw(st.booleans()) else -shown])
        free.append(shown)
    literals = st.lists(st.sampled_from(free), min_size=1, max_size=5, unique=True)
    for _ in range(draw(st.integers(0, 4))):
        chosen = draw(literals)
        signed = [x if draw(st.booleans()) else -x for x in chosen]
        match draw(st.sampled_from(["clause", "xor", "at most", "exactly", "sum"])):
            case "clause":
                formula.clause(signed)
            case "xor":
                formula.xor(signed)
            case "at most":
                formula.at_most(1, chosen)
            case "exactly":
                formula.exactly(draw(st.integers(0, 2)), signed)
            case "sum":
                weights = {x: draw(st.integers(-3, 3)) for x in signed}
                formula.linear(weights, at_least=draw(st.integers(-2, 2)))
    return formula


def models_by_trial(formula: Formula) -> set[frozenset[int]]:
    """The models on the decision variables, by trying all assignments."""
    found = set()
    for values in product((False, True), repeat=formula.top):
        true = frozenset(i for i, value in enumerate(values, 1) if value)
        if all(holds(constraint, true) for constraint in formula.constraints()):
            found.add(true.intersection(formula.decisions()))
    return found


@settings(max_examples=cases(120), deadline=None)
@given(formulas())
def test_random_formulas_agree_with_trial(formula: Formula) -> None:
    try:
        listed: Sequence[Assignment] = list(jigsat.models(formula, backend="sqlite"))
    except InputError:  # what is shown follows from several choices together
        reject()
    assert len(set(listed)) == len(listed)
    assert {model.variables for model in listed} == models_by_trial(formula)
