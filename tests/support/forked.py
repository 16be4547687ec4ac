"""The command line, run in a fork of this process: real file descriptors and limits, without the
start-up time."""

from __future__ import annotations

import ctypes
import gc
import io
import os
import pkgutil
import resource
import select
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, NoReturn

import jigsat.cli
from jigsat import backends, instance
from jigsat.cli import common
from jigsat.runtime.child import high_water

ROOM = 3 * 2**30
"""Bytes of address space that a run may use in addition to this process's."""

SURVIVAL = 100
"""Seconds after which a run with its own limits is considered to hang; far more than normal runs
need."""


LIBRARIES = ("igraph", "multiprocessing.connection", "networkx", "pysat.solvers")
"""Modules that most commands import on demand."""

OUTLETS = ("", "closed pipe", "no stdout", "no stderr", "full stdout")
"""The possible outputs of a run: '' for files that are read when it has ended."""


@dataclass(frozen=True)
class Ended:
    """How a run ended. The status of a run ended by a signal is the negative number of the signal,
    as in `subprocess`."""

    status: int
    out: str
    err: str


class HangError(AssertionError):
    """A run did not end although it has a time limit."""


def run(
    *arguments: object,
    folder: Path | None = None,
    stdin: bytes = b"",
    outlet: str = "",
    room: int = ROOM,
    program: Callable[[], None] = jigsat.cli.main,
) -> Ended:
    """Run `jigsat ARGUMENTS`, or another program with these arguments, in a folder. Raises
    HangError."""
    warm()
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        given.write(stdin)
        given.seek(0)
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", DeprecationWarning
            )  # about forking in a process with the threads of pytest-xdist
            process = os.fork()
        if not process:
            _child(program, [*map(str, arguments)], folder, [given, out, err], outlet, room)
        status = _wait(process)
        texts = [_text(file) for file in (out, err)]
    if status is None:
        raise HangError(f"no end after {SURVIVAL} s; stdout {texts[0]!r}, stderr {texts[1]!r}")
    return Ended(status, *texts)


def memory_beside_this_process(megabytes: int) -> int:
    """A memory limit for a fork, in megabytes. What it inherits counts, and this process grows with
    each test."""
    return megabytes + high_water(os.getpid()) // 2**20


@cache
def warm() -> None:
    """Import what the commands need, so that forks have it."""
    for module in pkgutil.walk_packages(jigsat.cli.__path__, "jigsat.cli."):
        import_module(module.name)
    list(instance.every_family())
    list(backends.specs())
    for name in LIBRARIES:
        if find_spec(name):
            import_module(name)
    common.order_commands(jigsat.cli.COMMANDS)
    common.get_command(common.app)


def _child(
    program: Callable[[], None],
    arguments: list[str],
    folder: Path | None,
    files: Sequence[IO[bytes]],
    outlet: str,
    room: int,
) -> NoReturn:
    status = 70
    gc.freeze()  # garbage collection would copy the memory of the parent
    try:
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # it ends with this process
        for descriptor, file in enumerate(files):
            os.dup2(file.fileno(), descriptor)
        _redirect(outlet)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if folder is not None:
            os.chdir(folder)
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + room, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")
        sys.stdout = sys.__stdout__ = None if outlet == "no stdout" else _writer(1, "strict")  # type: ignore[assignment,misc]
        sys.stderr = sys.__stderr__ = (
            None if outlet == "no stderr" else _writer(2, "backslashreplace")
        )  # type: ignore[assignment,misc]
        sys.argv = ["jigsat", *arguments]
        status = _status_of(program)
    finally:
        os._exit(status)


def _redirect(outlet: str) -> None:
    match outlet:
        case "closed pipe":
            reader, writer = os.pipe()
            os.close(reader)
            os.dup2(writer, 1)
        case "no stdout":
            os.close(1)
        case "no stderr":
            os.close(2)
        case "full stdout":
            os.dup2(os.open("/dev/full", os.O_WRONLY), 1)


def _writer(descriptor: int, errors: str) -> io.TextIOWrapper:
    buffer = io.BufferedWriter(io.FileIO(descriptor, "w", closefd=False))
    return io.TextIOWrapper(buffer, encoding="utf-8", errors=errors, line_buffering=descriptor == 2)


def _status_of(program: Callable[[], None]) -> int:
    """Run a program and exit like the interpreter; returns the exit status."""
    status = 0
    try:
        program()
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:
        traceback.print_exc()
        status = 1
    try:
        if sys.stdout:
            sys.stdout.flush()
    except (OSError, ValueError):
        traceback.print_exc()
        status = 120
    return status


def _wait(process: int) -> int | None:
    """The exit status of a child; None if it had to be killed."""
    watched = os.pidfd_open(process)
    poll = select.poll()  # `select.select` takes descriptors below 1,024 only
    poll.register(watched, select.POLLIN)
    try:
        ended = poll.poll(1000 * SURVIVAL)
        if not ended:
            os.kill(process, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    except BaseException:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        raise
    finally:
        os.close(watched)
    return status if ended else None


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", errors="surrogateescape")


def run_process(
    *arguments: object, folder: Path | None = None, stdin: bytes = b"", outlet: str = ""
) -> Ended:
    """The same in a new process, as started by a shell. Raises HangError."""
    command = [sys.executable, "-c", "from jigsat.cli import main; main()", *map(str, arguments)]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            input=stdin,
            capture_output=True,
            timeout=SURVIVAL,
            check=False,
            preexec_fn=lambda: _redirect(outlet),
        )
    except subprocess.TimeoutExpired as late:
        raise HangError(f"no end after {SURVIVAL} s") from late
    out, err = (
        text.decode("utf-8", errors="surrogateescape") for text in (done.stdout, done.stderr)
    )
    return Ended(done.returncode, out, err)
