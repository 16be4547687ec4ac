"""How tasks are answered: the table of decisions, and what the strategies pass on to each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import jigsat
from jigsat import Formula, InputError, Lowering
from jigsat.backends.engine import is_compiled
from jigsat.solving.strategies import choose
from jigsat.solving.task import Resources, Task
from jigsat.subject import subject_of
from jigsat.symmetry import Level

pytestmark = pytest.mark.skipif(
    not is_compiled(), reason="jigsat was installed without a C compiler"
)

CLUSTER = "local:2"


def formula() -> Formula:
    """Two of four, up to a turn."""
    formula = Formula()
    formula.exactly(2, formula.variables("x", {"i": range(4)})[:])
    return formula


def turn() -> list[dict[int, int]]:
    return [{1: 2, 2: 3, 3: 4, 4: 1}]


def names(problem: Any, want: Any, options: dict[str, Any], path: Path) -> list[str]:
    """The strategies for a task, by name."""
    options = dict(options)
    group = turn() if options.pop("group", False) else ()
    if options.pop("store", False):
        options["store"] = path
    resources = {
        name: options.pop(name)
        for name in ("backend", "jobs", "cluster", "store")
        if name in options
    }
    task = Task(subject_of(formula() if problem == "formula" else problem, group), want, **options)
    return [
        f"{'brief ' if getattr(strategy, 'brief', False) else ''}{type(strategy).__name__.lower()}"
        for strategy in choose(task, Resources(**resources))
    ]


PLAIN = Lowering()
PAIRS = Lowering(at_most_one="pairwise")


@pytest.mark.parametrize(
    ("problem", "want", "options", "expected"),
    [
        ("cube", "solutions", {}, "whole"),
        ("cube", "solutions", {"limit": 2}, "whole"),
        ("cube", "solutions", {"jobs": 2}, "brief whole, parts, whole"),
        ("cube", "solutions", {"jobs": 2, "limit": 1}, "brief whole, parts, whole"),
        ("cube", "solutions", {"jobs": 2, "backend": "cover"}, "parts, whole"),
        ("cube", "solutions", {"jobs": 2, "backend": "cryptosat"}, "whole"),
        ("cube", "solutions", {"jobs": 2, "lowering": PAIRS}, "whole"),
        ("cube", "solutions", {"jobs": 2, "lowering": PLAIN}, "brief whole, parts, whole"),
        ("cube", "solutions", {"jobs": 2, "up_to": Level.AUTOMORPHISM}, "whole"),
        ("cube", "solutions", {"store": True}, "whole"),
        ("cube", "solutions", {"store": True, "jobs": 2}, "parts"),
        ("cube", "solutions", {"cluster": CLUSTER}, "parts"),
        ("lights-5x5", "solutions", {"minimize": True}, "whole"),
        ("lights-5x5", "solutions", {"minimize": True, "jobs": 2}, "whole"),
        ("lights-5x5", "solutions", {"minimize": True, "store": True}, "whole"),
        ("formula", "solutions", {"jobs": 2}, "brief whole, parts, whole"),
        ("formula", "solutions", {"jobs": 2, "group": True}, "whole"),
        ("cube", "count", {}, "whole"),
        ("cube", "count", {"limit": 3}, "whole"),
        ("dominoes-6x8", "count", {"backend": "cover"}, "whole"),
        ("cube", "count", {"backend": "cover", "jobs": 2}, "parts, whole"),
        ("cube", "count", {"backend": "counting"}, "counted"),
        ("cube", "count", {"store": True}, "parts"),
        ("cube", "count", {"store": True, "limit": 3}, "whole"),
        ("cube", "count", {"store": True, "up_to": Level.AUTOMORPHISM}, "whole"),
        ("cube", "count", {"cluster": CLUSTER}, "parts"),
        ("dominoes-6x8", "count", {}, "counted, whole"),
        ("dominoes-6x8", "count", {"store": True}, "counted, parts"),
        ("dominoes-6x8", "count", {"jobs": 2}, "counted, brief whole, parts, whole"),
        ("dominoes-6x8", "count", {"backend": "cadical195"}, "whole"),
        ("dominoes-6x8", "count", {"up_to": Level.AUTOMORPHISM}, "counted, whole"),
        ("lights-5x5", "count", {}, "counted, whole"),
        ("lights-5x5", "count", {"minimize": True}, "whole"),
    ],
)
def test_the_strategies_for_a_task(
    problem: str, want: str, options: dict[str, Any], expected: str, tmp_path: Path
) -> None:
    assert ", ".join(names(problem, want, options, tmp_path / "ledger")) == expected


@pytest.mark.parametrize(
    ("want", "options", "message"),
    [
        ("solutions", {"cluster": CLUSTER, "minimize": True}, "cannot be split into subproblems"),
        (
            "solutions",
            {"cluster": CLUSTER, "up_to": Level.AUTOMORPHISM},
            "cannot be split into subproblems",
        ),
        ("count", {"cluster": CLUSTER, "lowering": PAIRS}, "cannot be split into subproblems"),
        ("solutions", {"cluster": CLUSTER, "backend": "maxsat"}, "unknown backend"),
        ("count", {"store": True, "backend": "counting"}, "does not search"),
    ],
)
def test_options_that_no_strategy_can_honour_are_refused_before_anything_runs(
    want: str, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        names("cube", want, options, tmp_path / "ledger")
    assert not (tmp_path / "ledger").exists()


def test_files_of_counts_and_of_lists_are_resumed(tmp_path: Path) -> None:
    counts, parts, whole = tmp_path / "counts", tmp_path / "parts", tmp_path / "whole"
    jigsat.count("cats", store=counts, backend="cover")
    assert len(list(jigsat.solutions("cats", store=parts, jobs=2))) == 1
    assert len(list(jigsat.solutions("cats", store=whole, up_to="automorphism"))) >= 1
    for want, path, options, expected in [
        ("count", counts, {}, ["parts"]),
        ("count", parts, {}, ["parts"]),
        ("solutions", parts, {}, ["parts"]),
        ("count", whole, {"up_to": Level.AUTOMORPHISM}, ["whole"]),
        ("solutions", whole, {"up_to": Level.AUTOMORPHISM}, ["whole"]),
    ]:
        task: Any = Task(subject_of("cats"), want, **options)  # type: ignore[arg-type]
        assert [
            type(strategy).__name__.lower() for strategy in choose(task, Resources(store=path))
        ] == expected
    assert (
        jigsat.count("cats", store=parts).solutions
        == jigsat.count("cats", store=counts).solutions
        == 4
    )


def test_each_strategy_says_what_it_does() -> None:
    task = Task(subject_of("dominoes-6x8"), "count")
    reasons = [strategy.reason for strategy in choose(task, Resources(jobs=2))]
    assert len(set(reasons)) == len(reasons) == 4 and all(reasons)
