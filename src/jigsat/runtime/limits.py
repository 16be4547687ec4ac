"""Limits on the time and memory of a command, also for what it does in its own process: reading and encoding.

A search runs in a child process that can be killed (`jigsat.runtime.child`). Reading an instance and encoding it is done by
Python code in this process, because the puzzle is needed here to draw its solutions. A timer's signal interrupts that.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from jigsat.errors import Stopped
from jigsat.runtime.child import high_water

_TICK = 0.1
"""Seconds between two looks at the time and the memory."""


class Limits:
    """How long a command may take, in seconds from now on, and how much memory it may hold, in bytes. None is no limit.

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
        """The seconds that are left."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Raise Stopped in the block as soon as a limit is exceeded, with the reason 'timeout' or 'memory'.

        It interrupts Python code and system calls, not a long call of a C library. Without signals (on Windows, or in
        another thread than the main one) the limits are looked at when the block is entered and left.
        """
        self._look()
        unlimited = self._deadline is None and self.memory is None
        if unlimited or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
            yield
            self._look()
            return
        previous = signal.signal(signal.SIGALRM, lambda *_: self._look())
        left = self.timeout
        # the timer repeats: an exception in a callback that swallows exceptions is raised again at the next tick
        signal.setitimer(signal.ITIMER_REAL, _TICK if left is None else max(0.001, min(_TICK, left)), _TICK)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, previous)

    def _look(self) -> None:
        if self.timeout == 0:
            raise Stopped("timeout")
        if self.memory is not None and high_water(os.getpid()) > self.memory:
            raise Stopped("memory")
