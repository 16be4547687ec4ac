"""The commands `export`, `import` and `decode`, which exchange files with other programs."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache, partial
from io import TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any

import typer

from jigsat import instance
from jigsat.cli import options
from jigsat.cli.colour import print_picture, print_warning
from jigsat.cli.common import (
    STDOUT,
    app,
    print_json,
    print_line,
    read_puzzle,
    reading,
    say,
    write_gallery,
)
from jigsat.cli.inputs import Inputs
from jigsat.cli.streams import write_bytes
from jigsat.errors import InputError, stops_named, unknown, unwritable
from jigsat.formats.answers import MAX_ANSWER_BYTES, SolverAnswer
from jigsat.formats.export import FORMATS, format_of
from jigsat.objects import Measures, read_material
from jigsat.puzzle import Puzzle
from jigsat.puzzle.copies import find_copies
from jigsat.runtime import untrusted
from jigsat.runtime.child import Child, within_limits
from jigsat.runtime.limits import Limits
from jigsat.services.decode import DecodeRequest, read_answer
from jigsat.services.decode import decode as decode_answer
from jigsat.services.exchange import write_instance
from jigsat.services.export import (
    OBJECTS,
    ExportRequest,
    NothingToBreak,
    choose_format,
    export_formula,
    export_objects,
    export_puzzles,
    write_objects,
)
from jigsat.services.export import write_puzzles as write_puzzles_as
from jigsat.services.faults import FaultyFile, find_faults
from jigsat.services.files import list_files, write_file
from jigsat.subject import PuzzleSubject
from jigsat.symmetry import DECLARED_LEVELS, Level
from jigsat.words import join_words, plural

MAX_LINE = 10_000  # characters of a line of a table that is not on a terminal


@app.command()
def export(
    name: options.InstanceName,
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            help=f"the file to write: {', '.join(FORMATS)}; add .gz or .xz to compress it; - is "
            f"stdout, for a formula in CNF",
        ),
    ],
    written_as: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="write the puzzle, not its formula, in its family's format, as its suffix, such "
            "as .puz, does too; stl and svg-laser are its pieces, for a 3-D printer or a laser "
            "cutter",
        ),
    ] = None,
    cell: Annotated[
        float | None,
        typer.Option(metavar="MM", help="with stl or svg-laser: the width of a cell (10)"),
    ] = None,
    thickness: Annotated[
        float | None,
        typer.Option(metavar="MM", help="that of flat pieces (half of a cell)"),
    ] = None,
    clearance: Annotated[
        float | None,
        typer.Option(metavar="MM", help="how far each side lies back, so that pieces fit (0.1)"),
    ] = None,
    kerf: Annotated[
        float | None,
        typer.Option(metavar="MM", help="the width of what the laser burns away (0.15)"),
    ] = None,
    material: Annotated[
        str | None,
        typer.Option(metavar="WxH", help="the size of a sheet or a print bed in mm (300x200)"),
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
    limits = options.limits_from_options(timeout)
    lowering = options.chosen_lowering(amo)
    read_all = cache(partial(_read_all, name, settings, limits))
    if written_as is None and str(output) != STDOUT:
        written_as = choose_format(output, read_all)
    lengths = {"cell": cell, "thickness": thickness, "clearance": clearance, "kerf": kerf}
    measures = _read_measures(lengths, material)
    if measures is not None and written_as not in OBJECTS:
        raise InputError(
            "--cell, --thickness, --clearance, --kerf and --material are for --format stl and "
            "--format svg-laser; leave them out"
        )
    if written_as is not None:
        formula_options = {"--amo": amo != "auto", "--break": level, "--block": block}
        option = options.first_given(formula_options)
        if option:
            raise InputError(
                f"{option} applies to the formula, but --format {written_as} writes the puzzle; "
                f"leave one out"
            )
        if written_as in OBJECTS:
            puzzle = read_puzzle(name, settings, limits)
            _export_objects(puzzle, output, written_as, measures or Measures())
            return
        with reading(name, limits):
            if str(output) == STDOUT:
                _print_file(export_puzzles(read_all(), written_as))
            else:
                write_puzzles_as(read_all(), written_as, output)
        return

    to_stdout = str(output) == STDOUT
    path = Path("stdout.cnf") if to_stdout else output
    format_of(path)
    if level is not None and level not in DECLARED_LEVELS[1:]:
        raise InputError(f"--break: {unknown('level', level, DECLARED_LEVELS[1:])}")
    puzzle = read_puzzle(name, settings, limits)
    breaking = Level.NOTHING if level is None else Level(level)
    request = ExportRequest(PuzzleSubject(puzzle), path, lowering, breaking, block)
    if to_stdout:
        for text in _export_texts(request, limits, "stdout: not written completely"):
            print(text, end="")
    else:
        write_file(path, _export_texts(request, limits, f"{path}: not written"))


def _read_all(name: str, settings: list[str] | None, limits: Limits) -> Sequence[Puzzle]:
    with reading(name, limits):
        return instance.load_all(name, **options.changes(settings))


def _read_measures(lengths: Mapping[str, float | None], material: str | None) -> Measures | None:
    """The measures of objects; None if no option states one."""
    measures: dict[str, Any] = {
        name: length for name, length in lengths.items() if length is not None
    }
    if material is not None:
        measures["material"] = read_material(material)
    return Measures(**measures) if measures else None


def _export_objects(puzzle: Puzzle, output: Path, written_as: str, measures: Measures) -> None:
    """Write the sheets of the pieces, and say which files there are if there are several, and that
    colours are lost."""
    paths = []
    if str(output) == STDOUT:
        sheets = export_objects(puzzle, written_as, measures)
        if len(sheets) > 1:
            raise InputError(f"-: there are {len(sheets)} sheets; name a file, which is numbered")
        _print_file(sheets[0])
    else:
        paths = write_objects(puzzle, written_as, measures, output)
    if any(block.is_coloured for block in puzzle.blocks()):
        print_warning(
            f"jigsat: {puzzle.name}: the cells of the pieces have colours, which the format "
            f"{written_as} does not show; `jigsat sheet` prints them"
        )
    if len(paths) > 1:
        say(f"wrote {join_words([str(path) for path in paths])}")


def _print_file(text: str) -> None:
    """Print the text of a file, or its bytes."""
    if instance.is_bytes(text):
        write_bytes(text.encode("latin-1"))
    else:
        print(text, end="", flush=True)


def _export_texts(request: ExportRequest, limits: Limits, context: str) -> Iterator[str]:
    """The texts of a formula; the message of a stop begins with the context."""
    job = partial(export_formula, request)
    with stops_named(context), closing(Child(job, timeout=limits.timeout)) as child:
        for item in child:
            if isinstance(item, NothingToBreak):
                say(f"jigsat: no symmetry up to {item.level} to break")
            else:
                yield item


@app.command("import")
def import_files(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="other programs' files, recognised by their content, or links of puzz.link",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="INSTANCE",
            help="the .toml file to write, or a folder; - is stdout",
        ),
    ] = Path(STDOUT),
    distinct: Annotated[
        bool, typer.Option("--distinct", help="list and leave out copies, also up to symmetry")
    ] = False,
    family: Annotated[
        str, typer.Option(metavar="KIND", help="read grids that are drawn in text, as this kind")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="overwrite an existing file")] = False,
    timeout: options.Timeout = None,
) -> None:
    """Show or write puzzles of other programs as instances: links, drawn grids, crosswords,
    sudokus, piece lists, boards, exact covers."""
    inputs = Inputs(list_files(files))
    to_stdout = str(output) == STDOUT
    if not to_stdout:
        require_output(output, len(inputs.files))
    elif len(inputs.files) > 1:
        raise InputError(f"there are {len(inputs.files):,} files; name a folder with -o")
    tell = say if to_stdout else print_line
    limits = options.limits_from_options(timeout)
    inputs.read(None, limits, family)
    every = list(chain(*inputs.puzzles.values()))
    with stops_named("--distinct"), limits.hold():
        copies = list(find_copies(every)) if distinct else [""] * len(every)
    for puzzle, copy in zip(every, copies, strict=True):
        if copy:
            tell(f"{puzzle.name} is {copy}")
    if distinct:
        tell(f"{plural(copies.count(''), 'different puzzle')} of {len(every):,}")
    if to_stdout:
        numbers = [number for number, copy in enumerate(copies) if not copy]
        _print_file(instance.import_text(inputs.files[0], every, numbers, family))
        return
    write_puzzles(inputs, [not copy for copy in copies], output, drawn_as=family, force=force)
    inputs.require_all()


@app.command()
def faults(
    names: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="files of puzzles, or folders of them"),
    ],
    settings: options.Changes = None,
    timeout: options.Timeout = None,
    as_json: options.AsJson = False,
) -> None:
    """List all that is wrong or doubtful in files of puzzles, such as two clues for a word of a
    crossword. Exit status: 1 if there is anything."""
    files = list_files(names)
    limits = options.limits_from_options(timeout)
    checked: list[FaultyFile] = []
    with stops_named("faults"), limits.hold():
        for file in find_faults(files, options.changes(settings)):
            checked.append(file)
            if as_json:
                print_json(
                    {"file": file.file, "faults": [fault._asdict() for fault in file.faults]}
                )
    if not as_json:
        _print_faults(checked)
    if any(file.faults for file in checked):
        raise typer.Exit(1)


def _print_faults(files: Sequence[FaultyFile]) -> None:
    """A table with a line for each fault, and how many there are."""
    from rich.table import Table  # no other command here prints a table

    from jigsat.cli.console import Console

    table = Table("file", "place", "what is wrong", "what to do", box=None, pad_edge=False)
    for column in table.columns:
        column.no_wrap = not sys.stdout.isatty()  # in a file, each fault has one line
    for file in files:
        for fault in file.faults:
            table.add_row(file.file, *fault)
    faulty = [file for file in files if file.faults]
    if not faulty:
        print_line(f"{plural(len(files), 'file')}, no faults")
        return
    Console(width=None if sys.stdout.isatty() else MAX_LINE).print_table(table)
    print_line()
    number = sum(len(file.faults) for file in faulty)
    print_line(f"{plural(number, 'fault')} in {len(faulty):,} of {plural(len(files), 'file')}")


def require_output(output: Path, files: int) -> None:
    """Raise InputError unless instances of this number of files can be written there: to a file, or
    to a folder for several, which is created."""
    if str(output) == STDOUT:
        raise InputError("-o -: name a .toml file or a folder; stdout has other output")
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
    selection: Iterable[bool],
    output: Path,
    *,
    drawn_as: str = "",
    force: bool = False,
) -> None:
    """Write an instance with those puzzles of each file that are kept, if there are any. A file
    that cannot be written is reported and skipped. `drawn_as` is the family of drawn grids."""
    remaining = iter(selection)
    origins: dict[Path, str] = {}
    for file, puzzles in inputs.puzzles.items():
        keeps = list(islice(remaining, len(puzzles)))
        numbers = [number for number, keep in enumerate(keeps) if keep]
        if not numbers:
            continue
        path = output
        if output.is_dir():
            path = output / f"{instance.name_source(file)}.toml"
        try:
            if path in origins:
                raise InputError(
                    f"{file}: {path} was written for {origins[path]}; rename one of the files"
                )
            write_instance(file, puzzles, numbers, path, drawn_as=drawn_as, force=force)
            origins[path] = file
        except InputError as error:
            inputs.skip(error)


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
        text = _stdin() if file == "-" else read_answer(Path(file))
    request = DecodeRequest(PuzzleSubject(puzzle), text, exported, origin)
    with stops_named(f"{origin}: not checked"):
        decoded = within_limits(decode_answer, request, timeout=limits.timeout)
    answer, solutions = decoded.answer, decoded.solutions
    if as_json:
        objects = [solution.objects() for solution in solutions]
        print_json(
            {
                "instance": puzzle.name,
                "status": answer.status,
                "solutions": len(solutions),
                "found": objects,
            }
        )
    else:
        for i, solution in enumerate(solutions[:show], 1):
            print_picture(solution.text(), f"Solution {i}")
        if answer.status == "satisfiable":
            print_line(
                f"{puzzle.name}: {plural(len(solutions), 'solution')} in {origin}, checked"
                f"{_describe_equal_models(answer, len(solutions))}"
            )
        elif answer.status == "unsatisfiable":
            besides = " besides those excluded in the formula" if decoded.excludes_known else ""
            print_line(
                f"{puzzle.name}: no solution{besides} according to {origin}; this is not checked"
            )
    if picture is not None and solutions:
        write_gallery(picture, [solution.svg() for solution in solutions[:show]], limits)
    if answer.status == "unknown":
        say(f"jigsat: {origin}: the solver gave up")
        raise typer.Exit(3)


def _describe_equal_models(answer: SolverAnswer, solutions: int) -> str:
    """Why there are fewer solutions than assignments, in brackets."""
    different = {
        (frozenset(model.literals.items()), frozenset(model.symbols.items()))
        for model in answer.models
    }
    repeated = len(answer.models) - len(different)
    auxiliary = len(different) - solutions
    remarks = []
    if repeated:
        remarks.append(f"{repeated} more {'repeats' if repeated == 1 else 'repeat'} another one")
    if auxiliary:
        differ = "differs" if auxiliary == 1 else "differ"
        remarks.append(f"{auxiliary} more {differ} only in auxiliary variables")
    return f" ({'; '.join(remarks)})" if remarks else ""
