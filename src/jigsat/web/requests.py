"""The requests of the page, and their answers as JSON texts. Each request has the entries that its
answer depends on."""

import json
import warnings
from collections.abc import Callable, Iterator
from inspect import signature
from typing import Annotated, Any, Literal, Union

from pydantic import Field, TypeAdapter, ValidationError, create_model

from jigsat.errors import (
    CheckError,
    FamilyWarning,
    InputError,
    InstanceWarning,
    Stopped,
    printable,
    unknown,
)
from jigsat.errors.validation import complaint
from jigsat.runtime import untrusted
from jigsat.web import messages
from jigsat.web.answering import ANSWERS
from jigsat.web.messages import Object, WebMessage, write_message
from jigsat.web.places import ErrorPlace, place_of
from jigsat.web.puzzles import RequestedPuzzle, encode_source


def _make_request(kind: str, answer: Callable[..., Any]) -> type[Object]:
    """The model of the requests that a function of `ANSWERS` answers."""
    entries: dict[str, Any] = {"kind": (Literal[kind], ...)}
    for name, parameter in signature(answer).parameters.items():
        default = ... if parameter.default is parameter.empty else parameter.default
        entries |= (
            {"puzzle": (RequestedPuzzle, ...)}
            if name == "asked"
            else {name: (parameter.annotation, default)}
        )
    return create_model(
        f"{kind.capitalize()}Request", __base__=Object, __doc__=answer.__doc__, **entries
    )


REQUESTS = {kind: _make_request(kind, answer) for kind, answer in ANSWERS.items()}
"""The requests by their kind."""


def replies(text: str | bytes) -> Iterator[str]:
    """The answer to a request in JSON, as JSON texts. Errors are messages as well; nothing is
    raised.

    >>> for line in replies('{"kind": "load", "puzzle": {"name": "cuebs"}}'):  # doctest: +ELLIPSIS
    ...     print(line)
    {"schema":1,"kind":"error","reason":"input","message":"cuebs: unknown instance; did you mean
    'cube'?",...}
    {"schema":1,"kind":"end"}
    """
    request = None
    last: list[Object] = []
    try:
        request = read_request(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FamilyWarning)
            warnings.simplefilter("ignore", InstanceWarning)  # the page shows them itself
            entries = {name: value for name, value in request if name not in ("version", "kind")}
            if "asked" in signature(ANSWERS[request.kind]).parameters:
                entries["asked"] = encode_source(entries.pop("puzzle"))
            yield from map(write_message, ANSWERS[request.kind](**entries))
    except InputError as error:
        source = getattr(request, "puzzle", None)
        message = str(error).removeprefix("the text: ").removeprefix("the data: ")
        place = (
            ErrorPlace()
            if source is None or source.name is not None
            else place_of(message, source.text)
        )
        last = [
            messages.Failed(reason="input", message=message, line=place.line, place=place.entry)
        ]
    except Stopped as stopped:
        last = [messages.Halted(reason=stopped.reason, message=str(stopped))]
    except CheckError as error:
        last = [messages.Failed(reason="bug", message=str(error))]
    except (MemoryError, RecursionError) as error:
        last = [
            messages.Halted(
                reason="memory",
                message=f"out of {'memory' if isinstance(error, MemoryError) else 'stack'}",
            )
        ]
    except Exception as error:  # a bug, which must not end the worker of the page
        last = [
            messages.Failed(reason="bug", message=printable(f"{type(error).__name__}: {error}"))
        ]
    yield from map(write_message, [*last, messages.End()])


def read_request(text: str | bytes) -> Any:
    """The request in a JSON text. Raises InputError."""
    try:
        data = untrusted.parse_json(text)
        written = json.dumps(data, ensure_ascii=False).encode()
    except untrusted.Malformed as error:
        raise InputError(f"the request is {error}") from error
    except UnicodeEncodeError as error:
        raise InputError("the request has half of a surrogate pair") from error
    if not isinstance(data, dict):
        raise InputError("the request is not a JSON object")
    if (kind := str(data.get("kind"))) not in REQUESTS:
        raise InputError(f"the request: {unknown('kind', kind, REQUESTS)}")
    if type(data.get("schema", 1)) is not int:  # true would be taken for 1
        raise InputError("the request: schema: expected a whole number")
    try:
        return REQUESTS[kind].model_validate_json(written, strict=True)
    except ValidationError as error:
        raise InputError(f"the request: {complaint(error, data, REQUESTS[kind])}") from error


def schema() -> dict[str, Any]:
    """The JSON Schema of the requests and messages."""
    request: Any = Union[*REQUESTS.values()]
    adapters: dict[str, TypeAdapter[Any]] = {
        "Request": TypeAdapter(Annotated[request, Field(discriminator="kind")]),
        "Message": TypeAdapter(Annotated[WebMessage, Field(discriminator="kind")]),
    }
    references, generated = TypeAdapter.json_schemas(
        [(name, "serialization", adapter) for name, adapter in adapters.items()], by_alias=True
    )
    return {**{name: references[name, "serialization"] for name in adapters}, **generated}
