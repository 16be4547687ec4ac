"""The messages between the page and jigsat: one JSON object per request, and a stream of JSON objects as its answer.

The same models are used by the worker in the browser and by the server. `kind` states which message an object is. An answer
ends with the message `end`; an answer without it was cut off. A number beyond 2^53, which JavaScript cannot represent, is a
string of digits.
"""

import json
from typing import Annotated, Any

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from jigsat.errors import InputError, unknown
from jigsat.errors.validation import complaint
from jigsat.runtime import untrusted
from jigsat.web.messages import WebMessage
from jigsat.web.requests import REQUESTS, Request


def read_request(text: str | bytes) -> Any:
    """The request in a JSON text. Raises InputError."""
    try:
        data = untrusted.parse_json(text)
        json.dumps(data, ensure_ascii=False).encode()
    except untrusted.Malformed as error:
        raise InputError(f"the request is {error}") from error
    except UnicodeEncodeError as error:
        raise InputError("the request has half of a surrogate pair") from error
    if not isinstance(data, dict):
        raise InputError("the request is not a JSON object")
    if (kind := str(data.get("kind"))) not in REQUESTS:
        raise InputError(f"the request: {unknown('kind', kind, REQUESTS)}")
    try:
        return REQUESTS[kind].model_validate(data)
    except ValidationError as error:
        raise InputError(f"the request: {complaint(error, data, REQUESTS[kind])}") from error


def write_message(message: BaseModel) -> str:
    """A message as one line of JSON."""
    return message.model_dump_json(by_alias=True)


def schema() -> dict[str, Any]:
    """The JSON Schema of the requests and messages."""
    adapters: dict[str, TypeAdapter[Any]] = {
        "Request": TypeAdapter(Annotated[Request, Field(discriminator="kind")]),
        "Message": TypeAdapter(Annotated[WebMessage, Field(discriminator="kind")]),
    }
    references, generated = TypeAdapter.json_schemas(
        [(name, "serialization", adapter) for name, adapter in adapters.items()], by_alias=True
    )
    return {**{name: references[name, "serialization"] for name in adapters}, **generated}
