"""Errors that are planted into the rules or the clues of a kind are noticed: the check refuses a
solution, or the number of solutions is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import pytest
from support.kind_files import KINDS, load_kind, name_file

from jigsat.testing import check_family

ERRORS = [(kind, error) for kind in KINDS for error in load_kind(kind).ERRORS]


@pytest.mark.parametrize(("kind", "error"), ERRORS)
def test_an_error_in_the_rules_is_noticed(
    kind: str, error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance, plant = load_kind(kind).ERRORS[error]
    plant(monkeypatch)
    with pytest.raises(AssertionError, match=instance):
        check_family(instance)


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_in_the_clues_is_noticed(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = name_file(kind)
    place = import_module(f"jigsat.encodings.{file.stem}")
    if not hasattr(place, "clues_of"):
        return  # no clue follows from the answer
    instance = getattr(load_kind(kind), "CLUES", None)
    assert instance, f"{file.name} needs CLUES, the name of an instance with clues"
    clues_of = place.clues_of

    def wrong(*given: Any) -> Mapping[Any, Any]:
        return {place: spoil(value) for place, value in clues_of(*given).items()}

    monkeypatch.setattr(place, "clues_of", wrong)
    with pytest.raises(AssertionError, match=instance):
        check_family(instance)


def spoil(value: Any) -> Any:
    """Another number, list or sign."""
    return value + 1 if isinstance(value, int) else value * 2


def test_a_check_that_lacks_a_rule_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each corrupted answer of a Yajilin breaks the loop as well, so its complaints hide that
    another rule is not checked."""
    place = import_module("jigsat.encodings.yajilin")
    complete = place.check

    def lax(*answer: Any) -> list[str]:
        return [fault for fault in complete(*answer) if "side by side" not in fault]

    monkeypatch.setattr(place, "check", lax)
    with pytest.raises(AssertionError, match="breaks the rule 'shaded cells are not side by side'"):
        check_family("yajilin-4")
    monkeypatch.setattr("jigsat.testing.MAX_BROKEN", 0)
    check_family("yajilin-4")
