"""A file of finished runs, so that an interrupted comparison goes on."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from pydantic import ConfigDict, TypeAdapter

from jigsat.comparison.fields import (
    Hash,
    Number,
    Positive,
    Seconds,
    describe_error,
    require_fields,
)
from jigsat.comparison.matrix import Combination, Identity, Run
from jigsat.comparison.tasks import LISTED_BY, MODELS_FOR
from jigsat.comparison.verdicts import judge
from jigsat.comparison.versions import describe_machine, hash_code
from jigsat.errors import InputError, unwritable
from jigsat.runtime.untrusted import canonical, content, parse_json
from jigsat.words import join_words, plural

ROUNDING_S = 1e-6  # seconds that a written time may differ from the measured one

SET_UP_FAILURES = ("idle", "changed")
"""How the status of a run begins that failed because of the machine, so that it is repeated."""


@dataclass(frozen=True)
class Conditions:
    """What all runs of a comparison have in common. `timeout` is in seconds, `memory` in MB;
    `shuffle` is the seed of the order, `warmup` the number of runs before those that count.
    `changes` are those of the entries of all puzzles. `code` is the hash of jigsat's own code,
    which may change within a version."""

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")

    timeout: Seconds
    memory: Positive
    jobs: Positive = 1
    warmup: Number = 0
    shuffle: Number = 1
    changes: str = ""
    jigsat: str = ""
    code: Hash = ""
    python: str = ""
    machine: str = ""

    @classmethod
    def here(cls, **options: Any) -> Conditions:
        """The conditions on this machine."""
        return cls(
            jigsat=version("jigsat"),
            code=hash_code(),
            python=platform.python_version(),
            machine=describe_machine(),
            **options,
        )

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Conditions:
        """Conditions from JSON. Raises ValueError."""
        require_fields(data, [own.name for own in fields(cls)])
        return TypeAdapter(cls).validate_json(canonical(data), strict=True)

    def json(self) -> dict[str, Any]:
        return asdict(self)


class Log:
    """A file of JSON lines with the finished runs, so that an interrupted comparison can be
    resumed.

    One process uses it at a time. The first line states what the file is. Before its runs, a
    comparison writes a line with those that it will do. An incomplete last line, which a kill or a
    full disk leaves, is dropped.
    """

    VERSION = 8
    FIRST_LINE = b'{"jigsat":"runs","version":%d}\n' % VERSION

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
        records = read_lines(path, data)
        self.done, self.plans = records.done, records.plans
        whole = data[: data.rfind(b"\n") + 1]
        self._file.truncate(len(whole))
        if not whole:
            self._write(self.FIRST_LINE)

    def plan(self, planned: Sequence[Identity], conditions: Conditions) -> None:
        """Append the runs that a comparison will do, in the order in which they are shown, unless
        earlier plans have them in this order. Raises Stopped if the file cannot be written."""
        wanted = set(planned)
        known = _join_plans(self.plans, conditions)
        if [identity for identity in known if identity in wanted] == [*planned]:
            return
        self.plans.append((tuple(planned), conditions))
        runs = [identity.json() for identity in planned]
        line = canonical({"conditions": conditions.json(), "planned": runs})
        self._write(line.encode() + b"\n")

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


class Results(NamedTuple):
    """The runs of a comparison that ended, all under the same conditions, those that were planned,
    both in the order in which they are shown, and one line for each reason why other runs in the
    file are left out."""

    runs: list[Run]
    conditions: Conditions
    planned: Sequence[Identity] = ()
    left_out: Sequence[str] = ()


class Records(NamedTuple):
    """What a file of runs has: those that ended, and those that were planned, with their
    conditions. `are_sorted` says that those that ended are in the order in which they are shown,
    not in that of their ends."""

    done: list[tuple[Run, Conditions]]
    plans: list[tuple[Sequence[Identity], Conditions]]
    are_sorted: bool = False


def read_lines(path: Path, data: bytes) -> Records:
    """The runs in the content of a file of finished runs. Raises InputError with the line."""
    _check_header(path, data)
    records = Records([], [])
    whole = data[: data.rfind(b"\n") + 1]
    for number, line in enumerate(whole.splitlines()[1:], 2):
        try:
            item = parse_json(line)
            conditions = Conditions.of(item["conditions"])
            if "planned" in item:
                planned = tuple(map(Identity.of, item["planned"]))
                records.plans.append((planned, conditions))
            else:
                records.done.append((_read_run(item["run"], conditions), conditions))
        except (TypeError, KeyError, ValueError) as error:
            what = describe_error(error)
            raise InputError(f"{path}: line {number}: not a run: {what}; remove the line") from None
    _check_refusals(path, records.done)
    return records


def _check_refusals(path: Path, done: Iterable[tuple[Run, Conditions]]) -> None:
    """Raises InputError if a formula was refused in one run and solved in another one like it: a
    refused instance has no score, so an edited line could hide a time-out."""
    alike: dict[tuple[object, ...], set[str]] = {}
    for run, conditions in done:
        key = run.combination, run.task, run.formula, run.solver, conditions
        own = alike.setdefault(key, set())
        own.add(run.status.partition(":")[0])
        if {"complete", "refused"} <= own:
            raise InputError(
                f"{path}: {run.combination.instance}: {run.combination.label}: refused in one run "
                f"and complete in another, but the same formula is always refused; remove the "
                f"lines that are wrong"
            )


def sort_runs(done: Iterable[Run], planned: Iterable[Identity]) -> list[Run]:
    """The runs in the order in which they are shown: that of the plan, in which each combination is
    followed by its repeats and their seeds. Those that were not planned, such as runs that warm up,
    are beside the others of their combination, or at the end."""
    places: dict[Combination, int] = {}
    for identity in planned:
        places.setdefault(identity.combination, len(places))
    seeds: dict[int | None, int] = {}
    for identity in planned:
        seeds.setdefault(identity.seed, len(seeds))

    def find_place(run: Run) -> tuple[int, Combination, int, int, int]:
        place = places.get(run.combination, len(places))
        seed = seeds.get(run.seed, len(seeds))
        return place, run.combination, run.repeat, seed, run.seed or 0

    return sorted(done, key=find_place)


def _join_plans(
    plans: Iterable[tuple[Sequence[Identity], Conditions]], conditions: Conditions
) -> tuple[Identity, ...]:
    """The runs that were planned under these conditions, those of the last plan first."""
    own = [planned for planned, stated in plans if stated == conditions]
    return tuple(dict.fromkeys(identity for planned in reversed(own) for identity in planned))


def _check_header(path: Path, data: bytes) -> None:
    """Raises InputError if the first line is not that of a file of runs, nor its beginning."""
    if Log.FIRST_LINE.startswith(data):
        return
    header = _read_header(data)
    if header is None:
        raise InputError(f"{path}: not a file of runs; name another file")
    _check_version(path, header)


def _check_version(path: Path, data: Mapping[str, Any]) -> None:
    """Raises InputError if another version of jigsat wrote the file."""
    written = data.get("version", "older")
    if written != Log.VERSION:
        raise InputError(
            f"{path}: not a file of runs that this version of jigsat can read: the format is "
            f"{written}, not {Log.VERSION}; name another file"
        )


def _read_header(data: bytes) -> dict[str, Any] | None:
    """The first line of a file of runs; None if it is another file."""
    try:
        header = parse_json(data.partition(b"\n")[0])
    except ValueError:
        return None
    if not isinstance(header, dict) or header.get("jigsat") != "runs":
        return None
    return header if isinstance(header.get("version"), int) else None


def _read_run(data: Mapping[str, Any], conditions: Conditions) -> Run:
    """A run from JSON that can have been done under these conditions. Raises ValueError."""
    run = Run.of(data)
    if not run.repeat:
        raise ValueError("repeat: there is no number 0")
    most = 1 if run.task == "refute" else MODELS_FOR.get(run.task, run.solutions)
    if run.solutions > most:
        raise ValueError(f"solutions: {run.solutions} are more than the task {run.task} has")
    if run.first is not None and run.first > run.seconds + ROUNDING_S:
        raise ValueError(f"first: {run.first:g} s are more than all seconds, {run.seconds:g}")
    if run.listed and run.established_by not in LISTED_BY:
        raise ValueError("listed: established_by does not say that all solutions were listed")
    limit = conditions.timeout
    if run.complete and run.seconds > limit + ROUNDING_S:
        raise ValueError(
            f"seconds: a complete run cannot take {run.seconds:g} s, because the limit is "
            f"{limit:g} s"
        )
    if run.status == "timeout" and run.seconds < limit - ROUNDING_S:
        raise ValueError(
            f"seconds: a timeout cannot come after {run.seconds:g} s, because the limit is "
            f"{limit:g} s"
        )
    return run


def read_runs(path: Path, task: str = "") -> Results:
    """The runs in a file that `--resume` wrote, or in the output of `--json`, as far as they can be
    compared with the one that ended last, of all or of this task. Raises InputError."""
    data = content(path)
    if _read_header(data) is None:
        records = _read_output(path, data)
    else:
        records = read_lines(path, data)
    if not records.done:
        raise InputError(f"{path}: no run has ended yet")
    if task:
        records = _keep_task(path, records, task)
    return _select(records)


def _keep_task(path: Path, records: Records, task: str) -> Records:
    """The runs of a task. Raises InputError if there is none."""
    done = [item for item in records.done if item[0].task == task]
    if not done:
        tasks = sorted({run.task for run, _ in records.done})
        raise InputError(f"{path}: no run of the task {task}; use {join_words(tasks, ' or ')}")
    return Records(done, records.plans, records.are_sorted)


def _read_output(path: Path, data: bytes) -> Records:
    """The runs in the output of `--json`. Raises InputError."""
    try:
        item = parse_json(data)
        runs, conditions, planned = item["runs"], item["conditions"], item["planned"]
        _check_version(path, item)
    except (TypeError, KeyError, ValueError):
        raise InputError(
            f"{path}: no runs; name a file that `jigsat compare` wrote with --resume, or the "
            f"output of --json"
        ) from None
    place = "conditions"
    done = []
    try:
        known = Conditions.of(conditions)
        for number, run in enumerate(runs, 1):
            place = f"run {number}"
            done.append((_read_run(run, known), known))
        place = "planned"
        plan = tuple(map(Identity.of, planned))
    except (TypeError, KeyError, ValueError) as error:
        what = describe_error(error)
        raise InputError(f"{path}: {place}: {what}; write the file again with --json") from None
    _check_refusals(path, done)
    return Records(done, [(plan, known)], are_sorted=True)


def _select(records: Records) -> Results:
    """Those of the runs that were done like the one that ended last."""
    done = records.done
    latest_first = sorted(
        range(len(done)), key=lambda number: (done[number][0].date, number), reverse=True
    )
    conditions = done[latest_first[0]][1]
    chosen: dict[int, Run] = {}
    identities = set()
    known: dict[tuple[str, ...], str] = {}
    others: Counter[str] = Counter()  # by the reason why they are left out
    for number in latest_first:
        run, own = done[number]
        traits = _list_traits(run)
        reasons = _compare_conditions(own, conditions) or _compare_traits(traits, known)
        if not reasons and run.identity in identities:
            reasons = ["done again later"]
        if reasons:
            others["; ".join(reasons)] += 1
            continue
        known |= traits
        identities.add(run.identity)
        chosen[number] = run
    runs = [chosen[number] for number in sorted(chosen)]
    left_out = [f"{plural(number, 'run')} left out: {why}" for why, number in others.items()]
    task = runs[0].task  # that of all runs
    plans = _join_plans(records.plans, conditions)
    planned = tuple(identity for identity in plans if identity.task == task)
    if not records.are_sorted:
        runs = sort_runs(runs, planned)
    return Results(judge(runs), conditions, planned, left_out)


def _list_traits(run: Run) -> dict[tuple[str, ...], str]:
    """What must be the same in all runs, or in those of an instance or a solver, by its name."""
    combination = run.combination
    traits: dict[tuple[str, ...], str] = {("task",): run.task}
    if run.possible:
        traits["solver", combination.backend] = f"{run.solver} {run.options}".strip()
        names = combination.instance, combination.encoding, combination.amo
        traits["formula of", *names] = run.formula
    return traits


def _compare_traits(
    traits: Mapping[tuple[str, ...], str], known: Mapping[tuple[str, ...], str]
) -> list[str]:
    """The differences from the runs that count."""
    return [
        f"the {' '.join(filter(None, trait))} was {value}, and is {known[trait]}"
        for trait, value in traits.items()
        if known.get(trait, value) != value
    ]


def find_earlier(
    done: Iterable[tuple[Run, Conditions]], wanted: Sequence[Run], conditions: Conditions
) -> tuple[dict[Identity, Run], list[str]]:
    """The finished runs that are as wanted, by their identity, and one line for each reason why
    others are repeated: what tells the most similar earlier run from the wanted one."""
    by_identity = {run.identity: run for run in wanted}
    reused: dict[Identity, Run] = {}
    unlike: dict[Identity, list[list[str]]] = {}
    for run, own in done:
        new = by_identity.get(run.identity)
        if new is None:
            continue
        differences = _list_differences(run, own, new, conditions)
        if not differences:
            reused[run.identity] = run
        else:
            unlike.setdefault(run.identity, []).append(differences)
    repeated: Counter[str] = Counter()
    for identity, lists in unlike.items():
        if identity not in reused:
            fewest = min(reversed(lists), key=len)
            repeated["; ".join(fewest)] += 1
    return reused, [f"{plural(number, 'run')} again: {why}" for why, number in repeated.items()]


def _list_differences(run: Run, own: Conditions, new: Run, conditions: Conditions) -> list[str]:
    """Why a finished run does not count as a wanted one; empty if it does."""
    differences = _compare_conditions(own, conditions)
    is_comparable = not differences
    if run.solver != new.solver:
        differences.append(f"the solver was {run.solver or 'unknown'}, and is {new.solver}")
    if run.options != new.options:
        before, now = run.options or "unknown", new.options or "none"
        differences.append(f"the solver's options were {before}, and are {now}")
    # The formula of a run that is repeated anyway is not made before it.
    if is_comparable and run.formula != new.formula:
        differences.append("the formula has changed")
    if not differences and run.status.startswith(SET_UP_FAILURES):
        differences.append(f"the status was {run.status.partition(':')[0]}")
    return differences


def _compare_conditions(own: Conditions, conditions: Conditions) -> list[str]:
    """The differences between earlier conditions and those that count."""
    before, now = own.json(), conditions.json()
    differences = []
    for name, value in now.items():
        if before[name] == value:
            continue
        if name == "code":  # its hash tells a reader nothing
            differences.append("the code of jigsat has changed")
        else:
            differences.append(
                f"{name} was {str(before[name]) or 'none'}, and is {str(value) or 'none'}"
            )
    return differences
