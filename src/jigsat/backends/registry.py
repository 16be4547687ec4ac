"""Finding backends by name."""

from __future__ import annotations

import importlib
import pkgutil
import shutil
from collections.abc import Iterator

from jigsat import backends
from jigsat.backends.base import Backend, NotInBuild, Spec
from jigsat.errors import InputError, unknown


def specs() -> Iterator[Spec]:
    """Every backend that jigsat knows, installed or not; those of PySAT first, because most runs import no others."""
    modules = sorted((module.name for module in pkgutil.iter_modules(backends.__path__)), key=lambda name: name != "pysat")
    for module in modules:
        offered = getattr(importlib.import_module(f"{backends.__name__}.{module}"), "specs", None)
        if offered is not None and module != "registry":
            yield from offered()


def find(name: str) -> Spec:
    """The backend of this name; a name with a slash is the path of a solver program. Raises InputError."""
    if "/" in name:
        from jigsat.backends.external import program

        return program(name)
    if found := next((spec for spec in specs() if spec.name == name), None):
        return found
    there = [spec.name for spec in specs() if spec.library != "program" or shutil.which(spec.name)]
    raise InputError(unknown("backend", name, there))


def open_backend(name: str) -> Backend:
    """Open the backend of this name. Raises InputError if it is unknown or not installed."""
    spec = find(name)
    if spec.open is None:
        raise InputError(f"the backend {name} counts solutions without finding any; use it with `jigsat count`")
    try:
        return spec.open()
    except NotInBuild as error:
        raise InputError(f"the backend {name} cannot be used: {error}; `jigsat backends` lists others") from error
    except ImportError as error:
        raise InputError(f"the backend {name} is not installed; to install it: {spec.install}") from error
