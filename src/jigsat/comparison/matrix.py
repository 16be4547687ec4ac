"""Comparing backends, encodings and lowerings: runs every combination in its own process under
limits, and checks that all agree."""

from __future__ import annotations

import math
import random
import resource
import sys
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from functools import partial
from itertools import product
from typing import Any, ClassVar, NamedTuple

from pydantic import ConfigDict, TypeAdapter

from jigsat.backends import AUTO, Capabilities, find, takes_cuts
from jigsat.comparison.fields import (
    Counts,
    Date,
    Graphs,
    Hash,
    Load,
    Niceness,
    Number,
    Positive,
    Seconds,
    Status,
    Task,
    Way,
    require_fields,
)
from jigsat.comparison.tasks import (
    UPDATE_INTERVAL_S,
    Compared,
    Progress,
    Trial,
    answer,
)
from jigsat.comparison.versions import measure_load, read_niceness
from jigsat.errors import CheckError, InputError, Stopped, unknown
from jigsat.formula import EAGER, LAZY
from jigsat.puzzle import Puzzle
from jigsat.runtime.child import Child
from jigsat.runtime.untrusted import canonical

IDLE_S = 60.0
"""A run is idle if its processes wait for this number of seconds on the wall. On a machine with
other work, a solver that computes always gets a part of the processor."""

IDLE_USE_S = 0.1  # seconds of the processor in this time that count as none

MAX_LOOK_S = 1.0
"""A longer time between two looks at a run counts as this, because the machine stood still."""

PREPARATION_S = 30.0
"""Seconds of the processor, besides three times the limit, for loading libraries, measuring sizes
and finding the solutions that `refute` excludes."""

IMPOSSIBLE = ("absent", "refused", "not at all")  # how the status of a run that cannot be begins

STOPPED_BY = ("timeout", "memory", "idle: ", "unprepared: ", "crash: ", "absent: ")
"""How the status of a run that was stopped begins, if the solver did not end by itself."""

DIGITS = 6  # of a written time after the decimal point: microseconds

STATISTICS = (
    "conflicts",
    "propagations",
    "cuts",
    "cuts_ms",
    "variables",
    "clauses",
    "literals",
)
"""The numbers that a run takes from its solver and its formula, if they are known."""


class Combination(NamedTuple):
    """An instance and the options chosen for it; an empty option means the default. To add an axis,
    add a field."""

    instance: str
    backend: str
    amo: str = ""
    encoding: str = ""
    graph_rules: str = ""

    @property
    def choice(self) -> tuple[str, ...]:
        """The combination without its instance."""
        return self[1:]

    @property
    def label(self) -> str:
        """A short name for the choice, without defaults."""
        return label_choice(self.choice)


class Identity(NamedTuple):
    """What tells a run from the other runs of a comparison."""

    combination: Combination
    task: str
    seed: int | None
    repeat: int

    def json(self) -> dict[str, Any]:
        """The identity as a JSON object, without the axes that have their default."""
        axes = {name: choice for name, choice in self.combination._asdict().items() if choice}
        return {**axes, "task": self.task, "seed": self.seed, "repeat": self.repeat}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Identity:
        """The inverse of `json`. Raises ValueError for any other object."""
        require_fields(data, ["instance", "backend", "task", "seed", "repeat"])
        values = dict(data)
        own = {name: values.pop(name) for name in cls._fields if name != "combination"}
        unknown = values.keys() - set(Combination._fields)
        if unknown:
            raise ValueError(f"{min(unknown)}: there is no such field")
        return TypeAdapter(cls).validate_json(
            canonical({"combination": Combination(**values), **own}), strict=True
        )


def label_choice(choice: Iterable[str]) -> str:
    """A short name for a choice, without defaults."""
    return " ".join(filter(None, choice))


@dataclass
class Run:
    """One run of a combination, with a seed if the solver takes one.

    `status` is 'running', 'complete', or the reason why it stopped: 'timeout' if it used its
    processor time, 'memory', 'idle: …' if it used none for a minute, 'unprepared: …' if the time
    was over before the task began, 'crash: …' if its process ended, 'failed: …' if the solver gave
    no answer; 'absent: …' if the library is not installed, 'refused: …' if the backend does not
    accept the formula, 'not at all: …' if it cannot do the task, 'wrong: …' if a solution breaks a
    rule, if another run found more, if another count is established, or if the solver failed the
    control question of `refute`, 'changed: …' if the program of the solver is another one than at
    first. `way` says who does the task, see `jigsat.comparison.tasks`.

    `seconds` is the time of the processor in all processes of the run, with encoding (`encode`) and
    without loading the solver's library; `program` is the part of a solver program, None for
    libraries and if it was stopped; `wall` is the time on the wall, `preparation` that before the
    clock started and while it stood still, `first` the processor time
    until the first model. `excluded` is the number of solutions that `refute` excludes, None for
    other tasks and before they are found. `established_by` says how it is known that there are no
    other solutions, see `jigsat.questions.Result`, and `listed` that all were listed and checked.
    `graphs` says whether constraints on graphs are `lazy`, with `cuts` and the processor time
    `cuts_ms` to find them, or `eager`. `memory` is the peak in bytes of all processes,
    `program_memory` that of a solver program alone, None as for `program`. `solver` is its version,
    `options` are those that jigsat sets, with `{seed}` where a program gets its seed, `formula` is
    a hash.
    `started` is when it began, `date` when it ended, `session` the number of the process that did
    it: 1 at first, 2 after the comparison was resumed once. `load_start` and `load_end` are the
    load averages of the machine over a minute, `nice_start` and `nice_end` the niceness, None where
    it is not known. A negative `repeat` is a run that warms up, which does not count.

    `family` is that of the instance, empty for a formula. `stated` are the counts in its file, and
    `source` says who states them.
    `disputed` says that a count contradicts another one, and nobody knows which is wrong.
    `unsupported` says that nobody but the solver says that there are no other solutions.
    """

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")

    combination: Combination
    status: Status = "running"
    task: Task = "all"
    way: Way = ""
    seed: Number | None = None
    repeat: int = 1
    first: Seconds | None = None
    seconds: Seconds = 0.0
    wall: Seconds = 0.0
    preparation: Seconds = 0.0
    encode: Seconds = 0.0
    program: Seconds | None = None
    solutions: Number = 0
    excluded: Number | None = None
    distinct: Counts = field(default_factory=dict)
    established_by: str = ""
    listed: bool = False
    conflicts: Number | None = None
    propagations: Number | None = None
    cuts: Number | None = None
    cuts_ms: Number | None = None
    graphs: Graphs = ""
    variables: Number | None = None
    clauses: Number | None = None
    literals: Number | None = None
    memory: Number = 0
    program_memory: Number | None = None
    solver: str = ""
    options: str = ""
    formula: Hash = ""
    started: Date = ""
    date: Date = ""
    session: Positive = 1
    load_start: Load | None = None
    load_end: Load | None = None
    nice_start: Niceness | None = None
    nice_end: Niceness | None = None
    family: str = ""
    stated: Counts = field(default_factory=dict)
    source: str = ""
    disputed: bool = False
    unsupported: bool = False

    @property
    def complete(self) -> bool:
        return self.status == "complete"

    @property
    def installed(self) -> bool:
        return not self.status.startswith("absent")

    @property
    def possible(self) -> bool:
        """Whether the combination can run at all."""
        return not self.status.startswith(IMPOSSIBLE)

    @property
    def files(self) -> float | None:
        """What jigsat spends beside a program, in seconds: it writes the formula, starts the
        program, reads its answer and checks it."""
        if self.program is None:
            return None
        return max(0.0, self.seconds - self.encode - self.program)

    @property
    def counts(self) -> dict[str, int]:
        """The number of solutions, in total and up to each level of symmetry."""
        return {"solutions": self.solutions, **self.distinct}

    @property
    def identity(self) -> Identity:
        return Identity(self.combination, self.task, self.seed, self.repeat)

    def json(self) -> dict[str, Any]:
        """The run as a JSON object; the fields of the combination come first."""
        values = {
            key: round(value, DIGITS) if isinstance(value, float) else value
            for key, value in asdict(self).items()
        }
        del values["combination"]
        return {**self.combination._asdict(), **values}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Run:
        """The inverse of `json`. Raises ValueError for any other object."""
        values = dict(data)
        names = [own.name for own in fields(cls) if own.name != "combination"]
        require_fields(values, [*Combination._fields, *names])
        combination = Combination(*(values.pop(name) for name in Combination._fields))
        return TypeAdapter(cls).validate_json(
            canonical({"combination": combination, **values}), strict=True
        )


def shuffle(rounds: Iterable[Sequence[Run]], seed: int) -> Iterator[Run]:
    """The runs round by round, each round in a random order, so that slow periods of the machine
    affect all combinations."""
    chance = random.Random(seed)
    for runs_of_round in rounds:
        order = list(runs_of_round)
        chance.shuffle(order)
        yield from order


def runs(
    puzzles: Mapping[str, Compared],
    wanted: Iterable[Run],
    *,
    timeout: float,
    memory: int,
    jobs: int = 1,
) -> Generator[Run, None, None]:
    """Do these runs in their order, `jobs` at a time. Each is yielded when it starts, repeatedly
    while it runs, and when it ends.

    `timeout` is in seconds of the processor, `memory` in bytes.
    """
    waiting = deque(wanted)
    active: list[_ActiveRun] = []
    try:
        while waiting or active:
            while waiting and len(active) < jobs:
                run = waiting.popleft()
                active.append(_ActiveRun(run, puzzles[run.combination.instance], timeout, memory))
            for one in list(active):
                one.poll(UPDATE_INTERVAL_S / len(active))
                if one.run.status != "running":
                    active.remove(one)
                yield one.run
    finally:
        for one in active:
            one.child.close()


class _ActiveRun:
    """A run and its process.

    Only its processor time decides whether a run is over, because on a machine with other work it
    may wait for the processor for any time.
    """

    def __init__(self, run: Run, problem: Compared, timeout: float, memory: int) -> None:
        self.run = run
        self._timeout = timeout
        combination = run.combination
        backend = combination.backend
        if run.seed is not None:
            backend += f"#{run.seed}"
        trial = Trial(
            backend=backend,
            amo=combination.amo,
            encoding=combination.encoding,
            task=run.task,
            graph_rules=combination.graph_rules,
        )
        run.started = _write_now()
        self._first_look = time.monotonic()
        run.load_start = measure_load()
        run.nice_start = read_niceness()
        work = partial(answer, problem, trial)
        self.child: Child[Progress] = Child(work, memory=memory)
        self._started = time.monotonic()

        # The time of the run begins when the process has prepared the task.
        self._prepares = True
        self._preparation_s = 0.0  # processor time

        # A process that waits without using the processor is stopped.
        self._last_look = self._started
        self._last_used_s = 0.0  # processor time when it was last seen at work
        self._idle_s = 0.0  # time on the wall since then

    def poll(self, patience: float) -> None:
        """Wait up to `patience` seconds for a report of the process, and update the run."""
        run = self.run
        try:
            if self.child.ready(patience):
                self._note(next(self.child))
            else:
                self._look_at_clock()
        except StopIteration:
            run.status = "timeout" if run.seconds > self._timeout else "complete"
        except InputError as error:
            run.status = f"refused: {error}"
        except CheckError as error:
            run.status = f"wrong: {error}"
        except Stopped as error:
            is_known = str(error).startswith(STOPPED_BY)
            run.status = str(error) if is_known else f"failed: {error}"
        else:
            if run.seconds > self._timeout:
                self.child.stop("timeout")
        run.memory = self.child.peak
        if run.status == "timeout":  # a late report has less than the time that was seen
            run.seconds = max(run.seconds, self._timeout)
        if run.status != "running":
            run.date = _write_now()
            run.preparation = max(0.0, time.monotonic() - self._first_look - run.wall)
            run.load_end = measure_load()
            run.nice_end = read_niceness()
            _round_times(run)

    def _note(self, progress: Progress) -> None:
        """Update the run from a report."""
        run = self.run
        self._preparation_s = progress.begun
        self._prepares = progress.prepares
        run.seconds = progress.seconds
        run.wall = progress.wall
        run.encode = progress.encode
        run.first = progress.first
        run.solutions = progress.solutions
        run.excluded = progress.excluded
        run.distinct = progress.distinct
        run.established_by = progress.established_by
        run.listed = progress.listed
        run.graphs = progress.graphs
        for name in STATISTICS:
            setattr(run, name, progress.statistics.get(name))
        if (used := progress.statistics.get("program_us")) is not None:
            run.program = used / 1e6
            run.program_memory = 1024 * progress.statistics["program_kb"]

    def _look_at_clock(self) -> None:
        """Measure the times of a run that reports nothing, and stop it if it never begins or uses
        no processor time."""
        run = self.run
        used = self._measure()
        if self._prepares:
            if used > find_preparation_limit(self._timeout):
                self.child.stop(f"unprepared: the task had not begun after {used:.0f} s")
        else:
            run.seconds = max(run.seconds, used - self._preparation_s)
            run.wall = time.monotonic() - self._started
        if self._is_idle(used):
            self.child.stop(f"idle: it used no processor time for {IDLE_S:g} s")

    def _measure(self) -> float:
        """The processor time so far; where the system does not report that of another process, the
        time on the wall."""
        is_reported = sys.platform == "linux"
        return self.child.processor_seconds() if is_reported else time.monotonic() - self._started

    def _is_idle(self, used: float) -> bool:
        now = time.monotonic()
        self._idle_s += min(now - self._last_look, MAX_LOOK_S)
        self._last_look = now
        if used > self._last_used_s + IDLE_USE_S:
            self._last_used_s = used
            self._idle_s = 0.0
        return self._idle_s > IDLE_S


def _round_times(run: Run) -> None:
    """Round the times as in a file of runs, so that the same figures come from both."""
    for name, value in vars(run).items():
        if isinstance(value, float):
            setattr(run, name, round(value, DIGITS))


def _write_now() -> str:
    """The date and time in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def find_preparation_limit(timeout: float) -> float:
    """The processor time that may go by before a task begins, in seconds."""
    return PREPARATION_S + 3 * timeout


def limit_preparation(timeout: float) -> None:
    """Have the system end this process when that time is over."""
    seconds = math.ceil(find_preparation_limit(timeout))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def combinations(
    puzzles: Mapping[str, Compared],
    backends: Mapping[str, Capabilities | None],
    at_most_one: Sequence[str] = (),
    encodings: Sequence[str] = (),
    graph_rules: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[Combination]:
    """All combinations, instance by instance, without choices that make no difference.

    For a backend with native cardinality constraints, the encoding of at-most-one makes no
    difference. `graph_rules` are the ways to choose from for each instance that has such rules; a
    backend without cuts is `EAGER`. A backend that is not installed (None) is listed once per
    instance. Raises InputError for an encoding that none of the families has.
    """
    available = {encoding for problem in puzzles.values() for encoding in _encodings(problem)}
    for encoding in encodings:
        if encoding not in available:
            raise InputError(unknown("encoding", encoding, sorted(available)))
    for name, problem in puzzles.items():
        own = list_encodings(problem, encodings)
        asked = (graph_rules or {}).get(name, ())
        for backend, can in backends.items():
            if can is None:
                yield Combination(name, backend)
                continue
            amos = list_at_most_one(can, at_most_one)
            ways = [way for way in asked if way in _list_ways(backend, can)]
            for choice in product(amos, own or [""], ways or [""]):
                yield Combination(name, backend, *choice)


def list_at_most_one(can: Capabilities, asked: Sequence[str]) -> Sequence[str]:
    """The encodings of at-most-one constraints to compare for a backend; one that has such
    constraints of its own has no choice."""
    return [""] if can.cardinality or not asked else asked


def list_encodings(problem: Compared, asked: Sequence[str]) -> Sequence[str]:
    """Those of the encodings that the family of a puzzle has."""
    return [encoding for encoding in asked if encoding in _encodings(problem)]


def _list_ways(backend: str, can: Capabilities) -> Sequence[str]:
    """The ways in which rules about graphs can reach a backend, if it does not choose itself."""
    if backend == AUTO or find(backend).open is None:
        return ()
    return (LAZY, EAGER) if takes_cuts(backend, can) else (EAGER,)


def _encodings(problem: Compared) -> Sequence[str]:
    return problem.encodings() if isinstance(problem, Puzzle) else ()


def count_sessions(ended: Iterable[Run]) -> int:
    """The number of processes that did these runs."""
    return len({run.session for run in ended if run.possible})
