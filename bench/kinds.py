"""Puzzles of each kind on a grid, in sizes in which they are published: how long it takes to
generate them, and to prove that they have one solution.

    python bench/kinds.py 100 --kinds masyu,yajilin --store kinds

A stopped run goes on with what is in the folder of `--store`. Each puzzle is generated and proved
by the whole program, so the start is included; times and limits are those of the processor. A
puzzle that is not generated within the limit counts as slow.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from jigsat.instance import families, family
from jigsat.kit import GridPuzzle

JIGSAT = [sys.executable, "-c", "from jigsat.cli import main; main()"]
LIMIT = 20  # seconds to generate a puzzle, and to prove it
QUICK = 2.0  # seconds to prove a puzzle


class Run(NamedTuple):
    """One puzzle: the seconds to generate it, and to prove that it has one solution; None if it
    was not generated within the limit. A proof that was stopped took the limit."""

    kind: str
    rows: int
    columns: int
    seed: int
    generating: float
    proving: float | None


def write_row(runs: Sequence[Run]) -> str:
    """What was measured for a kind and a size."""
    first = runs[0]
    proving = [run.proving for run in runs if run.proving is not None]
    quick = sum(seconds <= QUICK for seconds in proving)
    cells = [
        first.kind,
        f"{first.rows}×{first.columns}",
        f"{len(proving)} of {len(runs)}",
        describe([run.generating for run in runs]),
        describe(proving),
        f"{100 * quick / len(runs):.0f} %",
        name_slowest(runs),
    ]
    return f"| {' | '.join(cells)} |"


def name_slowest(runs: Sequence[Run]) -> str:
    """The puzzle whose proof took longest, by its seed."""
    seconds, seed = max(((run.proving or 0.0, run.seed) for run in runs), default=(0.0, 0))
    shown = f"over {LIMIT}" if seconds >= LIMIT else f"{seconds:.2f}"
    return f"{shown} (seed {seed})" if seconds else ""


def describe(seconds: list[float]) -> str:
    """The median and the time that 95 % do not exceed."""
    if not seconds:
        return ""
    ordered = sorted(seconds)
    last = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"{statistics.median(ordered):.2f}, {last:.2f}"


def limit_processor() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))


def run(arguments: list[str], stops: bool = False) -> tuple[float, int]:
    """The seconds of the processor that jigsat takes, and its exit status. Raises RuntimeError for
    another status than 0, or that of a process which the limit `stops`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limit = limit_processor if stops else None
    command = [*JIGSAT, *arguments]
    finished = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    was_stopped = limit is not None and seconds > 0.9 * LIMIT
    if finished.returncode != 0 and not was_stopped:
        raise RuntimeError(f"{' '.join(arguments)}: {finished.stderr}")
    return seconds, finished.returncode


def measure(kind: str, rows: int, columns: int, seed: int, file: Path) -> Run:
    """Generate a puzzle and prove it."""
    size = ["--set", f"rows={rows}", "--set", f"columns={columns}", "--seed", str(seed)]
    generating, status = run(["generate", kind, *size, "--output", str(file)], stops=True)
    if status != 0:
        return Run(kind, rows, columns, seed, generating, None)
    proving, status = run(["unique", str(file)], stops=True)
    if status != 0:
        proving = max(proving, float(LIMIT))
    return Run(kind, rows, columns, seed, generating, proving)


def measure_all(kind: type[GridPuzzle], number: int, store: Path) -> Iterator[str]:
    """A row for each size of a kind. Each run is written into the store at once; those that are in
    it are not repeated."""
    for rows, columns in kind.sizes:
        runs = []
        for seed in range(1, number + 1):
            file = store / f"{kind.family}-{rows}x{columns}-{seed}.json"
            if file.exists():
                runs.append(Run(**json.loads(file.read_text())))
                continue
            with tempfile.TemporaryDirectory() as folder:
                done = measure(kind.family, rows, columns, seed, Path(folder) / "puzzle.toml")
            # a run that is stopped here leaves no half of a file
            written = file.with_suffix(".part")
            written.write_text(json.dumps(done._asdict()) + "\n")
            written.replace(file)
            runs.append(done)
        yield write_row(runs)


def main() -> None:
    parser = argparse.ArgumentParser(description="Generate puzzles of each kind and prove them.")
    parser.add_argument("number", type=int, help="the number of puzzles of each kind and size")
    parser.add_argument("--kinds", default="", help="a few kinds, with commas; default: all")
    parser.add_argument(
        "--store",
        type=Path,
        required=True,
        help="a folder with a file for each puzzle; a stopped run goes on from there",
    )
    arguments = parser.parse_args()
    arguments.store.mkdir(parents=True, exist_ok=True)
    chosen = arguments.kinds.split(",") if arguments.kinds else families()

    print("| kind | size | made | s to generate | s to prove | proved within 2 s | slowest |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in chosen:
        kind = family(name)
        if issubclass(kind, GridPuzzle):
            for row in measure_all(kind, arguments.number, arguments.store):
                print(row, flush=True)


if __name__ == "__main__":
    main()
