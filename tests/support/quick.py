"""The number of random cases: `make test` tries an eighth of those of long tests, `make test-all`
all of them."""

from __future__ import annotations

from math import ceil

SHARE = 1.0
"""The share to try; `conftest.py` lowers it for a run without the slow tests."""


def cases(number: int) -> int:
    """The number of random cases to try in this run."""
    return ceil(number * SHARE)
