"""Waiting for what happens, never for a time: a loaded machine only makes it later."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

LONG = 100
"""Seconds after which something is believed never to happen."""


def soon(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    end = time.monotonic() + LONG
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def gone(process: int) -> bool:
    """Whether a process has ended."""
    fields = _stat(process)
    return not fields or fields[0] == "Z"


def worked(process: int) -> float:
    """The seconds that a process has had a processor, which the load of the machine does not change; 0 if there is none."""
    fields = _stat(process)
    return int(fields[11]) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def _stat(process: int) -> list[str]:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
