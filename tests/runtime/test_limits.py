"""Limits on time and memory apply to everything that a command does, not only to the search."""

from __future__ import annotations

import errno
import os
import signal
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.inside import jigsat
from support.waiting import with_time

from jigsat import instance
from jigsat.answering.enumeration import Enumeration
from jigsat.backends.pysat import PySat
from jigsat.errors import Stopped
from jigsat.runtime.child import apart
from jigsat.runtime.limits import Limits, dropped_stops_unreported

COMMANDS = ["solve", "count", "unique", "rate", "explain", "export", "prove", "compare"]


def endless(*_: Any, **__: Any) -> Any:
    while True:
        time.sleep(0.001)


def greedy(*_: Any, **__: Any) -> Any:
    held = []
    while len(held) < 4000:
        held.append(b"x" * 2**20)
    raise AssertionError("4 GB were taken")


def arguments(command: str, name: str, tmp_path: Path) -> list[str]:
    more = {
        "prove": ["-o", str(tmp_path / "proof")],
        "export": ["-o", str(tmp_path / "proof.cnf")],
        "compare": ["--backends", "cadical195"],
    }
    return [command, name, *more.get(command, [])]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_timeout_holds_for_reading(
    command: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("jigsat.instance.files.read_data", endless)
    monkeypatch.setattr("jigsat.comparison.matrix.PREPARATION_S", 0.05)
    done = jigsat(capsys, *arguments(command, "cats", tmp_path), "--timeout", "0.05")
    assert done.status == 3
    assert "timeout" in done.out + done.err
    assert "cats" in done.out + done.err
    assert list(tmp_path.iterdir()) == []


# `compare` limits processor time and allows 30 s of it for preparation: see tests/comparison
@pytest.mark.parametrize("command", [command for command in COMMANDS if command != "compare"])
def test_a_timeout_holds_for_encoding(
    command: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    family = type(instance.load("lights-5x5"))
    monkeypatch.setattr(family, "encode", endless)
    done = jigsat(capsys, *arguments(command, "lights-5x5", tmp_path), "--timeout", "0.3")
    assert done.status == 3
    assert "timeout" in done.out + done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["solve", "count", "compare"])
def test_a_memory_limit_holds_for_reading(
    command: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("jigsat.instance.files.read_data", greedy)
    done = jigsat(capsys, *arguments(command, "cats", tmp_path), "--memory", "500")
    assert done.status == 3
    assert "memory" in done.out + done.err


def test_waiting_for_an_empty_pipe_is_limited(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    done = jigsat(capsys, "count", pipe, "--timeout", "0.05", "--json")
    assert done.status == 3
    assert '"stopped_by": "timeout"' in done.out


def test_the_time_for_remarks_is_limited(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(instance.load("lights-5x5")), "remarks", endless)
    done = with_time(
        lambda seconds: jigsat(capsys, "solve", "lights-5x5", "--timeout", str(seconds)),
        lambda done: "4 solutions" in done.out,
    )
    assert done.status == 0
    assert "4 solutions" in done.out
    assert "timeout" in done.err


def test_limits_leave_nothing_behind() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(Stopped, match="timeout"), Limits(timeout=0.01).hold():
        endless()
    with Limits(timeout=100).hold():
        pass
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_swallowed_exception_is_raised_again() -> None:
    def swallowing() -> None:
        try:
            endless()
        except Stopped:
            endless()

    with pytest.raises(Stopped, match="timeout"), Limits(timeout=0.01).hold():
        swallowing()


def test_the_block_raises_a_single_exception_on_a_busy_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "jigsat.runtime.limits._CHECK_INTERVAL_S", 0.00005
    )  # the number of ticks while the block is left

    @contextmanager
    def named() -> Iterator[None]:
        try:
            with Limits(timeout=0.002).hold():
                yield
        except Stopped as reason:
            raise Stopped(f"cats: {reason}") from None

    for _ in range(100):
        with pytest.raises(Stopped, match="cats: timeout"), named():
            endless()


# -- whenever the limit strikes


class Late:
    """The limit is exceeded in each of these methods, as on a busy machine on which they take
    longer than a tick."""

    def __enter__(self) -> Late:
        signal.raise_signal(signal.SIGALRM)
        return self

    def __exit__(self, *_: object) -> None:
        signal.raise_signal(signal.SIGALRM)


@contextmanager
def exceeded() -> Iterator[None]:
    """A block whose time is over when it is entered."""
    limits = Limits(timeout=100)
    with limits.hold():
        limits._deadline = 0.0
        yield


def test_no_exception_comes_while_a_block_is_being_entered_or_left() -> None:
    passed = []
    with pytest.raises(Stopped, match="timeout"), exceeded():
        with Late():
            passed.append("entered")
        passed.append("left")
        endless()
    assert passed == ["entered", "left"]


def test_an_exception_that_a_callback_drops_is_not_reported(
    capfd: pytest.CaptureFixture[str],
) -> None:
    class Object:
        pass

    thing = Object()
    reference = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGALRM))
    with pytest.raises(Stopped, match="timeout"), dropped_stops_unreported(), exceeded():
        del thing
        assert reference() is None
        endless()
    assert capfd.readouterr() == ("", "")


def test_other_exceptions_that_a_callback_drops_are_reported(
    capfd: pytest.CaptureFixture[str],
) -> None:
    class Broken:
        def __del__(self) -> None:
            raise ValueError("broken")

    with dropped_stops_unreported():
        thing = Broken()
        del thing
    assert "ValueError: broken" in capfd.readouterr().err


@pytest.mark.parametrize("command", [*COMMANDS, "explain --clues"])
def test_no_solver_is_in_the_process_that_the_limit_interrupts(
    command: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[int] = []  # by this process; a child has its own list
    create = PySat.__init__

    def opening(self: PySat, name: str) -> None:
        opened.append(os.getpid())
        create(self, name)

    monkeypatch.setattr(PySat, "__init__", opening)
    name, *options = command.split()
    done = jigsat(capsys, *arguments(name, "cats", tmp_path), *options, "--timeout", "100")
    assert (done.status, done.err) == (0, "")
    assert opened == []


def test_a_limit_after_the_answer_takes_nothing_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    enumeration = Enumeration(instance.load("cats"))
    events = enumeration._events

    def stopped_at_the_end() -> Iterator[Any]:
        yield from events
        raise Stopped("timeout")

    monkeypatch.setattr(enumeration, "_events", stopped_at_the_end())
    assert len(list(enumeration)) == 1
    assert (enumeration.result.complete, enumeration.result.stopped_by) == (True, None)


@pytest.mark.parametrize("command", ["solve", "explain", "export"])
def test_no_room_for_another_process_is_one_line(
    command: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused() -> int:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(os, "fork", refused)
    done = jigsat(capsys, *arguments(command, "cats", tmp_path))
    assert (done.status, done.err.count("\n")) == (3, 1)
    assert done.err.endswith(f"{os.strerror(errno.EAGAIN)}\n") or "cannot be written" in done.err
    assert list(tmp_path.iterdir()) == []


def test_too_little_memory_for_python_itself_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_much(*_: Any, **__: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr("jigsat.instance.files.read_data", too_much)
    assert jigsat(capsys, "solve", "cats") == (3, "", "jigsat: out of memory\n")


def start_thread() -> int:
    """Start a thread for which this process would wait at its end."""
    threading.Thread(target=time.sleep, args=(300,)).start()
    return os.getpid()


def test_a_process_apart_has_ended_when_its_result_is_known() -> None:
    with pytest.raises(ProcessLookupError):
        os.kill(apart(start_thread), 0)
