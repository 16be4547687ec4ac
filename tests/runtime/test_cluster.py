"""Counting on a Dask cluster: whatever dies, the counts are those of one process."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from support.command import JIGSAT
from support.ledgers import coordinate
from support.waiting import gone, soon

import jigsat
from jigsat import Enumeration, InputError, Stopped, load
from jigsat.answering.many import find_first_solutions
from jigsat.ledger.audit import audit_ledger
from jigsat.ledger.file import Ledger
from jigsat.ledger.headers import count_header
from jigsat.ledger.worker import SubproblemWorker
from jigsat.questions import FirstSolutions, Means
from jigsat.runtime.child import apart
from jigsat.runtime.cluster import Cluster
from jigsat.runtime.guard import below
from jigsat.subject import PuzzleSubject

distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")
pytestmark = pytest.mark.slow

DISTINCT = {"rotation": 736, "reflection": 368}
SHORT = 1.0
"""The target duration of a subproblem, so short that there are dozens of them."""


def ledger(path: Path) -> Ledger:
    return Ledger(path, count_header(PuzzleSubject(load("pentominoes-4x15")), "cover"))


def confirmed(path: Path) -> None:
    """The ledger is complete and has the counts of one process."""
    with closing(Ledger(path)) as opened:
        found = audit_ledger(opened, 3)
    assert found.complete and not found.faults
    assert (found.solutions, found.distinct) == (1472, DISTINCT)


def answering(opened: Ledger) -> set[str]:
    """The workers that have answered so far."""
    return {row.worker for row in opened.every() if row.worker}


@contextmanager
def scheduler(
    folder: Path, *options: str, workers: int = 2, port: int = 0
) -> Iterator[subprocess.Popen[bytes]]:
    """A scheduler process with its file in a folder, and workers that look for it there, all with
    the same options."""
    file = folder / "scheduler.json"
    file.unlink(missing_ok=True)
    command = [
        sys.executable,
        "-m",
        "distributed.cli.dask_scheduler",
        "--scheduler-file",
        str(file),
        "--no-dashboard",
    ]
    started = [_popen(*command, "--host", "127.0.0.1", "--port", str(port), *options)]
    try:
        started.extend(worker(file, *options) for _ in range(workers))
        soon(file.exists)
        yield started[0]
    finally:
        for process in started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def worker(file: Path, *options: str) -> subprocess.Popen[bytes]:
    return _popen(
        sys.executable,
        "-m",
        "distributed.cli.dask_worker",
        "--scheduler-file",
        str(file),
        "--nthreads",
        "1",
        "--no-dashboard",
        "--host",
        "127.0.0.1",
        *options,
    )


def _popen(*command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )


def test_a_local_cluster_counts_as_one_process(tmp_path: Path) -> None:
    count = jigsat.count("cats", backend="cover", cluster="local:2", store=tmp_path / "ledger")
    assert (count.solutions, count.distinct, count.complete) == (4, {"rotation": 1}, True)
    with closing(Ledger(tmp_path / "ledger")) as opened:
        assert all(str(row.worker).startswith("tcp://") for row in opened.every())


def test_a_local_cluster_is_started_again_with_a_limit() -> None:
    for limit in ({}, {"timeout": 100}, {}):
        count = jigsat.count("cats", backend="cover", cluster="local:1", **limit)
        assert (count.solutions, count.complete) == (4, True)


def test_a_local_cluster_lists_as_one_process(tmp_path: Path) -> None:
    solutions = Enumeration("cube", cluster="local:2", store=tmp_path / "ledger")
    assert len({solution.placements for solution in solutions}) == 4
    assert (solutions.result.solutions, solutions.result.complete) == (96, True)
    with closing(Ledger(tmp_path / "ledger")) as opened:
        assert not audit_ledger(opened, None).faults


def test_a_local_cluster_shares_many_puzzles(tmp_path: Path) -> None:
    puzzles = [load("sudoku-hard"), load("sudoku-hard").without_clues(), load("sudoku-hard")]
    means = Means(cluster="local:2", store=tmp_path / "ledger")
    answers = list(find_first_solutions(FirstSolutions(), puzzles, means))
    assert [(len(answer.solutions), answer.complete) for answer in answers] == [
        (1, True),
        (2, False),
        (1, True),
    ]


def test_workers_of_this_machine_start_quickly_and_settings_are_restored() -> None:
    def method() -> str:
        import dask

        return str(dask.config.get("distributed.worker.multiprocessing-method"))

    def start() -> tuple[int, list[str]]:
        methods = [method()]
        with closing(Cluster("local:1", SubproblemWorker)) as cluster:
            number = cluster.number
            methods.append(method())
        return number, [*methods, method()]

    number, (before, during, after) = apart(
        start
    )  # a process in which Dask was started cannot be forked any more
    assert (number, during, after) == (1, "forkserver", before)


@pytest.mark.parametrize("seed", range(10))
def test_workers_killed_at_random_change_no_count(seed: int, tmp_path: Path) -> None:
    """After the first answer and after about every third other one a worker is killed, in the
    middle of its next bundle."""
    path, chance, killed = tmp_path / "ledger", random.Random(seed), list[int]()
    with closing(Cluster("local:2", SubproblemWorker)) as cluster, closing(ledger(path)) as opened:
        assert cluster._local is not None
        for _ in coordinate(opened, cluster, SHORT / 10):
            running = [nanny.process for nanny in cluster._local.workers.values() if nanny.process]
            if running and (not killed or chance.random() < 1 / 3):
                victim = chance.choice(running).pid
                if victim and victim not in killed:
                    os.kill(victim, signal.SIGKILL)
                    killed.append(victim)
    assert killed
    confirmed(path)


def test_a_restarted_scheduler_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    file = tmp_path / "scheduler.json"
    with (
        scheduler(tmp_path) as first,
        closing(Cluster(str(file), SubproblemWorker)) as cluster,
        closing(ledger(path)) as opened,
    ):
        run = iter(coordinate(opened, cluster, SHORT))
        while not opened.states().get("done"):
            next(run)
        before = answering(opened).union(name for name, _ in cluster._workers())
        os.killpg(first.pid, signal.SIGKILL)
        with scheduler(tmp_path):
            for _ in run:
                pass
        assert answering(opened) - before
    confirmed(path)


def test_a_killed_coordinator_is_resumed_by_another(tmp_path: Path) -> None:
    """Each coordinator is killed after its first answer with a finished subproblem, while others
    are under way."""
    path = tmp_path / "ledger"
    script = f"""
import os, signal, sys
sys.path.append({str(Path(__file__).parents[1])!r})
from contextlib import closing
from pathlib import Path
from jigsat import load
from jigsat.runtime.cluster import Cluster
from jigsat.ledger.file import Ledger
from jigsat.ledger.headers import count_header
from jigsat.subject import PuzzleSubject
from jigsat.ledger.worker import SubproblemWorker
from support.ledgers import coordinate
with closing(Cluster({str(tmp_path / "scheduler.json")!r}, SubproblemWorker)) as cluster:
    with closing(Ledger(Path({str(path)!r}), count_header(PuzzleSubject(load("pentominoes-4x15")), "cover"))) as opened:
        before = opened.states().get("done", 0)
        for _ in coordinate(opened, cluster, {SHORT}):
            if opened.states().get("done", 0) > before:
                os.kill(os.getpid(), signal.SIGKILL)
"""
    with scheduler(tmp_path):
        finished = [0]
        for _ in range(3):
            assert _popen(sys.executable, "-c", script).wait() == -signal.SIGKILL
            finished.append(_finished(path))
        assert finished == sorted(set(finished))
        with (
            closing(Cluster(str(tmp_path / "scheduler.json"), SubproblemWorker)) as cluster,
            closing(ledger(path)) as opened,
        ):
            assert opened.states()["open"]
            for _ in coordinate(opened, cluster, SHORT):
                pass
    confirmed(path)


def _finished(path: Path) -> int:
    with suppress(InputError), closing(Ledger(path)) as opened:
        return opened.states().get("done", 0)
    return 0


def test_a_worker_that_hangs_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    with closing(Cluster("local:2", SubproblemWorker)) as cluster, closing(ledger(path)) as opened:
        assert cluster._local is not None
        run = iter(coordinate(opened, cluster, SHORT, grace_s=3.0))
        while not opened.states().get("done"):
            next(run)
        os.kill(next(iter(cluster._local.workers.values())).process.pid, signal.SIGSTOP)
        for _ in run:
            pass
        failures = sum(row.attempts for row in opened.every()) - sum(
            row.state in ("done", "split") for row in opened.every()
        )
    assert failures > 0
    confirmed(path)


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate that is its own authority, and its key."""
    paths = folder / f"{name}.pem", folder / f"{name}.key"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "1",
        "-subj",
        f"/CN={name}",
    ]
    subprocess.run(
        [*command, "-out", str(paths[0]), "-keyout", str(paths[1])], check=True, capture_output=True
    )
    return paths


def certificates(authority: Path, own: Path, key: Path) -> AbstractContextManager[Any]:
    """The certificates of a client in Dask's configuration."""
    tls = "distributed.comm.tls"
    files = {f"{tls}.ca-file": authority, f"{tls}.client.cert": own, f"{tls}.client.key": key}
    found: AbstractContextManager[Any] = dask.config.set(
        {name: str(file) for name, file in files.items()}
    )
    return found


@pytest.mark.skipif(
    shutil.which("openssl") is None,
    reason="openssl, which makes the certificates, is not installed",
)
def test_tls_keeps_strangers_out(tmp_path: Path) -> None:
    mine, key = certificate(tmp_path, "mine")
    theirs, their_key = certificate(tmp_path, "theirs")
    file, path = str(tmp_path / "scheduler.json"), tmp_path / "ledger"
    options = [
        "--protocol",
        "tls",
        "--tls-ca-file",
        str(mine),
        "--tls-cert",
        str(mine),
        "--tls-key",
        str(key),
    ]
    with scheduler(tmp_path, *options):
        address = json.loads(Path(file).read_text())["address"]
        assert address.startswith("tls://")
        with pytest.raises(InputError, match="TLS needs certificates"):
            Cluster(address, SubproblemWorker)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("jigsat.runtime.cluster.MAX_CONNECT_S", 3.0)
            for ca in (
                theirs,
                mine,
            ):  # it does not trust the scheduler, and the scheduler does not trust it
                with (
                    certificates(ca, theirs, their_key),
                    pytest.raises(Stopped, match=f"{address} cannot be reached"),
                ):
                    Cluster(address, SubproblemWorker)
        safe = certificates(mine, mine, key)
        with (
            safe,
            closing(Cluster(file, SubproblemWorker)) as cluster,
            closing(ledger(path)) as opened,
        ):
            for _ in coordinate(opened, cluster, SHORT):
                pass
    confirmed(path)


SYNTHETIC = """
import jigsat.ledger.worker as work
def synthetic(worker, job):
    import json
    outcomes = {}
    for number, literals in json.loads(job)["subproblems"].items():
        opened = list(range(1, (50, 50, 40)[len(literals)] + 1)) if len(literals) < 3 else []
        outcomes[number] = {"seconds": 0.03, "open": opened, "counts": None if opened else [[1, 1, [1, 1], 1]]}
    yield json.dumps({"worker": "synthetic", "outcomes": outcomes})
work.SubproblemWorker.work = synthetic
"""
"""Makes workers split everything into 100,000 subproblems, which travel in bundles of about 40, as
if each took 0.03 s."""

FLAT = 32 * 2**20
"""The memory in bytes by which the coordinator, with the scheduler, may grow after the first tenth
of the run."""


def test_many_subproblems_take_no_memory_of_the_coordinator(tmp_path: Path) -> None:
    page, used = os.sysconf("SC_PAGE_SIZE"), list[int]()
    with (
        closing(Cluster("local:2", SubproblemWorker)) as cluster,
        closing(ledger(tmp_path / "ledger")) as opened,
    ):
        cluster._client.run(exec, SYNTHETIC)
        sharing = coordinate(opened, cluster)
        for _ in sharing:
            used.append(int(Path("/proc/self/statm").read_text().split()[1]) * page)
        assert sum(sharing.counts.values()) == 100_000
    assert len(used) > 1000
    assert max(used) - used[len(used) // 10] < FLAT


PRETEND = "import jigsat.ledger.worker as work; work.version = lambda _: '0.0.1'"
"""Makes a worker claim another version."""


def test_a_worker_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    with closing(Cluster("local:2", SubproblemWorker)) as cluster, closing(ledger(path)) as opened:
        other, same = sorted(name for name, _ in cluster._workers())
        cluster._client.run(exec, PRETEND, workers=[other])
        for _ in coordinate(opened, cluster, SHORT):
            pass
        assert list(cluster._refused) == [other]
        assert answering(opened) == {same}
        cluster._client.run(exec, PRETEND, workers=[same])
    confirmed(path)
    with (
        closing(Cluster("local:1", SubproblemWorker)) as cluster,
        closing(ledger(tmp_path / "other")) as opened,
    ):
        cluster._client.run(exec, PRETEND)
        with pytest.raises(
            InputError, match=r"every worker is refused; tcp://.*: it has jigsat 0\.0\.1, not "
        ):
            list(coordinate(opened, cluster, SHORT))


def test_an_interrupt_keeps_the_ledger_and_ends_everything(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    command = [
        *JIGSAT,
        "count",
        "fish-plain",
        "--backend",
        "cover",
        "--cluster",
        "local:2",
        "--store",
        str(path),
        "--json",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and _finished(path) < 1:
        time.sleep(0.2)
    started = list(below(process.pid))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    assert '"complete": false' in out and '"stopped_by": "interrupt"' in out
    assert started
    soon(lambda: all(map(gone, started)))
    with closing(Ledger(path)) as opened:
        assert opened.states()["done"] >= 1
        assert not audit_ledger(opened, 1).faults


def test_an_unreachable_scheduler_is_named(tmp_path: Path) -> None:
    with pytest.raises(Stopped, match=r"the scheduler tcp://127\.0\.0\.1:9 cannot be reached"):
        Cluster("tcp://127.0.0.1:9", SubproblemWorker)
    wrong = tmp_path / "wrong.json"
    wrong.write_text("{}")
    for address, complaint in (
        ("nowhere.json", "no such scheduler file"),
        ("local:0", "write a number of processes from 1 to 1,024"),
        ("local:²", "write a number of processes"),
        ("local:99999", "write a number of processes"),
        ("tcp://", "write an address such as tcp://host:8786"),
        ("foo://bar:1", "write an address such as tcp://host:8786"),
        ("tls://127.0.0.1:9", "TLS needs certificates"),
        (__file__, "not JSON"),
        (str(wrong), "it has no address"),
    ):
        with pytest.raises(InputError, match=complaint):
            Cluster(address, SubproblemWorker)
