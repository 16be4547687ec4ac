"""Limits on the time and memory of a command, including reading and encoding, which run in its own
process.

A search runs in a child process, which can be killed (`jigsat.runtime.child`). Reading and encoding
an instance runs in this process, because the puzzle is needed here to draw its solutions; a timer
signal interrupts it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from jigsat.errors import Stopped
from jigsat.runtime.child import high_water

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_CHECK_INTERVAL_S = 0.1  # seconds between two checks of time and memory


class Limits:
    """Limits on the time of a command, in seconds from now, and on its memory, in bytes. None means
    no limit.

    >>> with Limits(timeout=0.01).hold():
    ...     while True:
    ...         pass
    Traceback (most recent call last):
        ...
    jigsat.errors.Stopped: timeout
    """

    def __init__(self, timeout: float | None = None, memory: int | None = None) -> None:
        self.memory = memory
        self._deadline = None if timeout is None else time.monotonic() + timeout

    @property
    def timeout(self) -> float | None:
        """The remaining seconds."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    @contextmanager
    def hold(self) -> Iterator[None]:
        """A context manager that raises Stopped, with the reason 'timeout' or 'memory', as soon as
        a limit is exceeded.

        It interrupts Python code and system calls, but not a long call of a C library. A library in
        C may be left in a state in which it crashes, so solvers run in child processes. Without
        signals (on Windows, or outside the main thread) the limits are checked only when the block
        is entered and left.

        A timer checks the limits. It repeats, because a callback may swallow the exception; then it
        is raised again. It is not raised while a block is being entered or left. On a busy machine
        that may take longer than a tick. The timer could then outlive the block, and the exception
        could be raised outside the code that handles it.
        """
        self.look()
        unlimited = self.timeout is None and self.memory is None
        if (
            unlimited
            or not hasattr(signal, "setitimer")
            or threading.current_thread() is not threading.main_thread()
        ):
            yield
            self.look()
            return
        previous = signal.signal(signal.SIGALRM, self._tick)
        left = self.timeout
        first = _CHECK_INTERVAL_S if left is None else max(0.001, min(_CHECK_INTERVAL_S, left))
        signal.setitimer(signal.ITIMER_REAL, first, _CHECK_INTERVAL_S)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, previous)

    def look(self) -> None:
        """Raise Stopped if a limit is exceeded."""
        if self.timeout == 0:
            raise Stopped("timeout")
        if self.memory is not None and high_water(os.getpid()) > self.memory:
            raise Stopped("memory")

    def _tick(self, number: int, frame: FrameType | None) -> None:
        if frame is None or frame.f_code.co_name not in _NOT_IN:
            self.look()


@contextmanager
def dropped_stops_unreported() -> Iterator[None]:
    """In this block, Python does not report limits and signals whose exceptions are dropped by a
    callback.

    Nothing is lost: `Limits.hold` raises it again, and `keep_interrupts` remembers it.
    """
    before = sys.unraisablehook
    sys.unraisablehook = _unraisable
    try:
        yield
    finally:
        sys.unraisablehook = before


def _unraisable(dropped: UnraisableHookArgs) -> None:
    if not isinstance(dropped.exc_value, (Stopped, KeyboardInterrupt)):
        sys.__unraisablehook__(dropped)


# functions in which no limit is checked
_NOT_IN = (
    "hold",
    "__enter__",
    "__exit__",
    "_tick",
    "_unraisable",
)
