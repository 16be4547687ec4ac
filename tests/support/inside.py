"""The command line called in this process, which is much faster than starting another one."""

from __future__ import annotations

import gc
import io
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest

from jigsat.cli import main


class Done(NamedTuple):
    status: int
    out: str
    err: str


def jigsat(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Done:
    """The exit status and the output of `jigsat ARGUMENTS`."""
    capsys.readouterr()
    status = _call(arguments)
    return Done(status, *capsys.readouterr())


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The same as of a process that has ended, for files in which other commands are processes."""
    with redirect_stdout(_open_text()) as out, redirect_stderr(_open_text()) as err:
        status = _call(arguments)
    return subprocess.CompletedProcess(arguments, status, _read(out), _read(err))


def _call(arguments: Iterable[object]) -> int:
    """Call the command line; returns the exit status."""
    before = sys.argv
    signals = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    sys.argv = ["jigsat", *map(str, arguments)]
    try:
        # a frozen cycle is never collected, and could hold the pipes of child processes
        with patch.object(gc, "freeze"):
            main()
        return 0
    except SystemExit as left:
        assert left.code is None or isinstance(left.code, int)
        return left.code or 0
    finally:
        sys.argv = before
        for number, handler in signals.items():
            signal.signal(number, handler)


def _open_text() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="", write_through=True)


def _read(written: io.TextIOWrapper) -> str:
    buffer = written.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")
