"""The functions and classes that `import jigsat` provides; `__all__` lists them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack, get_args, overload

from jigsat.analysis.answers import confirm_models, read_solutions
from jigsat.analysis.candidates import Candidates, find_candidates
from jigsat.analysis.difficulty import Difficulty, Rating, rating
from jigsat.analysis.estimates import Estimate, estimate_search
from jigsat.analysis.explanation import Explanation, explain_encoding
from jigsat.analysis.steps import find_steps
from jigsat.analysis.unsolvable import FoundReasons
from jigsat.analysis.unsolvable import reasons as _reasons
from jigsat.analysis.wording import Step
from jigsat.backends import AUTO
from jigsat.errors import CheckError, InputError, Stopped, unwritable
from jigsat.formats.answers import MAX_ANSWER_BYTES, parse
from jigsat.formats.export import lines, save
from jigsat.formula import ANY, Assignment, Choice, Formula, Lowered, Lowering, Variables
from jigsat.instance import load, register
from jigsat.orbits import with_breaking_clause
from jigsat.puzzle import Puzzle, Reason, Solution
from jigsat.runtime import untrusted
from jigsat.runtime.child import Child, last_item, within_limits
from jigsat.solving.answers import Answer, solve_all
from jigsat.solving.enumeration import Enumeration
from jigsat.solving.options import SearchOptions, parse_level, show_options, validate
from jigsat.solving.task import Result
from jigsat.solving.uniform import Population, samples
from jigsat.subject import (
    EncodedSubject,
    FormulaSubject,
    Instance,
    Subject,
    Symmetries,
    read_formula_file,
    subject_of,
)
from jigsat.symmetry import Group, Level, Placement, Symmetry

if TYPE_CHECKING:
    from jigsat.analysis.comparison.matrix import Run

__all__ = [
    "ANY",
    "Answer",
    "Assignment",
    "Candidates",
    "CheckError",
    "Choice",
    "Enumeration",
    "Estimate",
    "Explanation",
    "Formula",
    "Group",
    "InputError",
    "Lowered",
    "Lowering",
    "Puzzle",
    "Rating",
    "Reason",
    "Result",
    "Solution",
    "Step",
    "Stopped",
    "Symmetry",
    "Variables",
    "__version__",
    "candidates",
    "compare",
    "count",
    "decode",
    "estimate",
    "explain",
    "export",
    "generate",
    "load",
    "main",
    "minimum",
    "models",
    "rate",
    "reasons",
    "register",
    "sample",
    "solutions",
    "steps",
    "unique",
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
def sample(
    problem: Instance, number: int = 1, *, seed: int = 0, timeout: float | None = None
) -> Iterator[Solution]: ...
@overload
def sample(
    problem: Formula, number: int = 1, *, seed: int = 0, timeout: float | None = None
) -> Iterator[Assignment]: ...
def sample(
    problem: Instance | Formula, number: int = 1, *, seed: int = 0, timeout: float | None = None
) -> Iterator[Solution] | Iterator[Assignment]:
    """Random solutions of a puzzle or models of a formula, each checked. All solutions are equally
    likely in each draw.

    The draws are independent, so solutions can repeat. Turned and mirrored solutions are different
    solutions. The same seed gives the same solutions. Nothing is drawn if there is no solution.
    Iterating raises Stopped after `timeout` seconds, or if there are more than 1,000,000 solutions
    and they cannot be counted without a list.

    >>> len({solution.placements for solution in sample("dominoes-6x8", 10, seed=1)})
    10
    """
    validate(timeout=timeout, number=number, seed=seed)
    subject = subject_of(problem)
    made = partial(samples, subject, number, seed)
    drawn = made() if timeout is None else Child(made, timeout=timeout)
    return (subject.solution(stated, "") for stated in drawn if not isinstance(stated, Population))


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
    return within_limits(_answer_unique, load(puzzle), backend, level, timeout=timeout)


def _answer_unique(puzzle: Puzzle, backend: str, up_to: Level) -> Answer:
    return next(solve_all([puzzle], backend, 2, up_to))


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
    found, _ = last_item(
        partial(find_candidates, load(puzzle), given, count=count), Candidates({}), timeout
    )
    return found


def steps(
    puzzle: Instance, given: Collection[Placement] = (), *, timeout: float | None = None
) -> Iterator[Step]:
    """How the puzzle is solved by logic from the `given` placements, a few rules at a time.

    If there are several solutions, the steps go as far as something is decided. Raises InputError
    if there is no solution, and Stopped after the steps that were found in `timeout` seconds, if
    they are not complete.

    >>> [*_, last] = steps("push-pull")
    >>> last.describe("cell")
    'Look at light r1c1. It still needs an odd number of presses; no other undecided press changes
    it. So press r1c1'
    """
    validate(timeout=timeout)
    return Child(partial(find_steps, load(puzzle), given), timeout=timeout)


def rate(puzzle: Instance, *, timeout: float | None = None) -> Rating:
    """The difficulty: easy (propagation), medium (failed literals) or hard (search). Raises Stopped
    after `timeout` seconds.

    >>> print(rate("sudoku-6x6"))
    medium, effort 2,831: 1 round of failed literals solves it
    """
    validate(timeout=timeout)
    return within_limits(rating, load(puzzle), timeout=timeout)


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
    found = [item for item in _reasons(puzzle) if isinstance(item, FoundReasons)]
    return [reasons.reason for reasons in found]


def explain(
    problem: Instance | Formula, *, lowering: Lowering | None = None, group: Symmetries = ()
) -> Explanation:
    """The encoding of a puzzle or formula: variables, constraint groups, symmetries, and the
    backends that `auto` uses.

    >>> explain("cube").symmetries
    {'rotation': 24, 'reflection': 48}
    """
    return explain_encoding(problem, lowering, group)


def generate(
    source: Instance,
    *,
    number: int = 1,
    seed: int = 0,
    difficulty: Difficulty | None = None,
    timeout: float | None = None,
    **options: Any,
) -> Iterator[Puzzle]:
    """Generate puzzles with the requested number of solutions, from a family, or from an instance
    by choosing new clues; each is verified.

    `options` are those of the family, such as `clues`; `docs/generating.md` lists them. The same
    seed gives the same puzzles. Raises ValueError, TypeError or InputError for an invalid option.
    Iterating raises Stopped after `timeout` seconds, or if no puzzle is found.

    >>> [sudoku] = generate("sudoku-4x4-empty", seed=1)
    >>> unique(sudoku).unique
    True
    """
    from jigsat.generation.sources import GenerationTask, generate_from, options_for

    validate(timeout=timeout, number=number, seed=seed)
    if difficulty not in (None, *get_args(Difficulty)):
        raise ValueError(
            f"`difficulty` must be one of {', '.join(get_args(Difficulty))}; got {difficulty!r}"
        )
    options_for(source, options)  # complains before the first puzzle is asked for
    made = partial(generate_from, GenerationTask(source, options, seed, difficulty), number)
    return (
        one.puzzle
        for one in (made() if timeout is None else Child(made, timeout=timeout))
        if not one.shortcoming
    )


def export(
    problem: Instance | Formula,
    path: str | Path,
    *,
    lowering: Lowering | None = None,
    breaking: DeclaredLevel = "nothing",
    group: Symmetries = (),
) -> None:
    """Write the formula for other programs; the suffix is the format: .cnf, .xnf, .wcnf, .opb or
    .smt2, also with .gz or .xz.

    `breaking` adds a clause that keeps at least one solution of each orbit of this level. Raises
    InputError for an unknown suffix, a file that cannot be written, and a group whose permutations
    are not evidently symmetries of the formula; Stopped if the disk is full.
    """
    level = parse_level("breaking", breaking, declared=True)
    validate(lowering=lowering)
    subject = subject_of(problem, group)
    formula, path = subject.encode(), Path(path)
    if level > Level.NOTHING:
        if not subject.breakable:
            raise InputError(
                f"{subject.name}: `group` has a permutation that does not map the constraints "
                f"onto each other"
            )
        formula = with_breaking_clause(
            formula, subject.group(formula).breaking(formula, level) or (), "symmetry breaking"
        )
    try:
        save(path, lines(formula, path, subject, lowering))
    except OSError as error:
        raise unwritable(path, error) from error


@overload
def decode(problem: Instance, answer: str | Path) -> list[Solution]: ...
@overload
def decode(problem: Formula, answer: str | Path) -> list[Assignment]: ...
def decode(problem: Instance | Formula, answer: str | Path) -> list[Solution] | list[Assignment]:
    """The solutions in a solver's output for an exported file, each checked; empty if the solver
    found none.

    `answer` is the text of the output, or a `Path` to a file. Raises InputError for an answer that
    cannot be read or has an assignment that is not a solution, and Stopped if the solver gave up.
    """
    if not isinstance(answer, str | Path):
        raise TypeError(f"`answer` must be the text of an answer, or a Path; got {answer!r}")
    text = (
        answer
        if isinstance(answer, str)
        else untrusted.content(answer, MAX_ANSWER_BYTES).decode(errors="replace")
    )
    said = parse(text)
    if said.status == "unknown":
        raise Stopped("the solver gave up")
    formula = problem
    if not isinstance(problem, Formula) and (read := _formula_in(problem)):
        formula = read.formula
    if isinstance(formula, Formula):
        return [
            Assignment(formula, model)
            for model in dict.fromkeys(confirm_models(formula, said, "the formula"))
        ]
    assert not isinstance(problem, Formula)
    puzzle = load(problem)
    return read_solutions(puzzle, puzzle.encode(), said)


def main() -> None:
    """The command line of jigsat, for scripts that register their own families."""
    from jigsat.cli import main

    main()


def compare(
    *puzzles: Instance,
    backends: Sequence[str] = ("cadical195", "cover"),
    at_most_one: Sequence[str] = (),
    encodings: Sequence[str] = (),
    timeout: float = 60,
    memory: int = 4 * 2**30,
    jobs: int = 1,
) -> list[Run]:
    """Run every backend with every encoding on every puzzle, each in its own process with limits.

    Raises CheckError if two complete runs disagree or one contradicts the known counts of the
    puzzle, and InputError without any puzzle.

    >>> runs = compare("cube", backends=["cadical195", "glucose42"])
    >>> [(run.combination.backend, run.solutions) for run in runs]
    [('cadical195', 96), ('glucose42', 96)]
    """
    from jigsat.analysis.comparison.matrix import capabilities, combinations, disagreements, runs

    if not puzzles:
        raise InputError("name at least one puzzle")
    for option, names in {
        "backends": backends,
        "at_most_one": at_most_one,
        "encodings": encodings,
    }.items():
        if isinstance(names, str):
            raise TypeError(f"{option}: expected a list of names, such as [{names!r}]")
    for name in backends:
        validate(backend=name)
    validate(timeout=timeout, memory=memory, jobs=jobs)
    named = {puzzle.name: puzzle for puzzle in map(load, puzzles)}
    wanted = list(
        combinations(named, {name: capabilities(name) for name in backends}, at_most_one, encodings)
    )
    last = {
        run.combination: run
        for run in runs(named, wanted, timeout=timeout, memory=memory, jobs=jobs)
    }
    if contradictions := list(disagreements(named, list(last.values()))):
        raise CheckError("; ".join(contradictions))
    return [last[combination] for combination in wanted]
