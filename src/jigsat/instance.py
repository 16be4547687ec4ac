"""Instance files: finding, reading and validating them. Every complaint is one line that names the file and the place."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from jigsat.errors import InputError
from jigsat.puzzle import Puzzle

LARGEST = 16 * 2**20
"""Bytes beyond which a file is no instance; a TOML reader would chew on it for minutes."""


def families() -> dict[str, EntryPoint]:
    """The puzzle families installed, by name: those of jigsat and of anybody's package in the same entry-point group."""
    return {entry.name: entry for entry in entry_points(group="jigsat.encodings")}


def instances() -> Iterator[Path]:
    """The instance files that come with jigsat, by name."""
    folder = Path(str(files("jigsat.instances")))
    yield from sorted(folder.glob("*.toml"))


def find(instance: str | Path) -> Path:
    """The file of an instance given by name or by path. Raises InputError where there is none."""
    path = Path(instance)
    if path.suffix == ".toml" or path.exists() or len(path.parts) > 1:
        return path
    names = {file.stem: file for file in instances()}
    if str(instance) in names:
        return names[str(instance)]
    raise InputError(f"{instance}: no instance of this name; `jigsat list` shows them, or give the path of a .toml file")


def read(path: Path) -> dict[str, Any]:
    """The TOML of a file. Raises InputError for whatever keeps it from being read."""
    try:
        if path.is_file() and path.stat().st_size > LARGEST:
            raise InputError(f"{path}: larger than {LARGEST // 2**20} MiB, so it is not an instance file")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not UTF-8 text; an instance is a TOML file") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{path}: not valid TOML: {error or 'nested too deeply'}") from error


def load(instance: str | Path, **changes: Any) -> Puzzle:
    """The puzzle of an instance, given by its name in instances/ or by a path. Raises InputError.

    `changes` are entries that take the place of the file's.

    >>> load("cube").title
    'The little blue cube'
    >>> load("lights-5x5", board="square 9x9").name
    'lights-5x5[board=square 9x9]'
    """
    path = find(instance)
    data, name = changed(read(path), path.stem, **changes)
    return parse(data, name=name, origin=str(path))


def changed(data: dict[str, Any], name: str, **changes: Any) -> tuple[dict[str, Any], str]:
    """The data and the name of an instance with other entries; what is known of the file's own puzzle is left out."""
    if not changes:
        return data, name
    said = ", ".join(f"{key}={value}" for key, value in changes.items())
    return {key: value for key, value in data.items() if key != "known"} | changes, f"{name}[{said}]"


def parse(data: dict[str, Any], *, name: str, origin: str) -> Puzzle:
    """The puzzle that the data of an instance file describe; `origin` is what complaints call the file."""
    family = data.get("family")
    known = families()
    if not isinstance(family, str) or family not in known:
        said = "no family" if family is None else f"no family {family!r}"
        raise InputError(f"{origin}: family: {said}; write one of {', '.join(map(repr, sorted(known)))}")
    try:
        puzzle: Puzzle = known[family].load().model_validate({**data, "name": name})
    except ValidationError as error:
        raise InputError(f"{origin}: {_first_complaint(error)}") from error
    return puzzle


def _first_complaint(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        message = "is no entry of this family; remove it or mend its spelling"
    elif first["type"] == "missing":
        message = "is missing"
    more = error.error_count() - 1
    also = f" (and {more} more)" if more else ""
    return f"{place}: {message}{also}" if place else f"{message}{also}"
