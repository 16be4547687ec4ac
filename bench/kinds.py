"""Puzzles of each kind on a grid, in sizes in which they are published: how long it takes to
generate them, and to prove that they have one solution.

    python bench/kinds.py 100 --kinds masyu,yajilin

Each puzzle is generated and proved by the whole program, so the start is included; times are those
of the processor. A puzzle that is not generated within the limit counts as slow.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

JIGSAT = [sys.executable, "-c", "from jigsat.cli import main; main()"]
LIMIT = 20  # seconds to generate a puzzle
QUICK = 2.0  # seconds to prove a puzzle

SIZES = [
    ("akari", 10, 10),
    ("akari", 14, 14),
    ("aquarium", 6, 6),
    ("aquarium", 10, 10),
    ("binairo", 10, 10),
    ("binairo", 14, 14),
    ("calcudoku", 4, 4),
    ("calcudoku", 6, 6),
    ("futoshiki", 5, 5),
    ("futoshiki", 7, 7),
    ("galaxies", 7, 7),
    ("galaxies", 10, 10),
    ("hashi", 10, 10),
    ("hashi", 20, 20),
    ("heyawake", 10, 10),
    ("heyawake", 14, 14),
    ("hidato", 6, 6),
    ("hidato", 8, 8),
    ("hitori", 8, 8),
    ("hitori", 12, 12),
    ("kakuro", 8, 8),
    ("kakuro", 10, 10),
    ("killer-sudoku", 6, 6),
    ("killer-sudoku", 9, 9),
    ("kuromasu", 9, 9),
    ("kuromasu", 12, 12),
    ("lits", 8, 8),
    ("lits", 10, 10),
    ("magnets", 6, 6),
    ("magnets", 10, 10),
    ("masyu", 10, 10),
    ("masyu", 20, 20),
    ("minesweeper", 10, 10),
    ("minesweeper", 16, 16),
    ("mosaic", 10, 10),
    ("mosaic", 20, 20),
    ("nonogram", 10, 10),
    ("nonogram", 20, 20),
    ("norinori", 8, 8),
    ("norinori", 10, 10),
    ("numberlink", 10, 10),
    ("numberlink", 15, 15),
    ("nurikabe", 10, 10),
    ("nurikabe", 14, 14),
    ("ripple-effect", 8, 8),
    ("ripple-effect", 10, 10),
    ("shikaku", 10, 10),
    ("shikaku", 20, 20),
    ("skyscrapers", 6, 6),
    ("skyscrapers", 8, 8),
    ("slitherlink", 10, 10),
    ("slitherlink", 20, 20),
    ("star-battle", 8, 8),
    ("star-battle", 10, 10),
    ("straights", 6, 6),
    ("straights", 9, 9),
    ("suguru", 6, 6),
    ("suguru", 9, 9),
    ("tents", 8, 8),
    ("tents", 12, 12),
    ("yajilin", 10, 10),
    ("yajilin", 14, 14),
    ("yin-yang", 8, 8),
    ("yin-yang", 10, 10),
]


class Row(NamedTuple):
    """What was measured for a kind and a size."""

    kind: str
    size: str
    requested: int
    generating: list[float]
    proving: list[float]

    def write(self) -> str:
        quick = sum(seconds <= QUICK for seconds in self.proving)
        share = f"{100 * quick / len(self.proving):.0f} %" if self.proving else ""
        cells = [
            self.kind,
            self.size,
            f"{len(self.proving)} of {self.requested}",
            describe(self.generating),
            describe(self.proving),
            share,
            f"{max(self.proving, default=0):.2f}",
        ]
        return f"| {' | '.join(cells)} |"


def describe(seconds: list[float]) -> str:
    """The median and the time that 95 % do not exceed."""
    if not seconds:
        return ""
    ordered = sorted(seconds)
    last = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"{statistics.median(ordered):.2f}, {last:.2f}"


def run(arguments: list[str]) -> tuple[float, int]:
    """The seconds of the processor that jigsat takes, and its exit status."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    finished = subprocess.run([*JIGSAT, *arguments], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if finished.returncode not in (0, 3):
        raise RuntimeError(f"{' '.join(arguments)}: {finished.stderr}")
    return seconds, finished.returncode


def measure(kind: str, rows: int, columns: int, number: int, folder: Path) -> Row:
    """Generate puzzles and prove each."""
    row = Row(kind, f"{rows}×{columns}", number, [], [])
    for seed in range(1, number + 1):
        file = folder / f"{kind}-{rows}-{seed}.toml"
        size = ["--set", f"rows={rows}", "--set", f"columns={columns}", "--seed", str(seed)]
        seconds, status = run(
            ["generate", kind, *size, "--timeout", str(LIMIT), "--output", str(file)]
        )
        row.generating.append(seconds)
        if status == 0:
            row.proving.append(run(["unique", str(file)])[0])
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description="Generate puzzles of each kind and prove them.")
    parser.add_argument("number", type=int, help="the number of puzzles of each kind and size")
    parser.add_argument("--kinds", default="", help="a few kinds, with commas; default: all")
    arguments = parser.parse_args()
    chosen = arguments.kinds.split(",") if arguments.kinds else [kind for kind, *_ in SIZES]

    print("| kind | size | made | s to generate | s to prove | within 2 s | slowest |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for kind, rows, columns in SIZES:
        if kind in chosen:
            with tempfile.TemporaryDirectory() as folder:
                row = measure(kind, rows, columns, arguments.number, Path(folder))
            print(row.write(), flush=True)


if __name__ == "__main__":
    main()
