"""Comparisons: counts, limits, wrong answers and resumed runs."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from importlib.util import find_spec
from math import comb
from pathlib import Path
from statistics import stdev
from typing import Any

import pytest
from support.command import JIGSAT
from support.forked import memory_beside_this_process
from support.inside import run
from support.waiting import LONG, soon

import jigsat
from jigsat.answering import ways as strategies
from jigsat.backends import registry
from jigsat.backends.base import Capabilities, Spec
from jigsat.cli.compare import _follow_runs
from jigsat.comparison import matrix as compare
from jigsat.comparison import tasks, versions
from jigsat.comparison.circumstances import find_circumstances
from jigsat.comparison.log import Conditions, Log, Results, find_earlier, read_runs
from jigsat.comparison.matrix import Combination, Run
from jigsat.comparison.scores import (
    compare_encodings,
    count_equal_seeds,
    count_missing,
    describe_missing,
    enclose_median,
    estimate_interval,
    list_incomplete_choices,
    pairs,
    par2,
    summarize,
)
from jigsat.comparison.verdicts import disagreements, judge, list_stated
from jigsat.comparison.versions import hash_code
from jigsat.errors import InputError, Stopped
from jigsat.puzzle import Puzzle
from jigsat.runtime.untrusted import canonical
from jigsat.services.compare import CompareRequest, Comparison, describe_results
from jigsat.subject import subject_of


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    return run("compare", *arguments)


def usual_limits() -> dict[str, Any]:
    return {"timeout": 20.0, "memory": memory_beside_this_process(1024) * 2**20}


def finished(
    puzzles: dict[str, Puzzle], *chosen: tuple[str, str], jobs: int = 1, **limits: Any
) -> dict[str, Run]:
    """The runs of all puzzles with the chosen backends and encodings, by label."""
    wanted = []
    for name, puzzle in puzzles.items():
        stated = list_stated(puzzle, "all")
        wanted += [Run(Combination(name, *choice), stated=stated) for choice in chosen]
    runs = compare.runs(puzzles, wanted, jobs=jobs, **usual_limits() | limits)
    ended = judge([run for run in runs if run.status != "running"])
    return {run.combination.label: run for run in ended}


@pytest.fixture
def cats() -> dict[str, Puzzle]:
    return {"cats": jigsat.load("cats")}


def test_completed_runs_agree(cats: dict[str, Puzzle]) -> None:
    runs = finished(
        cats, ("cadical195", "pairwise"), ("minisat22", "totalizer"), ("z3", ""), jobs=2
    )
    assert {run.status for run in runs.values()} == {"complete"}
    assert {run.solutions for run in runs.values()} == {4}
    assert disagreements([*runs.values()]) == []
    for each in runs.values():
        assert each.first is not None
        assert 0 < each.first <= each.seconds
        assert 0 < each.encode < each.seconds
        assert each.wall > 0
        assert each.memory > 2**23
        assert each.conflicts is not None
    assert runs["cadical195 pairwise"].clauses != runs["minisat22 totalizer"].clauses
    pairwise = runs["cadical195 pairwise"]
    lowered = jigsat.Lowered(cats["cats"].encode(), jigsat.Lowering(at_most_one="pairwise"))
    sizes = [len(clause.literals) for clause in lowered]
    assert (pairwise.clauses, pairwise.literals) == (len(sizes), sum(sizes))
    assert pairwise.variables == lowered.top


class MadeUpModels(Iterator[Any]):
    """Models that a test made up, in place of a search."""

    refuted = False
    complete = True

    def __init__(self, models: Iterable[Any], backend: str) -> None:
        self.backend = backend
        self._models = iter(models)

    def __next__(self) -> Any:
        return next(self._models)

    def close(self) -> None:
        pass


def test_a_backend_that_loses_solutions_is_named(
    cats: dict[str, Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = strategies.models

    def losing(formula: Any, backend: str, **options: Any) -> Iterator[Any]:
        if backend == "z3":
            return MadeUpModels((), backend)
        return honest(formula, backend, **options)

    monkeypatch.setattr(strategies, "models", losing)
    runs = finished(cats, ("cadical195", ""), ("z3", ""))
    output = disagreements([*runs.values()])
    assert "cats: z3: wrong: it says 0 solutions, but cadical195 found 4 (checked)" in output
    assert (runs["z3"].complete, runs["cadical195"].complete) == (False, True)


def test_a_crash_does_not_affect_other_runs(
    cats: dict[str, Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = strategies.models

    def crashing(formula: Any, backend: str, **options: Any) -> Iterator[Any]:
        if backend == "z3":
            os.kill(os.getpid(), signal.SIGKILL)
        return honest(formula, backend, **options)

    monkeypatch.setattr(strategies, "models", crashing)
    runs = finished(cats, ("z3", ""), ("cadical195", ""), jobs=2)
    assert runs["z3"].status == "crash: a process of jigsat was killed by SIGKILL"
    assert runs["cadical195"].complete
    assert disagreements([*runs.values()]) == []


def test_wrong_solutions_are_reported(
    cats: dict[str, Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(formula: Any, backend: str, **options: Any) -> Iterator[Any]:
        return MadeUpModels([frozenset(formula.decisions()[:9])], backend)

    monkeypatch.setattr(strategies, "models", wrong)
    runs = finished(cats, ("cadical195", ""))
    assert runs["cadical195"].status.startswith("wrong: ")
    assert [text[:24] for text in disagreements([*runs.values()])] == ["cats: cadical195: wrong:"]


def test_too_many_solutions_disagree_even_in_an_incomplete_run(cats: dict[str, Puzzle]) -> None:
    runs = [
        Run(Combination("cats", "a", ""), "complete", solutions=4, distinct={"rotation": 1}),
        Run(Combination("cats", "b", ""), "timeout", solutions=8, distinct={"rotation": 1}),
        Run(Combination("cats", "c", ""), "timeout", solutions=3, distinct={"rotation": 1}),
    ]
    assert disagreements(judge(runs)) == [
        "cats: a: wrong: it says 4 solutions, but b found 8 (checked)",
    ]
    counted = [replace(run, task="count") for run in runs]
    assert disagreements(judge(counted)) == ["cats: solutions: 4, but b found 8"]


def test_choices_that_make_no_difference_are_not_run_twice(cats: dict[str, Puzzle]) -> None:
    able = {"lowers": Capabilities(), "native": Capabilities(cardinality=True), "absent": None}
    puzzles = cats | {"cube": jigsat.load("cube")}
    assert list(
        compare.combinations(puzzles, able, ["pairwise", "ladder"], ["labels", "supports"])
    ) == [
        ("cats", "lowers", "pairwise", "labels", ""),
        ("cats", "lowers", "pairwise", "supports", ""),
        ("cats", "lowers", "ladder", "labels", ""),
        ("cats", "lowers", "ladder", "supports", ""),
        ("cats", "native", "", "labels", ""),
        ("cats", "native", "", "supports", ""),
        ("cats", "absent", "", "", ""),
        ("cube", "lowers", "pairwise", "", ""),
        ("cube", "lowers", "ladder", "", ""),
        ("cube", "native", "", "", ""),
        ("cube", "absent", "", "", ""),
    ]
    assert list(compare.combinations(cats, able)) == [("cats", name, "", "", "") for name in able]
    with pytest.raises(jigsat.InputError, match="unknown encoding 'other'; use one of 'conflicts'"):
        list(compare.combinations(puzzles, able, [], ["labels", "other"]))


def test_encodings_of_a_family_are_compared(cats: dict[str, Puzzle]) -> None:
    runs = compare.runs(
        cats,
        [Run(Combination("cats", "cadical195", encoding=name)) for name in ("labels", "conflicts")],
        **usual_limits(),
    )
    done = {run.combination.encoding: run for run in runs if run.complete}
    assert done["labels"].solutions == done["conflicts"].solutions == 4
    assert done["labels"].clauses != done["conflicts"].clauses


def test_limits_end_a_run() -> None:
    many = {"fish-plain": jigsat.load("fish-plain")}
    (run,) = finished(many, ("cadical195", ""), timeout=1.0).values()
    assert (run.status, run.complete) == ("timeout", False)
    assert run.seconds > 0.5
    (run,) = finished(many, ("cadical195", ""), memory=45 * 2**20).values()
    assert run.status == "memory"
    assert run.memory > 45 * 2**20


def test_par2_counts_incomplete_runs_with_twice_the_limit() -> None:
    def run(instance: str, backend: str, status: str, seconds: float) -> Run:
        return Run(Combination(instance, backend, ""), status, seconds=seconds)

    done = [
        run("x", "a", "complete", 2),
        run("y", "a", "timeout", 10),
        run("x", "b", "complete", 4),
        run("y", "b", "complete", 6),
    ]
    done.append(run("x", "c", "absent: no such library", 0))
    done += [run("x", "d", "complete", 1), run("y", "d", "refused: no exact cover", 0)]
    rows = [(row.backend, row.par2, row.completed, row.instances) for row in par2(done, 10)]
    # What d refuses is no time of d, so it is not on the same instances and there is no order.
    assert rows == [("a", 11, 1, 2), ("b", 5, 2, 2), ("d", 1, 1, 1), ("virtual best", 1, 1, 1)]


def test_the_command_shows_writes_and_resumes(tmp_path: Path) -> None:
    few, file, kept = tmp_path / "few.toml", tmp_path / "runs.csv", tmp_path / "runs.jsonl"
    few.write_text(
        'family = "edge-matching"\nboard = "square 2x2"\nreusable = true\n'
        'tiles = { a = ["x", "x", "y", "y"], b = ["x", "y", "z", "y"], c = ["z", "z", "x", "y"] }\n'
    )
    arguments = [
        "cats",
        few,
        "--backends",
        "cadical195,cryptosat,z3",
        "--amo",
        "auto,seqcounter",
        "--resume",
        kept,
    ]
    done = command(*arguments, "--csv", file)
    assert done.returncode == 0, done.stderr
    assert "299/81" in done.stdout
    assert (
        "cats, few: cryptosat: absent: the backend cryptosat cannot be used: python-sat is "
        "installed" in done.stdout
    )
    with file.open(newline="") as text:
        rows = list(csv.DictReader(text))
    assert len(rows) == 8
    assert {
        row["solutions"] for row in rows if row["instance"] == "few" and row["status"] == "complete"
    } == {"299"}
    before = kept.read_bytes()
    again = command(*arguments, "--json")
    assert again.stderr == f"{kept}: 6 runs already finished\n"
    answer = json.loads(again.stdout)
    assert [run["seconds"] for run in answer["runs"]] == [float(row["seconds"]) for row in rows]
    assert answer["disagreements"] == []
    assert kept.read_bytes() == before
    # A different limit needs a new run, which is planned first.
    other = command("cats", "--backends", "z3", "--resume", kept, "--timeout", "50")
    assert f"{kept}: 1 run again: timeout was 60.0, and is 50.0\n" in other.stderr
    assert len(kept.read_bytes().splitlines()) == len(before.splitlines()) + 2


def test_runs_in_a_file_that_was_cut_off_are_kept(tmp_path: Path) -> None:
    path, conditions = tmp_path / "runs.jsonl", Conditions(timeout=10.0, memory=1)
    with closing(Log(path)) as log:
        for backend in "ab":
            log.add(Run(Combination("x", backend), "complete"), conditions)
        with pytest.raises(InputError, match="in use by another run"):
            Log(path)
    whole = path.read_bytes()
    ends = [i for i, byte in enumerate(whole, 1) if byte == ord("\n")]
    beside = {end + i for end in ends for i in (-1, 0, 1) if end + i <= len(whole)}
    for length in sorted({*range(0, len(whole), 29), *beside}):
        path.write_bytes(whole[:length])
        with closing(Log(path)) as log:
            done = [run.combination.backend for run, _ in log.done]
            log.add(Run(Combination("x", "c"), "complete"), conditions)
        assert done == ["a", "b"][: max(0, whole[:length].count(b"\n") - 1)]
        with closing(Log(path)) as log:
            assert [run.combination.backend for run, _ in log.done] == [*done, "c"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"my notes\n", "not a file of runs"),
        (b'{"jigsat":"runs","version":1}\n', "the format is 1, not 7"),
        (Log.FIRST_LINE + b'{"run":5,"conditions":{}}\n', "line 2: not a run: .*; remove the line"),
        (Log.FIRST_LINE + b"\xff\n", "line 2: not a run: .*; remove the line"),
    ],
)
def test_other_files_of_runs_are_refused_unchanged(
    content: bytes, says: str, tmp_path: Path
) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=says):
        Log(path)
    assert path.read_bytes() == content


def test_a_count_that_contradicts_the_file_is_an_error(tmp_path: Path) -> None:
    denied = tmp_path / "denied.toml"
    text = Path(jigsat.instance.find("cats")).read_text()
    denied.write_text(text.replace("solutions = 4", "solutions = 5"))
    done = command(denied, "--backends", "cadical195,z3")
    assert done.returncode == 1
    message = "solutions: 5 (the file), 4 (cadical195, z3); 4 is established"
    assert done.stderr == f"jigsat: denied: {message}\n"
    assert "disputed," not in done.stdout
    one = command(denied, "--backends", "cadical195")
    assert one.returncode == 1
    assert one.stderr == "jigsat: denied: solutions: 5 (the file), 4 (cadical195)\n"


def test_backends_that_only_count_are_compared(tmp_path: Path) -> None:
    formula = tmp_path / "cats.cnf"
    jigsat.export("cats", formula)
    options = ["--backends", "counting,cadical195", "--repeat", "2", "--task", "count", "--json"]
    done = command("cats", formula, *options)
    runs = json.loads(done.stdout)["runs"]
    output = [(run["instance"], run["way"], run["status"].partition(":")[0]) for run in runs]
    assert output == [
        *[("cats", "native", "complete")] * 2,
        *[("cats", "search", "complete")] * 2,
        *[("cats.cnf", "native", "refused")] * 2,
        *[("cats.cnf", "search", "complete")] * 2,
    ]
    changed = command(
        "lights-5x5",
        "--set",
        "board=square 4x4",
        "--set",
        "known={}",
        "--backends",
        "gf2",
        "--task",
        "count",
        "--json",
    )
    assert json.loads(changed.stdout)["runs"][0]["solutions"] == 16


def test_a_counter_that_crashes_without_variables_is_compared(
    cats: dict[str, Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    """d4 does."""

    def count(formula: Any) -> int:
        if not formula.top:
            os.kill(os.getpid(), signal.SIGFPE)
        return 4

    spec = Spec("abacus", "beads", "pip install beads", None, count=count)
    monkeypatch.setattr(registry, "_registered", {"abacus": spec})
    comparison = Comparison(CompareRequest(cats, ["abacus"], task="count"))
    (run,) = {run.identity: run for run in comparison}.values()
    assert (run.status, run.way, run.solutions) == ("complete", "native", 4)


def test_a_counter_that_is_not_installed_says_how_to_install_it(
    cats: dict[str, Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    def count(formula: Any) -> int:
        raise ImportError

    spec = Spec("abacus", "beads", "pip install beads", None, count=count)
    monkeypatch.setattr(registry, "_registered", {"abacus": spec})
    (run,) = Comparison(CompareRequest(cats, ["abacus"], task="count")).runs.values()
    message = "the backend abacus is not installed; to install it: pip install beads"
    assert run.status == f"absent: {message}"


def test_auto_is_compared_as_well() -> None:
    done = command(
        "cats", "lights-5x5", "--backends", "auto,minisat22", "--amo", "ladder", "--json"
    )
    assert (done.returncode, done.stderr) == (0, "")
    listed = [
        (run["backend"], run["amo"], run["status"], run["solutions"])
        for run in json.loads(done.stdout)["runs"]
    ]
    assert listed == [("auto", "ladder", "complete", 4), ("minisat22", "ladder", "complete", 4)] * 2


def test_ctrl_c_shows_finished_runs_and_resume_continues(tmp_path: Path) -> None:
    kept = tmp_path / "runs.jsonl"
    arguments = [
        "compare",
        "cats",
        "fish-plain",
        "--backends",
        "cadical195",
        "--resume",
        str(kept),
        "--json",
        "--shuffle",
        "0",
    ]
    with subprocess.Popen(
        [*JIGSAT, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        try:
            # The first line is the header, the second one the plan.
            soon(lambda: kept.exists() and len(kept.read_bytes().splitlines()) >= 3)
            running.send_signal(signal.SIGINT)
            out, err = running.communicate(timeout=LONG)
        finally:
            running.kill()
    assert running.returncode == 130, err
    runs = json.loads(out)["runs"]  # the next instance may have been begun
    assert [run["instance"] for run in runs if run["status"] == "complete"] == ["cats"]
    arguments = ["--backends", "cadical195", "--resume", kept, "--json", "--shuffle", "0"]
    done = command("cats", *arguments)
    assert done.stderr == f"{kept}: 1 run already finished\n"


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


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed")
def test_plots_are_drawn(tmp_path: Path) -> None:
    from jigsat.comparison.plots import draw

    done = [
        Run(Combination(instance, backend, ""), status, seconds=seconds)
        for backend, status in (("a", "complete"), ("b", "complete"), ("c", "timeout"))
        for instance, seconds in (("x", 0.5), ("y", 2.0))
    ]
    conditions = Conditions(timeout=10.0, memory=1, machine="a machine")
    draw(tmp_path / "plots", Results(done, conditions))
    written = [*(tmp_path / "plots").iterdir()]
    assert sorted(path.name for path in written) == [
        "cactus.png",
        "cactus.svg",
        "scatter.png",
        "scatter.svg",
    ]
    for path in written:
        if path.suffix == ".svg":
            assert ElementTree.parse(path).getroot().tag == "{http://www.w3.org/2000/svg}svg"
        else:
            assert path.read_bytes().startswith(b"\x89PNG")
        assert b"a machine" in path.read_bytes()


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed")
def test_the_legend_has_the_order_of_the_scores(tmp_path: Path) -> None:
    from jigsat.comparison.plots import draw

    times = {"slow": 3.0, "fast": 1.0, "middle": 2.0}
    runs = [make_run(x, name, times[name]) for name in times for x in "xy"]
    draw(tmp_path, Results(runs, LIMIT))
    legend = re.findall("<!-- (.*): 2 of 2 -->", (tmp_path / "cactus.svg").read_text())
    assert legend == ["fast", "middle", "slow", "virtual best"]


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed")
def test_encodings_are_drawn_against_each_other(tmp_path: Path) -> None:
    from jigsat.comparison.plots import draw

    choices = [("a", "", "old"), ("a", "", "new"), ("b", "", "old"), ("b", "", "new"), ("c",)]
    done = [
        Run(Combination(instance, *choice), "complete", seconds=seconds)
        for seconds, choice in enumerate(choices, 1)
        for instance in "xy"
    ]
    draw(tmp_path, Results(done, LIMIT))
    words = re.findall("<!-- (.*) -->", (tmp_path / "encodings.svg").read_text())
    assert [word for word in words if word[:1] in "abc"] == ["a old", "a new", "b old", "b new"]
    one = [run for run in done if run.combination.encoding != "new"]
    draw(tmp_path / "one", Results(one, LIMIT))
    names = {path.stem for path in (tmp_path / "one").iterdir()}
    assert names == {"cactus", "scatter"}


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed")
def test_names_of_points_do_not_cover_each_other(tmp_path: Path) -> None:
    from jigsat.comparison.plots import draw

    times = {"first": 0.100, "second": 0.101, "third": 0.099, "far": 5.0}
    runs = [make_run(name, "a", seconds) for name, seconds in times.items()]
    runs += [make_run(name, "b", 2 * seconds) for name, seconds in times.items()]
    draw(tmp_path, Results(runs, LIMIT))
    words = set(re.findall("<!-- (.*) -->", (tmp_path / "scatter.svg").read_text()))
    assert words & times.keys() == {"far", "second"}


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
    kept = tmp_path / "runs"
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
    write_file_of_runs(kept, *((run, LIMIT) for run in runs))
    sentence = (
        "The runs took 4.5 s on the wall in total; load average 0.25 at the start, 1.00 at the "
        "end, at most 3.00; niceness 0 and 10."
    )
    assert sentence in command("--from", kept).stdout
    assert json.loads(command("--from", kept, "--json").stdout)["circumstances"] == known.json()


def test_families_have_tables_of_their_own(tmp_path: Path) -> None:
    kept = tmp_path / "runs"
    times = {f"x{i}": ("tiling", 2.0) for i in range(6)} | {"z": ("sudoku", 5.0)}
    runs = [
        replace(make_run(name, "a", seconds), family=family)
        for name, (family, seconds) in times.items()
    ]
    write_file_of_runs(kept, *((run, LIMIT) for run in runs))
    lines = [" ".join(line.split()) for line in command("--from", kept).stdout.splitlines()]
    assert "a 2.000 2.000 to 2.000 6 of 6 6/6" in lines[lines.index("tiling, 6 instances:") :]
    assert "a 5.000 1 of 1 1/1" in lines[lines.index("sudoku, 1 instance:") :]
    families = json.loads(command("--from", kept, "--json").stdout)["families"]
    assert {name: rows[0]["par2"] for name, rows in families.items()} == {
        "tiling": 2.0,
        "sudoku": 5.0,
    }
    assert families["tiling"][0]["instances"] == 6
    write_file_of_runs(tmp_path / "one", *((run, LIMIT) for run in runs[:6]))
    assert "tiling" not in command("--from", tmp_path / "one").stdout


@pytest.mark.parametrize(
    "change",
    [
        {"solutions": "4"},
        {"solutions": True},
        {"solutions": 4.0},
        {"distinct": {"rotation": None}},
        {"status": 5},
        {"backend": ["z3"]},
        {"more": 1},
        {"seconds": -1.0},
        {"seconds": 61.0},
        {"seconds": None},
        {"status": "great"},
        {"status": "wrong"},
        {"task": "some"},
        {"way": "magic"},
        {"graphs": "slow"},
        {"seed": -1},
        {"repeat": 0},
        {"solutions": -4},
        {"distinct": {"taste": 1}},
        {"formula": "5"},
        {"date": "yesterday"},
        {"date": "2026-11-29T10:00:00"},
        {"session": 0},
        {"load_start": -0.5},
        {"load_end": "high"},
        {"nice_end": 40},
        {"started": "yesterday"},
    ],
)
def test_a_run_of_wrong_types_is_refused(change: dict[str, object], tmp_path: Path) -> None:
    kept = tmp_path / "runs"
    log = Log(kept)
    log.add(
        Run(
            Combination("cats", "z3"),
            status="complete",
            first=1.0,
            seconds=2,
            solutions=4,
            distinct={"rotation": 1},
        ),
        Conditions(timeout=60.0, memory=1),
    )
    log.close()
    assert [run.counts for run, _ in Log(kept).done] == [{"solutions": 4, "rotation": 1}]
    header, line = kept.read_text().splitlines()
    item = json.loads(line)
    for output in (json.dumps({**item, "run": {**item["run"], **change}}), "5", "[" * 100_000):
        kept.write_text(f"{header}\n{output}\n")
        with pytest.raises(InputError, match=r"runs: line 2: not a run: .*; remove the line"):
            Log(kept)


@pytest.mark.parametrize("seconds", [0.0, 9.99])
def test_a_timeout_before_the_limit_is_refused(seconds: float, tmp_path: Path) -> None:
    """An edited time-out would count like a real one."""
    kept, output = tmp_path / "runs", tmp_path / "runs.json"
    right, wrong = (make_run("x", "a", time, "timeout") for time in (10.0, seconds))
    write_file_of_runs(kept, (right, LIMIT))
    output.write_text(command("--from", kept, "--json").stdout)
    line = kept.read_text().splitlines()[-1]
    answer = json.loads(output.read_text())
    answer["runs"][0]["seconds"] = seconds
    write_file_of_runs(kept, (wrong, LIMIT))
    output.write_text(json.dumps(answer))
    message = f"a timeout cannot come after {seconds:g} s, because the limit is 10 s"
    for file, place in ((kept, "line 3: not a run"), (output, "run 1")):
        done = command("--from", file)
        assert done.returncode == 2
        assert done.stderr.startswith(f"jigsat: {file}: {place}: seconds: {message}; ")
        assert len(done.stderr.splitlines()) == 1
    assert '"seconds": 10.0' in line


class LateChild:
    """A process that used half a second, but reports a tenth when it is stopped."""

    peak = 0

    def __init__(self, work: object, memory: int) -> None:
        self._reports = [tasks.Progress(seconds=0.1)]
        self._is_stopped = False

    def ready(self, patience: float) -> bool:
        return self._is_stopped

    def processor_seconds(self) -> float:
        return 0.5

    def stop(self, reason: str) -> None:
        self._is_stopped = True

    def close(self) -> None:
        pass

    def __next__(self) -> tasks.Progress:
        if not self._reports:
            raise Stopped("timeout")
        return self._reports.pop()


def test_a_run_that_times_out_has_used_its_limit(
    cats: dict[str, Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare, "Child", LateChild)
    wanted = [Run(Combination("cats", "cadical195"))]
    *_, run = compare.runs(cats, wanted, **usual_limits() | {"timeout": 0.35})
    assert (run.status, run.seconds) == ("timeout", 0.35)


def test_an_output_of_another_version_is_refused(tmp_path: Path) -> None:
    kept, output = tmp_path / "runs", tmp_path / "runs.json"
    write_file_of_runs(kept, (make_run("x", "a", 1.0), LIMIT))
    answer = json.loads(command("--from", kept, "--json").stdout)
    assert answer["version"] == Log.VERSION
    for version in (Log.VERSION - 1, None):
        changed = {**answer, "version": version}
        if version is None:
            del changed["version"]
        output.write_text(json.dumps(changed))
        with pytest.raises(InputError, match=f"the format is {version or 'older'}, not 7; name"):
            read_runs(output)


def test_runs_of_several_tasks_are_shown_one_task_at_a_time(tmp_path: Path) -> None:
    """A mean of the times until a first and until all solutions says nothing."""
    kept = tmp_path / "runs"
    first = replace(make_run("x", "a", 1.0), task="first", date="2026-11-29T10:00:00+00:00")
    every = replace(make_run("y", "a", 5.0), task="all", date="2026-11-29T11:00:00+00:00")
    with closing(Log(kept)) as log:
        for run in (first, every):
            log.plan({run.identity}, LIMIT)
            log.add(run, LIMIT)
    done = command("--from", kept)
    assert done.stderr == f"{kept}: 1 run left out: the task was first, and is all\n"
    for task, seconds in (("first", 1.0), ("all", 5.0)):
        shown = json.loads(command("--from", kept, "--task", task, "--json").stdout)
        assert [row["par2"] for row in shown["par2"]] == [seconds]
        assert len(shown["planned"]) == 1
        assert shown["left_out"] == []
    assert jigsat.read_runs(kept, task="first") == [first]
    none = command("--from", kept, "--task", "count")
    assert none.returncode == 2
    assert none.stderr == f"jigsat: {kept}: no run of the task count; use all or first\n"


def test_puzzles_and_formulas_together_need_a_task(formula: str) -> None:
    done = command(formula, "cats", "--backends", "cadical195")
    assert done.returncode == 2
    message = (
        "puzzles and formulas are asked different questions by default, all and first; name a task "
        "for both"
    )
    assert done.stderr == f"jigsat: {message}\n"
    tasks_asked = {run["task"] for run in run_compare(formula, "cats", "--task", "first")["runs"]}
    assert tasks_asked == {"first"}


def write_file_of_runs(path: Path, *items: tuple[Run, Conditions]) -> None:
    with closing(Log(path)) as log:
        for run, conditions in items:
            log.add(run, conditions)


LIMIT = Conditions(timeout=10.0, memory=1)


@pytest.mark.parametrize("part", ["run", "conditions"])
def test_each_field_of_a_run_is_required(part: str, tmp_path: Path) -> None:
    """A time that was deleted would be 0, and win."""
    kept, output = tmp_path / "runs", tmp_path / "runs.json"
    write_file_of_runs(kept, (make_run("x", "a", 1.0), LIMIT))
    written = command("--from", kept, "--json")
    header, line = kept.read_text().splitlines()
    item = json.loads(line)
    assert {"seconds", "instance", "stated"} <= item["run"].keys()
    for name in item[part]:
        fewer = {key: value for key, value in item[part].items() if key != name}
        kept.write_text(f"{header}\n{json.dumps({**item, part: fewer})}\n")
        with pytest.raises(InputError, match=f"line 2: not a run: {name} is missing; remove"):
            read_runs(kept)
        answer = json.loads(written.stdout)
        answer |= {"runs": [fewer]} if part == "run" else {part: fewer}
        output.write_text(json.dumps(answer))
        place = "run 1" if part == "run" else part
        with pytest.raises(InputError, match=f"runs.json: {place}: {name} is missing; write"):
            read_runs(output)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"seconds": 2.0}, "done again later"),
        ({"task": "all"}, "the task was all, and is first"),
        ({"solver": "b 2"}, "the solver a was b 2, and is b 1"),
        ({"formula": "0" * 64}, f"the formula of x was {'0' * 64}, and is {'1' * 64}"),
        ({"timeout": 5.0}, "timeout was 5.0, and is 10.0"),
        (
            {"machine": "other", "memory": 2},
            "memory was 2, and is 1; machine was other, and is none",
        ),
    ],
)
@pytest.mark.parametrize("first", [False, True])
def test_runs_that_were_done_otherwise_are_left_out_by_name(
    change: dict[str, Any], reason: str, first: bool, tmp_path: Path
) -> None:
    """Those like the run that ended last are kept, wherever it is in the file."""
    kept = tmp_path / "runs"
    fields = {"task": "first", "solver": "b 1", "formula": "1" * 64}
    latest = replace(make_run("x", "a", 1.0), **fields, date="2026-11-29T10:00:00+00:00")
    of_run = {key: value for key, value in change.items() if not hasattr(LIMIT, key)}
    of_conditions = {key: value for key, value in change.items() if key not in of_run}
    seed = {} if "seconds" in change else {"seed": 3}
    earlier = replace(latest, **{**of_run, **seed}, date="2026-11-28T10:00:00+00:00")
    items = [(earlier, replace(LIMIT, **of_conditions)), (latest, LIMIT)]
    write_file_of_runs(kept, *(items[::-1] if first else items))
    runs, conditions, _, left_out = read_runs(kept)
    assert (runs, conditions) == ([latest], LIMIT)
    assert left_out == [f"1 run left out: {reason}"]
    done = command("--from", kept)
    assert done.stderr == f"{kept}: {left_out[0]}\n"
    assert f"{left_out[0]}." in done.stdout
    assert json.loads(command("--from", kept, "--json").stdout)["left_out"] == left_out
    with pytest.warns(UserWarning, match="1 run left out: "):
        assert jigsat.read_runs(kept) == [latest]


def test_a_header_with_blanks_is_read(tmp_path: Path) -> None:
    kept = tmp_path / "runs"
    write_file_of_runs(kept, (make_run("x", "a", 1.0), LIMIT))
    lines = [json.dumps(json.loads(line)) for line in kept.read_text().splitlines()]
    assert lines[0].encode() not in Log.FIRST_LINE
    kept.write_text("\n".join(lines) + "\n")
    assert len(read_runs(kept).runs) == 1
    with closing(Log(kept)) as log:
        assert len(log.done) == 1


def test_runs_are_repeated_for_what_tells_them_from_the_most_similar_one() -> None:
    run = make_run("x", "a", 1.0)
    done = [(run, LIMIT), (run, replace(LIMIT, timeout=5.0, memory=3))]
    reused, reasons = find_earlier(done, [run], replace(LIMIT, memory=2))
    assert reused == {}
    assert reasons == ["1 run again: memory was 1, and is 2"]


def test_runs_that_failed_because_of_the_machine_are_repeated() -> None:
    statuses = [
        "idle: it slept",
        "changed: another program",
        "timeout",
        "crash: killed",
        "complete",
    ]
    for status in statuses:
        run = make_run("x", "a", 1.0, status)
        reused, reasons = find_earlier([(run, LIMIT)], [run], LIMIT)
        is_repeated = status in statuses[:2]
        assert (len(reused), len(reasons)) == (not is_repeated, is_repeated)


def test_a_solver_that_was_replaced_neither_wins_nor_loses() -> None:
    runs = [make_run("x", "a", 1), make_run("y", "a", 1), make_run("x", "b", 2)]
    runs.append(make_run("y", "b", 2, "changed: another program"))
    assert [(pair.one, pair.wins, pair.losses) for pair in pairs(runs, 10)] == [("a", 1, 0)]
    planned = {run.identity for run in runs}
    assert describe_missing(runs, planned) == "Incomplete: 3 of 4 runs"


# -- made-up solvers: each is a script whose first argument is the DIMACS file

HONEST = f"exec {sys.executable} -I -S {Path(__file__).parent / 'plain_solver.py'} $1"
FORMULA = "p cnf 3 2\n1 2 3 0\n-1 -2 0\n"


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., str]:
    """Makes an executable shell script."""

    def make(body: str, name: str = "solver") -> str:
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return str(path)

    return make


@pytest.fixture
def formula(tmp_path: Path) -> str:
    path = tmp_path / "small.cnf"
    path.write_text(FORMULA)
    return str(path)


def run_compare(*arguments: object) -> dict[str, Any]:
    """What `compare --json` prints."""
    done = command(*arguments, "--json")
    assert done.returncode in (0, 3), done.stderr
    output: dict[str, Any] = json.loads(done.stdout)
    return output


def test_a_solver_that_is_restarted_is_not_scored_for_all_models(
    script: Callable[..., str], formula: str
) -> None:
    restarted = script(HONEST)
    backends = f"{restarted},cadical195"
    output = run_compare(formula, "--backends", backends, "--task", "all")
    assert [(run["way"], run["status"]) for run in output["runs"]] == [
        ("", "not at all: it would be started again for each model"),
        ("search", "complete"),
    ]
    assert [row["backend"] for row in output["par2"]] == ["cadical195"]
    assert output["pairs"] == []
    for task, way in {"first": "native", "unique": "restarted", "refute": "native"}.items():
        output = run_compare(formula, "--backends", backends, "--task", task)
        assert [(run["way"], run["status"]) for run in output["runs"]] == [
            (way, "complete"),
            ("search" if task == "unique" else "native", "complete"),
        ]
        assert output["disagreements"] == []


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("kill -SEGV $$", "crash: {} was killed by signal 11 (Segmentation fault)"),
        ("exit 1", "failed: {}: it ended with exit status 1"),
    ],
)
def test_a_solver_that_breaks_down_is_no_success(
    body: str, status: str, script: Callable[..., str], formula: str, tmp_path: Path
) -> None:
    broken = script(body)
    kept = tmp_path / "runs"
    live = command(formula, "--backends", f"{broken},minisat22", "--resume", kept, "--json")
    again = command("--from", kept, "--json")
    for done in (live, again):
        runs = json.loads(done.stdout)["runs"]
        assert [run["status"] for run in runs] == [status.format(broken), "complete"]
        assert done.returncode == 3
        word = status.partition(":")[0]
        assert done.stderr.splitlines()[-1].endswith(f"1 run broke down: {broken} {word} (1)")


def test_the_default_task_is_a_model_of_a_formula(formula: str) -> None:
    (run,) = run_compare(formula, "--backends", "cadical195")["runs"]
    assert (run["task"], run["solutions"]) == ("first", 1)
    (run,) = run_compare("cats", "--backends", "cadical195")["runs"]
    assert (run["task"], run["solutions"]) == ("all", 4)


@pytest.mark.parametrize(
    ("verdict", "message"),
    [
        (
            "echo s UNSATISFIABLE; exit 20",
            "wrong: it says 0 solutions, but cadical195 found 1 (checked)",
        ),
        (
            "echo s SATISFIABLE; echo v 1 2 0; exit 10",
            "wrong: {}: its model breaks the line '-1 -2 0'",
        ),
    ],
)
def test_a_solver_that_lies_is_named(
    verdict: str, message: str, script: Callable[..., str], formula: str, tmp_path: Path
) -> None:
    liar = script(verdict)
    kept = tmp_path / "runs"
    options = ["--task", "first", "--resume", kept]
    live = command(formula, "--backends", f"{liar},cadical195", *options, "--json")
    answers = [live, command("--from", kept, "--json")]
    written = tmp_path / "runs.json"
    written.write_text(live.stdout)
    answers.append(command("--from", written, "--json"))
    for answer in answers:
        assert answer.returncode == 1
        output = json.loads(answer.stdout)
        status = message.format(liar)
        assert output["disagreements"] == [f"small.cnf: {liar}: {status}"]
        assert f"{liar}: {status}" in answer.stderr
        (own,) = [run for run in output["runs"] if run["backend"] == liar]
        assert own["status"] == status
        rows = {row["backend"]: (row["par2"], row["completed"]) for row in output["par2"]}
        assert rows[liar] == (120, 0)
        assert rows["virtual best"] == rows["cadical195"]
        assert [(pair["one"], pair["wins"]) for pair in output["pairs"]] == [("cadical195", 1)]


def test_a_run_that_is_wrong_is_shown_as_such(tmp_path: Path) -> None:
    """The solver lies in each second run."""
    kept = tmp_path / "runs"
    with closing(Log(kept)) as log:
        for repeat in range(1, 5):
            for backend, solutions in (("honest", 1), ("liar", repeat % 2)):
                run = make_run("x", backend, 1.0)
                run = replace(run, task="first", way="native", solutions=solutions, repeat=repeat)
                log.add(run, Conditions(timeout=10.0, memory=1))
    done = command("--from", kept)
    assert done.returncode == 1
    rows = [line.split() for line in done.stdout.splitlines()]
    (row,) = [row for row in rows if row[:2] == ["x", "liar"]]
    assert row[2:6] == ["native", "2/4,", "2", "wrong"]
    assert "x: liar: wrong: it says 0 solutions, but honest found 1 (checked)" in done.stdout
    assert ["liar", "20.000", "0", "of", "1", "2/4"] in rows


def test_counts_that_contradict_each_other_are_disputed(
    cats: dict[str, Puzzle], tmp_path: Path
) -> None:
    """Counters list no solutions, so none of them is proved wrong."""
    kept = tmp_path / "runs"
    conditions = Conditions(timeout=10.0, memory=1)
    counts = {"a": 4, "b": 4, "c": 5}
    with closing(Log(kept)) as log:
        for backend, count in counts.items():
            run = Run(Combination("cats", backend), "complete", "count", solutions=count)
            log.add(run, conditions)
        for backend in "ab":
            run = Run(Combination("few", backend), "complete", "count", solutions=7)
            log.add(run, conditions)
    done = command("--from", kept)
    assert done.returncode == 1
    message = "cats: solutions: 4 (a, b), 5 (c)"
    assert done.stderr == f"jigsat: {message}\n"
    assert f"disputed: {message}" in done.stdout
    ended = read_runs(kept).runs
    assert {run.combination[:2] for run in ended if run.disputed} == {
        ("cats", backend) for backend in counts
    }
    assert all(run.complete for run in ended)


def make_count(backend: str, count: int, **changes: Any) -> Run:
    run = Run(Combination("x", backend), "complete", "count", solutions=count)
    return replace(run, **changes)


LISTED = {"listed": True}  # the solutions were listed and checked
PUBLISHED = {"stated": {"solutions": 4}, "source": "a book"}


@pytest.mark.parametrize(
    ("runs", "wrong"),
    [
        # A list and another backend, a list and the file, a count and the file.
        ([make_count("a", 4, **LISTED), make_count("b", 4)], "a, b"),
        ([make_count("a", 4, **LISTED, **PUBLISHED)], "the file, a"),
        ([make_count("a", 4, **PUBLISHED)], "the file, a"),
        # There is no list and no source, or nobody else who says the same.
        ([make_count("a", 4), make_count("b", 4)], ""),
        ([make_count("a", 4, **LISTED)], ""),
        ([make_count("auto", 4, **LISTED), make_count("a", 4)], ""),
        ([make_count("a", 4, **LISTED), replace(make_count("a", 4, **LISTED), seed=2)], ""),
        ([make_count("a", 4, **LISTED, stated={"solutions": 4})], ""),
    ],
)
@pytest.mark.parametrize("first", [False, True])
def test_a_count_is_wrong_if_another_one_is_established(
    runs: list[Run], wrong: str, first: bool
) -> None:
    liar = replace(make_count("liar", 5), stated=runs[0].stated, source=runs[0].source)
    *judged, last = judge([*runs, liar])
    if first:
        last, *judged = judge([liar, *runs])
    assert {run.status for run in judged} == {"complete"}
    if wrong:
        assert last.status == f"wrong: solutions: it says 5, but 4 is established ({wrong})"
        assert not any(run.disputed for run in [*judged, last])
        assert disagreements([*judged, last]) == [f"x: liar: {last.status}"]
    else:
        assert last.status == "complete"
        assert all(run.disputed for run in [*judged, last])


def test_nothing_is_established_by_two_sides_that_contradict_each_other() -> None:
    sides = [make_count("a", 4, **LISTED), make_count("b", 4)]
    sides += [make_count("c", 5), make_count("d", 5, stated={"solutions": 5}, source="a book")]
    judged = judge(sides)
    assert [run.status for run in judged] == ["complete"] * 4
    assert all(run.disputed for run in judged)


def test_a_count_up_to_symmetry_is_judged_as_well() -> None:
    runs = [
        make_count("a", 4, **LISTED, distinct={"rotation": 1}),
        make_count("b", 4, distinct={"rotation": 1}),
        make_count("liar", 4, distinct={"rotation": 2}),
    ]
    *_, liar = judge(runs)
    assert liar.status == "wrong: rotation: it says 2, but 1 is established (a, b)"


def test_a_count_is_wrong_if_more_solutions_were_listed() -> None:
    liar, _ = judge([make_count("liar", 3), make_count("a", 4, **LISTED)])
    assert liar.status == "wrong: it says 3 solutions, but a found 4 (checked)"


def test_a_counter_that_lies_is_wrong(
    cats: dict[str, Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    """cadical195 lists four solutions, and the file of the puzzle has them from a book."""
    honest = registry.find("cadical195")
    liar = Spec("abacus", "beads", "pip install beads", None, count=lambda formula: 5)
    monkeypatch.setattr(registry, "_registered", {"abacus": liar, "cadical195": honest})
    comparison = Comparison(CompareRequest(cats, ["abacus", "cadical195"], task="count"))
    assert all(comparison)
    wrong, right = comparison.collect_results().runs
    message = "wrong: solutions: it says 5, but 4 is established (the file, cadical195)"
    assert wrong.status == message
    assert (wrong.listed, right.listed, right.disputed) == (False, True, False)
    assert (right.status, right.established_by) == ("complete", "refutation")


def test_a_solution_that_was_found_refutes_other_tasks_and_incomplete_counts() -> None:
    runs = [
        Run(Combination("x", "a"), "timeout", "all", solutions=3),
        Run(Combination("x", "b"), "complete", "unique", solutions=1),
        Run(Combination("x", "c"), "complete", "unique", solutions=2),
        Run(Combination("x", "d"), "complete", "first", solutions=1),
        Run(Combination("x", "e"), "complete", "count", solutions=2),
        Run(Combination("x", "f"), "complete", "refute", solutions=0),
        Run(Combination("y", "a"), "complete", "first", solutions=0),
    ]
    wrong = [run.combination.backend for run in judge(runs) if run.status.startswith("wrong")]
    assert wrong == ["b", "e"]


def test_a_refutation_that_misses_a_solution_is_wrong(
    cats: dict[str, Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A solution of the puzzle that was not among the known ones."""
    honest = tasks._find_solutions
    monkeypatch.setattr(tasks, "_find_solutions", lambda formula: honest(formula)[1:])
    wanted = [Run(Combination("cats", "cadical195"), task="refute")]
    *_, right = compare.runs(cats, wanted, **usual_limits())
    assert (right.status, right.solutions) == ("complete", 1)
    none = replace(right, combination=Combination("cats", "liar"), solutions=0)
    late = replace(none, combination=Combination("cats", "late"), status="timeout")
    other = replace(none, combination=Combination("cube", "z3"))
    judged = judge([none, late, other, right])
    status = "wrong: it says that there is no other solution, but cadical195 found one (checked)"
    assert [run.status for run in judged] == [status, "timeout", "complete", "complete"]
    assert disagreements(judged) == [
        f"cats: liar: {status}",
        "cats: auto missed a solution that cadical195 found (checked)",
    ]


def test_the_excluded_solutions_are_recorded_and_compared(tmp_path: Path) -> None:
    """An earlier run that excluded another number was asked another question."""
    kept = tmp_path / "runs"
    options = ["cats", "--task", "refute", "--backends", "minisat22", "--resume", kept, "--json"]
    (run,) = json.loads(command(*options).stdout)["runs"]
    assert (run["excluded"], run["solutions"], run["status"]) == (4, 0, "complete")
    text = kept.read_text()
    assert '"excluded": 4' in text
    kept.write_text(text.replace('"excluded": 4', '"excluded": 3'))
    done = command(*options, "--backends", "minisat22,glucose3")
    assert done.returncode == 1
    message = "cats: excluded solutions: 3 (minisat22), 4 (glucose3)"
    output = json.loads(done.stdout)
    assert output["disagreements"] == [message]
    assert all(run["disputed"] for run in output["runs"])
    assert "1 run already finished" in done.stderr
    shown = command("--from", kept)
    assert shown.returncode == 1
    assert "disputed: cats: excluded solutions: 4 (glucose3), 3 (minisat22)\n" in shown.stdout


def test_an_excluded_solution_that_a_solver_finds_is_wrong(
    cats: dict[str, Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    (first, *_) = tasks._find_solutions(cats["cats"].encode())
    monkeypatch.setattr(tasks, "_find_solutions", lambda formula: [first])
    monkeypatch.setattr(
        tasks, "models", lambda formula, backend, **_: MadeUpModels([first], backend)
    )
    wanted = [Run(Combination("cats", "cadical195"), task="refute")]
    *_, run = compare.runs(cats, wanted, **usual_limits())
    assert run.status == "wrong: it finds a solution that was excluded"


ALWAYS_UNSATISFIABLE = "echo s UNSATISFIABLE; exit 20"


@pytest.mark.parametrize("instance", ["cats", "small.cnf", "empty.cnf"])
def test_a_solver_that_refutes_everything_fails_the_control_question(
    instance: str, script: Callable[..., str], formula: str, tmp_path: Path
) -> None:
    """It would be the fastest one; of a formula without a model it says the truth."""
    empty = tmp_path / "empty.cnf"
    empty.write_text("p cnf 2 3\n1 2 0\n-1 0\n-2 0\n")
    problem = {"cats": "cats", "small.cnf": formula, "empty.cnf": str(empty)}[instance]
    liar = script(ALWAYS_UNSATISFIABLE)
    honest = "cadical195" if instance == "cats" else script(HONEST, "honest")
    options = ["--task", "refute", "--backends", f"{liar},{honest},clingo,auto", "--json"]
    done = command(problem, *options)
    assert done.returncode == 1
    output = json.loads(done.stdout)
    status = "wrong: it gave no solution to the control question, which has one"
    statuses = [run["status"] for run in output["runs"]]
    assert statuses == [status, "complete", "complete", "complete"]
    assert output["disagreements"] == [f"{instance}: {liar}: {status}"]
    (row,) = [row for row in output["par2"] if row["backend"] == liar]
    assert (row["par2"], row["completed"]) == (120, 0)


def test_the_control_question_takes_no_measured_time(
    script: Callable[..., str], formula: str, tmp_path: Path
) -> None:
    """It is the first call of the solver."""
    calls = tmp_path / "calls"
    work = "import time\nwhile time.process_time() < 0.5: pass"
    slow_at_first = f"[ -e {calls} ] || {sys.executable} -c '{work}'; echo >> {calls}"
    solver = script(f"{slow_at_first}; {HONEST}")
    (run,) = run_compare(formula, "--task", "refute", "--backends", solver)["runs"]
    assert run["status"] == "complete"
    assert len(calls.read_text().splitlines()) == 2
    assert run["seconds"] < 0.5


def test_a_solver_that_gives_up_on_the_control_question_has_failed(
    cats: dict[str, Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = MadeUpModels((), "cadical195")
    nothing.complete = False
    monkeypatch.setattr(tasks, "models", lambda formula, backend, **_: nothing)
    monkeypatch.setattr(tasks, "_find_solutions", lambda formula: [])
    wanted = [Run(Combination("cats", "cadical195"), task="refute")]
    *_, run = compare.runs(cats, wanted, **usual_limits())
    assert run.status == "failed: the solver gave up on the control question"


def test_reasons_to_repeat_are_shown_before_the_first_run(
    script: Callable[..., str], formula: str, tmp_path: Path
) -> None:
    """The comparison is stopped in its first run, which has begun when the solver makes a file."""
    kept, begun = tmp_path / "runs", tmp_path / "begun"
    solver = script(HONEST)
    arguments = ["compare", formula, "--backends", solver, "--resume", str(kept)]
    assert run("compare", *arguments[1:]).returncode == 0
    slow = f"if [ -e {tmp_path}/slow ]; then touch {begun}; sleep 600; fi"
    script(f"{slow}\n{HONEST}")
    (tmp_path / "slow").touch()
    said = tmp_path / "said"
    with said.open("w") as file, subprocess.Popen([*JIGSAT, *arguments], stderr=file) as running:
        try:
            soon(begun.exists)
            assert f"{kept}: 1 run again: the solver was " in said.read_text()
            running.send_signal(signal.SIGINT)
            running.wait(timeout=LONG)
        finally:
            running.kill()


def test_processor_time_is_limited_and_counted_in_the_whole_tree(
    script: Callable[..., str], formula: str
) -> None:
    """The work is done by a grandchild."""
    busy = script("sh -c 'while :; do :; done'")
    output = run_compare(formula, "--backends", busy, "--timeout", "0.5")
    (run,), (row,) = output["runs"], output["par2"]
    assert run["status"] == "timeout"
    assert run["seconds"] >= 0.5
    assert (row["par2"], row["completed"]) == (1, 0)


def test_waiting_takes_no_processor_time(
    script: Callable[..., str], formula: str, tmp_path: Path
) -> None:
    kept = tmp_path / "runs"
    patient = script(f"sleep 2.2; {HONEST}")
    arguments = [formula, "--backends", patient, "--timeout", "1", "--resume", kept]
    (run,) = run_compare(*arguments)["runs"]
    assert run["status"] == "complete"
    assert run["seconds"] < 1 < 2 < run["wall"]
    words = " ".join(command("--from", kept).stdout.split())
    assert f"1 of 1 run took more than twice as long on the wall (1 of {patient})" in words


def run_alone(formula: str, backend: str, timeout: float, task: str = "first") -> Run:
    """A run of this process, so that a test can change what counts as idle."""
    problems: Any = {"small.cnf": subject_of(formula)}
    wanted = [Run(Combination("small.cnf", backend), task=task)]
    *_, run = compare.runs(problems, wanted, **usual_limits() | {"timeout": timeout})
    return run


def test_a_solver_that_sleeps_is_idle(
    script: Callable[..., str], formula: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare, "IDLE_S", 1.0)
    run = run_alone(formula, script("sleep 300"), timeout=5)
    assert run.status == "idle: it used no processor time for 1 s"
    assert run.seconds < 5


BURN = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done"


def test_a_solver_that_seldom_gets_the_processor_is_no_timeout(
    script: Callable[..., str], formula: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the wall it takes many times its limit, like a solver on a machine with other work."""
    monkeypatch.setattr(compare, "IDLE_S", 3.0)
    monkeypatch.setattr(compare, "IDLE_USE_S", 0.01)
    starved = script(f"for x in 1 2 3; do sleep 0.8; {BURN}; done; {HONEST}")
    run = run_alone(formula, starved, timeout=1)
    assert run.status == "complete"
    assert run.seconds < 1 < 2.4 < run.wall


def test_time_before_the_task_begins_is_limited_by_its_own_word(
    script: Callable[..., str], formula: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def search_forever(formula: Any) -> list[Any]:
        while True:
            pass

    monkeypatch.setattr(compare, "PREPARATION_S", 0.2)
    monkeypatch.setattr(tasks, "_find_solutions", search_forever)
    run = run_alone(formula, "cadical195", timeout=0.1, task="refute")
    assert run.status == "unprepared: the task had not begun after 1 s"


def test_all_repeats_count(script: Callable[..., str], formula: str, tmp_path: Path) -> None:
    """A solver that gives up on each third call."""
    calls, kept = tmp_path / "calls", tmp_path / "runs"
    flaky = script(f"echo >> {calls}; [ $(($(wc -l < {calls}) % 3)) = 0 ] && exit 1; {HONEST}")
    arguments = [formula, "--backends", f"{flaky},cadical195", "--repeat", "6"]
    output = run_compare(*arguments, "--resume", kept)
    own = [run for run in output["runs"] if run["backend"] == flaky]
    assert [run["repeat"] for run in own] == [1, 2, 3, 4, 5, 6]
    assert sum(run["status"] == "complete" for run in own) == 4
    (row,) = [row for row in output["par2"] if row["backend"] == flaky]
    assert (row["completed_runs"], row["runs"], row["completed"]) == (4, 6, 1)
    assert "4/6" in command("--from", kept).stdout


def test_runs_that_warm_up_do_not_count(
    script: Callable[..., str], formula: str, tmp_path: Path
) -> None:
    """Slow the first time."""
    seen = tmp_path / "seen"
    cold = script(f"[ -e {seen} ] || {{ touch {seen}; exit 1; }}; {HONEST}")
    output = run_compare(formula, "--backends", cold, "--warmup", "1", "--repeat", "2")
    assert [(run["repeat"], run["status"]) for run in output["runs"]][1:] == [
        (1, "complete"),
        (2, "complete"),
    ]
    assert output["runs"][0]["repeat"] == -1
    (row,) = output["par2"]
    assert (row["completed_runs"], row["runs"]) == (2, 2)


def test_a_solver_gets_each_seed(script: Callable[..., str], formula: str, tmp_path: Path) -> None:
    words = tmp_path / "words"
    seeded = script(f"echo $1 >> {words}; shift; shift; {HONEST}", "cadical")
    output = run_compare(formula, "--backends", f"{seeded},minisat22", "--seeds", "1..3,7")
    seeds = [run["seed"] for run in output["runs"]]
    assert seeds == [1, 2, 3, 7, None]  # minisat22 takes none
    asked = [word for word in words.read_text().split() if word != "--version"]
    assert sorted(asked) == ["--seed=1", "--seed=2", "--seed=3", "--seed=7"]


def test_the_order_is_shuffled_with_a_seed() -> None:
    first = [Run(Combination(str(i), "a"), repeat=1) for i in range(20)]
    second = [Run(Combination(str(i), "a"), repeat=2) for i in range(20)]
    order = list(compare.shuffle([first, second], 5))
    assert order == list(compare.shuffle([first, second], 5))
    assert order != list(compare.shuffle([first, second], 6))
    assert [run.repeat for run in order] == [1] * 20 + [2] * 20
    assert order[:20] != first


def test_a_changed_solver_runs_again(
    script: Callable[..., str], formula: str, tmp_path: Path
) -> None:
    kept = tmp_path / "runs"
    solver = script(HONEST)
    arguments = [formula, "--backends", f"{solver},cadical195", "--resume", kept]
    before = run_compare(*arguments)["runs"][0]["solver"]
    assert len(before.rpartition(" ")[2]) == 64
    script(f": another version\n{HONEST}")
    again = command(*arguments, "--json")
    after = json.loads(again.stdout)["runs"][0]["solver"]
    assert after != before
    assert again.stderr.splitlines() == [
        f"{kept}: 1 run already finished",
        f"{kept}: 1 run again: the solver was {before}, and is {after}",
    ]
    Path(formula).write_text(FORMULA.replace("1 2 3 0", "1 3 0"))
    changed = command(*arguments)
    assert f"{kept}: 2 runs again: the formula has changed\n" in changed.stderr


def test_runs_with_other_code_are_done_again(formula: str, tmp_path: Path) -> None:
    """Within one version of jigsat."""
    kept = tmp_path / "runs"
    arguments = [formula, "--backends", "cadical195", "--resume", kept]
    code = run_compare(*arguments)["conditions"]["code"]
    assert len(code) == 64
    kept.write_text(kept.read_text().replace(code, "0" * 64))
    again = command(*arguments)
    assert again.stderr.startswith(f"{kept}: 1 run again: the code of jigsat has changed\n")
    assert f" (code {code[:12]}), " in again.stdout
    shown = command("--from", kept)
    assert shown.stderr == f"{kept}: 1 run left out: the code of jigsat has changed\n"


def test_the_hash_of_the_code_has_the_python_files_and_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "made_up_package"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "inner" / "first.py").write_text("1")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(versions, "PACKAGES", (folder.name,))
    hashes = [hash_code()]
    for name, text in {"inner/first.py": "2", "second.py": "", "engine.so": "3"}.items():
        (folder / name).write_text(text)
        hashes.append(hash_code())
    (folder / "second.py").rename(folder / "third.py")
    hashes.append(hash_code())
    assert len({*hashes}) == len(hashes) == 5
    (folder / "notes.md").write_text("4")
    assert hash_code() == hashes[-1]


def test_the_hash_of_the_code_has_the_families() -> None:
    for package in ("jigsat", "jigsat.encodings"):
        assert package in versions.PACKAGES


def test_a_solver_that_changes_during_a_comparison_has_no_time(
    script: Callable[..., str], formula: str
) -> None:
    """It rewrites its own file in the second of its runs."""
    change = 'if [ -e "$0.ran" ]; then echo "# another" >> "$0"; fi; touch "$0.ran"'
    changing = script(f"{change}\n{HONEST}")
    output = run_compare(formula, "--backends", f"{changing},cadical195", "--repeat", "3")
    own = [run for run in output["runs"] if run["backend"] == changing]
    message = "changed: the program is not the one of the first run"
    assert [run["status"] for run in own] == ["complete", message, message]
    assert len({run["solver"] for run in own}) == 1
    (row,) = [row for row in output["par2"] if row["backend"] == changing]
    assert (row["completed_runs"], row["runs"], row["completed"]) == (1, 3, 1)


def test_more_repeats_reuse_the_earlier_ones(formula: str, tmp_path: Path) -> None:
    kept = tmp_path / "runs"
    arguments = [formula, "--backends", "cadical195", "--resume", kept]
    first = command(*arguments, "--repeat", "2")
    assert "; not resumed." in first.stdout
    more = command(*arguments, "--repeat", "3", "--json", "--csv", tmp_path / "runs.csv")
    assert more.stderr == f"{kept}: 2 runs already finished\n"
    output = json.loads(more.stdout)
    assert [run["session"] for run in output["runs"]] == [1, 1, 2]
    assert output["sessions"] == 2
    with (tmp_path / "runs.csv").open(newline="") as text:
        assert [row["session"] for row in csv.DictReader(text)] == ["1", "1", "2"]
    command(*arguments, "--repeat", "4")
    assert "; resumed 2 times." in command("--from", kept).stdout


def hash_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_hash_of_a_formula_is_that_of_its_export(tmp_path: Path) -> None:
    options = ["--backends", "cadical195,z3", "--encodings", "labels,supports", "--amo", "ladder"]
    runs = run_compare("cats", "slitherlink-4", *options, "--task", "first")["runs"]
    for row in runs:
        encoding = [f"--set=encoding={row['encoding']}"] if row["encoding"] else []
        amo = [f"--amo={row['amo']}"] if row["amo"] else []
        exported = run("export", row["instance"], *encoding, *amo, "-o", "-")
        lines = exported.stdout.splitlines(keepends=True)
        kept = [line for line in lines if not re.match("c [^p]", line)]  # grep -v '^c [^p]'
        assert row["formula"] == hash_text("".join(kept))
    assert len({row["formula"] for row in runs}) == len(runs) == 6

    file = tmp_path / "cats.cnf"
    run("export", "cats", "-o", file)
    (of_file,) = run_compare(file, "--backends", "cadical195")["runs"]
    assert of_file["formula"] == hash_text(file.read_text())


def test_written_runs_are_shown_again(formula: str, tmp_path: Path) -> None:
    kept, output, table = tmp_path / "runs", tmp_path / "runs.json", tmp_path / "runs.csv"
    arguments = [formula, "cats", "--backends", "cadical195,z3", "--task", "first"]
    done = command(*arguments, "--resume", kept, "--json", "--csv", table)
    output.write_text(done.stdout)
    answer = json.loads(done.stdout)
    for file in (kept, output):
        again = json.loads(command("--from", file, "--json").stdout)
        assert sorted(map(str, again["runs"])) == sorted(map(str, answer["runs"]))
        assert again["conditions"] == answer["conditions"]
        assert {row["backend"]: row["completed"] for row in again["par2"]} == {
            row["backend"]: row["completed"] for row in answer["par2"]
        }
    shown = command("--from", output, "--csv", tmp_path / "again.csv")
    assert "Task: first." in shown.stdout
    assert (tmp_path / "again.csv").read_text() == table.read_text()
    assert len(jigsat.read_runs(kept)) == 4


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
    kept = tmp_path / "runs"
    words = tmp_path / "words"
    program = script(f"echo $1 $2 >> {words}; exit 1", "cadical")  # it gives up
    names = ["latin-4", "--set", "grid=1234 3412 2143 432.", "--backends"]
    options = ["--task", "first", "--resume", kept]
    output = run_compare(*names, f"{program},clingo,ortools,cover", *options)
    stated = {run["backend"]: run["options"] for run in output["runs"]}
    assert stated[program] == "-q {cnf}"
    assert words.read_text().splitlines()[-1].startswith("-q /")
    assert "--configuration=crafty" in stated["clingo"]
    assert "num_workers=1 " in stated["ortools"]
    assert stated["cover"] == ""
    assert output["conditions"]["changes"] == "grid=1234 3412 2143 432."
    shown = command("--from", kept, "--csv", tmp_path / "table.csv").stdout
    assert f"({stated['clingo']})" in shown
    assert "Changed in the puzzles: grid=1234 3412 2143 432.." in shown
    with (tmp_path / "table.csv").open(newline="") as text:
        rows = list(csv.DictReader(text))
    assert {row["backend"]: row["options"] for row in rows} == stated
    assert {row["changes"] for row in rows} == {"grid=1234 3412 2143 432."}

    text_of_runs = kept.read_text()
    assert text_of_runs.count("crafty") == 1
    kept.write_text(text_of_runs.replace("crafty", "handy"))
    again = command(*names, "clingo", *options).stderr
    assert "1 run again: the solver's options were --configuration=handy " in again


def test_a_short_limit_of_the_runs_does_not_hold_for_the_hash_of_a_formula(
    cats: dict[str, Puzzle],
) -> None:
    """It would be empty on a machine with other work, and the run would be done again."""
    comparison = Comparison(CompareRequest(cats, ["cadical195"], timeout=0.001))
    (run,) = {run.identity: run for run in comparison}.values()
    assert run.status == "timeout"
    assert len(run.formula) == 64


def test_the_limit_of_the_runs_does_not_hold_for_reading() -> None:
    done = command("cats", "--backends", "cadical195", "--timeout", "0.001")
    assert "timeout" in done.stdout
    assert done.stderr == "jigsat: no run was completed\n"


def test_conflicts_are_counted_up_to_the_first_model(cats: dict[str, Puzzle]) -> None:
    """A solver that lists models tells them only at the end of its search."""
    for status, timeout in (("complete", 20.0), ("timeout", 0.001)):
        wanted = [Run(Combination("cats", "clingo"), task="first")]
        *_, run = compare.runs(cats, wanted, **usual_limits() | {"timeout": timeout})
        assert run.status == status
        assert run.conflicts is None or run.conflicts > 0
        assert (run.conflicts is None) == (run.status == "timeout" and not run.solutions)


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
    kept = tmp_path / "runs"
    conditions = Conditions(timeout=10.0, memory=1)
    with closing(Log(kept)) as log:
        for instance, backend in [("y", "b"), ("x", "a"), ("y", "a")]:
            log.add(Run(Combination(instance, backend), "complete", task="first"), conditions)
    shown = command("--from", kept).stdout
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


# -- statistics


def make_run(instance: str, backend: str, seconds: float, status: str = "complete") -> Run:
    return Run(Combination(instance, backend), status, seconds=seconds)


def test_the_median_counts_time_outs_as_such() -> None:
    runs = [make_run("x", "a", 1), make_run("x", "a", 3), make_run("x", "a", 10, "timeout")]
    (summary,) = summarize(runs)
    assert (summary.seconds, summary.status, summary.score(10)) == (3, "2/3", 3)
    (summary,) = summarize(
        [*runs, make_run("x", "a", 10, "timeout"), make_run("x", "a", 10, "timeout")]
    )
    assert (summary.is_answered, summary.status, summary.score(10)) == (False, "2/5", 20)


def test_wins_losses_and_ties() -> None:
    runs = []
    for i in range(6):
        runs += [make_run(str(i), "a", 1), make_run(str(i), "b", 2), make_run(str(i), "c", 1.05)]
    runs += [
        make_run("6", "a", 10, "timeout"),
        make_run("6", "b", 10, "timeout"),
        make_run("6", "c", 1),
    ]
    by_names = {(pair.one, pair.other): pair for pair in pairs(runs, 10)}
    pair = by_names["a", "b"]
    assert (pair.wins, pair.losses, pair.ties, pair.chance) == (6, 0, 1, 2 / 2**6)
    pair = by_names["c", "a"]
    assert (pair.wins, pair.losses, pair.ties) == (1, 0, 6)


def test_ties_have_no_difference(tmp_path: Path) -> None:
    """Most of 19 instances are ties, and the first choice wins the six others: the interval must
    not say the opposite of the sign test."""
    runs = []
    for i in range(13):
        runs += [make_run(f"quick {i}", "a", 0.010), make_run(f"quick {i}", "b", 0.009)]
    for i in range(6):
        runs += [make_run(f"slow {i}", "a", 1.0), make_run(f"slow {i}", "b", 3.0 + i)]
    (pair,) = pairs(runs, 10)
    assert (pair.one, pair.wins, pair.losses, pair.ties, pair.instances) == ("a", 6, 0, 13, 19)
    assert (pair.difference, pair.low, pair.high) == (-4.5, -7, -2)
    assert pair.chance == pytest.approx(0.03125)

    (pair,) = pairs(runs[:26], 10)
    assert (pair.ties, pair.difference, pair.low, pair.high) == (13, None, None, None)
    kept = tmp_path / "runs"
    write_file_of_runs(kept, *((run, LIMIT) for run in runs[:26]))
    rows = [line.split() for line in command("--from", kept).stdout.splitlines()]
    assert ["a", "b", "0", "0", "13", "1.000"] in rows


@pytest.mark.parametrize("number", [6, 8, 11, 20, 33])
def test_the_interval_and_the_sign_test_agree(number: int) -> None:
    """0 is outside of the interval where the probability is at most 0.05, and nowhere else."""
    for losses in range(number + 1):
        runs = []
        for i in range(number):
            runs += [make_run(str(i), "a", 5), make_run(str(i), "b", 2 if i < losses else 9)]
        (pair,) = pairs(runs, 10)
        assert pair.low is not None
        assert pair.high is not None
        assert (pair.low <= 0 <= pair.high) == (pair.chance > 0.05)


def test_a_difference_is_that_of_the_median_instance() -> None:
    """Seven instances: the smallest and the largest difference are the ends of the interval."""
    runs = []
    for i in range(7):
        runs += [make_run(str(i), "a", 1), make_run(str(i), "b", 2 + i)]
    runs += [make_run("only b", "b", 9)]
    (pair,) = pairs(runs, 10)
    assert (pair.one, pair.other, pair.instances) == ("a", "b", 7)
    assert (pair.difference, pair.low, pair.high) == (-4, -7, -1)
    timeouts = [make_run(str(i), "a", 10, "timeout") for i in range(7)]
    (pair,) = pairs([*timeouts, *runs[1::2]], 10)
    assert (pair.one, pair.difference, pair.low, pair.high) == ("b", 5 - 20, 2 - 20, 8 - 20)


def test_five_instances_have_no_interval(tmp_path: Path) -> None:
    kept = tmp_path / "runs"
    runs = [make_run(str(i), name, 1 + i) for i in range(5) for name in "ab"]
    write_file_of_runs(kept, *((run, LIMIT) for run in runs))
    assert all(pair.low is pair.high is None for pair in pairs(runs, 10))
    assert all(score.low is score.high is None for score in par2(runs, 10))
    assert "\n5 instances: an interval needs at least 6.\n" in command("--from", kept).stdout


@pytest.mark.parametrize("number", [6, 9, 12, 30])
def test_a_median_is_in_its_interval_with_the_stated_probability(number: int) -> None:
    """Each value of a skewed distribution with median 0 is on either side like a coin, so the
    probability is counted exactly: by how many values are below zero."""
    chance = random.Random(number)
    inside = 0
    for below in range(number + 1):
        values = [-chance.expovariate(1) for _ in range(below)]
        values += [chance.expovariate(9) for _ in range(number - below)]
        low, high = enclose_median(values)
        assert low is not None
        assert high is not None
        inside += comb(number, below) * (low <= 0 <= high)
    assert inside / 2**number >= 0.95

    # With one more value left out at each end, it would be less.
    outside, _ = enclose_median(range(number))
    assert outside is not None
    most_outside = sum(comb(number, k) for k in range(int(outside) + 2))
    assert 1 - 2 * most_outside / 2**number < 0.95


def test_a_choice_that_is_named_twice_runs_once(formula: str) -> None:
    options = ["--backends", "minisat22,minisat22", "--amo", "pairwise,pairwise"]
    shown = command(formula, *options).stdout
    assert "Incomplete" not in shown
    assert len(run_compare(formula, *options)["runs"]) == 1


def make_seeded(instance: str, backend: str, seed: int | None, conflicts: int = 5) -> Run:
    run = make_run(instance, backend, 1)
    return replace(run, seed=seed, conflicts=conflicts, propagations=7)


def test_missing_runs_are_counted_by_choice() -> None:
    runs = [make_seeded(name, "a", seed) for name in "xyz" for seed in (1, 2)]
    runs += [make_seeded(name, "b", None) for name in "xyz"]
    planned = {run.identity for run in runs}
    assert describe_missing(runs, planned) == ""
    assert list_incomplete_choices(runs, planned) == []
    fewer = [run for run in runs if (run.combination.instance, run.seed) not in {("y", 2)}]
    assert count_missing(fewer, planned, lambda identity: identity.seed) == {2: (2, 3)}
    assert describe_missing(fewer, planned) == "Incomplete: 8 of 9 runs"
    assert list_incomplete_choices(fewer, planned) == ["a: 5 of 6 runs"]
    stopped = [*runs[:-1], replace(runs[-1], status="interrupted")]
    assert list_incomplete_choices(stopped, planned) == ["b: 2 of 3 runs"]
    absent = Run(Combination("x", "c"), "absent: no such library")
    assert describe_missing([*runs, absent], planned) == ""


def test_a_file_of_runs_knows_what_was_planned(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    runs = [make_seeded(name, "a", seed) for name in "xyz" for seed in (1, 2)]
    planned = {run.identity for run in runs}
    other = replace(LIMIT, timeout=7.0)
    with closing(Log(path)) as log:
        log.plan({make_run("x", "b", 1).identity}, other)
        log.plan(planned, LIMIT)
        log.add(runs[0], LIMIT)
    results = read_runs(path)
    assert results.planned == planned
    assert describe_missing(results.runs, results.planned).startswith("Incomplete: 1 of 6 runs")

    # What was planned before is not written again, what is new is.
    size = path.stat().st_size
    with closing(Log(path)) as log:
        log.plan({runs[1].identity, runs[2].identity}, LIMIT)
        assert path.stat().st_size == size
        log.plan({make_run("x", "b", 1).identity}, LIMIT)
    assert len(read_runs(path).planned) == 7

    shown = json.loads(canonical(describe_results(results)))
    path.write_text(json.dumps(shown))
    assert read_runs(path).planned == planned
    shown["planned"][0]["colour"] = "red"
    path.write_text(json.dumps(shown))
    with pytest.raises(InputError, match="planned: colour: there is no such field"):
        read_runs(path)


def test_the_virtual_best_is_over_instances_of_all() -> None:
    runs = [make_run("x", "a", 1), make_run("x", "b", 3), make_run("y", "b", 5)]
    best = [row for row in par2(runs, 10) if row.backend == "virtual best"]
    assert [(row.par2, row.instances) for row in best] == [(1, 1)]
    assert [row.backend for row in par2([runs[0], runs[2]], 10)] == ["a", "b"]


def test_an_interrupted_run_is_no_timeout() -> None:
    runs = [make_run("x", "a", 1), make_run("y", "a", 1, "interrupted")]
    assert [(row.par2, row.instances) for row in par2(runs, 10)] == [(1, 1)]


def test_seeds_that_change_nothing_are_counted() -> None:
    runs = [make_seeded(name, "a", seed) for name in "xy" for seed in (1, 2)]
    runs += [make_seeded("z", "a", 1, conflicts=5), make_seeded("z", "a", 2, conflicts=6)]
    runs += [make_seeded("x", "b", 1), make_seeded("x", "c", None)]
    assert count_equal_seeds(runs) == {"a": (2, 3)}
    unknown = [replace(run, propagations=None) for run in runs]
    assert count_equal_seeds(unknown) == {"a": (2, 3)}


def test_encodings_are_compared_by_backend() -> None:
    runs = []
    for backend in "ab":
        for encoding, seconds in (("labels", 3.0), ("compact", 1.0)):
            combination = Combination("x", backend, "", encoding)
            runs.append(Run(combination, "complete", seconds=seconds))
    assert [(pair.one, pair.other, pair.wins) for pair in compare_encodings(runs, 10)] == [
        ("a compact", "a labels", 1),
        ("b compact", "b labels", 1),
    ]


def test_the_median_of_two_runs_needs_both() -> None:
    (summary,) = summarize([make_run("x", "a", 1), make_run("x", "a", 3)])
    assert (summary.seconds, summary.score(10)) == (3, 3)
    (summary,) = summarize([make_run("x", "a", 1), make_run("x", "a", 10, "timeout")])
    assert (summary.is_answered, summary.score(10)) == (False, 20)
    assert summary.middle.status == "timeout"


def test_each_row_is_one_run(tmp_path: Path) -> None:
    """All its numbers are those of the median run; of four runs, it is the third."""
    kept = tmp_path / "runs"
    runs = []
    for number in (3, 1, 4, 2):
        run = make_run("x", "a", float(number))
        run = replace(run, repeat=number, first=number / 10, encode=number / 100, wall=10 * number)
        sizes = {"conflicts": 100 * number, "propagations": 1000 * number}
        runs.append(replace(run, memory=number * 2**20, **sizes))
    write_file_of_runs(kept, *((run, LIMIT) for run in runs))
    done = command("--from", kept)
    (row,) = [line.split() for line in done.stdout.splitlines() if line.startswith("x ")]
    third = "x a complete 0.300 0.030 3.000 1.000 to 4.000 30.000 0 300 3,000 3"
    assert row == third.split()
    assert "Each row of the first table is the median run, " in done.stdout
    (score,) = json.loads(command("--from", kept, "--json").stdout)["par2"]
    assert score["par2"] == 3


def test_a_small_probability_is_not_written_as_none(tmp_path: Path) -> None:
    kept = tmp_path / "runs"
    with closing(Log(kept)) as log:
        for number in range(12):
            for backend, seconds in (("slow", 2.0), ("fast", 1.0)):
                run = make_run(str(number), backend, seconds)
                log.add(run, Conditions(timeout=10.0, memory=1))
    shown = command("--from", kept).stdout
    rows = [line.split() for line in shown.splitlines()]
    pair = ["fast", "slow", "12", "0", "0", "<", "0.001", "-1.000", "-1.000", "to", "-1.000"]
    assert pair in rows
    assert "p: sign test of wins against losses. Difference: " in shown
    assert "no difference is shown.\n" in shown


def test_an_interval_contains_the_mean_and_narrows() -> None:
    chance = random.Random(4)
    values = [chance.expovariate(1) for _ in range(400)]
    few, many = (estimate_interval(values[:n], seed=1) for n in (20, 400))
    for (low, high), n in ((few, 20), (many, 400)):
        assert low is not None
        assert high is not None
        assert low < sum(values[:n]) / n < high
    assert (many[1] or 0) - (many[0] or 0) < (few[1] or 0) - (few[0] or 0)


def test_resumed_runs_agree_in_encoding_and_seed(formula: str, tmp_path: Path) -> None:
    kept = tmp_path / "runs"
    arguments = [formula, "--backends", "cadical195", "--resume", kept]
    command(*arguments, "--amo", "ladder", "--seeds", "1")
    runs = run_compare(*arguments, "--amo", "pairwise,ladder", "--seeds", "1..2")["runs"]
    assert [(run["amo"], run["seed"], run["session"]) for run in runs] == [
        ("pairwise", 1, 2),
        ("pairwise", 2, 2),
        ("ladder", 1, 1),
        ("ladder", 2, 2),
    ]


def test_the_runs_of_a_request_are_shuffled_with_its_seed(
    cats: dict[str, Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    orders: list[list[str]] = []

    def note_order(problems: Any, wanted: Iterable[Run], **limits: Any) -> Iterator[Run]:
        orders.append([run.combination.backend for run in wanted])
        yield from ()

    monkeypatch.setattr("jigsat.services.compare.runs", note_order)
    names = ["cadical153", "cadical195", "glucose3", "glucose4", "minisat22"]
    for seed in (1, 2, 2):
        assert list(Comparison(CompareRequest(cats, names, shuffle=seed))) == []
    first, second, again = orders
    assert sorted(first) == names
    assert first != second == again


def test_each_run_has_the_whole_limit(script: Callable[..., str], formula: str) -> None:
    work = "import time\nwhile time.process_time() < 0.3: pass"
    busy = script(f"{sys.executable} -c '{work}'; {HONEST}")
    runs = run_compare(formula, "--backends", busy, "--timeout", "1", "--repeat", "3")["runs"]
    assert [run["status"] for run in runs] == ["complete"] * 3
    assert sum(run["seconds"] for run in runs) > 1


def test_the_time_to_encode_counts(
    cats: dict[str, Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is part of the time until the first model, and of the whole time."""
    kind = type(cats["cats"])
    encode = kind.encode

    def encode_slowly(puzzle: Any) -> Any:
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass
        return encode(puzzle)

    monkeypatch.setattr(kind, "encode", encode_slowly)
    wanted = [Run(Combination("cats", "cadical195"), task="first")]
    *_, run = compare.runs(cats, wanted, **usual_limits())
    assert run.status == "complete"
    assert run.first is not None
    assert 0.2 <= run.encode <= run.first <= run.seconds


def test_an_interval_is_that_of_normal_means() -> None:
    """Of many values, the means are nearly normal: 95 % are within 1.96 standard errors."""
    chance = random.Random(4)
    values = [chance.expovariate(1) for _ in range(400)]
    low, high = estimate_interval(values, seed=1)
    assert low is not None
    assert high is not None
    error = stdev(values) / len(values) ** 0.5
    assert (high - low) / (2 * 1.96 * error) == pytest.approx(1, rel=0.1)
