"""Places where functions from text to text run: this process or processes of this machine. For clusters see `cluster`.

Each implements a part of the interface of `concurrent.futures`. `jigsat.search.parallel` serves `--jobs` without a ledger. Its
processes send each solution at once and can be killed one by one, which `concurrent.futures` does not offer.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Protocol

from jigsat.errors import Stopped

Function = Callable[[str], str]


class Lost(Exception):
    """A task has no answer, because its worker ended; it can be submitted again."""


class Workers(Protocol):
    """Workers that run functions of installed packages. `number` is how many tasks can run at once now."""

    @property
    def number(self) -> int:
        """The number of tasks that can run at once now."""

    def submit(self, function: Function, text: str) -> Future[str]:
        """Call the function on a worker. The future may raise Lost, or Stopped if the workers cannot continue."""

    @property
    def replaceable(self) -> bool:
        """Whether a worker that hangs can be replaced by `abandon`."""

    def refuse(self, worker: str, reason: str) -> None:
        """Stop using this worker. Raises InputError if there is no other."""

    def abandon(self, future: Future[str]) -> None:
        """Stop waiting for a task, whose worker hangs."""

    def close(self) -> None:
        """End the workers that were started here."""


class Here:
    """This process; a task is done when it has been submitted."""

    number = 1
    replaceable = False

    def submit(self, function: Function, text: str) -> Future[str]:
        future: Future[str] = Future()
        try:
            future.set_result(function(text))
        except Exception as error:
            future.set_exception(error)
        return future

    def refuse(self, worker: str, reason: str) -> None:
        raise Stopped(f"the worker {worker} refuses: {reason}")

    def abandon(self, future: Future[str]) -> None:
        """Nothing to do: a task is done when it has been submitted."""

    def close(self) -> None:
        """Nothing was started."""


class Processes(Here):
    """Processes of this machine, which end with this process. They are started at once, before files are opened.

    Each has a pipe of its own, so a process that is killed while it sends an answer is noticed. With the common queue of
    `concurrent.futures.ProcessPoolExecutor`, the rest of that answer would be waited for without end.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        linux = sys.platform == "linux" and multiprocessing.get_start_method(allow_none=True) != "spawn"
        context = multiprocessing.get_context("fork") if linux else multiprocessing.get_context("spawn")
        self._processes: list[BaseProcess] = []
        self._idle: SimpleQueue[Connection] = SimpleQueue()
        for _ in range(number):
            own, other = context.Pipe()
            process = context.Process(target=_serve, args=(other, os.getpid()), daemon=True)
            process.start()
            other.close()
            self._processes.append(process)
            self._idle.put(own)
        self._threads = ThreadPoolExecutor(number)  # one waits for each busy process

    def submit(self, function: Function, text: str) -> Future[str]:
        return self._threads.submit(self._ask, function, text)

    def _ask(self, function: Function, text: str) -> str:
        connection = self._idle.get()
        try:
            connection.send((function, text))
            answer: str | Exception = connection.recv()
        except (EOFError, OSError):
            raise Stopped("crash: a process of the search was killed") from None
        finally:
            self._idle.put(connection)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        for process in self._processes:
            process.kill()
        self._threads.shutdown(cancel_futures=True)
        for process in self._processes:
            process.join()


def _serve(connection: Connection, parent: int) -> None:
    """Answer tasks until the parent, which alone handles signals, ends this process."""
    from jigsat.runtime.child import die_with

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    multiprocessing.current_process().daemon = False  # a daemon could not have children
    if not die_with(parent):
        return
    with suppress(EOFError, OSError):
        while True:
            function, text = connection.recv()
            answer: str | Exception
            try:
                answer = function(text)
            except Exception as error:
                error.add_note("in the process of the search:\n" + traceback.format_exc())
                answer = error
            connection.send(answer)
