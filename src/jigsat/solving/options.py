"""The options of a search: written once here, validated before it starts, and shown in the signature of each function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypedDict, TypeVar

from jigsat.backends import AUTO, find
from jigsat.formula import Lowering
from jigsat.symmetry import LEVELS

F = TypeVar("F", bound=Callable[..., Any])


class SearchOptions(TypedDict, total=False):
    """The options of an enumeration, which `Enumeration` describes; `DEFAULTS` has their default values."""

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
    backend=AUTO, limit=None, timeout=None, memory=None, lowering=None, store=None, minimize=False, jobs=1, cluster=None
)  # fmt: skip


def show_options(function: F) -> F:
    """For functions with `**options: Unpack[SearchOptions]`: `help` and notebooks show each option and its default."""
    signature = inspect.signature(function)
    own = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    kind = inspect.Parameter.KEYWORD_ONLY
    shown = [
        inspect.Parameter(name, kind, default=default, annotation=SearchOptions.__annotations__[name].__forward_arg__)
        for name, default in DEFAULTS.items()
        if name not in signature.parameters
    ]
    function.__signature__ = signature.replace(parameters=[*own, *shown])  # type: ignore[attr-defined]
    return function


def validate(
    backend: str = AUTO,
    up_to: str = LEVELS[0],
    *,
    limit: int | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    jobs: int = 1,
    number: int = 1,
    lowering: Lowering | None = None,
    levels: Sequence[str] = LEVELS,
) -> None:
    """Raise ValueError or TypeError for an invalid option, InputError for an unknown backend.

    >>> validate(up_to="rotations")
    Traceback (most recent call last):
    ValueError: `up_to` must be one of nothing, rotation, reflection, all; got 'rotations'
    """
    check_level("up_to", up_to, levels)
    if not isinstance(backend, str):
        raise TypeError(f"`backend` must be the name of a backend; got {backend!r}")
    if backend != AUTO:
        find(backend)
    if not isinstance(lowering, Lowering | None):
        raise TypeError(f"`lowering` must be a Lowering, such as Lowering(at_most_one='pairwise'); got {lowering!r}")
    check_number("jobs", jobs, int, 1)
    check_number("number", number, int, 1)
    for name, value in {"limit": limit, "memory": memory}.items():
        if value is not None:
            check_number(name, value, int, 1)
    if timeout is not None:
        check_number("timeout", timeout, (int, float), 0)


def check_level(name: str, value: str, levels: Sequence[str] = LEVELS) -> None:
    """Raise ValueError unless an option is one of the levels of symmetry."""
    if value not in levels:
        raise ValueError(f"`{name}` must be one of {', '.join(levels)}; got {value!r}")


def check_number(name: str, value: Any, kind: type | tuple[type, ...], least: int) -> None:
    """Raise TypeError or ValueError unless an option is a number of this kind and at least `least`."""
    what = "whole number" if kind is int else "number of seconds"
    expected = f"`{name}` must be a {what} of at least {least}; got {value!r}"
    fits = isinstance(value, kind)
    if not fits or isinstance(value, bool):
        raise TypeError(expected)
    if not value >= least:  # also true for NaN
        raise ValueError(expected)
