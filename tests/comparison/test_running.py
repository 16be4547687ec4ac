"""How runs are done: in processes of their own, under limits, with seeds and in rounds."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.comparing import HONEST, command, run_all, run_alone, run_compare, usual_limits
from support.inside import run

import jigsat
from jigsat.answering import ways as strategies
from jigsat.backends import registry
from jigsat.backends.base import Capabilities, Spec
from jigsat.comparison import matrix as compare
from jigsat.comparison import tasks
from jigsat.comparison.matrix import Combination, Run
from jigsat.comparison.verdicts import disagreements
from jigsat.errors import Stopped
from jigsat.puzzle import Puzzle
from jigsat.services.compare import CompareRequest, Comparison


def test_completed_runs_agree(cats: dict[str, Puzzle]) -> None:
    runs = run_all(cats, ("cadical195", "pairwise"), ("minisat22", "totalizer"), ("z3", ""), jobs=2)
    assert {run.status for run in runs.values()} == {"complete"}
    assert {run.solutions for run in runs.values()} == {4}
    assert disagreements([*runs.values()]) == []
    for ended in runs.values():
        assert ended.first is not None
        assert 0 < ended.first <= ended.seconds
        assert 0 < ended.encode < ended.seconds
        assert ended.wall > 0
        assert ended.memory > 2**23
        assert ended.conflicts is not None
    assert runs["cadical195 pairwise"].clauses != runs["minisat22 totalizer"].clauses
    pairwise = runs["cadical195 pairwise"]
    lowered = jigsat.Lowered(cats["cats"].encode(), jigsat.Lowering(at_most_one="pairwise"))
    sizes = [len(clause.literals) for clause in lowered]
    assert (pairwise.clauses, pairwise.literals) == (len(sizes), sum(sizes))
    assert pairwise.variables == lowered.top


def test_a_crash_does_not_affect_other_runs(
    cats: dict[str, Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = strategies.models

    def crashing(formula: Any, backend: str, **options: Any) -> Iterator[Any]:
        if backend == "z3":
            os.kill(os.getpid(), signal.SIGKILL)
        return honest(formula, backend, **options)

    monkeypatch.setattr(strategies, "models", crashing)
    runs = run_all(cats, ("z3", ""), ("cadical195", ""), jobs=2)
    assert runs["z3"].status == "crash: a process of jigsat was killed by SIGKILL"
    assert runs["cadical195"].complete
    assert disagreements([*runs.values()]) == []


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
    (run,) = run_all(many, ("cadical195", ""), timeout=1.0).values()
    assert (run.status, run.complete) == ("timeout", False)
    assert run.seconds > 0.5
    (run,) = run_all(many, ("cadical195", ""), memory=45 * 2**20).values()
    assert run.status == "memory"
    assert run.memory > 45 * 2**20


class LateChild:
    """A process that used half a second, but reports a tenth when it is stopped."""

    peak = 0

    def __init__(self, work: object, memory: int) -> None:
        began = tasks.Progress(prepares=False)
        self._reports = [tasks.Progress(prepares=False, seconds=0.1), began]
        self._is_stopped = False

    def ready(self, patience: float) -> bool:
        return self._is_stopped or len(self._reports) == 2

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


def test_backends_that_only_count_are_compared(tmp_path: Path) -> None:
    formula = tmp_path / "cats.cnf"
    jigsat.export("cats", formula)
    options = ["--backends", "counting,cadical195", "--repeat", "2", "--task", "count", "--json"]
    done = command("cats", formula, *options)
    runs = json.loads(done.stdout)["runs"]
    endings = [(run["instance"], run["way"], run["status"].partition(":")[0]) for run in runs]
    assert endings == [
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
    log_file = tmp_path / "runs"
    live = command(formula, "--backends", f"{broken},minisat22", "--resume", log_file, "--json")
    again = command("--from", log_file, "--json")
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


BURN_LONG = f"{sys.executable} -c 'import time\nwhile time.process_time() < 0.4: pass'"


@pytest.mark.parametrize("name", ["solver", "clasp"])
def test_the_time_of_a_program_is_told_from_that_of_jigsat(
    name: str, script: Callable[..., str], formula: str, tmp_path: Path
) -> None:
    """A model and its check, by a program that works and one that does nothing."""
    status = 30 if name == "clasp" else 10
    answer = f"echo v 1 -2 -3 0; echo s SATISFIABLE; exit {status}"
    (tmp_path / "busy").mkdir()
    busy, quick = script(f"{BURN_LONG}; {answer}", f"busy/{name}"), script(answer, name)
    log_file = tmp_path / "runs"
    output = run_compare(
        formula, "--backends", f"{busy},{quick},minisat22", "--task", "first", "--resume", log_file
    )
    own = {run["backend"]: run["program"] for run in output["runs"]}
    assert own["minisat22"] is None
    assert own[quick] < 0.4 <= own[busy]
    for done in output["runs"][:2]:
        assert done["status"] == "complete"
        assert done["encode"] + done["program"] <= done["seconds"] + 1e-5
        assert done["first"] == done["seconds"]  # the answer comes when the program ends
    shown = command("--from", log_file).stdout
    assert " encode s files s program s " in " ".join(shown.split())
    assert "writes the formula, starts the program, reads its answer and checks it" in shown
    assert "A library (minisat22) has no files to write and read." in shown
    alone = command(formula, "--backends", "minisat22").stdout
    assert "program s" not in alone


def test_the_memory_of_a_program_is_told_from_that_of_jigsat(
    script: Callable[..., str], formula: str
) -> None:
    """A program with a large array, and one that needs much less than jigsat."""
    answer = "echo v 1 -2 -3 0; echo s SATISFIABLE; exit 10"
    large = script(f"{sys.executable} -S -c 'bytearray(2**28)'; {answer}", "large")
    small = script(answer, "small")
    output = run_compare(formula, "--backends", f"{large},{small},minisat22")
    own = {run["backend"]: run["program_memory"] for run in output["runs"]}
    assert own["minisat22"] is None
    assert own[small] < 2**26 < 2**28 <= own[large]


def test_waiting_takes_no_processor_time(
    script: Callable[..., str], formula: str, tmp_path: Path
) -> None:
    log_file = tmp_path / "runs"
    patient = script(f"sleep 2.2; {HONEST}")
    arguments = [formula, "--backends", patient, "--timeout", "1", "--resume", log_file]
    (run,) = run_compare(*arguments)["runs"]
    assert run["status"] == "complete"
    assert run["seconds"] < 1 < 2 < run["wall"]
    words = " ".join(command("--from", log_file).stdout.split())
    sentence = "1 of 1 run took more time on the wall than twice their processor time and 1 s"
    assert f"{sentence} (1 of {patient})" in words


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
    calls, log_file = tmp_path / "calls", tmp_path / "runs"
    flaky = script(f"echo >> {calls}; [ $(($(wc -l < {calls}) % 3)) = 0 ] && exit 1; {HONEST}")
    arguments = [formula, "--backends", f"{flaky},cadical195", "--repeat", "6"]
    output = run_compare(*arguments, "--resume", log_file)
    own = [run for run in output["runs"] if run["backend"] == flaky]
    assert [run["repeat"] for run in own] == [1, 2, 3, 4, 5, 6]
    assert sum(run["status"] == "complete" for run in own) == 4
    (row,) = [row for row in output["par2"] if row["backend"] == flaky]
    assert (row["completed_runs"], row["runs"], row["completed"]) == (4, 6, 1)
    assert "4/6" in command("--from", log_file).stdout


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


def test_the_options_that_come_with_a_seed_are_stated(
    script: Callable[..., str], formula: str, tmp_path: Path
) -> None:
    """minisat also starts with random activities then."""
    solver = script(f'[ "$1" = -rnd-init ] && shift 2; shift; {HONEST}', "minisat")
    log_file = tmp_path / "runs"
    for seeds, stated in (
        ([], "-verb=0 {cnf} {result}"),
        (["--seeds", "1..2"], "-rnd-init -rnd-seed={seed}.5 -verb=0 {cnf} {result}"),
    ):
        output = run_compare(formula, "--backends", solver, *seeds, "--resume", log_file)
        assert [run["status"] for run in output["runs"]] == ["complete"] * max(
            1, 2 * len(seeds[1:])
        )
        assert {run["options"] for run in output["runs"]} == {stated}
        assert f"({stated})" in command("--from", log_file).stdout


def test_the_order_is_shuffled_with_a_seed() -> None:
    first = [Run(Combination(str(i), "a"), repeat=1) for i in range(20)]
    second = [Run(Combination(str(i), "a"), repeat=2) for i in range(20)]
    order = list(compare.shuffle([first, second], 5))
    assert order == list(compare.shuffle([first, second], 5))
    assert order != list(compare.shuffle([first, second], 6))
    assert [run.repeat for run in order] == [1] * 20 + [2] * 20
    assert order[:20] != first


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
        clauses = [line for line in lines if not re.match("c [^p]", line)]  # grep -v '^c [^p]'
        assert row["formula"] == hash_text("".join(clauses))
    assert len({row["formula"] for row in runs}) == len(runs) == 6

    file = tmp_path / "cats.cnf"
    run("export", "cats", "-o", file)
    (of_file,) = run_compare(file, "--backends", "cadical195")["runs"]
    assert of_file["formula"] == hash_text(file.read_text())


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


def test_a_choice_that_is_named_twice_runs_once(formula: str) -> None:
    options = ["--backends", "minisat22,minisat22", "--amo", "pairwise,pairwise"]
    shown = command(formula, *options).stdout
    assert "Incomplete" not in shown
    assert len(run_compare(formula, *options)["runs"]) == 1


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
