"""Places where workers answer texts by texts: this process or processes of this machine. For
clusters see `cluster`.

A place makes its workers, keeps each from one text to the next, and closes them. Each place
implements a part of the interface of `concurrent.futures`.
"""

import multiprocessing
import os
import signal
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from threading import Thread
from typing import Protocol, TypeAlias

from jigsat.errors import Stopped
from jigsat.runtime.child import explain_end, start_process


class Worker(Protocol):
    """Answers one text after another, and keeps what several answers need, such as a solver, until
    it is closed."""

    def answer(self, text: str) -> str:
        """The answer to a text."""

    def close(self) -> None:
        """Free what is kept."""


MakeWorker: TypeAlias = Callable[[], Worker]


class Lost(Exception):
    """A task has no answer, because its worker on a cluster ended; it can be submitted again."""


class Workers(ABC):
    """A place with workers."""

    elastic = False
    """Whether workers come and go: others may join later, and `abandon` replaces one that hangs."""

    @property
    @abstractmethod
    def number(self) -> int:
        """The number of texts that can be answered at once now."""

    @abstractmethod
    def submit(self, text: str) -> Future[str]:
        """Have a worker answer a text. The future may raise Lost, or Stopped if the workers cannot
        continue."""

    def refuse(self, worker: str, reason: str) -> None:
        """Stop using this worker. Raises InputError or Stopped if there is no other."""
        raise Stopped(f"the worker {worker} refuses: {reason}")

    def abandon(self, future: Future[str]) -> None:  # noqa: B027
        """Stop waiting for a task, whose worker hangs. Workers that are not elastic are not given
        up."""

    @abstractmethod
    def close(self) -> None:
        """End the workers that were started here."""


class Here(Workers):
    """This process; a task is done when it has been submitted."""

    number = 1

    def __init__(self, make: MakeWorker) -> None:
        self._make = make
        self._worker: Worker | None = None

    def submit(self, text: str) -> Future[str]:
        future: Future[str] = Future()
        try:
            self._worker = self._worker or self._make()
            future.set_result(self._worker.answer(text))
        except Exception as error:
            future.set_exception(error)
        return future

    def close(self) -> None:
        if self._worker:
            self._worker.close()


class Processes(Workers):
    """Processes of this machine, which end with this process. They are started at once, before
    files are opened.

    Each has a pipe of its own, so a process that is killed while it sends an answer is noticed.
    With the common queue of `concurrent.futures.ProcessPoolExecutor`, the rest of that answer would
    be waited for without end. A thread waits for each process. Python would not end before the
    threads of a `ThreadPoolExecutor`, and so not before an unfinished subproblem.
    """

    number = 0

    def __init__(self, number: int, make: MakeWorker) -> None:
        self.number = number
        self._owner = os.getpid()
        self._processes: list[BaseProcess] = []
        # texts, and where their answers go
        self._tasks: SimpleQueue[tuple[str, Future[str]] | None] = SimpleQueue()
        connections = []
        for _ in range(number):
            own, other = multiprocessing.Pipe()
            self._processes.append(start_process(_serve, other, make))
            other.close()
            connections.append(own)
        self._threads = [
            Thread(target=self._pass, args=pair, daemon=True)
            for pair in zip(self._processes, connections, strict=True)
        ]
        for thread in self._threads:  # when there is nothing left to fork
            thread.start()

    def submit(self, text: str) -> Future[str]:
        future: Future[str] = Future()
        self._tasks.put((text, future))
        return future

    def _pass(self, process: BaseProcess, connection: Connection) -> None:
        """Pass tasks to a process, one after the other."""
        begun = False
        while task := self._tasks.get():
            text, future = task
            try:
                if not begun:
                    begun = connection.recv()
                connection.send(text)
                answer: str | Exception = connection.recv()
            except (EOFError, OSError):
                answer = (
                    Stopped("crash: a process of the search was killed")
                    if begun
                    else explain_end(process, begun=False)
                )
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer)

    def close(self) -> None:
        if os.getpid() != self._owner:  # a fork of the process that started them
            return
        for process in self._processes:
            process.kill()
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()
        for process in self._processes:
            process.join()


def _serve(connection: Connection, make: MakeWorker) -> None:
    """Answer texts until the parent, which alone handles signals, ends this process. That it has
    begun is sent first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        connection.send(True)
    with suppress(EOFError, OSError), closing(make()) as worker:
        while True:
            text = connection.recv()
            answer: str | Exception
            try:
                answer = worker.answer(text)
            except Exception as error:
                error.add_note("in the process of the search:\n" + traceback.format_exc())
                answer = error
            connection.send(answer)
