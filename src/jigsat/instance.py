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
    every = _split(data, str(path))
    if len(every) > 1:
        raise InputError(f"{path}: {len(every)} puzzles, where one is wanted; put it into a file of its own")
    return parse(every[0], name=name, origin=str(path))


def load_all(instance: str | Path) -> list[Puzzle]:
    """Every puzzle of a file; where there are several, they are named 'file-1', 'file-2', … Raises InputError.

    >>> [puzzle.name for puzzle in load_all("cube")]
    ['cube']
    """
    path = find(instance)
    every = _split(read(path), str(path))
    if len(every) == 1:
        return [parse(every[0], name=path.stem, origin=str(path))]
    return [parse(data, name=f"{path.stem}-{i}", origin=f"{path}: puzzle {i}") for i, data in enumerate(every, 1)]


def _split(data: dict[str, Any], origin: str) -> list[dict[str, Any]]:
    every = _family(data, origin).split(data)
    if not every:
        raise InputError(f"{origin}: there is no puzzle in this file")
    return every


def changed(data: dict[str, Any], name: str, **changes: Any) -> tuple[dict[str, Any], str]:
    """The data and the name of an instance with other entries; what is known of the file's own puzzle is left out."""
    if not changes:
        return data, name
    said = ", ".join(f"{key}={value}" for key, value in changes.items())
    return {key: value for key, value in data.items() if key != "known"} | changes, f"{name}[{said}]"


def parse(data: dict[str, Any], *, name: str, origin: str) -> Puzzle:
    """The puzzle that the data of an instance file describe; `origin` is what complaints call the file."""
    try:
        return _family(data, origin).model_validate({**data, "name": name})
    except ValidationError as error:
        raise InputError(f"{origin}: {_first_complaint(error)}") from error


def _family(data: dict[str, Any], origin: str) -> type[Puzzle]:
    name, known = data.get("family"), families()
    if not isinstance(name, str) or name not in known:
        said = "no family" if name is None else f"no family {name!r}"
        raise InputError(f"{origin}: family: {said}; write one of {', '.join(map(repr, sorted(known)))}")
    family: type[Puzzle] = known[name].load()
    return family


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
