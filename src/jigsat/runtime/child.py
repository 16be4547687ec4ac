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
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from jigsat.errors import Interrupted, Stopped
from jigsat.runtime.guard import below

T = TypeVar("T")

_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)
_WATCH = 0.1  # seconds between two looks at the memory
_GRACE = 1.0  # seconds in which a signal that is sent again is the same request: `timeout` and terminals send it twice
_inside: list[bool] = []
"""Not empty in the process of a child."""


class _Requests:
    """The signal that asked this process to end, if any did."""

    first: Interrupted | None = None
    since = 0.0
    held = 0


def keep_interrupts(signals: Iterable[int] = (signal.SIGINT,)) -> None:
    """Answer these signals, of `Interrupted.SIGNALS`, by raising Interrupted, and remember them.

    So one ends the wait for a child even where Python drops the exception, which happens in callbacks, such as those that
    are called when processes start and end.
    """

    def asked(number: int, _: object) -> None:
        again = _Requests.first is not None
        if not again:
            _Requests.first, _Requests.since = Interrupted(number), time.monotonic()
        if time.monotonic() > _Requests.since + _GRACE if again else not _Requests.held:
            raise Interrupted(number)

    for number in signals:
        signal.signal(number, asked)


@contextmanager
def held_interrupts() -> Iterator[None]:
    """What is done in this block is not broken off by a signal, only the wait for a child is; a second signal breaks it off.

    It has to see to it that what was found is kept and told, and to use nothing but children for what takes long.
    """
    _Requests.held += 1
    try:
        yield
    finally:
        _Requests.held -= 1


class Child(Iterator[T]):
    """What `job()` yields, run in a process of its own that starts at once and is killed when this is closed.

    `timeout` is in seconds, `memory` in bytes: what the child and the programs it started may hold, looked at ten times a
    second while we wait for it (a limit of the system's would also count what is only reserved, and end each solver in
    another way). Iterating raises Stopped when a limit is hit or the child dies, Interrupted when a signal asks this process to
    end (`keep_interrupts`), and what the job raised when it raised. Items that were sent before are never lost. `peak` is
    the most memory it held, in bytes, where that can be told.
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
        self._asked: Interrupted | None = None
        self.peak = 0
        self.connection, sender = context.Pipe(duplex=False)
        self._process = context.Process(target=_run, args=(job, sender, os.getpid(), bool(_inside)), daemon=True)
        self._process.start()
        sender.close()

    def __next__(self) -> T:
        if self.connection.closed:
            raise StopIteration
        try:
            with held_interrupts():  # one in the midst of an item would make the rest unreadable
                kind, value = self._received()
            if kind == "error":
                raise value
            if kind == "end":
                raise StopIteration
        except BaseException:
            self.close()
            raise
        item: T = value
        return item

    def _received(self) -> tuple[str, Any]:
        """The next item with its kind, waited for."""
        ready = False
        while not ready:
            if _Requests.first and not self._over:
                self._asked = _Requests.first
                self._kill()
            ready = self._ready(_WATCH)
        try:
            kind, value = self.connection.recv()
            if kind == "peak":
                self.peak = max(self.peak, value)
                kind, value = self.connection.recv()
        except (EOFError, OSError):
            self._kill()
            raise self._asked or Stopped(self._reason or _cause(self._process.exitcode)) from None
        return kind, value

    def ready(self, patience: float = 0.0) -> bool:
        """Whether the next item, or the end, can be had at once; waits for it so many seconds.

        At a limit the child is killed, what it sent before still being there to be read: one that sends as fast as we read
        must end as well.
        """
        if _Requests.first:
            raise _Requests.first
        return self._ready(patience)

    def _ready(self, patience: float) -> bool:
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


def apart(function: Callable[..., T], *arguments: Any, timeout: float | None = None, memory: int | None = None) -> T:
    """What a function returns, called in a child process. Raises Stopped at a limit and when the child dies."""
    return next(Child(partial(_once, function, arguments), timeout=timeout, memory=memory))


def _once(function: Callable[..., T], arguments: tuple[Any, ...]) -> Iterator[T]:
    yield function(*arguments)


def _run(job: Callable[[], Iterable[T]], sender: Connection, parent: int, inside: bool) -> None:
    for number in Interrupted.SIGNALS:  # a child that is sent one ends, and its parent says so
        signal.signal(number, signal.SIG_DFL)
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
