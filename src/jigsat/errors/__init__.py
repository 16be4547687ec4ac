"""Errors and warnings, and messages of one line that are safe to print on a terminal."""

from jigsat.errors.exceptions import (
    CheckError,
    EngineWarning,
    FamilyError,
    FamilyWarning,
    IncompleteError,
    InputError,
    InstanceWarning,
    Interrupted,
    NotWorthwhile,
    OneLine,
    Stopped,
    UnknownFamily,
    stops_named,
    unwritable,
)
from jigsat.errors.wording import duration, lookalikes, name_place, nearest, plural, printable, suggest, unknown, xml_text

__all__ = [
    "CheckError", "EngineWarning", "FamilyError", "FamilyWarning", "IncompleteError", "InputError", "InstanceWarning",
    "Interrupted", "NotWorthwhile", "OneLine", "Stopped", "UnknownFamily", "duration", "lookalikes", "name_place", "nearest",
    "plural", "printable", "stops_named", "suggest", "unknown", "unwritable", "xml_text",
]  # fmt: skip
