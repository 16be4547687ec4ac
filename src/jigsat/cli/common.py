"""What the commands share: the application, its output and exit. Answers go to stdout, progress and
errors to stderr."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.main import get_command

from jigsat import instance
from jigsat.cli import options
from jigsat.errors import InputError, printable, stops_named
from jigsat.runtime.child import repeating_in_waits
from jigsat.runtime.limits import Limits

if TYPE_CHECKING:
    from rich.console import RenderableType

    from jigsat.puzzle import Puzzle
    from jigsat.subject import FormulaSubject

STDOUT = "-"  # in place of the name of a file to write
PROGRESS_DELAY_S = 2.0  # seconds after which a run shows its progress
REFRESHED_EVERY_S = 0.25  # seconds between two pictures of it on a terminal
LOGGED_EVERY_S = 30.0  # seconds between two lines of progress that are not on a terminal

EXIT_STATUS = (
    "Exit status: 0 answered; 1 refuted by `check`, listed by `faults`, or contradictory counts; "
    "2 wrong input; 3 stopped before the answer, or "
    "the output cannot be written; 130, 143 or 129 stopped by Ctrl-C, SIGTERM or SIGHUP; what "
    "was found is kept. A closed "
    "pipe does not change the status."
)

app = typer.Typer(
    help="Find every solution of a puzzle, count them up to symmetry, and check each one.",
    epilog=EXIT_STATUS,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print_line(f"jigsat {version('jigsat')}")
        raise typer.Exit


@app.callback()
def _commands(
    _: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="print the version"),
    ] = False,
) -> None:
    pass


def program() -> str:
    """How to start this command line: jigsat, or the script that called `jigsat.main`."""
    name = Path(sys.argv[0]).name
    return f"python {name}" if name.endswith(".py") and name != "__main__.py" else "jigsat"


def order_commands(commands: Mapping[str, Iterable[str]]) -> None:
    """Put the commands that were imported under their headings."""
    headings = {name: heading for heading, names in commands.items() for name in names}
    names = {
        id(command): command.name or getattr(command.callback, "__name__", "")
        for command in app.registered_commands
    }
    app.registered_commands.sort(key=lambda command: [*headings].index(names[id(command)]))
    for command in app.registered_commands:
        command.rich_help_panel = headings[names[id(command)]]


def run_command(arguments: list[str], commands: Mapping[str, Iterable[str]]) -> tuple[int, str]:
    """Run one of the commands, which are listed under headings; returns its exit status and an
    error message, if any."""
    order_commands(commands)
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


# version of the JSON output; it is increased by any change that could break a program that reads
# the output
SCHEMA = 1


def print_json(content: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> None:
    """Print an object, or a list of objects, on one line."""
    whole: dict[str, Any] | list[dict[str, Any]]
    if isinstance(content, Mapping):
        whole = {"schema": SCHEMA, **content}
    else:
        whole = [{"schema": SCHEMA, **entry} for entry in content]
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


@contextmanager
def live(
    shown: Callable[[], RenderableType],
    *,
    quiet: bool = False,
    regularly: Callable[[Callable[[], None], float], AbstractContextManager[None]] = (
        repeating_in_waits
    ),
) -> Iterator[None]:
    """Show it on stderr if the block takes longer than `PROGRESS_DELAY_S`: on a terminal in place,
    four times per second.

    In a file, one line follows another, every `LOGGED_EVERY_S` seconds; tables are left out. The
    block must wait for child processes; for one that does not, `regularly` is `repeating`.
    """
    if quiet:
        yield
        return
    if not sys.stderr.isatty():

        def log() -> None:
            if isinstance(line := shown(), str):
                say(line)

        with regularly(log, LOGGED_EVERY_S):
            yield
        return
    from rich.live import Live

    from jigsat.cli.console import Console

    display = Live(
        get_renderable=shown,
        console=Console(file=getattr(sys.stderr, "rich_proxied_file", sys.stderr)),
        transient=True,
        auto_refresh=False,
        # otherwise Rich would write to the terminal what is meant for a file or a pipe
        redirect_stdout=sys.stdout.isatty(),
    )
    started = time.monotonic()

    def draw() -> None:
        if display.is_started:
            display.refresh()
        elif time.monotonic() >= started + PROGRESS_DELAY_S:
            display.start(refresh=True)

    try:
        with regularly(draw, REFRESHED_EVERY_S):
            yield
    finally:
        display.stop()


@contextmanager
def reading(name: str, limits: Limits) -> Iterator[None]:
    """Enforce the limits while an instance is read and encoded; the message of an exceeded limit
    names the instance."""
    with stops_named(name, " while reading and encoding"), limits.hold():
        yield


def read_puzzle(name: str, settings: list[str] | None, limits: Limits) -> Puzzle:
    """The puzzle of an instance, read within the limits."""
    with reading(name, limits):
        return instance.load(name, **options.changes(settings))


def problem_in(name: str, settings: list[str] | None) -> Puzzle | FormulaSubject:
    """The puzzle of an instance, or the formula in a DIMACS, WCNF or OPB file."""
    return formula_in(name, settings) or instance.load(name, **options.changes(settings))


def formula_in(name: str, settings: list[str] | None) -> FormulaSubject | None:
    """The formula in a file; None for an instance."""
    from jigsat.subject import read_formula_file

    formula = read_formula_file(name)
    if formula and settings:
        raise InputError(f"--set {settings[0]}: {name} is a formula and has no entries")
    return formula


def write_gallery(
    path: Path, pictures: Sequence[str], limits: Limits, columns: int | None = None
) -> None:
    """Write SVG documents on one sheet, as `write_pages` does."""
    from jigsat.pictures.pages import gallery
    from jigsat.services.pictures import write_pages

    write_pages(path, [gallery(pictures, columns=columns)], limits)
