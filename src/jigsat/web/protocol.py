"""The messages between the page and jigsat: one JSON object per request, and a stream of JSON objects as its answer.

The same models are used by the worker in the browser and by the server. `kind` tells which message an object is. An answer
ends with the message `end`; without it, it was cut off. A number beyond 2^53, which JavaScript cannot represent, is a string
of digits.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeInt,
    PlainSerializer,
    PositiveInt,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from jigsat.errors import InputError, unknown
from jigsat.errors.validation import complaint

SCHEMA: Literal[1] = 1
"""The version of the messages. It is increased by any change that could break a page that reads them."""

EXACT = 2**53
"""Whole numbers up to this one are exact in JavaScript."""

Number = Annotated[
    int,
    PlainSerializer(lambda number: number if abs(number) <= EXACT else str(number), return_type=int | str, when_used="json"),
]
UpTo = Literal["nothing", "rotation", "reflection", "all", "automorphism"]
Placed = list[dict[str, Any]]
"""Placements, each with its fields by name."""


class _Object(BaseModel):
    """An object of the protocol; unknown entries are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Literal[1] = Field(default=SCHEMA, alias="schema")


# -- requests


class Source(BaseModel):
    """A puzzle: the name of an instance, the text of a file, or its entries. Paths of files are never accepted."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str | None = None
    text: str | None = None
    data: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if sum(given is not None for given in (self.name, self.text, self.data)) != 1:
            raise ValueError("give exactly one of `name`, `text` and `data`")
        return self


class AboutRequest(_Object):
    """What there is: families with their entries and generators, and levels of symmetry."""

    kind: Literal["about"]


class GalleryRequest(_Object):
    """All instances, each with a picture of the unsolved puzzle if `pictures`."""

    kind: Literal["gallery"]
    pictures: bool = True


class LoadRequest(_Object):
    """Every puzzle of a file."""

    kind: Literal["load"]
    puzzle: Source


class SolveRequest(_Object):
    """The distinct solutions. Solutions after the first `shown` are counted and not sent."""

    kind: Literal["solve"]
    puzzle: Source
    up_to: UpTo = "rotation"
    limit: PositiveInt | None = None
    backend: str = "auto"
    minimize: bool = False
    shown: NonNegativeInt = 1000


class CountRequest(_Object):
    """The number of solutions, without a list if an engine can count without one."""

    kind: Literal["count"]
    puzzle: Source
    backend: str = "auto"


Request = Annotated[
    AboutRequest | GalleryRequest | LoadRequest | SolveRequest | CountRequest,
    Field(discriminator="kind"),
]

# -- messages


class Family(BaseModel):
    """A family: the JSON Schemas of its entries and of the options of its generator, if it has one."""

    family: str
    entries: dict[str, Any]
    generator: dict[str, Any] | None


class About(_Object):
    """The answer to `AboutRequest`."""

    kind: Literal["about"] = "about"
    jigsat: str
    up_to: list[str]
    families: list[Family]


class Instance(_Object):
    """An instance in the gallery; `puzzles` is the number of puzzles in its file. `svg` shows the first, unsolved."""

    kind: Literal["instance"] = "instance"
    name: str
    family: str
    title: str
    source: str
    known: dict[str, Number | str]
    puzzles: int
    svg: str | None


class LoadedPuzzle(_Object):
    """A puzzle, the `number`-th of `of` in its file. `svg` shows it unsolved; `toml` and `data` are its normalised file."""

    kind: Literal["puzzle"] = "puzzle"
    name: str
    number: int = 1
    of: int = 1
    family: str
    title: str
    source: str
    rules: list[str]
    known: dict[str, Number | str]
    clues: int
    svg: str
    toml: str
    data: dict[str, Any]


class SoFar(BaseModel):
    """What is known during a search; none of the numbers is final. `found` counts distinct solutions at the level `up_to`."""

    found: Number
    solutions: Number
    distinct: dict[str, Number]
    seconds: float
    rate: float
    """Distinct solutions per second."""
    words: str


class Solved(_Object):
    """A solution; `relation` says how it differs from an earlier one, for the first few solutions."""

    kind: Literal["solution"] = "solution"
    number: int
    svg: str
    placements: Placed
    relation: str
    so_far: SoFar


class Progress(_Object):
    """What is known so far, sent about four times per second while solutions are found but not sent."""

    kind: Literal["progress"] = "progress"
    so_far: SoFar


class Outcome(BaseModel):
    """A result in the terms of `jigsat count --json`."""

    instance: str
    backend: str
    solutions: Number
    distinct: dict[str, Number]
    minimum: Number | None
    minimum_proved: bool | None
    complete: bool
    established_by: str | None
    stopped_by: str | None
    seconds: float
    symmetries: dict[str, Number]
    statistics: dict[str, Number]


class Verdict(_Object):
    """The end of a search. `words` is the line that the command line shows."""

    kind: Literal["verdict"] = "verdict"
    found: int
    result: Outcome
    words: str


class Failed(_Object):
    """The answer to a wrong request or puzzle: one line, and where it is wrong. A `bug` is jigsat's own fault.

    `line` counts from 1 in the text of the request; `place` is the path of the entry, such as ["tiles", "sun"].
    """

    kind: Literal["error"] = "error"
    reason: Literal["input", "bug"]
    message: str
    line: int | None = None
    place: list[str] = []


class Halted(_Object):
    """The answer was stopped before its end: by a limit ('timeout', 'memory'), a solver that gave up, or a crash."""

    kind: Literal["stopped"] = "stopped"
    reason: str
    message: str


class End(_Object):
    """The last message of every answer."""

    kind: Literal["end"] = "end"


Message = Annotated[
    About | Instance | LoadedPuzzle | Solved | Progress | Verdict | Failed | Halted | End,
    Field(discriminator="kind"),
]

_REQUEST: TypeAdapter[Any] = TypeAdapter(Request)
REQUESTS: dict[str, type[BaseModel]] = {
    get_args(model.model_fields["kind"].annotation)[0]: model for model in get_args(get_args(Request)[0])
}


def read(text: str | bytes) -> Any:
    """The request in a JSON text. Raises InputError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the request is not JSON: {error}") from error
    if not isinstance(data, dict):
        raise InputError("the request is not a JSON object")
    if (kind := str(data.get("kind"))) not in REQUESTS:
        raise InputError(f"the request: {unknown('kind', kind, REQUESTS)}")
    try:
        return REQUESTS[kind].model_validate(data)
    except ValidationError as error:
        raise InputError(f"the request: {complaint(error, data, REQUESTS[kind])}") from error


def written(message: BaseModel) -> str:
    """A message as one line of JSON."""
    return message.model_dump_json(by_alias=True)


def schema() -> dict[str, Any]:
    """The JSON Schema of the requests and messages."""
    adapters: dict[str, TypeAdapter[Any]] = {"Request": _REQUEST, "Message": TypeAdapter(Message)}
    references, generated = TypeAdapter.json_schemas(
        [(name, "serialization", adapter) for name, adapter in adapters.items()], by_alias=True
    )
    return {**{name: references[name, "serialization"] for name in adapters}, **generated}
