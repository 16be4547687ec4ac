"""Processes of this machine that do one job after another."""

from __future__ import annotations

import gc
import os
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from support.waiting import LONG, gone, soon

from jigsat.errors import InputError, Stopped
from jigsat.runtime.executors import Here, Processes, Workers

Found: TypeAlias = list[tuple[int, str | BaseException]]


class Odd:
    """A worker that does what it is told."""

    def work(self, job: str) -> Iterator[str]:
        if job == "fail":
            raise InputError("no tiles")
        if job == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if job == "collect":
            gc.collect()
        yield "x" * 10_000_000 if job == "large" else str(os.getpid())  # more than a pipe holds
        if job == "sleep":
            time.sleep(LONG)
        if job == "several":
            yield "the second one"

    def close(self) -> None:
        """Nothing is kept."""


def do(workers: Workers[str, str], *jobs: str) -> Found:
    """What is found in jobs, each of which has at least one answer or an exception."""
    for number, job in enumerate(jobs):
        workers.submit(number, job)
    found: Found = []
    end = time.monotonic() + LONG
    while {number for number, _ in found} != set(range(len(jobs))):
        assert time.monotonic() < end, found
        found += workers.receive(1.0)
    return found


def test_jobs_are_shared_among_the_processes() -> None:
    with closing(Processes(2, Odd)) as workers:
        found = do(workers, *["process"] * 20)
        assert sorted(number for number, _ in found) == list(range(20))
        processes = {int(str(process)) for _, process in found}
        assert 1 <= len(processes) <= 2
        assert os.getpid() not in processes
    assert all(map(gone, processes))


@pytest.mark.parametrize("kind", [Here, Processes])
def test_a_job_may_have_several_items(kind: type[Any]) -> None:
    number = () if kind is Here else (1,)
    with closing(kind(*number, Odd)) as workers:
        workers.submit(7, "several")
        found: Found = []
        while len(found) < 2:
            found += workers.receive(1.0)
        assert [job for job, _ in found] == [7, 7]
        assert found[1][1] == "the second one"
        assert do(workers, "process")[0][1] == found[0][1], "the process is ready for the next job"


def test_another_process_takes_the_place_of_one_that_is_abandoned() -> None:
    with closing(Processes(1, Odd)) as workers:
        (first,) = do(workers, "sleep")
        workers.submit(1, "process")
        assert workers.under_way == [0], "the second job waits"
        workers.abandon(0)
        assert gone(int(str(first[1])))
        found: Found = []
        while not found:
            found += workers.receive(1.0)
        ((number, process),) = found
        assert number == 1 and process != first[1]


def test_an_exception_of_a_job_has_its_place_and_other_processes_go_on() -> None:
    with closing(Processes(2, Odd)) as workers:
        found = dict(do(workers, "fail", "large", "process", "process"))
        assert isinstance(found[0], InputError) and "no tiles" in str(found[0])
        assert "in work" in found[0].__notes__[0]
        assert found[1] == "x" * 10_000_000
        assert found[2] == found[3]


def test_a_killed_process_ends_its_job_and_the_last_one_those_that_wait() -> None:
    with closing(Processes(2, Odd)) as workers:
        found = do(workers, *["die"] * 4)
        assert len(found) == 4
        for _, reason in found:
            assert isinstance(reason, Stopped) and "SIGKILL" in str(reason)
        assert not workers.is_busy


def test_a_process_killed_without_a_job_is_replaced() -> None:
    with closing(Processes(2, Odd)) as workers:
        (first,) = {int(str(process)) for _, process in do(workers, "process")}
        while workers.is_busy:
            workers.receive(1.0)  # the end of the job
        os.kill(first, signal.SIGKILL)
        soon(lambda: gone(first))
        results = do(workers, "sleep", "process", "process")  # the first job keeps one process
        processes = [str(process) for _, process in results]
        assert all(map(str.isdigit, processes)), results
        assert str(first) not in processes
        assert len(set(processes)) == 2, "there are two processes again"


def test_what_was_found_before_a_time_limit_is_kept() -> None:
    with closing(Processes(1, Odd, timeout=1.0)) as workers:
        workers.submit(0, "sleep")
        workers.submit(1, "process")
        found: Found = []
        while workers.is_busy:
            found += workers.receive(1.0)
    (first, process), *rest = found
    assert (first, str(process).isdigit()) == (0, True)
    assert [(number, str(reason)) for number, reason in rest] == [(0, "timeout"), (1, "timeout")]


def test_a_process_killed_in_the_middle_of_an_answer_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with closing(Processes(1, Odd)) as workers:
        ((_, process),) = do(workers, "process")
        child = int(str(process))
        receive = Connection.recv

        def killing(connection: Connection[Any, Any]) -> Any:
            assert connection.poll(
                LONG
            )  # a part of the answer is there, and the rest does not fit into the pipe
            os.kill(child, signal.SIGKILL)
            soon(lambda: gone(child))
            return receive(connection)

        workers.receive(1.0)  # the end of the first job
        workers.submit(1, "large")
        monkeypatch.setattr(Connection, "recv", killing)
        found: Found = []
        while not found:
            found = workers.receive(1.0)
        assert "crash" in str(found[0][1])


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
            do(workers, "collect")
    finally:
        gc.enable()
    assert not (tmp_path / "closed").exists()
