"""The command `compare`."""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from jigsat.cli import options
from jigsat.cli.common import app, live, print_json, problem_in, reading, say
from jigsat.cli.console import Console
from jigsat.comparison.circumstances import describe_odd_times, find_circumstances
from jigsat.comparison.log import Conditions, Results, read_runs
from jigsat.comparison.matrix import (
    Combination,
    Run,
    count_sessions,
    find_preparation_limit,
    label_choice,
)
from jigsat.comparison.scores import (
    LEAST_INSTANCES,
    TIE_FACTOR,
    TIE_S,
    Score,
    Summary,
    are_comparable,
    compare_encodings,
    count_by_name,
    count_equal_seeds,
    describe_missing,
    find_best_choice,
    group_by_family,
    list_incomplete_choices,
    list_unknown_seeds,
    pairs,
    par2,
    summarize,
)
from jigsat.comparison.tasks import TASKS, Compared
from jigsat.comparison.verdicts import (
    contradictions,
    describe_unsupported,
    disagreements,
    list_missed,
)
from jigsat.errors import CheckError, InputError, Stopped, printable
from jigsat.services.compare import (
    CompareRequest,
    Comparison,
    describe_results,
    write_table,
)
from jigsat.services.files import list_files, write_file
from jigsat.words import join_words, plural

USUAL = (
    "cadical195",
    "glucose42",
    "minisat22",
    "cryptominisat",
    "z3",
    "clingo",
    "ortools",
    "cover",
)
"""The default: a few backends of different kinds. Those that are not installed are left out."""


MAX_SEEDS = 1000  # the number of seeds of --seeds at most

MAX_SEED = 2_000_000_000  # CaDiCaL and others take no larger one

MAX_PAIRS = 15  # if there are more pairs of choices, those with the best choice are shown

SHOWN_DIGITS = 12  # of the hash of jigsat's code, below the tables

LEAST_CHANCE = 0.001  # a smaller probability is not written with its digits

BREAKDOWNS = ("crash", "failed", "idle", "unprepared", "changed")
"""How the status of a run begins that ended for another reason than an answer or a limit."""

MAX_TIMEOUT_S = 1e9
"""The longest limit; a run without an answer is scored with twice the limit, so there is one."""

LONG_WAIT_S = 1.0  # seconds on the wall, beside twice the processor time, that are no long wait

SHOWING_OPTIONS = ("from_file", "task", "csv_file", "plots", "as_json")  # no new runs are needed


@app.command()
def compare(
    context: typer.Context,
    names: options.ComparedNames = None,
    chosen: Annotated[
        str,
        typer.Option("--backends", metavar="A,B,…", help="names from `jigsat backends`, and auto"),
    ] = "",
    task: Annotated[
        str,
        typer.Option(
            metavar="TASK",
            help=f"what is asked: {', '.join(TASKS)}; default: all for puzzles, first for formulas",
        ),
    ] = "",
    amo: Annotated[str, typer.Option("--amo", metavar="X,Y,…", help="at-most-one encodings")] = "",
    encodings: Annotated[
        str, typer.Option(metavar="X,Y,…", help="encodings of the families, if they have several")
    ] = "",
    graph_rules: Annotated[
        str,
        typer.Option(
            metavar="X,Y",
            help="rules about graphs as cuts after models or as clauses: lazy, eager",
        ),
    ] = "",
    timeout: Annotated[
        float,
        typer.Option(
            min=0,
            max=MAX_TIMEOUT_S,
            metavar="SECONDS",
            help="limit of the processor time of each run",
        ),
    ] = 60,
    memory: Annotated[
        int, typer.Option(min=1, metavar="MB", help="memory limit of each run")
    ] = 4096,
    jobs: Annotated[
        int,
        typer.Option(
            min=1, help="runs at the same time; more than there are cores distort the times"
        ),
    ] = 1,
    repeat: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="run each combination N times; the median counts"),
    ] = 1,
    seeds: Annotated[
        str,
        typer.Option(metavar="1..5", help="run solvers that take a seed with each of these"),
    ] = "",
    warmup: Annotated[
        int, typer.Option(min=0, metavar="N", help="runs of each combination that do not count")
    ] = 0,
    shuffle: Annotated[
        int, typer.Option(min=0, metavar="SEED", help="seed of the random order of the runs")
    ] = 1,
    settings: options.Changes = None,
    resume: Annotated[
        Path | None,
        typer.Option(help="save finished runs in this file and skip those already in it"),
    ] = None,
    from_file: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE", help="run nothing; show the runs of --json or --resume again"
        ),
    ] = None,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", help="write the table to this file")
    ] = None,
    plots: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="draw cactus and scatter plots in this directory"),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Run instances on several backends, each run in its own process; compare the counts and the
    times.

    Times are those of the processor, in all processes of a run.
    """
    if plots is not None and find_spec("matplotlib") is None:
        raise InputError(
            "--plots: matplotlib is not installed; install it with: pip install 'jigsat[plots]'"
        )
    _check_outputs(csv_file, plots, from_file or resume)
    if from_file is not None:
        _refuse_other_options(context, names)
        results = read_runs(from_file, task)
        for reason in results.left_out:
            say(f"{from_file}: {reason}")
        if odd := describe_odd_times(results.runs):
            say(f"{from_file}: {odd}")
        _show(results, csv_file, plots, as_json=as_json)
        _require_answers(results.runs)
        return
    if not names:
        raise InputError("name at least one instance, or a file of runs with --from")
    puzzles = _read_problems(names, settings, timeout, memory)
    for name in _split_names(amo):
        options.chosen_lowering(name)
    request = CompareRequest(
        puzzles,
        _split_names(chosen) or USUAL,
        _split_names(amo),
        _split_names(encodings),
        timeout,
        memory * 2**20,
        jobs,
        repeat,
        resume,
        only_installed=not chosen,
        task=task,
        seeds=_read_seeds(seeds),
        warmup=warmup,
        shuffle=shuffle,
        graph_rules=_split_names(graph_rules),
        changes=", ".join(settings or ()),
    )
    comparison = Comparison(request)
    if comparison.earlier:
        say(f"{resume}: {plural(comparison.earlier, 'run')} already finished")
    for reason in comparison.repeated:
        say(f"{resume}: {reason}")
    stopped = _follow_runs(comparison)

    results = comparison.collect_results()
    _show(results, csv_file, plots, as_json=as_json)
    if stopped:
        raise stopped
    _require_answers(results.runs)


def _check_outputs(csv_file: Path | None, plots: Path | None, runs_file: Path | None) -> None:
    """Raises InputError for a name that could not be written, before hours of runs are lost, or
    that is the file of the runs."""
    if csv_file is not None:
        if runs_file is not None and csv_file.resolve() == runs_file.resolve():
            raise InputError(f"--csv: {csv_file} has the runs; name another file")
        if csv_file.is_dir():
            raise InputError(f"--csv: {csv_file} is a directory; name a file")
        if not csv_file.parent.is_dir():
            raise InputError(f"--csv: there is no directory {csv_file.parent}; make it first")
    if plots is not None and plots.exists() and not plots.is_dir():
        raise InputError(f"--plots: {plots} is no directory; name another one")


def _refuse_other_options(context: typer.Context, names: Sequence[str] | None) -> None:
    """Raises InputError if something is given besides --from that would need new runs."""
    if names:
        raise InputError("--from: name either a file of runs or instances")
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        is_given = source is not None and source.name == "COMMANDLINE"
        if is_given and parameter.name not in SHOWING_OPTIONS:
            raise InputError(f"--from runs nothing; leave out {parameter.opts[0]}")


def _show(
    results: Results,
    csv_file: Path | None,
    plots: Path | None,
    *,
    as_json: bool,
) -> None:
    """Print the runs, and write and draw what was asked for. Raises CheckError if there are
    contradictions."""
    if as_json:
        print_json(describe_results(results))
    else:
        _report(results)
    try:
        if csv_file is not None:
            write_file(csv_file, [write_table(results.runs, results.conditions)])
        if plots is not None:
            from jigsat.comparison.plots import draw

            draw(plots, results)
    finally:  # report contradictions even if a file cannot be written
        messages = disagreements(results.runs)
        if messages:
            raise CheckError("; ".join(messages))


def _require_answers(ended: Sequence[Run]) -> None:
    """Raises Stopped if no run was completed, or if one broke down instead of reaching a limit."""
    if not any(run.complete for run in ended):
        raise Stopped("no run was completed")
    broken = [run for run in ended if run.status.startswith(BREAKDOWNS)]
    if broken:
        breakdowns = Counter(
            f"{run.combination.label} {run.status.split(':')[0]}" for run in broken
        )
        choices = ", ".join(f"{name} ({number})" for name, number in breakdowns.items())
        raise Stopped(f"{plural(len(broken), 'run')} broke down: {choices}")


def _read_seeds(text: str) -> list[int]:
    """Seeds such as 1..5 or 3,7. Raises InputError."""
    seeds: list[int] = []
    for part in _split_names(text):
        first, dots, last = part.partition("..")
        if not first.isdecimal() or (dots and not last.isdecimal()):
            raise InputError(f"--seeds: {part!r} is no number or range; write 1..5 or 3,7")
        for number in (first, last or first):
            digits = number.lstrip("0")
            if len(digits) > len(str(MAX_SEED)) or int(digits or 0) > MAX_SEED:
                raise InputError(f"--seeds: {number[:20]} is larger than {MAX_SEED:,}")
        numbers = range(int(first), int(last or first) + 1)
        if not numbers or len(numbers) > MAX_SEEDS:
            raise InputError(f"--seeds: {part!r} has to be 1 to {MAX_SEEDS} numbers")
        seeds += [number for number in numbers if number not in seeds]
    return seeds


def _follow_runs(comparison: Comparison) -> KeyboardInterrupt | Stopped | None:
    """Show the runs in a table; returns what stopped them, if anything did."""
    try:
        with (
            live(lambda: _show_progress(comparison)),
            closing(iter(comparison)) as active,
        ):
            for _ in active:
                pass
    except (KeyboardInterrupt, Stopped) as reason:
        comparison.interrupt()
        return reason
    return None


def _show_progress(comparison: Comparison) -> Table | str:
    """The runs so far: a table on a terminal, a line in a file."""
    progress = f"{comparison.count_ended():,} of {plural(comparison.number, 'run')}"
    if not sys.stderr.isatty():
        return progress
    table = _table(summarize(comparison.runs.values()))
    table.caption = progress
    table.caption_justify = "left"
    return table


def _read_problems(
    names: Sequence[str], settings: list[str] | None, timeout: float, memory: int
) -> dict[str, Compared]:
    """The puzzles and formulas by name. The time limit is one of the runs; reading may take as long
    as the preparation of a run, which is enough on a busy machine."""
    limits = options.limits_from_options(find_preparation_limit(timeout), memory)
    problems: dict[str, Compared] = {}
    for file in list_files(names):
        with reading(file, limits):
            problem = problem_in(file, settings)
        if problems.setdefault(problem.name, problem) != problem:
            raise InputError(
                f"{file}: another instance is also called {problem.name}; rename one of the files"
            )
    return problems


def _split_names(text: str) -> list[str]:
    """The names in a list, each once."""
    return [*dict.fromkeys(name for name in text.split(",") if name)]


def _table(shown: Sequence[Summary]) -> Table:
    """One line for each combination, with the numbers of its median run."""
    axes = _axes(summary.combination for summary in shown)
    table = Table("instance", *axes, "by", "status", box=None, pad_edge=False, padding=(0, 1, 0, 0))
    several = any(len(summary.runs) > 1 for summary in shown)
    lazy = any(summary.middle.graphs for summary in shown)
    programs = any(summary.middle.program is not None for summary in shown)
    columns = ["first s", "encode s", *(["files s", "program s"] if programs else []), "s"]
    columns += [*(["range"] if several else []), "wall s", "count"]
    excludes = any(summary.middle.task == "refute" for summary in shown)
    columns += ["excluded"] if excludes else []
    columns += ["conflicts", "propagations", *(["graphs", "cuts", "cuts ms"] if lazy else [])]
    columns += ["variables", "clauses", "literals", "MB"]
    for column in columns:
        table.add_column(column, justify="right")
    for summary in shown:
        choices = (getattr(summary.combination, axis) for axis in axes)
        row = _list_times(summary, several=several, programs=programs)
        row.append(_describe_counts(summary.middle))
        row += [_write_number(summary.middle.excluded)] if excludes else []
        row += _list_sizes(summary.middle, lazy=lazy)
        table.add_row(
            summary.combination.instance, *choices, summary.middle.way, _status(summary), *row
        )
    return table


def _status(summary: Summary) -> Text:
    colours = {"complete": "green", "complete, unsupported": "yellow", "running": "cyan"}
    colour = colours.get(summary.status, "red")
    return Text(printable(summary.status), colour)


def _list_times(summary: Summary, *, several: bool, programs: bool) -> list[str]:
    run = summary.middle
    if not run.possible:
        return [""] * (4 + several + 2 * programs)
    times = [_write_seconds(run.first), _write_seconds(run.encode)]
    if programs:
        times += [_write_seconds(run.files), _write_seconds(run.program)]
    times.append(f"{run.seconds:.3f}" if run.complete else f"> {run.seconds:.3f}")
    if several:
        ordered = summary.times
        times.append(f"{ordered[0]:.3f} to {ordered[-1]:.3f}" if ordered else "")
    return [*times, _write_seconds(run.wall)]


def _write_seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.3f}"


def _describe_counts(run: Run) -> str:
    if not run.possible:
        return ""
    counts = "/".join(f"{count:,}" for count in run.counts.values())
    return counts if run.complete else f"≥ {counts}"


def _list_sizes(run: Run, *, lazy: bool) -> list[str]:
    texts = list(map(_write_number, (run.conflicts, run.propagations)))
    if lazy:
        texts += [run.graphs, _write_number(run.cuts), _write_number(run.cuts_ms)]
    texts += map(_write_number, (run.variables, run.clauses, run.literals))
    memory = run.memory if run.program_memory is None else run.program_memory
    return [*texts, f"{memory / 2**20:,.0f}" if memory else ""]


def _write_number(number: int | None) -> str:
    return "" if number is None else f"{number:,}"


def _axes(combinations: Iterable[Combination]) -> list[str]:
    """The axes for which options were given."""
    shown = list(combinations)
    axes = []
    for axis in Combination._fields[1:]:
        if any(getattr(combination, axis) for combination in shown):
            axes.append(axis)
    return axes


def _report(results: Results) -> None:
    ended, conditions = results.runs, results.conditions
    console = Console(width=None if sys.stdout.isatty() else 200)
    timeout = conditions.timeout
    console.print_table(_table(summarize(ended)))
    _print_failures(console, ended)

    console.print()
    for reason in results.left_out:
        console.print(f"{printable(reason)}.", soft_wrap=True)
    if missing := describe_missing(ended, results.planned):
        console.print(f"{missing}.", soft_wrap=True)
        for line in list_incomplete_choices(ended, results.planned):
            console.print(f"  {printable(line)}", soft_wrap=True)
        console.print()
    _print_scores(console, ended, timeout)
    _print_few_instances(console, ended)
    _print_pairs(console, ended, timeout)
    encodings = compare_encodings(ended, timeout)
    if encodings:
        console.print()
        console.print("Does the encoding matter?")
    for pair in encodings:
        outcome = f"{pair.wins} won, {pair.losses} lost, {pair.ties} tied"
        line = f"{pair.one} against {pair.other}: {outcome}, p {_write_chance(pair.chance)}"
        if pair.difference is not None:
            interval = _write_interval(pair.low, pair.high, "+.3f")
            line += f", difference {pair.difference:+.3f} s{interval and f' ({interval})'}"
        console.print(line, soft_wrap=True)
    console.print()
    console.print(_describe_conditions(ended, conditions), soft_wrap=True)


def _print_failures(console: Console, ended: Sequence[Run]) -> None:
    """What went wrong, once for all instances, and which counts contradict each other."""
    instances: dict[str, list[str]] = {}
    for run in ended:
        if ":" in run.status:
            failure = f"{run.combination.label}: {run.status}"
            names = instances.setdefault(failure, [])
            if run.combination.instance not in names:
                names.append(run.combination.instance)
    for failure, names in instances.items():
        console.print(f"{', '.join(names)}: {failure}", soft_wrap=True)
    for message in list_missed(ended):
        console.print(message, soft_wrap=True)
    for message in contradictions(ended):
        console.print(f"disputed: {message}", soft_wrap=True)
    if sentence := describe_unsupported(ended):
        console.print(f"unsupported: {printable(sentence)}", soft_wrap=True)


def _print_pairs(console: Console, ended: Sequence[Run], timeout: float) -> None:
    """Wins and losses of each pair of choices; of many, of the pairs with the best choice."""
    rows = pairs(ended, timeout)
    number = len(rows)
    if not rows:
        return
    if number > MAX_PAIRS:
        best = label_choice(find_best_choice(ended, timeout))
        rows = [pair for pair in rows if best in (pair.one, pair.other)]
        others = "the other pairs are in the output of --json"
        console.print()
        console.print(f"Pairs with {best}; {others}:", soft_wrap=True)
    console.print()
    table = Table("choice", "against", box=None, pad_edge=False)
    for column in ("wins", "losses", "ties", "p", "difference s", "95 % interval"):
        table.add_column(column, justify="right")
    for pair in rows:
        numbers = map(str, (pair.wins, pair.losses, pair.ties))
        difference = "" if pair.difference is None else f"{pair.difference:+.3f}"
        interval = _write_interval(pair.low, pair.high, "+.3f")
        chance = _write_chance(pair.chance)
        table.add_row(pair.one, pair.other, *numbers, chance, difference, interval)
    console.print_table(table)
    console.print(_explain_pairs(number), soft_wrap=True)


def _print_scores(console: Console, ended: Sequence[Run], timeout: float) -> None:
    """The scores over all instances, and those over each family if there are several."""
    if not are_comparable(ended, timeout):
        console.print(
            "Not all choices were run on the same instances, so their scores cannot be compared "
            "and have no order; the virtual best is over those that all were run on.",
            soft_wrap=True,
        )
        console.print()
    console.print_table(_score_table(ended, timeout))
    families = group_by_family(ended)
    for family, own in families.items() if len(families) > 1 else ():
        number = len({run.combination.instance for run in own})
        console.print()
        console.print(f"{printable(family) or 'formulas'}, {plural(number, 'instance')}:")
        console.print_table(_score_table(own, timeout))


def _print_few_instances(console: Console, ended: Sequence[Run]) -> None:
    number = len({run.combination.instance for run in ended})
    if number < LEAST_INSTANCES:
        console.print()
        console.print(
            f"{plural(number, 'instance')}: an interval needs at least {LEAST_INSTANCES}.",
            soft_wrap=True,
        )


def _write_interval(low: float | None, high: float | None, form: str) -> str:
    return "" if low is None or high is None else f"{low:{form}} to {high:{form}}"


def _write_chance(chance: float) -> str:
    return f"< {LEAST_CHANCE}" if chance < LEAST_CHANCE else f"{chance:.3f}"


def _explain_pairs(number: int) -> str:
    """What the columns of the pairs mean."""
    percent = round(100 * (TIE_FACTOR - 1))
    text = (
        f"A tie: of the two medians on an instance, the larger one is at most {percent} %, or "
        f"{TIE_S:g} s, above the other. p: sign test of wins against losses. Difference: the time "
        f"of the choice minus that of the other, median over the instances that are no tie, with "
        f"its exact interval; if 0 is in it, no difference is shown."
    )
    return f"{text} Neither is corrected for the {number} pairs." if number > 1 else text


def _score_table(ended: Sequence[Run], timeout: float) -> Table:
    axes = _axes(run.combination for run in ended)
    table = Table(*axes, box=None, pad_edge=False)
    for column in ("PAR-2 s", "95 % interval", "completed", "runs"):
        table.add_column(column, justify="right")
    for row in par2(ended, timeout):
        table.add_row(
            *(getattr(row, axis) for axis in axes),
            f"{row.par2:.3f}",
            _write_interval(row.low, row.high, ".3f"),
            f"{row.completed} of {row.instances}",
            _describe_runs(row),
        )
    return table


def _describe_runs(row: Score) -> str:
    """How many runs are complete, of those that were not refused: '27/27, 3 refused'."""
    if not row.runs:
        return ""
    text = f"{row.completed_runs}/{row.runs - row.refused_runs}"
    return f"{text}, {row.refused_runs} refused" if row.refused_runs else text


def _describe_conditions(ended: Sequence[Run], conditions: Conditions) -> str:
    """One paragraph that a reader needs to judge the figures."""
    tasks = ", ".join(sorted({run.task for run in ended}))
    repeats = max((run.repeat for run in ended), default=1)
    dates = sorted(run.date[:10] for run in ended if run.date)
    period = " to ".join(dict.fromkeys([*dates[:1], *dates[-1:]]))
    sentences = [
        f"Task: {tasks}.",
        f"Times are seconds of the processor, limit {conditions.timeout:g} s and "
        f"{conditions.memory:,} MB for each run.",
        f"{plural(conditions.jobs, 'run')} at a time; {plural(repeats, 'repeat')}; "
        f"seeds of the solvers: {_describe_seeds(ended)}; "
        f"order shuffled with seed {conditions.shuffle}; {_describe_sessions(ended)}.",
        f"jigsat {conditions.jigsat} (code {conditions.code[:SHOWN_DIGITS]}), "
        f"Python {conditions.python}; {conditions.machine}"
        f"{period and '; '}{period}.",
    ]
    if any(len(summary.runs) > 1 for summary in summarize(ended)):
        sentences.insert(
            1,
            "Each row of the first table is the median run, of an even number of runs the slower "
            "one of the two in the middle; the range is that of the runs with an answer.",
        )
    if odd := describe_odd_times(ended):
        sentences.append(f"{odd}.")
    sentences += _describe_programs(ended)
    sentences += _describe_circumstances(ended)
    for backend, (equal, cases) in count_equal_seeds(ended).items():
        if equal:
            sentences.append(
                f"In {equal} of {plural(cases, 'case')} the seeds of {backend} gave the same run "
                f"(the same conflicts and propagations, as far as they are known)."
            )
    if unknown := list_unknown_seeds(ended):
        sentences.append(
            f"Whether the seeds of {join_words(unknown)} gave different runs is not known: jigsat "
            f"does not learn the number of conflicts."
        )
    sentences += _describe_waiting(ended)
    if conditions.changes:
        sentences.append(f"Changed in the puzzles: {conditions.changes}.")
    solvers = sorted({_describe_solver(run) for run in ended if run.solver})
    if solvers:
        sentences.append(f"Solvers: {'; '.join(solvers)}.")
    return printable(" ".join(sentences))


def _describe_circumstances(ended: Sequence[Run]) -> list[str]:
    """How long all took, and what else the machine did."""
    known = find_circumstances(ended)
    if known is None:
        return []
    parts = [f"The runs took {known.duration:,.1f} s on the wall in total"]
    if known.load_most is not None:
        at_start, at_end = (
            "unknown" if load is None else f"{load:.2f}"
            for load in (known.load_start, known.load_end)
        )
        most = f"at most {known.load_most:.2f}"
        parts.append(f"load average {at_start} at the start, {at_end} at the end, {most}")
    if known.niceness:
        parts.append(f"niceness {join_words(list(map(str, known.niceness)))}")
    return [f"{'; '.join(parts)}."]


def _describe_programs(ended: Sequence[Run]) -> list[str]:
    """What the times of programs contain, and whether they are compared with libraries."""
    done = [run for run in ended if run.complete]
    programs = sorted({run.combination.backend for run in done if run.program is not None})
    libraries = sorted({run.combination.backend for run in done if run.program is None})
    if not programs:
        return []
    sentence = (
        f"The s of a program ({join_words(programs)}), which counts for scores and the limit, "
        f"contains the time in which jigsat writes the formula, starts the program, reads its "
        f"answer and checks it (files s); program s is the program's own, and so are the MB."
    )
    if libraries:
        sentence += f" A library ({join_words(libraries)}) has no files to write and read."
    return [sentence]


def _describe_waiting(ended: Sequence[Run]) -> list[str]:
    """How many runs took much longer on the wall than on the processor."""
    long_runs = [run for run in ended if run.wall > 2 * run.seconds + LONG_WAIT_S]
    if not long_runs:
        return []
    names = count_by_name(run.combination.backend for run in long_runs)
    return [
        f"{len(long_runs)} of {plural(len(ended), 'run')} took more time on the wall than twice "
        f"their processor time and {LONG_WAIT_S:g} s ({names}): the solver waited, or "
        f"the machine had other work."
    ]


def _describe_solver(run: Run) -> str:
    return f"{run.solver} ({run.options})" if run.options else run.solver


def _describe_sessions(ended: Sequence[Run]) -> str:
    """How often the comparison was resumed."""
    resumed = count_sessions(ended) - 1
    return f"resumed {plural(resumed, 'time')}" if resumed > 0 else "not resumed"


def _describe_seeds(ended: Sequence[Run]) -> str:
    """The seeds, and which solvers take them."""
    seeds = sorted({run.seed for run in ended if run.seed is not None})
    if not seeds:
        return "their defaults"
    seeded = sorted({run.combination.backend for run in ended if run.seed is not None})
    others = sorted({run.combination.backend for run in ended} - set(seeded))
    numbers = ", ".join(map(str, seeds))
    if not others:
        return numbers
    return f"{numbers} for {join_words(seeded)}; {join_words(others)} ran without one"
