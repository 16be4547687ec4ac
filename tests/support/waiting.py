"""Waiting for events rather than for a fixed time, so that tests pass on a loaded machine."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

LONG = 100
"""Seconds after which an event is assumed never to happen."""


def soon(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    end = time.monotonic() + LONG
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def with_time(run: Callable[[float], T], enough: Callable[[T], object], seconds: float = 1) -> T:
    """What a run with a time limit returns; on a loaded machine, the limit grows until the run got
    far enough."""
    while not enough(done := run(seconds)):
        assert seconds < LONG, f"{seconds} s were not enough: {done}"
        seconds *= 4
    return done


def gone(process: int) -> bool:
    """Whether a process has ended."""
    fields = _stat(process)
    return not fields or fields[0] == "Z"


def worked(process: int) -> float:
    """The processor time of a process in seconds, which does not depend on the load; 0 if it does
    not exist."""
    fields = _stat(process)
    return int(fields[11]) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def _stat(process: int) -> list[str]:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
