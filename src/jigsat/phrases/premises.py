"""What the sentences about a fact take for granted: what was left before the step.

Pencil marks show it on boards where one thing is put on each place. Elsewhere it is listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from jigsat.facts import Case, Cause, Choice, Excludes, Fact, Fills

UNSAID = ("rest", "causes")  # fields of facts of which the sentences name no choice


def list_choices(fact: Fact) -> list[Choice]:
    """The choices of which the sentences about a fact say what is left."""
    if isinstance(fact, Fills):
        return list(fact.choices)
    choices = list(_walk(fact))
    if isinstance(fact, Excludes) and (fact.conclusion.placed or len(fact.rest) == 1):
        choices += fact.rest
    if isinstance(fact, Case):
        for line in fact.chain:
            choices += getattr(line, "rest", ())
    return choices


def list_looks(causes: tuple[Cause, ...]) -> list[Choice]:
    """What was left at the places where the rules of causes looked."""
    return [choice for cause in causes for choice in cause.left]


def _walk(part: Any) -> Iterator[Choice]:
    if isinstance(part, Choice):
        yield part
    elif isinstance(part, tuple) and not hasattr(part, "_fields"):
        for item in part:
            yield from _walk(item)
    elif is_dataclass(part):
        for field in fields(part):
            if field.name not in UNSAID:
                yield from _walk(getattr(part, field.name))
