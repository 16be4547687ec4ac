"""What the commands share: the application, options, and how one leaves.

Answers go to stdout, words about the work and complaints to stderr.
"""

from __future__ import annotations

import json
import sys
import tomllib
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
from jigsat.symmetry import LEVELS

if TYPE_CHECKING:
    from jigsat.cli.console import Console

EXIT_STATUS = (
    "Exit status: 0 answered; 1 refuted by `check`, or two counts differ; 2 wrong input; 3 stopped before the answer, or the "
    "output cannot be written; 130, 143 or 129 stopped by Ctrl-C, SIGTERM or SIGHUP, with what was found until then. A closed "
    "pipe changes none of them."
)

app = typer.Typer(
    help="Every solution of a puzzle, counted up to symmetry, each one checked.",
    epilog=EXIT_STATUS,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _svg_file(path: Path | None) -> Path | None:
    """Refuse at once what cannot be written in the end."""
    if path is None:
        return None
    if path.suffix.lower() not in (".svg", ""):
        raise InputError(f"--svg {path}: pictures are written as SVG; name a file that ends in .svg")
    try:
        if not path.parent.is_dir():
            raise InputError(f"{path}: cannot be written: no such directory")
    except OSError as error:
        raise unwritable(path, error) from error
    return path


InstanceName = Annotated[str, typer.Argument(metavar="INSTANCE", help="a name of `jigsat list`, or the path of a TOML file")]
Backend = Annotated[str, typer.Option("--backend", help="a name of `jigsat backends`, the path of a program, or auto")]
Timeout = Annotated[
    float | None,
    typer.Option("--timeout", min=0, metavar="SECONDS", help="stop after this many seconds"),
]
Memory = Annotated[int | None, typer.Option("--memory", min=1, metavar="MB", help="memory limit of the search in MB")]
Jobs = Annotated[int, typer.Option("--jobs", min=1, metavar="N", help="search in this number of processes")]
AtMostOne = Annotated[str, typer.Option("--amo", help=f"at-most-one encoding: auto, {', '.join(AT_MOST_ONE)}")]
UpTo = Annotated[str, typer.Option("--up-to", help=f"what counts as one solution: {', '.join(LEVELS)}")]
Changes = Annotated[list[str] | None, typer.Option("--set", metavar="ENTRY=VALUE", help="another entry than the file's")]
SvgFile = Annotated[
    Path | None,
    typer.Option("--svg", callback=_svg_file, metavar="FILE.svg", help="draw the shown solutions into this file"),
]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]


@app.callback()
def _commands() -> None:
    """Makes typer take the first argument for a command even if only one is there."""


def run_command(arguments: list[str]) -> tuple[int, str]:
    """Carry out a command; its exit status, and what is wrong with the arguments."""
    try:
        with get_command(app).make_context("jigsat", arguments or ["--help"]) as context:
            context.command.invoke(context)
    except typer.Exit as left:
        return left.exit_code, ""
    except typer.TyperException as error:
        command = getattr(getattr(error, "ctx", None), "command_path", "jigsat")
        message = " ".join(error.format_message().split()).rstrip(".")
        return error.exit_code, printable(f"{message} (see `{command} --help`)")
    return 0, ""


def print_line(line: str = "") -> None:
    """Print a line of the answer."""
    print(printable(line), flush=True)


SCHEMA = 1
"""The version of the JSON that the commands print, in each object as its first entry. A change that could break a reader of
it has another number."""


def print_json(said: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> None:
    """Print an object, or a list of objects, on one line."""
    whole = {"schema": SCHEMA, **said} if isinstance(said, Mapping) else [{"schema": SCHEMA, **each} for each in said]
    print(json.dumps(whole), flush=True)


def say(message: str) -> None:
    """Words about the work."""
    print(printable(message), file=sys.stderr)


def terminal() -> Console | None:
    """What to show live on, if a person looks at stderr."""
    if not sys.stderr.isatty():
        return None
    from jigsat.cli.console import Console

    return Console(file=getattr(sys.stderr, "rich_proxied_file", sys.stderr))


def limited(timeout: float | None, memory: int | None = None) -> Limits:
    """The limits that the options ask for; the time runs from now on."""
    return Limits(timeout, None if memory is None else memory * 2**20)


@contextmanager
def reading(name: str, limits: Limits) -> Iterator[None]:
    """Hold the limits while an instance is read and encoded, and name it in the message if one is exceeded."""
    with stops_named(name, " while reading and encoding"), limits.hold():
        yield


def chosen_lowering(amo: str) -> Lowering:
    """The lowering that the options ask for."""
    try:
        return Lowering(at_most_one=amo)
    except ValueError as error:
        raise InputError(f"--amo: {error}") from error


def changes(settings: list[str] | None) -> dict[str, Any]:
    """The entries that the options set: a value as TOML has it, or a word as it stands."""
    found: dict[str, Any] = {}
    for setting in settings or ():
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


def level(up_to: str) -> str:
    """The level that an option asks for."""
    if up_to not in LEVELS:
        raise InputError(f"--up-to: {unknown('level', up_to, LEVELS)}")
    return up_to


def write(path: Path, lines: Iterable[str], *, new: bool = False) -> None:
    """Write a text file, or say why it cannot be written; with `new`, a file that exists is left as it is."""
    from jigsat.formats import save

    with writing(path):
        save(path, lines, new=new)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say why a file cannot be written: InputError if its name is wrong, Stopped if the disk is full or broken."""
    try:
        yield
    except FileExistsError as error:
        raise InputError(f"{path}: exists already; use --force to overwrite it") from error
    except OSError as error:
        raise unwritable(path, error) from error


def plural(count: int, noun: str) -> str:
    """A number with its noun: 1 solution, 2 solutions."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
