"""Which answers are wrong or disputed, and which counts are established."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.comparing import (
    HONEST,
    MadeUpModels,
    command,
    make_run,
    run_all,
    run_compare,
    usual_limits,
)

import jigsat
from jigsat.answering import ways as strategies
from jigsat.backends import registry
from jigsat.backends.base import Spec
from jigsat.comparison import matrix as compare
from jigsat.comparison import tasks
from jigsat.comparison.log import Conditions, Log, read_runs
from jigsat.comparison.matrix import Combination, Run
from jigsat.comparison.verdicts import disagreements, judge
from jigsat.puzzle import Puzzle
from jigsat.services.compare import CompareRequest, Comparison


def test_a_backend_that_loses_solutions_is_named(
    cats: dict[str, Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = strategies.models

    def losing(formula: Any, backend: str, **options: Any) -> Iterator[Any]:
        if backend == "z3":
            return MadeUpModels((), backend)
        return honest(formula, backend, **options)

    monkeypatch.setattr(strategies, "models", losing)
    runs = run_all(cats, ("cadical195", ""), ("z3", ""))
    messages = disagreements([*runs.values()])
    assert "cats: z3: wrong: it says 0 solutions, but cadical195 found 4 (checked)" in messages
    assert (runs["z3"].complete, runs["cadical195"].complete) == (False, True)


def test_wrong_solutions_are_reported(
    cats: dict[str, Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(formula: Any, backend: str, **options: Any) -> Iterator[Any]:
        return MadeUpModels([frozenset(formula.decisions()[:9])], backend)

    monkeypatch.setattr(strategies, "models", wrong)
    runs = run_all(cats, ("cadical195", ""))
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
    log_file = tmp_path / "runs"
    options = ["--task", "first", "--resume", log_file]
    live = command(formula, "--backends", f"{liar},cadical195", *options, "--json")
    answers = [live, command("--from", log_file, "--json")]
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
    log_file = tmp_path / "runs"
    with closing(Log(log_file)) as log:
        for repeat in range(1, 5):
            for backend, solutions in (("honest", 1), ("liar", repeat % 2)):
                run = make_run("x", backend, 1.0)
                run = replace(run, task="first", way="native", solutions=solutions, repeat=repeat)
                log.add(run, Conditions(timeout=10.0, memory=1))
    done = command("--from", log_file)
    assert done.returncode == 1
    rows = [line.split() for line in done.stdout.splitlines()]
    (row,) = [row for row in rows if row[:2] == ["x", "liar"]]
    assert row[2:6] == ["native", "2/4,", "2", "wrong"]
    assert "x: liar: wrong: it says 0 solutions, but honest found 1 (checked)" in done.stdout
    assert ["liar", "20.000", "0", "of", "1", "2/4"] in rows


def test_an_enumerator_that_repeats_a_model_is_wrong(
    script: Callable[..., str], formula: str
) -> None:
    """It repeats one of the five models, and omits another: the number is neither."""
    lines = "".join(f"echo v {model} 0; " for model in ("1 -2 3", "1 -2 -3", "-1 2 3", "1 -2 3"))
    repeating = script(f"{lines}echo s SATISFIABLE; exit 30", "clasp")
    done = command(formula, "--task", "count", "--backends", repeating, "--json")
    assert done.returncode == 1
    (run,) = json.loads(done.stdout)["runs"]
    assert run["status"] == f"wrong: {repeating}: it lists a model twice"


def test_counts_that_contradict_each_other_are_disputed(
    cats: dict[str, Puzzle], tmp_path: Path
) -> None:
    """Counters list no solutions, so none of them is proved wrong."""
    log_file = tmp_path / "runs"
    conditions = Conditions(timeout=10.0, memory=1)
    counts = {"a": 4, "b": 4, "c": 5}
    with closing(Log(log_file)) as log:
        for backend, count in counts.items():
            run = Run(Combination("cats", backend), "complete", "count", solutions=count)
            log.add(run, conditions)
        for backend in "ab":
            run = Run(Combination("few", backend), "complete", "count", solutions=7)
            log.add(run, conditions)
    done = command("--from", log_file)
    assert done.returncode == 1
    message = "cats: solutions: 4 (a, b), 5 (c)"
    assert done.stderr == f"jigsat: {message}\n"
    assert f"disputed: {message}" in done.stdout
    ended = read_runs(log_file).runs
    assert {run.combination[:2] for run in ended if run.disputed} == {
        ("cats", backend) for backend in counts
    }
    assert all(run.complete for run in ended)


UNSATISFIABLE = "echo s UNSATISFIABLE; exit 20"


@pytest.mark.parametrize("task", ["first", "unique", "count"])
def test_an_answer_of_one_solver_alone_is_marked(
    task: str, script: Callable[..., str], tmp_path: Path
) -> None:
    """Another solver that says the same supports it; one that reached its limit does not."""
    formula = tmp_path / "none.cnf"
    formula.write_text("p cnf 1 2\n1 0\n-1 0\n")
    spin = 'test "$1" = --version || while :; do :; done'
    bodies = {"a": UNSATISFIABLE, "b": UNSATISFIABLE, "slow": spin}
    folders = {name: tmp_path / name for name in bodies}
    for folder in folders.values():
        folder.mkdir()
    name = "clasp" if task == "count" else "solver"
    a, b, slow = (script(body, f"{folder}/{name}") for folder, body in bodies.items())
    log_file = tmp_path / "runs"
    options = ["--task", task, "--timeout", "0.5"]
    lone = command(formula, "--backends", f"{a},{slow}", *options, "--resume", log_file)
    for done in (lone, command("--from", log_file)):
        assert done.returncode == 0
        assert "complete, unsupported" in done.stdout
        assert f"1 answer rests on the solver's word alone (1 of {a})" in done.stdout
    output = run_compare(formula, "--backends", f"{a},{b},{slow}", *options)
    assert not any(run["unsupported"] for run in output["runs"])


def test_a_source_supports_an_answer() -> None:
    cases = {"a": PUBLISHED, "b": {"stated": {"solutions": 4}}, "auto": {}}
    runs = [
        replace(make_count("c", 4, **facts), combination=Combination(name, "c"))
        for name, facts in cases.items()
    ]
    runs.append(replace(make_count("auto", 4), combination=Combination("auto", "auto")))
    runs += [
        replace(make_count("c", 1), combination=Combination("found", "c"), task="first"),
        replace(make_count("c", 1), combination=Combination("second", "c"), task="unique"),
    ]
    marked = [tuple(run.combination[:2]) for run in judge(runs) if run.unsupported]
    assert marked == [("b", "c"), ("auto", "c"), ("second", "c")]


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
    log_file = tmp_path / "runs"
    options = [
        "cats",
        "--task",
        "refute",
        "--backends",
        "minisat22",
        "--resume",
        log_file,
        "--json",
    ]
    (run,) = json.loads(command(*options).stdout)["runs"]
    assert (run["excluded"], run["solutions"], run["status"]) == (4, 0, "complete")
    text = log_file.read_text()
    assert '"excluded": 4' in text
    log_file.write_text(text.replace('"excluded": 4', '"excluded": 3'))
    done = command(*options, "--backends", "minisat22,glucose3")
    assert done.returncode == 1
    message = "cats: excluded solutions: 3 (minisat22), 4 (glucose3)"
    output = json.loads(done.stdout)
    assert output["disagreements"] == [message]
    assert all(run["disputed"] for run in output["runs"])
    assert "1 run already finished" in done.stderr
    shown = command("--from", log_file)
    assert shown.returncode == 1
    assert "disputed: cats: excluded solutions: 3 (minisat22), 4 (glucose3)\n" in shown.stdout


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
