"""The service that runs backends side by side, and goes on where an earlier run was stopped."""

from __future__ import annotations

import csv
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, fields, replace
from functools import partial
from hashlib import file_digest
from io import StringIO
from pathlib import Path
from typing import Any

from jigsat.backends import AUTO, find, not_installed, open_backend
from jigsat.comparison.circumstances import find_circumstances
from jigsat.comparison.log import Conditions, Log, Results, find_earlier, sort_runs
from jigsat.comparison.matrix import (
    Combination,
    Run,
    combinations,
    count_sessions,
    limit_preparation,
    list_at_most_one,
    list_encodings,
    runs,
    shuffle,
)
from jigsat.comparison.scores import group_by_family, pairs, par2
from jigsat.comparison.tasks import (
    TASKS,
    Ability,
    Compared,
    choose_way,
    find_ability,
    make_smallest,
)
from jigsat.comparison.verdicts import disagreements, judge, list_stated
from jigsat.comparison.versions import hash_program
from jigsat.errors import InputError, Stopped, unknown
from jigsat.formats.dimacs import hash_formula
from jigsat.formula import GRAPH_RULES, Formula, Lowering
from jigsat.puzzle import Puzzle
from jigsat.runtime.child import Child, apart
from jigsat.subject import FormulaSubject, Subject, subject_of
from jigsat.symmetry import DECLARED_LEVELS

# Fields that are no column of a table: dictionaries, and the facts of a file.
NO_COLUMNS = ("combination", "distinct", "stated", "source")
RESULTS = [field.name for field in fields(Run) if field.name not in NO_COLUMNS]
# The memory of a run is its peak; the limit has a name of its own in the table.
CONDITION_COLUMNS = {field.name: field.name for field in fields(Conditions)} | {
    "memory": "memory_limit"
}
LEVELS = DECLARED_LEVELS[1:3]
COLUMNS = [*Combination._fields, *RESULTS, *LEVELS, *CONDITION_COLUMNS.values()]


@dataclass(frozen=True)
class CompareRequest:
    """Puzzles and formulas by name, and the choices to run on each of them.

    `graph_rules` are ways of `jigsat.formula.GRAPH_RULES`. `memory` is in bytes. Each combination
    runs `repeat` times with each of the `seeds`, after `warmup` runs that do not count. `shuffle`
    is the seed of the order. `store` is a file with the runs that have ended, which are not
    repeated. `changes` says which entries of the puzzles were changed, for those who read the
    results.
    """

    problems: Mapping[str, Compared]
    backends: Sequence[str]
    at_most_one: Sequence[str] = ()
    encodings: Sequence[str] = ()
    timeout: float = 60
    memory: int = 4 * 2**30
    jobs: int = 1
    repeat: int = 1
    store: Path | None = None
    only_installed: bool = False
    task: str = ""
    seeds: Sequence[int] = ()
    warmup: int = 0
    shuffle: int = 1
    graph_rules: Sequence[str] = ()
    changes: str = ""


@dataclass(frozen=True)
class Inspected:
    """Whether a formula has rules about graphs, and its hash by the encoding of at-most-one
    constraints."""

    has_graphs: bool = False
    hashes: dict[str, str] = field(default_factory=dict)


class Comparison:
    """The runs of a request; iterating yields each of them when it starts, again and again, and
    when it ends. `earlier` is the number of those that are in the file, `repeated` says why others
    are not reused."""

    def __init__(self, request: CompareRequest) -> None:
        """Raises InputError for an unknown backend, task, encoding or way of graph rules, and for a
        wrong file."""
        self._request = request
        self._check_request()
        self.conditions = Conditions.here(
            timeout=float(request.timeout),
            memory=request.memory // 2**20,
            jobs=request.jobs,
            warmup=request.warmup,
            shuffle=request.shuffle,
            changes=request.changes,
        )
        abilities = self._find_abilities()
        self._at_most_one = self._list_at_most_one(abilities)
        self._inspected: dict[tuple[str, str], Inspected] = {}
        self._wanted = self._list_runs(abilities)
        self.runs = {run.identity: run for run in self._wanted if run.status != "running"}
        self._planned = [
            run.identity
            for run in sort_runs(self._wanted, [run.identity for run in self._wanted])
            if run.status == "running" and run.repeat > 0
        ]
        self.repeated: list[str] = []
        self.earlier = 0
        self._log: Log | None = None
        if request.store is not None:
            self._log = Log(request.store)
            self._reuse(self._log)

    def _check_request(self) -> None:
        """Raises InputError for an unknown task or way of graph rules, and for several tasks."""
        request = self._request
        if request.task and request.task not in TASKS:
            raise InputError(unknown("task", request.task, TASKS))
        for way in request.graph_rules:
            if way not in GRAPH_RULES:
                raise InputError(unknown("way of graph rules", way, GRAPH_RULES))
        if len({self._choose_task(name) for name in request.problems}) > 1:
            raise InputError(
                "puzzles and formulas are asked different questions by default, all and first; "
                "name a task for both"
            )

    def _find_abilities(self) -> dict[str, Ability | None]:
        """What each backend can do, by its whole name; None if it is not installed."""
        abilities = {}
        for name in self._request.backends:
            whole_name = name if name == AUTO else find(name).name
            ability = find_ability(name)
            if ability is not None or not self._request.only_installed:
                abilities[whole_name] = ability
        return abilities

    def _list_runs(self, abilities: Mapping[str, Ability | None]) -> list[Run]:
        """All runs, round by round; what cannot run is there once."""
        request = self._request
        rounds = [*range(-request.warmup, 0), *range(1, request.repeat + 1)]
        capabilities = {
            name: None if can is None else can.capabilities for name, can in abilities.items()
        }
        every = list(
            combinations(
                request.problems,
                capabilities,
                request.at_most_one,
                request.encodings,
                self._list_graph_rules(),
            )
        )
        wanted: list[Run] = []
        for number in rounds:
            for combination in every:
                wanted += self._list_runs_of(combination, abilities[combination.backend], number)
        return wanted

    def _list_at_most_one(self, abilities: Mapping[str, Ability | None]) -> list[str]:
        """The encodings of at-most-one constraints that are used."""
        chosen = {
            name
            for ability in abilities.values()
            if ability is not None
            for name in list_at_most_one(ability.capabilities, self._request.at_most_one)
        }
        return sorted(chosen)

    def _list_graph_rules(self) -> dict[str, Sequence[str]]:
        """The ways to compare for each instance that has rules about graphs. Raises InputError if
        there are ways, but no such instance."""
        request = self._request
        if not request.graph_rules:
            return {}
        ways = {}
        for name, problem in request.problems.items():
            encoding = (*list_encodings(problem, request.encodings), "")[0]
            if self._inspect(name, encoding).has_graphs:
                ways[name] = request.graph_rules
        if not ways:
            raise InputError("graph rules: no instance has rules about graphs")
        return ways

    def _list_runs_of(
        self, combination: Combination, ability: Ability | None, number: int
    ) -> Iterable[Run]:
        """The runs of a combination in one round."""
        task = self._choose_task(combination.instance)
        problem = self._request.problems[combination.instance]
        stated = list_stated(problem, task)
        run = Run(combination, task=task, repeat=number, stated=stated)
        if isinstance(problem, Puzzle):
            run.family = problem.family
            run.source = problem.known.source
        if ability is None:
            run.status = f"absent: {_explain_absence(combination.backend)}"
            return [run] if number == 1 else []
        run.way = choose_way(task, combination.backend, ability)
        run.solver = ability.solver
        run.options = ability.options
        if run.way.startswith("not at all"):
            run.status = run.way
            run.way = ""
            return [run] if number == 1 else []
        if not ability.takes_seed or not self._request.seeds:
            return [run]
        run.options = " ".join(filter(None, [ability.seed_options, ability.options]))
        return [replace(run, seed=seed) for seed in self._request.seeds]

    def _choose_task(self, instance: str) -> str:
        """What is asked; by default, all solutions of a puzzle and a model of a formula."""
        if self._request.task:
            return self._request.task
        return "all" if isinstance(self._request.problems[instance], Puzzle) else "first"

    def _reuse(self, log: Log) -> None:
        """Take the runs from the file that are as wanted."""
        number = 1 + max((run.session for run, _ in log.done), default=0)
        for run in self._wanted:
            run.session = number
        known = {run.combination for run, own in log.done if own == self.conditions}
        self._hash_formulas([run for run in self._wanted if run.combination in known])
        earlier, self.repeated = find_earlier(
            log.done, [run for run in self._wanted if run.status == "running"], self.conditions
        )
        self.runs |= earlier
        self.earlier = len(earlier)

    def _hash_formulas(self, wanted: Iterable[Run]) -> None:
        """Note the hash of the formula of each run that has none yet."""
        for run in wanted:
            inspected = self._inspect(run.combination.instance, run.combination.encoding)
            run.formula = inspected.hashes.get(run.combination.amo, "")

    def _inspect(self, instance: str, encoding: str) -> Inspected:
        """What is known about a formula, which is made once for this."""
        key = instance, encoding
        if key not in self._inspected:
            self._inspected[key] = _inspect(self._request, *key, self._at_most_one)
        return self._inspected[key]

    def __iter__(self) -> Generator[Run, None, None]:
        request = self._request
        if self._log:
            self._log.plan(self._planned, self.conditions)
        active = runs(
            request.problems,
            shuffle(self._list_rounds(), request.shuffle),
            timeout=request.timeout,
            memory=request.memory,
            jobs=request.jobs,
        )
        try:
            for run in active:
                self.runs[run.identity] = run
                if run.status != "running":
                    self._end_run(run)
                yield run
        finally:
            active.close()
            if self._log:
                self._log.close()

    def _list_rounds(self) -> list[list[Run]]:
        """The runs that are not done yet, with the hashes of their formulas, by their repeat."""
        waiting = [run for run in self._wanted if run.identity not in self.runs]
        self._hash_formulas([run for run in waiting if not run.formula])
        numbers = sorted({run.repeat for run in waiting})
        return [[run for run in waiting if run.repeat == number] for number in numbers]

    def _end_run(self, run: Run) -> None:
        """Write down a run that has ended."""
        if _has_changed(run):
            run.status = "changed: the program is not the one of the first run"
        if self._log:
            self._log.add(run, self.conditions)

    def interrupt(self) -> None:
        """Note that the runs that have not ended were interrupted."""
        for run in self.runs.values():
            if run.status == "running":
                run.status = "interrupted"

    @property
    def number(self) -> int:
        """The number of runs, with those that ended earlier."""
        return len(self._wanted)

    def count_ended(self) -> int:
        """The number of runs that have ended."""
        return sum(run.status != "running" for run in self.runs.values())

    def collect_results(self) -> Results:
        """The runs that have ended, in the order of the request, with what they show about each
        other."""
        ended = [run for run in self.runs.values() if run.status != "running"]
        order = [run.identity for run in self._wanted]
        return Results(judge(sort_runs(ended, order)), self.conditions, tuple(self._planned))


def _has_changed(run: Run) -> bool:
    """Whether the program of a run is another one than when the comparison began."""
    backend = run.combination.backend
    if backend == AUTO or find(backend).library != "program":
        return False
    try:
        return not run.solver.endswith(hash_program(backend))
    except OSError:
        return True


def _explain_absence(backend: str) -> str:
    """Why a backend cannot be used."""
    try:
        apart(_open, backend)
    except (Stopped, InputError, ImportError) as error:
        return str(error)
    return "it could not be opened"


def _open(backend: str) -> None:
    spec = find(backend)
    if spec.open is not None:
        open_backend(backend).close()
    elif spec.count is not None:
        try:
            spec.count(make_smallest())
        except ImportError as error:
            raise not_installed(spec) from error


def _inspect(
    request: CompareRequest, instance: str, encoding: str, at_most_one: Sequence[str]
) -> Inspected:
    """What is known about a formula; less if making it reaches a limit of preparation."""
    problem = request.problems[instance]
    if isinstance(problem, Puzzle) and encoding:
        problem = problem.model_copy(update={"encoding": encoding})
    work = partial(_read_formula, problem, at_most_one, request.timeout)
    known = Inspected()
    with suppress(Stopped, InputError), closing(Child(work, memory=request.memory)) as child:
        for known in child:  # noqa: B007  # the last one counts
            pass
    return known


def _read_formula(
    problem: Compared, at_most_one: Sequence[str], timeout: float
) -> Iterator[Inspected]:
    """More and more about a formula: whether it has rules about graphs, and its hash with each of
    these at-most-one encodings."""
    limit_preparation(timeout)
    subject = subject_of(problem)
    formula = subject.encode()
    has_graphs = bool(formula.list_graphs())
    hashes: dict[str, str] = {}
    yield Inspected(has_graphs, hashes)
    for name in at_most_one:
        hashes[name] = _hash(subject, formula, name)
        yield Inspected(has_graphs, hashes)


def _hash(subject: Subject[Any], formula: Formula, at_most_one: str) -> str:
    """The hash of the file that the formula was read from, or of the lines of its export."""
    if isinstance(subject, FormulaSubject) and subject.file:
        with subject.file.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    return hash_formula(formula, Lowering(at_most_one or "auto"))


def describe_results(results: Results) -> dict[str, Any]:
    """All runs with their statistics as a JSON object, from which tables and plots can be drawn
    again."""
    ended, conditions = results.runs, results.conditions
    circumstances = find_circumstances(ended)
    families = {
        family: [score.json() for score in par2(own, conditions.timeout)]
        for family, own in group_by_family(ended).items()
    }
    return {
        "version": Log.VERSION,
        "conditions": conditions.json(),
        "circumstances": circumstances and circumstances.json(),
        "sessions": count_sessions(ended),
        "disagreements": disagreements(ended),
        "left_out": list(results.left_out),
        "planned": [identity.json() for identity in results.planned],
        "runs": [run.json() for run in ended],
        "par2": [score.json() for score in par2(ended, conditions.timeout)],
        "families": families,
        "pairs": [pair.json() for pair in pairs(ended, conditions.timeout)],
    }


def write_table(ended: Iterable[Run], conditions: Conditions) -> str:
    """The runs as a table of comma-separated values, each with its conditions."""
    text = StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    stated = conditions.json()
    limits = {column: stated[name] for name, column in CONDITION_COLUMNS.items()}
    for run in ended:
        row = run.json()
        counts = {str(level): row["distinct"].get(level) for level in LEVELS}
        del row["distinct"], row["stated"], row["source"]
        writer.writerow({**row, **counts, **limits})
    return text.getvalue()
