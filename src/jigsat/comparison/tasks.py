"""What is asked of a solver in a comparison, and whether it can do that by itself.

- `first`: a model, or the answer that there is none.
- `unique`: whether there are none, one, or more models; a second one is enough.
- `all`: every solution up to rotation and reflection.
- `count`: their number, whether or not they are listed.
- `refute`: that there is no other model. The solutions, which `auto` finds before the clock starts,
  are excluded by clauses, so that this is one call of each solver. Before that it is asked a
  control question, which has a solution.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from jigsat.answering.enumeration import Enumeration
from jigsat.backends import (
    AUTO,
    DEFAULT,
    Capabilities,
    find,
    open_backend,
    open_search,
)
from jigsat.comparison.versions import describe_solver
from jigsat.errors import CheckError, InputError, Stopped
from jigsat.formula import EAGER, GRAPHS, LAZY, Formula, Lowered, Lowering
from jigsat.puzzle import Puzzle
from jigsat.questions import Result
from jigsat.runtime.child import apart, processor_seconds
from jigsat.runtime.guard import below
from jigsat.search.blocking import Blocking
from jigsat.search.portfolio import models
from jigsat.subject import FormulaSubject, Subject, subject_of
from jigsat.symmetry import Level, Model

Compared: TypeAlias = Puzzle | FormulaSubject  # what is compared
Task: TypeAlias = Literal["first", "unique", "all", "count", "refute"]
TASKS: tuple[str, ...] = get_args(Task)

NATIVE = "native"  # the solver does the task by itself
SEARCH = "search"  # jigsat's search does it, with the solver for each model
RESTARTED = "restarted"  # a solver that cannot go on after a model is started for each of them

UPDATE_INTERVAL_S = 0.2  # seconds between two progress reports of a run
MAX_EXCLUDED_SOLUTIONS = 10_000  # the number of solutions that `refute` excludes at most

LISTED_BY = ("refutation", "exhaustion")  # how a list of solutions is established as complete

LISTING_TASKS = ("first", "unique", "all")  # the tasks in which each solution is checked

MODELS_FOR = {"first": 1, "unique": 2}  # the number of models after which a task is done


class Ability(NamedTuple):
    """What a backend can do, its version, and the options that jigsat sets, without and with a
    seed."""

    capabilities: Capabilities
    solver: str
    options: str = ""
    opens: bool = True
    counts: bool = False
    restarts: bool = False
    takes_seed: bool = False
    seed_options: str = ""


def find_ability(backend: str) -> Ability | None:
    """Ask a child process what a backend can do; None if it is not installed."""
    try:
        return apart(_find_ability, backend)
    except (Stopped, InputError, ImportError):
        return None


def _find_ability(backend: str) -> Ability:
    spec = find(DEFAULT if backend == AUTO else backend)
    if spec.open is None:
        if spec.count:
            spec.count(make_smallest())
        solver = describe_solver(backend, spec)
        # It lowers constraints in its own way.
        return Ability(
            Capabilities(cardinality=True), solver, spec.options, opens=False, counts=True
        )
    opened = open_backend(spec.name)
    opened.close()
    solver = describe_solver(backend, spec)
    if backend == AUTO:
        return Ability(opened.capabilities, solver)
    return Ability(
        opened.capabilities,
        solver,
        spec.options,
        counts=spec.count is not None,
        restarts=opened.restarts,
        takes_seed=spec.open_seeded is not None,
        seed_options=spec.seed_options,
    )


def make_smallest() -> Formula:
    """A formula with one model, for a first try; some counters crash if there is no variable."""
    formula = Formula()
    formula.variables("x", ("number",), [(1,)])
    formula.clause([1])
    return formula


def choose_way(task: str, backend: str, ability: Ability) -> str:
    """How a backend does a task: a word, or 'not at all: …' with the reason."""
    if backend == AUTO:
        return SEARCH
    if task == "count" and ability.counts:
        return NATIVE
    if not ability.opens:
        return "not at all: it counts solutions and finds none"
    if task == "refute" and not ability.capabilities.clauses:
        return "not at all: it takes no clauses that exclude the solutions"
    if task in ("first", "refute") or ability.capabilities.enumerates:
        return NATIVE
    if not ability.restarts:
        return SEARCH
    if task == "unique":
        return RESTARTED
    return "not at all: it would be started again for each model"


class Trial(NamedTuple):
    """One run of a backend on an instance."""

    backend: str  # with the seed, if there is one
    amo: str
    encoding: str
    task: str
    graph_rules: str = ""


@dataclass
class Progress:
    """What a run has shown so far. Times are in seconds; `begun` is the processor time that was
    used before the clock started or while it stood still. `prepares` says that it stands still.
    `excluded` is the number of solutions that `refute` excludes. `established_by` says how it is
    known that there are no others, if `all` or `count` is done, and `listed` that every solution
    was listed and checked."""

    prepares: bool = False
    begun: float = 0.0
    seconds: float = 0.0
    wall: float = 0.0
    encode: float = 0.0
    first: float | None = None
    solutions: int = 0
    excluded: int | None = None
    distinct: dict[str, int] = field(default_factory=dict)
    established_by: str = ""
    listed: bool = False
    graphs: str = ""
    statistics: dict[str, int] = field(default_factory=dict)


class _Clock:
    """The processor time of this process and those below it, and the time on the wall."""

    def __init__(self) -> None:
        self._processor = measure_own_seconds()
        self._wall = time.monotonic()

    @property
    def begun(self) -> float:
        """The processor time that does not count."""
        return self._processor

    @property
    def seconds(self) -> float:
        return measure_own_seconds() - self._processor

    @property
    def wall(self) -> float:
        return time.monotonic() - self._wall

    @contextmanager
    def pause(self) -> Iterator[None]:
        processor = measure_own_seconds()
        wall = time.monotonic()
        yield
        self._processor += measure_own_seconds() - processor
        self._wall += time.monotonic() - wall


def measure_own_seconds() -> float:
    """The processor time of this process, of those below it, and of those that have ended."""
    total = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        total += usage.ru_utime + usage.ru_stime
    return total + sum(map(processor_seconds, below(os.getpid())))


def answer(problem: Compared, trial: Trial) -> Iterator[Progress]:
    """Do the task, and report the progress: when the clock starts or stops, regularly, and at the
    end.

    Raises Stopped, InputError or CheckError if the task was not done.
    """
    _prepare_backend(trial)
    if isinstance(problem, Puzzle) and trial.encoding:
        problem = problem.model_copy(update={"encoding": trial.encoding})
    lowering = Lowering(trial.amo or "auto", graph_rules=trial.graph_rules or LAZY)
    clock = _Clock()
    progress = Progress(begun=clock.begun)
    yield replace(progress)

    subject = subject_of(problem)
    formula = subject.encode()
    progress.encode = clock.seconds
    with clock.pause():
        yield replace(progress, prepares=True)
        progress.statistics.update(_measure_sizes(formula, trial.backend, lowering))
        progress.graphs = _describe_graphs(formula, trial.backend, lowering)
        excluded = _find_solutions(formula) if trial.task == "refute" else []
        if trial.task == "refute":
            progress.excluded = len(excluded)
            _ask_control_question(subject, formula, trial, lowering, excluded)
    progress.begun = clock.begun
    yield replace(progress)

    if trial.task in ("all", "count"):
        run = _enumerate(subject, trial, lowering, clock, progress)
    else:
        run = _search(subject, formula, trial, lowering, excluded, clock, progress)
    yield from run


def _prepare_backend(trial: Trial) -> None:
    """Load the solver's library. Raises Stopped if it is not installed."""
    spec = find(DEFAULT if trial.backend == AUTO else trial.backend)
    if spec.open:
        try:
            open_backend(spec.name).close()
        except InputError as error:
            raise Stopped(f"absent: {error}") from error


def _measure_sizes(formula: Formula, backend: str, lowering: Lowering) -> dict[str, int]:
    """The size of what the solver gets; nothing if the backend chooses that itself."""
    if backend == AUTO or find(backend).open is None:
        return {}
    with closing(open_search(backend, formula, lowering)) as solver:
        native = solver.native
    lowered = Lowered(formula, lowering, native)
    literals = 0
    for batch in lowered.batches():
        if isinstance(batch, list):
            literals += sum(map(len, batch))
        else:
            literals += len(batch[0])
    return {"variables": lowered.top, "clauses": lowered.number, "literals": literals}


def _describe_graphs(formula: Formula, backend: str, lowering: Lowering) -> str:
    """How constraints on graphs reach the solver: as cuts after models, or as clauses before the
    search; '' if there are none, or if the backend chooses."""
    if not formula.list_graphs() or backend == AUTO or find(backend).open is None:
        return ""
    with closing(open_search(backend, formula, lowering)) as solver:
        return LAZY if GRAPHS in solver.native else EAGER


def _find_solutions(formula: Formula) -> list[Model]:
    """All models, by `auto`."""
    with closing(models(formula, AUTO)) as search:
        solutions = list(islice(search, MAX_EXCLUDED_SOLUTIONS + 1))
    if len(solutions) > MAX_EXCLUDED_SOLUTIONS:
        raise InputError(f"there are more than {MAX_EXCLUDED_SOLUTIONS:,} solutions to exclude")
    return solutions


def _ask_control_question(
    subject: Subject[Any],
    formula: Formula,
    trial: Trial,
    lowering: Lowering,
    excluded: Sequence[Model],
) -> None:
    """Have the solver find a solution, because one that says 'unsatisfiable' to everything would
    pass as the fastest refutation: a known solution is not excluded, and every second of its
    literals is given. If there is none, it has to find the model of a formula of one variable.

    Raises CheckError if it says that there is no solution.
    """
    if excluded:
        *others, allowed = excluded
        blocking = Blocking(formula)
        question = _exclude(formula, blocking, others)
        for literal in blocking.literals(allowed)[::2]:
            question.clause([-literal])
    else:
        others = []
        question = make_smallest()
    search = models(question, trial.backend, lowering=lowering, breaking=False)
    with closing(search):
        model = next(search, None)
        is_complete = search.complete
    if model is None and not is_complete:
        raise Stopped("the solver gave up on the control question")
    if model is None or model in others:
        raise CheckError("it gave no solution to the control question, which has one")
    if excluded:
        subject.check_orbit(formula, [sorted(model)], trial.backend)


def _exclude(formula: Formula, blocking: Blocking, excluded: Iterable[Model]) -> Formula:
    """The formula without these models."""
    extended = formula.extended()
    for model in excluded:
        extended.clause(blocking.literals(model))
    return extended


def _enumerate(
    subject: Subject[Any], trial: Trial, lowering: Lowering, clock: _Clock, progress: Progress
) -> Iterator[Progress]:
    """List or count all solutions, up to rotations and reflections."""
    enumeration: Enumeration[Any] = Enumeration(
        subject,
        want="solutions" if trial.task == "all" else "count",
        backend=trial.backend,
        up_to=Level.REFLECTION,
        lowering=lowering,
    )
    reported = 0.0
    for _ in enumeration:
        if progress.first is None and trial.task == "all":
            progress.first = clock.seconds
        if clock.wall > reported + UPDATE_INTERVAL_S:
            reported = clock.wall
            yield _note_result(progress, enumeration, clock)
    yield _note_result(progress, enumeration, clock)
    if not enumeration.result.complete:
        raise Stopped(str(enumeration.result.stopped_by))


def _note_result(progress: Progress, enumeration: Enumeration[Any], clock: _Clock) -> Progress:
    result = enumeration.result
    return replace(
        progress,
        seconds=clock.seconds,
        wall=clock.wall,
        solutions=result.solutions,
        distinct={str(level): number for level, number in result.distinct.items()},
        established_by=result.established_by or "",
        listed=_has_listed(result),
        statistics={**result.statistics, **progress.statistics},
    )


def _has_listed(result: Result) -> bool:
    """Whether a search, and no counter, says that there are no other solutions."""
    return result.established_by in LISTED_BY and find(result.backend).count is None


def _search(
    subject: Subject[Any],
    formula: Formula,
    trial: Trial,
    lowering: Lowering,
    excluded: list[Model],
    clock: _Clock,
    progress: Progress,
) -> Iterator[Progress]:
    """Find as many models as the task needs, other than the excluded ones."""
    extended = _exclude(formula, Blocking(formula), excluded)
    statistics: dict[str, int] = {}
    seen = set(excluded)
    limit = MODELS_FOR.get(trial.task, 1)
    search = models(
        extended, trial.backend, lowering=lowering, statistics=statistics, breaking=False
    )
    with closing(search):
        for model in islice(search, limit):
            subject.check_orbit(formula, [sorted(model)], trial.backend)
            if model in seen:
                raise CheckError("it finds a solution that was excluded")
            seen.add(model)
            progress.solutions += 1
            if progress.first is None:
                progress.first = clock.seconds
        done = search.complete or progress.solutions == limit
    seconds = clock.seconds
    # A task of one model ends with it. The answer of a program comes when it ends, and the system
    # tells its whole time only then.
    if progress.solutions and limit == 1:
        progress.first = seconds
    yield replace(
        progress,
        seconds=seconds,
        wall=clock.wall,
        statistics={**statistics, **progress.statistics},
    )
    if not done:
        raise Stopped("the solver gave up")
