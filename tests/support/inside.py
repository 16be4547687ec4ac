"""The command line called in this process, which is much faster than starting another one."""

from __future__ import annotations

import gc
import signal
import sys
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
    before, said, signals = (
        sys.argv,
        capsys.readouterr(),
        {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)},
    )
    assert said is not None
    sys.argv = ["jigsat", *map(str, arguments)]
    try:
        # a frozen cycle is never collected, and could hold the pipes of child processes
        with patch.object(gc, "freeze"):
            main()
        status = 0
    except SystemExit as left:
        assert left.code is None or isinstance(left.code, int)
        status = left.code or 0
    finally:
        sys.argv = before
        for number, handler in signals.items():
            signal.signal(number, handler)
    return Done(status, *capsys.readouterr())
