"""Comparisons: counts, limits, wrong answers and resumed runs."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from support.command import JIGSAT, run
from support.forked import memory_beside_this_process
from support.waiting import LONG, soon

import jigsat
from jigsat.answering import ways as strategies
from jigsat.backends.base import Capabilities
from jigsat.comparison import matrix as compare
from jigsat.comparison.matrix import Combination, Log, Run
from jigsat.errors import InputError
from jigsat.puzzle import Puzzle


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    return run("compare", *arguments)


def usual_limits() -> dict[str, Any]:
    return {"timeout": 20.0, "memory": memory_beside_this_process(1024) * 2**20}


def finished(
    puzzles: dict[str, Puzzle], *chosen: tuple[str, str], jobs: int = 1, **limits: Any
) -> dict[str, Run]:
    """The runs of all puzzles with the chosen backends and encodings, by label."""
    wanted = [Combination(name, *choice) for name in puzzles for choice in chosen]
    runs = compare.runs(puzzles, wanted, jobs=jobs, **usual_limits() | limits)
    return {run.combination.label: run for run in runs if run.status != "running"}


@pytest.fixture
def cats() -> dict[str, Puzzle]:
    return {"cats": jigsat.load("cats")}


def test_completed_runs_agree(cats: dict[str, Puzzle]) -> None:
    runs = finished(
        cats, ("cadical195", "pairwise"), ("minisat22", "totalizer"), ("z3", ""), jobs=2
    )
    assert {run.status for run in runs.values()} == {"complete"}
    assert {run.solutions for run in runs.values()} == {4}
    assert list(compare.disagreements(cats, list(runs.values()))) == []
    for each in runs.values():
        assert each.first is not None
        assert 0 < each.first <= each.seconds
        assert each.memory > 2**23
        assert each.conflicts is not None
    assert runs["cadical195 pairwise"].clauses != runs["minisat22 totalizer"].clauses


class Found(Iterator[Any]):
    """Made-up models in place of a search."""

    refuted = False

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
        return Found((), backend) if backend == "z3" else honest(formula, backend, **options)

    monkeypatch.setattr(strategies, "models", losing)
    runs = finished(cats, ("cadical195", ""), ("z3", ""))
    said = list(compare.disagreements(cats, list(runs.values())))
    assert "cats: solutions: 4 (the file, cadical195), 0 (z3)" in said


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
    assert runs["z3"].status == "crash: the solver's process was killed by SIGKILL"
    assert runs["cadical195"].complete
    assert list(compare.disagreements(cats, list(runs.values()))) == []


def test_wrong_solutions_are_reported(
    cats: dict[str, Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(formula: Any, backend: str, **options: Any) -> Iterator[Any]:
        return Found([frozenset(formula.decisions()[:9])], backend)

    monkeypatch.setattr(strategies, "models", wrong)
    runs = finished(cats, ("cadical195", ""))
    assert runs["cadical195"].status.startswith("wrong: ")
    assert [text[:24] for text in compare.disagreements(cats, list(runs.values()))] == [
        "cats: cadical195: wrong:"
    ]


def test_too_many_solutions_disagree_even_in_an_incomplete_run(cats: dict[str, Puzzle]) -> None:
    runs = [
        Run(Combination("cats", "a", ""), "complete", solutions=4, distinct={"rotation": 1}),
        Run(Combination("cats", "b", ""), "timeout", solutions=8, distinct={"rotation": 1}),
        Run(Combination("cats", "c", ""), "timeout", solutions=3, distinct={"rotation": 1}),
    ]
    assert list(compare.disagreements(cats, runs)) == ["cats: solutions: 4, but b found 8"]


def test_choices_that_make_no_difference_are_not_run_twice(cats: dict[str, Puzzle]) -> None:
    able = {"lowers": Capabilities(), "native": Capabilities(cardinality=True), "absent": None}
    puzzles = cats | {"cube": jigsat.load("cube")}
    assert list(
        compare.combinations(puzzles, able, ["pairwise", "ladder"], ["labels", "supports"])
    ) == [
        ("cats", "lowers", "pairwise", "labels"),
        ("cats", "lowers", "pairwise", "supports"),
        ("cats", "lowers", "ladder", "labels"),
        ("cats", "lowers", "ladder", "supports"),
        ("cats", "native", "", "labels"),
        ("cats", "native", "", "supports"),
        ("cats", "absent", "", ""),
        ("cube", "lowers", "pairwise", ""),
        ("cube", "lowers", "ladder", ""),
        ("cube", "native", "", ""),
        ("cube", "absent", "", ""),
    ]
    assert list(compare.combinations(cats, able)) == [("cats", name, "", "") for name in able]
    with pytest.raises(jigsat.InputError, match="unknown encoding 'other'; use one of 'conflicts'"):
        list(compare.combinations(puzzles, able, [], ["labels", "other"]))


def test_encodings_of_a_family_are_compared(cats: dict[str, Puzzle]) -> None:
    runs = compare.runs(
        cats,
        [Combination("cats", "cadical195", encoding=name) for name in ("labels", "conflicts")],
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
    rows = [
        (row["backend"], row["par2"], row["completed"], row["runs"])
        for row in compare.par2(done, 10)
    ]
    assert rows == [("virtual best", 3.5, 2, 2), ("b", 5, 2, 2), ("d", 10.5, 1, 2), ("a", 11, 1, 2)]


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
    assert again.stderr == f"{kept}: 8 runs already finished\n"
    answer = json.loads(again.stdout)
    assert [run["seconds"] for run in answer["runs"]] == [float(row["seconds"]) for row in rows]
    assert answer["disagreements"] == []
    assert kept.read_bytes() == before
    command(
        "cats", "--backends", "z3", "--resume", kept, "--timeout", "50"
    )  # a different limit needs a new run
    assert len(kept.read_bytes().splitlines()) == len(before.splitlines()) + 1


def test_runs_in_a_file_that_was_cut_off_are_kept(tmp_path: Path) -> None:
    path, puzzles = tmp_path / "runs.jsonl", {"x": jigsat.load("cats")}
    with closing(Log(path, puzzles, timeout=10)) as log:
        for backend in "ab":
            log.add(Run(Combination("x", backend), "complete"))
        with pytest.raises(InputError, match="in use by another run"):
            Log(path, puzzles)
    whole = path.read_bytes()
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        with closing(Log(path, puzzles, timeout=10)) as log:
            done = [run.combination.backend for run in log.done.values()]
            log.add(Run(Combination("x", "c"), "complete"))
        assert done == ["a", "b"][: max(0, whole[:length].count(b"\n") - 1)]
        with closing(Log(path, puzzles, timeout=10)) as log:
            assert [run.combination.backend for run in log.done.values()] == [*done, "c"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"my notes\n", "not a file of runs"),
        (b'{"jigsat":"runs","version":2}\n', "not a file of runs"),
        (
            b'{"jigsat":"runs","version":1}\n{"run":5,"conditions":{}}\n',
            "line 2: not a run; remove the line",
        ),
        (b'{"jigsat":"runs","version":1}\n\xff\n', "line 2: not a run; remove the line"),
    ],
)
def test_other_files_of_runs_are_refused_unchanged(
    content: bytes, says: str, tmp_path: Path
) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=says):
        Log(path, {})
    assert path.read_bytes() == content


def test_a_count_that_contradicts_the_file_is_an_error(tmp_path: Path) -> None:
    denied = tmp_path / "denied.toml"
    text = Path(jigsat.instance.find("cats")).read_text()
    denied.write_text(text.replace("solutions = 4", "solutions = 5"))
    done = command(denied, "--backends", "cadical195,z3")
    assert done.returncode == 1
    assert done.stderr == "jigsat: denied: solutions: 5 (the file), 4 (cadical195, z3)\n"


def test_backends_that_only_count_are_compared(tmp_path: Path) -> None:
    formula = tmp_path / "cats.cnf"
    jigsat.export("cats", formula)
    done = command("cats", formula, "--backends", "counting,cadical195", "--repeat", "3", "--json")
    said = [
        (run["instance"], run["status"].partition(":")[0], len(run["times"]))
        for run in json.loads(done.stdout)["runs"]
    ]
    assert said == [
        ("cats", "complete", 3),
        ("cats", "complete", 3),
        ("cats.cnf", "refused", 0),
        ("cats.cnf", "complete", 3),
    ]
    changed = command(
        "lights-5x5",
        "--set",
        "board=square 4x4",
        "--set",
        "known={}",
        "--backends",
        "gf2",
        "--json",
    )
    assert json.loads(changed.stdout)["runs"][0]["solutions"] == 16


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
    ]
    with subprocess.Popen(
        [*JIGSAT, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        try:
            soon(lambda: kept.exists() and len(kept.read_bytes().splitlines()) >= 2)
            running.send_signal(signal.SIGINT)
            out, err = running.communicate(timeout=LONG)
        finally:
            running.kill()
    assert running.returncode == 130, err
    runs = json.loads(out)["runs"]  # the next instance may have been begun
    assert [run["instance"] for run in runs if run["status"] == "complete"] == ["cats"]
    done = command("cats", "--backends", "cadical195", "--resume", kept, "--json")
    assert done.stderr == f"{kept}: 1 run already finished\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["cats", "--backends", "nobody"], "unknown backend 'nobody'"),
        (["cats", "--amo", "naive"], "--amo: unknown at-most-one encoding 'naive'"),
        (["nothing"], "nothing: unknown instance"),
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
    draw(tmp_path / "plots", done, timeout=10)
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
    ],
)
def test_a_run_of_wrong_types_is_refused(
    change: dict[str, object], cats: dict[str, Puzzle], tmp_path: Path
) -> None:
    kept = tmp_path / "runs"
    log = Log(kept, cats, timeout=60, memory=1)
    log.add(
        Run(
            Combination("cats", "z3"),
            status="complete",
            first=1.0,
            seconds=2,
            solutions=4,
            distinct={"rotation": 1},
        )
    )
    log.close()
    assert [run.counts for run in Log(kept, cats, timeout=60.0, memory=1).done.values()] == [
        {"solutions": 4, "rotation": 1}
    ]
    header, line = kept.read_text().splitlines()
    item = json.loads(line)
    for said in (json.dumps({**item, "run": {**item["run"], **change}}), "5", "[" * 100_000):
        kept.write_text(f"{header}\n{said}\n")
        with pytest.raises(
            InputError, match=r"runs: line 2: (not a run; remove the line|damaged; remove the line)"
        ):
            Log(kept, cats, timeout=60, memory=1)
