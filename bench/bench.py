"""Compares jigsat with other programs, as whole processes in the same run: python bench/bench.py
[WORD…]

Each line has a task, the seconds of jigsat's default and of the alternative (medians of three
alternating runs, with the range), the median ratio (below 1 jigsat is faster), and the peak memory
of both. All programs must find the same
number of solutions; jigsat also decodes and checks them and counts up to symmetry. Programs are
stopped after `LIMIT` seconds; those that are not installed are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from importlib.util import find_spec
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from framed import instance as framed
from sudokus import sudokus
from wedding import wedding

from jigsat.instance import instance_text, load
from jigsat.services.export import export_puzzles

HERE = Path(__file__).parent
LIMIT = 60  # seconds after which a program is stopped
RUNS = 3


class Program(NamedTuple):
    """A command with its standard input."""

    name: str
    command: list[str]
    text: str = ""


class Task(NamedTuple):
    """A command of jigsat, equivalent programs, and the expected number of solutions or least
    cost."""

    name: str
    ours: Program
    others: list[Program]
    result: int = 1


def jigsat(*arguments: str) -> Program:
    """jigsat's command line with these arguments."""
    return Program(
        "jigsat " + " ".join(arguments),
        [sys.executable, "-c", "from jigsat.cli import main; main()", *arguments],
    )


def python(name: str, code: str) -> Program:
    """A short Python program that prints a number."""
    return Program(name, [sys.executable, "-c", code])


ALONE = """
from jigsat.search.portfolio import models
from jigsat.instance import load
print(sum(1 for _ in models(load({instance!r}).encode(), {backend!r})))
"""
ENUM_MODELS = """
from pysat.solvers import Solver
from jigsat.instance import load
from jigsat.formula import Lowered
clauses = [clause.literals for clause in Lowered(load({instance!r}).encode())]
with Solver(name="cadical195", bootstrap_with=clauses) as solver:
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
corners = [(r, c) for r in (0, 3, 6) for c in (0, 3, 6)]
units += [[(r + i, c + j) for i in range(3) for j in range(3)] for r, c in corners]
groups = [[x(r, c, d) for d in range(1, 10)] for r in nine for c in nine]
groups += [[x(r, c, d) for r, c in unit] for unit in units for d in range(1, 10)]
unique, top = 0, 729
with Solver(name="cadical195") as solver:
    for group in groups:
        solver.append_formula([group, *([-a, -b] for a, b in combinations(group, 2))])
    for line in open({file!r}):
        digits = [(i, int(digit)) for i, digit in enumerate(line.strip()) if digit != "."]
        given = [x(i // 9, i % 9, digit) for i, digit in digits]
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
    """The tiles of fish-plain as a list of pieces with numbers."""
    tiles = load("fish-plain").tiles.values()  # type: ignore[attr-defined]
    number = {
        label: i
        for i, label in enumerate(sorted({label for tile in tiles for label in tile.sides}))
    }
    return "\n".join(
        ["6,6", *(",".join(str(number[label]) for label in tile.sides) for tile in tiles)]
    )


def alone(instance: str, *names: str) -> list[Program]:
    """The installed solvers of these names, run directly on the puzzle's formula, without checks
    and symmetry."""
    programs = {
        "PySAT": ("pysat", python("PySAT enum_models", ENUM_MODELS.format(instance=instance))),
        "Z3": ("z3", python("Z3", ALONE.format(instance=instance, backend="z3"))),
        "clingo": (
            "clingo",
            python("clingo crafty", ALONE.format(instance=instance, backend="clingo")),
        ),
        "CP-SAT": ("ortools", python("CP-SAT", ALONE.format(instance=instance, backend="ortools"))),
        "xcover": ("xcover", python("xcover", XCOVER.format(instance=instance))),
    }
    return [
        program for name in names for library, program in [programs[name]] if find_spec(library)
    ]


def tasks(folder: Path) -> Iterator[Task]:
    """All tasks; their input files are written to the folder."""
    for name, solutions in (("cats", 4), ("cube", 96), ("fish", 1), ("black-and-white", 1)):
        yield Task(
            name,
            jigsat("count", name),
            alone(name, "PySAT", "Z3", "clingo", "CP-SAT"),
            result=solutions,
        )
    others = alone("fish-plain", "clingo", "PySAT")
    program = folder / "fish"
    if compiler := shutil.which("cc"):
        subprocess.run(
            [compiler, "-O3", "-march=native", HERE / "fish.c", "-o", program], check=True
        )
        others.insert(0, Program("backtracking in C", [str(program)], fish_labels()))
    yield Task("fish-plain", jigsat("count", "fish-plain"), others, result=608)
    yield Task(
        "fish-plain, 2 cores",
        jigsat("count", "fish-plain", "--jobs", "2"),
        others[:1],
        result=608,
    )
    name = "pentominoes-6x10"
    yield Task(name, jigsat("count", name), alone(name, "xcover", "clingo"), result=9356)
    name = "dominoes-6x8"
    yield Task(
        f"{name}, counted",
        jigsat("count", name),
        alone(name, "clingo", "xcover"),
        result=167089,
    )
    listed = jigsat("count", name, "--backend", "cover")
    yield Task(f"{name}, listed", listed, alone(name, "clingo", "xcover"), result=167089)
    bare = python("jigsat's engine", ALONE.format(instance=name, backend="cover"))
    yield Task(f"{name}, models alone", bare, alone(name, "clingo", "xcover"), result=167089)
    if find_spec("pycryptosat"):
        ours = jigsat("count", "lights-5x5", "--set", "board=square 40x40")
        yield Task("lights 40×40", ours, [python("pycryptosat", LIGHTS)])
    hard = folder / "hard.txt"
    hard.write_text("\n".join(islice(sudokus(1), 1000)) + "\n", encoding="utf-8")
    yield Task(
        "1000 sudokus",
        jigsat("solve", str(hard)),
        [python("PySAT", SUDOKUS.format(file=str(hard)))],
        result=1000,
    )
    for size, solutions in ((7, 8), (8, 4)):
        file = folder / f"framed-{size}.toml"
        file.write_text(framed(size, 8, 1), encoding="utf-8")
        others = alone(str(file), "clingo", "PySAT", "CP-SAT")
        if program.exists() and size == 7:
            pieces = export_puzzles([load(file)], "pieces")
            command = [str(program), "turn", "frame", "corner", "equal"]
            others.insert(0, Program("backtracking in C, a corner fixed", command, pieces))
        yield Task(f"framed {size}×{size}", jigsat("count", str(file)), others, result=solutions)
    guests = folder / "wedding.toml"
    guests.write_text(instance_text(wedding(1)), encoding="utf-8")
    ours = jigsat(
        "solve", str(guests), "--minimize", "--up-to", "nothing", "--limit", "1", "--json"
    )
    others = (
        [python("CP-SAT, within 1 %", WEDDING.format(file=str(guests)))]
        if find_spec("ortools")
        else []
    )
    yield Task("wedding of 120 guests", ours, others, result=36)


class Run(NamedTuple):
    """One run of a program: seconds, infinite if it was stopped; seconds of processor time; peak
    memory in MB."""

    seconds: float
    processor: float
    memory: float


def list_environment() -> dict[str, str]:
    """The environment of the programs. Some images forbid Python to keep what it compiles; then
    each run would compile all modules again."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run(program: Program, result: int) -> Run:
    """Run a program. Raises ValueError if it does not print the expected result."""
    with tempfile.TemporaryFile("w+") as text, tempfile.TemporaryFile("w+") as output:
        text.write(program.text)
        text.seek(0)
        started = time.perf_counter()
        process = subprocess.Popen(
            program.command,
            stdin=text,
            stdout=output,
            stderr=subprocess.DEVNULL,
            env=list_environment(),
        )
        timer = threading.Timer(LIMIT, process.kill)
        timer.start()
        _, status, used = os.wait4(process.pid, 0)
        took = time.perf_counter() - started
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        found = Run(
            took if took < LIMIT else inf, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
        )
        output.seek(0)
        said = output.read()
    if took >= LIMIT:
        return found
    least = f'"minimum": {result}, "minimum_proved": true'
    numbers = {str(result), str(result // 4)} if "corner" in program.command else {str(result)}
    stated = f"{result:,} solution" if result else "no solution;"
    right = said.split()[:1] in [[number] for number in numbers] or stated in said or least in said
    if process.returncode or (not right and said.count(": unique") != result):
        raise ValueError(
            f"{program.name}: expected {result}, got {said[-200:]!r} and exit status "
            f"{process.returncode}"
        )
    return found


def measure(task: Task) -> Iterator[dict[str, Any]]:
    """All runs of jigsat and of each of the others, alternately; those of jigsat if there are no
    others."""
    # A program that was stopped would be stopped again.
    if not task.others:
        runs: list[Run] = []
        while len(runs) < RUNS and not (runs and runs[-1].seconds == inf):
            runs.append(run(task.ours, task.result))
        yield {
            "task": task.name,
            "result": task.result,
            "jigsat": task.ours.name,
            "other": "",
            "jigsat_runs": [one._asdict() for one in runs],
            "other_runs": [],
        }
    for other in task.others:
        pairs: list[tuple[Run, Run]] = []
        while len(pairs) < RUNS and not (pairs and inf in [one.seconds for one in pairs[-1]]):
            pairs.append((run(task.ours, task.result), run(other, task.result)))
        ours, theirs = zip(*pairs, strict=True)
        yield {
            "task": task.name,
            "result": task.result,
            "jigsat": task.ours.name,
            "other": other.name,
            "jigsat_runs": [each._asdict() for each in ours],
            "other_runs": [each._asdict() for each in theirs],
        }


def row(measured: dict[str, Any]) -> str:
    """A row of the table: medians, with the range of several runs."""
    ours, theirs = (
        [Run(**each) for each in measured[side]] for side in ("jigsat_runs", "other_runs")
    )
    if not theirs:
        memory = f"{max(each.memory for each in ours):,.0f}"
        return f"| {measured['task']} | {_shown(ours)} | | | | {memory} | |"
    slow, fast = (
        max(statistics.median(each.seconds for each in runs) for runs in [side])
        for side in (ours, theirs)
    )
    sign = "" if max(slow, fast) < inf else "> " if slow == inf else "< "
    ratio = statistics.median(
        min(a.seconds, LIMIT) / min(b.seconds, LIMIT) for a, b in zip(ours, theirs, strict=True)
    )
    cells = [
        measured["task"],
        _shown(ours),
        measured["other"],
        _shown(theirs),
        "" if slow == fast == inf else f"{sign}{ratio:.2f}",
        *(f"{max(each.memory for each in runs):,.0f}" for runs in (ours, theirs)),
    ]
    return f"| {' | '.join(cells)} |"


def _shown(runs: list[Run]) -> str:
    times = sorted(each.seconds for each in runs)
    if times[-1] == inf:
        return f"> {LIMIT}"
    spread = f" ({times[0]:.2f} to {times[-1]:.2f})" if len(times) > 1 else ""
    return f"{statistics.median(times):.2f}{spread}"


def find_commit() -> str:
    """The commit of the working tree, with + if files have been changed, except the page with the
    tables; '' without git."""
    git = ["git", "-C", str(HERE.parent)]
    commit = [*git, "rev-parse", "--short", "HEAD"]
    name = subprocess.run(commit, capture_output=True, text=True, check=False).stdout.strip()
    status = [*git, "status", "--porcelain", "--untracked-files=no", ":!docs/benchmarks.md"]
    changed = subprocess.run(status, capture_output=True, text=True, check=False).stdout.strip()
    return f"{name}+" if changed else name


def machine() -> str:
    """A description of this machine."""
    cpu = Path("/proc/cpuinfo")
    models = (
        [
            line.split(":")[1].strip()
            for line in cpu.read_text().splitlines()
            if "model name" in line
        ]
        if cpu.exists()
        else []
    )
    model = models[0] if models else platform.processor()
    usable = len(os.sched_getaffinity(0))
    cores = f"{os.cpu_count()} cores"
    if usable != os.cpu_count():
        cores = f"{usable} of {cores}"
    return f"{model}, {cores}, {platform.system()}, Python {platform.python_version()}"


HEADER = [
    "| task | jigsat s | compared with | s | ratio | jigsat MB | MB |",
    "| --- | --- | --- | --- | --- | --- | --- |",
]


def main(
    list_tasks: Callable[[Path], Iterator[Task]] = tasks, description: str | None = __doc__
) -> None:
    """Run the tasks, whose files are written to a folder, and print a table."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "words", nargs="*", help="run only the tasks whose names contain one of these words"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every run to this file")
    given = parser.parse_args()
    every = []
    print("\n".join(HEADER), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for task in list_tasks(Path(folder)):
            if not given.words or any(word in task.name for word in given.words):
                for measured in measure(task):
                    every.append(measured)
                    print(row(measured), flush=True)
    if given.json:
        given.json.write_text(
            json.dumps({"measured": f"jigsat {version('jigsat')}, {machine()}", "tasks": every})
            + "\n"
        )


if __name__ == "__main__":
    main()
