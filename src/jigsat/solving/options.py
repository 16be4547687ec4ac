"""The options of a search: written once here, validated before it starts, and shown in the
signature of each function."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypedDict, TypeVar

from jigsat.backends import AUTO, find
from jigsat.formula import Lowering
from jigsat.symmetry import Level

F = TypeVar("F", bound=Callable[..., Any])


class SearchOptions(TypedDict, total=False):
    """The options of an enumeration, which `Enumeration` describes; `DEFAULTS` has their default
    values."""

    backend: str
    limit: int | None
    timeout: float | None
    memory: int | None
    lowering: Lowering | None
    store: str | Path | None
    minimize: bool
    jobs: int
    cluster: str | None


DEFAULTS = SearchOptions(
    backend=AUTO,
    limit=None,
    timeout=None,
    memory=None,
    lowering=None,
    store=None,
    minimize=False,
    jobs=1,
    cluster=None,
)

# the least values of options that are whole numbers
MIN_OPTION_VALUES = {
    "jobs": 1,
    "limit": 1,
    "memory": 1,
    "number": 1,
    "per_page": 1,
    "probes": 1,
    "repeat": 1,
    "seed": 0,
    "skip": 0,
    "workers": 1,
}
MAY_BE_NONE = ("limit", "memory", "per_page", "probes", "timeout", "workers")


def show_options(function: F) -> F:
    """For functions with `**options: Unpack[SearchOptions]`: `help` and notebooks show each option
    and its default."""
    signature = inspect.signature(function)
    own = [
        parameter
        for parameter in signature.parameters.values()
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    kind = inspect.Parameter.KEYWORD_ONLY
    shown = [
        inspect.Parameter(
            name,
            kind,
            default=default,
            annotation=SearchOptions.__annotations__[name].__forward_arg__,
        )
        for name, default in DEFAULTS.items()
        if name not in signature.parameters
    ]
    full = signature.replace(parameters=[*own, *shown])
    function.__signature__ = full  # type: ignore[attr-defined]
    return function


def parse_level(option: str, text: str, *, declared: bool = False) -> Level:
    """The level that an option names, perhaps only a declared one. Raises ValueError.

    >>> parse_level("up_to", "rotations", declared=True)
    Traceback (most recent call last):
    ValueError: `up_to` must be one of nothing, rotation, reflection, all; got 'rotations'
    """
    try:
        return Level.parse(text, declared=declared)
    except ValueError as error:
        raise ValueError(f"`{option}` {error}") from None


def validate(**options: Any) -> None:
    """Raise ValueError or TypeError for an invalid option, InputError for an unknown backend.

    >>> validate(jobs=0)
    Traceback (most recent call last):
    ValueError: `jobs` must be a whole number of at least 1; got 0
    """
    for name, value in options.items():
        match name:
            case "backend":
                if not isinstance(value, str):
                    raise TypeError(f"`backend` must be the name of a backend; got {value!r}")
                if value != AUTO:
                    find(value)
            case "lowering":
                if not isinstance(value, Lowering | None):
                    wanted = "a Lowering, such as Lowering(at_most_one='pairwise')"
                    raise TypeError(f"`lowering` must be {wanted}; got {value!r}")
            case "minimize":
                if not isinstance(value, bool):
                    raise TypeError(f"`minimize` must be True or False; got {value!r}")
            case "cluster":
                if not isinstance(value, str | None):
                    raise TypeError(
                        f"`cluster` must be an address, such as 'local:2', or the path of a "
                        f"scheduler file; got {value!r}"
                    )
            case "store":
                if not isinstance(value, str | os.PathLike | None):
                    raise TypeError(f"`store` must be the path of a file; got {value!r}")
            case _ if value is not None or name not in MAY_BE_NONE:
                _validate_number(name, value)


def _validate_number(name: str, value: Any) -> None:
    """Raise ValueError or TypeError unless the option has a number that is large enough."""
    is_count = name in MIN_OPTION_VALUES
    least = MIN_OPTION_VALUES[name] if is_count else 0
    what = "whole number" if is_count else "number of seconds"
    expected = f"`{name}` must be a {what} of at least {least}; got {value!r}"
    if not isinstance(value, int if is_count else int | float) or isinstance(value, bool):
        raise TypeError(expected)
    if not value >= least:  # also true for NaN
        raise ValueError(expected)
