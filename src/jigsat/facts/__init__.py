"""What steps, hints and ratings find: facts without words, the names of techniques, and facts as
plain objects.
"""

from jigsat.facts.kinds import (
    NAMES,
    BySymmetry,
    ByTrial,
    Case,
    Cause,
    Choice,
    Collision,
    Contradiction,
    Excludes,
    Fact,
    Fills,
    LastPlace,
    LastThing,
    Line,
    Marks,
    NoMatch,
    NoPartner,
    NothingLeft,
    ParitySum,
    Placement,
    WaysLeft,
    name_kind,
)
from jigsat.facts.objects import Reader, as_object
from jigsat.facts.techniques import list_values, name_technique

__all__ = [
    "NAMES",
    "BySymmetry",
    "ByTrial",
    "Case",
    "Cause",
    "Choice",
    "Collision",
    "Contradiction",
    "Excludes",
    "Fact",
    "Fills",
    "LastPlace",
    "LastThing",
    "Line",
    "Marks",
    "NoMatch",
    "NoPartner",
    "NothingLeft",
    "ParitySum",
    "Placement",
    "Reader",
    "WaysLeft",
    "as_object",
    "list_values",
    "name_kind",
    "name_technique",
]
