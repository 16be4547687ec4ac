"""Processor time of jigsat and of other solvers with models of their own: python bench/rivals.py
[--seeds 5] [--limit 20] [--only framed published slitherlink]

On framed boards each program looks for one solution, on Slitherlinks also for a second one, which
does not exist. CaDiCaL and Kissat (both of PySAT) solve the formula of jigsat; CP-SAT and clingo
have models of their own in `bench/models`. Each run is a whole process with one thread, one after
the other, so the times include reading the puzzle. A run ends without an answer when one of its
processes has used the limit. All solutions are checked.

Each row has several puzzles: random boards with a planted solution, published boards that are
shuffled differently (see `PUBLISHED`), and Slitherlinks that jigsat generates. The cells are
medians with the range; a run without an answer counts as longer than all others.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from math import inf
from pathlib import Path
from typing import NamedTuple

from framed import PUBLISHED, instance, list_published, write_lists

from bench import Program, jigsat, list_environment, python

MODELS = Path(__file__).parent / "models"

FRAMED = ((7, 8), (8, 8), (9, 10), (10, 12))  # sizes and numbers of inner labels

LOOPS = (10, 15)  # sizes of Slitherlinks

FIRST = """
from contextlib import closing
from jigsat.instance import load
from jigsat.search.portfolio import models
puzzle = load({file!r})
formula = puzzle.encode()
with closing(models(formula, {backend!r})) as found:
    true = next(found)
assert not list(puzzle.check([formula.key(variable) for variable in sorted(true)]))
"""

STOPPED = 3
"""jigsat's exit status if the limit ends its search."""


class Row(NamedTuple):
    """Some puzzles of one kind."""

    name: str
    kind: str
    files: list[Path]


def list_programs(kind: str, file: str) -> list[Program]:
    """What is compared on a puzzle."""
    model = str(MODELS / f"{kind.replace('-', '_')}.py")
    own = [
        Program(f"{name}, own model", [sys.executable, model, name.lower(), file])
        for name in ("CP-SAT", "clingo")
    ]
    if kind == "slitherlink":
        return [
            jigsat("unique", file)._replace(name="jigsat"),
            jigsat("unique", file, "--backend", "cadical195")._replace(name="CaDiCaL 1.9.5"),
            jigsat("unique", file, "--backend", "kissat404")._replace(name="Kissat 4.0.4"),
            *own,
        ]
    return [
        jigsat("solve", file, "--limit", "1")._replace(name="jigsat"),
        python("CaDiCaL 1.9.5", FIRST.format(file=file, backend="cadical195")),
        python("Kissat 4.0.4", FIRST.format(file=file, backend="kissat404")),
        *own,
    ]


def make_framed(folder: Path, seeds: int) -> Iterator[Row]:
    for size, labels in FRAMED:
        files = []
        for seed in range(1, seeds + 1):
            file = folder / f"framed-{size}-{labels}-{seed}.toml"
            file.write_text(instance(size, labels, seed), encoding="utf-8")
            files.append(file)
        yield Row(f"random {size}×{size}, {labels} inner labels", "edge-matching", files)


def make_published(folder: Path, seeds: int) -> Iterator[Row]:
    for file in list_published():
        written = write_lists(folder, [file], seeds)
        yield Row(f"published {file.stem.removeprefix('em_')}", "edge-matching", written)


def make_slitherlinks(folder: Path, seeds: int) -> Iterator[Row]:
    for size in LOOPS:
        files = []
        for seed in range(1, seeds + 1):
            file = folder / f"slitherlink-{size}-{seed}.toml"
            sizes = ["--set", f"rows={size}", "--set", f"columns={size}"]
            command = jigsat(
                "generate", "slitherlink", *sizes, "--seed", str(seed), "-o", str(file)
            )
            subprocess.run(command.command, check=True, capture_output=True)
            files.append(file)
        yield Row(f"Slitherlink {size}×{size}", "slitherlink", files)


MAKERS = {"framed": make_framed, "published": make_published, "slitherlink": make_slitherlinks}


def measure(program: Program, limit: int) -> float:
    """The processor time of a program with its children, infinite if one of them reached the
    limit. Raises RuntimeError if the program fails."""
    capped = partial(resource.setrlimit, resource.RLIMIT_CPU, (limit, limit + 5))
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            program.command,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            preexec_fn=capped,
            env=list_environment(),
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = used.ru_utime + used.ru_stime
        if process.returncode in (-signal.SIGXCPU, STOPPED) or seconds > limit:
            return inf
        if process.returncode:
            errors.seek(0)
            raise RuntimeError(
                f"{program.name}: exit status {process.returncode}: {errors.read().decode()[-500:]}"
            )
    return seconds


def write_cell(times: list[float]) -> str:
    """The median and the range, and how many runs have an answer if some have none.

    >>> write_cell([2.0, 1.0, 3.0]), write_cell([1.0, inf, 3.0]), write_cell([inf])
    ('2.0 (1.0 to 3.0)', '3.0 (1.0 to none), 2 of 3', 'none')
    """
    ordered = sorted(times)
    answered = [seconds for seconds in ordered if seconds < inf]
    if not answered:
        return "none"
    middle, least, most = map(_write, (statistics.median(ordered), ordered[0], ordered[-1]))
    number = "" if len(answered) == len(ordered) else f", {len(answered)} of {len(ordered)}"
    return f"{middle} ({least} to {most}){number}"


def _write(seconds: float) -> str:
    return f"{seconds:.1f}" if seconds < inf else "none"


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=5, help="puzzles in a row")
    parser.add_argument("--limit", type=int, default=20, help="seconds of processor time")
    parser.add_argument("--only", nargs="+", choices=MAKERS, default=list(MAKERS))
    arguments = parser.parse_args()
    if "published" in arguments.only and not list_published():
        print(f"without the published boards: {PUBLISHED} has no lists", file=sys.stderr)

    names = [program.name for program in list_programs("edge-matching", "")]
    print(f"| puzzles | {' | '.join(names)} |\n| --- |{' --- |' * len(names)}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.only:
            for row in MAKERS[name](Path(folder), arguments.seeds):
                times: dict[str, list[float]] = {}
                for file in row.files:
                    for program in list_programs(row.kind, str(file)):
                        seconds = measure(program, arguments.limit)
                        times.setdefault(program.name, []).append(seconds)
                cells = " | ".join(write_cell(times[name]) for name in names)
                print(f"| {row.name} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
