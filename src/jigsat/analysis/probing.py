"""A sample of the subproblems into which a ledger splits a search, each really searched.

A random path starts at the whole search. A subproblem that a worker would split is split, and one of its parts is chosen at
random; one that a worker would search is searched. If a part is chosen with probability p, it stands for 1/p parts of its
parent, so the products of these numbers are weights with which the mean over paths estimates sums over all subproblems without
bias (Knuth 1975). Parts are chosen roughly in proportion to their estimated sizes, which makes the spread much smaller.

Some first paths, which are not used otherwise, determine the number of paths. If time alone ended the sample, a long path would
be the last one more often than others.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jigsat.analysis.estimates import ENOUGH, Interval, interval
from jigsat.analysis.schedule import Work
from jigsat.ledger.coordinator import PARTS, SECONDS
from jigsat.ledger.worker import Problem, Searcher, SubproblemOutcome
from jigsat.search.subproblems import Literals

FIRST = 0.15
"""The fraction of the time for the paths that determine the number of the others; at least two."""

COMPARED = 8
"""The maximum number of parts of a split whose sizes are estimated; one of them is chosen."""

EQUAL = 0.2
"""The fraction of the probability that is divided equally among them, because an estimated size may be far too small."""


@dataclass(frozen=True)
class Step:
    """A subproblem on a path: the number of subproblems that it stands for, the processor seconds, nodes, parts."""

    weight: float
    seconds: float
    nodes: int
    parts: int


@dataclass(frozen=True)
class Sample:
    """Random paths, and what was measured on the way.

    `load` is the number of seconds in which a worker reads the puzzle, `overhead` the least that a subproblem takes. `share` is
    the fraction of a core that this process got. All other seconds are those of a core.
    """

    paths: Sequence[Sequence[Step]]
    load: float
    overhead: float
    share: float
    searched: int

    @property
    def total(self) -> Interval:
        """The seconds of all subproblems."""
        return self._sum([[step.weight * step.seconds for step in path] for path in self.paths])

    @property
    def nodes(self) -> Interval:
        """The nodes of all subproblems, or conflicts."""
        return self._sum([[step.weight * step.nodes for step in path] for path in self.paths])

    @property
    def number(self) -> Interval:
        """The number of subproblems, including those that are split."""
        return self._sum([[step.weight for step in path] for path in self.paths])

    @staticmethod
    def _sum(paths: list[list[float]]) -> Interval:
        return interval(list(map(math.fsum, paths)), len(paths))

    @property
    def work(self) -> Work:
        """The subproblems of the search, for a simulation."""
        steps = [step for path in self.paths for step in path]
        splits = [step for step in steps if step.parts]
        weight = math.fsum(step.weight for step in splits)
        return Work(
            number=max(1.0, self.number.estimate),
            seconds=[step.seconds for step in steps],
            weights=[step.weight for step in steps],
            overhead=self.overhead,
            split=math.fsum(step.weight * step.seconds for step in splits) / weight if splits else self.overhead,
            parts=max(2.0, math.fsum(step.weight * step.parts for step in splits) / weight if splits else 2.0),
        )


def sampled(problem: Problem, seconds: float, workers: int, seed: int) -> Sample:
    """Random paths that take about the given time.

    With a backend that cannot estimate sizes, the search is first split into the parts that this number of workers needs.
    """
    started, used = time.monotonic(), time.process_time()
    searcher = Searcher(problem)
    try:
        walk = _Walk(searcher, PARTS * workers, time.process_time() - used, random.Random(seed))
        return walk.sample(seconds, started, used)
    finally:
        searcher.close()


class _Walk:
    def __init__(self, searcher: Searcher, most: int, load: float, chance: random.Random) -> None:
        self._searcher, self._most, self._load, self._chance = searcher, most, load, chance
        self._known: dict[Literals, tuple[SubproblemOutcome, float]] = {}
        self._sizes: dict[Literals, float | None] = {}
        self._overheads = list[float]()

    def sample(self, seconds: float, started: float, used: float) -> Sample:
        begun, first = time.monotonic(), 0
        while first < 2 or time.monotonic() < begun + FIRST * seconds:
            self._path()
            first += 1
        taken = time.monotonic() - begun
        number = max(ENOUGH, round(first * (1 - FIRST) * seconds / taken))
        paths = [self._path() for _ in range(number)]
        share = (time.process_time() - used) / (time.monotonic() - started)
        overhead = sum(self._overheads) / len(self._overheads) if self._overheads else 0.0
        searched = sum(outcome.counts is not None or bool(outcome.parts) for outcome, _ in self._known.values())
        return Sample(paths, self._load, overhead, min(1.0, share), searched)

    def _path(self) -> list[Step]:
        subproblem: Literals = ()
        weight, steps = 1.0, list[Step]()
        while True:
            outcome, seconds = self._outcome(subproblem, weight)
            parts = list(_open(subproblem, outcome))
            steps.append(Step(weight, seconds, outcome.nodes, len(parts)))
            if not parts:
                return steps
            subproblem, factor = self._part(parts)
            weight *= factor

    def _outcome(self, subproblem: Literals, weight: float) -> tuple[SubproblemOutcome, float]:
        """What becomes of a subproblem, and the processor seconds; it is searched once."""
        if subproblem not in self._known:
            used = time.process_time()
            split = weight < self._most and self._size(subproblem) is None
            outcome = self._searcher.outcome(subproblem, SECONDS, split=split)
            self._known[subproblem] = outcome, time.process_time() - used
        return self._known[subproblem]

    def _part(self, every: Sequence[Literals]) -> tuple[Literals, float]:
        """A random part of a split, and the number of parts that it stands for."""
        parts = self._chance.sample(every, min(COMPARED, len(every)))
        sizes = [self._size(part) for part in parts]
        total = sum(size or 0.0 for size in sizes)
        equal = EQUAL if total else 1.0
        probabilities = [equal / len(parts) + (1 - equal) * (size or 0.0) / (total or 1.0) for size in sizes]
        (at,) = self._chance.choices(range(len(parts)), probabilities)
        return parts[at], len(every) / len(parts) / probabilities[at]

    def _size(self, subproblem: Literals) -> float | None:
        if subproblem not in self._sizes:
            used = time.process_time()
            self._sizes[subproblem] = self._searcher.size(subproblem)
            self._overheads.append(time.process_time() - used)
        return self._sizes[subproblem]


def _open(subproblem: Literals, outcome: SubproblemOutcome) -> Iterator[Literals]:
    """The subproblems into which one is split; a long one is split during its search, and only the rest is left."""
    yield from ((*subproblem, literal) for literal in outcome.open)
    for literal, part in outcome.parts.items():
        yield from _open((*subproblem, literal), part)
