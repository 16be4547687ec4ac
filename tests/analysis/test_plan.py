"""Plans: simulated schedules with known durations, a sample without bias, and the command."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from statistics import fmean, stdev

import pytest
from support.inside import jigsat as command

from jigsat.analysis import plan
from jigsat.analysis.estimates import Interval
from jigsat.analysis.plan import Workers, planned
from jigsat.analysis.probing import _open, _Walk
from jigsat.analysis.schedule import Costs, Work, simulated
from jigsat.backends.engine import compiled
from jigsat.instance import load
from jigsat.ledger.coordinator import PARTS
from jigsat.ledger.worker import SubproblemOutcome
from jigsat.subject import PuzzleSubject

FREE = Costs(start=0, load=0, transport=0, bundle=0, subproblem=0, failures=0)
"""A cluster on which only the search takes time."""


def second(number: float, seconds: float = 1.0, **values: float) -> Work:
    """Equal subproblems."""
    return Work(number, [seconds], [1.0], **values)


@pytest.mark.parametrize(("workers", "expected"), [(1, 8000), (2, 4000), (100, 80), (1000, 8)])
def test_equal_subproblems_are_divided_among_the_workers(workers: int, expected: float) -> None:
    found = simulated(second(8000), workers, FREE)
    assert found.seconds == pytest.approx(expected)
    assert found.searching == pytest.approx(1)


def test_the_next_bundle_is_under_way_during_the_search() -> None:
    """So its transport takes no time of the worker, if it is shorter than the search."""
    passing = Costs(start=0, transport=0.9, bundle=0, subproblem=0, failures=0)
    assert simulated(second(1000, 2), 1, passing).seconds == pytest.approx(2000.9)


def test_the_transport_limits_the_speed_of_many_workers() -> None:
    found = simulated(second(20_000, 2), 1000, Costs(start=0, transport=0.1, bundle=0, subproblem=0, failures=0))
    assert found.seconds == pytest.approx(20_000 * 0.1, rel=0.5)  # and before that, the root is split
    assert found.sending == pytest.approx(1, abs=0.5)
    assert found.searching < 0.05


def test_short_subproblems_travel_together() -> None:
    """1,250 of a millisecond are a quarter of the target duration, and a bundle has at most 1,000."""
    found = simulated(second(10**6, 0.001), 1, Costs(start=0, transport=0.5, bundle=0, subproblem=0, failures=0))
    assert found.seconds == pytest.approx(1000, rel=0.05)
    assert found.sending == pytest.approx(0.5, rel=0.1)


def test_one_long_subproblem_is_waited_for() -> None:
    work = Work(1000, [0.001, 500.0], [999.0, 1.0])
    assert simulated(work, 100, FREE).seconds == pytest.approx(500, rel=0.05)


def test_workers_start_and_the_root_is_split_in_rounds() -> None:
    """Two workers need 16 parts: a split, two at once, then four in two rounds, and so on."""
    costs = Costs(start=3, load=4, transport=0, bundle=0, subproblem=0, failures=0)
    assert simulated(second(1000, split=1.0, parts=16), 2, costs).seconds == pytest.approx(3 + 4 + 1 + 500)
    assert simulated(second(1000, split=1.0, parts=4), 2, costs).seconds == pytest.approx(3 + 4 + 1 + 2 + 500)
    assert simulated(second(1000, split=1.0, parts=4), 1, costs).seconds == pytest.approx(3 + 4 + 1000)


def test_a_small_search_is_divided_into_enough_parts() -> None:
    work = second(10, 80.0, overhead=1.0).divided(PARTS * 10)
    assert (work.number, work.mean) == (80, 11.0)
    assert simulated(second(10, 80.0, overhead=1.0), 10, FREE).seconds == pytest.approx(88)


def test_bundles_of_failed_workers_are_searched_again() -> None:
    """Of two attempts, one fails, on average after less than half of it; an hour of a worker has one failure."""
    hour = Costs(start=0, transport=0, bundle=0, subproblem=0, failures=1, restart=600)
    found = [simulated(second(100, 2500), 1, hour, seed).seconds for seed in range(20)]
    lost = 2500 / 2 + 600  # per failure; with probability 1 - exp(-2500 / 3600) in each attempt
    assert fmean(found) == pytest.approx(100 * (2500 + lost), rel=0.1)


def test_a_long_run_is_extrapolated() -> None:
    work = Work(10**7, [1.0, 5.0, 20.0], [5.0, 3.0, 0.1])
    found = simulated(work, 20, FREE)
    assert found.seconds == pytest.approx(work.total / 20, rel=0.02)
    assert found.searching == pytest.approx(1, rel=0.02)


def test_a_smaller_share_of_a_core_takes_longer() -> None:
    assert simulated(second(1000).slowed(0.25), 2, FREE).seconds == pytest.approx(2000)


class Tree:
    """A searcher of a random tree with known numbers of nodes. Its estimates of sizes are bad, or there are none."""

    def __init__(self, sizes: bool) -> None:
        self._sizes = sizes
        self.number = self.nodes = 0
        self._grow(())

    def _grow(self, cube: tuple[int, ...]) -> None:
        outcome = self.outcome(cube, 1.0)
        self.number, self.nodes = self.number + 1, self.nodes + outcome.nodes
        for part in _open(cube, outcome):
            self._grow(part)

    def outcome(self, cube: Sequence[int], seconds: float, *, split: bool = False) -> SubproblemOutcome:
        chance = random.Random(str(tuple(cube)))
        parts = chance.randrange(1, 12) if len(cube) < 3 and (len(cube) < 2 or chance.random() < 0.5) else 0
        nodes, literals = chance.randrange(1, 1000), list(range(1, parts + 1))
        if parts > 6:  # split during its search
            inner = SubproblemOutcome(
                seconds=0, open=literals[3:], parts={literals[2]: SubproblemOutcome(seconds=0, counts=[])}
            )
            return SubproblemOutcome(seconds=0, nodes=nodes, open=literals[:2], parts={literals[2]: inner})
        return SubproblemOutcome(seconds=0, nodes=nodes, open=literals)

    def size(self, cube: Sequence[int]) -> float | None:
        return random.Random(str(cube)).choice([0.0, 1.0, 1000.0]) if self._sizes else None


@pytest.mark.parametrize("sizes", [True, False])
def test_the_weights_of_random_paths_have_no_bias(sizes: bool) -> None:
    tree, chance = Tree(sizes), random.Random(5)
    walk = _Walk(tree, 0, 0.0, chance)  # type: ignore[arg-type]
    paths = [walk._path() for _ in range(5_000)]
    for truth, value in ((tree.nodes, lambda step: step.weight * step.nodes), (tree.number, lambda step: step.weight)):
        values = [sum(map(value, path)) for path in paths]
        assert abs(fmean(values) - truth) < 4 * stdev(values) / len(values) ** 0.5


@pytest.mark.skipif(not compiled(), reason="jigsat was installed without a C compiler")
def test_a_search_in_one_part_is_known_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "_whole", lambda *_: None)
    found = planned(PuzzleSubject(load("cube")), [Workers(1), Workers(2, local=True), Workers(1000)], "cover", 0.01)
    assert found.core_seconds is not None
    assert found.subproblems == Interval(1.0, 1.0, 1.0)
    assert [row.workers for row in found.rows] == [1, 2, 1000]
    assert found.rows[0].core_hours < found.rows[2].core_hours
    assert found.rows[0].efficiency > found.rows[2].efficiency
    assert found.scales_to is not None
    assert "1,000" in str(found)


def test_a_puzzle_that_is_counted_at_once_needs_no_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    ended = command(capsys, "plan", "dominoes-6x8", "--json")
    said = json.loads(ended.out)
    assert (ended.status, said["schema"], said["solutions"], said["rows"]) == (0, 1, 167_089, [])
    assert said["direct"]


def test_a_short_search_needs_no_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    ended = command(capsys, "plan", "cats", "--backend", "cadical195", "--workers", "local:1, 2")
    assert ended.status == 0
    assert "cats: needs no cluster: searched during the probe" in ended.out
    assert "4 solutions, 1 up to rotation" in ended.out


@pytest.mark.parametrize("workers", ["", "0", "1,,2", "ten", "-1", "1.5", "local:", "local:0", "1000001", "²"])
def test_numbers_of_workers_must_be_numbers(workers: str, capsys: pytest.CaptureFixture[str]) -> None:
    ended = command(capsys, "plan", "cats", "--workers", workers)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith(f"jigsat: --workers {workers.split(',')[-1] if workers != '1,,2' else ''}")
    assert ended.err.count("\n") == 1


def test_a_backend_that_cannot_search_subproblems_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    ended = command(capsys, "plan", "cats", "--backend", "counting")
    assert (ended.status, ended.out, ended.err.count("\n")) == (2, "", 1)
