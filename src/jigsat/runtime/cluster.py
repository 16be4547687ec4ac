"""Workers on a Dask cluster, which is only the transport.

A task is the name of a class of jigsat, whose instances answer texts, and a text; its answer is a
text. Nothing else that a peer sends is read here. (Dask itself trusts everyone who reaches the
scheduler; see docs/cluster.md.)
"""

from __future__ import annotations

import atexit
import json
import logging
import multiprocessing
import threading
import time
from contextlib import ExitStack, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from jigsat.errors import InputError, Stopped
from jigsat.runtime.executors import Lost, Worker, Workers
from jigsat.runtime.untrusted import Malformed, content, parse_json

if TYPE_CHECKING:
    from distributed import Client, LocalCluster

INSTALL = "pip install 'jigsat[cluster]'"
LOCAL = "local:"

MAX_LOCAL_PROCESSES = 1024  # maximum number of processes that are started here
MAX_CONNECT_S = 30.0  # seconds to wait for the scheduler, at the start and after it was lost

START_METHOD = "forkserver"
"""How workers of this machine start: forked from a process that has imported Dask, ten times as
fast as a new interpreter."""

MAX_RETURN_S = 600.0  # seconds to wait for the scheduler and a worker to come back


class Cluster(Workers[str, str]):
    """The workers of a Dask cluster.

    The address is that of a scheduler, the path of its file, or `local:2` for two processes of this
    machine. Certificates for TLS are those of Dask's configuration.

    If the scheduler is lost, its tasks are lost, and the connection is tried again. Raises
    InputError if Dask is not installed, or for a wrong address, and Stopped if the scheduler cannot
    be reached.
    """

    def __init__(self, address: str, kind: type[Worker[str, str]]) -> None:
        """Connect to a cluster whose workers make an instance of this class, which needs no
        arguments, for each of their threads."""
        try:
            import distributed
        except ImportError:
            raise InputError(f"--cluster needs Dask; to install it: {INSTALL}") from None
        # keeps Dask's log of lost connections and restarted workers off stderr; the ledger records
        # the attempts
        for name in ("distributed", "distributed.client", "asyncio", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._distributed = distributed
        self._address, self._kind = address, kind
        self._local: LocalCluster | None = None
        self._settings = ExitStack()
        self._refused: dict[str, str] = {}
        self._tasks: dict[int, Any] = {}  # those of Dask, by the numbers of the jobs
        self._results = SimpleQueue[tuple[int, str | BaseException]]()
        self._number, self._looked = 0, 0.0
        if address.startswith(LOCAL):
            self._local = self._start_local(address.removeprefix(LOCAL))
        try:
            self._target()
        except ValueError as error:
            raise InputError(f"--cluster {address}: {error}") from error
        try:
            self._client = self._connect(MAX_CONNECT_S)
        except BaseException:
            self.close()
            raise

    def _start_local(self, number: str) -> LocalCluster:
        import dask

        if not (number.isascii() and number.isdigit() and 1 <= int(number) <= MAX_LOCAL_PROCESSES):
            raise InputError(
                f"--cluster {LOCAL}{number}: write a number of processes from 1 to "
                f"{MAX_LOCAL_PROCESSES:,}, as in local:2"
            )
        self._wanted = int(number)
        if START_METHOD in multiprocessing.get_all_start_methods():
            self._settings.enter_context(
                dask.config.set({"distributed.worker.multiprocessing-method": START_METHOD})
            )
        return self._distributed.LocalCluster(
            n_workers=self._wanted,
            threads_per_worker=1,
            dashboard_address=":0",
            host="127.0.0.1",
            silence_logs=50,
        )

    def _target(self) -> str:
        """The scheduler's address; its file may state another one after a restart. Raises
        ValueError if there is none."""
        import dask

        where = self._address
        if not where:
            raise ValueError("an address is needed")
        if self._local is not None:
            return str(self._local.scheduler_address)
        if "://" not in where:
            if not Path(where).is_file():
                raise Malformed(
                    "no such scheduler file; write an address such as tcp://host:8786, or local:2"
                )
            data = parse_json(content(Path(where)))
            if not isinstance(data, dict) or not isinstance(data.get("address"), str):
                raise Malformed("not a scheduler file: it has no address")
            where = data["address"]
        if where.startswith("tls:") and not dask.config.get("distributed.comm.tls.ca-file"):
            raise ValueError("TLS needs certificates in Dask's configuration; see docs/cluster.md")
        return where

    def _connect(self, patience: float) -> Client:
        end = time.monotonic() + patience
        while True:
            try:
                return self._distributed.Client(
                    self._target(), timeout=min(patience, MAX_CONNECT_S), set_as_default=False
                )
            except (MemoryError, OverflowError) as error:
                # the first bytes of the answer were taken for a length
                raise InputError(
                    f"--cluster {self._address}: what answers there is not a scheduler of Dask"
                ) from error
            # a file may be incomplete while the scheduler restarts
            except (OSError, TimeoutError, ValueError) as error:
                words = str(error).split("\n")[0] or type(error).__name__
                if isinstance(error, ValueError) and not isinstance(error, Malformed):
                    raise InputError(
                        f"--cluster {self._address}: {words}; write an address such as "
                        f"tcp://host:8786"
                    ) from error
                if time.monotonic() > end:
                    raise Stopped(
                        f"the scheduler {self._address} cannot be reached: {words}"
                    ) from error
                time.sleep(0.5)

    elastic = True

    @property
    def number(self) -> int:
        if time.monotonic() > self._looked + 1:
            self._looked = time.monotonic()
            self._replace()
            self._number = sum(threads for _, threads in self._workers())
        return self._number

    def _replace(self) -> None:
        """Restart workers that Dask gave up because they were killed while starting."""
        if self._local is not None and len(self._local.workers) < self._wanted:
            self._local.scale(self._wanted)

    def _workers(self) -> list[tuple[str, int]]:
        """The addresses and threads of the workers that are not refused."""
        try:
            workers = self._client.scheduler_info(n_workers=-1)["workers"]
        except (OSError, ValueError, KeyError):
            return []
        return [
            (name, int(worker["nthreads"]))
            for name, worker in workers.items()
            if name not in self._refused
        ]

    def submit(self, number: int, job: str) -> None:
        """Have a worker answer a text. It is lost if its worker or the scheduler ends."""
        self._await_cluster()
        allowed = [name for name, _ in self._workers()] if self._refused else None
        task = self._client.submit(
            answer_on_cluster,
            self._kind.__module__,
            self._kind.__name__,
            job,
            pure=False,
            retries=0,
            workers=allowed,
        )
        self._tasks[number] = task
        task.add_done_callback(partial(self._pass_on, number))

    def receive(self, patience: float) -> list[tuple[int, str | BaseException]]:
        results: list[tuple[int, str | BaseException]] = []
        with suppress(Empty):
            results.append(self._results.get(timeout=patience))
            while True:
                results.append(self._results.get_nowait())
        return results

    def _await_cluster(self) -> None:
        """Wait until the scheduler and a worker can be reached."""
        end = time.monotonic() + MAX_RETURN_S
        while True:
            if self._client.status != "running":
                with suppress(Exception):
                    self._client.close(timeout=1)
                self._client = self._connect(MAX_RETURN_S)
                self._refused.clear()
            self._replace()
            if self._workers():
                return
            if time.monotonic() > end:
                raise Stopped(f"the cluster {self._address} has no workers")
            time.sleep(0.2)

    def _pass_on(self, number: int, task: Any) -> None:
        """Pass on the answer of a Dask task; a thread of Dask calls this."""
        if self._tasks.pop(number, None) is None:
            return  # it was abandoned
        answer: str | BaseException
        try:
            address, text = json.loads(
                task.result(timeout=60)
            )  # the worker is named by its address
            answer = json.dumps({**json.loads(text), "worker": address})
        except ImportError as error:
            answer = Stopped(f"a worker of the cluster cannot import jigsat: {error}")
        except Exception as error:
            answer = Lost(f"its worker was lost ({type(error).__name__})")
        except BaseException as error:  # CancelledError
            answer = Lost(f"its task was cancelled ({type(error).__name__})")
        self._results.put((number, answer))

    def refuse(self, worker: str, reason: str) -> None:
        """Stop using this worker."""
        self._refused[worker] = reason
        self._looked = 0.0
        if not self._workers():
            raise InputError(
                f"--cluster {self._address}: every worker is refused; {worker}: {reason}"
            )

    def abandon(self, number: int) -> None:
        """Cancel a task, and restart its worker, which hangs."""
        task = self._tasks.pop(number, None)
        if task is None:
            return
        with suppress(Exception):
            hanging = [
                worker for worker, keys in self._client.processing().items() if task.key in keys
            ]
            self._client.cancel([task], force=True)
            self._client.restart_workers(hanging, timeout=10, raise_for_error=False)

    def close(self) -> None:
        """Disconnect, and stop what was started here."""
        with suppress(Exception, AttributeError):
            self._client.close(timeout=5)
        if self._local is not None:
            with suppress(Exception):
                self._local.close(timeout=5)
        self._settings.close()


def answer_on_cluster(module: str, kind: str, text: str) -> str:
    """Answer a text by an instance of a class of jigsat; runs on a worker, which keeps the instance
    for this thread.

    The answer is a JSON list with the worker's address and the answer.
    """
    from distributed import get_worker

    if module.split(".")[0] != "jigsat":
        raise ValueError(f"{module} is not a part of jigsat")
    here = get_worker()
    workers: dict[tuple[int, str, str], Worker[str, str]] = here.__dict__.setdefault(
        "jigsat_workers", {}
    )
    key = threading.get_ident(), module, kind
    if key not in workers:
        workers[key] = getattr(import_module(module), kind)()
        atexit.register(workers[key].close)  # before Python frees the libraries
    (answer,) = workers[key].work(text)
    return json.dumps([here.address, answer])
