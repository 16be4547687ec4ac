"""Running an iterable in a child process, so that it can be stopped during a call that Python
cannot interrupt.

A process is forked only if it has no other threads: a fork of one of several threads would wait
without end for a lock that another one held. Otherwise the children are forked from a fork server,
a process without threads that has imported jigsat.
"""

import ctypes
import gc
import math
import multiprocessing
import os
import selectors
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache, partial
from itertools import starmap
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar

from jigsat.errors import Interrupted, Stopped
from jigsat.runtime.guard import below

T = TypeVar("T")

PRELOADED = ("jigsat.api", "pysat.solvers")
"""What a fork server imports, so that its children need not."""

_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)
_MAX_THREAD_END_S = 0.05  # seconds for which a thread is listed after it was joined
_MEMORY_CHECK_INTERVAL_S = 0.1  # seconds between two checks of the memory
# seconds in which a repeated signal counts as the same request: `timeout` and terminals send it
# twice
_REPEATED_SIGNAL_S = 1.0
MEASURING_INTERVAL_S = 0.25  # seconds between two measurements of progress
_inside: list[bool] = []  # not empty in a child process
_in_waits: list[Callable[[], None]] = []  # called again and again while waiting for a child


class _Requests:
    """The signal that asked this process to end, if any did."""

    first: Interrupted | None = None
    since = 0.0
    held = 0
    heeded = 0

    @classmethod
    def unheeded(cls) -> Interrupted | None:
        """The first signal, unless what is running now runs because of it."""
        return None if cls.heeded else cls.first


def keep_interrupts(signals: Iterable[int] = (signal.SIGINT,)) -> None:
    """Handle these signals, keys of `Interrupted.SIGNALS`: raise Interrupted, and remember the
    request.

    A remembered signal ends the wait for a child even if Python drops the exception. That happens
    in callbacks, such as those that run when processes start and end.
    """

    def note_signal(number: int, _: object) -> None:
        again = _Requests.first is not None
        if not again:
            _Requests.first = Interrupted(number)
            _Requests.since = time.monotonic()
        if time.monotonic() > _Requests.since + _REPEATED_SIGNAL_S if again else not _Requests.held:
            raise Interrupted(number)

    for number in signals:
        signal.signal(number, note_signal)


@contextmanager
def held_interrupts() -> Iterator[None]:
    """In this block, a first signal interrupts only the wait for a child; a second signal
    interrupts anything.

    The block must keep and report what was found, and must run anything slow in child processes.
    """
    _Requests.held += 1
    try:
        yield
    finally:
        _Requests.held -= 1


@contextmanager
def heeded_interrupts() -> Iterator[None]:
    """In this block, which writes what was found, the first signal does not stop children; a second
    one interrupts anything."""
    heeded = _Requests.first is not None
    _Requests.heeded += heeded
    try:
        yield
    finally:
        _Requests.heeded -= heeded


class Child(Iterator[T]):
    """The items of `job()`, computed in a child process that starts immediately and is killed by
    `close`.

    `timeout` is in seconds. `memory` is the limit in bytes for the child and the programs it
    starts, checked ten times per second while waiting for an item. (A system limit would also count
    memory that is only reserved, and each solver would fail differently.) Iterating raises Stopped
    when a limit is reached or the child dies, Interrupted when a signal asks this process to end
    (`keep_interrupts`), and any exception of the job. Items sent before that are never lost. `peak`
    is the peak memory of the child in bytes, or 0 where the system does not report it. A child may
    have children of its own, which are killed with it. `connection` can be passed to
    `connection.wait`. Where processes are not forked, the job and its items must be picklable. If
    the child cannot start there, iterating raises RuntimeError.
    """

    def __init__(
        self,
        job: Callable[[], Iterable[T]],
        *,
        timeout: float | None = None,
        memory: int | None = None,
    ) -> None:
        self._deadline = math.inf if timeout is None else time.monotonic() + timeout
        self._memory = memory
        self._look = 0.0
        self._over = False
        self._begun = False
        self._reason: str | None = None
        self.stopped: Stopped | Interrupted | None = None
        self._asked: Interrupted | None = None
        self.peak = 0
        self._measured = False  # whether the child has sent its peak memory, at the end of its job
        self.connection, sender = multiprocessing.Pipe(duplex=False)
        self._process = start_process(_run_job, job, sender, bool(_inside))
        sender.close()
        # `connection.poll` would make one in each call
        self._selector = selectors.DefaultSelector()
        self._selector.register(self.connection, selectors.EVENT_READ)

    def __next__(self) -> T:
        if self.connection.closed:
            raise StopIteration
        try:
            with (
                held_interrupts()
            ):  # an interrupt in the middle of an item would make the rest unreadable
                kind, value = self._receive_item()
            if kind == "error":
                raise value
            if kind == "end":
                raise StopIteration
        except BaseException:
            self.close()
            raise
        item: T = value
        return item

    def until_stopped(self) -> Iterator[T]:
        """The items up to a limit, a crash or a signal; then `stopped` is what would have been
        raised."""
        try:
            yield from self
        except (Stopped, Interrupted) as reason:
            self.stopped = reason

    def _receive_item(self) -> tuple[str, Any]:
        """Wait for the next item and its kind."""
        ready = False
        while not ready:
            if (asked := _Requests.unheeded()) and not self._over:
                self._asked = asked
                self.stop()
            ready = self._ready(_MEMORY_CHECK_INTERVAL_S)
        try:
            if not self._begun:
                self._receive_begin()
            kind, value = self.connection.recv()
            if kind == "peak":
                self.peak = max(self.peak, value)
                self._measured = True
                kind, value = self.connection.recv()
        except (EOFError, OSError):
            raise self._explain_end() from None
        return kind, value

    def _explain_end(self) -> Exception | Interrupted:
        """Why the child ended before its job."""
        if self._reason:
            return Stopped(self._reason)
        if asked := self._asked or _Requests.unheeded():
            return asked
        reason = explain_end(self._process, begun=self._begun)
        self.stop()
        return reason

    def ready(self, patience: float = 0.0) -> bool:
        """Whether the next item, or the end, is available; waits up to `patience` seconds.

        The limits are checked even if items are available, so a child that sends continuously is
        stopped as well. Items sent before the child is killed can still be read.
        """
        if asked := _Requests.unheeded():
            raise asked
        return self._ready(patience)

    def _ready(self, patience: float) -> bool:
        for work in _in_waits:
            work()
        now = time.monotonic()
        if self._memory is not None and now >= self._look and not self._over:
            self.peak = max(self.peak, _peak(self._process.pid or 0))
            # a check is slow if there are many processes
            self._look = now + max(_MEMORY_CHECK_INTERVAL_S, 20 * (time.monotonic() - now))
            if self.peak > self._memory:
                self.stop("memory")
        if now >= self._deadline:
            self.stop("timeout")
        if self._over:
            return True
        ready = self._selector.select(max(0.0, min(patience, self._deadline - now)))
        if ready and not self._begun:
            with suppress(EOFError, OSError):  # it ended; reading an item tells why
                self._receive_begin()
            ready = self._selector.select(0.0)
        return bool(ready)

    def _receive_begin(self) -> None:
        """Receive the message that the job has begun, the first one of each child."""
        self.connection.recv()
        self._begun = True

    def processor_seconds(self) -> float:
        """The processor time of the child and of the programs it started, while it runs."""
        process = self._process.pid
        if process is None or self._over:
            return 0.0
        return sum(map(processor_seconds, (process, *below(process))))

    def close(self) -> None:
        """Kill the child and the programs it started."""
        self._selector.close()
        self.connection.close()
        self.stop()

    def stop(self, reason: str | None = None) -> None:
        """Kill the child. Items that it sent can still be read; then Stopped is raised with the
        reason."""
        if self._over or self._process.pid is None:
            return
        self._over, self._reason = True, reason
        if not self._measured:  # to look for the descendants takes some milliseconds
            self.peak = max(self.peak, _peak(self._process.pid))
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.join()


class Progress:
    """The fraction of some work that is done, in memory that a child process shares with its
    parent."""

    def __init__(self) -> None:
        from multiprocessing.sharedctypes import RawValue  # most runs need none of it

        try:
            self._value = RawValue("d", -1.0)
        except OSError:  # the disk is full, or files are limited
            self._value = ctypes.c_double(-1.0)

    @property
    def fraction(self) -> float | None:
        """From 0 to 1; None if it is not known."""
        value: float = self._value.value
        return None if value < 0 else value

    def set(self, fraction: float) -> None:
        """Report the fraction that is done."""
        self._value.value = fraction

    def during(self, items: Iterable[T], measure: Callable[[], float | None]) -> Iterator[T]:
        """The items. While they are computed, another thread measures the fraction regularly."""

        def report() -> None:
            fraction = measure()
            self._value.value = -1.0 if fraction is None else fraction

        with repeating(report, MEASURING_INTERVAL_S):
            yield from items


class _Repeater:
    """A thread that does some work regularly. It can pause and go on, until it is closed."""

    def __init__(self, work: Callable[[], None], seconds: float) -> None:
        self._work, self._seconds = work, seconds
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._lock = threading.Lock()  # another thread may start a process while this closes

    def go_on(self) -> None:
        with self._lock:
            if self._closed or self._thread:
                return
            self._over.clear()
            self._thread = threading.Thread(target=self._repeat, daemon=True)
            self._thread.start()

    def pause(self) -> None:
        with self._lock:
            thread, self._thread = self._thread, None
            if thread:
                self._over.set()
                thread.join()

    def close(self) -> None:
        self._closed = True
        self.pause()

    def _repeat(self) -> None:
        while not self._over.wait(self._seconds):
            self._work()


_repeaters: list[_Repeater] = []  # those of this process


@contextmanager
def repeating(work: Callable[[], None], seconds: float) -> Iterator[None]:
    """While this block runs, another thread does the work regularly, first after this number of
    seconds. It pauses while a process starts, so that this one can be forked."""
    repeater = _Repeater(work, seconds)
    repeater.go_on()
    _repeaters.append(repeater)
    try:
        yield
    finally:
        _repeaters.remove(repeater)
        repeater.close()


@contextmanager
def _pausing_repeaters() -> Iterator[None]:
    """While this block runs, no work is repeated by other threads of this process."""
    paused = [*_repeaters]
    for repeater in paused:
        repeater.pause()
    try:
        yield
    finally:
        for repeater in paused:
            repeater.go_on()


@contextmanager
def repeating_in_waits(work: Callable[[], None], seconds: float) -> Iterator[None]:
    """While this block runs, do the work regularly, but only while this process waits for a child.
    It needs no thread, with which this process could not be forked."""
    due = time.monotonic() + seconds

    def repeat() -> None:
        nonlocal due
        if time.monotonic() >= due:
            work()
            due = time.monotonic() + seconds

    _in_waits.append(repeat)
    try:
        yield
    finally:
        _in_waits.remove(repeat)


def start_process(target: Callable[..., None], *arguments: Any) -> BaseProcess:
    """Start a process that calls a function: forked where that is safe, and otherwise from a fork
    server or spawned.

    It is a daemon, which ends with this process, if the system can do that.
    """
    with _pausing_repeaters():
        return _start_process(target, *arguments)


def _start_process(target: Callable[..., None], *arguments: Any) -> BaseProcess:
    method = _choose_start_method()
    if method != "fork":
        _forget_standard_input()
    if method == "forkserver":
        start_fork_server()
    # a worker of a `multiprocessing.Pool` could not have children; those started here end with it
    multiprocessing.current_process().daemon = False
    arguments = (method == "fork", os.getpid(), target, *arguments)
    process: BaseProcess = multiprocessing.get_context(method).Process(  # type: ignore[attr-defined]
        target=_begin, args=arguments, daemon=True
    )
    process.start()
    return process


def _choose_start_method() -> str:
    if sys.platform != "linux" or multiprocessing.get_start_method(allow_none=True) == "spawn":
        return "spawn"
    # a forked child already has the puzzle and the libraries
    return "fork" if count_threads() == 1 else "forkserver"


def _forget_standard_input() -> None:
    """Remove the name `<stdin>` of a program that is read from the standard input. A new process
    would take it for the file of the main module, and run that."""
    main = sys.modules["__main__"]
    if getattr(main, "__file__", None) == "<stdin>":
        del main.__file__


def count_threads() -> int:
    """The number of threads of this process, with those of libraries where the system lists
    them."""
    end = time.monotonic() + _MAX_THREAD_END_S
    while True:
        known = threading.active_count()
        try:
            number = len(os.listdir("/proc/self/task"))  # noqa: PTH208
        except OSError:
            return known
        # the system may list a thread for a moment after it was joined
        if known > 1 or number == 1 or time.monotonic() > end:
            return number
        time.sleep(0.001)


def start_fork_server(modules: Iterable[str] = PRELOADED) -> None:
    """Start the process from which children are forked while this one has other threads, unless it
    runs already. It imports these modules first, which takes it a second."""
    from multiprocessing import forkserver  # most runs do not need it

    _forget_fork_server_in_forks()
    forkserver.set_forkserver_preload([*modules])
    forkserver.ensure_running()


@cache
def _forget_fork_server_in_forks() -> None:
    """Make each fork of this process start a fork server of its own, should it need one.
    `multiprocessing` would take that of this process for a child of the fork."""
    from multiprocessing import forkserver

    server = forkserver._forkserver
    os.register_at_fork(after_in_child=lambda: server.__init__())  # type: ignore[misc]


def explain_end(process: BaseProcess, *, begun: bool) -> Exception:
    """Why a process ended that should have gone on: Stopped after a crash, RuntimeError if it ended
    by itself before it had `begun`."""
    process.join()
    code = process.exitcode or 0
    if code < 0:
        return Stopped(f"crash: a process of jigsat was killed by {signal.Signals(-code).name}")
    if begun:
        return Stopped(f"crash: a process of jigsat ended with exit status {code}")
    return RuntimeError(
        "a process for the search could not be started; it has printed why. A program that is "
        "run as a script must start its work below `if __name__ == '__main__':`, and a family of "
        "its own must be in a module that can be imported (docs/python.md, 'Threads and asyncio')"
    )


def apart(
    function: Callable[..., T],
    *arguments: Any,
    timeout: float | None = None,
    memory: int | None = None,
) -> T:
    """The result of calling a function in a child process. Raises Stopped at a limit and when the
    child dies. The child has ended then, and holds no lock on a file."""
    job = partial(starmap, function, [arguments])
    with closing(Child(job, timeout=timeout, memory=memory)) as child:
        return next(child)


def last_item(
    job: Callable[[], Iterable[T]], known: T, timeout: float | None
) -> tuple[T, Stopped | Interrupted | None]:
    """The last item of a job in a child process, or `known` if there is none, and what stopped the
    job, if anything did."""
    with held_interrupts(), closing(Child(job, timeout=timeout)) as child:
        for known in child.until_stopped():  # noqa: B007  # the last one counts
            pass
    return known, child.stopped


def drop_output() -> None:
    """Drop everything that this process prints from now on. Only for a child process, around a
    library that prints."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)


def within_limits(function: Callable[..., T], *arguments: Any, timeout: float | None = None) -> T:
    """The result of a function, called here or, if there is a limit, in a child process; raises the
    same errors as `apart`."""
    return function(*arguments) if timeout is None else apart(function, *arguments, timeout=timeout)


def _run_job(job: Callable[[], Iterable[T]], sender: Connection, inside: bool) -> None:
    for number in Interrupted.SIGNALS:  # a signalled child dies, and its parent reports it
        signal.signal(number, signal.SIG_DFL)
    _inside.append(True)
    if not inside and hasattr(os, "setpgid"):
        # The parent alone handles Ctrl-C in the terminal; killing the group also kills
        # grandchildren.
        os.setpgid(0, 0)
    with suppress(BrokenPipeError):
        try:
            sender.send(("begun", None))
            for item in job():
                sender.send(("item", item))
            sender.send(("peak", _peak(os.getpid())))
            sender.send(("end", None))
        except MemoryError:
            sender.send(("error", Stopped("out of memory")))
        except BrokenPipeError:
            raise
        except Exception as error:
            error.__cause__ = error.__context__ = None
            error.add_note("in the child process:\n" + traceback.format_exc())
            sender.send(("peak", _peak(os.getpid())))
            sender.send(("error", error))


def _begin(forked: bool, parent: int, target: Callable[..., None], *arguments: Any) -> None:
    """Call the function in a process that was just started. It is killed when its parent ends, if
    the system can do that."""
    gc.freeze()  # what was inherited, such as searches that were given up, is not closed here
    _in_waits.clear()  # the parent's
    _repeaters.clear()
    multiprocessing.current_process().daemon = False  # a daemon could not have children
    if sys.platform == "linux":
        if forked:
            ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
            alive = os.getppid() == parent
        else:
            alive = _end_with_pipe_of_parent()
        if not alive:
            return
    target(*arguments)


def _end_with_pipe_of_parent() -> bool:
    """Have the system kill this process when the pipe is closed whose other end its parent holds.

    The signal of `prctl` would come when the thread or the fork server that started it ends.
    Returns whether the pipe is still open.
    """
    import fcntl

    parent = multiprocessing.parent_process()
    assert parent
    pipe = parent.sentinel
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    return parent.is_alive()


def _peak(process: int) -> int:
    """The sum of the peak memory of a process and of each of its descendants, in bytes; 0 if it is
    not reported."""
    return sum(map(high_water, (process, *below(process))))


def processor_seconds(process: int) -> float:
    """The processor time of a process and of those below it that it has waited for, as Linux
    reports it; 0 elsewhere and for a process that has ended."""
    with suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def high_water(process: int) -> int:
    """The peak memory of a process in bytes, as Linux reports it; 0 elsewhere and for a process
    that has ended."""
    with suppress(OSError):
        status = Path(f"/proc/{process}/status").read_text()
        return sum(
            int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:")
        )
    return 0
