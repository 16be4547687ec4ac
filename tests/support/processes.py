"""Jobs for child processes that are not forked, and so must import them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from support.waiting import LONG


def report_parent(process: int) -> Iterator[bool]:
    """Whether this process is the parent."""
    yield os.getppid() == process


def sleep() -> Iterator[int]:
    """The number of the process, which then waits."""
    yield os.getpid()
    time.sleep(LONG)


class Parent:
    """A worker that answers with the process that started it."""

    def work(self, job: str) -> Iterator[str]:
        yield str(os.getppid())

    def close(self) -> None:
        """Nothing is kept."""
