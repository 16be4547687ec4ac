"""Options of the tests, and the signals that they need."""

from __future__ import annotations

import signal

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """The amount of fuzzing."""
    fuzz = parser.getgroup("fuzzing")
    fuzz.addoption("--fuzz", type=int, default=66, metavar="N", help="the number of mutations")
    fuzz.addoption("--fuzz-seed", default="0", metavar="SEED", help="other mutations for each seed")


def pytest_configure() -> None:
    """Restore the signals that `nohup` or a shell ignores in the background; the processes of tests would ignore them, too."""
    for number, handler in (
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGTERM, signal.SIG_DFL),
        (signal.SIGHUP, signal.SIG_DFL),
    ):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)
