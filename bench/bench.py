"""Compares jigsat with alternative programs, as whole processes in the same run: `make bench` or `python bench/bench.py WORD…`.

Each line has a task, the median seconds of jigsat's default and of the alternative, and the median ratio; below 1 jigsat is
faster. All programs must find the same number of solutions; jigsat also decodes and checks them and counts up to symmetry.
Programs are stopped after `LIMIT` seconds; those that are not installed are left out. If words are given, only the tasks
whose names contain one of them are run.
"""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import islice
from math import inf
from pathlib import Path
from typing import NamedTuple

from framed import instance as framed
from sudokus import sudokus
from wedding import wedding

from jigsat.instance import instance_text, load

HERE = Path(__file__).parent
LIMIT = 150


class Program(NamedTuple):
    """A command with its standard input."""

    name: str
    command: list[str]
    text: str = ""


class Task(NamedTuple):
    """A command of jigsat, equivalent programs, the number of runs, and the expected number of solutions or least cost."""

    name: str
    ours: Program
    others: list[Program]
    runs: int = 3
    result: int = 1


def jigsat(*arguments: str) -> Program:
    """jigsat's command line with these arguments."""
    return Program("jigsat " + " ".join(arguments), [sys.executable, "-c", "from jigsat.cli import main; main()", *arguments])


def python(name: str, code: str) -> Program:
    """A short Python program that prints a number."""
    return Program(name, [sys.executable, "-c", code])


ALONE = """
from jigsat.search import models
from jigsat.instance import load
print(sum(1 for _ in models(load({instance!r}).encode(), {backend!r})))
"""
ENUM_MODELS = """
from pysat.solvers import Solver
from jigsat.instance import load
from jigsat.formula import Lowered
with Solver(name="cadical195", bootstrap_with=[c.literals for c in Lowered(load({instance!r}).encode())]) as solver:
    print(sum(1 for _ in solver.enum_models()))
"""
XCOVER = """
from jigsat.instance import load
from jigsat.formula import Cardinality
from xcover import covers_bool
import numpy
formula = load({instance!r}).encode()
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
SUDOKUS = """
from itertools import combinations
from pysat.solvers import Solver
def x(row, column, digit): return 81 * row + 9 * column + digit
nine = range(9)
units = [[(r, c) for c in nine] for r in nine] + [[(r, c) for r in nine] for c in nine]
units += [[(r + i, c + j) for i in range(3) for j in range(3)] for r in (0, 3, 6) for c in (0, 3, 6)]
groups = [[x(r, c, d) for d in range(1, 10)] for r in nine for c in nine]
groups += [[x(r, c, d) for r, c in unit] for unit in units for d in range(1, 10)]
unique, top = 0, 729
with Solver(name="cadical195") as solver:
    for group in groups:
        solver.append_formula([group, *([-a, -b] for a, b in combinations(group, 2))])
    for line in open({file!r}):
        given = [x(i // 9, i % 9, int(digit)) for i, digit in enumerate(line.strip()) if digit != "."]
        assert solver.solve(assumptions=given)
        top += 1
        solver.add_clause([-v for v in solver.get_model()[:729] if v > 0] + [-top])
        unique += not solver.solve(assumptions=[*given, top])
        solver.add_clause([-top])
print(unique)
"""


WEDDING = """
from ortools.sat.python import cp_model
from jigsat.formula import Cardinality, Clause
from jigsat.instance import load
formula, model = load({file!r}).encode(), cp_model.CpModel()
variables = [model.new_bool_var("") for _ in range(formula.top)]
def literal(x): return variables[x - 1] if x > 0 else ~variables[-x - 1]
for constraint in formula.constraints():
    literals = list(map(literal, constraint.literals))
    match constraint:
        case Clause(): model.add_bool_or(literals)
        case Cardinality(_, 1, 1): model.add_exactly_one(literals)
        case Cardinality(_, _, 1): model.add_at_most_one(literals)
        case _: model.add_linear_constraint(sum(literals), constraint.at_least, constraint.at_most)
model.minimize(sum(weight * literal(x) for x, weight in formula.objective.items()))
solver = cp_model.CpSolver()
solver.parameters.num_workers, solver.parameters.relative_gap_limit = 1, 0.01
solver.solve(model)
print(round(solver.objective_value))
"""


def fish_labels() -> str:
    """The tiles of fish-plain as numbers for the C program."""
    tiles = load("fish-plain").tiles.values()  # type: ignore[attr-defined]
    number = {label: i for i, label in enumerate(sorted({label for tile in tiles for label in tile.sides}))}
    return "\n".join(" ".join(str(number[label]) for label in tile.sides) for tile in tiles)


def alone(instance: str, *names: str) -> list[Program]:
    """The installed solvers of these names, run directly on the puzzle's formula, without checks and symmetry."""
    programs = {
        "PySAT": ("pysat", python("PySAT enum_models", ENUM_MODELS.format(instance=instance))),
        "Z3": ("z3", python("Z3", ALONE.format(instance=instance, backend="z3"))),
        "clingo": ("clingo", python("clingo crafty", ALONE.format(instance=instance, backend="clingo"))),
        "CP-SAT": ("ortools", python("CP-SAT", ALONE.format(instance=instance, backend="ortools"))),
        "xcover": ("xcover", python("xcover", XCOVER.format(instance=instance))),
    }
    return [program for name in names for library, program in [programs[name]] if find_spec(library)]


def tasks(folder: Path) -> Iterator[Task]:
    """All tasks; their input files are written to the folder."""
    for name, solutions in (("cats", 4), ("cube", 96), ("fish", 1), ("black-and-white", 1)):
        yield Task(name, jigsat("count", name), alone(name, "PySAT", "Z3", "clingo", "CP-SAT"), result=solutions)
    others = alone("fish-plain", "clingo", "PySAT")
    if compiler := shutil.which("cc"):
        program = folder / "fish"
        subprocess.run([compiler, "-O3", "-march=native", HERE / "fish.c", "-o", program], check=True)
        others.insert(0, Program("backtracking in C", [str(program)], fish_labels()))
    yield Task("fish-plain", jigsat("count", "fish-plain"), others, runs=1, result=608)
    yield Task("fish-plain, 2 cores", jigsat("count", "fish-plain", "--jobs", "2"), others[:1], runs=1, result=608)
    name = "pentominoes-6x10"
    yield Task(name, jigsat("count", name), alone(name, "xcover", "clingo"), runs=1, result=9356)
    name = "dominoes-6x8"
    yield Task(f"{name}, counted", jigsat("count", name), alone(name, "clingo", "xcover"), runs=1, result=167089)
    listed = jigsat("count", name, "--backend", "cover")
    yield Task(f"{name}, listed", listed, alone(name, "clingo", "xcover"), runs=1, result=167089)
    bare = python("jigsat's engine", ALONE.format(instance=name, backend="cover"))
    yield Task(f"{name}, models alone", bare, alone(name, "clingo", "xcover"), result=167089)
    if find_spec("pycryptosat"):
        ours = jigsat("count", "lights-5x5", "--set", "board=square 40x40")
        yield Task("lights 40×40", ours, [python("pycryptosat", LIGHTS)])
    hard = folder / "hard.txt"
    hard.write_text("\n".join(islice(sudokus(1), 1000)) + "\n", encoding="utf-8")
    yield Task("1000 sudokus", jigsat("solve", str(hard)), [python("PySAT", SUDOKUS.format(file=str(hard)))], result=1000)
    for size, solutions in ((7, 8), (8, 4)):
        file = folder / f"framed-{size}.toml"
        file.write_text(framed(size, 8, 1), encoding="utf-8")
        others = alone(str(file), "clingo", "PySAT", "CP-SAT")
        yield Task(f"framed {size}×{size}", jigsat("count", str(file)), others, runs=1, result=solutions)
    guests = folder / "wedding.toml"
    guests.write_text(instance_text(wedding(1)), encoding="utf-8")
    ours = jigsat("solve", str(guests), "--minimize", "--up-to", "nothing", "--limit", "1", "--json")
    others = [python("CP-SAT, within 1 %", WEDDING.format(file=str(guests)))] if find_spec("ortools") else []
    yield Task("wedding of 120 guests", ours, others, runs=1, result=36)


def seconds(program: Program, result: int) -> float:
    """The run time of a program; infinite if it was stopped. Raises ValueError if it does not print the expected result."""
    started = time.perf_counter()
    try:
        done = subprocess.run(program.command, input=program.text, capture_output=True, text=True, check=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return inf
    took = time.perf_counter() - started
    output = done.stdout
    least = f'"minimum": {result}, "minimum_proved": true'
    said = output.split()[0] == str(result) or f"{result:,} solution" in output or least in output
    if not said and output.count(": unique") != result:
        raise ValueError(f"{program.name}: expected {result}, got {output[-200:]}")
    return took


def measure(task: Task) -> Iterator[str]:
    """Rows of the table: jigsat and each of the others, run alternately."""
    for other in task.others:
        times = [(seconds(task.ours, task.result), seconds(other, task.result)) for _ in range(task.runs)]
        ours, theirs = (statistics.median(column) for column in zip(*times, strict=True))
        sign = "" if max(ours, theirs) < inf else "> " if ours == inf else "< "
        ratio = statistics.median(min(a, LIMIT) / min(b, LIMIT) for a, b in times)
        row = task.name, _shown(ours), other.name, _shown(theirs), "" if ours == theirs == inf else f"{sign}{ratio:.2f}"
        yield f"| {' | '.join(row)} |"


def _shown(seconds: float) -> str:
    return f"{seconds:.2f}" if seconds < inf else f"> {LIMIT}"


def machine() -> str:
    """A description of this machine."""
    cpu = Path("/proc/cpuinfo")
    models = (
        [line.split(":")[1].strip() for line in cpu.read_text().splitlines() if "model name" in line] if cpu.exists() else []
    )
    model = models[0] if models else platform.processor()
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def main() -> None:
    """Run all tasks, or those whose names contain a given word, and print a table."""
    words = sys.argv[1:]
    print(f"{machine()}\n\n| task | jigsat s | compared with | s | ratio |\n| --- | --- | --- | --- | --- |", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for task in tasks(Path(folder)):
            if not words or any(word in task.name for word in words):
                for line in measure(task):
                    print(line, flush=True)


if __name__ == "__main__":
    main()
