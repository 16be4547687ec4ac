"""Comparing backends and lowerings: runs every combination in its own process under limits, and
checks that all agree."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import chain
from math import inf
from pathlib import Path
from statistics import fmean, median
from typing import Any, ClassVar, NamedTuple, TypeAlias

from pydantic import ConfigDict, TypeAdapter

from jigsat.answering.enumeration import Enumeration
from jigsat.backends import AUTO, DEFAULT, Capabilities, find, open_backend
from jigsat.errors import CheckError, InputError, Stopped, unknown, unwritable
from jigsat.formula import Formula, Lowering
from jigsat.puzzle import Puzzle
from jigsat.questions import Result
from jigsat.runtime.child import Child, apart
from jigsat.runtime.untrusted import canonical, content, parse_json
from jigsat.subject import FormulaSubject
from jigsat.symmetry import Level

VIRTUAL_BEST = "virtual best"  # name of the solver that takes the best choice for each instance
UPDATE_INTERVAL_S = 0.2  # seconds between two progress reports of a run


Compared: TypeAlias = Puzzle | FormulaSubject  # what is compared


class Combination(NamedTuple):
    """An instance and the options chosen for it; an empty option means the default. To add an axis,
    add a field."""

    instance: str
    backend: str
    amo: str = ""
    encoding: str = ""

    @property
    def choice(self) -> tuple[str, ...]:
        """The combination without its instance."""
        return self[1:]

    @property
    def label(self) -> str:
        """A short name for the choice, without defaults."""
        return " ".join(filter(None, self.choice))


@dataclass
class Run:
    """The state of the run of a combination.

    `status` is 'running', 'complete', or the reason why it stopped: 'timeout', 'memory', 'crash:
    …'; 'absent: …' if the library is not installed, 'refused: …' if the backend does not accept the
    formula, 'wrong: …' if a solution breaks a rule. `seconds` includes encoding, but not loading
    the solver's library; of several runs it is the median of their `times`. `memory` is the peak in
    bytes.
    """

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")

    combination: Combination
    status: str = "running"
    first: float | None = None
    seconds: float = 0.0
    times: list[float] = field(default_factory=list)
    solutions: int = 0
    distinct: dict[str, int] = field(default_factory=dict)
    conflicts: int | None = None
    clauses: int | None = None
    memory: int = 0

    @property
    def complete(self) -> bool:
        return self.status == "complete"

    @property
    def installed(self) -> bool:
        return not self.status.startswith("absent")

    @property
    def possible(self) -> bool:
        """Whether the combination can run at all."""
        return not self.status.startswith(("absent", "refused"))

    @property
    def counts(self) -> dict[str, int]:
        """The number of solutions, in total and up to each level of symmetry."""
        return {"solutions": self.solutions, **self.distinct}

    def json(self) -> dict[str, Any]:
        """The run as a JSON object; the fields of the combination come first."""
        values = {
            key: round(value, 4) if isinstance(value, float) else value
            for key, value in asdict(self).items()
        }
        del values["combination"]
        return {**self.combination._asdict(), **values}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Run:
        """The inverse of `json`. Raises ValueError for any other object."""
        fields = dict(data)
        combination = Combination(*(fields.pop(name, "") for name in Combination._fields))
        return TypeAdapter(cls).validate_json(
            canonical({"combination": combination, **fields}), strict=True
        )


TimedResult = tuple[float | None, Result]


def _job(problem: Compared, combination: Combination) -> Iterator[TimedResult]:
    """The time of the first solution and the result so far, reported every UPDATE_INTERVAL_S
    seconds and at the end."""
    opens = find(name := DEFAULT if combination.backend == AUTO else combination.backend).open
    try:
        if opens:
            open_backend(name).close()
    except InputError as error:
        raise Stopped(f"absent: {error}") from error
    if isinstance(problem, Puzzle) and combination.encoding:
        problem = problem.model_copy(update={"encoding": combination.encoding})
    enumeration: Enumeration[Any] = Enumeration(
        problem,
        want="solutions" if opens else "count",
        backend=combination.backend,
        up_to=Level.REFLECTION,
        lowering=Lowering(at_most_one=combination.amo or "auto"),
    )
    first, reported = None, 0.0
    for _ in enumeration:
        seconds = enumeration.seconds()
        first = first or seconds
        if seconds > reported + UPDATE_INTERVAL_S:
            reported = seconds
            yield first, enumeration.result
    yield first, enumeration.result
    if not enumeration.result.complete:
        raise Stopped(str(enumeration.result.stopped_by))


def runs(
    puzzles: Mapping[str, Compared],
    combinations: Iterable[Combination],
    *,
    timeout: float,
    memory: int,
    jobs: int = 1,
    repeat: int = 1,
) -> Generator[Run, None, None]:
    """Run every combination, `jobs` at a time. Each run is yielded when it starts, repeatedly while
    it runs, and when it ends.

    A run that is completed is repeated until there are `repeat` times, round by round, so that slow
    periods of the machine affect all combinations. `timeout` is in seconds, `memory` in bytes.
    """
    waiting = deque((combination, list[float]()) for combination in combinations)
    active: list[_ActiveRun] = []
    try:
        while waiting or active:
            while waiting and len(active) < jobs:
                combination, times = waiting.popleft()
                job = partial(_job, puzzles[combination.instance], combination)
                active.append(
                    _ActiveRun(
                        Run(combination, times=times), Child(job, timeout=timeout, memory=memory)
                    )
                )
            for one in list(active):
                one.poll(UPDATE_INTERVAL_S / len(active))
                if one.run.status != "running":
                    active.remove(one)
                if one.run.complete:
                    one.run.times.append(one.run.seconds)
                    one.run.seconds = median(one.run.times)
                    if len(one.run.times) < repeat:
                        waiting.append((one.run.combination, one.run.times))
                        one.run.status = "running"
                yield one.run
    finally:
        for one in active:
            one.child.close()


@dataclass
class _ActiveRun:
    """A run and its process."""

    run: Run
    child: Child[TimedResult]
    started: float = field(default_factory=time.monotonic)
    reported: float = 0.0

    def poll(self, patience: float) -> None:
        """Wait up to `patience` seconds for a report of the process, and update the run."""
        run = self.run
        try:
            if self.child.ready(patience):
                run.first, result = next(self.child)
                self.reported = result.seconds
                run.solutions = result.solutions
                run.distinct = {str(level): number for level, number in result.distinct.items()}
                run.conflicts, run.clauses = (
                    result.statistics.get("conflicts"),
                    result.statistics.get("clauses"),
                )
            run.seconds = time.monotonic() - self.started
        except StopIteration:
            run.status, run.seconds = "complete", self.reported
        except (Stopped, InputError, CheckError) as error:
            kind = {InputError: "refused: ", CheckError: "wrong: "}.get(type(error), "")
            run.status, run.seconds = f"{kind}{error}", time.monotonic() - self.started
        run.memory = self.child.peak


def combinations(
    puzzles: Mapping[str, Compared],
    backends: Mapping[str, Capabilities | None],
    at_most_one: Sequence[str] = (),
    encodings: Sequence[str] = (),
) -> Iterator[Combination]:
    """All combinations, instance by instance, without choices that make no difference.

    For a backend with native cardinality constraints, the encoding of at-most-one makes no
    difference. A backend that is not installed (None) is listed once per instance. Raises
    InputError for an encoding that none of the families has.
    """
    available = {encoding for problem in puzzles.values() for encoding in _encodings(problem)}
    for encoding in encodings:
        if encoding not in available:
            raise InputError(unknown("encoding", encoding, sorted(available)))
    for name, problem in puzzles.items():
        own = [encoding for encoding in encodings if encoding in _encodings(problem)]
        for backend, can in backends.items():
            for amo in at_most_one if can and not can.cardinality and at_most_one else [""]:
                yield from (
                    Combination(name, backend, amo, encoding)
                    for encoding in (own if can and own else [""])
                )


def _encodings(problem: Compared) -> Sequence[str]:
    return problem.encodings() if isinstance(problem, Puzzle) else ()


def capabilities(backend: str) -> Capabilities | None:
    """The declared capabilities of a backend, loaded by a child process; None if it is not
    installed."""
    try:
        return apart(_capabilities, DEFAULT if backend == AUTO else backend)
    except (Stopped, InputError, ImportError):
        return None


def _capabilities(backend: str) -> Capabilities:
    spec = find(backend)
    if spec.open is None and spec.count:  # it counts, and lowers constraints in its own way
        spec.count(Formula())
        return Capabilities(cardinality=True)
    return open_backend(backend).capabilities


def par2(done: Iterable[Run], timeout: float) -> list[dict[str, Any]]:
    """The PAR-2 scores of the installed choices, best first: the mean time; a run without an answer
    takes twice the limit.

    A formula that a backend refuses counts as a run without an answer, so all scores are over the
    same instances. If there are several choices, the virtual best solver, which takes the best of
    them for each instance, is the first row.
    """
    by_choice: dict[tuple[str, ...], list[Run]] = {}
    for run in done:
        if run.installed:
            by_choice.setdefault(run.combination.choice, []).append(run)
    rows = []
    for choice, own in by_choice.items():
        mean = fmean(run.seconds if run.complete else 2 * timeout for run in own)
        completed = sum(run.complete for run in own)
        axes = dict(zip(Combination._fields[1:], choice, strict=True))
        rows.append({**axes, "par2": mean, "completed": completed, "runs": len(own)})
    if len(rows) > 1:
        best: dict[str, float] = {}
        for run in chain(*by_choice.values()):
            seconds = run.seconds if run.complete else 2 * timeout
            best[run.combination.instance] = min(best.get(run.combination.instance, inf), seconds)
        completed = sum(seconds < 2 * timeout for seconds in best.values())
        named = dict.fromkeys(Combination._fields[1:], "") | {"backend": VIRTUAL_BEST}
        rows.append(
            {**named, "par2": fmean(best.values()), "completed": completed, "runs": len(best)}
        )
    return sorted(rows, key=lambda row: (row["par2"], row["backend"] != VIRTUAL_BEST))


def disagreements(puzzles: Mapping[str, Compared], done: Sequence[Run]) -> Iterator[str]:
    """One message for each count, or solution, that contradicts the completed runs, the file or a
    rule of the puzzle."""
    for name, problem in puzzles.items():
        own = [run for run in done if run.combination.instance == name]
        for run in own:
            if run.status.startswith("wrong"):
                yield f"{name}: {run.combination.label}: {run.status}"
        stated: dict[str, dict[int, list[str]]] = {}
        stated_in_file = problem.known if isinstance(problem, Puzzle) else ()
        known = {
            level: count
            for level, count in stated_in_file
            if level != "source" and count is not None
        }
        for label, counts in [
            ("the file", known),
            *((run.combination.label, run.counts) for run in own if run.complete),
        ]:
            for what, count in counts.items():
                stated.setdefault(what, {}).setdefault(count, []).append(label)
        for what, by_count in stated.items():
            if len(by_count) > 1:
                yield f"{name}: {what}: " + ", ".join(
                    f"{count} ({', '.join(labels)})" for count, labels in by_count.items()
                )
            for run in own:
                if not run.complete and run.counts.get(what, 0) > max(by_count):
                    yield (
                        f"{name}: {what}: {max(by_count)}, but {run.combination.label} found "
                        f"{run.counts[what]}"
                    )


class Log:
    """A file of JSON lines with the finished runs, so that an interrupted comparison can be
    resumed.

    One process uses it at a time. The first line states what the file is; an incomplete last line,
    which a kill or a full disk leaves, is dropped. A run is reused only for the same combination of
    the same instance under the same limits.
    """

    FIRST_LINE = b'{"jigsat":"runs","version":1}\n'

    def __init__(self, path: Path, puzzles: Mapping[str, Compared], **limits: float) -> None:
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
        self._conditions = {
            name: {"digest": puzzle.digest(), "encoding": getattr(puzzle, "encoding", ""), **limits}
            for name, puzzle in puzzles.items()
        }
        self.done: dict[Combination, Run] = {}
        data = content(path)
        if not (data.startswith(self.FIRST_LINE) or self.FIRST_LINE.startswith(data)):
            raise InputError(
                f"{path}: not a file of runs from this version of jigsat; name another file"
            )
        whole = data[: data.rfind(b"\n") + 1]
        for number, line in enumerate(whole.splitlines()[1:], 2):
            self._read(line, number)
        self._file.truncate(len(whole))
        if not whole:
            self._write(self.FIRST_LINE)

    def _read(self, line: bytes, number: int) -> None:
        try:
            item = parse_json(line)
            run, conditions = Run.of(item["run"]), item["conditions"]
        except (TypeError, KeyError, ValueError):
            raise InputError(f"{self._path}: line {number}: not a run; remove the line") from None
        if conditions == self._conditions.get(run.combination.instance):
            self.done[run.combination] = run

    def add(self, run: Run) -> None:
        """Append a finished run. Raises Stopped if the file cannot be written."""
        self._write(
            canonical(
                {"conditions": self._conditions[run.combination.instance], "run": run.json()}
            ).encode()
            + b"\n"
        )

    def _write(self, line: bytes) -> None:
        try:
            while line:
                line = line[self._file.write(line) :]
        except OSError as error:
            raise unwritable(self._path, error) from error

    def close(self) -> None:
        self._file.close()
