"""Solver programs: installed ones, and made-up ones that give wrong answers, hang, or leave
processes behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support import truth
from support.command import JIGSAT, run
from support.pigeons import Pigeons
from support.waiting import LONG, gone, soon, with_time

import jigsat
from jigsat.backends.external import KNOWN, read_verdict
from jigsat.backends.registry import find, open_backend
from jigsat.confirmation import confirm
from jigsat.errors import CheckError, InputError, Stopped
from jigsat.formula.constraints import Clause, Xor
from jigsat.search.portfolio import models

Script = Callable[[str], str]


@pytest.fixture(params=KNOWN)
def known(request: pytest.FixtureRequest) -> str:
    """A program that is on the PATH."""
    name: str = request.param
    if not shutil.which(name):
        pytest.skip(f"{name} is absent; {find(name).install}")
    return name


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Makes an executable shell script; `$1` is the DIMACS file."""

    def make(body: str) -> str:
        path = tmp_path / "solver"
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return str(path)

    return make


# -- programs that are installed


def test_a_known_program_finds_the_models(known: str) -> None:
    for case in truth.fixed(2):
        assert set(models(truth.formula(*case), known)) == truth.table(*case), case


def test_a_known_program_accepts_assumptions_and_later_clauses(known: str) -> None:
    solver = open_backend(known)
    try:
        assert solver.solve()
        solver.add(Clause((1, 2)))
        assert not solver.solve([-1, -2])
        assert solver.solve([-1])
        assert solver.model() == [2]
        assert solver.solve([5])
        assert 5 in solver.model()
        solver.add(Clause((-2,)))
        assert solver.solve()
        assert solver.model() == [1], "assumptions do not stay"
        solver.add(Clause((-1,)))
        assert not solver.solve()
    finally:
        solver.close()


def test_a_known_program_is_recognised_in_any_folder(known: str, tmp_path: Path) -> None:
    path = tmp_path / "bin" / known
    path.parent.mkdir()
    path.symlink_to(shutil.which(known) or "")
    assert jigsat.count("cats", backend=str(path)).distinct == {"rotation": 1}


@pytest.mark.slow
def test_a_known_program_is_stopped_in_a_hard_call(known: str) -> None:
    before = programs(known)

    def limited(seconds: float) -> tuple[int, str | None]:
        enumeration = jigsat.solutions(Pigeons(family="pigeons"), backend=known, timeout=seconds)
        return len(list(enumeration)), enumeration.result.stopped_by

    assert with_time(limited, lambda ended: ended[0] == 5) == (5, "timeout")
    soon(lambda: programs(known) <= before)


def test_xors_are_native_to_cryptominisat() -> None:
    if not shutil.which("cryptominisat5"):
        pytest.skip("cryptominisat5 is absent; apt-get install cryptominisat")
    solver = open_backend("cryptominisat5")
    assert solver.capabilities.xor
    for i in range(1, 40):
        solver.add(Xor((i, i + 1), odd=i % 2 == 1))
    solver.add(Clause((1,)))
    assert solver.solve()
    assert solver.model() == [i for i in range(1, 41) if i % 4 in (0, 1)]
    solver.close()


def test_missing_programs_are_reported_as_absent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert confirm(find("minisat")) == (None, ["absent; apt-get install minisat"])
    with pytest.raises(
        InputError,
        match="minisat is not installed; to install it: apt-get install minisat; minisat22 is "
        "installed",
    ):
        open_backend("minisat")
    with pytest.raises(InputError, match=r"backend \./nothing: there is no such program"):
        find("./nothing")
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(InputError, match="the file is not executable"):
        find(str(file))


# -- programs that are wrong


def test_consistent_answers_of_a_program_are_accepted(script: Script) -> None:
    path = script("echo c hello; echo s SATISFIABLE; echo v 1; echo v -2 0; exit 10")
    solver = open_backend(path)
    solver.add(Clause((1, 2)))
    assert solver.solve()
    assert solver.model() == [1]
    solver.close()
    solver = open_backend(
        script("grep -q '^-1 0' $1 && { echo s UNSATISFIABLE; exit 20; }; exit 3")
    )
    assert not solver.solve([-1])
    solver.close()


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("echo s SATISFIABLE; echo v -1 -2 0; exit 10", "its model breaks the line '1 2 0'"),
        ("echo s SATISFIABLE; echo v 0; exit 10", "its model breaks the line '1 2 0'"),
        ("echo s SATISFIABLE; exit 10", "it says SATISFIABLE and gives no model"),
        ("echo s SATISFIABLE; echo v 1 2; exit 10", "its model does not end with"),
        ("echo s SATISFIABLE; echo v 1 0 2 0; exit 10", "its model does not end with"),
        ("echo s SATISFIABLE; echo v 1 -1 0; exit 10", "both true and false"),
        ("echo s SATISFIABLE; echo v 1 7 0; exit 10", "'7' in its model is not a literal"),
        ("echo s SATISFIABLE; echo v 1 two 0; exit 10", "'two' in its model is not a literal"),
        (
            "echo s SATISFIABLE; echo v 1 0; exit 20",
            "exit status 20 means UNSATISFIABLE, but it says SATISFIABLE",
        ),
        ("echo s SATISFIABLE; echo v 1 0; exit 0", "exit status 0"),
        (
            "echo s UNSATISFIABLE; exit 10",
            "exit status 10 means SATISFIABLE, but it says UNSATISFIABLE",
        ),
        ("echo s UNSATISFIABLE; echo v 1 0; exit 20", "it says UNSATISFIABLE and gives a model"),
        ("echo s UNSATISFIABLE; exit 1", "exit status 1: s UNSATISFIABLE"),
        (
            "echo s SATISFIABLE; echo s UNSATISFIABLE; exit 20",
            "it says SATISFIABLE and UNSATISFIABLE",
        ),
        ("echo s UNKNOWN; exit 0", "exit status 0: s UNKNOWN"),
        ("exit 20", "exit status 20 means UNSATISFIABLE, but it says nothing"),
        ("head -c 3000 /dev/urandom; exit 10", "exit status 10 means SATISFIABLE, but it says"),
        ("echo out of memory >&2; exit 134", "exit status 134: out of memory"),
        ("kill -SEGV $$", "was killed by signal 11 (Segmentation fault)"),
    ],
)
def test_wrong_answers_of_a_program_are_refused(body: str, complaint: str, script: Script) -> None:
    path = script(body)
    solver = open_backend(path)
    solver.add(Clause((1, 2)))
    with pytest.raises((Stopped, CheckError)) as stopped:
        solver.solve()
    solver.close()
    message = str(stopped.value)
    assert message.startswith((f"{path}: ", f"crash: {path} "))
    assert complaint in message
    assert len(message.splitlines()) == 1


def test_a_file_that_is_not_a_solver_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("these are words\n")
    path.chmod(0o755)
    with pytest.raises(Stopped, match=r"exit status 127: .*Exec format error"):
        next(models(truth.formula([("clause", (), [1])], 1, 1), str(path)))


def test_a_wrong_answer_ends_an_enumeration_as_incomplete(script: Script) -> None:
    done = run("count", "cats", "--backend", script("echo s UNSATISFIABLE; exit 10"))
    assert done.returncode == 3
    assert "no solution found so far; incomplete: stopped by " in done.stdout
    assert len(done.stderr.splitlines()) == 1


def test_models_are_checked_against_xors_too(script: Script, tmp_path: Path) -> None:
    liar = Path(script("echo s SATISFIABLE; echo v 1 2 0; exit 10")).rename(
        tmp_path / "cryptominisat5"
    )
    solver = open_backend(str(liar))
    solver.add(Xor((1, 2), odd=True))
    with pytest.raises(CheckError, match="its model breaks the line 'x1 2 0'"):
        solver.solve()
    solver.close()


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("echo SAT > $3; echo 1 -2 0 >> $3; exit 10", None),
        ("echo INDET > $3; exit 0", "exit status 0: s UNKNOWN"),
        ("echo UNSAT > $3; exit 10", "exit status 10 means SATISFIABLE, but it says UNSATISFIABLE"),
        ("echo SAT > $3; exit 10", "it says SATISFIABLE and gives no model"),
        ("touch $3; exit 10", "exit status 10 means SATISFIABLE, but it says nothing"),
        ("echo SATISFIABLE; exit 10", "exit status 10 means SATISFIABLE, but it says nothing"),
    ],
)
def test_the_result_file_of_minisat(
    body: str, complaint: str | None, script: Script, tmp_path: Path
) -> None:
    solver = open_backend(str(Path(script(body)).rename(tmp_path / "minisat")))
    solver.add(Clause((1, 2)))
    if complaint is None:
        assert solver.solve()
        assert solver.model() == [1]
    else:
        with pytest.raises(Stopped, match=complaint):
            solver.solve()
    solver.close()


def test_status_30_is_a_model_too() -> None:
    assert read_verdict(30, ["s SATISFIABLE", "v 1 0"], top=1) == [1]


# -- clasp lists all models by itself


def make_clasp(script: Script, tmp_path: Path, body: str) -> str:
    return str(Path(script(body)).rename(tmp_path / "clasp"))


def test_clasp_is_started_once_for_all_models(script: Script, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    path = make_clasp(
        script,
        tmp_path,
        f"echo $* >> {starts}\n"
        "for last; do :; done; grep -q '^c project 1 2 0' $last || exit 1\n"
        "echo v 1 -2 0; echo v -1; echo v 2 0; echo s SATISFIABLE; exit 30",
    )
    formula = truth.formula([("clause", (), [1, 2]), ("clause", (), [-1, -2])], 2, 2)
    search = models(formula, path)
    assert sorted(map(sorted, search)) == [[1], [2]]
    assert search.complete
    (line,) = starts.read_text().splitlines()
    assert line.startswith("--models=0 --parse-ext --project ")


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("echo v 1 0; echo v -1 0; echo s SATISFIABLE; exit 30", "its model breaks the line '1 0'"),
        ("echo v 1 0; echo s SATISFIABLE; exit 10", "ended before it had listed all models"),
        ("echo v 1 0; exit 30", "it says nothing"),
        ("echo v 1 0; kill -SEGV $$", "was killed by signal 11"),
        ("echo v 1; echo s SATISFIABLE; exit 30", "its model does not end with a single 0"),
        ("echo s SATISFIABLE; exit 30", "gives no model"),
        ("echo v 1 0; echo v 1 0; echo s SATISFIABLE; exit 30", "it lists a model twice"),
    ],
)
def test_wrong_lists_of_clasp_are_refused(
    body: str, complaint: str, script: Script, tmp_path: Path
) -> None:
    path = make_clasp(script, tmp_path, body)
    with pytest.raises((Stopped, CheckError), match=complaint):
        list(models(truth.formula([("clause", (), [1])], 1, 1), path))


def test_clasp_is_stopped_after_the_first_model(script: Script, tmp_path: Path) -> None:
    """It waits until its output is read, and ends when the search is given up."""
    pids = tmp_path / "pids"
    path = make_clasp(script, tmp_path, f"echo $$ > {pids}; while :; do echo v 1 0; done")
    solver = open_backend(path)
    solver.add(Clause((1,)))
    assert solver.solve()
    solver.close()
    soon(lambda: not alive(pids))


def test_a_program_gets_its_seed(script: Script, tmp_path: Path) -> None:
    body = f"echo $* > {tmp_path}/words; echo s SATISFIABLE; echo v 1 0; exit 10"
    path = str(Path(script(body)).rename(tmp_path / "cadical"))
    open_seeded = find(path).open_seeded
    assert open_seeded
    solver = open_seeded(7)
    solver.add(Clause((1,)))
    assert solver.solve()
    solver.close()
    assert (tmp_path / "words").read_text().startswith("--seed=7 -q ")
    assert find(script("exit 1")).open_seeded is None


# -- programs that leave processes behind

FAMILY = """
echo $$ >> {pids}
sleep 300 & echo $! >> {pids}
setsid sh -c 'echo $$ >> {pids}; sleep 300' &
(setsid sh -c '(setsid sh -c "echo \\$\\$ >> {pids}; exec sleep 300" &) ; exit 0' &)
echo $1 > {pids}.cnf
while [ $(wc -l < {pids}) -lt 4 ]; do sleep 0.01; done
touch {pids}.all
"""
"""A program with children in its process group and in sessions of their own, one of them an
orphan."""


@pytest.fixture
def pids(tmp_path: Path) -> Iterator[Path]:
    """The file to which a program writes the ids of its processes; remaining ones are killed at the
    end."""
    path = tmp_path / "pids"
    yield path
    for pid in alive(path):
        os.kill(pid, signal.SIGKILL)


def test_a_timeout_kills_all_descendants(script: Script, pids: Path) -> None:
    path = script(FAMILY.format(pids=pids) + "sleep 300")
    result = jigsat.count("cats", backend=path, timeout=3)
    assert (result.stopped_by, result.complete) == ("timeout", False)
    assert_gone(pids)


def test_closing_kills_all_descendants_without_a_child_process(script: Script, pids: Path) -> None:
    path = script(FAMILY.format(pids=pids) + "sleep 300")
    script_of_a_user = f"import jigsat; jigsat.count('cats', backend={path!r})"
    run = subprocess.Popen([sys.executable, "-c", script_of_a_user])
    soon(lambda: Path(f"{pids}.all").exists())
    run.send_signal(signal.SIGINT)
    run.wait(timeout=LONG)
    assert_gone(pids)


@pytest.mark.parametrize(
    "end",
    [
        signal.SIGKILL,
        *(pytest.param(end, marks=pytest.mark.slow) for end in (signal.SIGTERM, signal.SIGINT)),
    ],
)
def test_the_death_of_the_parent_kills_all_descendants(
    end: signal.Signals, script: Script, pids: Path
) -> None:
    path = script(FAMILY.format(pids=pids) + "sleep 300")
    run = subprocess.Popen([*JIGSAT, "count", "cats", "--backend", path], stdout=subprocess.DEVNULL)
    soon(lambda: Path(f"{pids}.all").exists())
    run.send_signal(end)
    run.wait(timeout=LONG)
    assert_gone(pids)


def test_processes_left_running_by_a_program_are_killed(script: Script, pids: Path) -> None:
    path = script(FAMILY.format(pids=pids) + "echo s UNSATISFIABLE; exit 20")
    result = jigsat.count("cats", backend=path)
    assert (result.solutions, result.complete) == (0, True)
    assert_gone(pids)


def test_a_program_that_ignores_signals_is_killed(script: Script, pids: Path) -> None:
    path = script("trap '' TERM INT HUP\n" + FAMILY.format(pids=pids) + "while :; do sleep 1; done")
    assert jigsat.count("cats", backend=path, timeout=3).stopped_by == "timeout"
    assert_gone(pids)


# -- helpers


def alive(pids: Path) -> list[int]:
    """The running processes among those that a program recorded."""
    noted = map(int, pids.read_text().split() if pids.exists() else ())
    return [pid for pid in noted if not gone(pid)]


def programs(name: str) -> set[int]:
    """The processes that run a program."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "comm").read_text().strip() == name:
                found.add(int(folder.name))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def assert_gone(pids: Path) -> None:
    """All four processes were running, and soon none is; the folder with the formula is removed."""
    assert len(pids.read_text().split()) == 4
    soon(lambda: not alive(pids))
    soon(lambda: not Path(Path(f"{pids}.cnf").read_text().strip()).parent.exists())
