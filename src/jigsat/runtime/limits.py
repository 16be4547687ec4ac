"""Limits on the time and memory of a command, also for what it does in its own process: reading and encoding.

A search runs in a child process that can be killed (`jigsat.runtime.child`). Reading an instance and encoding it is done by
Python code in this process, because the puzzle is needed here to draw its solutions. A timer's signal interrupts that.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import AbstractContextManager
from types import FrameType

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

    def hold(self) -> AbstractContextManager[None]:
        """Raise Stopped in the block as soon as a limit is exceeded, with the reason 'timeout' or 'memory'.

        It interrupts Python code and system calls, not a long call of a C library. Without signals (on Windows, or in
        another thread than the main one) the limits are looked at when the block is entered and left.
        """
        return _Held(self)

    def look(self) -> None:
        """Raise Stopped if a limit is exceeded."""
        if self.timeout == 0:
            raise Stopped("timeout")
        if self.memory is not None and high_water(os.getpid()) > self.memory:
            raise Stopped("memory")


class _Held(AbstractContextManager[None]):
    """A block in which a timer looks at the limits.

    The timer repeats, so that an exception in a callback that swallows exceptions is raised again. It is not raised again in
    an `__exit__`, where it would keep the block from being left: on a busy machine that may take longer than a tick.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        unlimited = limits.timeout is None and limits.memory is None
        main = threading.current_thread() is threading.main_thread()
        self._timed = hasattr(signal, "setitimer") and main and not unlimited

    def __enter__(self) -> None:
        self._limits.look()
        if self._timed:
            self._previous = signal.signal(signal.SIGALRM, self._tick)
            left = self._limits.timeout
            signal.setitimer(signal.ITIMER_REAL, _TICK if left is None else max(0.001, min(_TICK, left)), _TICK)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._timed:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._previous)
        elif kind is None:
            self._limits.look()

    def _tick(self, number: int, frame: FrameType | None) -> None:
        if frame is None or frame.f_code.co_name not in ("__exit__", "_tick"):
            self._limits.look()
