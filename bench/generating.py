"""Puzzles generated per second, each pair of programs timed as whole processes in the same run:
part of `make bench`.

Minimal sudokus are compared with Debian's qqwing, whose puzzles are minimal as well; the others
with a loop that takes random data until there is one solution (generate and test). Puzzles of
jigsat are also solved by a second solver, checked and written.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

JIGSAT = [sys.executable, "-c", "from jigsat.cli import main; main()", "generate"]
RUNS = 3

LOOP = """
import random
from jigsat import Enumeration
from jigsat.generation.sources import generators
from jigsat.search.sampling import Sampler
space = generators()["{family}"]({options}).build_generator().space
proposals, rng, found = Sampler(space.proposals), random.Random(0), 0
while found < {count}:
    puzzle, _ = space.puzzle(frozenset(proposals.draw(space.draw(rng))), rng)
    solutions = Enumeration(puzzle, backend="cadical195", up_to="reflection", limit=2)
    found += sum(1 for _ in solutions) == 1
"""


class Pair(NamedTuple):
    """The number of puzzles, the arguments of `jigsat generate`, and the other program."""

    task: str
    number: int
    ours: list[str]
    other: str
    command: list[str]


def pairs() -> list[Pair]:
    """All pairs whose other program is installed."""
    found = []
    if qqwing := shutil.which("qqwing", path="/usr/games:/usr/bin:/usr/local/bin"):
        command = [qqwing, "--generate", "1000", "--one-line"]
        found.append(Pair("minimal 9×9 sudokus", 1000, ["sudoku"], "qqwing", command))
    for task, count, family, options in (
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
    ):
        settings = [
            part
            for key, value in options.items()
            for part in ("--set", f"{key}={str(value).lower()}")
        ]
        written = ", ".join(f"{key}={value!r}" for key, value in options.items())
        loop = [sys.executable, "-c", LOOP.format(family=family, options=written, count=count)]
        found.append(Pair(task, count, [family, *settings], "generate and test", loop))
    return found


def rate(count: int, command: list[str]) -> float:
    """Puzzles per second; 0 if they take longer than two minutes."""
    started = time.perf_counter()
    try:
        subprocess.run(command, capture_output=True, check=True, timeout=120)
    except subprocess.TimeoutExpired:
        return 0.0
    return count / (time.perf_counter() - started)


def main() -> None:
    """Run all pairs, or those whose task contains one of the given words."""
    words = sys.argv[1:]
    console = Console()
    table = Table("puzzles", "jigsat, per second", "compared with", "per second", "ratio", box=None)
    for task, count, ours, other, command in pairs():
        if words and not any(word in task for word in words):
            continue
        rates: list[tuple[float, float]] = []
        for _ in range(RUNS):
            with tempfile.TemporaryDirectory() as folder:
                rates.append(
                    (
                        rate(count, [*JIGSAT, *ours, "--count", str(count), "-o", folder]),
                        rate(count, command),
                    )
                )
        mine, others = (statistics.median(side) for side in zip(*rates, strict=True))
        row = (
            f"{mine:.3g}",
            other,
            f"{others:.3g}" if others else "none in 2 minutes",
            f"{mine / others:.2f}" if others else "",
        )
        table.add_row(task, *row)
        console.print(f"{task}: {row[0]}, {other} {row[2]}, ratio {row[3]}", highlight=False)
    console.print(table)


if __name__ == "__main__":
    main()
