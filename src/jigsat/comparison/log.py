"""A file of finished runs, so that an interrupted comparison goes on."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

from pydantic import ConfigDict, TypeAdapter

from jigsat.comparison.matrix import Run
from jigsat.comparison.verdicts import judge
from jigsat.comparison.versions import describe_machine
from jigsat.errors import InputError, unwritable
from jigsat.runtime.untrusted import canonical, content, parse_json
from jigsat.words import plural


@dataclass(frozen=True)
class Conditions:
    """What all runs of a comparison have in common. `timeout` is in seconds, `memory` in MB;
    `shuffle` is the seed of the order, `warmup` the number of runs before those that count.
    `changes` are those of the entries of all puzzles."""

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")

    timeout: float
    memory: int
    jobs: int = 1
    warmup: int = 0
    shuffle: int = 1
    changes: str = ""
    jigsat: str = ""
    python: str = ""
    machine: str = ""

    @classmethod
    def here(cls, **options: Any) -> Conditions:
        """The conditions on this machine."""
        return cls(
            jigsat=version("jigsat"),
            python=platform.python_version(),
            machine=describe_machine(),
            **options,
        )

    @classmethod
    def of(cls, data: object) -> Conditions:
        """Conditions from JSON. Raises ValueError."""
        return TypeAdapter(cls).validate_json(canonical(data), strict=True)

    def json(self) -> dict[str, Any]:
        return asdict(self)


class Log:
    """A file of JSON lines with the finished runs, so that an interrupted comparison can be
    resumed.

    One process uses it at a time. The first line states what the file is; an incomplete last line,
    which a kill or a full disk leaves, is dropped.
    """

    FIRST_LINE = b'{"jigsat":"runs","version":2}\n'

    def __init__(self, path: Path) -> None:
        import fcntl  # not in a browser

        if path.exists() and not path.is_file():
            raise InputError(f"{path}: not a regular file; it could not be read again")
        try:
            self._file = path.open("a+b", buffering=0)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                f"{path}: in use by another run; wait until it ends, or name another file"
            ) from None
        except OSError as error:
            raise unwritable(path, error) from error
        self._path = path
        data = content(path)
        self.done = read_lines(path, data)
        whole = data[: data.rfind(b"\n") + 1]
        self._file.truncate(len(whole))
        if not whole:
            self._write(self.FIRST_LINE)

    def add(self, run: Run, conditions: Conditions) -> None:
        """Append a finished run. Raises Stopped if the file cannot be written."""
        line = canonical({"conditions": conditions.json(), "run": run.json()})
        self._write(line.encode() + b"\n")

    def _write(self, line: bytes) -> None:
        try:
            while line:
                line = line[self._file.write(line) :]
        except OSError as error:
            raise unwritable(self._path, error) from error

    def close(self) -> None:
        self._file.close()


def read_lines(path: Path, data: bytes) -> list[tuple[Run, Conditions]]:
    """The runs in the content of a file of finished runs. Raises InputError with the line."""
    if not (data.startswith(Log.FIRST_LINE) or Log.FIRST_LINE.startswith(data)):
        raise InputError(
            f"{path}: not a file of runs from this version of jigsat; name another file"
        )
    done = []
    whole = data[: data.rfind(b"\n") + 1]
    for number, line in enumerate(whole.splitlines()[1:], 2):
        try:
            item = parse_json(line)
            done.append((Run.of(item["run"]), Conditions.of(item["conditions"])))
        except (TypeError, KeyError, ValueError):
            raise InputError(f"{path}: line {number}: not a run; remove the line") from None
    return done


def read_runs(path: Path) -> tuple[list[Run], Conditions]:
    """The runs in a file that `--resume` wrote, or in the output of `--json`, with the conditions
    of the last one. Raises InputError."""
    data = content(path)
    if not data.startswith(b'{"jigsat"'):
        try:
            item = parse_json(data)
            ended = [Run.of(run) for run in item["runs"]]
            return judge(ended), Conditions.of(item["conditions"])
        except (TypeError, KeyError, ValueError):
            raise InputError(
                f"{path}: no runs; name a file that `jigsat compare` wrote with --resume, or the "
                f"output of --json"
            ) from None
    done = read_lines(path, data)
    if not done:
        raise InputError(f"{path}: no run has ended yet")
    conditions = done[-1][1]
    # Runs under other conditions would not be comparable, and a later run replaces an earlier one.
    latest = {run.identity: run for run, own in done if own == conditions}
    ordered = sorted(latest.values(), key=lambda run: (run.combination, run.seed or 0, run.repeat))
    return judge(ordered), conditions


def find_earlier(
    done: Iterable[tuple[Run, Conditions]], wanted: Sequence[Run], conditions: Conditions
) -> tuple[dict[tuple[object, ...], Run], list[str]]:
    """The finished runs that are as wanted, by their identity, and one line for each reason why
    others are repeated."""
    by_identity = {run.identity: run for run in wanted}
    reused: dict[tuple[object, ...], Run] = {}
    reasons: dict[tuple[object, ...], str] = {}
    for run, own in done:
        new = by_identity.get(run.identity)
        if new is None:
            continue
        reason = _find_difference(run, own, new, conditions)
        if not reason:
            reused[run.identity] = run
        else:
            reasons[run.identity] = reason
    repeated = Counter(reason for identity, reason in reasons.items() if identity not in reused)
    return reused, [f"{plural(number, 'run')} again: {why}" for why, number in repeated.items()]


def _find_difference(run: Run, own: Conditions, new: Run, conditions: Conditions) -> str:
    """Why a finished run does not count as a wanted one; '' if it does."""
    before, now = own.json(), conditions.json()
    for name, value in now.items():
        if before[name] != value:
            return f"{name} was {str(before[name]) or 'none'}, and is {str(value) or 'none'}"
    if run.solver != new.solver:
        return f"the solver was {run.solver or 'unknown'}, and is {new.solver}"
    if run.options != new.options:
        return (
            f"the solver's options were {run.options or 'unknown'}, and are {new.options or 'none'}"
        )
    if run.formula != new.formula:
        return "the formula has changed"
    return ""
