"""What the machine did during a comparison."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from jigsat.comparison.matrix import Run
from jigsat.comparison.scores import count_by_name, group_by
from jigsat.words import plural

TOLERANCE_S = 1.0  # seconds that two clocks may differ in one run


@dataclass(frozen=True)
class Circumstances:
    """`duration` is the number of seconds on the wall from the first start to the last end, added
    up over the sessions. `load_start` is the load average when the first run began, `load_end` when
    the last one ended, `load_most` the largest at a start or an end. `niceness` has every value
    that a run began or ended with."""

    duration: float
    load_start: float | None
    load_end: float | None
    load_most: float | None
    niceness: list[int]

    def json(self) -> dict[str, Any]:
        return asdict(self)


def find_circumstances(ended: Iterable[Run]) -> Circumstances | None:
    """The circumstances of the runs that have a start and an end; None without such runs."""
    timed = [run for run in ended if run.started and run.date]
    if not timed:
        return None
    sessions = group_by(timed, lambda run: run.session)
    loads = [load for run in timed for load in (run.load_start, run.load_end) if load is not None]
    values = {value for run in timed for value in (run.nice_start, run.nice_end)}
    return Circumstances(
        duration=round(sum(map(_measure_duration, sessions.values())), 3),
        load_start=min(timed, key=_find_start).load_start,
        load_end=max(timed, key=_find_end).load_end,
        load_most=max(loads, default=None),
        niceness=sorted(value for value in values if value is not None),
    )


def describe_odd_times(ended: Iterable[Run]) -> str:
    """Of how many runs the times on the wall are not those between their start and their end; '' if
    of none."""
    odd = [run for run in ended if run.started and run.date and _is_odd(run)]
    if not odd:
        return ""
    names = count_by_name(run.combination.label for run in odd)
    return (
        f"{plural(len(odd), 'run')} with a time on the wall that is not the one between start and "
        f"end ({names}): the clock was set, the machine slept, or the file was edited"
    )


def _is_odd(run: Run) -> bool:
    between = (_find_end(run) - _find_start(run)).total_seconds()
    return abs(between - run.wall - run.preparation) > TOLERANCE_S


def _measure_duration(session: Iterable[Run]) -> float:
    """Seconds from the first start to the last end."""
    timed = list(session)
    duration = max(map(_find_end, timed)) - min(map(_find_start, timed))
    return max(0.0, duration.total_seconds())


def _find_start(run: Run) -> datetime:
    return datetime.fromisoformat(run.started)


def _find_end(run: Run) -> datetime:
    return datetime.fromisoformat(run.date)
