"""Limits of time and memory hold for everything that a command does, not only for the search."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.inside import jigsat

from jigsat import instance
from jigsat.errors import Stopped
from jigsat.runtime import Limits

COMMANDS = ["solve", "count", "unique", "rate", "explain", "prove", "compare"]


def endless(*_: Any, **__: Any) -> Any:
    while True:
        time.sleep(0.001)


def greedy(*_: Any, **__: Any) -> Any:
    held = []
    while len(held) < 4000:
        held.append(b"x" * 2**20)
    raise AssertionError("4 GB were taken")


def arguments(command: str, name: str, tmp_path: Path) -> list[str]:
    more = {"prove": ["-o", str(tmp_path / "proof")], "compare": ["--backends", "cadical195"]}
    return [command, name, *more.get(command, [])]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_timeout_holds_for_reading(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jigsat.instance.files.read", endless)
    done = jigsat(capsys, *arguments(command, "cats", tmp_path), "--timeout", "0.05")
    assert done.status == 3
    assert "timeout" in done.out + done.err
    assert "cats" in done.out + done.err
    assert not (tmp_path / "proof").exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_timeout_holds_for_encoding(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    family = type(instance.load("lights-5x5"))
    monkeypatch.setattr(family, "encode", endless)
    done = jigsat(capsys, *arguments(command, "lights-5x5", tmp_path), "--timeout", "0.3")
    assert done.status == 3
    assert "timeout" in done.out + done.err


@pytest.mark.parametrize("command", ["solve", "count", "compare"])
def test_a_memory_limit_holds_for_reading(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jigsat.instance.files.read", greedy)
    done = jigsat(capsys, *arguments(command, "cats", tmp_path), "--memory", "500")
    assert done.status == 3
    assert "memory" in done.out + done.err


def test_a_file_that_never_begins_is_given_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    done = jigsat(capsys, "count", pipe, "--timeout", "0.05", "--json")
    assert done.status == 3
    assert '"stopped_by": "timeout"' in done.out


def test_what_there_is_to_say_besides_the_solutions_takes_no_longer_than_allowed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(instance.load("lights-5x5")), "remarks", endless)
    done = jigsat(capsys, "solve", "lights-5x5", "--timeout", "2")
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


def test_an_exception_that_is_swallowed_comes_again() -> None:
    def swallowing() -> None:
        try:
            endless()
        except Stopped:
            endless()

    with pytest.raises(Stopped, match="timeout"), Limits(timeout=0.01).hold():
        swallowing()


def test_the_block_is_left_by_one_exception_however_busy_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jigsat.runtime.limits._TICK", 0.00005)  # so many ticks come while the block is being left

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
