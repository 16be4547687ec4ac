"""Facts as plain objects, for JSON, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from jigsat.facts.kinds import CLASSES, NAMES, Placement


def as_object(value: Any) -> Any:
    """A fact or a part of one: each class says what it is in its field `is`."""
    if type(value) in NAMES:
        parts = {field.name: as_object(getattr(value, field.name)) for field in fields(value)}
        return {"is": NAMES[type(value)], **parts}
    if hasattr(value, "_asdict"):
        return {"is": "placement", **value._asdict()}
    if isinstance(value, tuple):
        return [as_object(part) for part in value]
    return value


class Reader:
    """Reads facts about a puzzle from their plain objects."""

    def __init__(self, placements: Iterable[Placement]) -> None:
        self._placements = {_key(placement._asdict()): placement for placement in placements}

    def read(self, data: Any) -> Any:
        """The fact, or the part of one."""
        if isinstance(data, list):
            return tuple(self.read(part) for part in data)
        if not isinstance(data, dict):
            return data
        parts = {name: value for name, value in data.items() if name != "is"}
        if data["is"] == "placement":
            return self._placements[_key(parts)]
        return CLASSES[data["is"]](**{name: self.read(value) for name, value in parts.items()})


def _key(described: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple((name, _freeze(value)) for name, value in described.items())


def _freeze(value: Any) -> Any:
    """Lists as tuples, as placements have them."""
    if isinstance(value, list | tuple):
        return tuple(_freeze(part) for part in value)
    return value
