"""A small puzzle whose ledgers are tested."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from jigsat import Enumeration, Puzzle, load
from jigsat.answering import parts, work
from jigsat.ledger.coordinator import TARGET_S, Coordinator, write_subproblems
from jigsat.ledger.file import Ledger, Subproblem
from jigsat.ledger.headers import Header
from jigsat.ledger.worker import SubproblemWorker
from jigsat.questions import Result
from jigsat.runtime.executors import Here, Workers

SQUARE = "\n".join(["####"] * 4)
"""A board with 36 domino tilings; some of them are turned or mirrored into themselves."""

DISTINCT = {"rotation": 12, "reflection": 9}

ATOMS = 0.0
"""A target duration with which everything is split as far as possible."""


def dominoes() -> Puzzle:
    return load("dominoes-6x8", board=SQUARE)


def write_atoms(header: Header, subproblems: list[Subproblem], seconds: float, split: bool) -> str:
    """The same as `write_subproblems`. Without a target duration, the compiled engines split
    everything before they search."""
    compiled = header.problem is not None and header.problem.backend in ("cover", "scan")
    return write_subproblems(header, subproblems, seconds, split or (seconds == ATOMS and compiled))


def set_target(patch: pytest.MonkeyPatch, seconds: float = ATOMS) -> None:
    """All subproblems have this target duration."""
    patch.setattr(parts, "target_duration", lambda _: seconds)
    patch.setattr(parts, "write_subproblems", write_atoms)


def count_in_parts(problem: Any, *, seconds: float = TARGET_S, **options: Any) -> Result:
    """The result of a count with a ledger, whose subproblems have this target duration."""
    with pytest.MonkeyPatch.context() as patch:
        set_target(patch, seconds)
        patch.setattr(
            work,
            "make_plan",
            lambda task: [parts.SearchParts(task, "a test", required=True)],
        )
        return Enumeration(problem, want="count", **options).run()


def here() -> Here[str, str]:
    return Here(SubproblemWorker)


def coordinate(
    ledger: Ledger,
    workers: Workers[str, str] | None = None,
    seconds: float = TARGET_S,
    **options: Any,
) -> Coordinator:
    """The coordinator of the subproblems of a ledger, which are searched in this process unless
    there are workers."""
    return Coordinator(
        ledger, workers or here(), partial(write_atoms, ledger.header), seconds, **options
    )
