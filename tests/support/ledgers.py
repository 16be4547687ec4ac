"""A small puzzle whose ledgers are tested."""

from __future__ import annotations

from typing import Any

from jigsat import Puzzle, load
from jigsat.solving import Result
from jigsat.solving.ledger_count import LedgerCount

SQUARE = "\n".join(["####"] * 4)
"""A board with 36 domino tilings; some of them are turned or mirrored into themselves."""

DISTINCT = {"rotation": 12, "reflection": 9}

ATOMS = 0.0
"""A target duration with which everything is split as far as possible."""


def dominoes() -> Puzzle:
    return load("dominoes-6x8", board=SQUARE)


def counted(problem: Any, **options: Any) -> Result:
    count: LedgerCount[Any] = LedgerCount(problem, **options)
    for _ in count:
        pass
    return count.result
