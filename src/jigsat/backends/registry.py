"""Finding backends by name."""

import pkgutil
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from typing import NoReturn

from jigsat.backends.base import DEFAULT, Backend, NotInBuild, Spec
from jigsat.errors import InputError, nearest, unknown

GROUP = "jigsat.backends"  # entry-point group of functions that return backends of other packages

_registered: dict[str, Spec] = {}


def register(spec: Spec) -> Spec:
    """Make a backend available in this Python process. A package declares an entry point of the
    group `jigsat.backends`.

    Registering a backend again replaces the earlier one of the same name. Raises ValueError for the
    name of another backend.
    """
    if spec.name not in _registered and is_own(spec.name):
        raise ValueError(f"there is a backend {spec.name} already; choose another name")
    _registered[spec.name] = spec
    return spec


def specs(first: str = "pysat") -> Iterator[Spec]:
    """Every backend that jigsat knows, installed or not; those of the module `first` come first,
    then those of PySAT, because most runs import no others.

    A module or an entry point that cannot be imported gives a backend of its name that cannot be
    used. Of several backends of one name, the first is used.
    """
    modules = sorted(
        (module.name for module in pkgutil.iter_modules(sys.modules[__package__].__path__)),
        key=lambda name: (name != first, name != "pysat"),
    )
    for module in modules:
        if module != "registry":
            remedy = f"{module}.py cannot be imported (%s); if it was removed, run `make list`"
            yield from _read_specs(
                module,
                lambda name=module: getattr(import_module(f"{__package__}.{name}"), "specs", list),
                remedy,
            )
    yield from _registered.values()
    for entry in entry_points(group=GROUP):
        package = entry.dist.name if entry.dist else entry.module
        yield from _read_specs(
            entry.name, entry.load, f"the package {package} offers no backends (%s)"
        )


def _read_specs(
    name: str, load: Callable[..., Callable[[], Iterable[Spec]]], remedy: str
) -> list[Spec]:
    try:
        loaded = list(load()())
        if wrong := [spec for spec in loaded if not isinstance(spec, Spec)]:
            raise TypeError(f"expected jigsat.backends.Spec, got {wrong[0]!r}")
    except (Exception, SystemExit) as error:
        reason = remedy % f"{type(error).__name__}: {error}"
        return [Spec(name, "none", reason, partial(_fail, reason))]
    return loaded


def _fail(reason: str) -> NoReturn:
    raise NotInBuild(reason)


def find(name: str) -> Spec:
    """The backend of this name; a name with a slash is the path of a solver program. A name that
    ends in # and a number opens the backend with this seed. Raises InputError."""
    base, mark, seed = name.rpartition("#")
    if mark and seed.isdecimal():
        return _find_seeded(base, int(seed))
    if "/" in name:
        from jigsat.backends.external import program

        return program(name)
    # Most modules have the name of their backend.
    for spec in specs(first=name):
        if spec.name == name:
            return spec
    raise InputError(unknown("backend", name, _offered_names()))


def _find_seeded(name: str, seed: int) -> Spec:
    spec = find(name)
    if spec.open_seeded is None:
        raise InputError(f"the backend {name} takes no seed")
    return replace(spec, name=f"{spec.name}#{seed}", open=partial(spec.open_seeded, seed))


def is_own(name: str) -> bool:
    """Whether jigsat knows a backend of this name, so that it may be used although a stranger's
    file names it."""
    return any(spec.name == name for spec in specs())


def _offered_names() -> list[str]:
    """The names of the backends other than missing programs, the default first."""
    there = (spec.name for spec in specs() if spec.library != "program" or shutil.which(spec.name))
    return sorted(there, key=lambda name: name != DEFAULT)


def open_backend(name: str) -> Backend:
    """Open the backend of this name. Raises InputError if it is unknown or not installed."""
    spec = find(name)
    if spec.open is None:
        raise InputError(
            f"the backend {name} counts solutions without finding any; use it with `jigsat count`"
        )
    try:
        return spec.open()
    except NotInBuild as error:
        raise InputError(
            f"the backend {name} cannot be used: {error}; `jigsat backends` lists others"
        ) from error
    except ImportError as error:
        raise not_installed(spec) from error


def not_installed(spec: Spec) -> InputError:
    """The exception for a backend that is not installed, with a backend of a similar name if one is
    installed."""
    message = f"the backend {spec.name} is not installed; to install it: {spec.install}"
    similar = nearest(spec.name, (other for other in _offered_names() if other != spec.name))
    if similar and (opens := find(similar).open):
        with suppress(ImportError):
            opens().close()
            message += f"; {similar} is installed"
    return InputError(message)
