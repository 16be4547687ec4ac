"""Small instances whose certificates are changed by tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jigsat.proofs import verification
from jigsat.proofs.certificate import prove
from jigsat.proofs.report import describe_property, describe_step

FOUR = """
family = "edge-matching"
board = "square 2x2"

[tiles]
1 = ["b", "a", "a", "b"]
2 = ["b", "b", "c", "a"]
3 = ["c", "a", "c", "c"]
4 = ["c", "b", "a", "c"]
"""
UNIQUE = FOUR.replace(
    "[tiles]",
    'hints = [{cell = [0, 0], tile = "1", turn = 3}, {cell = [0, 1], tile = "3"}]\n[tiles]',
)
UNSOLVABLE = """
family = "edge-matching"
board = "square 2x2"

[tiles]
1 = ["d", "c", "b", "b"]
2 = ["d", "c", "c", "d"]
3 = ["a", "b", "a", "d"]
4 = ["b", "b", "c", "b"]
"""
MADE = {
    "four": (FOUR, 36, {"rotation": 9}),
    "unique": (UNIQUE, 1, {}),
    "unsolvable": (UNSOLVABLE, 0, {"rotation": 0}),
}
"""For each name: the text, the number of solutions, and the numbers up to symmetry."""


def check(directory: Path) -> Iterator[str]:
    """What holds of a certificate, in words."""
    return map(describe_property, verification.check(directory))


def describe_proof(*arguments: Any, **options: Any) -> list[str]:
    """Write a certificate; returns what was done, in words."""
    return list(map(describe_step, prove(*arguments, **options)))
