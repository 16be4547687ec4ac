"""The entries of an exact-cover instance: items, secondary items, and options that cover them."""

from functools import cached_property
from typing import Annotated, Any, NamedTuple, Self

from pydantic import BeforeValidator, Field, PlainSerializer, model_validator

from jigsat.errors import suggest
from jigsat.puzzle import Puzzle


class Chosen(NamedTuple):
    """The option is chosen: its number, counted from 1, and its items as written."""

    option: int
    items: str


def _words(data: Any) -> Any:
    return data.split() if isinstance(data, str) else data


def _lines(data: Any) -> Any:
    lines = [line for line in data.splitlines() if line.strip()] if isinstance(data, str) else data
    if not isinstance(lines, list | tuple):
        return data
    return [" ".join(line.split()) if isinstance(line, str) else line for line in lines]


Words = Annotated[
    tuple[str, ...],
    BeforeValidator(_words, json_schema_input_type=str | list[str]),
    PlainSerializer(" ".join),
]
Lines = Annotated[
    tuple[str, ...],
    BeforeValidator(_lines, json_schema_input_type=str | list[str]),
    PlainSerializer("\n".join),
]


class ExactCoverData(Puzzle[Chosen]):
    family = "exact-cover"
    chapter = "Exact covers"
    rule = "Choose options so that each item is in exactly one of them."
    piece_field = "option"

    items: Words = Field(min_length=1)
    """The primary items, which exactly one chosen option must have, separated by spaces or as a
    list."""
    secondary: Words = ()
    """The secondary items, which at most one chosen option has, or several with the same colour."""
    options: Lines
    """The options, one per line: items separated by spaces; a secondary item may have a colour, as
    in `x:red`."""

    def board_places(self, placement: Chosen) -> list[int]:
        return [placement.option]

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        known: set[str] = set()
        for entry, names in (("items", self.items), ("secondary", self.secondary)):
            for name in names:
                if name in known:
                    raise ValueError(f"{entry}: {name!r} is given twice")
                if not name or set(name) & set(":|") or name.split() != [name]:
                    raise ValueError(
                        f"{entry}: {name!r} is not a valid item name; it is empty or contains a "
                        f"space, : or |"
                    )
                known.add(name)
        for number, option in enumerate(self.options, 1):
            self._check(f"options: option {number}", option, known)
        return self

    def _check(self, where: str, option: str, known: set[str]) -> None:
        names: set[str] = set()
        for word in option.split():
            name, colon, colour = word.partition(":")
            if name not in known:
                raise ValueError(f"{where}: unknown item {name!r}{suggest(name, known)}")
            if colon and (name not in self.secondary_set or not colour):
                what = "a colour, but only secondary items have colours"
                if not colour:
                    what = "an empty colour"
                raise ValueError(f"{where}: {word!r} has {what}")
            if name in names:
                raise ValueError(f"{where}: the item {name!r} is given twice")
            names.add(name)
        if names <= self.secondary_set:
            raise ValueError(f"{where} has no primary item; add one or remove the option")

    @cached_property
    def secondary_set(self) -> frozenset[str]:
        return frozenset(self.secondary)

    @cached_property
    def choices(self) -> list[Chosen]:
        return [Chosen(number, option) for number, option in enumerate(self.options, 1)]
