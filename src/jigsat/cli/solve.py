"""The commands `solve` and `count`."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Unpack

import typer

from jigsat import instance
from jigsat.answering.enumeration import Enumeration, Want
from jigsat.answering.many import find_first_solutions
from jigsat.answering.plan import MAX_QUICK_VARIABLES
from jigsat.backends import AUTO
from jigsat.cli import options
from jigsat.cli.answers import (
    MAX_COUNT_AFTER_TIMEOUT_S,
    chosen_question,
    draw_reasons,
    leave_with,
    print_answers,
    show_reasons,
    stopped_by,
)
from jigsat.cli.colour import print_picture, print_warning, print_words
from jigsat.cli.common import (
    app,
    formula_in,
    live,
    print_json,
    print_line,
    print_log,
    problem_in,
    program,
    say,
    write_gallery,
)
from jigsat.errors import InputError, Stopped, stops_named
from jigsat.formula import Assignment
from jigsat.links import is_link
from jigsat.puzzle import Puzzle, Solution
from jigsat.questions import Answer, FirstSolutions, Means, Result, Why
from jigsat.runtime.child import Child, held_interrupts, last_item
from jigsat.runtime.limits import Limits
from jigsat.services.reasons import MAX_REASONS_S
from jigsat.solving.best import Best, improve
from jigsat.solving.options import SearchOptions
from jigsat.subject import FormulaSubject
from jigsat.symmetry import DECLARED_LEVELS, Level
from jigsat.words import duration, plural

CountUpTo = Annotated[
    str,
    typer.Option(
        "--up-to",
        help=f"{', '.join(DECLARED_LEVELS)}: always counted; {Level.AUTOMORPHISM}: adds a count",
    ),
]


@app.command()
def solve(
    name: options.CountedName,
    backend: options.BackendOption = AUTO,
    up_to: options.UpToAny = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="stop after this many distinct solutions")
    ] = None,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    jobs: options.Jobs = 1,
    amo: options.AtMostOne = "auto",
    settings: options.Changes = None,
    minimize: Annotated[
        bool,
        typer.Option("--minimize", help="only solutions of least cost, e.g. the fewest presses"),
    ] = False,
    best: Annotated[
        bool,
        typer.Option("--best", help="show the board with the most matching edges, until stopped"),
    ] = False,
    ordered: Annotated[
        bool,
        typer.Option(
            "--sorted",
            help="all solutions in sorted order, e.g. row by row; turned ones are others",
        ),
    ] = False,
    skip: Annotated[
        int, typer.Option(min=0, help="with --sorted, leave out this many solutions")
    ] = 0,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch", help="draw the board while a search places pieces and takes them back"
        ),
    ] = False,
    store: Annotated[
        Path | None,
        typer.Option(help="keep the solutions and the search in this file and resume it"),
    ] = None,
    cluster: options.Cluster = None,
    show: Annotated[int, typer.Option(min=0, help="number of solutions to draw")] = 3,
    picture: options.PictureOption = None,
    verbose: options.Verbose = False,
    as_json: options.AsJson = False,
) -> None:
    """Find all distinct solutions, draw the first few, and count them.

    If a file has several puzzles, tell whether each of them has exactly one solution. A formula
    gets its models.
    """
    level = options.chosen_level(up_to or Level.ROTATION)
    limits = options.limits_from_options(timeout, memory)
    with _stops_answered(name, backend, as_json, up_to=level, found=[]), limits.hold():
        formula = formula_in(name, settings)
        puzzles = [] if formula else instance.load_all(name, **options.changes(settings))
    if len(puzzles) > 1:
        single = {
            "--memory": memory,
            "--amo": amo != "auto",
            "--minimize": minimize,
            "--best": best,
            "--sorted": ordered,
            "--watch": watch,
            "--picture": picture,
            "--up-to automorphism": not level.is_declared,
        }
        option = options.first_given(single)
        if option:
            raise InputError(
                f"{name}: {option} is for a file with one puzzle, and this one has {len(puzzles):,}"
            )
        question = chosen_question(backend, level, limit or 2)
        source = instance.name_source(name)
        means = Means(backend, jobs, cluster, store, limits.timeout, source=source)
        _solve_each(question, puzzles, means, show, as_json)
        return

    if formula:
        option = options.first_given({"--best": best, "--picture": picture, "--watch": watch})
        if option:
            raise InputError(f"{name}: {option} is for puzzles, and this is a formula")
    problem: Any = formula or puzzles[0]
    if skip and not ordered:
        raise InputError(f"{name}: --skip is for solutions in order; add --sorted")
    searching: dict[str, Any] = {
        "--backend": backend != AUTO,
        "--minimize": minimize,
        "--store": store,
        "--cluster": cluster,
        "--jobs": jobs > 1,
    }
    encoding = {"--amo": amo != "auto", "--verbose": verbose}
    if ordered:
        from jigsat.cli.ordered import refuse_levels, show_in_order

        refuse_levels(name, up_to)
        others = {**searching, **encoding, "--best": best, "--watch": watch}
        _refuse_options(name, "--sorted", others)
        show_in_order(
            problem,
            limits,
            skip=skip,
            limit=limit,
            show=show,
            picture=picture,
            as_json=as_json,
        )
        return
    if watch:
        from jigsat.cli.watch import watch_puzzle

        drawing = {"--memory": memory, "--picture": picture, "--json": as_json, "--up-to": up_to}
        _refuse_options(name, "--watch", {**searching, **encoding, **drawing, "--best": best})
        watch_puzzle(problem, limits, limit)
        return
    if best:
        _refuse_options(name, "--best", {**searching, "--limit": limit})
        _show_best(problem, limits, picture, as_json)
        return

    search = _start_search(
        problem,
        "solutions",
        limits,
        up_to=level,
        verbose=verbose,
        amo=amo,
        backend=backend,
        limit=limit,
        store=store,
        minimize=minimize,
        jobs=jobs,
        cluster=cluster,
    )
    _solve_one(problem, search, limits, level, store, show, picture, as_json)


def _refuse_options(name: str, wanted: str, others: Mapping[str, Any]) -> None:
    """Raise InputError if one of the other options is given."""
    option = options.first_given(others)
    if option:
        raise InputError(f"{name}: {option} cannot be used with {wanted}")


def _solve_each(
    question: FirstSolutions,
    puzzles: Sequence[Puzzle],
    means: Means,
    show: int,
    as_json: bool,
) -> None:
    """Print the answer for each puzzle of a file, with pictures for the first few."""
    if means.store is not None:
        from jigsat.answering.puzzle_ledger import count_answered

        answered = count_answered(question, puzzles, means)
        if answered:
            total = plural(len(puzzles), "puzzle")
            say(f"{means.store}: {answered:,} of {total} already solved")

    number = 0

    def draw(answer: Answer) -> int:
        """Draw a solution; returns how many pictures of reasons may follow."""
        nonlocal number
        number += 1
        if number > show:
            return 0
        if answer.solutions:
            print_picture(answer.solutions[0].text())
        return show

    with (
        held_interrupts(),
        closing(find_first_solutions(question, puzzles, means)) as answers,
    ):
        _, stop = print_answers(answers, draw, as_json)
    if stop:
        raise stop


def _solve_one(
    problem: Puzzle | FormulaSubject,
    search: Enumeration[Any],
    limits: Limits,
    up_to: Level,
    store: Path | None,
    show: int,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Print the solutions of a puzzle or the models of a formula, and the result."""
    with held_interrupts():
        solutions = _show_solutions(search, store, show, as_json)
        result = search.result
        hidden = search.found - len(solutions)
        if hidden and not as_json:
            print_line(f"{hidden} more not drawn; --show {search.found} draws all")
            print_line()
        if not solutions and search.best is not None:  # stopped before the first one is proved best
            solutions = [search.best]
            if show and not as_json:
                print_picture(search.best.text(), "The best solution found")
        listed = {}
        if as_json:
            listed = {"up_to": up_to, "found": [solution.objects() for solution in solutions]}
        reasons = _print_result(problem, result, limits, as_json, pictures=show, **listed)
        if picture is not None and isinstance(problem, Puzzle):
            _draw(picture, problem, solutions, show, reasons, limits)
    if isinstance(problem, Puzzle):
        _warn(result, problem)
        if result.complete and not as_json:
            for remark in _remarks(problem, limits):
                print_line(remark)
    leave_with(result)


def _draw(
    picture: Path,
    puzzle: Puzzle,
    solutions: list[Solution],
    show: int,
    reasons: Why | None,
    limits: Limits,
) -> None:
    """Write the pictures of the first solutions, or of the reasons why there is none; a line says
    why none is written."""
    pictures = []
    if solutions:
        pictures = [solution.svg() for solution in solutions[:show]]
    elif reasons:
        pictures = draw_reasons(puzzle, reasons)

    if pictures:
        write_gallery(picture, pictures, limits)
    elif reasons:
        say(f"{picture}: no picture: no reason can be shown in one")
    elif show == 0:
        say(f"{picture}: no picture: --show 0 draws no solution")
    else:
        say(f"{picture}: no picture: no solution was found")


def _find_reasons(problem: Puzzle | FormulaSubject, result: Result, limits: Limits) -> Why | None:
    """The reasons why no solution was found, if counting or clues show that there is none."""
    if result.solutions or not isinstance(problem, Puzzle):
        return None
    if result.complete:
        seconds = MAX_REASONS_S if limits.timeout is None else limits.timeout
    elif result.stopped_by == "timeout":
        seconds = MAX_COUNT_AFTER_TIMEOUT_S
    else:
        return None
    from jigsat.diagnosis.unsolvable import (  # most puzzles have a solution
        SEARCHING_SHARE,
        collect_reasons,
    )

    # A large formula takes long to load; what clashes in it is only looked for without a reason.
    is_explained = result.established_by == "reason" and problem.encode().top > MAX_QUICK_VARIABLES
    proved = result.complete and not is_explained
    job = partial(collect_reasons, problem, proved=proved, seconds=SEARCHING_SHARE * seconds)
    started = time.monotonic()
    with live(lambda: f"looking for the reasons, {time.monotonic() - started:,.0f} s"):
        reasons, _ = last_item(job, Why(), seconds)
    return reasons if reasons.found or result.complete else None


def _print_result(
    problem: Puzzle | FormulaSubject,
    result: Result,
    limits: Limits,
    as_json: bool,
    *,
    pictures: int = 0,
    **also: Any,
) -> Why | None:
    """Print the result, then look for the reasons if there is no solution and print them; returns
    the reasons."""
    if not as_json:
        print_words(str(result))
    reasons = _find_reasons(problem, result, limits)
    if as_json:
        listed = reasons.json() if reasons else None
        print_json({**result.json(), "reasons": listed, **also})
    elif reasons and isinstance(problem, Puzzle):
        show_reasons(problem, reasons, pictures)
    return reasons


def _start_search(
    problem: Any,
    want: Want,
    limits: Limits,
    *,
    up_to: Level,
    verbose: bool,
    amo: str,
    **wanted: Unpack[SearchOptions],
) -> Enumeration[Any]:
    """The search of a command, with its options validated."""
    if verbose:
        print_log()
    wanted |= {
        "timeout": limits.timeout,
        "memory": limits.memory,
        "lowering": options.chosen_lowering(amo),
    }
    search: Enumeration[Any] = Enumeration(problem, want=want, up_to=up_to, isolated=True, **wanted)
    single = {
        "--minimize": wanted.get("minimize"),
        "--up-to automorphism": not up_to.is_declared,
        "--amo": amo != "auto",
    }
    option = options.first_given(single)
    jobs = wanted.get("jobs", 1)
    if option and jobs > 1:
        say(f"jigsat: with {option}, one process searches instead of {jobs}")
    return search


def _find(search: Enumeration[Any], store: Path | None, *, quiet: bool) -> Iterator[Any]:
    """What the search finds, with a line of progress; an interrupt ends the iteration, so that what
    was found is printed."""

    def line() -> str:
        result = search.result
        # a count shows none
        number = max(search.found, min([result.solutions, *result.distinct.values()]))
        return progress_line(number, search.seconds(), search.progress)

    complete = False
    if store is not None:
        from jigsat.ledger.file import read_state  # most runs need no SQLite

        if search.stored:
            say(f"{store}: {plural(search.stored, 'solution')} loaded")
        state = read_state(store)
        complete = bool(state and state.complete)
    with live(line, quiet=quiet), suppress(KeyboardInterrupt):
        yield from search
        if complete:
            say(f"{store}: complete, so nothing was searched again")


def _show_solutions(
    search: Enumeration[Any], store: Path | None, show: int, as_json: bool
) -> list[Any]:
    """The first few solutions, drawn as they are found; for JSON all of them, in a fixed order if
    complete."""
    solutions: list[Solution | Assignment] = []
    for solution in _find(search, store, quiet=as_json):
        if as_json:
            solutions.append(solution)
        elif len(solutions) < show:
            solutions.append(solution)
            heading = f"Solution {len(solutions)}"
            if isinstance(solution, Solution) and solution.relation:
                heading += f": {solution.relation}"
            print_picture(solution.text(), heading)
    if as_json and search.result.complete:  # several processes find them in varying order
        solutions.sort(key=lambda solution: json.dumps(solution.objects()))
    return solutions


def _show_best(puzzle: Puzzle, limits: Limits, picture: Path | None, as_json: bool) -> None:
    """Tell each improvement on stderr; at the end, print the board with the most matching edges and
    what it lacks."""
    best: Best | None = None
    start = time.monotonic()
    with held_interrupts(), stops_named(puzzle.name):
        run = Child(partial(improve, puzzle), timeout=limits.timeout, memory=limits.memory)
        for best in run.until_stopped():
            say(f"{time.monotonic() - start:.1f} s: {best.matching} of {best.edges} edges match")
        board = Solution(puzzle, best.placements) if best else None
        if as_json:
            numbers = None
            if best and board:
                numbers = {
                    **vars(best),
                    "matching": best.matching,
                    "placements": board.objects(),
                }
            print_json(
                {"instance": puzzle.name, "best": numbers, "stopped_by": stopped_by(run.stopped)}
            )
        elif best and board:
            print_picture(board.text())
            proved = "which is proved to be the most" if best.optimal else "the most found so far"
            print_line(f"{puzzle.name}: {best.matching} of {best.edges} edges match, {proved}")
        elif not run.stopped:
            print_line(f"{puzzle.name}: no board keeps the other rules, even if no edges match")
        if board and picture:
            write_gallery(picture, [board.svg()], limits)
        if run.stopped:
            raise run.stopped


@app.command()
def count(
    name: options.CountedName,
    backend: options.BackendOption = AUTO,
    up_to: CountUpTo = "reflection",
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    jobs: options.Jobs = 1,
    store: Annotated[
        Path | None,
        typer.Option(help="a ledger of the search, to resume it; `jigsat ledger` shows it"),
    ] = None,
    cluster: options.Cluster = None,
    amo: options.AtMostOne = "auto",
    settings: options.Changes = None,
    verbose: options.Verbose = False,
    certify: Annotated[
        Path | None, typer.Option(metavar="DIR", help="write a certificate there, as `prove` does")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Count the solutions of a puzzle or the models of a formula, in total and up to each level of
    symmetry."""
    level = options.chosen_level(up_to)
    limits = options.limits_from_options(timeout, memory)
    with _stops_answered(name, backend, as_json), limits.hold():
        problem = problem_in(name, settings)
    if certify is not None:
        instance.find(name)  # a certificate has the file of the puzzle
        from jigsat.cli.prove import require_certifiable

        require_certifiable(
            problem,
            certify,
            {"--set": bool(settings), "--up-to automorphism": not level.is_declared},
        )
    search = _start_search(
        problem,
        "count",
        limits,
        up_to=level,
        verbose=verbose,
        amo=amo,
        backend=backend,
        store=store,
        jobs=jobs,
        cluster=cluster,
    )
    with held_interrupts():
        for _ in _find(search, store, quiet=as_json):
            pass
        result = search.result
        _print_result(problem, result, limits, as_json)
    if isinstance(problem, Puzzle):
        _warn(result, problem)
    if result.complete:
        if certify is not None:
            from jigsat.cli.prove import write_certificate

            write_certificate(name, certify, limits, as_json)
        elif not as_json:
            print_line(_certificate_line(name, problem, result, bool(settings)))
    leave_with(result)


def _certificate_line(
    name: str, problem: Puzzle | FormulaSubject, result: Result, changed: bool
) -> str:
    """A line that states which certificate can be made of a complete count."""
    from jigsat.proofs.offers import offer_certificate

    if is_link(name):
        return "certificate: none for a link; `jigsat import LINK -o FILE.toml` writes a file"
    if not isinstance(problem, Puzzle) or changed:
        return f"certificate: none for {'a puzzle changed by --set' if changed else 'a formula'}"
    offer = offer_certificate(problem, result)
    if not offer:
        return "certificate: none for this count"
    arguments, content = offer
    return f"certificate: `{program()} prove {name} {arguments}-o DIR` makes one, with {content}"


def _warn(result: Result, puzzle: Puzzle) -> None:
    """Print a line if the known facts in the file contradict the counts. The answer is right, so
    the status stays 0."""
    contradiction = result.contradiction(puzzle.known)
    if contradiction:
        print_warning(f"jigsat: {puzzle.name}: {contradiction}; correct the file")


@contextmanager
def _stops_answered(name: str, backend: str, as_json: bool, **also: Any) -> Iterator[None]:
    """Exit with a result without solutions if the block is stopped."""
    started = time.monotonic()
    try:
        yield
    except (Stopped, KeyboardInterrupt) as reason:
        result = Result(
            instance.name_source(name),
            backend,
            stopped_by=stopped_by(reason),
            seconds=time.monotonic() - started,
        )
        if as_json:
            print_json({**result.json(), "reasons": None, **also})
        else:
            print_words(str(result))
        leave_with(result)


def _remarks(puzzle: Puzzle, limits: Limits) -> list[str]:
    """The family's remarks; none if they take too long."""
    try:
        with limits.hold():
            return list(puzzle.remarks())
    except Stopped as reason:
        say(f"jigsat: {reason} while computing the remarks on {puzzle.name}")
        return []


def progress_line(number: int, seconds: float, fraction: float | None) -> str:
    """The progress of a search after some seconds; `fraction` is the part that is done.

    >>> progress_line(1200, 60.0, 0.25)
    '1,200 distinct found, 20 per second, 60 s; 25 % done, about 3 min left'
    """
    rate = number / seconds if seconds else 0.0
    line = f"{number:,} distinct found, {rate:,.0f} per second, {seconds:,.0f} s"
    if not fraction:
        return line
    percent = min(99, int(100 * fraction))
    return (
        f"{line}; {percent or 'less than 1'} % done, about "
        f"{duration(seconds / fraction - seconds)} left"
    )
