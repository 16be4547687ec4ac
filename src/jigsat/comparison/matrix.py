"""Backends and lowerings side by side: every combination in a process of its own, under limits, and whether all agree."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, ClassVar, NamedTuple

from pydantic import ConfigDict, TypeAdapter

from jigsat.backends import Capabilities, open_backend
from jigsat.errors import CheckError, InputError, Stopped, unknown
from jigsat.formula import Lowering
from jigsat.puzzle import Puzzle
from jigsat.runtime import Child, apart
from jigsat.runtime.untrusted import canonical
from jigsat.solving import Enumeration, Header, Lines, Result

TICK = 0.2
"""Seconds between two looks at a run."""


class Combination(NamedTuple):
    """What is compared: an instance, and then all that can be chosen for it; where nothing was chosen, the default holds.

    A further axis is a further field.
    """

    instance: str
    backend: str
    amo: str = ""
    encoding: str = ""

    @property
    def choice(self) -> tuple[str, ...]:
        """The combination but for its instance."""
        return self[1:]

    def encoded(self, puzzle: Puzzle) -> Puzzle:
        """The puzzle in the encoding that was chosen."""
        return puzzle.model_copy(update={"encoding": self.encoding}) if self.encoding else puzzle

    @property
    def label(self) -> str:
        """The choice in a word, what is the default left out."""
        return " ".join(filter(None, self.choice))


@dataclass
class Run:
    """What is known of the run of a combination.

    `status` is 'running', 'complete', or what stopped it: 'timeout', 'memory', 'crash: …'; 'absent: …' where there is no such
    library, 'refused: …' where the backend does not take the formula, 'wrong: …' if a solution breaks a rule. Seconds are
    counted from the encoding on, the solver's library having been loaded; `memory` is in bytes.
    """

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")

    combination: Combination
    status: str = "running"
    first: float | None = None
    seconds: float = 0.0
    solutions: int = 0
    distinct: dict[str, int] = field(default_factory=dict)
    conflicts: int | None = None
    clauses: int | None = None
    memory: int = 0

    @property
    def complete(self) -> bool:
        return self.status == "complete"

    @property
    def possible(self) -> bool:
        """Whether the combination can be run at all."""
        return not self.status.startswith(("absent", "refused"))

    @property
    def counts(self) -> dict[str, int]:
        """The solutions, all in all and up to each level of symmetry."""
        return {"solutions": self.solutions, **self.distinct}

    def json(self) -> dict[str, Any]:
        """The run as a plain object, the combination's fields first."""
        said = {key: round(value, 4) if isinstance(value, float) else value for key, value in asdict(self).items()}
        del said["combination"]
        return {**self.combination._asdict(), **said}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Run:
        """The run that `json` made this of. Raises ValueError if it did not."""
        fields = dict(data)
        combination = Combination(*(fields.pop(name, "") for name in Combination._fields))
        return TypeAdapter(cls).validate_json(canonical({"combination": combination, **fields}), strict=True)


Event = tuple[float | None, Result]


def _job(puzzle: Puzzle, combination: Combination) -> Iterator[Event]:
    """The time of the first solution with the result so far, every now and then and at the end."""
    try:
        open_backend(combination.backend).close()
    except InputError as error:
        raise Stopped(f"absent: {error}") from error
    puzzle, lowering = combination.encoded(puzzle), Lowering(at_most_one=combination.amo or "auto")
    enumeration = Enumeration(puzzle, backend=combination.backend, up_to="reflection", lowering=lowering)
    first, said = None, 0.0
    for _ in enumeration:
        seconds = enumeration.seconds()
        first = first or seconds
        if seconds > said + TICK:
            said = seconds
            yield first, enumeration.result
    yield first, enumeration.result
    if not enumeration.result.complete:
        raise Stopped(str(enumeration.result.stopped_by))


def runs(
    puzzles: Mapping[str, Puzzle], combinations: Iterable[Combination], *, timeout: float, memory: int, jobs: int = 1
) -> Iterator[Run]:
    """Run every combination, `jobs` at a time; each run is yielded as it starts, as it goes on, and when it is over.

    `timeout` is in seconds, `memory` in bytes.
    """
    waiting = deque(combinations)
    going: list[_Going] = []
    try:
        while waiting or going:
            while waiting and len(going) < jobs:
                combination = waiting.popleft()
                job = partial(_job, puzzles[combination.instance], combination)
                going.append(_Going(Run(combination), Child(job, timeout=timeout, memory=memory)))
            for one in list(going):
                one.look(TICK / len(going))
                if one.run.status != "running":
                    going.remove(one)
                yield one.run
    finally:
        for one in going:
            one.child.close()


@dataclass
class _Going:
    """A run and its process."""

    run: Run
    child: Child[Event]
    started: float = field(default_factory=time.monotonic)
    said: float = 0.0

    def look(self, patience: float) -> None:
        """Wait so many seconds for the process to say something."""
        run = self.run
        try:
            if self.child.ready(patience):
                run.first, result = next(self.child)
                self.said = result.seconds
                run.solutions, run.distinct = result.solutions, dict(result.distinct)
                run.conflicts, run.clauses = result.statistics.get("conflicts"), result.statistics.get("clauses")
            run.seconds = time.monotonic() - self.started
        except StopIteration:
            run.status, run.seconds = "complete", self.said
        except (Stopped, InputError, CheckError) as error:
            kind = {InputError: "refused: ", CheckError: "wrong: "}.get(type(error), "")
            run.status, run.seconds = f"{kind}{error}", time.monotonic() - self.started
        run.memory = self.child.peak


def combinations(
    puzzles: Mapping[str, Puzzle],
    backends: Mapping[str, Capabilities | None],
    at_most_one: Sequence[str] = (),
    encodings: Sequence[str] = (),
) -> Iterator[Combination]:
    """All combinations, instance by instance, leaving out choices that make no difference.

    A backend that takes cardinality as it is needs no encodings of it, and one that is not there (None) is named once. Raises
    InputError for an encoding that none of the families has.
    """
    there = {encoding for puzzle in puzzles.values() for encoding in puzzle.encodings()}
    for encoding in encodings:
        if encoding not in there:
            raise InputError(unknown("encoding", encoding, sorted(there)))
    for name, puzzle in puzzles.items():
        own = [encoding for encoding in encodings if encoding in puzzle.encodings()]
        for backend, can in backends.items():
            for amo in at_most_one if can and not can.cardinality and at_most_one else [""]:
                yield from (Combination(name, backend, amo, encoding) for encoding in (own if can and own else [""]))


def capabilities(backend: str) -> Capabilities | None:
    """What a backend says it can do, None if it is not installed; asked in a child process, which loads the library."""
    try:
        return apart(_capabilities, backend)
    except (Stopped, InputError):
        return None


def _capabilities(backend: str) -> Capabilities:
    return open_backend(backend).capabilities


def par2(done: Iterable[Run], timeout: float) -> list[dict[str, Any]]:
    """The choices that could be run with their mean times, the least first; one not completed counts as twice the limit."""
    by_choice: dict[tuple[str, ...], list[Run]] = {}
    for run in done:
        if run.possible:
            by_choice.setdefault(run.combination.choice, []).append(run)
    rows = []
    for choice, mine in by_choice.items():
        mean = fmean(run.seconds if run.complete else 2 * timeout for run in mine)
        completed = sum(run.complete for run in mine)
        rows.append(
            {**dict(zip(Combination._fields[1:], choice, strict=True)), "par2": mean, "completed": completed, "runs": len(mine)}
        )
    return sorted(rows, key=lambda row: row["par2"])


def disagreements(puzzles: Mapping[str, Puzzle], done: Sequence[Run]) -> Iterator[str]:
    """What cannot all be true, in words.

    The counts of completed runs and those that the instance file gives must be the same, no run may have found more than
    there is, and no solution may break a rule.
    """
    for name, puzzle in puzzles.items():
        mine = [run for run in done if run.combination.instance == name]
        for run in mine:
            if run.status.startswith("wrong"):
                yield f"{name}: {run.combination.label}: {run.status}"
        said: dict[str, dict[int, list[str]]] = {}
        known = {level: count for level, count in puzzle.known if level != "source" and count is not None}
        for label, counts in [("the file", known), *((run.combination.label, run.counts) for run in mine if run.complete)]:
            for what, count in counts.items():
                said.setdefault(what, {}).setdefault(count, []).append(label)
        for what, who in said.items():
            if len(who) > 1:
                yield f"{name}: {what}: " + ", ".join(f"{count} ({', '.join(labels)})" for count, labels in who.items())
            for run in mine:
                if not run.complete and run.counts.get(what, 0) > max(who):
                    yield f"{name}: {what}: {max(who)}, but {run.combination.label} found {run.counts[what]}"


class Log:
    """Runs that are over, in a file, so that a comparison that was cut off takes up where it stopped.

    A run counts for the same combination of the same instance under the same limits.
    """

    def __init__(self, path: Path, puzzles: Mapping[str, Puzzle], **limits: float) -> None:
        self._lines = Lines(path, Header(jigsat="runs", version=1))
        self._conditions = {
            name: {"digest": puzzle.digest(), "encoding": getattr(puzzle, "encoding", ""), **limits}
            for name, puzzle in puzzles.items()
        }
        self.done: dict[Combination, Run] = {}
        for place, item in self._lines:
            try:
                run, conditions = Run.of(item["run"]), item["conditions"]
            except (TypeError, KeyError, ValueError):
                raise InputError(f"{place}: is no run; remove the line") from None
            if conditions == self._conditions.get(run.combination.instance):
                self.done[run.combination] = run

    def add(self, run: Run) -> None:
        """Write a run that is over. Raises Stopped where that fails."""
        self._lines.append({"conditions": self._conditions[run.combination.instance], "run": run.json()})

    def close(self) -> None:
        """Close the file."""
        self._lines.close()
