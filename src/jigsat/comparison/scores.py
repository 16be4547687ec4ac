"""The statistics of a comparison: medians, PAR-2 scores with their uncertainty, the virtual best
solver, and which choice wins against which."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import comb
from statistics import fmean, median
from typing import Any, TypeVar

from jigsat.comparison.matrix import Combination, Identity, Run, label_choice

VIRTUAL_BEST = "virtual best"  # name of the solver that takes the best choice for each instance

UNDONE = (
    "interrupted",
    "changed",
)  # how the status of a run begins that says nothing of its choice

RESAMPLES = 2000  # the number of random samples of the instances for an interval
TAIL = 0.025  # the fraction of the samples on each side of an interval: 95 % are inside

LEAST_INSTANCES = 6
"""With fewer instances there are no intervals: if one choice is faster on all of five instances,
chance does as much in one case of 16."""

TIE_FACTOR = 1.1  # times whose ratio is at most this count as equal
TIE_S = 0.02  # times that differ by at most this count as equal, in seconds

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True)
class Summary:
    """All runs of a combination that count, with seeds and repeats."""

    combination: Combination
    runs: tuple[Run, ...]

    @property
    def completed(self) -> int:
        return sum(run.complete for run in self.runs)

    @property
    def middle(self) -> Run:
        """The median run, whose numbers stand for all: the runs are sorted by their time, and those
        without an answer come last. Of an even number, it is the slower one of the two in the
        middle, so of two runs both need an answer."""
        ordered = sorted(self.runs, key=lambda run: (not run.complete, run.seconds))
        return ordered[len(ordered) // 2]

    @property
    def seconds(self) -> float:
        return self.middle.seconds

    @property
    def is_answered(self) -> bool:
        return self.middle.complete

    @property
    def times(self) -> list[float]:
        """The times of the runs with an answer, sorted."""
        return sorted(run.seconds for run in self.runs if run.complete)

    @property
    def status(self) -> str:
        """One word for all runs, or how many are complete: '12/25'; then how many are wrong,
        whether a count is disputed, and whether an answer is unsupported."""
        states = {run.status.partition(":")[0] for run in self.runs}
        if len(states) == 1:
            words = [*states]
        else:
            words = [f"{self.completed}/{len(self.runs)}"]
            if wrong := sum(run.status.startswith("wrong") for run in self.runs):
                words.append(f"{wrong} wrong")
        if any(run.disputed for run in self.runs):
            words.append("disputed")
        if any(run.unsupported for run in self.runs):
            words.append("unsupported")
        return ", ".join(words)

    def score(self, timeout: float) -> float:
        """The time of the median run; twice the limit if that has no answer."""
        return self.seconds if self.is_answered else 2 * timeout


def summarize(runs: Iterable[Run]) -> list[Summary]:
    """The runs by combination; those that warm up are left out."""
    groups = group_by((run for run in runs if run.repeat > 0), lambda run: run.combination)
    return [Summary(combination, tuple(own)) for combination, own in groups.items()]


def group_by(items: Iterable[V], key: Callable[[V], K]) -> dict[K, list[V]]:
    groups: dict[K, list[V]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def group_by_family(runs: Iterable[Run]) -> dict[str, list[Run]]:
    """The runs by the family of their instance; '' has the formulas."""
    return group_by(runs, lambda run: run.family)


def group_by_encoding(
    scores: Mapping[tuple[str, ...], V],
) -> dict[tuple[str, ...], dict[str, V]]:
    """For each choice that was run with several encodings, without these, a value by encoding."""
    groups: dict[tuple[str, ...], dict[str, V]] = {}
    for choice, value in scores.items():
        combination = Combination("", *choice)
        if combination.encoding:
            group = combination._replace(encoding="").choice
            groups.setdefault(group, {})[combination.encoding] = value
    return {group: own for group, own in groups.items() if len(own) > 1}


@dataclass(frozen=True)
class Score:
    """The PAR-2 score of a choice over all instances: the mean time, in which an instance without
    an answer counts twice the limit. `low` and `high` are the ends of its interval, see
    `estimate_interval`."""

    backend: str
    amo: str
    encoding: str
    graph_rules: str
    par2: float
    low: float | None
    high: float | None
    completed: int
    instances: int
    completed_runs: int
    runs: int
    refused_runs: int

    @property
    def choice(self) -> tuple[str, ...]:
        return self.backend, self.amo, self.encoding, self.graph_rules

    def json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Pair:
    """How often one choice is faster than another on the same instance; the one with more wins is
    the first. `chance` is the probability of such a difference, or a larger one, if both are
    equally good: a sign test, without the ties.

    `difference` is the time of the first one minus that of the other on an instance, in seconds:
    the median over the instances that are no tie, None without any. It is negative if the first one
    is faster. `low` and `high` are the ends of its interval, see `enclose_median`. It is made of
    the same instances as the sign test, so the two never contradict each other: 0 is outside of the
    interval if, and only if, `chance` is at most 0.05.

    `instances` is the number of instances that both were run on, with ties.
    """

    one: str
    other: str
    wins: int
    losses: int
    ties: int
    chance: float
    instances: int
    difference: float | None
    low: float | None
    high: float | None

    def json(self) -> dict[str, Any]:
        return asdict(self)


def collect_scores(runs: Iterable[Run], timeout: float) -> dict[tuple[str, ...], dict[str, float]]:
    """The scores by choice and instance. A choice that is not installed is left out, and so is an
    instance that a backend or an encoding refuses: it says nothing of its time. A task that it
    cannot do leaves the choice without a score."""
    scores: dict[tuple[str, ...], dict[str, float]] = {}
    unable = set()
    for summary in summarize(run for run in runs if not run.status.startswith(UNDONE)):
        choice = summary.combination.choice
        if all(run.status.startswith("not at all") for run in summary.runs):
            unable.add(choice)
        elif any(run.status.startswith("refused") for run in summary.runs):
            continue
        elif all(run.installed for run in summary.runs):
            own = scores.setdefault(choice, {})
            own[summary.combination.instance] = summary.score(timeout)
    return {choice: own for choice, own in scores.items() if choice not in unable}


def par2(runs: Sequence[Run], timeout: float, seed: int = 1) -> list[Score]:
    """The PAR-2 scores of the choices, best first, or in their own order if they were not run on
    the same instances.

    Instances that a choice refuses have no score of it. If there are several choices, the virtual
    best solver, which takes the best of them for each instance that all were run on, has a row,
    too.
    """
    scores = collect_scores(runs, timeout)
    done = group_by((run for run in runs if run.repeat > 0), lambda run: run.combination.choice)
    rows = []
    for choice, own in scores.items():
        rows.append(_score(choice, own, timeout, seed, done[choice]))
    best = find_best(scores)
    if len(rows) > 1 and best:
        rows.append(_score((VIRTUAL_BEST, "", "", ""), best, timeout, seed, []))
    if not are_comparable(runs, timeout):
        return rows
    return sorted(rows, key=lambda row: (row.par2, row.backend != VIRTUAL_BEST))


def are_comparable(runs: Iterable[Run], timeout: float) -> bool:
    """Whether all choices that have a score were run on the same instances."""
    scores = collect_scores(runs, timeout)
    return len({frozenset(own) for own in scores.values()}) <= 1


def find_best_choice(runs: Iterable[Run], timeout: float) -> tuple[str, ...]:
    """The choice with the lowest mean score."""
    scores = collect_scores(runs, timeout)
    return min(scores, key=lambda choice: fmean(scores[choice].values()))


def _score(
    choice: tuple[str, ...], scores: Mapping[str, float], timeout: float, seed: int, runs: list[Run]
) -> Score:
    backend, amo, encoding, graph_rules = choice
    low, high = estimate_interval(list(scores.values()), seed)
    return Score(
        backend,
        amo,
        encoding,
        graph_rules,
        fmean(scores.values()),
        low,
        high,
        completed=sum(seconds < 2 * timeout for seconds in scores.values()),
        instances=len(scores),
        completed_runs=sum(run.complete for run in runs),
        runs=len(runs),
        refused_runs=sum(run.status.startswith("refused") for run in runs),
    )


def find_best(scores: Mapping[K, Mapping[str, float]]) -> dict[str, float]:
    """The best score for each instance that has one of every choice."""
    every = list(scores.values())
    best = {}
    for instance in every[0] if every else ():
        if all(instance in own for own in every):
            best[instance] = min(own[instance] for own in every)
    return best


def count_missing(
    runs: Iterable[Run], planned: Iterable[Identity], group: Callable[[Identity], K]
) -> dict[K, tuple[int, int]]:
    """By group the number of planned runs that ended, and of those that are planned; groups without
    a missing run are left out."""
    ended = {run.identity for run in runs if not run.status.startswith(UNDONE)}
    all_by_group: Counter[K] = Counter()
    ended_by_group: Counter[K] = Counter()
    for identity in planned:
        key = group(identity)
        all_by_group[key] += 1
        ended_by_group[key] += identity in ended
    return {
        key: (ended_by_group[key], number)
        for key, number in all_by_group.items()
        if ended_by_group[key] < number
    }


def describe_missing(runs: Iterable[Run], planned: Collection[Identity]) -> str:
    """How many planned runs of a comparison are missing; '' if none."""
    for some, every in count_missing(runs, planned, lambda _: "").values():
        return f"Incomplete: {some:,} of {every:,} runs"
    return ""


def list_incomplete_choices(runs: Iterable[Run], planned: Collection[Identity]) -> list[str]:
    """The choices with missing runs, and how many of their runs ended."""
    by_choice = count_missing(runs, planned, lambda identity: identity.combination.choice)
    return [
        f"{label_choice(choice)}: {some:,} of {every:,} runs"
        for choice, (some, every) in sorted(by_choice.items())
    ]


def count_equal_seeds(runs: Iterable[Run]) -> dict[str, tuple[int, int]]:
    """By backend, how often all seeds gave the same numbers of conflicts and propagations, as far
    as these are known, and in how many cases: the combinations that were completed with several
    seeds."""
    known = [
        run for run in runs if run.complete and run.seed is not None and run.conflicts is not None
    ]
    equal: Counter[str] = Counter()
    cases: Counter[str] = Counter()
    for own in group_by(known, lambda run: (run.combination, run.repeat)).values():
        if len(own) > 1:
            backend = own[0].combination.backend
            cases[backend] += 1
            equal[backend] += len({(run.conflicts, run.propagations) for run in own}) == 1
    return {backend: (equal[backend], number) for backend, number in cases.items()}


def list_unknown_seeds(runs: Iterable[Run]) -> list[str]:
    """The backends of which several seeds completed a combination, but no conflicts are known, so
    that nobody knows whether the seeds changed anything."""
    seeded = [run for run in runs if run.complete and run.seed is not None]
    several = set()
    known = set()
    for own in group_by(seeded, lambda run: (run.combination, run.repeat)).values():
        backend = own[0].combination.backend
        if len(own) > 1:
            several.add(backend)
        if any(run.conflicts is not None for run in own):
            known.add(backend)
    return sorted(several - known)


def count_by_name(names: Iterable[str]) -> str:
    """How often each name is there.

    >>> count_by_name(["clasp", "z3", "clasp"])
    '2 of clasp, 1 of z3'
    """
    return ", ".join(f"{number} of {name}" for name, number in Counter(names).items())


def estimate_interval(values: Sequence[float], seed: int) -> tuple[float | None, float | None]:
    """The interval that contains 95 % of the means of random samples of the values: the percentile
    bootstrap (B. Efron, 'The jackknife, the bootstrap and other resampling plans', 1982); None for
    fewer than six values. For few values it is too short. The order of the values does not matter.

    >>> estimate_interval([1.0] * 6, seed=1)
    (1.0, 1.0)
    >>> estimate_interval([5.0] * 5, seed=1)
    (None, None)
    """
    if len(values) < LEAST_INSTANCES:
        return None, None
    values = sorted(values)
    chance = random.Random(seed)
    means = sorted(fmean(chance.choices(values, k=len(values))) for _ in range(RESAMPLES))
    cut = int(TAIL * RESAMPLES)
    return means[cut], means[-cut - 1]


def enclose_median(values: Sequence[float]) -> tuple[float | None, float | None]:
    """The interval between two of the values, equally many from both ends, that contains the median
    of the population with a probability of at least 95 %, whatever its distribution; None for fewer
    than six values, of which no interval does.

    A value is above the median as often as below it, so the number of values on one side has the
    distribution of the sign test (W. R. Thompson, 'On confidence ranges for the median', Annals of
    Mathematical Statistics 7, 1936).

    >>> enclose_median([6, 1, 2, 4, 5, 3]), enclose_median(range(1, 13))
    ((1, 6), (3, 10))
    >>> enclose_median([1, 2, 3, 4, 5])
    (None, None)
    """
    number = len(values)
    if number < LEAST_INSTANCES:
        return None, None
    ordered = sorted(values)
    outside = 0  # the number of values that are left out at each end
    tail = 1 + number  # the number of ways in which at most one more value is below the median
    while tail <= TAIL * 2**number:
        outside += 1
        tail += comb(number, outside + 1)
    return ordered[outside], ordered[-1 - outside]


def pairs(runs: Sequence[Run], timeout: float) -> list[Pair]:
    """The pairs of choices that were run on an instance of both."""
    scores = collect_scores(runs, timeout)
    return [_compare(one, other, scores) for one, other in _list_pairs(scores)]


def _list_pairs(
    scores: Mapping[tuple[str, ...], Mapping[str, float]],
) -> Iterable[tuple[tuple[str, ...], tuple[str, ...]]]:
    for one, other in combinations(scores, 2):
        if scores[one].keys() & scores[other].keys():
            yield one, other


def compare_encodings(runs: Sequence[Run], timeout: float) -> list[Pair]:
    """The pairs of choices that differ in nothing but the encoding."""
    scores = collect_scores(runs, timeout)
    return [
        _compare(one, other, scores)
        for one, other in _list_pairs(scores)
        if _differ_in_encoding(one, other)
    ]


def _differ_in_encoding(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether the encodings of two choices differ, and nothing else."""
    differs = [mine != yours for mine, yours in zip(one, other, strict=True)]
    names = Combination("", *one).encoding, Combination("", *other).encoding
    return sum(differs) == 1 and names[0] != names[1] and all(names)


def _compare(
    one: tuple[str, ...],
    other: tuple[str, ...],
    scores: Mapping[tuple[str, ...], Mapping[str, float]],
) -> Pair:
    names = [instance for instance in scores[one] if instance in scores[other]]
    times = [(scores[one][name], scores[other][name]) for name in names]
    differences = [mine - yours for mine, yours in times if not _are_equal(mine, yours)]
    wins = sum(difference < 0 for difference in differences)
    losses = len(differences) - wins
    if wins < losses:
        one, other, wins, losses = other, one, losses, wins
        differences = [-difference for difference in differences]
    low, high = enclose_median(differences)
    return Pair(
        label_choice(one),
        label_choice(other),
        wins,
        losses,
        ties=len(names) - len(differences),
        chance=sign_test(wins, losses),
        instances=len(names),
        difference=median(differences) if differences else None,
        low=low,
        high=high,
    )


def _are_equal(one: float, other: float) -> bool:
    """Whether two times are a tie: they differ by no more than a repeated measurement does."""
    low, high = sorted((one, other))
    return high - low <= TIE_S or high <= TIE_FACTOR * low


def sign_test(wins: int, losses: int) -> float:
    """The probability that one of two equally good choices wins at least as often as the one that
    won more often, on both sides.

    >>> sign_test(6, 0), sign_test(3, 3), sign_test(0, 0)
    (0.03125, 1.0, 1.0)
    """
    number = wins + losses
    tail: int = sum(comb(number, k) for k in range(max(wins, losses), number + 1))
    return min(1.0, float(2 * tail / 2**number))
