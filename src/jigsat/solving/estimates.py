"""Estimates of the number of solutions and of the size of the search, by random paths in the search
tree.

A path chooses a random child at each node. If the node has d children, the chosen one stands for
all d of them, so the products of these numbers estimate the number of nodes and solutions without
bias (Knuth, Estimating the efficiency of backtrack programs, Mathematics of Computation 29, 1975).
The tree is that of the backend `cover` without symmetry breaking.

An estimate is never a count. Most paths underestimate and a few overestimate greatly, so the
intervals are those of the logarithm, three standard errors wide in both directions. On nine puzzles
they contained the truth in 92 to 100 % of the cases (bench/coverage.py). With only ten paths that
reach a solution it was 82 %, so an interval needs a hundred of them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any

from jigsat.backends import Branching, probes
from jigsat.errors import InputError
from jigsat.formula import Formula
from jigsat.ledger.coordinator import TARGET_S
from jigsat.orbits import with_breaking_clause
from jigsat.search.exhaustive import Exhaustive
from jigsat.subject import Problem, Subject, subject_of
from jigsat.symmetry import Level
from jigsat.words import duration, plural

INTERVAL_STANDARD_ERRORS = 3.0  # half-width of an interval in standard errors of the logarithm
MIN_PATHS_WITH_SOLUTION = 100  # minimum number of paths with a solution for an interval
MIN_PATHS = 100  # minimum number of paths, however long they take


@dataclass(frozen=True)
class Interval:
    """An estimate and its interval; the limits are None if too few paths contribute to it."""

    estimate: float
    low: float | None
    high: float | None

    def __str__(self) -> str:
        about = f"about {round_to_two_digits(self.estimate)}"
        if self.low is None or self.high is None:
            return f"{about} (very uncertain)"
        return f"{about} ({round_to_two_digits(self.low)} to {round_to_two_digits(self.high)})"

    def map(self, convert: Callable[[float], float]) -> Interval:
        """The interval of another quantity that grows with this one."""
        low, high = (None if limit is None else convert(limit) for limit in (self.low, self.high))
        return Interval(convert(self.estimate), low, high)


@dataclass(frozen=True)
class PredictedRun:
    """The predicted run of `jigsat count` with a ledger and this number of workers, each with a
    core of its own.

    `pace` is the number of nodes per second of one worker. `subproblems` is their number if each
    takes the target duration. A run takes at least as long as one subproblem, so more workers than
    subproblems do not help.
    """

    workers: int
    pace: float
    core_hours: Interval
    subproblems: Interval
    hours: Interval

    def __str__(self) -> str:
        return (
            f"a count with {plural(self.workers, 'worker')}: {_in_words(self.hours)}; "
            f"{_in_words(self.core_hours)} of one core "
            f"at {round_to_two_digits(self.pace)} nodes a second; subproblems: {self.subproblems}"
        )


def _in_words(hours: Interval) -> str:
    taken, low, high = (
        "" if limit is None else duration(3600 * limit)
        for limit in (hours.estimate, hours.low, hours.high)
    )
    return f"about {taken} ({low} to {high})" if low and high else f"about {taken} (very uncertain)"


@dataclass(frozen=True)
class Estimate:
    """Estimated numbers of solutions and of nodes of the search tree; the fields are those of
    `jigsat estimate --json`.

    `probes` is the number of random paths, `reached` the number of those that ended at a solution.
    `solutions` is None if there was no such path. Solutions that symmetries map to each other are
    different solutions. `run` is the predicted count with some workers, if requested.
    """

    instance: str
    solutions: Interval | None
    nodes: Interval
    probes: int
    reached: int
    seed: int
    seconds: float
    backend: str = "cover"
    run: PredictedRun | None = None

    def json(self) -> dict[str, Any]:
        return {**asdict(self), "seconds": round(self.seconds, 3)}

    def __str__(self) -> str:
        number = f"solutions: {self.solutions or 'unknown, no probe reached one'}"
        how = f"{self.reached:,} of {self.probes:,} probes reached a solution, {self.seconds:.2f} s"
        words = (
            f"{self.instance}: estimated, not counted: {number}; nodes of the search: "
            f"{self.nodes}; {how}"
        )
        return f"{words}\n{self.run}" if self.run else words


def estimate_search(
    problem: Problem, seconds: float, number: int | None, seed: int, workers: int | None = None
) -> Estimate:
    """Estimate from the given number of random paths, by default from as many as take the given
    time.

    With a number of `workers`, also predict how long they take to count the solutions. Raises
    InputError if the formula is not an exact cover or would take too long to convert into one.
    """
    subject = subject_of(problem)
    started = time.monotonic()
    try:
        formula = subject.encode()
        paths = list(_follow_paths(formula, seconds, number, seed))
        run = None
        if workers is not None:
            run = _predict_run(subject, formula, seconds, number, seed, workers)
    except InputError as error:
        raise InputError(f"{subject.name}: {error}") from error
    nodes, solutions = zip(*paths, strict=True)
    reached = sum(map(bool, solutions))
    estimated = interval(solutions, reached) if reached else None
    passed = time.monotonic() - started
    return Estimate(
        subject.name,
        estimated,
        interval(nodes, len(paths)),
        len(paths),
        reached,
        seed,
        passed,
        run=run,
    )


def _follow_paths(
    formula: Formula, seconds: float, number: int | None, seed: int
) -> Iterator[tuple[float, float]]:
    """The estimated numbers of nodes and solutions from random paths: the given number, or as many
    as take the given time."""
    until = time.monotonic() + seconds
    for followed, path in enumerate(probes(formula, seed), 1):
        yield path
        if followed == number or (
            number is None and followed >= MIN_PATHS and time.monotonic() > until
        ):
            return


def _predict_run(
    subject: Subject[Any],
    formula: Formula,
    seconds: float,
    number: int | None,
    seed: int,
    workers: int,
) -> PredictedRun:
    """The run of a count, in which symmetries are broken."""
    searched = with_breaking_clause(
        formula, subject.group(formula).find_breaking_clause(formula, Level.ALL) or []
    )
    paths = list(_follow_paths(searched, seconds, number, seed))
    pace = _measure_pace(subject, searched, seconds)
    work = interval([nodes / pace for nodes, _ in paths], len(paths))
    return PredictedRun(
        workers,
        pace,
        core_hours=work.map(lambda seconds: seconds / 3600),
        subproblems=work.map(lambda seconds: max(1.0, seconds / TARGET_S)),
        hours=work.map(lambda seconds: max(seconds / workers, min(seconds, TARGET_S)) / 3600),
    )


def _measure_pace(subject: Subject[Any], formula: Formula, seconds: float) -> float:
    """The nodes per second of processor time of a search that checks each solution with its orbit,
    as a worker does."""
    group = subject.group(formula)
    until = time.monotonic() + seconds
    with closing(Exhaustive(formula, "cover")) as search:
        search.choice(())  # loads the puzzle into the engine
        begun = time.process_time()
        for models in search.models(()):
            assert not isinstance(models, Branching), "a search without a limit is not divided"
            for model in models:
                images = group.orbit(model, Level.ALL) - {model}
                subject.check_orbit(formula, chain([sorted(model)], map(sorted, images)), "cover")
            if time.monotonic() > until:
                break
        return max(1, search.nodes) / max(1e-6, time.process_time() - begun)


def interval(values: Sequence[float], contributing: int) -> Interval:
    """The mean of independent values, some of which are not zero, and its interval."""
    mean = math.fsum(values) / len(values)
    if contributing < MIN_PATHS_WITH_SOLUTION:
        return Interval(mean, None, None)
    deviations = math.fsum((value / mean - 1) ** 2 for value in values)
    factor = math.exp(
        INTERVAL_STANDARD_ERRORS * math.sqrt(deviations / (len(values) - 1) / len(values))
    )
    return Interval(mean, mean / factor, mean * factor)


def round_to_two_digits(number: float) -> str:
    """A number with two significant digits.

    >>> round_to_two_digits(167_089), round_to_two_digits(6.67e21), round_to_two_digits(4.2)
    ('170,000', '6.7·10²¹', '4')
    """
    if number < 100:
        return f"{number:.0f}"
    digits, _, exponent = f"{number:.1e}".partition("e")
    power = int(exponent)
    if power < 9:
        return f"{round(float(digits) * 10**power):,}"
    return f"{digits}·10{str(power).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"
