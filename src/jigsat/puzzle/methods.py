"""The methods of a family: what they return, which of its modules define them, and their faults,
each on one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from traceback import walk_tb
from types import MethodType
from typing import TYPE_CHECKING, Any, NamedTuple

from jigsat.errors import FamilyError, OneLine

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

MAX_QUOTED_CHARACTERS = 60  # maximum number of characters of a wrong value that a message quotes

MODULES = {
    "files": {"from_text": "read_text", "writers": "WRITERS"},
    "generate": {"generator": "Options"},
    "faults": {"faults": "find_faults"},
    "reasons": {
        "reasons": "find_reasons",
        "corrections": "find_corrections",
        "near_misses": "encode_near_misses",
        "corrections_of": "correct_near_miss",
    },
    "blocks": {"blocks": "list_blocks"},
    "sheet": {"rules": "write_rules", "parts": "draw_parts"},
    "wording": {"way": "choose_way"},
    "picture": {
        "text": "draw_text",
        "svg": "draw_svg",
        "solid": "build_solid",
        "answer": "read_answer",
        "answer_svg": "draw_answer",
        "rules": "write_rules",
        "parts": "draw_parts",
    },
}
"""The optional modules of a family whose class is in the module `rules` of a package: for each
method that a module may define, the name that it has there. A module comes before the later
ones."""


class ReturnType(NamedTuple):
    """What a method returns: the type, that of checked items, both in words; `verify` may raise
    FamilyError for the value."""

    kind: type | tuple[type, ...]
    items: type | None
    words: str
    verify: Callable[..., None] | None = None


@contextmanager
def faults_named(where: str, file: str) -> Iterator[None]:
    """Turn an unexpected exception of this block into a FamilyError that names `where` and the last
    line run in `file`."""
    try:
        yield
    except (OneLine, MemoryError):  # these have a message for the user already
        raise
    except Exception as error:
        text = error.args[0] if isinstance(error, KeyError) and error.args else error
        message = ": ".join(filter(None, (type(error).__name__, str(text))))
        lines = [
            line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == file
        ]
        place = f" ({Path(file).name}, line {lines[-1]})" if lines else ""
        raise FamilyError(f"{where}: {message}{place}") from error


def guard_method(
    method: Callable[..., Any], name: str, returned: ReturnType, file: str = ""
) -> Callable[..., Any]:
    """The method of a family with faults turned into FamilyErrors, which name the line of the file,
    or of the method."""
    file = file or method.__code__.co_filename

    @wraps(method)
    def call(owner: Any, *arguments: Any, **named: Any) -> Any:
        where = f"{(owner if isinstance(owner, type) else type(owner)).__name__}.{name}"
        with faults_named(where, file):
            result: Any = method(owner, *arguments, **named)
        if not isinstance(result, returned.kind) or (
            returned.items and isinstance(result, str)
        ):  # text is no list of items
            raise FamilyError(f"{where} returns {_quote_value(result)} instead of {returned.words}")
        if returned.verify:
            returned.verify(owner, result, *arguments)
        if returned.items is None:
            return result
        items = _check_items(result, where, file, returned)
        return list(items) if isinstance(result, list | tuple) else items

    return call


def _check_items(items: Any, where: str, file: str, returned: ReturnType) -> Iterator[Any]:
    """The items of a result, with faults that occur while they are computed turned into
    FamilyErrors."""
    with faults_named(where, file):
        for item in items:
            if not isinstance(item, returned.items or object):
                raise FamilyError(
                    f"{where} yields {_quote_value(item)} instead of {returned.words}"
                )
            yield item


def _quote_value(value: object) -> str:
    if value is None:
        return "None"
    text = repr(value)
    return (
        f"the {type(value).__name__} "
        f"{text if len(text) <= MAX_QUOTED_CHARACTERS else f'{text[:MAX_QUOTED_CHARACTERS]}…'}"
    )


def optional_modules(family: type) -> Iterator[ModuleSpec]:
    """The optional modules that the package of a family has, not yet imported."""
    package, _, module = family.__module__.rpartition(".")
    if package and module == "rules":
        yield from filter(None, (find_spec(f"{package}.{name}") for name in MODULES))


def delegate(family: type, method: str, module: ModuleSpec, name: str, returned: ReturnType) -> Any:
    """The method that an optional module defines, which is imported when the method is first
    called."""
    default = getattr(super(family, family), method)

    def call(owner: Any, *arguments: Any, **named: Any) -> Any:
        function = getattr(import_module(module.name), name, None)
        if function is None:
            return (default if isinstance(owner, type) else MethodType(default, owner))(
                *arguments, **named
            )
        if method in ("writers", "generator"):
            return function
        return (
            function(*arguments) if method == "from_text" else function(owner, *arguments, **named)
        )

    call.__doc__ = default.__doc__
    checked = guard_method(call, method, returned, module.origin or "")
    return classmethod(checked) if isinstance(default, MethodType) else checked
