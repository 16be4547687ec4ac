"""The base class of the tables of an instance file, and the table of known facts."""

from collections.abc import Mapping
from typing import Any, ClassVar, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    NonNegativeInt,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)
from pydantic_core import CoreSchema

from jigsat.symmetry import DECLARED_LEVELS, Level


def _make_strict(schema: Any, handler: GetCoreSchemaHandler, resolved: set[str]) -> None:
    """Make the scalars in a core schema strict. The keys of a table stay as they are: in TOML they
    are always text."""
    if isinstance(schema, list | tuple):
        for part in schema:
            _make_strict(part, handler, resolved)
    elif isinstance(schema, dict):
        if schema.get("type") in ("bool", "float", "int", "str"):
            schema["strict"] = True
        if schema.get("type") == "definition-ref" and schema["schema_ref"] not in resolved:
            resolved.add(schema["schema_ref"])
            _make_strict(handler.resolve_ref_schema(cast("CoreSchema", schema)), handler, resolved)
        for key, part in schema.items():
            if key not in ("default", "expected", "keys_schema", "metadata", "serialization"):
                _make_strict(part, handler, resolved)


class Entries(BaseModel):
    """A table of an instance file. Unknown entries are refused, and so are `true` for a number and
    `4.0` for a whole number.

    The strict mode of pydantic would refuse lists for tuples as well, and TOML has lists only. So
    only scalars are strict.
    """

    # most classes only serve as bases
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: type[BaseModel], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema = handler(source)
        _make_strict(handler.resolve_ref_schema(schema), handler, set())
        return schema


class Shorthand(Entries):
    """A table that a file may write as its first entry alone; `alone` is what the file has then, in
    words, with its types."""

    alone: ClassVar[tuple[str, tuple[type, ...]]]

    @classmethod
    def first_entry(cls) -> str:
        """The name of the entry that may be written alone."""
        return next(iter(cls.model_fields))

    @model_validator(mode="before")
    @classmethod
    def _read_alone(cls, data: Any) -> Any:
        words, types = cls.alone
        if not isinstance(data, (dict, cls, *types)):
            raise ValueError(f"expected {words}, or a table with `{cls.first_entry()}`")
        return {cls.first_entry(): data} if isinstance(data, types) else data

    @model_serializer(mode="wrap")
    def _write_alone(self, serialize: SerializerFunctionWrapHandler) -> Any:
        fields = type(self).model_fields
        first = self.first_entry()
        data = {
            entry: value
            for entry, value in serialize(self).items()
            if getattr(self, entry) != fields[entry].default
        }
        return data[first] if data.keys() == {first} else data


class Known(Entries):
    """Known facts about an instance, and their source."""

    solutions: NonNegativeInt | None = None
    """The number of solutions; turned or mirrored ones count separately."""
    rotation: NonNegativeInt | None = None
    """The number of distinct solutions if turned ones count as one."""
    reflection: NonNegativeInt | None = None
    """The number of distinct solutions if turned and mirrored ones count as one."""
    all: NonNegativeInt | None = None
    """The number of distinct solutions up to all symmetries of the puzzle, including permutations
    of labels."""
    minimum: NonNegativeInt | None = None
    """The minimum of the puzzle's objective, such as the number of presses."""
    source: str = ""
    """The source of these facts."""

    def distinct(self) -> dict[Level, int]:
        """The known number of distinct solutions by level."""
        counts = {level: getattr(self, level) for level in DECLARED_LEVELS[1:]}
        return {level: count for level, count in counts.items() if count is not None}

    def contradiction(self, counts: Mapping[str, int | None]) -> str:
        """A message about the facts that differ from the counts of the same names; '' if none
        does."""
        differences = []
        for what, count in counts.items():
            stated = getattr(self, what)
            if stated is not None and stated != count:
                actual = "is none" if count is None else f"are {count}"
                differences.append(f"{what} = {stated}, but there {actual}")
        return f"[known] states {', and '.join(differences)}" if differences else ""
