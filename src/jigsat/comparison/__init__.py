"""Backends and encodings side by side."""

from jigsat.comparison.matrix import Combination, Log, Run, capabilities, combinations, disagreements, par2, runs

__all__ = [
    "Combination",
    "Log",
    "Run",
    "capabilities",
    "combinations",
    "disagreements",
    "par2",
    "runs",
]
