"""The messages of the page as they are written."""

from __future__ import annotations

import json

import jsonschema

from jigsat.web import replies
from jigsat.web.messages import SoFar, write_message
from jigsat.web.requests import REQUESTS, schema


def test_messages_fit_the_published_schema() -> None:
    whole = schema()
    valid = jsonschema.Draft202012Validator({**whole["Message"], "$defs": whole["$defs"]})
    for request in (
        {"kind": "load", "puzzle": {"name": "push-pull"}},
        {"kind": "solve", "puzzle": {"name": "push-pull"}},
        {"kind": "solve", "puzzle": {}},
    ):
        for line in replies(json.dumps(request)):
            valid.validate(json.loads(line))


def test_requests_fit_the_published_schema() -> None:
    whole = schema()
    valid = jsonschema.Draft202012Validator({**whole["Request"], "$defs": whole["$defs"]})
    assert valid.is_valid({"schema": 1, "kind": "solve", "puzzle": {"name": "cube"}})
    assert not valid.is_valid({"schema": 2, "kind": "solve", "puzzle": {"name": "cube"}})
    assert not valid.is_valid({"schema": 1, "kind": "solve"})


def test_a_request_has_the_parameters_of_the_function_that_answers_it() -> None:
    assert {*REQUESTS["solve"].model_fields} == {
        "version",
        "kind",
        "puzzle",
        "up_to",
        "limit",
        "drawn",
        "shown",
        "best",
    }
    assert {*REQUESTS["about"].model_fields} == {"version", "kind"}


def test_numbers_that_javascript_cannot_represent_are_strings() -> None:
    so_far = SoFar(found=2**53, solutions=2**53 + 1, distinct={})
    assert json.loads(write_message(so_far))["solutions"] == str(2**53 + 1)
    assert json.loads(write_message(so_far))["found"] == 2**53
