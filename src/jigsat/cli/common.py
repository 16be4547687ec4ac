"""What the commands share: the application, common options, output and exit.

Answers go to stdout, progress and errors to stderr.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.main import get_command

from jigsat import instance
from jigsat.errors import InputError, printable, stops_named, unknown, unwritable
from jigsat.formula import AT_MOST_ONE, Lowering
from jigsat.runtime import Limits
from jigsat.symmetry import EVERY_LEVEL, LEVELS

if TYPE_CHECKING:
    from jigsat.cli.console import Console
    from jigsat.puzzle import Puzzle
    from jigsat.subject import FormulaSubject

EXIT_STATUS = (
    "Exit status: 0 answered; 1 refuted by `check`, or contradictory counts; 2 wrong input; 3 stopped before the answer, or "
    "the output cannot be written; 130, 143 or 129 stopped by Ctrl-C, SIGTERM or SIGHUP; what was found is kept. A closed "
    "pipe does not change the status."
)

HEADINGS = {
    "Solve puzzles": ("solve", "count", "unique", "estimate", "sample", "list", "serve"),
    "Make and print puzzles": ("generate", "rate", "sheet"),
    "Encodings, solvers and proofs": ("explain", "compare", "backends", "prove", "check"),
    "Exchange files with other programs": ("import", "export", "decode"),
    "Long runs": ("ledger",),
    "Write instances and families": ("schema", "new"),
}
"""The commands under their headings in `jigsat --help`."""

app = typer.Typer(
    help="Find every solution of a puzzle, count them up to symmetry, and check each one.",
    epilog=EXIT_STATUS,
    pretty_exceptions_enable=False,
)


PICTURES = (".svg", ".png", ".pdf")
"""The suffixes of pictures. A file without a suffix is SVG."""


def _picture_file(path: Path | None) -> Path | None:
    """Refuse a file that could not be written, before the search starts."""
    if path is not None:
        check_output(path, PICTURES, f"--picture {path}")
    return path


def check_output(path: Path, suffixes: Sequence[str], what: str) -> None:
    """Raise InputError if a picture could not be written to this file; `what` names the file in messages."""
    from jigsat.pictures.rendering import require

    suffix = path.suffix.lower()
    if suffix and suffix not in suffixes:
        raise InputError(f"{what}: unknown suffix; name a file that ends in {', '.join(suffixes[:-1])} or {suffixes[-1]}")
    require(suffix, what)
    try:
        if not path.parent.is_dir():
            raise InputError(f"{path}: cannot be written: no such directory")
    except OSError as error:
        raise unwritable(path, error) from error


def instance_names(incomplete: str) -> list[str]:
    """Names for the completion of shells, which completes paths by itself."""
    return [name for name in instance.shipped() if name.startswith(incomplete)]


InstanceName = Annotated[
    str,
    typer.Argument(
        metavar="INSTANCE", help="a name from `jigsat list`, or the path of a TOML file", autocompletion=instance_names
    ),
]
Counted = Annotated[
    str,
    typer.Argument(
        metavar="INSTANCE",
        help="a name from `jigsat list`, or the path of a TOML, DIMACS or OPB file",
        autocompletion=instance_names,
    ),
]
InstanceNames = Annotated[
    list[str],
    typer.Argument(
        metavar="INSTANCE",
        help="names from `jigsat list`, or paths of files with one or more puzzles",
        autocompletion=instance_names,
    ),
]
Backend = Annotated[str, typer.Option("--backend", help="a name from `jigsat backends`, the path of a program, or auto")]
Timeout = Annotated[float | None, typer.Option("--timeout", min=0, metavar="SECONDS", help="stop after this many seconds")]
Memory = Annotated[int | None, typer.Option("--memory", min=1, metavar="MB", help="memory limit of the search in MB")]
Jobs = Annotated[int, typer.Option("--jobs", min=1, metavar="N", help="number of processes to search with")]
AtMostOne = Annotated[str, typer.Option("--amo", help=f"at-most-one encoding: auto, {', '.join(AT_MOST_ONE)}")]
UpTo = Annotated[str, typer.Option("--up-to", help=f"count solutions up to these symmetries: {', '.join(LEVELS)}")]
UpToAny = Annotated[str, typer.Option("--up-to", help=f"count solutions up to these symmetries: {', '.join(EVERY_LEVEL)}")]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="ENTRY=VALUE", help="override an entry of the file, e.g. board='square 4x4'"),
]
PictureFile = Annotated[
    Path | None,
    typer.Option(
        "--picture", "--svg", callback=_picture_file, metavar="FILE.svg|png|pdf", help="write the drawn solutions to this file"
    ),
]
Verbose = Annotated[bool, typer.Option("--verbose", help="print on stderr how the search is done and why")]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print_line(f"jigsat {version('jigsat')}")
        raise typer.Exit


@app.callback()
def _commands(
    _: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="print the version and exit")
    ] = False,
) -> None:
    pass


def program() -> str:
    """How to start this command line: jigsat, or the script that called `jigsat.main`."""
    name = Path(sys.argv[0]).name
    return f"python {name}" if name.endswith(".py") and name != "__main__.py" else "jigsat"


def _arrange_commands() -> None:
    """Put the commands in the order of `HEADINGS`, under these headings."""
    headings = {name: heading for heading, names in HEADINGS.items() for name in names}
    names = {id(command): command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}
    app.registered_commands.sort(key=lambda command: [*headings].index(names[id(command)]))
    for command in app.registered_commands:
        command.rich_help_panel = headings[names[id(command)]]


def run_command(arguments: list[str]) -> tuple[int, str]:
    """Run a command; returns its exit status and an error message about the arguments, if any."""
    _arrange_commands()
    try:
        with get_command(app).make_context(program(), arguments or ["--help"]) as context:
            context.command.invoke(context)
    except typer.Exit as left:
        return left.exit_code, ""
    except typer.TyperException as error:
        command = getattr(getattr(error, "ctx", None), "command_path", program())
        message = " ".join(error.format_message().split()).rstrip(".")
        return error.exit_code, printable(f"{message} (see `{command} --help`)")
    return 0, ""


def print_line(line: str = "") -> None:
    """Print one line of the answer on stdout."""
    print(printable(line), flush=True)


SCHEMA = 1
"""The version of the JSON output, the first entry of each object. It is increased by any change that could break a program
that reads the output."""


def print_json(said: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> None:
    """Print an object, or a list of objects, on one line."""
    whole = {"schema": SCHEMA, **said} if isinstance(said, Mapping) else [{"schema": SCHEMA, **each} for each in said]
    print(json.dumps(whole), flush=True)


def say(message: str) -> None:
    """Print a line of progress or a warning on stderr."""
    print(printable(message), file=sys.stderr)


def print_log() -> None:
    """Print the decisions about the search on stderr as they are made."""
    handler = logging.StreamHandler()
    handler.emit = lambda record: say(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("jigsat").addHandler(handler)
    logging.getLogger("jigsat").setLevel(logging.INFO)


def terminal() -> Console | None:
    """The console for live output, or None if stderr is not a terminal."""
    if not sys.stderr.isatty():
        return None
    from jigsat.cli.console import Console

    return Console(file=getattr(sys.stderr, "rich_proxied_file", sys.stderr))


def limited(timeout: float | None, memory: int | None = None) -> Limits:
    """The limits given by the options; the time starts now."""
    return Limits(timeout, None if memory is None else memory * 2**20)


@contextmanager
def reading(name: str, limits: Limits) -> Iterator[None]:
    """Enforce the limits while an instance is read and encoded; the message of an exceeded limit names the instance."""
    with stops_named(name, " while reading and encoding"), limits.hold():
        yield


def chosen_lowering(amo: str) -> Lowering:
    """The lowering given by the options."""
    try:
        return Lowering(at_most_one=amo)
    except ValueError as error:
        raise InputError(f"--amo: {error}") from error


def problem_in(name: str, settings: list[str] | None) -> Puzzle | FormulaSubject:
    """The puzzle of an instance, or the formula in a DIMACS or OPB file."""
    from jigsat.subject import FormulaSubject

    path = Path(name)
    if path.suffix:  # names of instances have no suffix, and counting them does not need the formats
        from jigsat.formats import is_formula, read_formula

        if is_formula(path):
            if settings:
                raise InputError(f"--set {settings[0]}: {name} is a formula and has no entries")
            return FormulaSubject(read_formula(path), name=path.name)
    return instance.load(name, **changes(settings))


def changes(settings: list[str] | None) -> dict[str, Any]:
    """The entries given by `--set`; a value is a TOML value or a plain word."""
    if not settings:
        return {}
    import tomllib

    found: dict[str, Any] = {}
    for setting in settings:
        entry, equals, value = setting.partition("=")
        if not (entry and equals):
            raise InputError(f"--set {setting}: write ENTRY=VALUE")
        try:
            data = instance.toml(f"value = {value}")
        except tomllib.TOMLDecodeError:
            data = {}
        except ValueError as error:
            raise InputError(f"--set {entry}: {error}") from error
        found[entry] = data["value"] if data.keys() == {"value"} else value
    return found


def level(up_to: str, levels: Sequence[str] = LEVELS) -> str:
    """The level given by an option."""
    if up_to not in levels:
        raise InputError(f"--up-to: {unknown('level', up_to, levels)}")
    return up_to


def write(path: Path, lines: Iterable[str], *, new: bool = False) -> None:
    """Write a text file. With `new`, an existing file is not overwritten. `writing` lists the errors."""
    from jigsat.formats import save

    with writing(path):
        save(path, lines, new=new)


def write_pictures(path: Path, pages: Sequence[str], title: str = "") -> None:
    """Write SVG documents, one per page, in the format given by the suffix. It raises the errors of `writing`.

    Call it last: Typst starts threads, and forking a process with threads is not safe.
    """
    from jigsat.formats import replaced
    from jigsat.pictures.rendering import rendered

    data = rendered(pages, path.suffix.lower(), title)
    with writing(path), replaced(path) as beside:
        beside.write_bytes(data)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """State why a file cannot be written: InputError for a wrong name, Stopped if the disk is full or broken."""
    try:
        yield
    except FileExistsError as error:
        raise InputError(f"{path}: exists already; use --force to overwrite it") from error
    except OSError as error:
        raise unwritable(path, error) from error
