"""What a picture or the page marks for a fact: the places that its sentences are about, and the
placements that it uses, places and excludes.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import chain
from typing import Any

from jigsat.facts import (
    Case,
    Cause,
    Choice,
    Fact,
    Fills,
    LastPlace,
    LastThing,
    NothingLeft,
    ParitySum,
)
from jigsat.phrases import choose_phrasebook
from jigsat.puzzle import Rule
from jigsat.study.areas import Area, find_area
from jigsat.study.playing import Playing
from jigsat.symmetry import Placement


@dataclass(frozen=True)
class Highlights:
    """Places that the sentences are about, those of them where to look first, and placements."""

    about: frozenset[Hashable]
    at: frozenset[Hashable]
    used: tuple[Placement, ...]
    placed: tuple[Placement, ...]
    excluded: tuple[Placement, ...]


class Highlighter:
    """Finds the highlights of facts about a puzzle."""

    def __init__(self, playing: Playing) -> None:
        self._playing = playing
        self._phrasebook = choose_phrasebook(playing.puzzle)
        self._areas: dict[str, Area] = {}

    def highlight(self, fact: Fact) -> Highlights:
        """What is marked for a fact."""
        conclusion = fact.conclusion
        about = self._find_all_places(list_subjects(fact))
        at = self._find_all_places(_list_supposed(fact)) if isinstance(fact, Case) else about
        return Highlights(about, at, self.list_used(fact), conclusion.placed, conclusion.excluded)

    def list_used(self, fact: Fact) -> tuple[Placement, ...]:
        """The placements made before that the sentences name, also those that exclude the others
        if one is left.
        """
        if isinstance(fact, ParitySum):
            return ()  # the lights are drawn as these presses leave them
        if isinstance(fact, Case):
            reasons = set(_list_reasons(fact))
            return tuple(x for x in fact.basis.placed if x in reasons)
        used = list(fact.basis.placed)
        for cause in self._phrasebook.list_said_causes(fact):
            used += cause.basis.placed
        return tuple(dict.fromkeys(used))

    def find_area(self, rule: str) -> Area:
        """What a rule is about."""
        if rule not in self._areas:
            constraints = self._playing.rules[rule]
            self._areas[rule] = find_area(self._playing, rule, constraints)
        return self._areas[rule]

    def _find_all_places(
        self, subjects: Iterable[Rule | Choice | Placement]
    ) -> frozenset[Hashable]:
        return frozenset(chain.from_iterable(map(self._find_places, subjects)))

    def _find_places(self, subject: Rule | Choice | Placement) -> Collection[Hashable]:
        """The places of a rule; for a choice about a thing, where it is left."""
        if isinstance(subject, Rule):
            return self.find_area(subject.name).places
        if isinstance(subject, Choice):
            places = self.find_area(subject.rule.name).places
            return places or self._list_places(subject.left)
        return self._list_places([subject])

    def _list_places(self, placements: Iterable[Placement]) -> list[Hashable]:
        board_places = self._playing.puzzle.board_places
        return [place for placement in placements for place in board_places(placement)]


def list_subjects(fact: Fact) -> list[Rule | Choice | Placement]:
    """What the sentences about a fact are about: rules, what is left of choices, and placements."""
    if isinstance(fact, LastPlace | LastThing):
        return [fact.choice]
    if isinstance(fact, Fills):
        return [*fact.choices, *fact.covers]
    if isinstance(fact, ParitySum):
        return list(fact.rules)
    if isinstance(fact, Case):
        return [*_list_supposed(fact), *_list_chain(fact)]
    choices = list(_list_choices(fact))
    return [*choices, *(choices or fact.rules)]


def _list_supposed(case: Case) -> list[Placement]:
    """The placements of which a case supposes that they are so, or are not."""
    return [*case.supposed.placed, *case.supposed.excluded]


def _list_reasons(case: Case) -> Iterator[Placement]:
    """The placements that the lines of a case and its end name as reasons."""
    for line in (*case.chain, case.end):
        causes = getattr(line, "causes", ())
        for cause in causes:
            yield from cause.basis.placed
        if not causes:
            yield from line.basis.placed


def _list_chain(case: Case) -> Iterator[Rule | Choice | Placement]:
    """What the lines of a case and its end are about."""
    for line in case.chain:
        yield from line.conclusion.placed or _list_choices(line)
        yield from getattr(line, "rest", ())
    if isinstance(case.end, NothingLeft):
        yield replace(case.end.choice, left=case.end.before)
    else:
        yield case.end.rule
        yield from _list_choices(case.end)


def _list_choices(part: Any) -> Iterator[Choice]:
    """The choices in a part of a fact, without its causes."""
    if isinstance(part, Choice):
        yield part
    elif isinstance(part, tuple) and not hasattr(part, "_fields"):
        for item in part:
            yield from _list_choices(item)
    elif is_dataclass(part) and not isinstance(part, Cause):
        for field in fields(part):
            if field.name != "rest":
                yield from _list_choices(getattr(part, field.name))
