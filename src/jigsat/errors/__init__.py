"""Errors and warnings, and messages of one line that are safe to print on a terminal."""

from jigsat.errors.escaping import printable, xml_text
from jigsat.errors.exceptions import (
    CheckError,
    EngineWarning,
    FamilyWarning,
    InputError,
    Interrupted,
    NotWorthwhile,
    Stopped,
    UnknownFamily,
    nearest,
    stops_named,
    unknown,
    unwritable,
)

__all__ = [
    "CheckError",
    "EngineWarning",
    "FamilyWarning",
    "InputError",
    "Interrupted",
    "NotWorthwhile",
    "Stopped",
    "UnknownFamily",
    "nearest",
    "printable",
    "stops_named",
    "unknown",
    "unwritable",
    "xml_text",
]
