"""Validation errors in plain words: one line with the place in the data, what is expected there,
and a remedy."""

import datetime
import json
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from jigsat.errors import nearest, unknown
from jigsat.words import plural

MAX_QUOTED_CHARACTERS = 60  # number of characters of a wrong value that a message quotes
EXPECTED = Path(__file__).with_name("expected.toml")


def complaint(error: ValidationError, data: Any, model: type[BaseModel]) -> str:
    """The first error in the data of a model, with its place in the data."""
    errors = error.errors(include_url=False)
    # if an entry has alternatives, the user probably meant the one whose error lies deepest
    first = max(
        (other for other in errors if other["loc"][:1] == errors[0]["loc"][:1]),
        key=lambda other: len(other["loc"]),
    )
    if (
        first["type"] == "missing"
    ):  # the name of a misspelt entry says more than the entry that is then missing
        beside = [
            other
            for other in errors
            if (other["type"], other["loc"][:-1]) == ("extra_forbidden", first["loc"][:-1])
        ]
        known = _entries(model, first["loc"][:-1])
        first = next(
            (other for other in beside if nearest(str(other["loc"][-1]), known)),
            (beside or [first])[0],
        )
    place = _place(first, data)
    here = [other for other in errors if _place(other, data) == place]
    place, message = _message(first, here, place, model)
    more = len({tuple(_place(other, data)) for other in errors}) - 1
    also = f" (and {plural(more, 'more error')})" if more else ""
    return ": ".join(filter(None, [".".join(map(str, place)), f"{message}{also}"]))


def _message(
    first: ErrorDetails,
    here: Sequence[ErrorDetails],
    place: list[str | int],
    model: type[BaseModel],
) -> tuple[list[str | int], str]:
    """The place and the message of an error; `here` are the errors of all alternatives at its
    place."""
    kind = first["type"]
    last = first["loc"][-1] if first["loc"] else ""
    if kind == "missing" and isinstance(last, int):
        return place[:-1], f"expected at least {last + 1} entries; got {last}"
    if kind == "missing":
        return place[:-1], f"missing entry {last!r}"
    if kind == "extra_forbidden":
        return place[:-1], unknown("entry", str(last), _entries(model, first["loc"][:-1]))
    if kind in ("value_error", "assertion_error"):
        return place, str(first["ctx"]["error"])
    if kind == "recursion_loop":
        return place, "the data contain themselves"
    if kind not in get_args(ErrorType):  # an error that a family defines
        return place, first["msg"]
    return place, _describe_expected(first["input"], here)


def _describe_expected(got: object, here: Sequence[ErrorDetails]) -> str:
    """What the alternatives at a place expect instead of a value, or a name that was meant."""
    expected: list[str] = []
    names: list[str] = []
    for error in here:
        if error["type"] in get_args(ErrorType):
            expected.append(_expected_value(error))
        if error["type"] == "literal_error":
            # pydantic lists the allowed values of a literal as "'a', 'b' or 'c'"
            listed = error["ctx"]["expected"].replace(" or ", ", ")
            names += [name.strip("'") for name in listed.split(", ")]
    alternatives = " or ".join(dict.fromkeys(expected))
    suggested = nearest(got, names) if isinstance(got, str) else ""
    ending = f"did you mean {suggested!r}?" if suggested else f"got {_quote_value(got)}"
    return f"expected {alternatives}; {ending}"


def _expected_value(error: ErrorDetails) -> str:
    kind = error["type"]
    context = error.get("ctx", {})
    one = 1 in (context.get("min_length"), context.get("max_length"))
    nouns = {
        "entries": "entry" if one else "entries",
        "characters": "character" if one else "characters",
    }
    if kind in ("literal_error", "enum"):
        return str(context["expected"])
    parts = kind.split("_")
    beginnings = ("_".join(parts[:end]) for end in range(len(parts), 0, -1))
    expected = tomllib.loads(EXPECTED.read_text("utf-8"))
    return next(
        (expected[one].format_map({**context, **nouns}) for one in beginnings if one in expected),
        "another value",
    )


def _quote_value(value: Any) -> str:
    """A value as it is written in a file, shortened."""
    match value:
        case str():
            text = json.dumps(value[: MAX_QUOTED_CHARACTERS + 1], ensure_ascii=False)
            return (
                text if len(value) <= MAX_QUOTED_CHARACTERS else f"{text[:MAX_QUOTED_CHARACTERS]}…"
            )
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case int() | float():
            text = repr(value)
            return text if len(text) <= MAX_QUOTED_CHARACTERS else f"a number of {len(text)} digits"
        case dict():
            return "a table" if value else "an empty table"
        case list() | tuple():
            if not value:
                return "an empty list"
            return "a list of one entry" if len(value) == 1 else f"a list of {len(value)} entries"
        case datetime.date() | datetime.time():
            return value.isoformat()
    return f"a {type(value).__name__}"


def _place(error: ErrorDetails, data: Any) -> list[str | int]:
    """The place of an error in the data, without the names of alternatives that pydantic
    inserts."""
    missing = error["loc"][-1:] if error["type"] == "missing" else ()
    parts = []
    for part in error["loc"][: len(error["loc"]) - len(missing)]:
        with suppress(LookupError, TypeError):
            data = data[part]
            parts.append(part)
    return [*parts, *missing]


def _entries(annotation: Any, location: Sequence[str | int]) -> list[str]:
    """The entries allowed in a table at this place."""
    return list(next(_tables(annotation, location), ()))


def _tables(annotation: Any, location: Sequence[str | int]) -> Iterator[dict[str, Any]]:
    """The entries of each possible table at a place, with types; parts of the place that name
    alternatives are skipped."""
    if (entries := _entry_types(annotation)) is not None:
        if not location:
            yield entries
            return
        position = location[0]
        # a named tuple has both
        at = list(entries)[position : position + 1] if isinstance(position, int) else [position]
        for entry in at:
            if entry in entries:
                yield from _tables(entries[entry], location[1:])
        return
    for inner in get_args(annotation):
        for start in range(min(1, len(location)) + 1):
            yield from _tables(inner, location[start:])


def _entry_types(annotation: Any) -> dict[str, Any] | None:
    """The entries of a model or a named tuple with their types; None for anything else."""
    if not isinstance(annotation, type):
        return None
    if issubclass(annotation, BaseModel):
        return {
            name: field.annotation
            for name, field in annotation.model_fields.items()
            if not field.exclude
        }
    return get_type_hints(annotation) if hasattr(annotation, "_fields") else None
