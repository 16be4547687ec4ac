"""Pydantic's errors are reported in plain words."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import pytest
from pydantic import BaseModel, Field, ValidationError
from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from jigsat.errors.validation import _expected_value, complaint


class Inner(BaseModel, extra="forbid"):
    size: int = 1
    shape: str


class Outer(BaseModel, extra="forbid"):
    inner: dict[str, Inner] = {}
    some: tuple[Inner, ...] = ()
    either: Literal["red", "green"] | tuple[tuple[str, str], ...] = "red"
    short: Annotated[str, Field(max_length=1)] = ""
    few: Annotated[list[int], Field(max_length=1)] = []
    even: Annotated[int, Field(multiple_of=2, lt=100)] = 0
    pattern: Annotated[str, Field(pattern="^a$")] = "a"
    share: float | None = None
    flag: bool = False


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"innr": {}}, "unknown entry 'innr'; did you mean 'inner'?"),
        (
            {"zzz": 1},
            "unknown entry 'zzz'; use one of 'inner', 'some', 'either', 'short', 'few', 'even', ",
        ),
        (
            {"inner": {"a": {"shap": "x"}}},
            "inner.a: unknown entry 'shap'; did you mean 'shape'? (and 1 more error)",
        ),
        (
            {"inner": {"a": {"shap": "x", "shape": "y"}}},
            "inner.a: unknown entry 'shap'; did you mean 'shape'?",
        ),
        ({"inner": {"size": {"size": 1}}}, "inner.size: missing entry 'shape'"),
        (
            {"some": [{"shape": "x", "sise": 1}]},
            "some.0: unknown entry 'sise'; did you mean 'size'?",
        ),
        ({"some": [3]}, "some.0: expected a table; got 3"),
        ({"inner": [], "flag": 7}, "inner: expected a table; got an empty list (and 1 more error)"),
        (
            {"inner": 1, "flag": 7, "even": "x"},
            "inner: expected a table; got 1 (and 2 more errors)",
        ),
        ({"either": "gren"}, "either: expected 'red' or 'green' or a list; did you mean 'green'?"),
        ({"either": {"a": 1}}, "either: expected 'red' or 'green' or a list; got a table"),
        ({"either": [["a"]]}, "either.0: expected at least 2 entries; got 1 (and 1 more error)"),
        (
            {"either": [["a", "b", "c"]]},
            "either.0: expected at most 2 entries; got a list of 3 entries (and 1 more error)",
        ),
        ({"short": "ab"}, 'short: expected text of at most 1 character; got "ab"'),
        ({"few": [1, 2]}, "few: expected at most 1 entry; got a list of 2 entries"),
        ({"even": 3}, "even: expected a multiple of 2; got 3"),
        ({"even": 100}, "even: expected a number less than 100; got 100"),
        ({"even": 1.5}, "even: expected a whole number; got 1.5"),
        ({"pattern": "b" * 100}, 'pattern: expected text of the form ^a$; got "' + "b" * 59 + "…"),
        ({"share": "much"}, 'share: expected a number; got "much"'),
        ({"flag": "perhaps"}, 'flag: expected true or false; got "perhaps"'),
    ],
)
def test_the_first_error_is_named_with_its_place(data: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Outer.model_validate(data)
    assert complaint(caught.value, data, Outer).startswith(says)


def test_every_pydantic_error_has_a_plain_message() -> None:
    names = [
        "gt",
        "ge",
        "lt",
        "le",
        "multiple_of",
        "min_length",
        "max_length",
        "pattern",
        "expected",
    ]
    context: dict[str, Any] = dict.fromkeys(names, 3)
    for kind in get_args(ErrorType):
        said = _expected_value(ErrorDetails(type=kind, loc=(), msg="", input=None, ctx=context))
        assert said
        assert "{" not in said
        assert "valid" not in said
