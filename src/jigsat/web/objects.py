"""What the page's requests and messages have in common."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer

SCHEMA: Literal[1] = 1  # version of the messages. It is increased by any change that could break a page that reads them.
MAX_EXACT_INTEGER = 2**53  # whole numbers up to this one are exact in JavaScript

Number = Annotated[
    int,
    PlainSerializer(
        lambda number: number if abs(number) <= MAX_EXACT_INTEGER else str(number), return_type=int | str, when_used="json"
    ),
]
Placed = list[dict[str, Any]]  # placements, each with its fields by name


class Object(BaseModel):
    """An object of the protocol; unknown entries are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Literal[1] = Field(default=SCHEMA, alias="schema")
