"""Running an iterable in a child process, so that it can be stopped in the midst of a call that Python cannot interrupt."""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from jigsat.errors import Stopped

T = TypeVar("T")

_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)


class Child(Iterator[T]):
    """What `job()` yields, run in a process of its own that starts at once and is killed when this is closed.

    `timeout` is in seconds, `memory` a limit on the child's address space in bytes. Iterating raises Stopped when a limit is
    hit or the child dies, and what the job raised when it raised. Items that were sent before are never lost.
    """

    def __init__(self, job: Callable[[], Iterable[T]], *, timeout: float | None = None, memory: int | None = None) -> None:
        # a forked child has the puzzle and the libraries already; elsewhere than on Linux forking is not safe
        linux = sys.platform == "linux"
        context = multiprocessing.get_context("fork") if linux else multiprocessing.get_context("spawn")
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._memory = memory
        self._receiver, sender = context.Pipe(duplex=False)
        self._process = context.Process(target=_run, args=(job, sender, memory, os.getpid()), daemon=True)
        self._process.start()
        sender.close()

    def __next__(self) -> T:
        if self._receiver.closed:
            raise StopIteration
        try:
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
        left = None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
        if left == 0.0:
            self._kill()  # what it has sent can still be read, but a child that sends faster than we read sends no more
        if not self._receiver.poll(left):
            raise Stopped("timeout")
        try:
            kind, value = self._receiver.recv()
        except (EOFError, OSError):
            self._process.join()
            raise Stopped("timeout" if left == 0.0 else _cause(self._process.exitcode, self._memory)) from None
        return kind, value

    def close(self) -> None:
        """Kill the child, with whatever programs it started."""
        self._receiver.close()
        self._kill()

    def _kill(self) -> None:
        if self._process.pid and self._process.is_alive():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.join()


def _run(job: Callable[[], Iterable[T]], sender: Connection, memory: int | None, parent: int) -> None:
    os.setpgid(0, 0)  # Ctrl-C in the terminal is the parent's to answer
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != parent:
            return
    if memory is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    with contextlib.suppress(BrokenPipeError):
        try:
            for item in job():
                sender.send(("item", item))
            sender.send(("end", None))
        except MemoryError:
            sender.send(("error", Stopped("memory")))
        except BrokenPipeError:
            raise
        except Exception as error:
            error.__cause__ = error.__context__ = None
            error.add_note("in the child process:\n" + traceback.format_exc())
            sender.send(("error", error))


def _cause(exit_code: int | None, memory: int | None) -> str:
    if exit_code is not None and exit_code < 0:
        name = signal.Signals(-exit_code).name
        hint = ", perhaps at its memory limit" if memory is not None else ""
        return f"crash: the solver's process was ended by {name}{hint}"
    return f"crash: the solver's process ended with exit status {exit_code}"
