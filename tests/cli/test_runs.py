"""Real runs that are interrupted, killed and limited: how they end, and which solutions are kept."""

from __future__ import annotations

import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.command import JIGSAT, run
from support.quick import cases
from support.waiting import LONG, gone, soon, with_time, worked

import jigsat
from jigsat import backends
from jigsat.runtime.guard import below

LIBRARIES = {"python-sat": ("cadical195", "kissat404"), "program": ("cadical",)}
"""The solvers to test, for libraries with many solvers."""


def _tried() -> Iterator[Any]:
    """One backend per library that accepts clauses or items, with one and two processes, as options.

    All but the default backend are marked slow; missing ones are skipped.
    """
    names: dict[str, list[str]] = {}
    for spec in backends.specs():
        names.setdefault(spec.library, []).append(spec.name)
    for library, solvers in names.items():
        for name in LIBRARIES.get(library, solvers):
            opened = backends.find(name).open
            if opened is None:  # it only counts
                continue
            try:
                backend = opened()
            except ImportError:
                yield pytest.param((), id=name, marks=pytest.mark.skip(reason=f"{library} is not installed"))
                continue
            fits = backend.capabilities.clauses or backend.capabilities.cardinality
            backend.close()
            for jobs in (1, 2) if fits else ():
                options = ("--backend", name, "--jobs", jobs)
                yield pytest.param(options, marks=[pytest.mark.slow] * (name != backends.DEFAULT), id=f"{name}-{jobs}")


every_backend = pytest.mark.parametrize("solver", list(_tried()))


TILES = """family = "edge-matching"
reusable = true
tiles = { a = ["x", "x", "y", "y"], b = ["x", "y", "z", "y"], c = ["z", "z", "x", "y"] }
"""


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """299 solutions, 81 up to rotation."""
    path = tmp_path / "few.toml"
    path.write_text(TILES + 'board = "square 2x2"')
    return path


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """More solutions than can be listed."""
    path = tmp_path / "many.toml"
    path.write_text(TILES + 'board = "square 5x5"')
    return path


@pytest.fixture
def hard(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """36 framed tiles that do not fit together, because a label occurs an odd number of times; no solver detects this. xcover
    does not accept equal tiles, so for it all tiles differ, and there is one more label.
    """
    parameters = request.node.callspec.params if hasattr(request.node, "callspec") else {}
    seed, labels = (193, "abcd") if "xcover" in parameters.get("solver", ()) else (1, "abc")
    rng, size = random.Random(seed), 6
    rows = [[rng.choice(labels) for _ in range(size)] for _ in range(size + 1)]
    columns = [[rng.choice(labels) for _ in range(size + 1)] for _ in range(size)]
    rows[0] = rows[size] = ["rim"] * size
    for column in columns:
        column[0] = column[size] = "rim"
    tiles = [[rows[r][c], columns[r][c + 1], rows[r + 1][c], columns[r][c]] for r in range(size) for c in range(size)]
    tiles[14][0] = next(label for label in labels if label != tiles[14][0])
    rng.shuffle(tiles)
    path = tmp_path / "hard.toml"
    listed = "\n".join(f"t{i} = {json.dumps(sides)}" for i, sides in enumerate(tiles))
    path.write_text(f'family = "edge-matching"\nboard = "square {size}x{size}"\nframe = "rim"\n[tiles]\n{listed}\n')
    return path


def run_process(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own rather than a fork of this one, which is large."""
    return subprocess.run([*JIGSAT, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)


class Running:
    """A running command in its own process group, as in a terminal.

    Leaving the `with` block kills it if it is still running.
    """

    def __init__(self, *arguments: object) -> None:
        self.process = subprocess.Popen(
            [*JIGSAT, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def child(self) -> int:
        """The process that the solver runs in."""
        for process in Path("/proc").glob("[0-9]*"):
            try:
                fields = (process / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == self.process.pid:
                return int(process.name)
        return 0

    def wait_until_it_solves(self) -> int:
        """Wait until the solver's process and its program have worked longer than encoding takes; returns the process ID."""
        self.wait_for(lambda: self.child() != 0)
        child = self.child()
        self.wait_for_work(child, 0.8)
        return child

    def wait_for_work(self, process: int, seconds: float) -> None:
        """Wait until a process and its descendants have used this much processor time."""
        self.wait_for(lambda: sum(map(worked, [process, *below(process)])) > seconds)

    def wait_for(self, condition: Callable[[], bool]) -> None:
        def holds() -> bool:
            assert self.process.poll() is None, self.process.communicate()
            return condition()

        soon(holds)

    def wait_for_lines(self, store: Path, number: int) -> None:
        self.wait_for(lambda: len(_lines(store)) >= number)

    def end(self, number: signal.Signals) -> tuple[str, str]:
        """Send a signal to the process group; returns the output on stdout and stderr until it ended."""
        os.killpg(self.process.pid, number)
        return self.process.communicate(timeout=LONG)


def _lines(store: Path) -> list[Any]:
    """The solutions in a store: its complete lines without the header and the line that marks it as complete."""
    whole = store.read_bytes().split(b"\n")[1:-1] if store.exists() else []
    return [item for line in whole if isinstance(item := json.loads(line), list)]


def _placements(found: dict[str, Any]) -> list[list[Any]]:
    """The solutions of `solve --json` in the format of a store."""
    return [[list(placement.values()) for placement in solution] for solution in found["found"]]


# -- during a call that does not return


@every_backend
def test_ctrl_c_ends_a_hard_call(hard: Path, solver: tuple[Any, ...]) -> None:
    with Running("solve", hard, *solver, "--json") as running:
        child = running.wait_until_it_solves()
        programs = list(below(child))
        out, err = running.end(signal.SIGINT)  # otherwise the call would take hours
    assert running.process.returncode == 130
    answer = json.loads(out)
    assert (answer["complete"], answer["stopped_by"], answer["found"]) == (False, "interrupt", [])
    assert err == ""
    soon(lambda: all(map(gone, (child, *programs))))


def test_ctrl_c_keeps_the_best_puzzle_so_far(tmp_path: Path) -> None:
    path = tmp_path / "best.toml"
    with Running("generate", "sudoku", "--difficulty", "hard", "-o", path) as running:
        running.wait_for_work(running.process.pid, 1.5)  # the first puzzle is found quickly, a hard one hardly ever
        _, err = running.end(signal.SIGINT)
    assert running.process.returncode == 130
    assert "jigsat: puzzle 1 of 1: interrupted; the best candidate is written: it is " in err
    assert list(jigsat.solutions(path))


@pytest.mark.parametrize(
    "module",
    [
        "typer",
        "jigsat.cli.solve",
        "pydantic",
        "jigsat.runtime.child",
        "jigsat.encodings.edge_matching",
        "multiprocessing.connection",
    ],
)
def test_ctrl_c_during_startup_ends_cleanly(hard: Path, module: str) -> None:
    script = f"""
import os, signal, sys
from jigsat.cli import main
class Interrupting:
    def find_spec(self, name, *rest):
        if name == {module!r}:
            print("there", flush=True)
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
main()
"""
    done = subprocess.run([sys.executable, "-c", script, "solve", str(hard)], capture_output=True, text=True, timeout=LONG)
    assert (done.returncode, done.stdout.partition("\n")[0]) == (130, "there")
    assert done.stdout.count("\n") == 1 or "hard: no solution found so far; incomplete: stopped by interrupt" in done.stdout
    assert done.stderr in ("", "jigsat: interrupted\n")


def test_the_entry_point_imports_nothing_big() -> None:
    script = "import sys, jigsat.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    errors = [f"jigsat.errors.{name}" for name in ("escaping", "exceptions", "families", "wording")]
    assert {"jigsat", "jigsat.cli", "jigsat.errors", *errors} == {name for name in loaded if name.startswith("jigsat")}
    assert not {"pydantic", "typer", "rich", "multiprocessing"}.intersection(loaded)


def test_ctrl_c_is_not_lost_if_python_drops_it() -> None:
    script = """
import os, signal, time, weakref
from jigsat.runtime import Child, keep_interrupts
class Object: pass
keep_interrupts()
child = Child(lambda: [time.sleep(60)])
gone = Object()
reference = weakref.ref(gone, lambda _: os.kill(os.getpid(), signal.SIGINT))
del gone
print("dropped", flush=True)
try:
    next(child)
except KeyboardInterrupt:
    print("interrupted")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=30)
    assert done.stdout.split() == ["dropped", "interrupted"]
    assert "Exception ignored" in done.stderr


@every_backend
def test_a_timeout_ends_a_hard_call(hard: Path, solver: tuple[Any, ...]) -> None:
    started = time.monotonic()
    done = run("solve", hard, *solver, "--timeout", "1", "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 3
    assert time.monotonic() - started >= 1, "it was stopped too soon"
    assert (answer["complete"], answer["stopped_by"]) == (False, "timeout")


@every_backend
def test_too_little_memory_is_reported_in_one_line(hard: Path, solver: tuple[Any, ...]) -> None:
    done = run_process("solve", hard, *solver, "--memory", "45")
    assert done.returncode == 3
    assert done.stderr == "jigsat: hard: stopped by memory; --memory raises the limit\n"
    assert "incomplete: stopped by memory" in done.stdout


# -- solutions found so far


@every_backend
def test_a_timeout_keeps_what_was_found(many: Path, tmp_path: Path, solver: tuple[Any, ...]) -> None:
    def limited(seconds: float) -> tuple[Path, subprocess.CompletedProcess[str]]:
        store = tmp_path / f"store {seconds}"
        return store, run("solve", many, *solver, "--timeout", seconds, "--store", store, "--json")

    store, done = with_time(limited, lambda ended: json.loads(ended[1].stdout)["found"])
    answer = json.loads(done.stdout)
    assert done.returncode == 3
    assert not answer["complete"]
    assert answer["distinct"]["rotation"] == len(answer["found"])
    assert _placements(answer) == _lines(store)[: len(answer["found"])]


@every_backend
def test_a_killed_child_keeps_its_solutions(many: Path, tmp_path: Path, solver: tuple[Any, ...]) -> None:
    store = tmp_path / "store"
    with Running("solve", many, *solver, "--store", store, "--json") as running:
        running.wait_for_lines(store, 10)
        os.kill(running.child(), signal.SIGKILL)
        out, err = running.process.communicate(timeout=60)
    answer = json.loads(out)
    assert running.process.returncode == 3
    assert err == "jigsat: crash: the solver's process was killed by SIGKILL\n"
    assert not answer["complete"]
    # the last solution before the signal may be only in the store
    assert len(_lines(store)) - len(answer["found"]) in (0, 1)
    assert _placements(answer) == _lines(store)[: len(answer["found"])]


@pytest.mark.parametrize("backend", ["cadical195", pytest.param("cover", marks=pytest.mark.slow)])
def test_killing_one_of_several_processes_is_a_crash(many: Path, tmp_path: Path, backend: str) -> None:
    store = tmp_path / "store"
    with Running("solve", many, "--backend", backend, "--jobs", 2, "--store", store, "--json") as running:
        running.wait_for_lines(store, 10)
        processes = [running.child(), *below(running.child())]
        assert len(processes) == 3
        os.kill(processes[-1], signal.SIGKILL)
        out, err = running.process.communicate(timeout=60)
    answer = json.loads(out)
    assert running.process.returncode == 3
    assert err == "jigsat: crash: the solver's process was killed by SIGKILL\n"
    assert not answer["complete"]
    assert _placements(answer) == _lines(store)
    soon(lambda: all(map(gone, processes)))


@every_backend
def test_a_killed_run_loses_nothing_and_can_be_resumed(many: Path, tmp_path: Path, solver: tuple[Any, ...]) -> None:
    store = tmp_path / "store"
    with Running("solve", many, *solver, "--store", store) as running:
        running.wait_for_lines(store, 10)
        child = running.child()
        programs = list(below(child))
        running.end(signal.SIGKILL)
    soon(lambda: all(map(gone, (child, *programs))))
    before = _lines(store)
    done = run("solve", many, *solver, "--store", store, "--limit", len(before) + 5, "--json")
    assert done.returncode == 0
    assert done.stderr == f"{store}: {len(before)} solutions loaded\n"
    after = _lines(store)
    assert after[: len(before)] == before
    assert _placements(json.loads(done.stdout)) == after
    assert len({json.dumps(solution) for solution in after}) == len(after) == len(before) + 5


def test_runs_killed_at_random_moments_find_all_solutions_together(few: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    for _ in range(cases(12)):
        there = len(_lines(store))
        with Running("solve", few, "--store", store, "--backend", "z3") as running:
            running.wait_for_lines(store, there + 5)
            running.end(signal.SIGKILL)
    answer = json.loads(run("solve", few, "--store", store, "--json").stdout)
    assert (answer["solutions"], answer["distinct"], answer["complete"]) == (299, {"rotation": 81}, True)


# -- stores


@pytest.fixture
def store(few: Path, tmp_path: Path) -> Path:
    """The complete store of `few`."""
    path = tmp_path / "store"
    assert len(list(jigsat.solutions(few, store=path))) == 81
    return path


@every_backend
def test_a_truncated_store_is_completed(few: Path, store: Path, solver: tuple[Any, ...]) -> None:
    lines = store.read_bytes().splitlines(keepends=True)
    store.write_bytes(b"".join(lines[:41]) + lines[41][:20])  # the header, 40 solutions, and half a line
    done = run("solve", few, *solver, "--store", store, "--json")
    answer = json.loads(done.stdout)
    assert done.stderr == f"{store}: 40 solutions loaded\n"
    assert (answer["solutions"], answer["distinct"]["rotation"], answer["complete"]) == (299, 81, True)
    assert sorted(map(json.dumps, _placements(answer))) == sorted(json.dumps(json.loads(line)) for line in lines[1:-1])
    assert store.read_bytes().startswith(b"".join(lines[:41]))


def test_a_complete_store_answers_without_a_solver(few: Path, store: Path) -> None:
    done = run("solve", few, "--backend", "cryptosat", "--store", store, "--json")  # listed by PySAT, but not available
    answer = json.loads(done.stdout)
    assert done.stderr == f"{store}: 81 solutions loaded\n"
    assert (answer["solutions"], answer["complete"], answer["established_by"]) == (299, True, "refutation")
    assert answer["backend"] == "cadical195"


def test_a_solution_removed_from_a_complete_store_is_found_again(few: Path, store: Path) -> None:
    lines = store.read_bytes().splitlines(keepends=True)
    store.write_bytes(b"".join(lines[:5] + lines[6:]))
    answer = json.loads(run("solve", few, "--store", store, "--json").stdout)
    assert (answer["solutions"], answer["distinct"], answer["complete"]) == (299, {"rotation": 81}, True)
    again = json.loads(run("solve", few, "--backend", "cryptosat", "--store", store, "--json").stdout)
    assert (again["solutions"], again["complete"]) == (299, True)  # there was nothing left to solve


@pytest.mark.parametrize("copy", ["the same", "turned"])
def test_a_solution_overwritten_by_a_copied_line_is_found_again(copy: str, few: Path, store: Path) -> None:
    lines = store.read_bytes().splitlines(keepends=True)
    puzzle = jigsat.load(few)
    formula = puzzle.encode()
    copied = lines[3]
    if copy == "turned":
        numbers = {json.dumps(formula.key(variable)): variable for variable in formula.decisions()}
        model = frozenset(numbers[json.dumps(placement)] for placement in json.loads(copied))
        (turned, *_) = jigsat.Group.of(formula, puzzle.symmetries()).orbit(model, "rotation") - {model}
        copied = json.dumps([formula.key(variable) for variable in turned]).encode() + b"\n"
    store.write_bytes(b"".join([*lines[:8], copied, *lines[9:]]))
    for _ in range(2):  # missing solutions are found, and the store is complete again
        enumeration = jigsat.Enumeration(puzzle, store=store)
        assert len(list(enumeration)) == 81
        assert enumeration.result.complete
    assert _lines(store)[-1] == json.loads(lines[8])


def test_a_limit_includes_the_solutions_in_the_store(few: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    for limit, there in ((10, 10), (20, 20), (15, 20)):
        answer = json.loads(run("solve", few, "--store", store, "--limit", limit, "--json").stdout)
        assert (len(answer["found"]), answer["stopped_by"]) == (limit, "limit")
        assert len(_lines(store)) == there


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda lines: [re.sub(b'"digest":".', b'"digest":"x', lines[0]), *lines[1:]], "another instance"),
        (lambda lines: [lines[0].replace(b"digest", b"disgust"), *lines[1:]], "not a file of solutions"),
        (lambda lines: [lines[0].replace(b'"version":1', b'"version":true'), *lines[1:]], "not a file of solutions"),
        (lambda lines: [lines[0].replace(b'"version":1', b'"version":1,"version":1'), *lines[1:]], "not a file of"),
        (lambda lines: [b"[" * 100_000 + b"\n", *lines[1:]], "not a file of solutions"),
        (lambda lines: [lines[0], b"[" * 100_000 + b"\n", *lines[1:]], "line 2: damaged"),
        (lambda lines: [lines[0], b"[" * 900 + b"]" * 900 + b"\n", *lines[1:]], "line 2: damaged"),
        (lambda lines: [*lines[:-1], b'{"complete":5}\n'], "line 83: not a solution of this puzzle; remove the line"),
        (lambda lines: [*lines[:-1], b'{"complete":5,"after":81}\n'], "line 83: not a solution of this puzzle"),
        (lambda lines: [*lines[:-1], lines[-1].replace(b"81", b"81.0")], "line 83: not a solution of this puzzle"),
        (lambda lines: [*lines[:2], lines[2].replace(b"[0,0]", b"[0.0,false]"), *lines[3:]], "line 3: not a solution of this"),
        (
            lambda lines: [*lines[:2], b"[" + lines[2][1:-2] + b"," + lines[2][1:], *lines[3:]],
            "line 3: a placement is repeated",
        ),
        (lambda lines: [*lines[:2], b"5\n", *lines[3:]], "line 3: not a solution of this puzzle"),
        (lambda lines: [*lines[:2], b"[" + b"1," * 10_000_000 + b"1]\n", *lines[3:]], "line 3: longer than 16 MiB"),
        (lambda lines: [lines[0].replace(b"rotation", b"nothing"), *lines[1:]], "up to nothing, not up to rotation"),
        (lambda lines: [lines[0].replace(b'"version":1', b'"version":0'), *lines[1:]], "from this version of jigsat"),
        (lambda lines: [*lines[:3], b'{"garbage":1}\n', *lines[4:]], "line 4: not a solution of this puzzle; remove the line"),
        (lambda lines: [b"my notes\n", *lines[1:]], "not a file of solutions"),
        (lambda lines: [b"my notes without an end"], "not a file of solutions"),
        (lambda lines: [*lines[:3], b"\0" * 20 + b"\n", *lines[4:]], "line 4: damaged"),
        (
            lambda lines: [*lines[:3], lines[3].replace(b'"x"', b'"y"').replace(b"[1,1]", b"[9,9]"), *lines[4:]],
            "line 4: not a solution",
        ),
    ],
)
def test_a_damaged_or_foreign_store_is_refused(
    few: Path, store: Path, change: Callable[[list[bytes]], list[bytes]], says: str
) -> None:
    changed = b"".join(change(store.read_bytes().splitlines(keepends=True)))
    store.write_bytes(changed)
    with pytest.raises(jigsat.InputError, match=says):
        list(jigsat.solutions(few, store=store))
    assert store.read_bytes() == changed


def test_a_store_of_something_else_is_refused_in_one_line(store: Path) -> None:
    there = store.read_bytes()
    done = run("solve", "cats", "--store", store)
    assert done.returncode == 2
    assert done.stderr == f"jigsat: {store}: holds solutions of another instance, few; name another file\n"
    assert store.read_bytes() == there


def test_a_store_of_all_solutions_is_refused_when_minimizing(tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert len(list(jigsat.solutions("lights-5x5", up_to="nothing", store=store))) == 4
    with pytest.raises(jigsat.InputError, match="holds all solutions"):
        jigsat.solutions("lights-5x5", up_to="nothing", minimize=True, store=store)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda line, more: more, "line 2: not a solution with the minimum 4; remove the line"),
        (lambda line, more: line[1:], "line 2: not a solution: "),
    ],
    ids=["another solution", "one press less"],
)
def test_other_costs_are_refused_in_a_store_of_least_solutions(
    change: Callable[[Any, Any], Any], complaint: str, tmp_path: Path
) -> None:
    store, everything = tmp_path / "store", tmp_path / "all"
    puzzle = jigsat.load("lights-5x5", board="square 4x4")
    list(jigsat.solutions(puzzle, minimize=True, store=store))
    list(jigsat.solutions(puzzle, store=everything))
    more = next(line for line in _lines(everything) if len(line) > 4)
    lines = store.read_text().splitlines()
    lines[1] = json.dumps(change(json.loads(lines[1]), more))
    store.write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(jigsat.InputError, match=complaint):
        list(jigsat.solutions(puzzle, minimize=True, store=store))


@pytest.mark.parametrize("path", ["/dev/full", "/nowhere/store", "/"])
def test_impossible_stores_are_refused(few: Path, path: str) -> None:
    with pytest.raises(jigsat.InputError, match=f"^{path}: "):
        jigsat.solutions(few, store=Path(path))


def test_two_runs_do_not_share_a_store(few: Path, tmp_path: Path) -> None:
    first = jigsat.solutions(few, store=tmp_path / "store")
    next(first)
    with pytest.raises(jigsat.InputError, match="in use by another run"):
        jigsat.solutions(few, store=tmp_path / "store")
    first.close()
    assert len(list(jigsat.solutions(few, store=tmp_path / "store"))) == 81


def test_a_full_disk_ends_the_run_and_keeps_the_solutions(few: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    done = run_process("solve", few, "--store", store, "--json", preexec_fn=little_room)
    answer = json.loads(done.stdout)
    assert done.returncode == 3
    assert done.stderr == f"jigsat: {store}: cannot be written: file too large\n"
    assert (answer["complete"], answer["stopped_by"]) == (False, f"{store}: cannot be written: file too large")
    there = _lines(store)
    assert 0 < len(there) == len(answer["found"]) - 1  # the solution that could not be written is also shown
    assert store.read_bytes().endswith(b"\n")
    assert len(list(jigsat.solutions(few, store=store))) == 81  # with free space the run is resumed


# -- with spawned processes, as on systems other than Linux

SPAWNING = [
    sys.executable,
    "-c",
    "import multiprocessing; multiprocessing.set_start_method('spawn'); from jigsat.cli import main; main()",
]


@pytest.mark.parametrize("jobs", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_spawned_processes_find_and_store_the_same(few: Path, tmp_path: Path, jobs: int) -> None:
    store = tmp_path / "store"
    for limit in ("--limit", "20"), ():
        command = [*SPAWNING, "solve", few, "--jobs", str(jobs), "--store", store, "--json", *limit]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        answer = json.loads(done.stdout)
        assert done.returncode == 0, done.stderr
        assert sorted(map(json.dumps, _placements(answer))) == sorted(map(json.dumps, _lines(store)))
    assert (answer["solutions"], answer["distinct"], answer["complete"]) == (299, {"rotation": 81}, True)


@pytest.mark.parametrize("jobs", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_spawned_processes_end_in_time(hard: Path, jobs: int) -> None:
    for timeout in (2, 8, 32):  # on a loaded machine processes take long to start
        children: set[int] = set()
        command = [*SPAWNING, "solve", hard, "--jobs", str(jobs), "--timeout", str(timeout), "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            while process.poll() is None:
                children |= set(below(process.pid))
                time.sleep(0.05)
            out, err = process.communicate()
        answer = json.loads(out)
        assert (process.returncode, err) == (3, "jigsat: hard: stopped by timeout; --timeout raises the limit\n")
        assert (answer["complete"], answer["stopped_by"]) == (False, "timeout")
        soon(lambda: all(map(gone, children)))  # noqa: B023
        if len(children) > jobs:
            break
    assert len(children) > jobs


def test_every_job_can_run_in_a_spawned_process() -> None:
    script = """
import multiprocessing, sys
from jigsat import backends
from jigsat.backends import pysat
from jigsat.cli import main
multiprocessing.set_start_method("spawn")
backends.specs = lambda: list(pysat.specs())[:1]  # each probe is another process
for command in ("count lights-5x5", "solve black-and-white-batch", "unique cube", "rate cats", "backends"):
    sys.argv = ["jigsat", *command.split()]
    try:
        main()
    except SystemExit as left:
        assert not left.code, command
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    for said in ("lights-5x5: 4 solutions", "black-and-white", "cube: not unique", "cats: ", "cadical"):
        assert said in done.stdout
    assert "absent" not in done.stdout
