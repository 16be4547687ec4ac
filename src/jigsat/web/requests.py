"""The requests of the page."""

import json
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveInt, TypeAdapter, ValidationError, model_validator

from jigsat.errors import InputError, unknown
from jigsat.errors.validation import complaint
from jigsat.runtime import untrusted
from jigsat.web.messages import Object, Placed, WebMessage

DeclaredLevel = Literal["nothing", "rotation", "reflection", "all"]
UpTo = Literal[DeclaredLevel, "automorphism"]


class RequestedPuzzle(BaseModel):
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


class AboutRequest(Object):
    """What is available: families with their entries and generators, and levels of symmetry."""

    kind: Literal["about"]


class GalleryRequest(Object):
    """All instances, each with a picture of the unsolved puzzle."""

    kind: Literal["gallery"]


class AboutPuzzle(Object):
    """A request about the only puzzle of a source."""

    puzzle: RequestedPuzzle


class AboutPlacements(AboutPuzzle):
    """A request about a puzzle and placements, which may be a part of a solution."""

    placements: Placed = Field(default_factory=list)


class LoadRequest(Object):
    """Every puzzle of a file."""

    puzzle: RequestedPuzzle
    kind: Literal["load"]


class SolveRequest(AboutPuzzle):
    """The distinct solutions. Those after the first `drawn` come without a picture, those after `shown` are only counted."""

    kind: Literal["solve"]
    up_to: UpTo = "rotation"
    limit: PositiveInt | None = None
    drawn: NonNegativeInt = 20
    shown: NonNegativeInt = 1000


class UniqueRequest(AboutPuzzle):
    """Whether there is exactly one solution."""

    kind: Literal["unique"]
    up_to: DeclaredLevel = "rotation"


class DrawRequest(AboutPlacements):
    """A picture of placements, which may be a part of a solution, with marks; one for each placement if `apart`."""

    kind: Literal["draw"]
    marked: Placed = Field(default_factory=list)
    apart: bool = False


class SolidRequest(AboutPlacements):
    """The shape in space of a puzzle, with placements on it."""

    kind: Literal["solid"]


class CandidatesRequest(AboutPlacements):
    """What can be placed where, together with the given placements."""

    kind: Literal["candidates"]


class OpenRequest(AboutPlacements):
    """What no single rule excludes, as for pencil marks. `excluded` are the placements that steps have excluded."""

    kind: Literal["open"]
    excluded: Placed = Field(default_factory=list)


class JudgeRequest(AboutPlacements):
    """Whether some solution has all of the given placements."""

    kind: Literal["judge"]


class StepRequest(AboutPlacements):
    """What comes next, and why. `excluded` are the placements that earlier steps have excluded."""

    kind: Literal["step"]
    excluded: Placed = Field(default_factory=list)


class WhyRequest(AboutPlacements):
    """Why no solution with the given placements has this one."""

    kind: Literal["why"]
    placement: dict[str, Any]


class StartRequest(AboutPuzzle):
    """What there is to play with."""

    kind: Literal["start"]


class PlayRequest(AboutPlacements):
    """A picture of placements by hand, and whether they are a solution; with `check`, what is wrong."""

    kind: Literal["play"]
    check: bool = False


class ExplainRequest(AboutPuzzle):
    """The encoding of a puzzle."""

    kind: Literal["explain"]


class RulesRequest(AboutPuzzle):
    """The rules: for each thing such as a cell, a row or a piece, all constraints about it."""

    kind: Literal["rules"]


class RuleRequest(AboutPuzzle):
    """The constraints of a rule, by its name."""

    kind: Literal["rule"]
    name: str


class GenerateRequest(Object):
    """New puzzles of a family, or new clues for a puzzle; `options` are those of the generator."""

    kind: Literal["generate"]
    family: str | None = None
    puzzle: RequestedPuzzle | None = None
    options: dict[str, Any] = Field(default_factory=dict)
    seed: NonNegativeInt = 0
    number: PositiveInt = 1
    difficulty: Literal["easy", "medium", "hard"] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.family is None) == (self.puzzle is None):
            raise ValueError("give exactly one of `family` and `puzzle`")
        return self


class ExportRequest(AboutPuzzle):
    """The file of a format: 'cnf', 'opb' and so on, or one of the family's formats."""

    kind: Literal["export"]
    format: str


class PrintRequest(Object):
    """The pages to print of some puzzles, followed by one solution of each if `solutions`."""

    kind: Literal["print"]
    puzzles: list[RequestedPuzzle] = Field(min_length=1, max_length=50)
    solutions: bool = False


Request = (
    AboutRequest | GalleryRequest | LoadRequest | SolveRequest | UniqueRequest | DrawRequest | SolidRequest
    | CandidatesRequest | OpenRequest | JudgeRequest | StepRequest | WhyRequest | StartRequest | PlayRequest | ExplainRequest
    | RulesRequest | RuleRequest | GenerateRequest | ExportRequest | PrintRequest
)  # fmt: skip
"""Any request."""

REQUESTS: dict[str, type[Object]] = {get_args(kind.model_fields["kind"].annotation)[0]: kind for kind in get_args(Request)}
"""The requests by their kind."""


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
