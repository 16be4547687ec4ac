"""The JSON Schema of instance files, which editors use to complete and check them."""

import ast
import inspect
import textwrap
from contextlib import suppress
from itertools import pairwise
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, models_json_schema
from pydantic_core import core_schema

from jigsat.puzzle import Puzzle, Shorthand

# the newest dialect that the TOML extensions of common editors support
DIALECT = "http://json-schema.org/draft-07/schema#"


def schema(*families: type[Puzzle]) -> dict[str, Any]:
    """The JSON Schema of instance files of some families; docstrings below fields are the
    descriptions of entries."""
    references, generated = models_json_schema(
        [(family, "validation") for family in families],
        ref_template="#/definitions/{model}",
        schema_generator=_Generator,
    )
    alternatives = [references[family, "validation"] for family in families]
    definitions = _older(generated["$defs"])
    root: dict[str, Any] = {"oneOf": alternatives}
    if len(families) == 1:
        root = definitions.pop(alternatives[0]["$ref"].rpartition("/")[2])
    return {"$schema": DIALECT, **root, "definitions": definitions}


class _Generator(GenerateJsonSchema):
    """Pydantic's schemas adapted to files: without null, which TOML lacks, and without entries that
    files do not have."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def nullable_schema(self, schema: core_schema.NullableSchema) -> dict[str, Any]:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> dict[str, Any]:
        described = super().default_schema(schema)
        if described.get("default") in (None, "") or isinstance(described["default"], dict):
            described.pop("default", None)
        return described

    def named_tuple_schema(self, schema: Any) -> dict[str, Any]:
        return _list_or_table(super().named_tuple_schema(schema), schema["cls"])

    def call_schema(
        self, schema: core_schema.CallSchema
    ) -> dict[str, Any]:  # a named tuple in older versions of pydantic
        return _list_or_table(super().call_schema(schema), schema["function"])

    def model_schema(self, schema: core_schema.ModelSchema) -> dict[str, Any]:
        described = super().model_schema(schema)
        model = schema["cls"]
        for name, text in _docstrings(model).items():
            if name in described.get("properties", {}):
                described["properties"][name].setdefault("description", text)
        if issubclass(model, Shorthand):
            return {"anyOf": [described["properties"][model.first_entry()], described]}
        return _file(described, model) if issubclass(model, Puzzle) else described


def _list_or_table(described: dict[str, Any], kind: Any) -> dict[str, Any]:
    """The schema of a named tuple, which a file may write as a list or as a table, from that of the
    list."""
    fields = dict(zip(kind._fields, described["prefixItems"], strict=True))
    required = [field for field in fields if field not in kind._field_defaults]
    table = {
        "type": "object",
        "properties": fields,
        "required": required,
        "additionalProperties": False,
    }
    return {"anyOf": [described, table]}


def _file(described: dict[str, Any], family: type[Puzzle]) -> dict[str, Any]:
    """The schema of a whole file of a family."""
    properties = {name: entry for name, entry in described["properties"].items() if name != "name"}
    required = ["family", *described.get("required", ())]
    entry = {"const": family.family, "description": "The family of puzzles."}
    whole = {**described, "properties": {"family": entry, **properties}, "required": required}
    if family.several:
        entries, member = family.several
        alternatives = [
            properties[member],
            {"type": "object", "properties": properties, "additionalProperties": False},
        ]
        words = f"Several puzzles, each with its `{member}`."
        several = {"type": "array", "items": {"anyOf": alternatives}, "description": words}
        whole["properties"][entries] = several
        whole["required"] = [name for name in required if name != member]
        whole["oneOf"] = [{"required": [member]}, {"required": [entries]}]
    return whole


def _docstrings(model: type[BaseModel]) -> dict[str, str]:
    """The docstrings below the fields of a class and its base classes."""
    docstrings: dict[str, str] = {}
    for part in reversed(model.__mro__):
        if part is BaseModel or not issubclass(part, BaseModel):
            continue
        with suppress(
            OSError, TypeError, SyntaxError
        ):  # the source is unknown, as for a class defined interactively
            (definition,) = ast.parse(textwrap.dedent(inspect.getsource(part))).body
            for field, text in pairwise(getattr(definition, "body", ())):
                match field, text:
                    case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(
                        value=ast.Constant(value=str(words))
                    ):
                        docstrings[name] = " ".join(words.split())
    return docstrings


def _older(described: Any) -> Any:
    """The schema in the older dialect, which uses `items` instead of `prefixItems`."""
    if isinstance(described, list):
        return [_older(item) for item in described]
    if not isinstance(described, dict):
        return described
    return {
        {"prefixItems": "items"}.get(key, key): _older(value) for key, value in described.items()
    }
