"""Subproblems that are split during their search: the ledger has the counts of the finished
branches, and nothing is lost."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from support.boards import alike_in_turn
from support.installed import CAPABILITIES

import jigsat
from jigsat import Formula, Puzzle, load
from jigsat.backends import Branching
from jigsat.ledger import worker as work
from jigsat.ledger.audit import audit_ledger
from jigsat.ledger.file import Ledger
from jigsat.ledger.report import report
from jigsat.ledger.worker import Branches, SubproblemOutcome, shares_in
from jigsat.orbits import OrbitShare
from jigsat.search import exhaustive
from jigsat.search.exhaustive import Splitter

ONE = OrbitShare(1, 1, ())


def dominoes() -> Puzzle:
    """36 tilings; some of them are turned or mirrored into themselves."""
    return load("dominoes-6x8", board="\n".join(["####"] * 4))


def left_over() -> Puzzle:
    """Dominoes that leave two or four cells over: the branches of a cell are also that it is left
    over, which no model says."""
    return load(
        {
            "family": "tiling",
            "board": "####\n####",
            "left_over": [2, 4],
            "uses": "any",
            "pieces": {"domino": "##"},
        }
    )


@pytest.fixture
def short_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search gives up branches after each node or conflict."""
    monkeypatch.setattr(exhaustive, "FIRST_PART_NODES", 1)
    monkeypatch.setattr(exhaustive, "CLOCK_INTERVAL_S", 0.0)
    monkeypatch.setattr(exhaustive, "CONFLICTS_PER_CHECK", 1)
    monkeypatch.setattr(work, "MAX_TARGET_MULTIPLE", -1.0)


@pytest.mark.usefixtures("short_steps")
@pytest.mark.parametrize("backend", ["cover", "cadical195", "clingo"])
@pytest.mark.parametrize(
    ("puzzle", "solutions", "distinct"),
    [
        (dominoes, 36, {"rotation": 12, "reflection": 9}),
        (lambda: load("cube"), 96, {"rotation": 4, "reflection": 2}),
        (left_over, 55, {"rotation": 30, "reflection": 22}),
    ],
)
def test_finished_branches_are_recorded(
    backend: str, puzzle: Any, solutions: int, distinct: dict[str, int], tmp_path: Path
) -> None:
    if backend not in CAPABILITIES:
        pytest.skip(f"{backend} is not installed")
    path = tmp_path / "ledger"
    count = jigsat.count(puzzle(), backend=backend, store=path)
    assert (count.solutions, count.distinct, count.complete) == (solutions, distinct, True)
    with closing(Ledger(path)) as ledger:
        found = audit_ledger(ledger, None)
        assert not found.faults
        assert (found.solutions, found.distinct, found.recomputed) == (
            solutions,
            distinct,
            found.finished,
        )
        rows = list(ledger.every())
        found_on_the_way = [row for row in rows if row.state == "done" and not row.seconds]
        assert found_on_the_way or backend != "cover"
        assert {row.attempts for row in rows} <= {0, 1}
        shown = report(ledger)
    assert shown.failures == 0
    assert sum(shown.histogram.values()) == sum(
        row.seconds > 0 and (row.state == "done" or row.nodes > 0) for row in rows
    )


# Some of these ledgers have thousands of subproblems.
MOST_COUNTED_AGAIN = 300


@pytest.mark.usefixtures("short_steps")
@pytest.mark.parametrize("seed", range(4))
def test_boards_with_tiles_that_are_alike_have_the_same_counts_in_parts(
    seed: int, tmp_path: Path
) -> None:
    board, path = alike_in_turn(seed), tmp_path / "ledger"
    expected = jigsat.count(board, backend="cover")
    assert jigsat.count(board, backend="scan").solutions == expected.solutions
    count = jigsat.count(board, backend="scan", store=path, jobs=1 + seed // 2)
    assert (count.solutions, count.distinct, count.complete) == (
        expected.solutions,
        expected.distinct,
        True,
    )
    with closing(Ledger(path)) as ledger:
        found = audit_ledger(ledger, MOST_COUNTED_AGAIN)
        assert (found.faults, found.solutions) == ([], expected.solutions)
        assert found.recomputed == min(found.finished, MOST_COUNTED_AGAIN)
        assert found.finished > 10


def choices() -> tuple[Formula, Splitter]:
    """Exactly one of 1, 2, 3 and exactly one of 4, 5, 6; 1 excludes 4 and 5."""
    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(1, 7)])
    formula.exactly_one([x(1), x(2), x(3)])
    formula.exactly_one([x(4), x(5), x(6)])
    formula.clause([-x(1), -x(4)])
    formula.clause([-x(1), -x(5)])
    return formula, Splitter(formula)


def test_models_belong_to_the_branch_that_they_are_in() -> None:
    with closing(choices()[1]) as splitter:
        branches = Branches(splitter, ())
        for model in ({2, 4}, {2, 5}, {2, 6}, {3, 4}):
            branches.add(frozenset(model), ONE)
        branches.divide(Branching((1, 2, 3), 3, (1,)))
        branches.add(frozenset({3, 5}), ONE)
        branches.divide(Branching((4, 5, 6), 5, (6,)))
        outcome = branches.end(1.5, 7)
    assert (outcome.seconds, outcome.nodes, outcome.state, outcome.open, outcome.refuted) == (
        1.5,
        7,
        "split",
        [1],
        [],
    )
    assert outcome.parts[2] == SubproblemOutcome(seconds=0, counts=[(1, 1, [], 3)])
    assert outcome.parts[3].open == [6]
    assert [outcome.parts[3].parts[x].counts for x in (4, 5)] == [[(1, 1, [], 1)]] * 2
    assert sum(shares_in(each.counts)[ONE] for each in outcome.all()) == 5


def test_rows_with_equal_shares_are_refused() -> None:
    """One of them would be lost."""
    rows = [[4, 1, [1], 3], [4, 1, [1], 1]]
    with pytest.raises(ValidationError, match="two rows of counts have equal shares"):
        SubproblemOutcome.model_validate({"seconds": 0, "counts": rows})
    with pytest.raises(ValueError, match="two rows of counts have equal shares"):
        shares_in([(4, 1, [1], 3), (4, 1, [1], 1)])


def test_implied_branches_are_no_choice_and_refuted_ones_are_not_open() -> None:
    with closing(choices()[1]) as splitter:
        branches = Branches(splitter, (1,))
        branches.divide(Branching((4, 5, 6), 6, (4, 5)))  # 6 follows from 1
        branches.add(frozenset({1, 6}), ONE)
        assert branches.end(0, 0) == SubproblemOutcome(seconds=0, counts=[(1, 1, [], 1)])
        branches = Branches(splitter, (4,))
        branches.divide(Branching((1, 2, 3), 3, (1, 2)))
        assert branches.end(0, 0) == SubproblemOutcome(
            seconds=0, open=[2], refuted=[1], parts={3: SubproblemOutcome(seconds=0, counts=[])}
        )
        # a search may notice a contradiction later than propagation
        branches = Branches(splitter, (1, 4))
        branches.divide(Branching((4, 5, 6), 4, (5,)))
        assert branches.end(0, 0) == SubproblemOutcome(seconds=0, counts=[])


def test_models_of_a_branch_that_was_not_finished_are_dropped() -> None:
    with closing(choices()[1]) as splitter:
        branches = Branches(splitter, ())
        branches.add(frozenset({2, 4}), ONE)
        branches.add(frozenset({3, 4}), ONE)
        branches.divide(Branching((1, 2, 3), None, (3, 1)))
        outcome = branches.end(0, 0)
    assert outcome == SubproblemOutcome(
        seconds=0, open=[1, 3], parts={2: SubproblemOutcome(seconds=0, counts=[(1, 1, [], 1)])}
    )
    assert outcome.state == "split"
