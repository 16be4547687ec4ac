"""What a comparison shows: tables, sentences, CSV and messages."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.comparing import HONEST, LIMIT, command, make_run, run_compare, write_file_of_runs

import jigsat
from jigsat.cli.compare import _follow_runs
from jigsat.comparison.circumstances import find_circumstances
from jigsat.comparison.log import Conditions, Log
from jigsat.comparison.matrix import Combination, Run
from jigsat.comparison.scores import (
    par2,
)
from jigsat.puzzle import Puzzle
from jigsat.services.compare import CompareRequest, Comparison


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["cats", "--backends", "nobody"], "unknown backend 'nobody'"),
        (["cats", "--amo", "naive"], "--amo: unknown at-most-one encoding 'naive'"),
        (["nothing"], "nothing: unknown instance"),
        ([], "name at least one instance"),
        (["cats", "--task", "some"], "unknown task 'some'"),
        (["cats", "--seeds", "5..1"], "--seeds: '5..1' has to be 1 to 1000 numbers"),
        (["cats", "--seeds", "x"], "--seeds: 'x' is no number or range"),
        (["cats", "--seeds", "1..9999999999"], "--seeds: 9999999999 is larger than 2,000,000,000"),
        (["cats", "--seeds", "9" * 5000], "is larger than 2,000,000,000"),
        (["cats", "--timeout", "inf"], "Invalid value for '--timeout'"),
        (["cats", "--repeat", "0"], "Invalid value for '--repeat'"),
        (["cats", "--csv", "/no/table.csv"], "--csv: there is no directory /no"),
        (["cats", "--plots", "/dev/null"], "--plots: /dev/null is no directory"),
        (["cats", "--resume", "runs", "--csv", "./runs"], "--csv: runs has the runs"),
        (["--from", "runs.json", "--csv", "runs.json"], "--csv: runs.json has the runs"),
        (["cats", "--from", "runs.json"], "--from: name either a file of runs or instances"),
        (["--from", "runs.json", "--timeout", "60"], "--from runs nothing; leave out --timeout"),
        (["--from", "runs.json", "--resume", "x"], "--from runs nothing; leave out --resume"),
        (["--from", "/dev/null"], "/dev/null: no runs"),
        (["cats", "--resume", "/dev/null"], "/dev/null: not a regular file"),
    ],
)
def test_wrong_input_is_one_line_and_status_2(arguments: list[str], says: str) -> None:
    done = command(*arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


def make_timed(started: str, date: str, session: int, load_end: float, niceness: int) -> Run:
    return replace(
        make_run("x", "a", 1.0),
        started=f"2026-11-29T{started}+00:00",
        date=f"2026-11-29T{date}+00:00",
        session=session,
        load_start=load_end / 2,
        load_end=load_end,
        nice_start=niceness,
        nice_end=niceness,
    )


def test_the_circumstances_of_all_runs_are_stated(tmp_path: Path) -> None:
    """The time between two sessions does not count."""
    log_file = tmp_path / "runs"
    runs = [
        make_timed("10:00:02.000", "10:00:03.500", 1, load_end=3.0, niceness=0),
        make_timed("10:00:00.000", "10:00:02.000", 1, load_end=0.5, niceness=0),
        make_timed("15:00:00.000", "15:00:01.000", 2, load_end=1.0, niceness=10),
        make_run("x", "b", 1.0),
    ]
    runs = [replace(run, repeat=number) for number, run in enumerate(runs, 1)]
    known = find_circumstances(runs)
    assert known is not None
    assert known.json() == {
        "duration": 4.5,
        "load_start": 0.25,
        "load_end": 1.0,
        "load_most": 3.0,
        "niceness": [0, 10],
    }
    assert find_circumstances(runs[-1:]) is None
    write_file_of_runs(log_file, *((run, LIMIT) for run in runs))
    sentence = (
        "The runs took 4.5 s on the wall in total; load average 0.25 at the start, 1.00 at the "
        "end, at most 3.00; niceness 0 and 10."
    )
    assert sentence in command("--from", log_file).stdout
    assert json.loads(command("--from", log_file, "--json").stdout)["circumstances"] == known.json()


def test_a_time_that_does_not_fit_start_and_end_is_noticed(
    script: Callable[..., str], formula: str, tmp_path: Path
) -> None:
    """Edited times; a run that was not edited fits, also with a slow start and a control question."""
    log_file = tmp_path / "runs"
    slow = script(f"sleep 1.2; {HONEST}")
    done = command(formula, "--backends", slow, "--task", "refute", "--resume", log_file)
    assert "not the one between" not in done.stdout
    assert command("--from", log_file).stderr == ""
    *lines, last = log_file.read_text().splitlines()
    item = json.loads(last)
    assert item["run"]["preparation"] > 1.2
    for name in ("seconds", "wall", "encode", "program"):
        item["run"][name] /= 30
    log_file.write_text("\n".join([*lines, json.dumps(item), ""]))
    edited = command("--from", log_file)
    sentence = "1 run with a time on the wall that is not the one between start and end"
    assert edited.stderr.startswith(f"{log_file}: {sentence} (1 of {slow}): the clock was set")
    assert f"{sentence} (1 of {slow})" in edited.stdout


def test_the_sentence_about_waiting_says_what_it_counts(tmp_path: Path) -> None:
    """The first run waited for more than its processor time, but not for a second more."""
    log_file = tmp_path / "runs"
    walls = {"x": 1.0, "y": 1.3}
    runs = [replace(make_run(name, "a", 0.1), wall=wall) for name, wall in walls.items()]
    write_file_of_runs(log_file, *((run, LIMIT) for run in runs))
    shown = command("--from", log_file).stdout
    assert (
        "1 of 2 runs took more time on the wall than twice their processor time and 1 s (1 of a)"
    ) in shown


def test_families_have_tables_of_their_own(tmp_path: Path) -> None:
    log_file = tmp_path / "runs"
    times = {f"x{i}": ("tiling", 2.0) for i in range(6)} | {"z": ("sudoku", 5.0)}
    runs = [
        replace(make_run(name, "a", seconds), family=family)
        for name, (family, seconds) in times.items()
    ]
    write_file_of_runs(log_file, *((run, LIMIT) for run in runs))
    lines = [" ".join(line.split()) for line in command("--from", log_file).stdout.splitlines()]
    assert "a 2.000 2.000 to 2.000 6 of 6 6/6" in lines[lines.index("tiling, 6 instances:") :]
    assert "a 5.000 1 of 1 1/1" in lines[lines.index("sudoku, 1 instance:") :]
    families = json.loads(command("--from", log_file, "--json").stdout)["families"]
    assert {name: rows[0]["par2"] for name, rows in families.items()} == {
        "tiling": 2.0,
        "sudoku": 5.0,
    }
    assert families["tiling"][0]["instances"] == 6
    write_file_of_runs(tmp_path / "one", *((run, LIMIT) for run in runs[:6]))
    assert "tiling" not in command("--from", tmp_path / "one").stdout


def test_nothing_in_a_table_is_anonymous(formula: str, tmp_path: Path) -> None:
    table = tmp_path / "runs.csv"
    command(formula, "--backends", "cadical195", "--amo", "ladder", "--csv", table)
    with table.open(newline="") as text:
        (row,) = csv.DictReader(text)
    assert row["jigsat"] == jigsat.__version__
    assert row["solver"].startswith("python-sat ")
    assert len(row["formula"]) == 64
    assert row["amo"] == "ladder"
    assert row["machine"]
    assert row["date"].startswith("20")
    assert (row["timeout"], row["memory_limit"], row["shuffle"]) == ("60.0", "4096", "1")
    assert int(row["memory"]) > 2**20
    assert row["started"] < row["date"]
    assert float(row["load_start"]) >= 0
    assert float(row["load_end"]) >= 0
    assert int(row["nice_start"]) == int(row["nice_end"]) == os.getpriority(os.PRIO_PROCESS, 0)
    assert row["family"] == ""


def test_options_of_solvers_and_changes_of_puzzles_are_written(
    script: Callable[..., str], tmp_path: Path
) -> None:
    """Also if they come from a file of runs."""
    log_file = tmp_path / "runs"
    words = tmp_path / "words"
    program = script(f"echo $1 $2 >> {words}; exit 1", "cadical")  # it gives up
    names = ["latin-4", "--set", "grid=1234 3412 2143 432.", "--backends"]
    options = ["--task", "first", "--resume", log_file]
    output = run_compare(*names, f"{program},clingo,ortools,cover", *options)
    stated = {run["backend"]: run["options"] for run in output["runs"]}
    assert stated[program] == "-q {cnf}"
    assert words.read_text().splitlines()[-1].startswith("-q /")
    assert "--configuration=crafty" in stated["clingo"]
    assert "num_workers=1 " in stated["ortools"]
    assert stated["cover"] == ""
    assert output["conditions"]["changes"] == "grid=1234 3412 2143 432."
    shown = command("--from", log_file, "--csv", tmp_path / "table.csv").stdout
    assert f"({stated['clingo']})" in shown
    assert "Changed in the puzzles: grid=1234 3412 2143 432.." in shown
    with (tmp_path / "table.csv").open(newline="") as text:
        rows = list(csv.DictReader(text))
    assert {row["backend"]: row["options"] for row in rows} == stated
    assert {row["changes"] for row in rows} == {"grid=1234 3412 2143 432."}

    text_of_runs = log_file.read_text()
    assert text_of_runs.count("crafty") == 1
    log_file.write_text(text_of_runs.replace("crafty", "handy"))
    again = command(*names, "clingo", *options).stderr
    assert "1 run again: the solver's options were --configuration=handy " in again


def test_progress_in_a_file_is_a_line(
    cats: dict[str, Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[Any] = []
    monkeypatch.setattr("jigsat.cli.compare.live", lambda shown: shows_now(shown, lines))
    _follow_runs(Comparison(CompareRequest(cats, ["cadical195", "minisat22"])))
    assert lines == ["0 of 2 runs", "2 of 2 runs"]


@contextmanager
def shows_now(shown: Callable[[], Any], lines: list[Any]) -> Iterator[None]:
    lines.append(shown())
    yield
    lines.append(shown())


def test_runs_of_different_instances_are_not_compared(formula: str, tmp_path: Path) -> None:
    """Half of the runs of a comparison that was stopped, in no order."""
    log_file = tmp_path / "runs"
    conditions = Conditions(timeout=10.0, memory=1)
    with closing(Log(log_file)) as log:
        for instance, backend in [("y", "b"), ("x", "a"), ("y", "a")]:
            log.add(Run(Combination(instance, backend), "complete", task="first"), conditions)
    shown = command("--from", log_file).stdout
    sentence = "Not all choices were run on the same instances"
    assert sentence in shown
    many = [make_run(name, "b", 5) for name in "xyz"] + [make_run("x", "a", 1)]
    assert [row.backend for row in par2(many, 10)][:2] == ["b", "a"]
    assert [line.split()[:2] for line in shown.splitlines()[1:4]] == [
        ["x", "a"],
        ["y", "a"],
        ["y", "b"],
    ]
    assert sentence not in command(formula, "--backends", "cadical195,minisat22").stdout


def test_of_many_pairs_those_with_the_best_choice_are_shown(formula: str) -> None:
    names = "cadical153,cadical195,glucose3,glucose4,minisat22,lingeling,maplechrono"
    shown = command(formula, "--backends", names, "--seeds", "1..2").stdout
    _, _, after = shown.partition("\nPairs with ")
    best = after.partition(";")[0]
    rows = after.partition("95 % interval\n")[2].partition("A tie: ")[0].splitlines()
    assert len(rows) == 6
    assert all(best in row for row in rows)
    assert "seeds of the solvers: 1, 2 for cadical195; cadical153, glucose3, " in shown


def test_each_row_is_one_run(tmp_path: Path) -> None:
    """All its numbers are those of the median run; of four runs, it is the third."""
    log_file = tmp_path / "runs"
    runs = []
    for number in (3, 1, 4, 2):
        run = replace(make_run("x", "a", float(number)), task="first", solutions=1)
        run = replace(run, repeat=number, first=number / 10, encode=number / 100, wall=10 * number)
        sizes = {"conflicts": 100 * number, "propagations": 1000 * number}
        runs.append(replace(run, memory=number * 2**20, **sizes))
    write_file_of_runs(log_file, *((run, LIMIT) for run in runs))
    done = command("--from", log_file)
    (row,) = [line.split() for line in done.stdout.splitlines() if line.startswith("x ")]
    third = "x a complete 0.300 0.030 3.000 1.000 to 4.000 30.000 1 300 3,000 3"
    assert row == third.split()
    assert "Each row of the first table is the median run, " in done.stdout
    (score,) = json.loads(command("--from", log_file, "--json").stdout)["par2"]
    assert score["par2"] == 3


def test_the_memory_of_a_program_is_shown_if_it_is_known(tmp_path: Path) -> None:
    log_file = tmp_path / "runs"
    run = replace(make_run("x", "a", 1.0), memory=75 * 2**20)
    program = replace(run, program=0.5, program_memory=14 * 2**20)
    program = replace(program, combination=Combination("x", "b"))
    write_file_of_runs(log_file, (run, LIMIT), (program, LIMIT))
    rows = [line.split() for line in command("--from", log_file).stdout.splitlines()]
    assert [row[-1] for row in rows if row[:1] == ["x"]] == ["75", "14"]


def test_refused_runs_do_not_look_like_failures(tmp_path: Path) -> None:
    log_file = tmp_path / "runs"
    runs = [make_run(name, "a", 1.0) for name in "xyz"]
    runs[2].status = "refused: it is too large"
    write_file_of_runs(log_file, *((run, LIMIT) for run in runs))
    lines = [" ".join(line.split()) for line in command("--from", log_file).stdout.splitlines()]
    assert "a 1.000 2 of 2 2/2, 1 refused" in lines


def test_the_number_of_excluded_solutions_is_shown(tmp_path: Path) -> None:
    log_file = tmp_path / "runs"
    run = replace(make_run("x", "a", 1.0), task="refute", excluded=4321)
    write_file_of_runs(log_file, (run, LIMIT))
    head, row = (line.split() for line in command("--from", log_file).stdout.splitlines()[:2])
    assert "excluded" in head
    assert "4,321" in row
    write_file_of_runs(tmp_path / "other", (make_run("x", "a", 1.0), LIMIT))
    assert "excluded" not in command("--from", tmp_path / "other").stdout


def test_a_small_probability_is_not_written_as_none(tmp_path: Path) -> None:
    log_file = tmp_path / "runs"
    with closing(Log(log_file)) as log:
        for number in range(12):
            for backend, seconds in (("slow", 2.0), ("fast", 1.0)):
                run = make_run(str(number), backend, seconds)
                log.add(run, Conditions(timeout=10.0, memory=1))
    shown = command("--from", log_file).stdout
    rows = [line.split() for line in shown.splitlines()]
    pair = ["fast", "slow", "12", "0", "0", "<", "0.001", "-1.000", "-1.000", "to", "-1.000"]
    assert pair in rows
    assert "p: sign test of wins against losses. Difference: " in shown
    assert "no difference is shown.\n" in shown
