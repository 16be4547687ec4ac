"""Requests of the page, answered in this process."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

from jigsat.web import replies


def ask(kind: str, **entries: Any) -> list[dict[str, Any]]:
    """The messages of an answer, without the last one."""
    *messages, end = map(json.loads, replies(json.dumps({"kind": kind, **entries})))
    assert end == {"schema": 1, "kind": "end"}
    assert all(message["schema"] == 1 for message in messages)
    return messages


def error(kind: str, **entries: Any) -> dict[str, Any]:
    """The only message of an answer, which is an error."""
    (message,) = ask(kind, **entries)
    assert message["kind"] == "error" and message["reason"] == "input"
    return message


def is_svg(text: str) -> bool:
    return ElementTree.fromstring(text).tag.endswith("}svg")
