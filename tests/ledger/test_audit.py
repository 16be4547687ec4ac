"""The audit of a ledger, and ledgers whose rows are damaged."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.ledgers import ATOMS, DISTINCT, count_in_parts, dominoes

from jigsat import Formula, InputError
from jigsat.ledger.audit import Audit, audit_ledger
from jigsat.ledger.file import Ledger
from jigsat.ledger.report import report
from jigsat.subject import FormulaSubject


def audit(path: Path, sample: int | None = None) -> Audit:
    with closing(Ledger(path)) as ledger:
        return audit_ledger(ledger, sample)


def test_an_audit_confirms_a_ledger(ledger: Path) -> None:
    found = audit(ledger)
    assert not found.faults
    assert (found.solutions, found.distinct, found.missed) == (36, DISTINCT, 0)
    assert found.finished == found.recomputed == 18
    assert found.broken and "symmetry-breaking clause" in str(found)
    some = audit(ledger, 10)
    assert some.missed == pytest.approx(1 - 10 / some.finished)


def change(statement: str) -> Callable[[Path], None]:
    def changed(path: Path) -> None:
        with closing(sqlite3.connect(path)) as rows:
            rows.execute(statement)
            rows.commit()

    return changed


ONE_DONE = "(SELECT min(id) FROM subproblem WHERE state = 'done')"


def widen(path: Path) -> None:
    """Add 1 to a count."""
    with closing(sqlite3.connect(path)) as rows:
        number, counts = rows.execute(
            "SELECT id, counts FROM subproblem WHERE state = 'done' AND counts != '[]' LIMIT 1"
        ).fetchone()
        parsed = json.loads(counts)
        parsed[0][3] += parsed[0][1]  # still a multiple
        rows.execute("UPDATE subproblem SET counts = ? WHERE id = ?", (json.dumps(parsed), number))
        rows.commit()


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        (change(f"DELETE FROM subproblem WHERE id = {ONE_DONE}"), "its parts are not those of"),
        (change("DELETE FROM subproblem WHERE parent IS NULL"), "0 roots instead of one"),
        (
            change(f"UPDATE subproblem SET state = 'refuted', counts = NULL WHERE id = {ONE_DONE}"),
            "refuted by unit propagation has a model",
        ),
        (change("UPDATE subproblem SET literals = '[1, 2]' WHERE id = 2"), "by one literal"),
        (widen, "the counts differ when it is counted again"),
    ],
)
def test_an_audit_finds_faults(changed: Callable[[Path], None], fault: str, ledger: Path) -> None:
    changed(ledger)
    assert any(fault in found for found in audit(ledger).faults)


@pytest.mark.parametrize("text", ["nonsense", "[1, 2]", '["a"]'])
def test_a_wrong_row_is_damage(text: str, ledger: Path) -> None:
    change(f"UPDATE subproblem SET counts = '{text}' WHERE id = {ONE_DONE}")(ledger)
    with pytest.raises(InputError, match="damaged"):
        audit(ledger)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE subproblem SET state = 'weird' WHERE state = 'done'",
        "UPDATE subproblem SET state = 'split' WHERE state = 'done'",
        "UPDATE subproblem SET counts = NULL",
        "DELETE FROM subproblem WHERE state = 'done'",
        "DROP TABLE subproblem",
        "UPDATE subproblem SET counts = '[[1, 1, [], 7]]' WHERE state = 'done'",
        "UPDATE subproblem SET counts = replace(counts, '],', '],-') WHERE state = 'done'",
        "UPDATE subproblem SET literals = '[1.5]', state = 'open', counts = NULL WHERE state = "
        "'done'",
        "UPDATE subproblem SET literals = '[0]', state = 'open', counts = NULL WHERE state = "
        "'done'",
    ],
)
def test_a_count_is_not_resumed_from_damaged_rows(damage: str, ledger: Path) -> None:
    change(damage)(ledger)
    with pytest.raises(InputError, match=r"damaged \("):
        count_in_parts(dominoes(), backend="cadical195", store=ledger)


@pytest.mark.parametrize(
    "damage",
    [
        """UPDATE header SET text = replace(text, '"reflection":', '"reflexion":')""",
        """UPDATE header SET text = replace(text, '"reflection":', '"reflection":-')""",
        f"UPDATE subproblem SET counts = '[[8, 3, [2, 1], 1]]' WHERE id = "
        f"{ONE_DONE}",  # a third of an orbit
        f"UPDATE subproblem SET counts = '[[8, 0, [2, 1], 1]]' WHERE id = {ONE_DONE}",
        f"UPDATE subproblem SET literals = CAST(x'5bff5d' AS TEXT) WHERE id = {ONE_DONE}",
        f"UPDATE subproblem SET counts = CAST(x'5bff5d' AS TEXT) WHERE id = {ONE_DONE}",
        "UPDATE header SET text = CAST(x'7bff7d' AS TEXT)",
    ],
)
def test_a_damaged_ledger_is_neither_counted_nor_shown(damage: str, ledger: Path) -> None:
    change(damage)(ledger)
    damaged = rf"^{ledger}: damaged \("
    with pytest.raises(InputError, match=damaged):
        count_in_parts(dominoes(), backend="cadical195", store=ledger)
    with pytest.raises(InputError, match=damaged), closing(Ledger(ledger)) as opened:
        report(opened)


def test_formulas_have_ledgers(tmp_path: Path) -> None:
    formula = Formula()
    x = formula.variables("x", {"i": range(6)})
    formula.at_least(2, x[:])
    formula.linear({x(0): 3, x(1): 2, x(2): 2}, at_most=4)
    formula.xor([x(3), x(4), x(5)])
    path = tmp_path / "ledger"
    result = count_in_parts(FormulaSubject(formula, name="sums"), store=path, seconds=ATOMS)
    assert result.solutions == len({*_models()})
    assert not audit(path).faults


def _models() -> Iterator[tuple[bool, ...]]:
    from itertools import product

    for values in product((False, True), repeat=6):
        a, b, c, d, e, f = values
        if sum(values) >= 2 and 3 * a + 2 * b + 2 * c <= 4 and (d + e + f) % 2:
            yield values
