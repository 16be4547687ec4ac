"""The available puzzle families: those of installed packages, and those that a script registers."""

import os
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any, TypeVar

from jigsat.errors import FamilyWarning, InputError, Stopped, UnknownFamily, unknown
from jigsat.puzzle import Puzzle

# entry-point group of families of other packages, and the package of those that come with jigsat
GROUP = "jigsat.encodings"
# regular expression of the names that families may have
FAMILY_NAME = r"[a-z][a-z0-9]*(-[a-z0-9]+)*"
F = TypeVar("F", bound=type[Puzzle])

_registered: dict[str, type[Puzzle]] = {}


def register(family: F) -> F:
    """Make a family available to `load`, the command line and all other functions in this Python
    process.

    For scripts and notebooks, as a class decorator or as a function; a package declares an entry
    point of the group `jigsat.encodings` instead. Registering a family again replaces the earlier
    one of the same name, and a registered family takes precedence over an installed one. Raises
    TypeError for an incomplete family; the message lists what is missing.

    >>> @register
    ... class Nonogram(Puzzle):
    ...     family = "nonogram"
    Traceback (most recent call last):
    TypeError: Nonogram has no method `check` and no method `encode`
    """
    if missing := _missing(family):
        raise TypeError(missing)
    _registered[family.family] = family
    return family


def families() -> list[str]:
    """The names of all families, registered or installed, including those that cannot be loaded."""
    return sorted({*_installed_entry_points(), *_registered})


def family(name: str) -> type[Puzzle]:
    """The family of this name. For those that come with jigsat, no other package is looked at.

    Raises UnknownFamily if there is none, InputError if its package is broken.
    """
    if name in _registered:
        return _registered[name]
    shipped = _shipped_entry_points()
    entries = [shipped[name]] if name in shipped else _installed_entry_points().get(name)
    if not entries:
        if kind := find_kind(name):
            raise UnknownFamily(f"the family {name!r} is called {kind!r} here; write that")
        message = unknown("family", name, families())
        own = (
            "; to use a family of your own, install its package or run its script: python "
            "SCRIPT.py …"
        )
        raise UnknownFamily(message if message.endswith("?") else message + own)
    return _load_family(name, entries)


def every_family(*, foreign: bool = False) -> Iterator[type[Puzzle]]:
    """Every family that can be loaded, by name, with a warning for others; if `foreign`, without
    jigsat's own."""
    shipped = _shipped_entry_points()
    names = [
        name for name in families() if not foreign or name in _registered or name not in shipped
    ]
    return _load_families(names)


def families_with_files() -> Iterator[type[Puzzle]]:
    """The families that may read a text format, like `every_family`. Those that come with jigsat
    read one only if they are packages with a module `files`; to load the others takes longer than
    to read a list of sudokus."""
    shipped = _shipped_entry_points()
    names = [
        name
        for name in families()
        if name in _registered or name not in shipped or _has_files(shipped[name])
    ]
    return _load_families(names)


def _has_files(entry: EntryPoint) -> bool:
    """Whether a family that comes with jigsat is a package with a module `files`."""
    package, _, module = entry.module.rpartition(".")
    return module == "rules" and find_spec(f"{package}.files") is not None


def _load_families(names: Iterable[str]) -> Iterator[type[Puzzle]]:
    """The families of these names, with a warning for each that cannot be loaded."""
    for name in names:
        try:
            yield family(name)
        except InputError as error:
            warnings.warn(f"{error}; skipped", FamilyWarning, stacklevel=3)


def find_kind(name: str) -> str:
    """The family of the puzzles that others call by this name; '' if there is none.

    >>> find_kind("hanjie"), find_kind("loop-the-loop")
    ('nonogram', 'slitherlink')
    """
    for kind in every_family():
        if any(squeeze(other) == squeeze(name) for other in kind.other_names):
            return kind.family
    return ""


def squeeze(text: str) -> str:
    """A text without what may be written in several ways: capitals, blanks and hyphens."""
    return re.sub(r"[\W_]", "", text.lower())


@cache
def _shipped_entry_points() -> Mapping[str, EntryPoint]:
    """The families that come with jigsat, found by their files: star_battle.py has the class
    StarBattle of the family star-battle. In a package, the module `rules` has the class."""
    shipped = {}
    for module in iter_modules(import_module(GROUP).__path__):
        words = module.name.split("_")
        name = "-".join(words)
        kind = "".join(word.capitalize() for word in words)
        place = f"{GROUP}.{module.name}.rules" if module.ispkg else f"{GROUP}.{module.name}"
        shipped[name] = EntryPoint(name, f"{place}:{kind}", GROUP)
    return shipped


def _installed_entry_points() -> Mapping[str, list[EntryPoint]]:
    """The entry points of all families by their names. No package replaces a family that comes
    with jigsat. They are read again if a folder of `sys.path` has changed: to read the files of
    all packages takes longer than to solve a sudoku."""
    return _read_entry_points(tuple((folder, _changed_at(folder)) for folder in sys.path))


def _changed_at(folder: str) -> int:
    """When something was added to a folder or removed from it; 0 if there is no such folder."""
    with suppress(OSError):
        return os.stat(folder or ".").st_mtime_ns  # noqa: PTH116
    return 0


@lru_cache(maxsize=4)
def _read_entry_points(folders: tuple[tuple[str, int], ...]) -> Mapping[str, list[EntryPoint]]:
    shipped = _shipped_entry_points()
    by_name = {name: [entry] for name, entry in shipped.items()}
    for entry in entry_points(group=GROUP):
        rivals = by_name.setdefault(entry.name, [])
        if entry not in rivals and entry.name not in shipped:
            rivals.append(entry)
    return by_name


def _load_family(name: str, entries: list[EntryPoint]) -> type[Puzzle]:
    """The family of an entry point. Raises InputError if there are several, or if the family is
    broken."""
    if len(entries) > 1:
        raise InputError(
            f"family {name!r} is in the packages {_packages(entries)}; uninstall all but one"
        )
    try:
        loaded = entries[0].load()
    except Stopped:  # a limit was exceeded meanwhile, which is not the fault of the family
        raise
    except (Exception, SystemExit) as error:  # foreign code may raise anything
        wrong = f"{type(error).__name__}: {error}"
    else:
        wrong = _missing(loaded)
        if not wrong and loaded.family != name:
            wrong = (
                f"{loaded.__name__}.family is {loaded.family!r}, but its entry point is "
                f"named {name!r}"
            )
    if wrong:
        raise InputError(
            f"family {name!r} of the package {_packages(entries)} cannot be used: {wrong}"
        )
    family: type[Puzzle] = loaded
    return family


def _packages(entries: Iterable[EntryPoint]) -> str:
    return " and ".join(
        sorted(entry.dist.name if entry.dist else entry.module for entry in entries)
    )


def _missing(family: Any) -> str:
    """A message that lists what a class lacks to be a family of puzzles, or '' if it lacks
    nothing."""
    if not (isinstance(family, type) and issubclass(family, Puzzle)):
        return f"{getattr(family, '__name__', family)} is not a subclass of jigsat.Puzzle"
    missing = [f"no method `{method}`" for method in sorted(family.__abstractmethods__)]
    name = getattr(family, "family", None)
    if not isinstance(name, str):
        missing.insert(0, "no class variable `family` with its name")
    elif not re.fullmatch(FAMILY_NAME, name):
        return (
            f"{family.__name__}.family is {name!r}; use small letters, digits, and hyphens "
            f"between words, such as star-battle"
        )
    return f"{family.__name__} has {' and '.join(missing)}" if missing else ""
