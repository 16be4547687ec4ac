"""Faults in the code of a puzzle family: one line with the class, the method, and the place in the source."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from traceback import walk_tb
from types import TracebackType
from typing import Any, NamedTuple

from jigsat.errors.exceptions import InputError, OneLine

MAX_QUOTED_CHARACTERS = 60  # maximum number of characters of a wrong value that a message quotes


class FamilyError(InputError):
    """A method of a family raised an unexpected exception, which is the cause of this one, or returned a wrong value."""


class ReturnType(NamedTuple):
    """What a method must return: the type, the type of the items if they are checked as well, and both in words.

    `verify` may raise FamilyError for a puzzle, a value of the right type, and the arguments of the method.
    """

    kind: type | tuple[type, ...]
    items: type | None
    words: str
    verify: Callable[..., None] | None = None

    def fits(self, value: object) -> bool:
        """Whether a value has the right type; text is not a list of sentences."""
        return isinstance(value, self.kind) and not (self.items and isinstance(value, str))


@contextmanager
def faults_named(where: str, file: str) -> Iterator[None]:
    """Turn an unexpected exception of this block into a FamilyError that names `where` and the last line run in `file`."""
    try:
        yield
    except (OneLine, MemoryError):  # these have a message for the user already
        raise
    except Exception as error:
        text = error.args[0] if isinstance(error, KeyError) and error.args else error
        said = ": ".join(filter(None, (type(error).__name__, str(text))))
        raise FamilyError(f"{where}: {said}{_place(error.__traceback__, file)}") from error


def guard_method(method: Callable[..., Any], name: str, returned: ReturnType, file: str = "") -> Callable[..., Any]:
    """The method of a family with faults turned into FamilyErrors, which name the line of the file, or of the method."""
    file = file or method.__code__.co_filename

    @wraps(method)
    def call(owner: Any, *arguments: Any, **named: Any) -> Any:
        where = f"{(owner if isinstance(owner, type) else type(owner)).__name__}.{name}"
        with faults_named(where, file):
            result: Any = method(owner, *arguments, **named)
        if not returned.fits(result):
            raise FamilyError(f"{where} returns {_quote_value(result)} instead of {returned.words}")
        if returned.verify:
            returned.verify(owner, result, *arguments)
        if returned.items is None:
            return result
        items = _each(result, where, file, returned)
        return list(items) if isinstance(result, list | tuple) else items

    return call


def _each(found: Iterable[Any], where: str, file: str, returned: ReturnType) -> Iterator[Any]:
    """The items of a result, with faults that occur while they are computed turned into FamilyErrors."""
    with faults_named(where, file):
        for item in found:
            if not isinstance(item, returned.items or object):
                raise FamilyError(f"{where} yields {_quote_value(item)} instead of {returned.words}")
            yield item


def _quote_value(value: object) -> str:
    if value is None:
        return "None"
    text = repr(value)
    return f"the {type(value).__name__} {text if len(text) <= MAX_QUOTED_CHARACTERS else f'{text[:MAX_QUOTED_CHARACTERS]}…'}"


def _place(trace: TracebackType | None, file: str) -> str:
    lines = [line for frame, line in walk_tb(trace) if frame.f_code.co_filename == file]
    return f" ({Path(file).name}, line {lines[-1]})" if lines else ""


def require_sets(puzzle: object, clues: Mapping[str, object]) -> None:
    """Raises FamilyError for a clue that is not a set."""
    for where, placements in clues.items():
        if not isinstance(placements, Set):
            raise FamilyError(f"{type(puzzle).__name__}.clues: {where}: expected a set of placements, got {placements!r}")


def require_clues(puzzle: object, changed: Any, placements: Collection[Any] = ()) -> None:
    """Raises FamilyError unless a puzzle whose clues were changed has one clue for each of the placements, and no others."""
    clues = changed.clues()
    if len(clues) != len(placements) or not frozenset().union(*clues.values()).issuperset(placements):
        method, number = ("with_clues", f"{len(placements):,}") if placements else ("without_clues", "none")
        raise FamilyError(
            f"{type(puzzle).__name__}.{method}: clues() of the puzzle returned has {len(clues):,} entries; expected {number}"
        )
