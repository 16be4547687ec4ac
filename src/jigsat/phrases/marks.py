"""Marks on a grid: a layer of the puzzle says how its marks are called, such as 'r1c2 is shaded'.

A mark may be the same at all places, so a sentence says places, and which rule needs the mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jigsat.facts import Choice, Collision, Fills, NoPartner, Placement
from jigsat.phrases.phrasebook import MAX_LISTED, Phrasebook
from jigsat.phrases.text import count, in_house, join_and, join_or, unique
from jigsat.puzzle import Way

WALL = "wall"  # kind of the rules about a side between two cells


class MarkPhrases(Phrasebook):
    marks_left = True

    def __init__(self, way: Way) -> None:
        super().__init__(way)
        self.grid_way: Any = way

    def say_choice(self, choice: Choice) -> str:
        if self.way.is_about_place(choice.rule):
            return super().say_choice(choice)
        if choice.rule.kind == WALL and len(choice.left) == 1:
            wall = self.way.state(choice.left[0])
            return f"No region that is left has both {choice.rule.about}, so {wall}"
        where = in_house(self.way.house(choice.rule)) or f"For {self.way.rule(choice.rule)}, "
        things = unique(map(self.way.thing, choice.left))
        what = things[0] if len(things) == 1 else "it"
        if len(choice.left) > MAX_LISTED:
            return f"{where}{count(len(choice.left))} ways are left for {what}"
        if len(things) > 1:
            return f"{where}one of these must hold: {self._list_states(choice.left)}"
        verb = self.grid_way.bare_verb(choice.left[0])
        return f"{where}{what} can only {verb} {self._join_places(choice.left)}"

    def name_choice(self, choice: Choice) -> str:
        if self.way.is_about_place(choice.rule):
            return self.way.rule(choice.rule)
        return self.way.house(choice.rule) or self.way.rule(choice.rule)

    def name_place(self, choice: Choice) -> str:
        return self.name_choice(choice)

    def ask_choice(self, choice: Choice) -> str:
        if self.way.is_about_place(choice.rule):
            return super().ask_choice(choice)
        return f"what is left for {self.name_choice(choice)}?"

    def say_collision(self, end: Collision) -> list[str]:
        if not end.placed:
            return [f"That breaks the rule about {self.way.rule(end.rule)}"]
        states = join_and([self.way.state(placement) for placement in end.placed[:3]])
        return [f"{states}; that is not allowed together ({self.way.rule(end.rule)})"]

    def say_partner(self, end: NoPartner) -> list[str]:
        rule = self.way.rule(end.rule)
        none = "that is not possible" if len(end.needed) == 1 else "none of these is left"
        if len(end.needed) > MAX_LISTED:
            number = count(len(end.needed))
            return [f"Because of {rule}, one of {number} ways is needed, but {none}"]
        things = unique(map(self.way.thing, end.needed))
        if len(things) > 1:
            must = f"one of these must hold: {self._list_states(end.needed)}"
        else:
            verb = self.grid_way.bare_verb(end.needed[0])
            must = f"{things[0]} must {verb} {self._join_places(end.needed)}"
        return [f"Because of {rule}, {must}", f"But {none}"]

    def say_covers(self, fact: Fills) -> list[str]:
        groups = join_and(unique(self.way.rule(cover.rule) for cover in fact.covers))
        things = join_and(unique(self.way.thing(x) for choice in fact.choices for x in choice.left))
        if len(fact.choices) == 1:
            return [f"Whichever it is, it is in {groups}, which then takes no other one"]
        verb = "has" if len(unique(cover.rule for cover in fact.covers)) == 1 else "have"
        return [f"So {groups} {verb} {things} there"]

    def conclude_filling(self, fact: Fills) -> list[str]:
        return self.conclude(fact.conclusion, ())

    def deny_each(self, excluded: Sequence[Placement]) -> str:
        by_thing: dict[str, list[Placement]] = {}
        for placement in excluded:
            by_thing.setdefault(self.way.thing(placement), []).append(placement)
        if len(excluded) > 2 * MAX_LISTED or len(by_thing) > MAX_LISTED:
            return ""
        return join_and([self.grid_way.deny_all(marks) for marks in by_thing.values()])

    def _list_states(self, placements: Sequence[Placement]) -> str:
        return join_or([self.way.state(placement) for placement in placements])

    def _join_places(self, placements: Sequence[Placement]) -> str:
        return join_or(unique(map(self.way.place, placements)))
