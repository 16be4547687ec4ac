"""Errors and warnings, and messages of one line that are safe to print on a terminal."""

from jigsat.errors.exceptions import (
    CheckError,
    EngineWarning,
    FamilyWarning,
    IncompleteError,
    InputError,
    InstanceWarning,
    Interrupted,
    NotWorthwhile,
    Stopped,
    UnknownFamily,
    stops_named,
    unwritable,
)
from jigsat.errors.families import FamilyError, ReturnType, faults_named, guard_method, require_clues, require_sets
from jigsat.errors.wording import duration, lookalikes, name_place, nearest, plural, printable, suggest, unknown, xml_text

__all__ = [
    "CheckError", "EngineWarning", "FamilyError", "FamilyWarning", "IncompleteError", "InputError", "InstanceWarning",
    "Interrupted", "NotWorthwhile", "ReturnType", "Stopped", "UnknownFamily", "duration", "faults_named", "guard_method",
    "lookalikes", "name_place", "nearest", "plural", "printable", "require_clues", "require_sets", "stops_named", "suggest",
    "unknown", "unwritable", "xml_text",
]  # fmt: skip
