"""Estimates by random paths: without bias, repeatable, never taken for counts."""

from __future__ import annotations

import json
import math
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest
from support.inside import jigsat as command

import jigsat
from jigsat.backends import cover, open_backend
from jigsat.backends.engine import is_compiled
from jigsat.formula import Lowered
from jigsat.instance import load
from jigsat.orbits import with_breaking_clause
from jigsat.solving import estimates
from jigsat.solving.estimates import interval, round_to_two_digits
from jigsat.subject import subject_of
from jigsat.symmetry import Level

pytestmark = pytest.mark.skipif(
    not is_compiled(), reason="jigsat was installed without a C compiler"
)


def nodes_of_a_search(formula: jigsat.Formula) -> int:
    """The number of nodes that the backend visits to find all models."""
    with closing(open_backend("cover")) as backend:
        backend.project(formula.decisions())
        for constraint in Lowered(formula, native=backend.capabilities.native):
            backend.add(constraint)
        while backend.solve():
            pass
        return backend.statistics()["nodes"]


def nodes_with_breaking(name: str) -> int:
    """The number of nodes of a search with the symmetry-breaking clause."""
    formula = load(name).encode()
    group = subject_of(name).group(formula)
    return nodes_of_a_search(
        with_breaking_clause(formula, group.find_breaking_clause(formula, Level.ALL) or [])
    )


@pytest.mark.parametrize("name", ["cats", "cube", "sudoku-4x4-empty", "cube-flat", "soma"])
def test_the_mean_of_many_paths_is_the_number_of_nodes_and_of_solutions(name: str) -> None:
    """`cube-flat` has covers that are not solutions, which a SAT solver detects."""
    puzzle, number = load(name), 4_000
    found = islice(cover.probes(puzzle.encode(), 1), number)
    expected = (nodes_of_a_search(puzzle.encode()), puzzle.known.solutions)
    for values, truth in zip(zip(*found, strict=True), expected, strict=True):
        mean = math.fsum(values) / number
        error = math.sqrt(math.fsum((value - mean) ** 2 for value in values)) / number
        assert truth is not None
        assert abs(mean - truth) <= 4 * error + 1e-9


@pytest.mark.parametrize(
    "name", ["dominoes-6x8", "soma", "sudoku-4x4-empty", "cats", "cube", "cube-flat", "sudoku-hard"]
)
def test_known_counts_lie_in_the_interval(name: str) -> None:
    known = load(name).known.solutions
    for seed in range(3):
        found = jigsat.estimate(name, probes=3_000, seed=seed)
        assert (found.probes, found.seed) == (3_000, seed)
        assert known is not None
        assert found.solutions is not None
        assert found.solutions.low is not None
        assert found.solutions.high is not None
        assert found.solutions.low * (1 - 1e-9) <= known <= found.solutions.high * (1 + 1e-9)


def test_an_interval_needs_enough_paths_that_reach_a_solution() -> None:
    few = interval([0.0] * 945 + [10.0] * 55, 55)
    assert (few.estimate, few.low, few.high) == (0.55, None, None)
    assert str(few) == "about 1 (very uncertain)"
    many = interval([0.0, 10.0] * 100, 100)
    assert many.low is not None
    assert many.high is not None
    assert many.low < 5 < many.high
    assert many.low * many.high == pytest.approx(25)


def test_the_same_seed_gives_the_same_estimate() -> None:
    one, two, other = (jigsat.estimate("soma", probes=500, seed=seed) for seed in (1, 1, 2))
    assert (one.solutions, one.nodes) == (two.solutions, two.nodes)
    assert one.nodes != other.nodes


def test_a_search_that_has_begun_cannot_be_probed() -> None:
    from jigsat.backends.engine import _engine

    covers = _engine.Cover([[0, 1]], [[], []], [])
    covers.seed(2**70 + 1)
    assert covers.probe()[:2] == (3.0, 2.0)
    next(covers)
    with pytest.raises(ValueError, match="begun"):
        covers.probe()


def test_the_command(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    done = command(capfd, "estimate", "cube", "--seconds", "0")
    assert done.out.startswith(
        "cube: estimated, not counted: solutions: about 96 (96 to 96); nodes of the search: "
        "about 460 "
    )
    said = json.loads(
        command(capfd, "estimate", "pentominoes-3x20", "--probes", "100", "--json").out
    )
    assert (
        said["schema"],
        said["instance"],
        said["probes"],
        said["reached"],
        said["solutions"],
    ) == (
        1,
        "pentominoes-3x20",
        100,
        0,
        None,
    )
    assert said["nodes"]["low"] < said["nodes"]["estimate"] < said["nodes"]["high"]
    done = command(capfd, "estimate", "lights-5x5")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("jigsat: lights-5x5: only exact covers can be estimated")
    monkeypatch.setattr(cover.CoverReader, "small", lambda _: False)
    with pytest.raises(
        jigsat.InputError, match="cube: not estimated, because it would take too long to read"
    ):
        jigsat.estimate("cube")


@pytest.mark.parametrize(
    ("workers", "hours", "subproblems"),
    [(1, 10.0, 7200), (100, 0.1, 7200), (50_000, 5 / 3600, 7200)],
)
def test_more_workers_than_subproblems_do_not_help(
    workers: int, hours: float, subproblems: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All paths of this puzzle have the same number of nodes, and at this pace the search takes ten
    hours."""
    nodes = jigsat.estimate("cube", probes=100).nodes.estimate
    monkeypatch.setattr(estimates, "_measure_pace", lambda *_: nodes_with_breaking("cube") / 36_000)
    run = jigsat.estimate("cube", probes=5_000, workers=workers).run
    assert run is not None
    assert run.core_hours.estimate == pytest.approx(10, rel=0.1)
    assert run.hours.estimate == pytest.approx(hours, rel=0.1)
    assert run.subproblems.estimate == pytest.approx(subproblems, rel=0.1)
    assert nodes > nodes_with_breaking("cube")


def test_a_run_is_predicted_for_formulas_as_well(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cube.opb"
    assert command(capfd, "export", "cube", "-o", file).status == 0
    said = json.loads(
        command(capfd, "estimate", file, "--seconds", "0", "--workers", "2", "--json").out
    )["run"]
    assert said["workers"] == 2
    assert 0 < said["hours"]["low"] <= said["hours"]["estimate"] <= said["hours"]["high"]
    assert said["hours"]["estimate"] <= said["core_hours"]["estimate"]
    assert said["pace"] > 0
    shown = command(capfd, "estimate", "cube", "--seconds", "0", "--workers", "2").out.splitlines()[
        1
    ]
    assert shown.startswith("a count with 2 workers: about ")
    refused = command(capfd, "estimate", "cube", "--workers", "0")
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0.4, "0"), (96, "96"), (167_089, "170,000"), (999_999, "1,000,000"), (6.67e21, "6.7·10²¹")],
)
def test_estimates_have_two_digits(number: float, shown: str) -> None:
    assert round_to_two_digits(number) == shown
