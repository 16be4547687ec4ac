"""Files of runs: what is written, resumed, read again and refused."""

from __future__ import annotations

import csv
import json
import random
import signal
import subprocess
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.command import JIGSAT
from support.comparing import (
    FORMULA,
    HONEST,
    LIMIT,
    command,
    make_run,
    make_seeded,
    run_compare,
    write_file_of_runs,
)
from support.inside import run
from support.waiting import LONG, soon

import jigsat
from jigsat.comparison import versions
from jigsat.comparison.log import Conditions, Log, find_earlier, read_runs
from jigsat.comparison.matrix import Combination, Run
from jigsat.comparison.scores import (
    describe_missing,
)
from jigsat.comparison.versions import hash_code
from jigsat.errors import InputError
from jigsat.runtime.untrusted import canonical
from jigsat.services.compare import describe_results


def test_the_command_shows_writes_and_resumes(tmp_path: Path) -> None:
    few, file, log_file = tmp_path / "few.toml", tmp_path / "runs.csv", tmp_path / "runs.jsonl"
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
        log_file,
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
    before = log_file.read_bytes()
    again = command(*arguments, "--json")
    assert again.stderr == f"{log_file}: 6 runs already finished\n"
    answer = json.loads(again.stdout)
    assert [run["seconds"] for run in answer["runs"]] == [float(row["seconds"]) for row in rows]
    assert answer["disagreements"] == []
    assert log_file.read_bytes() == before
    # A different limit needs a new run, which is planned first.
    other = command("cats", "--backends", "z3", "--resume", log_file, "--timeout", "50")
    assert f"{log_file}: 1 run again: timeout was 60.0, and is 50.0\n" in other.stderr
    assert len(log_file.read_bytes().splitlines()) == len(before.splitlines()) + 2


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
        (b'{"jigsat":"runs","version":1}\n', "the format is 1, not 8"),
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


def test_ctrl_c_shows_finished_runs_and_resume_continues(tmp_path: Path) -> None:
    log_file = tmp_path / "runs.jsonl"
    arguments = [
        "compare",
        "cats",
        "fish-plain",
        "--backends",
        "cadical195",
        "--resume",
        str(log_file),
        "--json",
        "--shuffle",
        "0",
    ]
    with subprocess.Popen(
        [*JIGSAT, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        try:
            # The first line is the header, the second one the plan.
            soon(lambda: log_file.exists() and len(log_file.read_bytes().splitlines()) >= 3)
            running.send_signal(signal.SIGINT)
            out, err = running.communicate(timeout=LONG)
        finally:
            running.kill()
    assert running.returncode == 130, err
    runs = json.loads(out)["runs"]  # the next instance may have been begun
    assert [run["instance"] for run in runs if run["status"] == "complete"] == ["cats"]
    arguments = ["--backends", "cadical195", "--resume", log_file, "--json", "--shuffle", "0"]
    done = command("cats", *arguments)
    assert done.stderr == f"{log_file}: 1 run already finished\n"


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
        {"listed": 1},
        {"listed": True},
        {"listed": True, "established_by": "counting"},
        {"load_start": -0.5},
        {"load_end": "high"},
        {"nice_end": 40},
        {"started": "yesterday"},
    ],
)
def test_a_run_of_wrong_types_is_refused(change: dict[str, object], tmp_path: Path) -> None:
    log_file = tmp_path / "runs"
    log = Log(log_file)
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
    assert [run.counts for run, _ in Log(log_file).done] == [{"solutions": 4, "rotation": 1}]
    header, line = log_file.read_text().splitlines()
    item = json.loads(line)
    for wrong in (json.dumps({**item, "run": {**item["run"], **change}}), "5", "[" * 100_000):
        log_file.write_text(f"{header}\n{wrong}\n")
        with pytest.raises(InputError, match=r"runs: line 2: not a run: .*; remove the line"):
            Log(log_file)


@pytest.mark.parametrize("seconds", [0.0, 9.99])
def test_a_timeout_before_the_limit_is_refused(seconds: float, tmp_path: Path) -> None:
    """An edited time-out would count like a real one."""
    log_file, output = tmp_path / "runs", tmp_path / "runs.json"
    right, wrong = (make_run("x", "a", time, "timeout") for time in (10.0, seconds))
    write_file_of_runs(log_file, (right, LIMIT))
    output.write_text(command("--from", log_file, "--json").stdout)
    line = log_file.read_text().splitlines()[-1]
    answer = json.loads(output.read_text())
    answer["runs"][0]["seconds"] = seconds
    write_file_of_runs(log_file, (wrong, LIMIT))
    output.write_text(json.dumps(answer))
    message = f"a timeout cannot come after {seconds:g} s, because the limit is 10 s"
    for file, place in ((log_file, "line 3: not a run"), (output, "run 1")):
        done = command("--from", file)
        assert done.returncode == 2
        assert done.stderr.startswith(f"jigsat: {file}: {place}: seconds: {message}; ")
        assert len(done.stderr.splitlines()) == 1
    assert '"seconds": 10.0' in line


def test_a_refusal_that_depends_on_the_seed_is_refused(tmp_path: Path) -> None:
    """A time-out that was edited would not count."""
    log_file, output = tmp_path / "runs", tmp_path / "runs.json"
    runs = [make_seeded("x", "a", 1), make_seeded("x", "a", 2), make_seeded("y", "a", 2)]
    runs[2].status = "refused: it needs a patch"
    write_file_of_runs(log_file, *((run, LIMIT) for run in runs))
    answer = json.loads(command("--from", log_file, "--json").stdout)
    answer["runs"][1]["status"] = runs[1].status = "refused: it needs a patch"
    output.write_text(json.dumps(answer))
    log_file.unlink()
    write_file_of_runs(log_file, *((run, LIMIT) for run in runs))
    for file in (log_file, output):
        done = command("--from", file)
        assert done.returncode == 2
        assert done.stderr.startswith(f"jigsat: {file}: x: a: refused in one run and complete in")


def test_an_output_of_another_version_is_refused(tmp_path: Path) -> None:
    log_file, output = tmp_path / "runs", tmp_path / "runs.json"
    write_file_of_runs(log_file, (make_run("x", "a", 1.0), LIMIT))
    answer = json.loads(command("--from", log_file, "--json").stdout)
    assert answer["version"] == Log.VERSION
    for version in (Log.VERSION - 1, None):
        changed = {**answer, "version": version}
        if version is None:
            del changed["version"]
        output.write_text(json.dumps(changed))
        with pytest.raises(InputError, match=f"the format is {version or 'older'}, not 8; name"):
            read_runs(output)


def test_runs_of_several_tasks_are_shown_one_task_at_a_time(tmp_path: Path) -> None:
    """A mean of the times until a first and until all solutions says nothing."""
    log_file = tmp_path / "runs"
    first = replace(make_run("x", "a", 1.0), task="first", solutions=1)
    first = replace(first, date="2026-11-29T10:00:00+00:00")
    every = replace(make_run("y", "a", 5.0), task="all", date="2026-11-29T11:00:00+00:00")
    with closing(Log(log_file)) as log:
        for run in (first, every):
            log.plan([run.identity], LIMIT)
            log.add(run, LIMIT)
    done = command("--from", log_file)
    assert done.stderr == f"{log_file}: 1 run left out: the task was first, and is all\n"
    for task, seconds in (("first", 1.0), ("all", 5.0)):
        shown = json.loads(command("--from", log_file, "--task", task, "--json").stdout)
        assert [row["par2"] for row in shown["par2"]] == [seconds]
        assert len(shown["planned"]) == 1
        assert shown["left_out"] == []
    assert jigsat.read_runs(log_file, task="first") == [first]
    none = command("--from", log_file, "--task", "count")
    assert none.returncode == 2
    assert none.stderr == f"jigsat: {log_file}: no run of the task count; use all or first\n"


@pytest.mark.parametrize("part", ["run", "conditions"])
def test_each_field_of_a_run_is_required(part: str, tmp_path: Path) -> None:
    """A time that was deleted would be 0, and win."""
    log_file, output = tmp_path / "runs", tmp_path / "runs.json"
    write_file_of_runs(log_file, (make_run("x", "a", 1.0), LIMIT))
    written = command("--from", log_file, "--json")
    header, line = log_file.read_text().splitlines()
    item = json.loads(line)
    assert {"seconds", "instance", "stated"} <= item["run"].keys()
    for name in item[part]:
        fewer = {key: value for key, value in item[part].items() if key != name}
        log_file.write_text(f"{header}\n{json.dumps({**item, part: fewer})}\n")
        with pytest.raises(InputError, match=f"line 2: not a run: {name} is missing; remove"):
            read_runs(log_file)
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
    log_file = tmp_path / "runs"
    fields = {"task": "first", "solutions": 1, "solver": "b 1", "formula": "1" * 64}
    latest = replace(make_run("x", "a", 1.0), **fields, date="2026-11-29T10:00:00+00:00")
    of_run = {key: value for key, value in change.items() if not hasattr(LIMIT, key)}
    of_conditions = {key: value for key, value in change.items() if key not in of_run}
    seed = {} if "seconds" in change else {"seed": 3}
    earlier = replace(latest, **{**of_run, **seed}, date="2026-11-28T10:00:00+00:00")
    items = [(earlier, replace(LIMIT, **of_conditions)), (latest, LIMIT)]
    write_file_of_runs(log_file, *(items[::-1] if first else items))
    runs, conditions, _, left_out = read_runs(log_file)
    assert (runs, conditions) == ([latest], LIMIT)
    assert left_out == [f"1 run left out: {reason}"]
    done = command("--from", log_file)
    assert done.stderr == f"{log_file}: {left_out[0]}\n"
    assert f"{left_out[0]}." in done.stdout
    assert json.loads(command("--from", log_file, "--json").stdout)["left_out"] == left_out
    with pytest.warns(UserWarning, match="1 run left out: "):
        assert jigsat.read_runs(log_file) == [latest]


def test_a_header_with_blanks_is_read(tmp_path: Path) -> None:
    log_file = tmp_path / "runs"
    write_file_of_runs(log_file, (make_run("x", "a", 1.0), LIMIT))
    lines = [json.dumps(json.loads(line)) for line in log_file.read_text().splitlines()]
    assert lines[0].encode() not in Log.FIRST_LINE
    log_file.write_text("\n".join(lines) + "\n")
    assert len(read_runs(log_file).runs) == 1
    with closing(Log(log_file)) as log:
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


def test_reasons_to_repeat_are_shown_before_the_first_run(
    script: Callable[..., str], formula: str, tmp_path: Path
) -> None:
    """The comparison is stopped in its first run, which has begun when the solver makes a file."""
    log_file, begun = tmp_path / "runs", tmp_path / "begun"
    solver = script(HONEST)
    arguments = ["compare", formula, "--backends", solver, "--resume", str(log_file)]
    assert run("compare", *arguments[1:]).returncode == 0
    slow = f"if [ -e {tmp_path}/slow ]; then touch {begun}; sleep 600; fi"
    script(f"{slow}\n{HONEST}")
    (tmp_path / "slow").touch()
    messages = tmp_path / "messages"
    with (
        messages.open("w") as file,
        subprocess.Popen([*JIGSAT, *arguments], stderr=file) as running,
    ):
        try:
            soon(begun.exists)
            assert f"{log_file}: 1 run again: the solver was " in messages.read_text()
            running.send_signal(signal.SIGINT)
            running.wait(timeout=LONG)
        finally:
            running.kill()


def test_a_changed_solver_runs_again(
    script: Callable[..., str], formula: str, tmp_path: Path
) -> None:
    log_file = tmp_path / "runs"
    solver = script(HONEST)
    arguments = [formula, "--backends", f"{solver},cadical195", "--resume", log_file]
    before = run_compare(*arguments)["runs"][0]["solver"]
    assert len(before.rpartition(" ")[2]) == 64
    script(f": another version\n{HONEST}")
    again = command(*arguments, "--json")
    after = json.loads(again.stdout)["runs"][0]["solver"]
    assert after != before
    assert again.stderr.splitlines() == [
        f"{log_file}: 1 run already finished",
        f"{log_file}: 1 run again: the solver was {before}, and is {after}",
    ]
    Path(formula).write_text(FORMULA.replace("1 2 3 0", "1 3 0"))
    changed = command(*arguments)
    assert f"{log_file}: 2 runs again: the formula has changed\n" in changed.stderr


def test_runs_with_other_code_are_done_again(formula: str, tmp_path: Path) -> None:
    """Within one version of jigsat."""
    log_file = tmp_path / "runs"
    arguments = [formula, "--backends", "cadical195", "--resume", log_file]
    code = run_compare(*arguments)["conditions"]["code"]
    assert len(code) == 64
    log_file.write_text(log_file.read_text().replace(code, "0" * 64))
    again = command(*arguments)
    assert again.stderr.startswith(f"{log_file}: 1 run again: the code of jigsat has changed\n")
    assert f" (code {code[:12]}), " in again.stdout
    shown = command("--from", log_file)
    assert shown.stderr == f"{log_file}: 1 run left out: the code of jigsat has changed\n"


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


def test_more_repeats_reuse_the_earlier_ones(formula: str, tmp_path: Path) -> None:
    log_file = tmp_path / "runs"
    arguments = [formula, "--backends", "cadical195", "--resume", log_file]
    first = command(*arguments, "--repeat", "2")
    assert "; not resumed." in first.stdout
    more = command(*arguments, "--repeat", "3", "--json", "--csv", tmp_path / "runs.csv")
    assert more.stderr == f"{log_file}: 2 runs already finished\n"
    output = json.loads(more.stdout)
    assert [run["session"] for run in output["runs"]] == [1, 1, 2]
    assert output["sessions"] == 2
    with (tmp_path / "runs.csv").open(newline="") as text:
        assert [row["session"] for row in csv.DictReader(text)] == ["1", "1", "2"]
    command(*arguments, "--repeat", "4")
    assert "; resumed 2 times." in command("--from", log_file).stdout


def test_written_runs_are_shown_again(formula: str, tmp_path: Path) -> None:
    log_file, output, table = tmp_path / "runs", tmp_path / "runs.json", tmp_path / "runs.csv"
    arguments = [formula, "cats", "--backends", "cadical195,z3", "--task", "first"]
    done = command(*arguments, "--resume", log_file, "--json", "--csv", table)
    output.write_text(done.stdout)
    answer = json.loads(done.stdout)
    for file in (log_file, output):
        again = json.loads(command("--from", file, "--json").stdout)
        assert sorted(map(str, again["runs"])) == sorted(map(str, answer["runs"]))
        assert again["conditions"] == answer["conditions"]
        assert {row["backend"]: row["completed"] for row in again["par2"]} == {
            row["backend"]: row["completed"] for row in answer["par2"]
        }
    shown = command("--from", output, "--csv", tmp_path / "again.csv")
    assert "Task: first." in shown.stdout
    assert (tmp_path / "again.csv").read_text() == table.read_text()
    assert len(jigsat.read_runs(log_file)) == 4


def test_what_is_shown_depends_on_the_runs_and_not_on_the_order_of_their_ends(
    tmp_path: Path,
) -> None:
    """The plan has the requested order."""
    times = [0.3, 0.1, 0.9, 0.2, 2.0, 0.4, 0.7]
    runs = [
        replace(make_run(f"x{place}", backend, seconds * (1 + number)), seed=seed)
        for place, seconds in enumerate(times)
        for number, backend in enumerate("cab")
        for seed in (7, 3)
    ]
    shown = []
    for seed in range(3):
        log_file = tmp_path / str(seed)
        ended = runs[:]
        random.Random(seed).shuffle(ended)
        with closing(Log(log_file)) as log:
            log.plan([run.identity for run in runs], LIMIT)
            for run in ended:
                log.add(run, LIMIT)
        results = read_runs(log_file)
        assert [run.identity for run in results.runs] == [run.identity for run in runs]
        shown.append(describe_results(results))
    assert shown[0] == shown[1] == shown[2]


def test_a_comparison_and_its_file_show_the_same(formula: str, tmp_path: Path) -> None:
    """In the order of the request, which is not that of the names."""
    log_file = tmp_path / "runs"
    backends = ["--backends", "minisat22,cadical195,glucose3"]
    options = ["--task", "first", "--seeds", "2,1", "--warmup", "1", "--resume", log_file, "--json"]
    for named in (backends, ["--backends", "glucose3,minisat22,cadical195"]):
        live = command(formula, "cats", *named, *options)
        assert command("--from", log_file, "--json").stdout == live.stdout
    names = [run["backend"] for run in json.loads(live.stdout)["runs"]]
    assert list(dict.fromkeys(names)) == ["glucose3", "minisat22", "cadical195"]


def test_resumed_runs_agree_in_encoding_and_seed(formula: str, tmp_path: Path) -> None:
    log_file = tmp_path / "runs"
    arguments = [formula, "--backends", "cadical195", "--resume", log_file]
    command(*arguments, "--amo", "ladder", "--seeds", "1")
    runs = run_compare(*arguments, "--amo", "pairwise,ladder", "--seeds", "1..2")["runs"]
    assert [(run["amo"], run["seed"], run["session"]) for run in runs] == [
        ("pairwise", 1, 2),
        ("pairwise", 2, 2),
        ("ladder", 1, 1),
        ("ladder", 2, 2),
    ]


def test_a_file_of_runs_knows_what_was_planned(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    runs = [make_seeded(name, "a", seed) for name in "xyz" for seed in (1, 2)]
    planned = tuple(run.identity for run in runs)
    other = replace(LIMIT, timeout=7.0)
    with closing(Log(path)) as log:
        log.plan([make_run("x", "b", 1).identity], other)
        log.plan(planned, LIMIT)
        log.add(runs[0], LIMIT)
    results = read_runs(path)
    assert results.planned == planned
    assert describe_missing(results.runs, results.planned).startswith("Incomplete: 1 of 6 runs")

    # What was planned before is not written again, what is new is.
    size = path.stat().st_size
    with closing(Log(path)) as log:
        log.plan([runs[1].identity, runs[2].identity], LIMIT)
        assert path.stat().st_size == size
        log.plan([make_run("x", "b", 1).identity], LIMIT)
    assert len(read_runs(path).planned) == 7

    shown = json.loads(canonical(describe_results(results)))
    path.write_text(json.dumps(shown))
    assert read_runs(path).planned == planned
    shown["planned"][0]["colour"] = "red"
    path.write_text(json.dumps(shown))
    with pytest.raises(InputError, match="planned: colour: there is no such field"):
        read_runs(path)
