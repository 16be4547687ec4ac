"""Predictions of how long a count takes with given numbers of workers: a sample of subproblems and a simulated schedule."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from typing import Any

from jigsat.analysis.estimates import Interval
from jigsat.analysis.probing import Sample, sampled
from jigsat.analysis.schedule import Costs, Schedule, Work, simulated
from jigsat.backends import AUTO
from jigsat.errors import Stopped, duration, plural
from jigsat.ledger.coordinator import Coordinator
from jigsat.ledger.file import MEMORY, Ledger
from jigsat.ledger.rows import CountHeader
from jigsat.ledger.worker import PACE, forget, kept_searcher
from jigsat.orbits import totals
from jigsat.runtime import apart
from jigsat.runtime.cluster import LOCAL
from jigsat.runtime.executors import Here
from jigsat.solving import Result, try_counting_first
from jigsat.solving.ledger_count import header_of
from jigsat.subject import Problem, subject_of
from jigsat.symmetry import in_words

DIRECT = 0.15
"""The fraction of the time for the attempt to count everything."""

SCALES = 0.5
"""More workers are worthwhile while they search for at least this fraction of the time."""

MOST = 1_000_000
"""The maximum number of workers."""

SHARED = 0.9
"""A probe that got less of a core than this shared the cores with other processes."""


@dataclass(frozen=True)
class Workers:
    """A number of workers, each with a core of its own, or with `local` processes that share the cores of this machine."""

    number: int
    local: bool = False

    def __str__(self) -> str:
        return f"{LOCAL if self.local else ''}{self.number:,}"


@dataclass(frozen=True)
class Row:
    """The predicted run with some workers; `low` and `high` are its seconds at the ends of the interval of the work.

    `efficiency` is the fraction of the time in which the workers search, `share` that of a core which each of them gets.
    """

    workers: int
    local: bool
    seconds: float
    low: float | None
    high: float | None
    efficiency: float
    share: float
    core_hours: float


@dataclass(frozen=True)
class Plan:
    """The fields of `jigsat plan --json`.

    `direct` says how the puzzle is counted without a cluster, with the counts if they are known; then there are no rows.
    `subproblems`, `core_seconds` and `nodes` are estimates for the whole search. `share` is the fraction of a core that the
    probe got. `scales_to` is the number of workers up to which at least half of their time is spent on the search.
    """

    instance: str
    backend: str
    seconds: float
    seed: int
    direct: str = ""
    solutions: int | None = None
    distinct: dict[str, int] | None = None
    paths: int = 0
    searched: int = 0
    share: float = 1.0
    core_seconds: Interval | None = None
    subproblems: Interval | None = None
    nodes: Interval | None = None
    mean: float = 0.0
    longest: float = 0.0
    costs: Costs | None = None
    rows: Sequence[Row] = ()
    scales_to: int | None = None
    limited_by: str = ""

    def json(self) -> dict[str, Any]:
        """The plan as a plain object."""
        return {name: _short(value) for name, value in asdict(self).items()}

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def planned(
    problem: Problem,
    workers: Sequence[Workers],
    backend: str = AUTO,
    seconds: float = 60.0,
    seed: int = 0,
    costs: Costs | None = None,
) -> Plan:
    """Probe a count for about the given time, and predict its duration with each number of workers.

    Raises InputError if a backend cannot search subproblems.
    """
    started, subject = time.monotonic(), subject_of(problem)
    if backend == AUTO:
        try:
            if result := apart(try_counting_first, subject, timeout=seconds):
                return _direct(result, subject.name, started, seed, "counted without a search")
        except Stopped:
            how = f"counted without a search, which takes more than {seconds:.0f} s"
            return Plan(subject.name, AUTO, time.monotonic() - started, seed, how)
    header = header_of(subject, backend)
    try:
        if result := _whole(header, DIRECT * seconds):
            return _direct(result, subject.name, started, seed, "searched during the probe")
        left = max(0.0, seconds - (time.monotonic() - started))
        sample = sampled(header.problem, left, max(each.number for each in workers), seed)
    finally:
        forget()
    return _planned(header, sample, workers, costs or Costs(), started, seed)


def _direct(result: Result, name: str, started: float, seed: int, how: str) -> Plan:
    return Plan(
        name, result.backend, time.monotonic() - started, seed, how, result.solutions, dict(result.distinct)
    )  # fmt: skip


def _whole(header: CountHeader, seconds: float) -> Result | None:
    """The counts, if the search ends within this time."""
    until = time.monotonic() + seconds
    size = kept_searcher(header.problem).size(())
    if size is not None and size > 5 * PACE * seconds:
        return None
    with closing(Ledger(MEMORY, header)) as ledger:
        sharing = Coordinator(ledger, Here(), max(seconds / 5, 0.01))
        for _ in sharing:
            if time.monotonic() > until:
                break
        if ledger.states().get("open"):
            return None
        result = Result(header.instance, header.problem.backend, complete=True)
        result.solutions, result.distinct = totals(sharing.counts, header.levels, complete=True)
        return result


def _planned(header: CountHeader, sample: Sample, workers: Sequence[Workers], costs: Costs, started: float, seed: int) -> Plan:
    costs, work, total = replace(costs, load=sample.load), sample.work, sample.total
    rows = [_row(each, work, total, costs, sample.share, seed) for each in workers]
    scales, last = _scaling(work, costs, seed)
    return Plan(
        header.instance,
        header.problem.backend,
        time.monotonic() - started,
        seed,
        paths=len(sample.paths),
        searched=sample.searched,
        share=sample.share,
        core_seconds=total,
        subproblems=sample.number,
        nodes=sample.nodes,
        mean=work.mean,
        longest=max(work.seconds),
        costs=costs,
        rows=rows,
        scales_to=scales,
        limited_by="transport" if last.sending > 2 / 3 else "start-up and the last subproblems",
    )


def _row(workers: Workers, work: Work, total: Interval, costs: Costs, share: float, seed: int) -> Row:
    """The prediction for some workers. The processes of this machine share its cores with what else runs there now."""
    if workers.local:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        others = max(0.0, cores / share - 1) if share < SHARED else 0.0
        share = min(1.0, cores / (workers.number + others))
    else:
        share = 1.0
    slowed, number = work.slowed(share), workers.number
    found = simulated(slowed, number, costs, seed)
    low, high = (
        simulated(slowed.scaled(limit / total.estimate), number, costs, seed).seconds if limit else None
        for limit in (total.low, total.high)
    )
    return Row(
        number, workers.local, found.seconds, low, high, min(1.0, found.searching), share, found.seconds * number * share / 3600
    )  # fmt: skip


def _scaling(work: Work, costs: Costs, seed: int) -> tuple[int, Schedule]:
    """The largest power of two for which workers search half of their time, and the schedule of the next one."""
    number = 1
    while (found := simulated(work, number, costs, seed)).searching >= SCALES and number < MOST:
        number *= 2
    return max(1, number // 2), found


def _short(value: Any) -> Any:
    """Data with six significant digits of each number that is not whole."""
    if isinstance(value, dict):
        return {key: _short(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_short(each) for each in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _lines(plan: Plan) -> Iterator[str]:
    """The plan in words."""
    if plan.direct:
        yield f"{plan.instance}: needs no cluster: {plan.direct} ({plan.backend}, {plan.seconds:.1f} s)"
        if plan.solutions is not None and plan.distinct is not None:
            yield plural(plan.solutions, "solution") + in_words(plan.distinct)
        yield "to count it, run `jigsat count` without --store and --cluster"
        return
    assert plan.core_seconds and plan.subproblems and plan.nodes and plan.costs
    yield (
        f"{plan.instance}: probed for {plan.seconds:.0f} s: {plural(plan.paths, 'random path')}, "
        f"{plural(plan.searched, 'subproblem')} searched ({plan.backend})"
    )
    if plan.share < SHARED:
        yield f"the probe got {100 * plan.share:.0f} % of a core, because other programs were running"
    yield f"the whole search: {_durations(plan.core_seconds)} on one core; {plan.nodes} nodes"
    yield (
        f"subproblems: {plan.subproblems}, {_brief(plan.mean)} each on average; the longest in the sample took "
        f"{_brief(plan.longest)}"
    )
    yield from _table(plan.rows)
    if plan.scales_to:
        yield (
            f"it scales to about {plural(plan.scales_to, 'worker')}: with twice as many, less than half of their time is spent "
            f"on the search; the limit is {plan.limited_by}"
        )
    costs = plan.costs
    yield (
        f"assumed: {1 / costs.transport:.0f} tasks a second, a worker starts in {costs.start + costs.load:.1f} s and fails "
        f"{costs.failures:g} times an hour"
    )


def _table(rows: Sequence[Row]) -> Iterator[str]:
    yield f"{'workers':>12} {'time':>10}   {'interval':<25} {'efficiency':>10} {'core-hours':>12}"
    for row in rows:
        limits = "very uncertain" if row.low is None or row.high is None else f"{duration(row.low)} to {duration(row.high)}"
        percent, hours = f"{100 * row.efficiency:.0f} %", f"{row.core_hours:,.{1 if row.core_hours >= 1 else 3}f}"
        yield f"{Workers(row.workers, row.local)!s:>12} {duration(row.seconds):>10}   {limits:<25} {percent:>10} {hours:>12}"


def _brief(seconds: float) -> str:
    """A duration that may be short.

    >>> _brief(0.04567), _brief(4.567)
    ('46 ms', '4.6 s')
    """
    return f"{1000 * seconds:.0f} ms" if seconds < 1 else duration(seconds)


def _durations(seconds: Interval) -> str:
    if seconds.low is None or seconds.high is None:
        return f"about {duration(seconds.estimate)} (very uncertain)"
    return f"about {duration(seconds.estimate)} ({duration(seconds.low)} to {duration(seconds.high)})"
