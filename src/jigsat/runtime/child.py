"""Running an iterable in a child process, so that it can be stopped in the midst of a call that Python cannot interrupt."""

from __future__ import annotations

import contextlib
import ctypes
import math
import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from jigsat.errors import Stopped
from jigsat.runtime.guard import below

T = TypeVar("T")

_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)
_WATCH = 0.1  # seconds between two looks at the memory
_interrupted: list[bool] = []
_inside: list[bool] = []
"""Not empty in the process of a child."""


def keep_interrupts() -> None:
    """See to it that Ctrl-C ends the wait for a child even where Python drops it.

    That happens to a KeyboardInterrupt which comes in a callback, as they are called when processes start and end.
    """

    def interrupted(*_: object) -> None:
        _interrupted.append(True)
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else somebody wants it otherwise
        signal.signal(signal.SIGINT, interrupted)


class Child(Iterator[T]):
    """What `job()` yields, run in a process of its own that starts at once and is killed when this is closed.

    `timeout` is in seconds, `memory` in bytes: what the child and the programs it started may hold, looked at ten times a
    second while we wait for it (a limit of the system's would also count what is only reserved, and end each solver in
    another way). Iterating raises Stopped when a limit is hit or the child dies, and what the job raised when it raised.
    Items that were sent before are never lost. `peak` is the most memory it held, in bytes, where that can be told.
    A child may have children of its own, which are killed with it. `connection` is there to be waited for among others.
    Where processes are spawned and not forked, the job and what it yields must be such as can be pickled.
    """

    def __init__(self, job: Callable[[], Iterable[T]], *, timeout: float | None = None, memory: int | None = None) -> None:
        # a forked child has the puzzle and the libraries already; elsewhere than on Linux forking is not safe
        spawned = sys.platform != "linux" or multiprocessing.get_start_method(allow_none=True) == "spawn"
        context = multiprocessing.get_context("spawn") if spawned else multiprocessing.get_context("fork")
        self._deadline = math.inf if timeout is None else time.monotonic() + timeout
        self._memory = memory
        self._look = 0.0
        self._over = False
        self._reason: str | None = None
        self.peak = 0
        self.connection, sender = context.Pipe(duplex=False)
        self._process = context.Process(target=_run, args=(job, sender, os.getpid(), bool(_inside)), daemon=True)
        self._process.start()
        sender.close()

    def __next__(self) -> T:
        if self.connection.closed:
            raise StopIteration
        try:
            while not self.ready(_WATCH):
                pass
            try:
                kind, value = self.connection.recv()
                if kind == "peak":
                    self.peak = max(self.peak, value)
                    kind, value = self.connection.recv()
            except (EOFError, OSError):
                self._kill()
                raise Stopped(self._reason or _cause(self._process.exitcode)) from None
            if kind == "error":
                raise value
            if kind == "end":
                raise StopIteration
        except BaseException:
            self.close()
            raise
        item: T = value
        return item

    def ready(self, patience: float = 0.0) -> bool:
        """Whether the next item, or the end, can be had at once; waits for it so many seconds.

        At a limit the child is killed, what it sent before still being there to be read: one that sends as fast as we read
        must end as well.
        """
        if _interrupted:
            raise KeyboardInterrupt
        now = time.monotonic()
        if self._memory is not None and now >= self._look and not self._over:
            self.peak = max(self.peak, _peak(self._process.pid or 0))
            self._look = now + max(_WATCH, 20 * (time.monotonic() - now))  # a look takes a while among many processes
            if self.peak > self._memory:
                self._kill("memory")
        if now >= self._deadline:
            self._kill("timeout")
        return self._over or self.connection.poll(max(0.0, min(patience, self._deadline - now)))

    def close(self) -> None:
        """Kill the child, with whatever programs it started."""
        self.connection.close()
        self._kill()

    def stop(self, reason: str) -> None:
        """Kill the child; what it sent before can still be read, and then Stopped is raised with the reason."""
        self._kill(reason)

    def _kill(self, reason: str | None = None) -> None:
        if self._over or self._process.pid is None:
            return
        self._over, self._reason = True, reason
        self.peak = max(self.peak, _peak(self._process.pid))
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.join()


def apart(function: Callable[..., T], *arguments: Any, timeout: float | None = None) -> T:
    """What a function returns, called in a child process. Raises Stopped when the time is up or the child dies."""
    return next(Child(partial(_once, function, arguments), timeout=timeout))


def _once(function: Callable[..., T], arguments: tuple[Any, ...]) -> Iterator[T]:
    yield function(*arguments)


def _run(job: Callable[[], Iterable[T]], sender: Connection, parent: int, inside: bool) -> None:
    _inside.append(True)
    multiprocessing.current_process().daemon = False  # or else it could not have children
    if not inside and hasattr(os, "setpgid"):
        os.setpgid(0, 0)  # Ctrl-C in the terminal is the parent's to answer; killing the group kills children's children
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != parent:
            return
    with contextlib.suppress(BrokenPipeError):
        try:
            for item in job():
                sender.send(("item", item))
            sender.send(("peak", _peak(os.getpid())))
            sender.send(("end", None))
        except MemoryError:
            sender.send(("error", Stopped("memory")))
        except BrokenPipeError:
            raise
        except Exception as error:
            error.__cause__ = error.__context__ = None
            error.add_note("in the child process:\n" + traceback.format_exc())
            sender.send(("peak", _peak(os.getpid())))
            sender.send(("error", error))


def _peak(process: int) -> int:
    """The most memory that a process and each of its descendants has held, in bytes; 0 where the system does not tell."""
    return sum(map(high_water, (process, *below(process))))


def high_water(process: int) -> int:
    """The most memory that a process has held, in bytes, as Linux tells it; 0 elsewhere and for a process that is gone."""
    with contextlib.suppress(OSError):
        status = Path(f"/proc/{process}/status").read_text()
        return sum(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:"))
    return 0


def _cause(exit_code: int | None) -> str:
    if exit_code is not None and exit_code < 0:
        return f"crash: the solver's process was ended by {signal.Signals(-exit_code).name}"
    return f"crash: the solver's process ended with exit status {exit_code}"
