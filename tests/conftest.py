"""Options of the tests, the number of random cases, less garbage collection, large pages of memory,
the signals that the tests need, and a command line that is built once."""

from __future__ import annotations

import ctypes
import gc
import signal
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import typer
from _pytest.doctest import DoctestModule
from support import quick

from jigsat.cli import common
from jigsat.runtime import child

COUNT_THREADS = child.count_threads
GET_COMMAND = common.get_command


def pytest_addoption(parser: pytest.Parser) -> None:
    """The amount of fuzzing."""
    fuzz = parser.getgroup("fuzzing")
    fuzz.addoption("--fuzz", type=int, default=132, metavar="N", help="the number of mutations")
    fuzz.addoption("--fuzz-seed", default="0", metavar="SEED", help="other mutations for each seed")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the number of random cases, collect garbage as rarely as the command line does, and
    restore the signals."""
    gc.set_threshold(200_000)
    if "not slow" in config.option.markexpr:
        quick.SHARE = 0.125
    # Tests may give closures to child processes, and patch what those run, so they fork. The threads
    # of pytest-xdist and NumPy, which wait and hold no lock of Python, are not counted. A test with
    # threads of its own needs the fixture `counted_threads`.
    child.count_threads = lambda: 1
    common.get_command = _remember_command
    _restore_signals()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Tests contain no doctests; looking for them would import the modules of `support` twice."""
    collected = yield
    return [file for file in collected if not isinstance(file, DoctestModule)]


def pytest_collection_finish() -> None:
    """The tests and modules stay until the end: looking at them again would take time, and forks
    would copy them."""
    gc.freeze()
    _use_large_pages()


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """After each file, give back the memory that solvers have freed: otherwise a process keeps up
    to two gigabytes, and a fork takes time for each page."""
    if nextitem is None or nextitem.path != item.path:
        _give_memory_back()


@pytest.fixture
def counted_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes are started as in a program with threads: a fork could keep a lock that another
    thread holds, and wait for it forever."""
    monkeypatch.setattr(child, "count_threads", COUNT_THREADS)


LARGE_PAGE = 2**21  # bytes, on most machines
COLLAPSE = 25  # MADV_COLLAPSE of madvise(2), since Linux 6.1


def _use_large_pages() -> None:
    """Put the memory of this process into large pages, if the system can: tests fork it thousands
    of times, and a fork takes time for each page."""
    maps = Path("/proc/self/maps")
    if sys.platform != "linux" or not maps.exists():
        return
    system = ctypes.CDLL(None)
    for line in maps.read_text().splitlines():
        places, rights, *_, inode = line.split()[:5]
        start, end = (int(place, 16) for place in places.split("-"))
        first = -(-start // LARGE_PAGE) * LARGE_PAGE
        if rights == "rw-p" and inode == "0":  # writable memory that belongs to no file
            for page in range(first, end - LARGE_PAGE + 1, LARGE_PAGE):
                system.madvise(ctypes.c_void_p(page), ctypes.c_size_t(LARGE_PAGE), COLLAPSE)


def _give_memory_back() -> None:
    system = ctypes.CDLL(None)
    if hasattr(system, "malloc_trim"):  # of the GNU C library
        system.malloc_trim(0)


BUILT: dict[int, Any] = {}


def _remember_command(app: typer.Typer) -> Any:
    """The command line with the commands that were imported so far. Building it takes 13 ms, and
    the tests call it some thousand times in one process."""
    number = len(app.registered_commands)
    if number not in BUILT:
        BUILT[number] = GET_COMMAND(app)
    return BUILT[number]


def _restore_signals() -> None:
    """Restore the signals that `nohup` or a shell ignores in the background; the processes of tests
    would ignore them, too."""
    for number, handler in (
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGTERM, signal.SIG_DFL),
        (signal.SIGHUP, signal.SIG_DFL),
    ):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)
