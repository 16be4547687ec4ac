"""The functions and classes that `import jigsat` provides; `__all__` lists them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack, get_args, overload

from jigsat.answering.enumeration import Enumeration, first_solution
from jigsat.answering.many import find_first_solutions
from jigsat.answering.many import rate_each as _rate_each
from jigsat.backends import AUTO, specs
from jigsat.diagnosis.unsolvable import collect_reasons
from jigsat.errors import CheckError, Fault, InputError, Stopped
from jigsat.explanation.summary import Explanation
from jigsat.formula import ANY, Assignment, Choice, Formula, Lowered, Lowering, Variables
from jigsat.instance import (
    every_family,
    family,
    instance_text,
    instances,
    load,
    load_all,
    register,
)
from jigsat.objects import Measures
from jigsat.puzzle import Puzzle, Reason, Solution
from jigsat.questions import (
    Answer,
    Candidates,
    FindAlternatives,
    FindCandidates,
    FirstSolutions,
    LevelOrGrade,
    Means,
    Rate,
    Rating,
    RatingAnswer,
    Result,
    Status,
)
from jigsat.runtime.child import Child, within_limits
from jigsat.runtime.limits import Limits
from jigsat.services.answer import answer_question
from jigsat.services.check import Verdict
from jigsat.services.explain import explain as _explain
from jigsat.services.files import list_files, write_file
from jigsat.solving.best import Best, improve
from jigsat.solving.estimates import Estimate, estimate_search
from jigsat.solving.in_order import Exhausted, list_in_order
from jigsat.solving.options import SearchOptions, parse_level, show_options, validate
from jigsat.solving.uniform import Population, samples
from jigsat.study.hints import Hint, find_hint
from jigsat.study.steps import Step, find_steps
from jigsat.subject import (
    EncodedSubject,
    FormulaSubject,
    Instance,
    Subject,
    Symmetries,
    read_formula_file,
    subject_of,
)
from jigsat.symmetry import Group, Placement, Symmetry

if TYPE_CHECKING:
    from jigsat.comparison.log import Results
    from jigsat.comparison.matrix import Run
    from jigsat.diagnosis.cores import JudgedClues
    from jigsat.generation.sources import GenerationTask
    from jigsat.ledger.audit import Audit
    from jigsat.ledger.report import Report
    from jigsat.rating.grades import Grade

__all__ = [
    "ANY",
    "Answer",
    "Assignment",
    "Best",
    "Candidates",
    "CheckError",
    "Choice",
    "Enumeration",
    "Estimate",
    "Explanation",
    "Fault",
    "Formula",
    "Group",
    "Hint",
    "InputError",
    "Lowered",
    "Lowering",
    "Measures",
    "Puzzle",
    "Rating",
    "RatingAnswer",
    "Reason",
    "Result",
    "Solution",
    "Step",
    "Stopped",
    "Symmetry",
    "Variables",
    "Verdict",
    "__version__",
    "alternatives",
    "audit",
    "best",
    "candidates",
    "check",
    "compare",
    "count",
    "decode",
    "draw_candidates",
    "estimate",
    "explain",
    "export",
    "faults",
    "generate",
    "grade",
    "handout",
    "hint",
    "import_file",
    "judge_clues",
    "ledger_report",
    "list_backends",
    "list_instances",
    "load",
    "load_all",
    "main",
    "minimum",
    "models",
    "prove",
    "rate",
    "rate_each",
    "read_placements",
    "read_runs",
    "reasons",
    "register",
    "sample",
    "save",
    "save_pictures",
    "schema",
    "serve",
    "sheet",
    "solutions",
    "solutions_in_order",
    "start_family",
    "steps",
    "unique",
    "unique_each",
    "walkthrough",
]

__version__ = version("jigsat")

DeclaredLevel: TypeAlias = Literal["nothing", "rotation", "reflection", "all"]
"""The symmetries up to which solutions are counted; each level includes the ones before it."""

# a level, or all automorphisms of the formula, which igraph finds
UpTo: TypeAlias = DeclaredLevel | Literal["automorphism"]


@show_options
def solutions(
    puzzle: Instance, *, up_to: UpTo = "rotation", **options: Unpack[SearchOptions]
) -> Enumeration[Solution]:
    """An iterator over the distinct solutions of a puzzle, each checked. `Enumeration` explains the
    options.

    >>> cubes = solutions("cube", up_to="reflection")
    >>> len(list(cubes)), cubes.result.solutions, cubes.result.complete
    (2, 96, True)
    """
    return Enumeration(load(puzzle), up_to=up_to, **options)


@show_options
def models(
    problem: Formula | Instance,
    *,
    up_to: UpTo = "all",
    group: Symmetries = (),
    **options: Unpack[SearchOptions],
) -> Enumeration[Assignment]:
    """An iterator over the distinct models of a formula or of a puzzle's formula. `Enumeration`
    explains the options.

    `group` is a list of permutations of decision variables (`{variable: image, …}`) that generate
    the formula's symmetries, or a `Group`. Models that a symmetry maps to each other count as one,
    unless `up_to` is a lower level.

    >>> formula = Formula()
    >>> x = formula.variables("x", {"i": range(4)})
    >>> formula.exactly(2, x[:])
    >>> turn = {x(0): x(1), x(1): x(2), x(2): x(3), x(3): x(0)}
    >>> found = models(formula, group=[turn])
    >>> len(list(found)), found.result.solutions
    (2, 6)
    """
    subject: Formula | Subject[Assignment]
    if isinstance(problem, Formula):
        subject = problem
    else:
        subject = _formula_in(problem, group) or EncodedSubject(load(problem))
    return Enumeration(subject, up_to=up_to, group=group, **options)


def _formula_in(problem: Instance, group: Symmetries = ()) -> FormulaSubject | None:
    """The formula, if the problem is the name of a file with one."""
    return read_formula_file(problem, group) if isinstance(problem, str | Path) else None


@show_options
def count(
    problem: Instance | Formula,
    *,
    up_to: UpTo = "rotation",
    group: Symmetries = (),
    **options: Unpack[SearchOptions],
) -> Result:
    """The number of solutions of a puzzle or models of a formula, in total and up to each level of
    its symmetries.

    The result has the counts at every level, whatever `up_to` is; only "automorphism" adds one
    more, the count up to the automorphisms of the formula. `Enumeration` and `models` explain the
    other options. Check `complete`: after a time-out, only the solutions found so far are counted.

    >>> cubes = count("cube")
    >>> cubes.solutions, cubes.distinct, cubes.complete
    (96, {'rotation': 4, 'reflection': 2}, True)
    """
    enumeration: Enumeration[Any] = Enumeration(
        problem, want="count", up_to=up_to, group=group, **options
    )
    return enumeration.run()


@overload
def solutions_in_order(
    problem: Instance,
    *,
    skip: int = 0,
    timeout: float | None = None,
    memory: int | None = None,
) -> Iterator[Solution]: ...
@overload
def solutions_in_order(
    problem: Formula,
    *,
    skip: int = 0,
    timeout: float | None = None,
    memory: int | None = None,
) -> Iterator[Assignment]: ...
def solutions_in_order(
    problem: Instance | Formula,
    *,
    skip: int = 0,
    timeout: float | None = None,
    memory: int | None = None,
) -> Iterator[Solution] | Iterator[Assignment]:
    """All solutions of a puzzle or models of a formula in sorted order, each checked; the first
    `skip` are left out.

    A solution is read as its placements in the order in which the formula declares its variables:
    for a sudoku row by row, and in each cell by ascending values. Turned and mirrored solutions are
    different solutions. Where solutions can be counted without a list, many are skipped quickly.
    Iterating raises Stopped after `timeout` seconds or above `memory` bytes.

    >>> first = next(solutions_in_order("sudoku-empty", skip=9_999))
    >>> "".join(digit.value for digit in first.placements[:36])
    '123456789456789123789123456214365897'
    """
    validate(timeout=timeout, memory=memory, skip=skip)
    subject = subject_of(problem)
    job = partial(list_in_order, subject, skip)
    unlimited = timeout is None and memory is None
    listed = job() if unlimited else Child(job, timeout=timeout, memory=memory)
    return (subject.solution(stated, "") for stated in listed if not isinstance(stated, Exhausted))


@overload
def sample(
    problem: Instance,
    number: int = 1,
    *,
    seed: int = 0,
    timeout: float | None = None,
    memory: int | None = None,
) -> Iterator[Solution]: ...
@overload
def sample(
    problem: Formula,
    number: int = 1,
    *,
    seed: int = 0,
    timeout: float | None = None,
    memory: int | None = None,
) -> Iterator[Assignment]: ...
def sample(
    problem: Instance | Formula,
    number: int = 1,
    *,
    seed: int = 0,
    timeout: float | None = None,
    memory: int | None = None,
) -> Iterator[Solution] | Iterator[Assignment]:
    """Random solutions of a puzzle or models of a formula, each checked. All solutions are equally
    likely in each draw.

    The draws are independent, so solutions can repeat. Turned and mirrored solutions are different
    solutions. The same seed gives the same solutions. Nothing is drawn if there is no solution.
    Iterating raises Stopped after `timeout` seconds, above `memory` bytes, or if there are more
    than 1,000,000 solutions and they cannot be counted without a list.

    >>> len({solution.placements for solution in sample("dominoes-6x8", 10, seed=1)})
    10
    """
    validate(timeout=timeout, memory=memory, number=number, seed=seed)
    subject = subject_of(problem)
    made = partial(samples, subject, number, seed)
    unlimited = timeout is None and memory is None
    draws = made() if unlimited else Child(made, timeout=timeout, memory=memory)
    return (subject.solution(stated, "") for stated in draws if not isinstance(stated, Population))


def estimate(
    problem: Instance | Formula,
    *,
    seconds: float = 1.0,
    probes: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    timeout: float | None = None,
) -> Estimate:
    """Estimate the number of solutions and the size of the search from random paths in the search
    tree; never a count.

    The paths are probed for the given time in `seconds`. With the number of `probes` instead, the
    same seed gives the same estimate. Solutions that symmetries map to each other are different
    solutions. With a number of `workers`, each with a core of its own, `run` predicts how long they
    take to count the solutions. Raises InputError if the formula is not an exact cover, and Stopped
    after `timeout` seconds.

    >>> soma = estimate("soma", probes=10_000)
    >>> soma.solutions.low < 11520 < soma.solutions.high
    True
    """
    validate(timeout=timeout, probes=probes, seconds=seconds, seed=seed, workers=workers)
    return within_limits(
        estimate_search, subject_of(problem), seconds, probes, seed, workers, timeout=timeout
    )


@show_options
def minimum(
    problem: Instance | Formula,
    *,
    up_to: UpTo = "rotation",
    group: Symmetries = (),
    **options: Unpack[SearchOptions],
) -> Result:
    """The minimum of the objective, such as the number of presses, and how many solutions attain
    it; options as for `count`.

    >>> fewest = minimum("lights-5x5")
    >>> fewest.minimum, fewest.solutions, fewest.distinct
    (15, 4, {'rotation': 1, 'reflection': 1})
    """
    options["minimize"] = True
    return count(problem, up_to=up_to, group=group, **options)


def unique(
    puzzle: Instance,
    *,
    backend: str = AUTO,
    up_to: DeclaredLevel = "rotation",
    timeout: float | None = None,
) -> Answer:
    """Whether a puzzle has exactly one solution; if not, two different ones. Raises Stopped after
    `timeout` seconds.

    >>> unique("sudoku-hard").unique, len(unique("cube").solutions)
    (True, 2)
    """
    level = parse_level("up_to", up_to, declared=True)
    validate(backend=backend, timeout=timeout)
    question = FirstSolutions(level, explain=False)
    answer = answer_question(question, load(puzzle), Means(backend, timeout=timeout))
    if answer.stopped_by is not None:
        raise Stopped(answer.stopped_by)
    return answer


def unique_each(
    puzzles: Iterable[Instance],
    *,
    backend: str = AUTO,
    up_to: DeclaredLevel = "rotation",
    limit: int = 2,
    timeout: float | None = None,
    jobs: int = 1,
    store: str | Path | None = None,
    cluster: str | None = None,
) -> Iterator[Answer]:
    """Whether each of some puzzles has exactly one solution; if not, the first ones up to the
    `limit`, or the reasons why there is none.

    The puzzles are shared among `jobs` processes or the workers of a `cluster`; `store` is a
    ledger, from which a stopped run goes on. If the run is stopped, the answers that are not known
    say so; after the last one, Stopped or KeyboardInterrupt is raised.

    >>> [answer.verdict for answer in unique_each(["sudoku-hard", "cube", "lights-unsolvable"])]
    ['unique', 'several', 'none']
    """
    level = parse_level("up_to", up_to, declared=True)
    validate(backend=backend, limit=limit, timeout=timeout, jobs=jobs)
    means = _means(backend, jobs, cluster, store, timeout)
    question = FirstSolutions(level, limit)
    return find_first_solutions(question, list(map(load, puzzles)), means)


def rate_each(
    puzzles: Iterable[Instance],
    *,
    timeout: float | None = None,
    jobs: int = 1,
    store: str | Path | None = None,
    cluster: str | None = None,
) -> Iterator[RatingAnswer]:
    """The difficulty of each of some puzzles; options and stops as for `unique_each`.

    >>> [answer.rating.level for answer in rate_each(["sudoku-6x6", "sudoku-hard"])]
    ['medium', 'medium']
    """
    validate(timeout=timeout, jobs=jobs)
    means = _means(AUTO, jobs, cluster, store, timeout)
    return _rate_each(list(map(load, puzzles)), means)


def _means(
    backend: str,
    jobs: int,
    cluster: str | None,
    store: str | Path | None,
    timeout: float | None,
) -> Means:
    path = None if store is None else Path(store)
    return Means(backend, jobs, cluster, path, timeout)


def candidates(
    puzzle: Instance,
    given: Collection[Placement] = (),
    *,
    count: bool = False,
    timeout: float | None = None,
) -> Candidates:
    """Which placements are in all solutions, in some, or in none, if the `given` placements are
    part of the solution.

    `count` requests the number of solutions with each placement. After `timeout` seconds, the rest
    is 'unknown'. If no solution has the given placements, all are in none, and `conflict` has a
    smallest set of them that no solution has together.

    >>> found = candidates("sudoku-hard")
    >>> sorted(set(found.statuses.values())), found.complete
    (['all', 'none'], True)
    """
    validate(timeout=timeout)
    question = FindCandidates(tuple(given), count)
    answer = answer_question(question, load(puzzle), Means(timeout=timeout), isolated=True)
    return answer.candidates


def alternatives(
    puzzle: Instance,
    place: str,
    given: Collection[Placement] = (),
    *,
    timeout: float | None = None,
) -> dict[str, Status]:
    """What can be at a place with the `given` placements, the best first, such as the words of the
    slot '1 across' that leave a crossword fillable.

    After `timeout` seconds, the rest is 'unknown'. Raises InputError if there is no such place.
    """
    validate(timeout=timeout)
    question = FindAlternatives(place, tuple(given))
    answer = answer_question(question, load(puzzle), Means(timeout=timeout), isolated=True)
    return answer.statuses


def draw_candidates(
    puzzle: Instance, candidates: Candidates, placed: Collection[Placement] = ()
) -> str:
    """An SVG document of the puzzle with what can be placed where, and with what is `placed`."""
    from jigsat.study.marks import draw_candidates as draw
    from jigsat.study.playing import Playing

    loaded = load(puzzle)
    return draw(Playing(loaded), candidates, [*loaded.given_placements(), *placed])


def read_placements(puzzle: Instance, source: str | Path) -> list[Placement]:
    """The placements in a file, to be `given`: a list of objects, the only solution in the output
    of `jigsat solve --json`, or the clues of another puzzle.

    Raises InputError for a file that cannot be read, and for placements that do not fit.
    """
    from jigsat.services.given import read_placements as read

    return read(load(puzzle), str(source))


def steps(
    puzzle: Instance, given: Collection[Placement] = (), *, timeout: float | None = None
) -> Iterator[Step]:
    """How the puzzle is solved by logic from the `given` placements, a few rules at a time.

    If there are several solutions, the steps go as far as something is decided. Raises InputError
    if there is no solution, and Stopped after the steps that were found in `timeout` seconds, if
    they are not complete.

    >>> [*_, last] = steps("push-pull")
    >>> last.text(load("push-pull")).lines()[-1]
    'So press r2c3.'
    """
    validate(timeout=timeout)
    return Child(partial(find_steps, load(puzzle), given), timeout=timeout)


def walkthrough(
    puzzle: Instance,
    path: str | Path,
    given: Collection[Placement] = (),
    *,
    timeout: float | None = None,
) -> None:
    """Write an HTML page to click through the steps from the `given` placements.

    Raises InputError if there is no solution, or for a file that cannot be written. Raises Stopped
    after `timeout` seconds; the page has the steps that were found by then.
    """
    from jigsat.services.files import check_output
    from jigsat.services.steps import Explained, Undecided, describe_end, explain_steps
    from jigsat.study.pages import write_walkthrough

    validate(timeout=timeout)
    check_output(Path(path), (".html", ".htm"), str(path))
    loaded = load(puzzle)
    explained = Explained()
    child = Child(partial(explain_steps, loaded, list(given)), timeout=timeout)
    for event in child.until_stopped():
        if isinstance(event, Step):
            explained.steps.append(event)
        elif isinstance(event, Undecided):
            explained.undecided = event.number
    explained.stopped = child.stopped
    end = describe_end(explained)
    write_file(Path(path), write_walkthrough(loaded, explained.steps, end))
    if explained.stopped is not None:
        raise explained.stopped


def hint(
    puzzle: Instance, given: Collection[Placement] = (), *, timeout: float | None = None
) -> Hint:
    """A hint for the next step after the `given` placements, or what is wrong with them.

    `lines(1)` tells where to look, `lines(2)` also which rules to use there, and `lines(3)` what
    follows. Raises Stopped after `timeout` seconds.

    >>> hint("sudoku-6x6").lines(1)
    ['Look at row 1.']
    """
    validate(timeout=timeout)
    return within_limits(find_hint, load(puzzle), given, timeout=timeout)


def rate(puzzle: Instance, *, timeout: float | None = None) -> Rating:
    """The difficulty: easy (propagation), medium (failed literals) or hard (search). Raises Stopped
    after `timeout` seconds.

    >>> print(rate("sudoku-6x6"))
    medium, effort 2,831: 1 round of failed literals solves it
    """
    validate(timeout=timeout)
    answer = answer_question(Rate(), load(puzzle), Means(timeout=timeout))
    if answer.rating is None:
        raise Stopped(str(answer.stopped_by))
    return answer.rating


def grade(puzzle: Instance, *, timeout: float | None = None) -> Grade | None:
    """The grade of a sudoku or Latin square, by the hardest technique that a person needs; None for
    other families, and unless there is exactly one solution. Raises Stopped after `timeout`
    seconds.

    >>> print(grade("sudoku-6x6"))
    grade 3 of 6: claiming
    """
    from jigsat.rating.grades import find_grade

    validate(timeout=timeout)
    return within_limits(find_grade, load(puzzle), timeout=timeout)


def reasons(puzzle: Instance, *, timeout: float | None = None) -> list[Reason]:
    """Simple reasons why a puzzle has no solution: found by counting, clues that conflict, or
    pieces that clash.

    Each is a proof on its own. The list is empty if the puzzle has a solution, and also if there is
    no simple reason. Raises Stopped after `timeout` seconds.

    >>> [reason] = reasons("lights-unsolvable")
    >>> print(reason.words)
    every press switches an even number of the 12 marked cells, but an odd number of them is lit: 1
    """
    validate(timeout=timeout)
    return within_limits(_list_reasons, load(puzzle), timeout=timeout)


def _list_reasons(puzzle: Puzzle) -> list[Reason]:
    has_reasons = any(True for _ in puzzle.reasons())
    if not has_reasons and first_solution(puzzle) is not None:
        return []
    *_, why = collect_reasons(puzzle)
    return [reason.reason for reason in why.found]


def explain(
    problem: Instance | Formula,
    *,
    lowering: Lowering | None = None,
    group: Symmetries = (),
    timeout: float | None = None,
) -> Explanation:
    """The encoding of a puzzle or formula: variables, constraint groups, symmetries, and the
    backends that `auto` uses. Raises Stopped after `timeout` seconds.

    >>> explain("cube").symmetries
    {'rotation': 24, 'reflection': 48}
    """
    validate(timeout=timeout)
    return within_limits(_explain, problem, lowering, group, timeout=timeout)


def handout(
    puzzle: Instance,
    path: str | Path,
    *,
    lowering: Lowering | None = None,
    timeout: float | None = None,
) -> None:
    """Write a page that explains the encoding, as .pdf, .html, .svg or .png, with the solution if
    it is found in time. Raises InputError for a file that cannot be written."""
    from jigsat.services.files import check_output
    from jigsat.services.handout import HANDOUTS, write_handout

    validate(lowering=lowering, timeout=timeout)
    check_output(Path(path), HANDOUTS, str(path))
    loaded = load(puzzle)
    limits = Limits(timeout)
    interrupted = write_handout(loaded, Path(path), lowering or Lowering(), limits)
    if interrupted is not None:
        raise interrupted


def judge_clues(puzzle: Instance, *, timeout: float | None = None) -> JudgedClues:
    """Which clues of a puzzle are redundant, which are enough, or which conflict. Raises Stopped
    after `timeout` seconds.

    >>> judge_clues("sudoku-hard").redundant
    ['grid r2c1', 'grid r2c9', 'grid r7c3', 'grid r8c4']
    """
    from jigsat.diagnosis.cores import MAX_SEARCH_S
    from jigsat.services.explain import explain_clues

    validate(timeout=timeout)
    seconds = MAX_SEARCH_S if timeout is None else min(MAX_SEARCH_S, timeout / 2)
    return within_limits(explain_clues, load(puzzle), seconds, timeout=timeout)


def generate(
    source: Instance,
    *,
    number: int = 1,
    seed: int = 0,
    difficulty: LevelOrGrade | None = None,
    jobs: int = 1,
    output: str | Path | None = None,
    force: bool = False,
    timeout: float | None = None,
    every: bool = False,
    **options: Any,
) -> Iterator[Puzzle]:
    """Generate puzzles with the requested number of solutions, from a family, or from an instance
    by choosing new clues; each is verified.

    `options` are those of the family, such as `clues`; `docs/generating.md` lists them. The same
    seed gives the same puzzles, in as many processes as there are `jobs`. With an `output`, a .toml
    file or a folder for several, each puzzle is also written when it is found, and a run that was
    stopped goes on; `force` overwrites other files. Raises ValueError, TypeError or InputError for
    an invalid option.

    With `complete=True`, an instance keeps its clues, and a minimal set of further ones is added;
    with `every` as well, all minimal sets are, those with the fewest clues first.

    Iterating raises Stopped after `timeout` seconds, or if no puzzle is found; with an `output`,
    the best candidates are written then.

    >>> [sudoku] = generate("sudoku-4x4-empty", seed=1)
    >>> unique(sudoku).unique
    True
    """
    from jigsat.generation.sources import GenerationTask, options_for

    validate(timeout=timeout, number=number, seed=seed, jobs=jobs)
    if difficulty not in (None, *get_args(LevelOrGrade)):
        raise ValueError(
            f"`difficulty` must be one of {', '.join(get_args(LevelOrGrade))}; got {difficulty!r}"
        )
    options_for(source, options)  # complains before the first puzzle is asked for
    task = GenerationTask(source, options, seed, difficulty)
    if every:
        if not options.get("complete"):
            raise ValueError("`every` lists all completions of an instance; add complete=True")
        return _complete_in_every_way(
            task, None if output is None else Path(output), force, timeout
        )
    if jobs == 1 and output is None:
        return _generate_here(task, number, timeout)
    return _generate_shared(
        task, number, jobs, None if output is None else Path(output), force, timeout
    )


def _complete_in_every_way(
    task: GenerationTask, output: Path | None, force: bool, timeout: float | None
) -> Iterator[Puzzle]:
    """All completions of an instance; with an output, each is also written."""
    from jigsat.services import generate as service

    command = service.describe_command(task.source, (), ["--complete --all"], task.seed)
    request = service.GenerateRequest(
        task, timeout=timeout, output=output, command=command, force=force
    )
    for event in service.complete_in_every_way(request):
        if isinstance(event, service.PuzzleMade):
            yield event.puzzle


def _generate_here(task: GenerationTask, number: int, timeout: float | None) -> Iterator[Puzzle]:
    """The puzzles as requested, made by this process unless there is a limit."""
    from jigsat.generation.sources import generate_from

    made = partial(generate_from, task, number)
    for generated in made() if timeout is None else Child(made, timeout=timeout):
        if not generated.shortcoming:
            yield generated.puzzle


def _generate_shared(
    task: GenerationTask,
    number: int,
    jobs: int,
    output: Path | None,
    force: bool,
    timeout: float | None,
) -> Iterator[Puzzle]:
    """The puzzles as requested, made by other processes; those that are in files already are not
    made again."""
    from jigsat.services import generate as service

    command = ""
    if output is not None:
        settings = service.describe_settings(task.options)
        arguments = [] if task.difficulty is None else [f"--difficulty {task.difficulty}"]
        command = service.describe_command(task.source, settings, arguments, task.seed)
    request = service.GenerateRequest(task, number, jobs, timeout, output, command, force)
    for event in service.generate([request]):
        if isinstance(event, service.PuzzleMade):
            yield event.puzzle


def export(
    problem: Instance | Formula,
    path: str | Path,
    *,
    format: str | None = None,
    lowering: Lowering | None = None,
    breaking: DeclaredLevel = "nothing",
    known: str | Path | None = None,
    group: Symmetries = (),
    measures: Measures | None = None,
    timeout: float | None = None,
) -> None:
    """Write the formula for other programs; the suffix is the format: .cnf, .xnf, .wcnf, .opb,
    .smt2 or .sql, also with .gz or .xz. With a `format` of the family, such as 'sdk', or its
    suffix, the puzzles are written instead. The formats 'stl' and 'svg-laser' are the pieces of a
    puzzle, with these `measures`; if they need several sheets of material, the files are numbered.

    `breaking` adds a clause that keeps at least one solution of each orbit of this level. `known`
    is the output of `jigsat solve --json`, whose solutions are excluded. Raises InputError for an
    unknown suffix, a file that cannot be written, and a group whose permutations are not evidently
    symmetries of the formula; Stopped after `timeout` seconds, and if the disk is full.
    """
    from jigsat.services.export import (
        OBJECTS,
        ExportRequest,
        choose_format,
        export_formula,
        write_objects,
        write_puzzles,
    )

    level = parse_level("breaking", breaking, declared=True)
    validate(lowering=lowering, timeout=timeout)
    path = Path(path)
    if isinstance(problem, Formula):
        if format is not None:
            raise TypeError("`format` is for puzzles, not for a Formula")
    else:
        list_puzzles = cache(partial(_list_puzzles, problem))
        if format is None:
            format = choose_format(path, list_puzzles)
        if format is not None and format in OBJECTS:
            puzzle = problem if isinstance(problem, Puzzle) else load(problem)
            write_objects(puzzle, format, measures or Measures(), path)
            return
        if format is not None:
            write_puzzles(list_puzzles(), format, path)
            return

    block = None if known is None else Path(known)
    request = ExportRequest(subject_of(problem, group), path, lowering, level, block)
    job = partial(export_formula, request)
    items = job() if timeout is None else Child(job, timeout=timeout)
    write_file(path, (item for item in items if isinstance(item, str)))


def _list_puzzles(problem: Instance) -> Sequence[Puzzle]:
    return [problem] if isinstance(problem, Puzzle) else load_all(problem)


@overload
def decode(
    problem: Instance,
    answer: str | Path,
    *,
    formula: str | Path | None = None,
    timeout: float | None = None,
) -> list[Solution]: ...
@overload
def decode(
    problem: Formula,
    answer: str | Path,
    *,
    formula: str | Path | None = None,
    timeout: float | None = None,
) -> list[Assignment]: ...
def decode(
    problem: Instance | Formula,
    answer: str | Path,
    *,
    formula: str | Path | None = None,
    timeout: float | None = None,
) -> list[Solution] | list[Assignment]:
    """The solutions in a solver's output for an exported file, each checked; empty if the solver
    found none.

    `answer` is the text of the output, or a `Path` to a file. `formula` is the exported file, which
    must belong to the problem. Raises InputError for an answer that cannot be read or has an
    assignment that is not a solution, and Stopped after `timeout` seconds, or if the solver gave
    up.
    """
    from jigsat.services.decode import DecodeRequest, read_answer
    from jigsat.services.decode import decode as decode_answer

    validate(timeout=timeout)
    if not isinstance(answer, str | Path):
        raise TypeError(f"`answer` must be the text of an answer, or a Path; got {answer!r}")
    text = answer if isinstance(answer, str) else read_answer(answer)
    exported = None if formula is None else Path(formula)
    request = DecodeRequest(subject_of(problem), text, exported)
    decoded = within_limits(decode_answer, request, timeout=timeout)
    if decoded.answer.status == "unknown":
        raise Stopped("the solver gave up")
    return decoded.solutions


def save(puzzle: Instance, path: str | Path, *, force: bool = False) -> None:
    """Write a puzzle as an instance, a .toml file. Raises InputError for a file that cannot be
    written, or exists already unless `force` is given; Stopped if the disk is full."""
    if Path(path).suffix != ".toml":
        raise InputError(f"{path}: an instance is a TOML file; name a file that ends in .toml")
    write_file(Path(path), [instance_text(load(puzzle))], new=not force)


def save_pictures(
    pictures: Iterable[str | Solution], path: str | Path, *, columns: int | None = None
) -> None:
    """Write solutions and SVG documents on one sheet, as .svg, .png or .pdf.

    Raises InputError for a file that cannot be written, and Stopped if the disk is full.
    """
    from jigsat.pictures.pages import gallery
    from jigsat.services.files import PICTURES, check_output
    from jigsat.services.pictures import write_pages

    check_output(Path(path), PICTURES, str(path))
    documents = [
        picture.svg() if isinstance(picture, Solution) else picture for picture in pictures
    ]
    write_pages(Path(path), [gallery(documents, columns=columns)], Limits())


def import_file(
    source: str | Path,
    output: str | Path,
    *,
    family: str = "",
    distinct: bool = False,
    force: bool = False,
    timeout: float | None = None,
) -> list[Puzzle]:
    """Write the puzzles of another program's file, or of a link, as an instance, a .toml file;
    returns them.

    The format is recognised by the content; with a `family`, the file has grids that are drawn in
    text. With `distinct`, puzzles that equal earlier ones up to symmetry are left out. Raises
    InputError for a file that cannot be read, and for an output that cannot be written, or exists
    already unless `force` is given; Stopped after `timeout` seconds.
    """
    from jigsat.services.exchange import ImportRequest
    from jigsat.services.exchange import import_file as write_import

    if Path(output).suffix != ".toml":
        raise InputError(f"{output}: an instance is a TOML file; name a file that ends in .toml")
    validate(timeout=timeout)
    request = ImportRequest(source, Path(output), distinct, force, family)
    return within_limits(write_import, request, timeout=timeout)


def faults(
    source: str | Path,
    *,
    changes: Mapping[str, Any] | None = None,
    timeout: float | None = None,
) -> dict[str, list[Fault]]:
    """What is wrong or doubtful in a file of puzzles, or in each file of a folder, by the name of
    the file.

    The changes are entries of every puzzle, such as `{"words": "./words.txt"}`. Raises InputError
    for an empty folder, and Stopped after `timeout` seconds.
    """
    from jigsat.services.faults import list_faults

    validate(timeout=timeout)
    files = list_files([str(source)])
    return within_limits(list_faults, files, changes or {}, timeout=timeout)


def sheet(
    puzzles: Iterable[Instance],
    path: str | Path,
    *,
    title: str = "",
    author: str = "",
    paper: str = "a4",
    bleed: float = 0.0,
    backs: str = "numbers",
    per_page: int | None = None,
    in_order: bool = False,
    solutions: bool = True,
    steps: bool = False,
    chapters: Mapping[str, str] | None = None,
    timeout: float | None = None,
) -> list[str]:
    """Write pages to print: rules, boards and pieces, true to scale, and the solutions at the end.

    The suffix is the format: .pdf, .html, or .svg for a single page. With a `title`, it is a book
    with contents and levels, and `chapters` has the titles of chapters by families; `in_order` puts
    the easiest first, and `steps` adds how each puzzle is solved. `bleed` is in millimetres beyond
    the edges of the paper; `backs` says what is behind pieces that are cut out: 'numbers', 'empty'
    pages or 'none'. Returns a sentence for each printed solution that may not be the only one.
    Raises InputError for a wrong option, and Stopped after `timeout` seconds. A quarter of them, at
    most 60, is left for the pages, so that a file with the solutions that were found is written.
    """
    from jigsat.pictures.pages import PAPERS
    from jigsat.printing.parts import Style
    from jigsat.services.pictures import write_document
    from jigsat.services.sheet import (
        Doubted,
        LaidOut,
        SheetRequest,
        check_book,
        check_style,
        check_titles,
        lay_out,
        require_room,
    )

    validate(timeout=timeout, per_page=per_page)
    limits = Limits(timeout)
    path = Path(path)
    if paper not in PAPERS:
        raise ValueError(f"`paper` must be one of {', '.join(PAPERS)}; got {paper!r}")
    style = Style(paper, bleed, backs, per_page=per_page)
    check_style(style)
    check_titles({"title": title, "author": author})
    check_book(path)
    request = SheetRequest(
        list(map(load, puzzles)),
        title,
        author,
        style,
        in_order,
        solutions,
        steps,
        limits.timeout,
        titles=dict(chapters or {}),
    )
    require_room(request, path)

    doubts = []
    for event in lay_out(request):
        match event:
            case Doubted(puzzle, words):
                doubts.append(f"{puzzle.name}: {words}")
            case LaidOut():
                laid_out = event
    write_document(path, laid_out.document, limits)
    if laid_out.stopped is not None:
        raise laid_out.stopped
    return doubts


def prove(
    instance: str | Path,
    directory: str | Path,
    *,
    backend: str | None = None,
    count: bool = False,
    store: str | Path | None = None,
    lrat: bool = False,
    limit: int | None = None,
    timeout: float | None = None,
) -> list[str]:
    """Write all solutions of an instance, or their number, and a proof that there are no others, to
    a new directory. Returns what was proved, one line for each step.

    With `count`, only the number is proved, by graphs; with `store`, a complete ledger, its counts.
    `backend` is a solver that writes proofs; with `lrat`, its proof is also written for verified
    checkers. Raises InputError for a directory that is not empty and for a count that has no
    certificate, and Stopped after `timeout` seconds, or if there are more solutions than the
    `limit`. Then nothing is left behind, unless only the LRAT proof is missing.
    """
    from jigsat.proofs.certificate import prove as write_certificate
    from jigsat.proofs.offers import DEFAULT_MAX_SOLUTIONS
    from jigsat.proofs.report import describe_step

    validate(timeout=timeout, limit=limit)
    steps = write_certificate(
        instance,
        Path(directory),
        backend=backend,
        count=count,
        store=None if store is None else Path(store),
        with_lrat=lrat,
        limit=DEFAULT_MAX_SOLUTIONS if limit is None else limit,
        timeout=timeout,
    )
    return [describe_step(step) for step in steps]


def check(directory: str | Path, *, timeout: float | None = None) -> Verdict:
    """Check the solutions and the proof in a directory without trusting it: whether they are right,
    and if not, why.

    Raises InputError for a directory that cannot be read, and Stopped after `timeout` seconds.
    """
    from jigsat.services.check import check as check_certificate

    validate(timeout=timeout)
    *_, verdict = check_certificate(Path(directory), timeout)
    assert isinstance(verdict, Verdict)
    return verdict


def ledger_report(store: str | Path, *, timeout: float | None = None) -> Report:
    """The state of a search with a `store`: its progress, and an estimate of the time left."""
    from jigsat.services.ledger import report_on_ledger

    validate(timeout=timeout)
    return report_on_ledger(Path(store), timeout)


def audit(
    store: str | Path,
    *,
    sample: int | None = 100,
    seed: int = 0,
    backend: str = AUTO,
    timeout: float | None = None,
) -> Audit:
    """Verify that the parts of a search with a `store` are complete, and count a random `sample` of
    them again (None: all). `faults` of the result says what is wrong.

    The seed chooses the sample, which `backend` counts. Raises InputError for a file that is no
    ledger, is damaged or has no parts, and Stopped after `timeout` seconds.
    """
    from jigsat.services.ledger import AuditRequest
    from jigsat.services.ledger import audit as audit_ledger

    validate(backend=backend, timeout=timeout, seed=seed)
    return audit_ledger(AuditRequest(Path(store), sample, seed, backend, timeout))


def best(
    puzzle: Instance,
    *,
    seed: int = 0,
    timeout: float | None = None,
    memory: int | None = None,
) -> Iterator[Best]:
    """Better and better boards, on which as many edges as possible match, for puzzles without a
    solution in reach. Iterating raises Stopped after `timeout` seconds."""
    validate(seed=seed, timeout=timeout, memory=memory)
    return Child(partial(improve, load(puzzle), seed), timeout=timeout, memory=memory)


def list_instances() -> list[str]:
    """The names of the instances that come with jigsat.

    >>> "cube" in list_instances()
    True
    """
    return [path.stem for path in instances()]


def list_backends() -> dict[str, dict[str, bool] | None]:
    """What each backend can do, as confirmed by brief tests; None if it is not installed."""
    from jigsat.confirmation import confirm, describe_abilities

    return {spec.name: describe_abilities(spec, confirm(spec)[0]) for spec in specs()}


def schema(*families: str) -> dict[str, Any]:
    """The JSON Schema of instance files, of some families or of all."""
    from jigsat.instance.json_schema import schema as describe

    chosen = [family(name) for name in families] if families else every_family()
    return describe(*chosen)


def main() -> None:
    """The command line of jigsat, for scripts that register their own families."""
    from jigsat.cli import main

    main()


def compare(
    *problems: Instance,
    backends: Sequence[str] = ("cadical195", "cover"),
    at_most_one: Sequence[str] = (),
    encodings: Sequence[str] = (),
    graph_rules: Sequence[str] = (),
    task: str | None = None,
    timeout: float = 60,
    memory: int = 4 * 2**30,
    jobs: int = 1,
    repeat: int = 1,
    seeds: Sequence[int] = (),
    warmup: int = 0,
    shuffle: int = 1,
    store: str | Path | None = None,
    table: str | Path | None = None,
    plots: str | Path | None = None,
) -> list[Run]:
    """Run every backend with every encoding on every puzzle or formula, each in its own process
    with limits.

    `graph_rules` are "lazy", "eager" or both, for puzzles with rules about graphs. `task` is
    "first", "unique", "all", "count" or "refute"; by default, "all" for puzzles and "first" for
    formulas, and both together need a task. Each runs `repeat` times with each of the `seeds`, if
    the solver takes one, after `warmup` runs that do not count, in a random order with the seed
    `shuffle`. `timeout` is in seconds of the processor. `store` is a file with the runs that have
    ended, from which a stopped comparison goes on. `table` is a CSV file to write, and `plots` a
    directory for cactus and scatter plots, which need matplotlib. Raises CheckError if two complete
    runs disagree or one contradicts the known counts of the puzzle, and InputError without any
    puzzle.

    >>> runs = compare("cube", backends=["cadical195", "glucose42"])
    >>> [(run.combination.backend, run.solutions) for run in runs]
    [('cadical195', 96), ('glucose42', 96)]
    """
    from jigsat.comparison.verdicts import disagreements
    from jigsat.services.compare import CompareRequest, Comparison

    if not problems:
        raise InputError("name at least one puzzle")
    for option, names in {
        "backends": backends,
        "at_most_one": at_most_one,
        "encodings": encodings,
        "graph_rules": graph_rules,
    }.items():
        if isinstance(names, str):
            raise TypeError(f"{option}: expected a list of names, such as [{names!r}]")
    for name in backends:
        validate(backend=name)
    validate(timeout=timeout, memory=memory, jobs=jobs, repeat=repeat)
    compared = [_formula_in(problem) or load(problem) for problem in problems]
    request = CompareRequest(
        {problem.name: problem for problem in compared},
        backends,
        at_most_one,
        encodings,
        timeout,
        memory,
        jobs,
        repeat,
        None if store is None else Path(store),
        task=task or "",
        seeds=seeds,
        warmup=warmup,
        shuffle=shuffle,
        graph_rules=graph_rules,
    )
    comparison = Comparison(request)
    for _ in comparison:
        pass
    results = comparison.collect_results()
    _write_runs(results, table, plots)
    messages = disagreements(results.runs)
    if messages:
        raise CheckError("; ".join(messages))
    return results.runs


def read_runs(
    path: str | Path,
    *,
    task: str | None = None,
    table: str | Path | None = None,
    plots: str | Path | None = None,
) -> list[Run]:
    """The runs of an earlier comparison, from its `store` or from the output of `jigsat compare
    --json`; `table` and `plots` are written again. If the file has runs of several tasks, those of
    `task` are read, or those of the last one. A run that another one refutes has the status
    'wrong: …', and runs that contradict each other are `disputed`. Warns of runs that are left out,
    because they were not done like the last one. Raises InputError for another file."""
    import warnings

    from jigsat.comparison.log import read_runs as read

    results = read(Path(path), task or "")
    for reason in results.left_out:
        warnings.warn(f"{path}: {reason}", stacklevel=2)
    _write_runs(results, table, plots)
    return results.runs


def _write_runs(results: Results, table: str | Path | None, plots: str | Path | None) -> None:
    """Write the table and the plots of a comparison, if they are asked for."""
    from jigsat.services.compare import write_table

    if table is not None:
        write_file(Path(table), [write_table(results.runs, results.conditions)])
    if plots is not None:
        from jigsat.comparison.plots import draw

        draw(Path(plots), results)


def start_family(name: str, folder: str | Path = ".") -> list[Path]:
    """Start a new puzzle family: write a folder with a commented, working example, an instance and
    a test; returns the files. Raises InputError for a name that cannot be used."""
    from jigsat.services.families import start_family as start

    return start(name, Path(folder))


def serve(
    *,
    port: int | None = None,
    host: str = "127.0.0.1",
    published: str = "",
    open_browser: bool = False,
) -> None:
    """Serve the page on this machine until a signal ends it, and print its link, which is new each
    time. Raises InputError if that is not possible."""
    from jigsat.web.opening import open_page

    page = open_page(host, port, published)
    print(page.link, flush=True)
    if open_browser:
        import webbrowser

        webbrowser.open(page.link)
    page.serve()
