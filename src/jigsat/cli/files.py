"""Commands that write and read files: export and decode."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from io import TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel

from jigsat import instance
from jigsat.cli import options
from jigsat.cli.colour import print_picture
from jigsat.cli.common import (
    app,
    print_json,
    print_line,
    read_puzzle,
    reading,
    say,
    write,
    write_gallery,
    writing,
)
from jigsat.cli.inputs import Inputs, list_files
from jigsat.errors import InputError, stops_named, unknown, unwritable
from jigsat.formats.answers import MAX_ANSWER_BYTES, SolverAnswer, parse
from jigsat.formats.export import FORMATS, format_of, groups_of, lines, replace_when_complete
from jigsat.formats.export import write as write_lines
from jigsat.formula import Formula, Lowering
from jigsat.orbits import with_breaking_clause
from jigsat.puzzle import Puzzle, Solution
from jigsat.puzzle.copies import find_copies
from jigsat.runtime import untrusted
from jigsat.runtime.child import Child, within_limits
from jigsat.runtime.untrusted import Malformed
from jigsat.search.blocking import Blocking
from jigsat.services.decode import read_solutions
from jigsat.services.exchange import write_instance
from jigsat.study.playing import Playing
from jigsat.symmetry import DECLARED_LEVELS, Group, Level, Model
from jigsat.words import plural

# constraint group with the clauses that exclude solutions found earlier
BLOCKED = "known solutions"
LINES_PER_MESSAGE = 10_000  # number of lines sent at a time


@app.command()
def export(
    name: options.InstanceName,
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            help=f"the file to write: {', '.join(FORMATS)}; add .gz or .xz to compress it; - is "
            f"CNF on stdout",
        ),
    ],
    written_as: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="write the puzzle, not its formula, in its family's format",
        ),
    ] = None,
    amo: options.AtMostOne = "auto",
    settings: options.Changes = None,
    level: Annotated[
        str | None,
        typer.Option(
            "--break",
            metavar="LEVEL",
            help=f"add symmetry-breaking constraints: {', '.join(DECLARED_LEVELS[1:])}",
        ),
    ] = None,
    block: Annotated[
        Path | None,
        typer.Option(help="exclude the solutions in this output of `jigsat solve --json`"),
    ] = None,
    timeout: options.Timeout = None,
) -> None:
    """Write the formula for other programs, with names in comments, or with --format the puzzle,
    such as a sudoku as sdk."""
    limits, lowering = options.limits_from_options(timeout), options.chosen_lowering(amo)
    if written_as is not None:
        if option := options.first_given(
            {"--amo": amo != "auto", "--break": level, "--block": block}
        ):
            raise InputError(
                f"{option} applies to the formula, but --format {written_as} writes the puzzle; "
                f"leave one out"
            )
        with reading(name, limits):
            text = foreign_text(instance.load_all(name, **options.changes(settings)), written_as)
        write(output, [text])
        return
    to_stdout = str(output) == "-"
    output = Path("stdout.cnf") if to_stdout else output
    format_of(output)
    puzzle = read_puzzle(name, settings, limits)
    job = partial(_export, puzzle, output, lowering, level, block)
    if to_stdout:
        with stops_named("stdout: not written completely"):
            for text in Child(job, timeout=limits.timeout):
                print(text, end="")
        return
    with (
        writing(output),
        replace_when_complete(output) as beside,
        stops_named(f"{output}: not written"),
    ):
        write_lines(beside, Child(job, timeout=limits.timeout), output.suffix)


def foreign_text(puzzles: Sequence[Puzzle], name: str) -> str:
    """The text of a file of another program. Raises InputError if the family does not have this
    format."""
    kind = type(puzzles[0])
    writers = kind.writers()
    if name not in writers:
        none = f"the family {kind.family} has no format of another program"
        raise InputError(
            f"--format: {unknown('format', name, sorted(writers)) if writers else none}"
        )
    return writers[name](puzzles)


@app.command("import")
def import_files(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help="other programs' files, recognised by their content"
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="INSTANCE", help="the .toml file to write, or a folder"
        ),
    ],
    distinct: Annotated[
        bool, typer.Option("--distinct", help="list and leave out copies, also up to symmetry")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="overwrite an existing file")] = False,
    timeout: options.Timeout = None,
) -> None:
    """Write the puzzles of other programs as instances: crosswords, sudokus, piece lists, boards,
    exact covers."""
    inputs = Inputs(list_files([str(file) for file in files]))
    require_output(output, len(inputs.files))
    limits = options.limits_from_options(timeout)
    inputs.read(None, limits)
    every = list(chain(*inputs.puzzles.values()))
    with stops_named("--distinct"), limits.hold():
        copies = list(find_copies(every)) if distinct else [""] * len(every)
    for puzzle, copy in zip(every, copies, strict=True):
        if copy:
            print_line(f"{puzzle.name} is {copy}")
    if distinct:
        print_line(f"{plural(copies.count(''), 'different puzzle')} of {len(every):,}")
    write_puzzles(inputs, [not copy for copy in copies], output, force=force)
    inputs.require_all()


def require_output(output: Path, files: int) -> None:
    """Raise InputError unless instances of this number of files can be written there: to a file, or
    to a folder for several, which is created."""
    if output.is_dir():
        return
    if output.suffix == ".toml":
        if files > 1:
            raise InputError(f"{output}: name a folder, because there are {files:,} files")
        return
    if output.suffix:
        raise InputError(
            f"{output}: an instance is a TOML file; name a file that ends in .toml, or a folder, "
            f"whose name has no suffix"
        )
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(output, error) from error


def write_puzzles(
    inputs: Inputs,
    kept: Iterable[bool],
    output: Path,
    *,
    force: bool = False,
) -> None:
    """Write an instance with those puzzles of each file that are kept, if there are any. A file
    that cannot be written is reported and skipped."""
    remaining = iter(kept)
    origins: dict[Path, str] = {}
    for file, puzzles in inputs.puzzles.items():
        keeps = list(islice(remaining, len(puzzles)))
        numbers = [number for number, keep in enumerate(keeps) if keep]
        if not numbers:
            continue
        source = instance.find(file)
        path = output / f"{source.stem}.toml" if output.is_dir() else output
        try:
            if path in origins:
                raise InputError(
                    f"{file}: {path} was written for {origins[path]}; rename one of the files"
                )
            write_instance(source, puzzles, numbers, path, force=force)
            origins[path] = file
        except InputError as error:
            inputs.skip(error)


def _export(
    puzzle: Puzzle, output: Path, lowering: Lowering, level: str | None, block: Path | None
) -> Iterator[str]:
    """The formula in the format of the output, in long texts, because each item from a child
    process takes time."""
    formula = puzzle.encode()
    if level is not None or block is not None:
        group = Group.of(formula, puzzle.symmetries())
        extended = formula.extended() if level is None else _break(formula, group, level)
        if block is not None:
            against = Blocking(formula).literals
            with extended.rule(BLOCKED):
                for model in _read_known_solutions(puzzle, formula, group, block):
                    extended.clause(against(model))
        formula = extended
    whole = lines(formula, output, puzzle, lowering)
    while portion := "".join(islice(whole, LINES_PER_MESSAGE)):
        yield portion


def _break(formula: Formula, group: Group, level: str) -> Formula:
    if level not in DECLARED_LEVELS[1:]:
        raise InputError(f"--break: {unknown('level', level, DECLARED_LEVELS[1:])}")
    if (clause := group.breaking(formula, Level(level))) is None:
        say(f"jigsat: no symmetry up to {level} to break")
    return with_breaking_clause(formula, clause or (), "symmetry breaking")


class _Printed(BaseModel):
    """The part of the output of `solve --json` that is needed here."""

    found: list[list[dict[str, Any]]]
    up_to: str


def _read_known_solutions(
    puzzle: Puzzle, formula: Formula, group: Group, path: Path
) -> Iterator[Model]:
    """The solutions in an output file of `solve --json`, together with those that were counted as
    the same solution."""
    try:
        said = untrusted.validate_data(_Printed, untrusted.parse_json(untrusted.content(path)))
    except Malformed as error:
        raise InputError(f"{path}: not an output of `jigsat solve --json`: {error}") from error
    try:
        level = Level.parse(said.up_to, declared=True)
    except ValueError as error:
        raise InputError(f"{path}: up_to: {error}") from None
    playing, variables = (
        Playing(puzzle),
        {formula.key(variable): variable for variable in formula.decisions()},
    )
    blocked: set[Model] = set()
    for i, described in enumerate(said.found):
        placements = playing.read_placements(described, f"{path}: found.{i}.")
        model = frozenset(map(variables.__getitem__, placements))
        if len(model) < len(placements):
            raise InputError(f"{path}: found.{i}: a placement is repeated")
        for broken in puzzle.check(placements):
            raise InputError(f"{path}: found.{i}: not a solution of {puzzle.name}: {broken}")
        for member in sorted(group.orbit(model, level) - blocked, key=sorted):
            blocked.add(member)
            yield member


def _stdin() -> str:
    """The text on stdin; reading stops when it is known to be too large."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    try:
        return sys.stdin.read(MAX_ANSWER_BYTES + 1) if sys.stdin else ""
    except OSError as error:
        raise untrusted.unreadable("stdin", error) from error


@app.command()
def decode(
    name: options.InstanceName,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="the output of a solver, or - for stdin")
    ],
    exported: Annotated[
        Path | None,
        typer.Option("--formula", help="the exported file that was given to the solver"),
    ] = None,
    settings: options.Changes = None,
    show: Annotated[int, typer.Option(min=0, help="number of solutions to draw")] = 3,
    picture: options.PictureOption = None,
    timeout: options.Timeout = None,
    as_json: options.AsJson = False,
) -> None:
    """Check and draw another solver's answer to an exported formula."""
    limits = options.limits_from_options(timeout)
    origin = "the answer on stdin" if file == "-" else file
    with reading(name, limits):
        puzzle = instance.load(name, **options.changes(settings))
        text = (
            _stdin()
            if file == "-"
            else untrusted.content(Path(file), MAX_ANSWER_BYTES).decode(errors="replace")
        )
    with stops_named(f"{origin}: not checked"):
        answer, found, blocked = within_limits(
            _decode_answer, puzzle, text, origin, exported, timeout=limits.timeout
        )
    if as_json:
        objects = [solution.objects() for solution in found]
        print_json(
            {
                "instance": puzzle.name,
                "status": answer.status,
                "solutions": len(found),
                "found": objects,
            }
        )
    else:
        for i, solution in enumerate(found[:show], 1):
            print_picture(solution.text(), f"Solution {i}")
        if answer.status == "satisfiable":
            twice = len(answer.models) - len(found)
            same = (
                f" ({twice} more {'differs' if twice == 1 else 'differ'} only in auxiliary "
                f"variables)"
                if twice
                else ""
            )
            print_line(
                f"{puzzle.name}: {plural(len(found), 'solution')} in {origin}, checked{same}"
            )
        elif answer.status == "unsatisfiable":
            besides = " besides those excluded in the formula" if blocked else ""
            print_line(
                f"{puzzle.name}: no solution{besides} according to {origin}; this is not checked"
            )
    if picture is not None and found:
        write_gallery(picture, [solution.svg() for solution in found[:show]], limits)
    if answer.status == "unknown":
        say(f"jigsat: {origin}: the solver gave up")
        raise typer.Exit(3)


def _decode_answer(
    puzzle: Puzzle, text: str, origin: str, exported: Path | None
) -> tuple[SolverAnswer, list[Solution], bool]:
    """An answer, its solutions, which are checked, and whether the file excludes known ones."""
    formula = puzzle.encode()
    groups = groups_of(exported, formula, puzzle) if exported else []
    try:
        answer = parse(text)
        found = read_solutions(puzzle, formula, answer)
    except InputError as error:
        raise InputError(f"{origin}: {error}") from error
    return answer, found, BLOCKED in groups
