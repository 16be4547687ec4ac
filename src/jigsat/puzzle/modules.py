"""Methods of a family that modules of its own define, which are found by their name and imported when they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from types import MethodType
from typing import TYPE_CHECKING, Any

from jigsat.errors import ReturnType, guard_method

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

MODULES = {
    "files": {"from_text": "read_text", "writers": "WRITERS"},
    "generate": {"generator": "Options"},
    "reasons": {"reasons": "find_reasons", "corrections": "find_corrections"},
    "sheet": {"rules": "write_rules", "parts": "draw_parts"},
    "picture": {
        "text": "draw_text", "svg": "draw_svg", "solid": "build_solid", "answer": "read_answer",
        "rules": "write_rules", "parts": "draw_parts",
    },
}  # fmt: skip
"""The optional modules of a family whose class is in the module `rules` of a package: for each method that a module may define,
the name that it has there. A module comes before the later ones."""


def optional_modules(family: type) -> Iterator[ModuleSpec]:
    """The optional modules that the package of a family has, not yet imported."""
    package, _, module = family.__module__.rpartition(".")
    if package and module == "rules":
        yield from filter(None, (find_spec(f"{package}.{name}") for name in MODULES))


def delegate(family: type, method: str, module: ModuleSpec, name: str, returned: ReturnType) -> Any:
    """The method that an optional module defines, which is imported when the method is first called."""
    default = getattr(super(family, family), method)

    def call(owner: Any, *arguments: Any, **named: Any) -> Any:
        found = getattr(import_module(module.name), name, None)
        if found is None:
            return (default if isinstance(owner, type) else MethodType(default, owner))(*arguments, **named)
        if method in ("writers", "generator"):
            return found
        return found(*arguments) if method == "from_text" else found(owner, *arguments, **named)

    call.__doc__ = default.__doc__
    checked = guard_method(call, method, returned, module.origin or "")
    return classmethod(checked) if isinstance(default, MethodType) else checked
