"""jigsat beside what one would use instead, each pair timed as whole processes in the same run: `make bench`.

Every line is a task, the median seconds of jigsat and of the other, and their ratio; below 1 jigsat is the faster one. Both
must come to the same count. What is not installed is left out.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from jigsat.instance import load

HERE = Path(__file__).parent
JIGSAT = [sys.executable, "-c", "from jigsat.cli import main; main()"]


class Pair(NamedTuple):
    """A task: what jigsat is told, and the other program with its standard input; how often; what both must say."""

    task: str
    ours: list[str]
    other: str
    command: list[str]
    text: str = ""
    runs: int = 3
    says: str = ""


def python(code: str) -> list[str]:
    """A program of a few lines."""
    return [sys.executable, "-c", code]


def fish_labels() -> str:
    """The tiles of fish-plain as numbers for the C program."""
    tiles = load("fish-plain").tiles.values()  # type: ignore[attr-defined]
    number = {label: i for i, label in enumerate(sorted({label for tile in tiles for label in tile.sides}))}
    return "\n".join(" ".join(str(number[label]) for label in tile.sides) for tile in tiles)


XCOVER = """
from jigsat.instance import load
from jigsat.lowering import Lowered
from jigsat.formula import Cardinality
from xcover import covers_bool
import numpy
formula = load("pentominoes-6x10").encode()
items = [c.literals for c in formula.constraints() if isinstance(c, Cardinality)]
matrix = numpy.zeros((formula.top, len(items)), dtype=bool)
for i, item in enumerate(items):
    for literal in item:
        matrix[literal - 1, i] = True
print(sum(1 for _ in covers_bool(matrix)))
"""
LIGHTS = """
import pycryptosat
n, solver = 40, pycryptosat.Solver()
for r in range(n):
    for c in range(n):
        near = [(r, c), (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
        solver.add_xor_clause([1 + a * n + b for a, b in near if 0 <= a < n and 0 <= b < n], True)
satisfiable, model = solver.solve()
solver.add_clause([-v if model[v] else v for v in range(1, n * n + 1)])
print(1 + solver.solve()[0])
"""
CLINGO = """
from jigsat.backends import open_backend
from jigsat.instance import load
from jigsat.lowering import Lowered
formula, solver, found = load("{name}").encode(), open_backend("clingo"), 0
solver.project(formula.decisions())
for constraint in Lowered(formula, native=solver.capabilities.native):
    solver.add(constraint)
while solver.solve():
    found += 1
print(found)
"""
ENUM_MODELS = """
from pysat.solvers import Solver
from jigsat.instance import load
from jigsat.lowering import Lowered
with Solver(name="cadical195", bootstrap_with=[c.literals for c in Lowered(load("{name}").encode())]) as solver:
    print(sum(1 for _ in solver.enum_models()))
"""
Z3 = """
from jigsat.enumeration import models
from jigsat.instance import load
print(sum(1 for _ in models(load("{name}").encode(), "z3")))
"""


def pairs(folder: Path) -> list[Pair]:
    """The tasks for which both sides are there."""
    found = []
    for name in ("cats", "cube", "fish", "black-and-white"):
        found.append(Pair(name, ["count", name], "PySAT enum_models", python(ENUM_MODELS.format(name=name))))
        found.append(Pair(name, ["count", name], "Z3 alone", python(Z3.format(name=name))))
    if find_spec("clingo"):
        found.append(Pair("cats-reuse", ["count", "cats-reuse"], "clingo crafty", python(CLINGO.format(name="cats-reuse"))))
        dominoes = "dominoes-6x8"
        found.append(Pair(dominoes, ["count", dominoes], "clingo crafty", python(CLINGO.format(name=dominoes)), runs=1))
    if find_spec("xcover"):
        found.append(Pair("pentominoes-6x10", ["count", "pentominoes-6x10"], "xcover alone", python(XCOVER)))
    if find_spec("pycryptosat"):
        found.append(
            Pair("lights 40×40", ["count", "lights-5x5", "--set", "board=square 40x40"], "pycryptosat", python(LIGHTS))
        )
    if compiler := shutil.which("cc"):
        program = folder / "fish"
        subprocess.run([compiler, "-O3", "-march=native", HERE / "fish.c", "-o", program], check=True)
        for backend in ("cover", "cadical195"):
            ours = ["count", "fish-plain", "--backend", backend]
            found.append(Pair(f"fish-plain, {backend}", ours, "C backtracking", [str(program)], fish_labels(), runs=1))
    return found


def seconds(command: list[str], text: str) -> tuple[float, str]:
    """How long a program runs, and what it prints."""
    started = time.perf_counter()
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return time.perf_counter() - started, done.stdout.strip().splitlines()[-1]


def main() -> None:
    """Run all pairs, or those whose task contains a word that is given."""
    words = sys.argv[1:]
    console, table = Console(), Table("task", "jigsat", "s", "beside", "s", "ratio", box=None)
    with tempfile.TemporaryDirectory() as folder:
        for pair in pairs(Path(folder)):
            if words and not any(word in pair.task for word in words):
                continue
            ours, others = [], []
            for _ in range(pair.runs):
                ours.append(seconds([*JIGSAT, *pair.ours], "")[0])
                took, said = seconds(pair.command, pair.text)
                others.append(took)
            ratio = statistics.median(a / b for a, b in zip(ours, others, strict=True))
            row = f"{statistics.median(ours):.2f}", f"{pair.other} ({said})", f"{statistics.median(others):.2f}", f"{ratio:.2f}"
            table.add_row(pair.task, "count", *row)
            console.print(f"{pair.task}: {row[0]} s, beside {row[1]} {row[2]} s, ratio {row[3]}", highlight=False)
    console.print(table)


if __name__ == "__main__":
    main()
