"""Counting with a ledger: the counts do not depend on how the search is split, stopped, lost or
repeated."""

from __future__ import annotations

import re
import sqlite3
import tracemalloc
from collections import Counter
from contextlib import closing
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import quick, truth
from support.installed import CAPABILITIES
from support.ledgers import ATOMS, DISTINCT, coordinate, count_in_parts, dominoes
from support.unreliable import Unreliable

import jigsat
from jigsat import CheckError, InputError, Stopped, load
from jigsat.ledger.audit import audit_ledger
from jigsat.ledger.file import Ledger
from jigsat.ledger.headers import count_header
from jigsat.ledger.worker import Bundle, SubproblemOutcome, SubproblemWorker, WorkerReply
from jigsat.orbits import OrbitShare, add_shares
from jigsat.runtime.executors import Here
from jigsat.subject import PuzzleSubject

# -- the counts


@settings(max_examples=quick.cases(48), derandomize=True, deadline=None)
@given(
    truth.instances(),
    st.sampled_from(
        [name for name in ("cadical195", "clingo", "cover", "scan") if name in CAPABILITIES]
    ),
    st.sampled_from([ATOMS, 10.0]),
)
def test_formulas_are_counted_however_they_are_split(
    case: tuple[list[truth.Spec], int, int], backend: str, seconds: float
) -> None:
    formula = truth.formula(*case)
    try:
        result = count_in_parts(formula, backend=backend, seconds=seconds)
    except InputError as error:
        assert backend in ("cover", "scan"), error
        return
    assert (result.solutions, result.complete) == (len(truth.table(*case)), True)


@pytest.mark.parametrize("backend", ["cadical195", "cover"])
@pytest.mark.parametrize(
    ("instance", "solutions", "distinct"),
    [
        ("cube", 96, {"rotation": 4, "reflection": 2}),
        ("cats", 4, {"rotation": 1}),
    ],
)
def test_orbits_are_counted_by_weights(
    backend: str, instance: Any, solutions: int, distinct: dict[str, int]
) -> None:
    for seconds in (ATOMS, 10.0):
        result = count_in_parts(load(instance), backend=backend, seconds=seconds)
        assert (result.solutions, result.distinct, result.complete) == (solutions, distinct, True)


def test_orbits_of_symmetric_solutions_have_fewer_members() -> None:
    expected = jigsat.count(dominoes())
    assert (expected.solutions, expected.distinct) == (36, DISTINCT)
    for backend in ("cadical195", "cover"):
        for seconds in (ATOMS, 10.0):
            result = count_in_parts(dominoes(), backend=backend, seconds=seconds)
            assert (result.solutions, result.distinct) == (36, DISTINCT)


def test_an_incomplete_orbit_is_an_error() -> None:
    counts = {OrbitShare(8, 4, (2,)): 6}
    with pytest.raises(CheckError, match="6 models were found in orbits that have 4"):
        add_shares(Counter(counts), ["rotation"], complete=True)
    assert add_shares(Counter(counts), ["rotation"], complete=False) == (16, {"rotation": 4})


def test_a_complete_ledger_is_only_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = count_in_parts(dominoes(), store=tmp_path / "ledger", backend="cover")
    before = (tmp_path / "ledger").read_bytes()
    monkeypatch.delattr("jigsat.answering.parts.open_workers")
    monkeypatch.delattr(Ledger, "record")
    again = count_in_parts(dominoes(), store=tmp_path / "ledger")
    assert (again.solutions, again.distinct, again.complete) == (
        first.solutions,
        first.distinct,
        True,
    )
    assert (again.backend, again.established_by) == ("cover", "exhaustion")
    assert (tmp_path / "ledger").read_bytes() == before


def test_a_resumed_count_begins_with_what_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> Any:
        raise Stopped("stopped at the start")

    path, problem = tmp_path / "ledger", dominoes()
    with closing(Ledger(path, count_header(PuzzleSubject(problem), "cover"))) as ledger:
        sharing = coordinate(ledger, None, ATOMS)
        next(None for _ in sharing if sharing.counts)
    monkeypatch.setattr("jigsat.answering.parts.open_workers", stopped)
    result = count_in_parts(problem, store=path)
    assert (result.stopped_by, result.complete, result.backend) == (
        "stopped at the start",
        False,
        "cover",
    )
    assert 0 < result.solutions < 36


def test_processes_count_the_same(tmp_path: Path) -> None:
    result = count_in_parts(load("cats"), backend="cover", jobs=2, store=tmp_path / "ledger")
    assert (result.solutions, result.distinct, result.complete) == (4, {"rotation": 1}, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ledger"]


def test_a_cluster_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Elsewhere(Here[str, str]):
        """A cluster in one process."""

        def __init__(self, address: str, kind: type[SubproblemWorker]) -> None:
            super().__init__(kind)
            assert address == "local:2"

        def submit(self, number: int, job: str) -> None:
            (tmp_path / "task").write_text(job)
            super().submit(number, job)

    monkeypatch.setattr("jigsat.runtime.cluster.Cluster", Elsewhere)
    assert count_in_parts(load("cats"), backend="cover", cluster="local:2").solutions == 4
    assert (tmp_path / "task").exists()


# -- stopped, resumed, repeated


def states(path: Path) -> dict[str, int]:
    with closing(Ledger(path)) as ledger:
        return ledger.states()


def test_a_stopped_count_is_resumed(tmp_path: Path) -> None:
    subject, path = PuzzleSubject(dominoes()), tmp_path / "ledger"
    header = count_header(subject, "cadical195")
    for stop in (1, 2, 9, 1000):
        with closing(Ledger(path, header)) as ledger:
            for number, _ in enumerate(coordinate(ledger, None, ATOMS)):
                assert ledger.states().get("open") or stop == 1000 or number < stop
                if number == stop:
                    break
    assert "open" not in states(path)
    result = count_in_parts(dominoes(), backend="cadical195", store=path)
    assert (result.solutions, result.distinct, result.complete) == (36, DISTINCT, True)


@pytest.mark.parametrize("seed", range(3))
def test_lost_and_repeated_answers_change_no_count(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    with closing(Ledger(path, count_header(PuzzleSubject(dominoes()), "cover"))) as ledger:
        for _ in coordinate(ledger, Unreliable(SubproblemWorker, seed, 0.05), ATOMS):
            pass
        assert add_shares(ledger.counts(), ledger.header.levels, complete=True)[0] == 36
        assert sum(row.attempts for row in ledger.every()) >= sum(
            row.state in ("done", "split") for row in ledger.every()
        )
    with closing(Ledger(path)) as ledger:
        assert not audit_ledger(ledger, 5).faults


def test_an_outcome_counts_once(ledger: Path) -> None:
    with closing(Ledger(ledger, count_header(PuzzleSubject(dominoes()), "cadical195"))) as opened:
        before, done = opened.counts(), next(row for row in opened.every() if row.state == "done")
        assert not opened.record(
            {done.id: SubproblemOutcome(seconds=1, counts=[(4, 1, [1], 10)])}, "late"
        )
        assert opened.counts() == before


def test_a_subproblem_that_kills_its_workers_stops_the_run(tmp_path: Path) -> None:
    with closing(
        Ledger(tmp_path / "ledger", count_header(PuzzleSubject(load("cats")), "cover"))
    ) as ledger:
        with pytest.raises(
            Stopped, match="subproblem 1 was tried 5 times without an answer: killed"
        ):
            list(coordinate(ledger, Unreliable(SubproblemWorker, 1, 1.0)))
        assert (ledger.states(), next(ledger.every()).attempts) == ({"open": 1}, 5)


@pytest.mark.parametrize("joined", [0, 1])
def test_a_cluster_whose_workers_join_later_splits_the_whole_first(
    joined: int, tmp_path: Path
) -> None:
    class Joining(Here[str, str]):
        """A cluster with few workers so far."""

        number, elastic = joined, True

    with closing(
        Ledger(tmp_path / "ledger", count_header(PuzzleSubject(dominoes()), "cover"))
    ) as ledger:
        run = iter(coordinate(ledger, Joining(SubproblemWorker)))
        next(run)
        assert ledger.states()["split"] == 1
        assert not list(filter(None, run))
        assert add_shares(ledger.counts(), list(DISTINCT), complete=True) == (36, DISTINCT)


def test_workers_of_another_version_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jigsat.ledger.coordinator.read_own_version", lambda: "0.0")
    result = count_in_parts(load("cats"), backend="cover")
    assert re.search(r"refuses: it has jigsat [0-9.]+, not 0\.0", str(result.stopped_by))
    assert not result.complete


class Synthetic(Here[str, str]):
    """A worker that splits everything into 100,000 subproblems with one solution each."""

    number = 2
    parts: tuple[int, ...] = (20, 20, 10, 5, 5)

    def __init__(self) -> None:
        super().__init__(SubproblemWorker)
        self._replies: list[tuple[int, str | BaseException]] = []

    def submit(self, number: int, job: str) -> None:
        bundle, reply = Bundle.model_validate_json(job), WorkerReply(worker="synthetic")
        for subproblem, literals in bundle.subproblems.items():
            opened = (
                list(range(1, self.parts[len(literals)] + 1))
                if len(literals) < len(self.parts)
                else []
            )
            counts = None if opened else [(1, 1, [1, 1], 1)]
            reply.outcomes[subproblem] = SubproblemOutcome(
                seconds=0.001, counts=counts, open=opened
            )
        self._replies.append((number, reply.model_dump_json()))

    def receive(self, patience: float) -> list[tuple[int, str | BaseException]]:
        replies, self._replies = self._replies, []
        return replies


@pytest.mark.slow
def test_many_subproblems_take_no_memory(tmp_path: Path) -> None:
    used = []
    with closing(
        Ledger(tmp_path / "ledger", count_header(PuzzleSubject(dominoes()), "cover"))
    ) as ledger:
        tracemalloc.start()
        try:
            for number, _ in enumerate(coordinate(ledger, Synthetic())):
                if number % 10 == 0:
                    used.append(tracemalloc.get_traced_memory()[0])
        finally:
            tracemalloc.stop()
        assert add_shares(ledger.counts(), list(DISTINCT), complete=True)[0] == 100_000
    assert max(used) - used[len(used) // 10] < 2**23  # of the bundles under way


def test_a_search_of_any_size_reaches_solutions_soon(tmp_path: Path) -> None:
    class Deep(Synthetic):
        """A worker that splits everything into two parts, 2^40 altogether."""

        parts = (2,) * 40

    with closing(
        Ledger(tmp_path / "ledger", count_header(PuzzleSubject(dominoes()), "cover"))
    ) as ledger:
        run = iter(coordinate(ledger, Deep()))
        while "done" not in (states := ledger.states()):
            assert states.get("split", 0) < 1000
            next(run)


# -- files


def test_a_run_keeps_others_out_but_lets_them_read(tmp_path: Path) -> None:
    path, header = tmp_path / "ledger", count_header(PuzzleSubject(load("cats")), "cover")
    with closing(Ledger(path, header)) as ledger:
        with pytest.raises(InputError, match="in use by another run"):
            Ledger(path, header)
        assert states(path) == {"open": 1}
        for _ in coordinate(ledger):
            pass
        assert states(path) == {"done": 1}


def test_somebody_may_read_a_ledger_while_it_is_created(tmp_path: Path) -> None:
    path, header = tmp_path / "ledger", count_header(PuzzleSubject(load("cats")), "cover")
    path.touch()
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM sqlite_schema").fetchall()
        with (
            pytest.raises(sqlite3.OperationalError, match="locked"),
            closing(sqlite3.connect(path, timeout=0)) as writer,
        ):
            writer.execute("CREATE TABLE refused (number)")
        release = Timer(0.2, reader.execute, ["ROLLBACK"])
        release.start()
        with closing(Ledger(path, header)):
            assert states(path) == {"open": 1}
        release.join()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"my notes\n", "not a ledger of jigsat"),
        (b'{"jigsat":"solutions","version":1}\n', "not a ledger of jigsat"),
        (b"SQLite format 3\0" + bytes(500), "not a ledger of jigsat"),
    ],
)
def test_other_files_are_refused_unchanged(content: bytes, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    path.write_bytes(content)
    for opened in (
        lambda: count_in_parts(load("cats"), backend="cover", store=path),
        lambda: Ledger(path),
    ):
        with pytest.raises(InputError, match=complaint):
            opened()
    assert path.read_bytes() == content


def test_another_instance_is_refused(ledger: Path) -> None:
    before = ledger.read_bytes()
    with pytest.raises(InputError, match="belongs to another instance"):
        count_in_parts(load("cats"), backend="cadical195", store=ledger)
    assert ledger.read_bytes() == before


def begin(path: Path, problem: Any, backend: str) -> None:
    """Search one subproblem of a puzzle."""
    with closing(Ledger(path, count_header(PuzzleSubject(problem), backend))) as ledger:
        sharing = coordinate(ledger, None, ATOMS)
        next(None for _ in sharing if ledger.states().get("done"))


def test_every_backend_that_counted_is_named(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    begin(path, dominoes(), "cadical195")
    result = count_in_parts(dominoes(), backend="cover", store=path)
    assert (result.solutions, result.distinct, result.complete) == (36, DISTINCT, True)
    assert sorted(result.backend.split(", ")) == ["cadical195", "cover"]
    assert sorted(str(result.established_by).split(", ")) == ["exhaustion", "refutation"]
    assert f"; complete (by {result.established_by}, {result.backend}, " in str(result)


def test_a_backend_that_needs_another_formula_cannot_continue(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    begin(path, dominoes(), "cover")
    with closing(sqlite3.connect(path)) as rows:
        rows.execute(
            "UPDATE header SET text = json_set(text, '$.problem.breaking', json('[]'), "
            "'$.problem.digest', 'x')"
        )
        rows.commit()
    with pytest.raises(
        InputError, match="begun with the backend cover; cadical195 cannot continue it"
    ):
        count_in_parts(dominoes(), backend="cadical195", store=path)


def test_names_and_titles_do_not_matter(ledger: Path) -> None:
    puzzle = dominoes().model_copy(update={"name": "renamed", "title": "Another title"})
    result = count_in_parts(puzzle, backend="cadical195", store=ledger)
    assert (result.instance, result.solutions) == ("renamed", 36)


def test_an_impossible_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing" / "ledger", Path("/dev/full")):
        with pytest.raises(InputError, match=f"^{path}: "):
            count_in_parts(load("cats"), backend="cover", store=path)
    with pytest.raises(InputError, match="no such file"):
        Ledger(tmp_path / "none")


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.8])
def test_a_truncated_ledger_is_refused(kept: float, ledger: Path) -> None:
    whole = ledger.read_bytes()
    ledger.write_bytes(whole[: int(len(whole) * kept)])
    with pytest.raises(InputError, match=r"damaged \("):
        count_in_parts(dominoes(), backend="cadical195", store=ledger)


def test_a_full_disk_stops_the_run_and_loses_nothing(tmp_path: Path) -> None:
    path, header = tmp_path / "ledger", count_header(PuzzleSubject(dominoes()), "cadical195")
    with closing(Ledger(path, header)) as ledger:
        (pages,) = ledger._rows.execute("PRAGMA page_count").fetchone()
        ledger._rows.execute(f"PRAGMA max_page_count = {pages}")
        large = SubproblemOutcome(
            seconds=0, counts=[(number, 1, [1, 1], 1) for number in range(10_000)]
        )
        with pytest.raises(Stopped, match="cannot be written: database or disk is full"):
            ledger.record({1: large}, "worker")
    assert states(path) == {"open": 1}
    result = count_in_parts(dominoes(), backend="cadical195", store=path)
    assert (result.solutions, result.distinct, result.complete) == (36, DISTINCT, True)
