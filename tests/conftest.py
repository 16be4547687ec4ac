"""Options of the tests, and the signals that they need."""

from __future__ import annotations

import signal

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """The amount of fuzzing."""
    fuzz = parser.getgroup("fuzzing")
    fuzz.addoption("--fuzz", type=int, default=132, metavar="N", help="the number of mutations")
    fuzz.addoption("--fuzz-seed", default="0", metavar="SEED", help="other mutations for each seed")


def pytest_configure() -> None:
    """A shell starts what runs in its background with SIGINT ignored, and every process of a test would inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
