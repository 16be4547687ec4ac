"""Runs programs so that nothing they start outlives them: `python guard.py FOLDER`, with requests
on standard input.

A process that is killed cannot clean up, so the guard does it for the process that started it. That
process holds the other end of the guard's standard input. When it ends, for whatever reason, the
pipe closes. Then the guard kills the running program with all its descendants, including those in
other process groups and sessions, removes the folder and exits.

A request is one line: the program and its arguments as a JSON list. The answer is one line with
three numbers: the exit status, which is -n if signal n killed the program and 127 if it cannot be
run; the processor time of all programs so far, in microseconds; and the peak memory of the largest
one, in kilobytes. A program that is killed because the pipe closed is answered as well. The
standard output and error of the program are the files `stdout` and `stderr` in the folder. The
guard is run by its path and imports little, so that it starts quickly.
"""

import ctypes
import json
import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

# PR_SET_CHILD_SUBREAPER of prctl(2): a descendant that loses its parent becomes a child of this
# process
_SUBREAPER = 36


class Guard:
    """Runs programs one after the other under a guard process, in a folder that is removed with
    it."""

    def __init__(self) -> None:
        import subprocess
        import tempfile
        from pathlib import Path

        self.folder = Path(tempfile.mkdtemp(prefix="jigsat-"))
        self.status = 0  # of the last program whose output was streamed
        self.processor_us = 0  # of all programs that have ended
        self.memory_kb = 0  # the peak of the largest of them, at least that of the guard
        self._guard = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__, self.folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # the guard survives when our process group is killed, and cleans up
            start_new_session=True,
        )

    def run(self, command: list[str]) -> tuple[int, str, str]:
        """Run a program; return its exit status, standard output and standard error."""
        self._request(command)
        status = self._receive_status(command)
        output, errors = (
            (self.folder / name).read_text(encoding="utf-8", errors="replace")
            for name in ("stdout", "stderr")
        )
        return status, output, errors

    def stream(self, command: list[str]) -> Iterator[str]:
        """The lines that a program prints, while it runs; `status` is then its exit status. The
        program waits until its lines are read, so that it does not fill the disk. Call `close` to
        stop it early."""
        pipe = self.folder / "stdout"
        pipe.unlink(missing_ok=True)
        os.mkfifo(pipe)
        self._request(command)
        with pipe.open(encoding="utf-8", errors="replace") as lines:
            yield from lines
        pipe.unlink()
        self.status = self._receive_status(command)

    def _request(self, command: list[str]) -> None:
        assert self._guard.stdin
        self._guard.stdin.write(json.dumps(command).encode() + b"\n")
        self._guard.stdin.flush()

    def _receive_status(self, command: list[str]) -> int:
        from jigsat.errors import Stopped

        assert self._guard.stdout
        answer = self._guard.stdout.readline()
        if not answer:
            raise Stopped(f"{command[0]}: its guard process has died")
        return self._read_answer(answer)

    def _read_answer(self, answer: bytes) -> int:
        """The exit status in an answer; notes the usage."""
        status, self.processor_us, self.memory_kb = map(int, answer.split())
        return status

    def close(self) -> None:
        """Kill the running program and remove the folder."""
        rest, _ = self._guard.communicate()
        if rest.endswith(b"\n"):
            self._read_answer(rest)


def main(folder: str) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SUBREAPER, 1)
    awake, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)  # written to when a child ends
    signal.signal(signal.SIGCHLD, lambda *_: None)
    os.chdir(folder)
    with open(0, "rb", buffering=0) as requests:
        while request := requests.readline():
            status = _run_guarded(json.loads(request), awake)
            with suppress(BrokenPipeError):
                os.write(1, b"%d %d %d\n" % (status, *_measure_usage()))
    import shutil  # slow to import

    shutil.rmtree(folder, ignore_errors=True)


def _measure_usage() -> tuple[int, int]:
    """The processor time and the peak memory of all programs, and of what they started."""
    import resource  # which Python in a browser does not have; it imports this module, too

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    unit = 1024 if sys.platform == "darwin" else 1  # it reports bytes
    return round(1e6 * (usage.ru_utime + usage.ru_stime)), usage.ru_maxrss // unit


def _run_guarded(command: list[str], awake: int) -> int:
    new = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    outputs = [
        (os.POSIX_SPAWN_OPEN, i, name, new, 0o600) for i, name in ((1, "stdout"), (2, "stderr"))
    ]
    nothing = (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)
    try:
        program = os.posix_spawn(
            command[0],
            command,
            os.environ,
            file_actions=[nothing, *outputs],
            setpgroup=0,
            setsigdef=[signal.SIGPIPE],
        )
    except OSError as error:
        with open("stderr", "w") as file:  # noqa: PTH123
            file.write(str(error))
        return 127
    ended, status = os.waitpid(program, os.WNOHANG)
    while not ended:
        ready, _, _ = select.select([0, awake], [], [])
        if 0 in ready:  # no request comes before the last one is answered, so the input has closed
            break
        os.read(awake, 4096)
        ended, status = os.waitpid(program, os.WNOHANG)
    _kill_all(program)
    return os.waitstatus_to_exitcode(status)


def _kill_all(program: int) -> None:
    while True:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(program, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return  # on Linux no descendant is left: orphans would have become children
        for descendant in below(os.getpid()):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(descendant, signal.SIGKILL)
        time.sleep(0.002)


def below(process: int) -> Iterator[int]:
    """The process IDs of all descendants, if the system lists processes in /proc."""
    children: dict[int, list[int]] = {}
    with suppress(FileNotFoundError):
        for entry in os.listdir("/proc"):  # noqa: PTH208
            with (
                suppress(OSError, ValueError),
                open(f"/proc/{int(entry)}/stat", "rb") as stat,  # noqa: PTH123
            ):
                parent = int(stat.read().rpartition(b")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry))
    processes = [process]
    for at in processes:
        processes += children.get(at, ())
    yield from processes[1:]


if __name__ == "__main__":
    main(sys.argv[1])
