"""Comparing backends, encodings and lowerings."""

from jigsat.analysis.comparison.matrix import Combination, Log, Run, capabilities, combinations, disagreements, par2, runs

__all__ = ["Combination", "Log", "Run", "capabilities", "combinations", "disagreements", "par2", "runs"]
