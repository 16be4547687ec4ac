"""Processor time to a first solution of framed boards: python bench/first.py [--boards 9-10 10-12]
[--seeds 3] [--limit 120]

`9-10` is a board of 9×9 tiles with 10 inner labels, written by `framed.py`. jigsat also finds all
solutions. The other programs search the same formula for one solution with one thread, and the
solution is checked. Each run is a whole process of its own, one after the other, so the times
include reading the puzzle and encoding it. A run ends without an answer when one of its processes
has used the limit. `--programs` selects columns by their first letters.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import tempfile
from functools import partial
from pathlib import Path

from framed import instance

from bench import Program, jigsat, machine, python

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


def programs(file: str) -> list[Program]:
    """What is compared."""
    return [
        jigsat("count", file)._replace(name="jigsat, all"),
        jigsat("solve", file, "--limit", "1")._replace(name="jigsat, first"),
        python("CP-SAT", FIRST.format(file=file, backend="ortools")),
        python("clingo", FIRST.format(file=file, backend="clingo")),
        python("kissat 4.0.4", FIRST.format(file=file, backend="kissat404")),
    ]


def seconds(program: Program, limit: int) -> float | None:
    """The processor time of a program with its children, or None if one of them reached the limit.

    Raises RuntimeError if the program fails.
    """
    capped = partial(resource.setrlimit, resource.RLIMIT_CPU, (limit, limit + 5))
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            program.command, stdout=subprocess.DEVNULL, stderr=errors, preexec_fn=capped
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode in (-signal.SIGXCPU, STOPPED):
            return None
        if process.returncode:
            errors.seek(0)
            raise RuntimeError(
                f"{program.name}: exit status {process.returncode}: {errors.read().decode()[-500:]}"
            )
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", nargs="+", default=["9-10", "10-12"])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--limit", type=int, default=120)
    parser.add_argument("--programs", nargs="+", default=[""])
    arguments = parser.parse_args()
    chosen = tuple(arguments.programs)
    names = [program.name for program in programs("") if program.name.startswith(chosen)]
    print(
        f"{machine()}\n\n| board | {' | '.join(names)} |\n| --- |{' --- |' * len(names)}",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as folder:
        for board in arguments.boards:
            size, labels = map(int, board.split("-"))
            for seed in range(1, arguments.seeds + 1):
                file = Path(folder) / f"framed-{board}-{seed}.toml"
                file.write_text(instance(size, labels, seed), encoding="utf-8")
                print(f"| {size}×{size}, {labels} labels, seed {seed} |", end="", flush=True)
                for program in programs(str(file)):
                    if program.name in names:
                        took = seconds(program, arguments.limit)
                        print(f" {'none' if took is None else f'{took:.1f}'} |", end="", flush=True)
                print()


if __name__ == "__main__":
    main()
