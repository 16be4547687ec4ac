"""What can go wrong, and how it is told in one line of text that cannot disturb a terminal."""

from jigsat.errors.escaping import printable, xml_text
from jigsat.errors.exceptions import (
    CheckError,
    EngineWarning,
    FamilyWarning,
    InputError,
    Interrupted,
    Stopped,
    nearest,
    unknown,
)

__all__ = [
    "CheckError",
    "EngineWarning",
    "FamilyWarning",
    "InputError",
    "Interrupted",
    "Stopped",
    "nearest",
    "printable",
    "unknown",
    "xml_text",
]
