"""Puzzles generated per second of processor time, each pair of programs as whole processes in the
same run: python bench/generating.py [WORD…], or a part of `make bench`

Minimal sudokus are compared with Debian's qqwing, whose puzzles are minimal as well; the others
with a loop that takes random data until there is one solution (generate and test). Puzzles of
jigsat are also solved by a second solver, checked and written. Each line has the medians of three
alternating runs, with the range. With words, only the pairs are run whose names contain one of
them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from bench import list_environment

JIGSAT = [sys.executable, "-c", "from jigsat.cli import main; main()", "generate"]
RUNS = 3
LIMIT = 600  # seconds after which a program is stopped

# Puzzles, their number, their family and its options.
LOOPS: tuple[tuple[str, int, str, dict[str, Any]], ...] = (
    ("cubes, 6×6 pieces", 30, "interlocking", {}),
    ("cubes, 4×4 pieces", 30, "interlocking", {"size": 4}),
    ("edge matching 4×4, rim, 4 labels", 30, "edge-matching", {"frame": True, "labels": 4}),
    ("edge matching 4×4, rim, 3 labels", 10, "edge-matching", {"frame": True, "labels": 3}),
    (
        "edge matching 4×4, not turned, 3 labels",
        3,
        "edge-matching",
        {"turning": False, "labels": 3},
    ),
)

LOOP = """
import random
from jigsat import Enumeration
from jigsat.generation.sources import generators
from jigsat.search.sampling import Sampler
space = generators()["{family}"]({options}).build_generator().space
proposals, rng, number = Sampler(space.proposals), random.Random(0), 0
while number < {count}:
    puzzle, _ = space.puzzle(frozenset(proposals.draw(space.draw(rng))), rng)
    solutions = Enumeration(puzzle, backend="cadical195", up_to="reflection", limit=2)
    number += sum(1 for _ in solutions) == 1
"""


class Pair(NamedTuple):
    """The number of puzzles, the arguments of `jigsat generate`, and the other program."""

    task: str
    number: int
    ours: list[str]
    other: str
    command: list[str]


def list_pairs() -> Iterator[Pair]:
    """All pairs whose other program is installed."""
    if qqwing := shutil.which("qqwing", path="/usr/games:/usr/bin:/usr/local/bin"):
        command = [qqwing, "--generate", "1000", "--one-line"]
        yield Pair("minimal 9×9 sudokus", 1000, ["sudoku"], "qqwing", command)
    for task, number, family, options in LOOPS:
        settings = [f"--set={key}={str(value).lower()}" for key, value in options.items()]
        arguments = ", ".join(f"{key}={value!r}" for key, value in options.items())
        loop = LOOP.format(family=family, options=arguments, count=number)
        command = [sys.executable, "-c", loop]
        yield Pair(task, number, [family, *settings], "generate and test", command)


def measure_rate(number: int, command: list[str]) -> float:
    """Puzzles per second of processor time; 0 if the program is stopped. Raises ValueError if it
    fails."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=list_environment()
    )
    is_late = threading.Event()

    def stop() -> None:
        is_late.set()
        process.kill()

    timer = threading.Timer(LIMIT, stop)
    timer.start()
    _, status, used = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    if is_late.is_set():
        return 0.0
    if process.returncode:
        raise ValueError(f"{command}: exit status {process.returncode}")
    return number / (used.ru_utime + used.ru_stime)


def measure(pair: Pair) -> str:
    """A row of the table."""
    ours, others = [], []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            options = ["--count", str(pair.number), "-o", str(Path(folder) / "puzzles")]
            ours.append(measure_rate(pair.number, [*JIGSAT, *pair.ours, *options]))
        others.append(measure_rate(pair.number, pair.command))
    ratio = f"{median(ours) / median(others):.2f}" if median(others) else ""
    cells = [pair.task, write_rates(ours), pair.other, write_rates(others), ratio]
    return f"| {' | '.join(cells)} |"


def write_rates(rates: list[float]) -> str:
    """The median with the range.

    >>> write_rates([3.0, 1.0, 200.0]), write_rates([0.0, 0.0, 1.0])
    ('3 (1 to 200)', 'none in 600 s (0 to 1)')
    """
    middle = f"{median(rates):.3g}" if median(rates) else f"none in {LIMIT} s"
    return f"{middle} ({min(rates):.3g} to {max(rates):.3g})"


def main() -> None:
    """Print the table, of all pairs or of those whose names contain one of the given words."""
    words = sys.argv[1:]
    print("| puzzles | jigsat, per second | compared with | per second | ratio |")
    print("| --- | --- | --- | --- | --- |", flush=True)
    for pair in list_pairs():
        if not words or any(word in pair.task for word in words):
            print(measure(pair), flush=True)


if __name__ == "__main__":
    main()
