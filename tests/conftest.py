"""Options of the tests."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """The amount of fuzzing."""
    fuzz = parser.getgroup("fuzzing")
    fuzz.addoption("--fuzz", type=int, default=132, metavar="N", help="the number of mutations")
    fuzz.addoption("--fuzz-seed", default="0", metavar="SEED", help="other mutations for each seed")
