"""A simulation of a count that is shared among workers, as `jigsat.ledger.coordinator` shares it: bundle by bundle.

The coordinator sends bundles of subproblems one after another. At most two per worker are under way, so a worker that finishes
one already has the next. Each bundle takes the coordinator and Dask's scheduler some time, during which no other bundle is
sent. A worker that fails loses its bundle, which is sent again, and is restarted.
"""

from __future__ import annotations

import math
import random
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heappop, heappush
from itertools import accumulate

from jigsat.ledger.coordinator import MOST, PARTS, SECONDS

BUNDLES = 20_000
"""A longer run is simulated up to this many bundles, or ten per worker if that is more; the rest takes time in proportion."""

DRAWN = 30
"""The sum of more subproblems than this is drawn from a normal distribution."""

BLOCK = 1000
"""The maximum number of subproblems that are drawn at a time."""


@dataclass(frozen=True)
class Work:
    """The subproblems of a search: their expected number, and a sample of their seconds with weights.

    Each takes at least `overhead` seconds. A split takes `split` seconds and has `parts` parts.
    """

    number: float
    seconds: Sequence[float]
    weights: Sequence[float]
    overhead: float = 0.0
    split: float = 0.0
    parts: float = 2.0

    @cached_property
    def mean(self) -> float:
        """The mean seconds of a subproblem."""
        return math.fsum(s * w for s, w in zip(self.seconds, self.weights, strict=True)) / math.fsum(self.weights)

    @property
    def total(self) -> float:
        """The seconds of all subproblems."""
        return self.number * self.mean

    @property
    def deviation(self) -> float:
        """The standard deviation of the seconds of a subproblem."""
        squares = math.fsum(s * s * w for s, w in zip(self.seconds, self.weights, strict=True)) / math.fsum(self.weights)
        return math.sqrt(max(0.0, squares - self.mean**2))

    def divided(self, number: float) -> Work:
        """The same search in at least this many subproblems."""
        if number <= self.number:
            return self
        factor = self.number / number
        return replace(self, number=number, seconds=[factor * s + self.overhead for s in self.seconds])

    def scaled(self, factor: float) -> Work:
        """A search of the same kind with another number of subproblems."""
        return replace(self, number=self.number * factor)

    def slowed(self, share: float) -> Work:
        """The same search by workers that get only this fraction of a core."""
        return replace(self, seconds=[s / share for s in self.seconds], split=self.split / share)


@dataclass(frozen=True)
class Costs:
    """What a run takes besides its subproblems, in seconds.

    `start` is the start of the cluster, `load` that of a worker, which reads the puzzle. `transport` is the time of Dask for a
    task, `bundle` and `subproblem` that of the coordinator. `failures` is the number of failures of a worker in an hour, after
    which it is missing for `restart`.
    """

    start: float = 2.4
    load: float = 0.0
    transport: float = 1 / 155
    bundle: float = 0.0005
    subproblem: float = 0.00003
    failures: float = 0.01
    restart: float = 60.0

    def passing(self, size: int) -> float:
        """The seconds for which a bundle of this size occupies the coordinator and the scheduler."""
        return self.transport + self.bundle + size * self.subproblem


@dataclass(frozen=True)
class Schedule:
    """A simulated run: its seconds, and the fractions of it in which the workers search and the coordinator sends."""

    workers: int
    seconds: float
    searching: float
    sending: float


def simulated(work: Work, workers: int, costs: Costs, seed: int = 0) -> Schedule:
    """The schedule of a search by this many workers."""
    opening = _opening(work, workers, costs)
    shared = work.divided(PARTS * workers if workers > 1 else 1)
    most = max(BUNDLES, 10 * workers) * _size(shared.mean, math.inf, workers)
    if shared.number <= 2 * most:
        seconds, sent = _run(shared, round(shared.number), workers, costs, seed)
    else:
        (half, _), (whole, sent) = (_run(shared, number, workers, costs, seed) for number in (most // 2, most))
        further = (shared.number - most) / (most - most // 2)
        seconds, sent = whole + further * (whole - half), sent * shared.number / most
    seconds += opening
    return Schedule(workers, seconds, work.total / (workers * seconds), sent / seconds)


def _opening(work: Work, workers: int, costs: Costs) -> float:
    """The seconds before any subproblem is searched: each worker reads the puzzle, then the root is split in rounds."""
    seconds, rows = costs.start + costs.load, 1.0
    while workers > 1 and rows < PARTS * workers:
        splits = min(rows, (PARTS * workers - rows) / (work.parts - 1))
        seconds += max(splits * costs.passing(1), math.ceil(splits / workers) * work.split)
        rows += splits * (work.parts - 1)
    return seconds


def _run(work: Work, number: int, workers: int, costs: Costs, seed: int) -> tuple[float, float]:
    """The duration of the search of this number of subproblems, and for how long the coordinator is sending."""
    chance = random.Random(seed)
    draws, risk = _Draws(work, number, chance), costs.failures / 3600
    free = [0.0] * workers  # when each worker has finished all that was sent to it
    under_way = list[float]()  # when each bundle will be finished
    now = sending = latest = 0.0
    left = number
    while left:
        if len(under_way) == 2 * workers:
            now = max(now, heappop(under_way))
        done, seconds = draws.bundle(_size(work.mean, left, workers))
        passing = costs.passing(done)
        now, sending = now + passing, sending + passing
        start = max(now, heappop(free))
        if chance.random() < -math.expm1(-risk * seconds):
            end = start + chance.random() * seconds
            heappush(free, end + costs.restart)
        else:
            end = start + seconds
            heappush(free, end)
            left -= done
        heappush(under_way, end)
        latest = max(latest, end)
    return latest, sending


def _size(mean: float, waiting: float, workers: int) -> int:
    """The number of subproblems in a bundle, as in `Coordinator`."""
    enough = min(MOST, SECONDS / 4 / max(mean, 1e-6))
    return max(1, int(min(enough, waiting // (2 * workers))))


class _Draws:
    """Random bundles: how many of their subproblems are searched, and the seconds.

    A worker begins no further subproblem after the target duration.
    """

    def __init__(self, work: Work, number: int, chance: random.Random) -> None:
        self._chance, self._mean, self._deviation = chance, work.mean, work.deviation
        self._seconds, self._below = work.seconds, list(accumulate(work.weights))
        self._block, self._drawn = min(number, BLOCK), list[float]()

    def bundle(self, size: int) -> tuple[int, float]:
        if size > DRAWN:
            return size, max(0.0, self._chance.gauss(size * self._mean, math.sqrt(size) * self._deviation))
        seconds, done = 0.0, 0
        while done < size and (not done or seconds <= SECONDS):
            seconds += self._next()
            done += 1
        return done, seconds

    def _next(self) -> float:
        if not self._drawn:  # at equal distances from a random start, so that the mean of each block is nearly exact
            step, start = self._below[-1] / self._block, self._chance.random()
            last = len(self._seconds) - 1
            self._drawn = [self._seconds[min(last, bisect(self._below, (start + i) * step))] for i in range(self._block)]
            self._chance.shuffle(self._drawn)
        return self._drawn.pop()
