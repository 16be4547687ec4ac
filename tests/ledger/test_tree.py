"""A ledger whose subproblems do not partition the search is refused; it would give a wrong
count."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.ledgers import ATOMS, count_in_parts, dominoes

import jigsat
from jigsat import Formula, InputError
from jigsat.ledger.tree import SubproblemTree, name_choices

TILINGS = 36  # of the 4×4 board


class Row(NamedTuple):
    id: int
    parent: int | None
    literals: tuple[int, ...]
    state: str = "done"
    refuted: tuple[int, ...] | None = None


CHOICE = frozenset({1, 2, 3})
ROOT = Row(1, None, (), "split", (3,))


def find_faults(*rows: Row) -> list[str]:
    tree = SubproblemTree()
    return [*tree.read(rows), *tree.find_wrong_choices({CHOICE})]


def test_parts_of_a_choice_partition_their_parent() -> None:
    assert not find_faults(ROOT, Row(2, 1, (1,)), Row(3, 1, (2,)))
    variable = Row(2, 1, (1,), "split")
    assert not find_faults(ROOT, variable, Row(3, 1, (2,)), Row(4, 2, (1, 5)), Row(5, 2, (1, -5)))


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([Row(2, 1, (1,)), Row(3, 1, (1,), "open")], "for the second time"),
        ([Row(2, 1, (1,))], "its parts are not those of"),
        ([Row(2, 1, (1,)), Row(3, 1, (2,)), Row(4, 1, (3,))], "also refuted"),
        ([Row(2, 1, (1,)), Row(3, 1, (4,))], "its parts are not those of"),
        ([Row(2, 1, (1,)), Row(3, 1, (1, 2))], "does not extend 1 by one literal"),
        ([Row(2, 1, (1,)), Row(3, 1, ())], "does not extend 1 by one literal"),
        ([Row(2, 1, (1,)), Row(3, 1, (2,)), Row(4, 3, (2, 5))], "which was not split before"),
        ([Row(2, 1, (1,)), Row(3, 3, (2,), "split")], "which was not split before"),
        ([Row(2, 1, (1,)), Row(3, None, (2,))], "3 has no parent"),
    ],
)
def test_a_tree_that_is_no_partition_has_a_fault(rows: list[Row], fault: str) -> None:
    assert any(fault in words for words in find_faults(ROOT, *rows))


def test_a_tree_has_one_root() -> None:
    assert find_faults() == ["there are 0 roots instead of one"]


def test_choices_are_exactly_one_constraints() -> None:
    formula = Formula()
    x = formula.variables("x", {"n": range(3)})
    with formula.rule("one"):
        formula.exactly_one(x[:])
    with formula.rule("at most one"):
        formula.at_most_one(x[:])
    assert name_choices(formula) == {frozenset(x[:]): "one"}


def edit(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as rows:
        rows.execute(statement, values)
        rows.commit()


def test_an_open_subproblem_with_the_literals_of_another_is_refused(ledger: Path) -> None:
    with closing(sqlite3.connect(ledger)) as rows:
        first, second = rows.execute(
            "SELECT min(id), max(id) FROM subproblem WHERE state = 'done' "
            "GROUP BY parent HAVING count(*) > 1 LIMIT 1"
        ).fetchone()
    edit(
        ledger,
        "UPDATE subproblem SET state = 'open', backend = NULL, counts = NULL, literals = "
        "(SELECT literals FROM subproblem WHERE id = ?) WHERE id = ?",
        first,
        second,
    )
    with pytest.raises(InputError, match="for the second time"):
        count_in_parts(dominoes(), store=ledger)


@given(data=st.data())
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_edited_rows_are_refused_or_do_not_matter(
    data: st.DataObject, split: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(split, tmp_path / "edited"))
    with closing(sqlite3.connect(path)) as rows:
        numbers = [number for (number,) in rows.execute("SELECT id FROM subproblem")]
    number, other = (data.draw(st.sampled_from(numbers)) for _ in range(2))
    column = data.draw(st.sampled_from(["literals", "parent", "refuted"]))
    if data.draw(st.booleans()):
        edit(
            path,
            "UPDATE subproblem SET state = 'open', backend = NULL, counts = NULL "
            "WHERE id = ? AND state = 'done'",
            number,
        )
    edit(
        path,
        f"UPDATE subproblem SET {column} = (SELECT {column} FROM subproblem WHERE id = ?) "
        "WHERE id = ?",
        other,
        number,
    )
    try:
        result = count_in_parts(dominoes(), store=path, seconds=ATOMS)
    except InputError:
        return
    assert result.complete and result.solutions == TILINGS


def test_swapped_levels_of_a_whole_count_are_refused(tmp_path: Path) -> None:
    """The counts are columns in the order of the levels in the header."""
    path = tmp_path / "whole.ledger"
    puzzle = dominoes()
    count = jigsat.count(puzzle, backend="cover", store=path)
    levels = json.dumps(dict(count.symmetries))
    orders = [*count.symmetries.values()][::-1]
    swapped = json.dumps(dict(zip(count.symmetries, orders, strict=True)))
    columns = json.dumps(dict([*count.symmetries.items()][::-1]))
    with closing(sqlite3.connect(path)) as rows:
        (header,) = rows.execute("SELECT text FROM header").fetchone()
    assert json.dumps(json.loads(header)["levels"]) == levels
    for wrong in (swapped, columns):
        text = json.dumps({**json.loads(header), "levels": json.loads(wrong)})
        edit(path, "UPDATE header SET text = ?", text)
        with pytest.raises(InputError, match="encodes this instance differently"):
            jigsat.count(puzzle, store=path)
    edit(path, "UPDATE header SET text = ?", header)
    assert jigsat.count(puzzle, store=path).distinct == count.distinct
