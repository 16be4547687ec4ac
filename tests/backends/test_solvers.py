"""Every instance in every format, solved by other programs, and their answers; also a model
counter.

Missing programs are skipped, with instructions for installing them; with JIGSAT_ALL_SOLVERS set, as
`make test-solvers` does, they are failures. All but the small instances are marked slow. For these,
a time-out (after `OURS` seconds for jigsat, `THEIRS` for a program, `COUNTING` for a counter) is
inconclusive and reported as an expected failure.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest

import jigsat
from jigsat import Enumeration, Formula, Lowering, Stopped, instance, load
from jigsat.formats.answers import parse
from jigsat.formats.export import groups_of, lines, read_lines, save
from jigsat.formula.lowering import CARDINALITY
from jigsat.instance import load_all
from jigsat.runtime.child import Child
from jigsat.services.decode import read_solutions

OURS, THEIRS, COUNTING = 10, 60, 200
SMALL = ("cats", "cats-reuse", "cube")
INSTANCES = [
    pytest.param(path.stem, marks=() if path.stem in SMALL else pytest.mark.slow)
    for path in instance.instances()
]


class Program(NamedTuple):
    """A solver on the PATH: its Debian package, the format it reads, and its arguments around the
    file's name."""

    name: str
    package: str
    suffix: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


PROGRAMS = [
    Program("minisat", "minisat", ".cnf", ("-verb=0",), ("{result}",)),
    Program("minisat", "minisat", ".cnf.gz", ("-verb=0",), ("{result}",)),
    Program("cadical", "cadical", ".cnf"),
    Program("cadical", "cadical", ".cnf.xz"),
    Program("picosat", "picosat", ".cnf"),
    Program("cryptominisat5", "cryptominisat", ".cnf"),
    Program("cryptominisat5", "cryptominisat", ".xnf"),
    Program("clasp", "clasp", ".cnf"),
    Program("clasp", "clasp", ".opb"),
    Program("minisat+", "minisat+", ".opb"),
    Program("z3", "z3", ".cnf", ("-dimacs",)),
    Program("z3", "z3", ".opb", ("-model",)),
    Program("z3", "z3", ".smt2"),
    Program("cvc5", "cvc5", ".smt2"),
]


def absent(what: str, how: str) -> NoReturn:
    if os.environ.get("JIGSAT_ALL_SOLVERS"):
        pytest.fail(f"{what} is not installed: {how}")
    pytest.skip(f"{what} is not installed: {how}")


def out_of_time(name: str, what: str, seconds: float) -> NoReturn:
    message = f"{what} takes more than {seconds} s on {name}"
    if name in SMALL:
        pytest.fail(message)
    pytest.xfail(message)


@cache
def solvable(name: str, i: int) -> bool | None:
    """Whether jigsat finds a solution of a file's puzzle; None if not in time."""
    enumeration = Enumeration(load_all(name)[i], limit=1, timeout=OURS)
    found = next(enumeration, None)
    return None if enumeration.result.stopped_by == "timeout" else found is not None


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: f"{program.name}{program.suffix}")
@pytest.mark.parametrize("name", INSTANCES)
def test_every_format_and_the_answer_to_it(name: str, program: Program, tmp_path: Path) -> None:
    if shutil.which(program.name) is None:
        absent(program.name, f"apt-get install {program.package}")
    for i, puzzle in enumerate(load_all(name)):
        expected = solvable(name, i)
        if expected is None:
            out_of_time(name, "jigsat", OURS)
        formula = puzzle.encode()
        if program.name == "minisat+" and min(formula.objective, default=1) < 0:
            pytest.skip("MiniSat+ reads no ~x, not even in an objective")
        path = tmp_path / f"{i}{program.suffix}"
        save(path, lines(formula, path, puzzle))
        result = tmp_path / f"{i}.result"
        command = [
            program.name,
            *program.before,
            str(path),
            *(word.format(result=result) for word in program.after),
        ]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=THEIRS)
        except subprocess.TimeoutExpired:
            out_of_time(name, program.name, THEIRS)
        answer = parse(result.read_text() if result.exists() else run.stdout)
        assert answer.status == ("satisfiable" if expected else "unsatisfiable"), (
            run.stdout + run.stderr
        )
        groups_of(path, formula, puzzle)
        for solution in read_solutions(puzzle, formula, answer):  # checks each of them
            assert list(puzzle.check(solution.placements)) == []


@pytest.mark.parametrize("name", ["cats", "cube"])
def test_all_solutions_of_a_program(name: str, tmp_path: Path) -> None:
    if shutil.which("clasp") is None:
        absent("clasp", "apt-get install clasp")
    puzzle = load(name)
    path = tmp_path / "all.cnf"
    save(path, lines(puzzle.encode(), path, puzzle))
    run = subprocess.run(["clasp", "-n", "0", path], capture_output=True, text=True)
    found = {
        solution.placements
        for solution in read_solutions(puzzle, puzzle.encode(), parse(run.stdout))
    }
    assert len(found) == puzzle.known.solutions


# -- a model counter, which needs no blocking clauses


@pytest.fixture
def pyganak() -> None:
    if find_spec("pyganak") is None:
        absent("pyganak", "pip install 'jigsat[counters]'")


def counted(path: Path) -> Iterator[int]:
    """The number of models of a CNF file on the variables that it shows."""
    from pyganak import Counter

    counter = Counter()
    for line in read_lines(path):
        match line.split():
            case ["p", "cnf", variables, _]:
                counter.new_vars(int(variables))
            case ["c", "p", "show", *shown, "0"]:
                counter.set_sampling_set(list(map(int, shown)))
            case ["c", *_]:
                pass
            case [*literals, "0"]:
                counter.add_clause(list(map(int, literals)))
    yield counter.count()


@pytest.mark.usefixtures("pyganak")
@pytest.mark.parametrize("cardinality", CARDINALITY)
def test_auxiliaries_are_not_counted(cardinality: str, tmp_path: Path) -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(7)])
    formula.variables("help", ("i",), [(i,) for i in range(3)], decision=False)
    formula.between(2, 3, x[:])
    formula.xor(x[:])
    path = tmp_path / "x.cnf"
    save(path, lines(formula, path, load("cats"), Lowering(cardinality=cardinality)))
    assert list(counted(path)) == [35]


@pytest.mark.usefixtures("pyganak")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(path.stem, marks=() if path.stem == "cats" else pytest.mark.slow)
        for path in instance.instances()
    ],
)
def test_a_model_counter_agrees(name: str, tmp_path: Path) -> None:
    for i, puzzle in enumerate(load_all(name)):
        expected = puzzle.known.solutions
        if expected is None:
            result = jigsat.count(puzzle, timeout=OURS)
            if not result.complete:
                out_of_time(name, "jigsat", OURS)
            expected = result.solutions
        path = tmp_path / f"{i}.cnf"
        save(path, lines(puzzle.encode(), path, puzzle))
        try:
            assert next(Child(partial(counted, path), timeout=COUNTING)) == expected
        except Stopped:
            out_of_time(name, "pyganak", COUNTING)
