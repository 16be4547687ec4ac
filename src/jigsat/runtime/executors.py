"""Places where functions from text to text run: this process or processes of this machine. For clusters see `cluster`.

Each implements a part of the interface of `concurrent.futures`. `jigsat.search.parallel` serves `--jobs` without a ledger. Its
processes send each solution at once and can be killed one by one, which `concurrent.futures` does not offer.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
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
    """Processes of this machine, which end with this process. They are started at once, before files are opened."""

    def __init__(self, number: int) -> None:
        self.number = number
        linux = sys.platform == "linux" and multiprocessing.get_start_method(allow_none=True) != "spawn"
        context = multiprocessing.get_context("fork" if linux else "spawn")
        self._pool = ProcessPoolExecutor(number, context, _begin, (os.getpid(),))
        list(self._pool.map(_same, map(str, range(number))))

    def submit(self, function: Function, text: str) -> Future[str]:
        answer: Future[str] = Future()

        def passed(done: Future[str]) -> None:
            error = done.exception()
            if isinstance(error, BrokenExecutor):
                error = Stopped("crash: a process of the search was killed")
            if error is not None:
                answer.set_exception(error)
            else:
                answer.set_result(done.result())

        try:
            self._pool.submit(function, text).add_done_callback(passed)
        except BrokenExecutor:
            raise Stopped("crash: a process of the search was killed") from None
        return answer

    def close(self) -> None:
        processes = list((self._pool._processes or {}).values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()


def _begin(parent: int) -> None:
    """Let the process die with its parent, which alone handles signals."""
    from jigsat.runtime.child import die_with

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not die_with(parent):
        os._exit(1)


def _same(text: str) -> str:
    return text
