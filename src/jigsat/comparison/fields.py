"""The values that the fields of a run and its conditions may have, for files that were written by
others or edited."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, Field, ValidationError

from jigsat.comparison.tasks import NATIVE, RESTARTED, SEARCH, TASKS
from jigsat.formula import EAGER, LAZY
from jigsat.symmetry import DECLARED_LEVELS

PLAIN_STATUSES = ("complete", "timeout", "memory", "interrupted")
REASONED_STATUSES = (
    "idle",
    "unprepared",
    "crash",
    "failed",
    "absent",
    "refused",
    "not at all",
    "wrong",
    "changed",
)
"""The words that a reason follows."""


def _one_of(words: Iterable[str]) -> str:
    """The regular expression for one of these words."""
    return f"({'|'.join(words)})"


def _check_date(text: str) -> str:
    """The text if it is empty or a date with a time zone. Raises ValueError."""
    if text and datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("a date needs a time zone")
    return text


MAX_SHOWN = 40  # characters of a wrong value in a message

Seconds: TypeAlias = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Number: TypeAlias = Annotated[int, Field(ge=0)]
Positive: TypeAlias = Annotated[int, Field(ge=1)]
Load: TypeAlias = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Niceness: TypeAlias = Annotated[int, Field(ge=-20, le=20)]
Level: TypeAlias = Annotated[str, Field(pattern=f"^{_one_of(['solutions', *DECLARED_LEVELS])}$")]
Counts: TypeAlias = dict[Level, Number]
Status: TypeAlias = Annotated[
    str, Field(pattern=f"^({_one_of(PLAIN_STATUSES)}$|{_one_of(REASONED_STATUSES)}: )")
]
Task: TypeAlias = Annotated[str, Field(pattern=f"^{_one_of(TASKS)}$")]
Way: TypeAlias = Annotated[str, Field(pattern=f"^{_one_of([NATIVE, SEARCH, RESTARTED])}?$")]
Graphs: TypeAlias = Annotated[str, Field(pattern=f"^{_one_of([LAZY, EAGER])}?$")]
Hash: TypeAlias = Annotated[str, Field(pattern="^([0-9a-f]{64})?$")]
Date: TypeAlias = Annotated[str, AfterValidator(_check_date)]


def require_fields(data: Mapping[str, Any], names: Iterable[str]) -> None:
    """Raises ValueError if a field is missing, or if this is no object."""
    if not isinstance(data, Mapping):
        raise ValueError("it is no object")
    for name in names:
        if name not in data:
            raise ValueError(f"{name} is missing")


def describe_error(error: Exception) -> str:
    """The first thing that is wrong with data, in a few words."""
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        if first["type"] == "string_pattern_mismatch":
            return f"{place}: there is no {str(first['input'])[:MAX_SHOWN]!r}"
        return f"{place}: {first['msg'][:1].lower()}{first['msg'][1:]}"
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)
