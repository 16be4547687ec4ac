"""Stopped runs: their exit status, and the solutions that are reported and kept."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support import forked
from support.command import JIGSAT, run
from support.running import lines_of
from support.waiting import LONG, gone, soon, with_time

import jigsat
from jigsat.answering import many
from jigsat.answering.enumeration import Enumeration
from jigsat.answering.many import find_first_solutions
from jigsat.answering.task import Desk, Task
from jigsat.answering.work import answer_task
from jigsat.backends.engine import is_compiled
from jigsat.cli.answers import print_answers
from jigsat.errors import Stopped
from jigsat.ledger.file import Ledger
from jigsat.questions import (
    Answer,
    Chosen,
    Established,
    Event,
    FirstSolutions,
    Found,
    LongSearch,
    Means,
)
from jigsat.runtime import child
from jigsat.runtime.guard import below
from jigsat.solving import clues
from jigsat.subject import PuzzleSubject


def stopped(number: signal.Signals, store: Path, *command: object) -> tuple[int, str, str]:
    """Start a command and send it a signal twice after it has stored something; returns its status,
    stdout and stderr."""
    arguments = [*JIGSAT, *map(str, command), "--store", str(store)]
    with subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        soon(lambda: len(lines_of(store)) > 3)
        children = list(below(process.pid))
        process.send_signal(number)
        process.send_signal(number)  # like `timeout`, and like a terminal that is closed
        out, err = process.communicate(timeout=60)
    assert children
    soon(lambda: all(map(gone, children)))
    return process.returncode, out, err


@pytest.mark.parametrize(
    ("number", "status", "reason"),
    [
        (signal.SIGINT, 130, "interrupt"),
        (signal.SIGTERM, 143, "termination"),
        (signal.SIGHUP, 129, "hangup"),
    ],
)
def test_a_signal_ends_a_run_and_keeps_the_solutions(
    many: Path, tmp_path: Path, number: signal.Signals, status: int, reason: str
) -> None:
    store, picture = tmp_path / "store", tmp_path / "picture.svg"
    returned, out, err = stopped(
        number, store, "solve", many, "--json", "--svg", picture, "--show", 1
    )
    answer = json.loads(out)
    assert (returned, err) == (status, "")
    assert (answer["complete"], answer["stopped_by"]) == (False, reason)
    assert answer["distinct"]["rotation"] == len(answer["found"]) >= 4
    assert len(lines_of(store)) - len(answer["found"]) in (
        0,
        1,
    )  # the last solution may not have been sent yet
    ElementTree.parse(picture)


def test_a_signal_ends_a_run_with_its_summary(many: Path, tmp_path: Path) -> None:
    returned, out, err = stopped(signal.SIGTERM, tmp_path / "store", "solve", many, "--show", 0)
    assert (returned, err) == (143, "")
    assert "many: at least " in out and "incomplete: stopped by termination" in out


def test_one_signal_sent_twice_is_one_request_and_a_later_one_is_another() -> None:
    script = """
import os, signal, time
from jigsat.errors import Interrupted
from jigsat.runtime.child import Child, held_interrupts, keep_interrupts
keep_interrupts([signal.SIGTERM])
with held_interrupts():
    for _ in range(2):
        os.kill(os.getpid(), signal.SIGTERM)
    print("held")
    try:
        next(Child(lambda: [time.sleep(60)]))
    except Interrupted as reason:
        print(reason)
    time.sleep(1.1)
    try:
        os.kill(os.getpid(), signal.SIGTERM)
    except Interrupted as reason:
        print(reason)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert (done.stdout.split(), done.stderr) == (["held", "terminated", "terminated"], "")


def test_a_terminated_child_is_a_crash() -> None:
    script = """
import os, signal, time
from jigsat.errors import Stopped
from jigsat.runtime import child
from jigsat.runtime.child import Child, keep_interrupts
keep_interrupts([signal.SIGTERM])
def job():
    yield os.getpid()
    time.sleep(60)
child = Child(job)
os.kill(next(child), signal.SIGTERM)
try:
    next(child)
except Stopped as reason:
    print(reason)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("crash: a process of jigsat was killed by SIGTERM\n", "")


def test_a_timeout_writes_the_picture_too(many: Path, tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    done = with_time(
        lambda seconds: run("solve", many, "--timeout", seconds, "--svg", picture, "--show", "1"),
        lambda done: "Solution 1" in done.stdout,
    )
    assert done.returncode == 3
    assert "incomplete: stopped by timeout" in done.stdout
    ElementTree.parse(picture)


def test_the_counts_are_printed_if_the_picture_cannot_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "picture.svg"
    folder.mkdir()
    for command in (["solve", "cube"], ["unique", "cube"]):
        done = run(*command, "--svg", folder)
        assert done.returncode == 2
        assert done.stdout.splitlines()[-1].startswith("cube: ")
        assert done.stderr == f"jigsat: {folder}: cannot be written: is a directory\n"


def test_a_store_that_cannot_be_completed_does_not_change_the_answer(
    few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise Stopped("the disk is full")

    monkeypatch.setattr(Ledger, "finish", fail)
    enumeration = Enumeration(jigsat.load(few), store=tmp_path / "store")
    assert len(list(enumeration)) == 81
    assert (enumeration.result.complete, enumeration.result.stopped_by) == (
        True,
        "the disk is full",
    )


def test_redirected_output_is_not_mixed_with_progress(many: Path, tmp_path: Path) -> None:
    script = (
        "import jigsat.cli.common as common; common.PROGRESS_DELAY_S = 0; from jigsat.cli "
        "import main; main()"
    )
    command = [sys.executable, "-c", script, "solve", str(many), "--show", "100000", "--timeout"]
    shown, text = with_time(
        lambda seconds: on_a_terminal([*command, str(seconds)], tmp_path),
        lambda told: "Solution" in told[1],
    )
    assert "distinct found" in shown and "\\x1b" not in shown
    assert "Solution" not in shown and "at least" not in shown
    last = text.splitlines()[-1]
    assert f" {text.count('Solution ')} up to rotation; incomplete" in last.replace(",", "")


def on_a_terminal(command: list[str], folder: Path) -> tuple[str, str]:
    """What a command with its stdout in a file shows on the terminal of its stderr, and what is in
    the file."""
    seen, (leader, follower) = [], pty.openpty()

    def watch() -> None:
        with open(leader, "rb", buffering=0, closefd=False) as terminal:
            try:
                while part := terminal.read(4096):
                    seen.append(part)
            except OSError:  # the other end is closed
                return

    watcher = threading.Thread(target=watch)
    watcher.start()
    output = folder / "output"
    with output.open("wb") as file:
        subprocess.run(command, stdout=file, stderr=follower, timeout=2 * LONG, check=False)
    os.close(follower)
    watcher.join(10)
    os.close(leader)
    return b"".join(seen).decode(), output.read_text(encoding="utf-8")


# -- several puzzles


@pytest.mark.skipif(not is_compiled(), reason="jigsat was installed without a C compiler")
def test_what_is_known_comes_before_each_search_that_is_not_brief(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    subject = PuzzleSubject(jigsat.load("sudoku-hard"))

    def list_events(backend: str) -> list[Event]:
        with closing(Desk(backend)) as desk:
            task = Task(subject, FirstSolutions(), Means(backend))
            return [event for event in answer_task(task, desk) if not isinstance(event, Chosen)]

    first, last = list_events("auto")
    assert isinstance(first, Found) and isinstance(last, Established)
    monkeypatch.setattr(clues, "BRIEF_NODES", 1)
    for backend in ("auto", "minisat22"):
        assert list_events(backend) == [
            LongSearch(),
            first,
            LongSearch(),
            Established("refutation"),
        ]


def test_every_puzzle_has_an_answer_after_a_timeout(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    puzzles = [jigsat.load(name) for name in ("cats", "cube", "fish")]
    solutions = [next(jigsat.solutions(puzzle)).placements for puzzle in puzzles]

    def slow(task: Task, desk: Desk, known: object) -> Iterator[Event]:
        number = puzzles.index(task.puzzle)
        yield Found(solutions[number])
        yield LongSearch()
        if number == 1:
            time.sleep(60)
        yield Established("refutation")

    monkeypatch.setattr(many, "answer_task", slow)
    stops: list[Stopped] = []

    def limited(seconds: float) -> list[Answer]:
        answers = list[Answer]()
        stops.clear()
        means = Means("minisat22", timeout=seconds)
        try:
            answers.extend(find_first_solutions(FirstSolutions(), puzzles, means))
        except Stopped as stop:
            stops.append(stop)
        return answers

    one, two, three = with_time(limited, lambda answers: answers[1].solutions)
    assert (one.stopped_by, one.json()["unique"], str(one)) == (None, True, "unique")
    assert (two.stopped_by, two.json()["unique"], str(two)) == (
        "timeout",
        None,
        "at least 1 solution; stopped by timeout",
    )
    assert len(two.json()["found"]) == 1
    assert (three.stopped_by, three.json()["found"]) == ("timeout", [])
    print_answers(iter([three]), lambda _: 0, as_json=False)
    assert capsys.readouterr().out == ""
    assert [stop.reason for stop in stops] == ["timeout"]
    assert str(stops[0]).startswith("cube: ")


@pytest.mark.parametrize("command", ["unique", "rate"])
def test_a_timeout_prints_objects_too(command: str) -> None:
    one, two = (
        run(command, "cats", "--timeout", "0", "--json"),
        run(command, "cats", "fish", "--timeout", "0", "--json"),
    )
    assert (one.returncode, two.returncode) == (3, 3)
    answer = json.loads(one.stdout)
    assert (answer["instance"], answer["stopped_by"]) == ("cats", "timeout")
    assert answer["unique" if command == "unique" else "level"] is None
    assert [json.loads(line)["instance"] for line in two.stdout.splitlines()] == ["cats", "fish"]


# -- the same each time


def test_several_processes_list_the_same_solutions_in_the_same_order(few: Path) -> None:
    one, two, three = (
        json.loads(run("solve", few, "--jobs", jobs, "--json").stdout) for jobs in ("1", "2", "2")
    )
    assert len(one["found"]) == 81
    assert one["found"] == two["found"] == three["found"]


def test_a_memory_limit_applies_to_counting_without_a_list() -> None:
    done = run("count", "lights-5x5", "--memory", "1", "--json")
    assert (done.returncode, done.stderr) == (
        3,
        "jigsat: lights-5x5: stopped by memory; --memory raises the limit\n",
    )
    assert json.loads(done.stdout)["stopped_by"] == "memory"
    assert run("solve", "lights-5x5", "--backend", "gf2", "--memory", "1").returncode == 3


def test_a_minimum_is_proved_even_if_the_list_is_incomplete() -> None:
    limited = run(
        "solve", "lights-5x5", "--minimize", "--limit", "1", "--up-to", "nothing", "--show", "0"
    ).stdout
    assert "at least 1 solution with the minimum 15 (proved)" in limited
    answer = json.loads(run("solve", "lights-5x5", "--minimize", "--limit", "1", "--json").stdout)
    assert (answer["minimum"], answer["minimum_proved"], answer["complete"]) == (15, True, False)
    assert json.loads(run("solve", "lights-5x5", "--json").stdout)["minimum_proved"] is None


def test_a_minimum_is_known_before_there_is_a_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(*_: Any, **__: Any) -> Any:
        raise Stopped("given up")

    enumeration = Enumeration(jigsat.load("lights-5x5"), minimize=True)
    assert (enumeration.result.minimum, enumeration.result.minimum_proved) == (None, False)
    monkeypatch.setattr("jigsat.answering.ways.models", give_up)
    assert list(enumeration) == []
    assert (enumeration.result.minimum, enumeration.result.minimum_proved) == (15, True)
    assert (enumeration.result.complete, enumeration.result.stopped_by) == (False, "given up")


@pytest.mark.parametrize(
    "command",
    [("solve", "cube"), ("unique", "cube"), ("decode", "cube", "/dev/null")],
    ids=" ".join,
)
def test_pictures_of_other_kinds_are_refused(tmp_path: Path, command: tuple[str, ...]) -> None:
    done = run(*command, "--picture", tmp_path / "cube.jpg")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(
        "cube.jpg: unknown suffix; name a file that ends in .svg, .png or .pdf\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (("prove", "lights-5x5", "-o", "proof"), "lights-5x5: no proof: terminated"),
        (("export", "lights-5x5", "-o", "out.cnf.xz"), "out.cnf.xz: not written: terminated"),
        (("explain", "lights-5x5"), "lights-5x5: terminated"),
        (("explain", "lights-5x5", "--clues"), "lights-5x5: terminated"),
        (("unique", "lights-5x5"), "lights-5x5: terminated"),
        (("rate", "lights-5x5"), "lights-5x5: terminated while rating"),
        (("sample", "lights-5x5"), "lights-5x5: terminated"),
    ],
    ids=" ".join,
)
def test_a_signal_is_one_line_with_what_it_stopped_and_leaves_no_file(
    command: tuple[str, ...], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def terminated(*_: object) -> None:
        os.kill(os.getppid() if child._inside else os.getpid(), signal.SIGTERM)
        time.sleep(LONG)

    monkeypatch.setattr(type(jigsat.load("lights-5x5")), "encode", terminated)
    done = forked.run(*command, folder=tmp_path)
    assert (done.status, done.err) == (143, f"jigsat: {complaint}\n")
    assert "stopped by" not in done.out or command[0] == "unique"
    assert list(tmp_path.iterdir()) == []


def test_a_signal_in_the_midst_of_writing_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(*_: object) -> Iterator[str]:
        yield "p cnf 1 1\n" * 100_000
        os.kill(os.getppid(), signal.SIGTERM)
        time.sleep(LONG)

    monkeypatch.setattr("jigsat.services.export.lines", cut_off)
    (tmp_path / "out.cnf").write_text("whole")
    assert forked.run("export", "cats", "-o", "out.cnf", folder=tmp_path).status == 143
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("out.cnf", "whole")]


FULL = "cannot be written: no space left on device"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    ("command", "file"),
    [
        (("solve", "cube", "--svg", "out.svg"), "out.svg"),
        (("unique", "cube", "--svg", "out.svg"), "out.svg"),
        (("generate", "sudoku", "-o", "out.toml", "--force"), "out.toml"),
        (("compare", "cats", "--backends", "cadical195", "--csv", "out.csv"), "out.csv"),
        (("export", "cats", "-o", "out.opb.gz"), "out.opb.gz"),
    ],
    ids=" ".join,
)
def test_a_full_disk_is_status_3_in_every_command(
    command: tuple[str, ...], file: str, tmp_path: Path
) -> None:
    (tmp_path / file).symlink_to("/dev/full")
    done = forked.run(*command, folder=tmp_path)
    assert done.status == 3
    assert done.err.splitlines()[-1] == f"jigsat: {file}: {FULL}"
    assert done.out or command[0] == "export", "what was found is lost"
    assert [path.name for path in tmp_path.iterdir()] == [file]
    if command[0] == "generate":
        return  # it makes the folder
    missing = forked.run(
        *(f"nowhere/{word}" if word == file else word for word in command), folder=tmp_path
    )
    assert missing.status == 2 and "nowhere" in missing.err


def test_a_file_may_have_the_longest_name_that_there_is(tmp_path: Path) -> None:
    name = "é" * 125 + ".cnf"
    assert forked.run("export", "cats", "-o", name, folder=tmp_path).status == 0
    assert [path.name for path in tmp_path.iterdir()] == [name]
