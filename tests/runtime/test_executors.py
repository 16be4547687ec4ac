"""Processes of this machine that run functions."""

from __future__ import annotations

import gc
import os
import signal
from concurrent.futures import Future
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from support.waiting import LONG, gone, soon

from jigsat.errors import InputError, Stopped
from jigsat.runtime.executors import Processes


class Odd:
    """A worker that does what it is told."""

    def answer(self, text: str) -> str:
        if text == "fail":
            raise InputError("no tiles")
        if text == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if text == "collect":
            gc.collect()
        return "x" * 10_000_000 if text == "large" else str(os.getpid())  # more than a pipe holds

    def close(self) -> None:
        """Nothing is kept."""


def test_tasks_are_shared_among_the_processes() -> None:
    with closing(Processes(2, Odd)) as workers:
        futures = [workers.submit("process") for _ in range(20)]
        processes = {int(future.result(LONG)) for future in futures}
        assert 1 <= len(processes) <= 2
        assert os.getpid() not in processes
    assert all(map(gone, processes))


def test_an_exception_of_a_task_is_raised_with_its_place_and_the_process_goes_on() -> None:
    with closing(Processes(1, Odd)) as workers:
        with pytest.raises(InputError, match="no tiles") as raised:
            workers.submit("fail").result(LONG)
        assert "in answer" in raised.value.__notes__[0]
        assert workers.submit("large").result(LONG) == "x" * 10_000_000


def test_a_killed_process_ends_its_task_and_the_following_ones() -> None:
    with closing(Processes(2, Odd)) as workers:
        futures: list[Future[str]] = [workers.submit("die") for _ in range(4)]
        for future in futures:
            with pytest.raises(Stopped, match="crash: a process of the search was killed"):
                future.result(LONG)


def test_a_process_killed_in_the_middle_of_an_answer_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with closing(Processes(1, Odd)) as workers:
        child = int(workers.submit("process").result(LONG))
        receive = Connection.recv

        def killing(connection: Connection[Any, Any]) -> Any:
            assert connection.poll(
                LONG
            )  # a part of the answer is there, and the rest does not fit into the pipe
            os.kill(child, signal.SIGKILL)
            soon(lambda: gone(child))
            return receive(connection)

        monkeypatch.setattr(Connection, "recv", killing)
        with pytest.raises(Stopped, match="crash"):
            workers.submit("large").result(LONG)


def test_garbage_of_this_process_is_not_closed_in_others(tmp_path: Path) -> None:
    class Garbage:
        def __init__(self) -> None:
            self.own = self
            self.process = os.getpid()

        def __del__(self) -> None:
            if os.getpid() != self.process:
                (tmp_path / "closed").touch()

    gc.collect()
    gc.disable()
    try:
        Garbage()
        with closing(Processes(1, Odd)) as workers:
            workers.submit("collect").result(LONG)
    finally:
        gc.enable()
    assert not (tmp_path / "closed").exists()
