"""Medians, scores, intervals and pairs."""

from __future__ import annotations

import random
from dataclasses import replace
from math import comb
from pathlib import Path
from statistics import stdev

import pytest
from support.comparing import LIMIT, command, make_run, make_seeded, write_file_of_runs

from jigsat.comparison.matrix import Combination, Run
from jigsat.comparison.scores import (
    compare_encodings,
    count_equal_seeds,
    count_missing,
    describe_missing,
    enclose_median,
    estimate_interval,
    list_incomplete_choices,
    list_unknown_seeds,
    pairs,
    par2,
    summarize,
)


def test_par2_counts_incomplete_runs_with_twice_the_limit() -> None:
    def run(instance: str, backend: str, status: str, seconds: float) -> Run:
        return Run(Combination(instance, backend, ""), status, seconds=seconds)

    done = [
        run("x", "a", "complete", 2),
        run("y", "a", "timeout", 10),
        run("x", "b", "complete", 4),
        run("y", "b", "complete", 6),
    ]
    done.append(run("x", "c", "absent: no such library", 0))
    done += [run("x", "d", "complete", 1), run("y", "d", "refused: no exact cover", 0)]
    rows = [(row.backend, row.par2, row.completed, row.instances) for row in par2(done, 10)]
    # What d refuses is no time of d, so it is not on the same instances and there is no order.
    assert rows == [("a", 11, 1, 2), ("b", 5, 2, 2), ("d", 1, 1, 1), ("virtual best", 1, 1, 1)]


def test_a_solver_that_was_replaced_neither_wins_nor_loses() -> None:
    runs = [make_run("x", "a", 1), make_run("y", "a", 1), make_run("x", "b", 2)]
    runs.append(make_run("y", "b", 2, "changed: another program"))
    assert [(pair.one, pair.wins, pair.losses) for pair in pairs(runs, 10)] == [("a", 1, 0)]
    planned = {run.identity for run in runs}
    assert describe_missing(runs, planned) == "Incomplete: 3 of 4 runs"


def test_an_interval_does_not_depend_on_the_order_of_the_instances() -> None:
    values = [0.3, 0.1, 0.9, 0.2, 2.0, 0.4, 0.7]
    assert estimate_interval(values, seed=1) == estimate_interval(values[::-1], seed=1)


def test_the_median_counts_time_outs_as_such() -> None:
    runs = [make_run("x", "a", 1), make_run("x", "a", 3), make_run("x", "a", 10, "timeout")]
    (summary,) = summarize(runs)
    assert (summary.seconds, summary.status, summary.score(10)) == (3, "2/3", 3)
    (summary,) = summarize(
        [*runs, make_run("x", "a", 10, "timeout"), make_run("x", "a", 10, "timeout")]
    )
    assert (summary.is_answered, summary.status, summary.score(10)) == (False, "2/5", 20)


def test_seeds_without_conflicts_are_not_taken_for_different_runs(tmp_path: Path) -> None:
    runs = [
        replace(make_seeded(name, backend, seed), conflicts=conflicts)
        for name in "xy"
        for backend, conflicts in (("program", None), ("library", 5))
        for seed in (1, 2)
    ]
    runs.append(replace(make_seeded("x", "single", 1), conflicts=None))
    assert list_unknown_seeds(runs) == ["program"]
    log_file = tmp_path / "runs"
    write_file_of_runs(log_file, *((run, LIMIT) for run in runs))
    shown = command("--from", log_file).stdout
    assert "Whether the seeds of program gave different runs is not known: " in shown


def test_the_median_of_two_runs_needs_both() -> None:
    (summary,) = summarize([make_run("x", "a", 1), make_run("x", "a", 3)])
    assert (summary.seconds, summary.score(10)) == (3, 3)
    (summary,) = summarize([make_run("x", "a", 1), make_run("x", "a", 10, "timeout")])
    assert (summary.is_answered, summary.score(10)) == (False, 20)
    assert summary.middle.status == "timeout"


def test_wins_losses_and_ties() -> None:
    runs = []
    for i in range(6):
        runs += [make_run(str(i), "a", 1), make_run(str(i), "b", 2), make_run(str(i), "c", 1.05)]
    runs += [
        make_run("6", "a", 10, "timeout"),
        make_run("6", "b", 10, "timeout"),
        make_run("6", "c", 1),
    ]
    by_names = {(pair.one, pair.other): pair for pair in pairs(runs, 10)}
    pair = by_names["a", "b"]
    assert (pair.wins, pair.losses, pair.ties, pair.chance) == (6, 0, 1, 2 / 2**6)
    pair = by_names["c", "a"]
    assert (pair.wins, pair.losses, pair.ties) == (1, 0, 6)


def test_ties_have_no_difference(tmp_path: Path) -> None:
    """Most of 19 instances are ties, and the first choice wins the six others: the interval must
    not say the opposite of the sign test."""
    runs = []
    for i in range(13):
        runs += [make_run(f"quick {i}", "a", 0.010), make_run(f"quick {i}", "b", 0.009)]
    for i in range(6):
        runs += [make_run(f"slow {i}", "a", 1.0), make_run(f"slow {i}", "b", 3.0 + i)]
    (pair,) = pairs(runs, 10)
    assert (pair.one, pair.wins, pair.losses, pair.ties, pair.instances) == ("a", 6, 0, 13, 19)
    assert (pair.difference, pair.low, pair.high) == (-4.5, -7, -2)
    assert pair.chance == pytest.approx(0.03125)

    (pair,) = pairs(runs[:26], 10)
    assert (pair.ties, pair.difference, pair.low, pair.high) == (13, None, None, None)
    log_file = tmp_path / "runs"
    write_file_of_runs(log_file, *((run, LIMIT) for run in runs[:26]))
    rows = [line.split() for line in command("--from", log_file).stdout.splitlines()]
    assert ["a", "b", "0", "0", "13", "1.000"] in rows


@pytest.mark.parametrize("number", [6, 8, 11, 20, 33])
def test_the_interval_and_the_sign_test_agree(number: int) -> None:
    """0 is outside of the interval where the probability is at most 0.05, and nowhere else."""
    for losses in range(number + 1):
        runs = []
        for i in range(number):
            runs += [make_run(str(i), "a", 5), make_run(str(i), "b", 2 if i < losses else 9)]
        (pair,) = pairs(runs, 10)
        assert pair.low is not None
        assert pair.high is not None
        assert (pair.low <= 0 <= pair.high) == (pair.chance > 0.05)


def test_a_difference_is_that_of_the_median_instance() -> None:
    """Seven instances: the smallest and the largest difference are the ends of the interval."""
    runs = []
    for i in range(7):
        runs += [make_run(str(i), "a", 1), make_run(str(i), "b", 2 + i)]
    runs += [make_run("only b", "b", 9)]
    (pair,) = pairs(runs, 10)
    assert (pair.one, pair.other, pair.instances) == ("a", "b", 7)
    assert (pair.difference, pair.low, pair.high) == (-4, -7, -1)
    timeouts = [make_run(str(i), "a", 10, "timeout") for i in range(7)]
    (pair,) = pairs([*timeouts, *runs[1::2]], 10)
    assert (pair.one, pair.difference, pair.low, pair.high) == ("b", 5 - 20, 2 - 20, 8 - 20)


def test_five_instances_have_no_interval(tmp_path: Path) -> None:
    log_file = tmp_path / "runs"
    runs = [make_run(str(i), name, 1 + i) for i in range(5) for name in "ab"]
    write_file_of_runs(log_file, *((run, LIMIT) for run in runs))
    assert all(pair.low is pair.high is None for pair in pairs(runs, 10))
    assert all(score.low is score.high is None for score in par2(runs, 10))
    assert "\n5 instances: an interval needs at least 6.\n" in command("--from", log_file).stdout


@pytest.mark.parametrize("number", [6, 9, 12, 30])
def test_a_median_is_in_its_interval_with_the_stated_probability(number: int) -> None:
    """Each value of a skewed distribution with median 0 is on either side like a coin, so the
    probability is counted exactly: by how many values are below zero."""
    chance = random.Random(number)
    inside = 0
    for below in range(number + 1):
        values = [-chance.expovariate(1) for _ in range(below)]
        values += [chance.expovariate(9) for _ in range(number - below)]
        low, high = enclose_median(values)
        assert low is not None
        assert high is not None
        inside += comb(number, below) * (low <= 0 <= high)
    assert inside / 2**number >= 0.95

    # With one more value left out at each end, it would be less.
    outside, _ = enclose_median(range(number))
    assert outside is not None
    most_outside = sum(comb(number, k) for k in range(int(outside) + 2))
    assert 1 - 2 * most_outside / 2**number < 0.95


def test_missing_runs_are_counted_by_choice() -> None:
    runs = [make_seeded(name, "a", seed) for name in "xyz" for seed in (1, 2)]
    runs += [make_seeded(name, "b", None) for name in "xyz"]
    planned = {run.identity for run in runs}
    assert describe_missing(runs, planned) == ""
    assert list_incomplete_choices(runs, planned) == []
    fewer = [run for run in runs if (run.combination.instance, run.seed) not in {("y", 2)}]
    assert count_missing(fewer, planned, lambda identity: identity.seed) == {2: (2, 3)}
    assert describe_missing(fewer, planned) == "Incomplete: 8 of 9 runs"
    assert list_incomplete_choices(fewer, planned) == ["a: 5 of 6 runs"]
    stopped = [*runs[:-1], replace(runs[-1], status="interrupted")]
    assert list_incomplete_choices(stopped, planned) == ["b: 2 of 3 runs"]
    absent = Run(Combination("x", "c"), "absent: no such library")
    assert describe_missing([*runs, absent], planned) == ""


def test_the_virtual_best_is_over_instances_of_all() -> None:
    runs = [make_run("x", "a", 1), make_run("x", "b", 3), make_run("y", "b", 5)]
    best = [row for row in par2(runs, 10) if row.backend == "virtual best"]
    assert [(row.par2, row.instances) for row in best] == [(1, 1)]
    assert [row.backend for row in par2([runs[0], runs[2]], 10)] == ["a", "b"]


def test_an_interrupted_run_is_no_timeout() -> None:
    runs = [make_run("x", "a", 1), make_run("y", "a", 1, "interrupted")]
    assert [(row.par2, row.instances) for row in par2(runs, 10)] == [(1, 1)]


def test_seeds_that_change_nothing_are_counted() -> None:
    runs = [make_seeded(name, "a", seed) for name in "xy" for seed in (1, 2)]
    runs += [make_seeded("z", "a", 1, conflicts=5), make_seeded("z", "a", 2, conflicts=6)]
    runs += [make_seeded("x", "b", 1), make_seeded("x", "c", None)]
    assert count_equal_seeds(runs) == {"a": (2, 3)}
    unknown = [replace(run, propagations=None) for run in runs]
    assert count_equal_seeds(unknown) == {"a": (2, 3)}


def test_encodings_are_compared_by_backend() -> None:
    runs = []
    for backend in "ab":
        for encoding, seconds in (("labels", 3.0), ("compact", 1.0)):
            combination = Combination("x", backend, "", encoding)
            runs.append(Run(combination, "complete", seconds=seconds))
    assert [(pair.one, pair.other, pair.wins) for pair in compare_encodings(runs, 10)] == [
        ("a compact", "a labels", 1),
        ("b compact", "b labels", 1),
    ]


def test_an_interval_contains_the_mean_and_narrows() -> None:
    chance = random.Random(4)
    values = [chance.expovariate(1) for _ in range(400)]
    few, many = (estimate_interval(values[:n], seed=1) for n in (20, 400))
    for (low, high), n in ((few, 20), (many, 400)):
        assert low is not None
        assert high is not None
        assert low < sum(values[:n]) / n < high
    assert (many[1] or 0) - (many[0] or 0) < (few[1] or 0) - (few[0] or 0)


def test_an_interval_is_that_of_normal_means() -> None:
    """Of many values, the means are nearly normal: 95 % are within 1.96 standard errors."""
    chance = random.Random(4)
    values = [chance.expovariate(1) for _ in range(400)]
    low, high = estimate_interval(values, seed=1)
    assert low is not None
    assert high is not None
    error = stdev(values) / len(values) ** 0.5
    assert (high - low) / (2 * 1.96 * error) == pytest.approx(1, rel=0.1)
