"""Running a generator in a child process, so that it can be stopped in the midst of a call that Python cannot interrupt."""

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
from typing import TypeVar

from jigsat.errors import Stopped

T = TypeVar("T")

_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)


def in_child(job: Callable[[], Iterable[T]], *, timeout: float | None = None, memory: int | None = None) -> Iterator[T]:
    """Yield what `job()` yields, run in a process of its own that is killed when this iterator is closed.

    `timeout` is in seconds from the first item asked for, `memory` a limit on the child's address space in bytes. Raises
    Stopped when a limit is hit or the child dies, and what the job raised when it raised. Items that were sent before are
    never lost.
    """
    # a forked child has the puzzle and the libraries already; elsewhere forking is not safe
    linux = sys.platform == "linux"
    context = multiprocessing.get_context("fork") if linux else multiprocessing.get_context("spawn")
    deadline = None if timeout is None else time.monotonic() + timeout
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_run, args=(job, sender, memory, os.getpid()), daemon=True)
    child.start()
    sender.close()
    try:
        while True:
            if not receiver.poll(None if deadline is None else max(0.0, deadline - time.monotonic())):
                raise Stopped("timeout")
            try:
                kind, value = receiver.recv()
            except (EOFError, OSError):
                child.join()
                raise Stopped(_cause(child.exitcode, memory)) from None
            if kind == "item":
                yield value
            elif kind == "error":
                raise value
            else:
                return
    finally:
        receiver.close()
        if child.pid:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)  # with whatever programs it started
        child.kill()
        child.join()


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
