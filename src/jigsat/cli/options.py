"""The options that several commands have, and their values."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from jigsat import instance
from jigsat.errors import InputError, unknown
from jigsat.formula import AT_MOST_ONE, Lowering
from jigsat.runtime.limits import Limits
from jigsat.symmetry import DECLARED_LEVELS, Level


def _picture_file(path: Path | None) -> Path | None:
    """Refuse a file that could not be written, before the search starts."""
    if path is not None:
        from jigsat.services.files import PICTURES, check_output  # most runs draw nothing

        check_output(path, PICTURES, f"--picture {path}")
    return path


def instance_names(incomplete: str) -> list[str]:
    """Names for the completion of shells, which completes paths by itself."""
    return [name for name in instance.shipped_files() if name.startswith(incomplete)]


def _names(help: str) -> Any:
    return typer.Argument(metavar="INSTANCE", help=help, autocompletion=instance_names)


InstanceName = Annotated[
    str, _names("a name from `jigsat list`, the path of a puzzle's file, or a link of puzz.link")
]
CountedName = Annotated[
    str,
    _names("a name from `jigsat list`, the path of a file of a puzzle or a formula, or a link"),
]
InstanceNames = Annotated[
    list[str], _names("names from `jigsat list`, or paths of files with one or more puzzles")
]
PrintedNames = Annotated[
    list[str], _names("names from `jigsat list`, paths of files with puzzles, or folders of them")
]
ComparedNames = Annotated[
    list[str] | None,
    _names("names from `jigsat list`, or paths of files with a puzzle or a formula"),
]
BackendOption = Annotated[
    str,
    typer.Option("--backend", help="a name from `jigsat backends`, the path of a program, or auto"),
]
Timeout = Annotated[
    float | None,
    typer.Option("--timeout", min=0, metavar="SECONDS", help="stop after this many seconds"),
]
Memory = Annotated[
    int | None,
    typer.Option("--memory", min=1, metavar="MB", help="memory limit of the search in MB"),
]
Jobs = Annotated[
    int, typer.Option("--jobs", min=1, metavar="N", help="number of processes to search with")
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="search on a Dask cluster: tcp://HOST:PORT, a scheduler file, or local:2 (two "
        "processes)",
    ),
]
AtMostOne = Annotated[
    str, typer.Option("--amo", help=f"at-most-one encoding: auto, {', '.join(AT_MOST_ONE)}")
]
UpTo = Annotated[
    str,
    typer.Option(
        "--up-to", help=f"count solutions up to these symmetries: {', '.join(DECLARED_LEVELS)}"
    ),
]
UpToAny = Annotated[
    str | None,
    typer.Option(
        "--up-to",
        help=f"count solutions up to these symmetries: {', '.join(Level)}; by default rotation",
    ),
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="ENTRY=VALUE",
        help="override an entry of the file, e.g. board='square 4x4'",
    ),
]
PictureOption = Annotated[
    Path | None,
    typer.Option(
        "--picture",
        "--svg",
        callback=_picture_file,
        metavar="FILE.svg|png|pdf",
        help="write the drawn solutions to this file",
    ),
]
Verbose = Annotated[
    bool, typer.Option("--verbose", help="print on stderr how the search is done and why")
]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]


def first_given(options: Mapping[str, Any]) -> str | None:
    """The first of these options that is given; they are listed with their values."""
    return next((option for option, value in options.items() if value), None)


def limits_from_options(timeout: float | None, memory: int | None = None) -> Limits:
    """The limits given by the options; the time starts now."""
    return Limits(timeout, None if memory is None else memory * 2**20)


def chosen_lowering(amo: str) -> Lowering:
    """The lowering given by the options."""
    try:
        return Lowering(at_most_one=amo)
    except ValueError as error:
        raise InputError(f"--amo: {error}") from error


def changes(settings: list[str] | None) -> dict[str, Any]:
    """The entries given by `--set`; a value is a TOML value or a plain word."""
    if not settings:
        return {}
    import tomllib

    entries: dict[str, Any] = {}
    for setting in settings:
        entry, equals, value = setting.partition("=")
        if not (entry and equals):
            raise InputError(f"--set {setting}: write ENTRY=VALUE")
        if entry in entries:
            raise InputError(f"--set {entry}: given twice; leave one of them out")
        try:
            data = instance.toml(f"value = {value}")
        except tomllib.TOMLDecodeError:
            data = {}
        except ValueError as error:
            raise InputError(f"--set {entry}: {error}") from error
        entries[entry] = data["value"] if data.keys() == {"value"} else value
    return entries


def chosen_level(up_to: str, *, declared: bool = False) -> Level:
    """The level given by the option `--up-to`. Raises InputError if there is none of this name."""
    try:
        return Level.parse(up_to, declared=declared)
    except ValueError:
        levels = DECLARED_LEVELS if declared else tuple(Level)
        raise InputError(f"--up-to: {unknown('level', up_to, levels)}") from None
