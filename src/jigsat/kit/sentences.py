"""How the marks of a puzzle on a grid are said: 'a star goes in r1c2', 'r1c2 is shaded'."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jigsat.kit.layers import Layer, Lines, Mark, Values
from jigsat.kit.walks import name_cell
from jigsat.puzzle import GO_IN, Rule, Way
from jigsat.words import join_words, pluralize

AREAS = ("row", "column", "box", "room")
HOUSES = (*AREAS, "run")  # rules about sets of cells in which marks are required
NAMED = (*AREAS, "cage", "cells", "rows", "columns", "corner")
"""Things that are said without an article."""
MAX_REPORTED = 6  # marks that a sentence names one by one
PATHS = ("run", "line", "block")  # sets of cells that are named by the first and the last
BETWEEN = ("wall", "sign")  # things between two cells


class GridWay(Way[Any]):
    """The words of the layers of a puzzle."""

    placing = "mark on a grid"
    verb = GO_IN
    area_rules = (*AREAS, "cage")

    def __init__(self, puzzle: Any) -> None:
        super().__init__(puzzle)
        self._cells = frozenset(map(name_cell, puzzle.grid.cells))
        if any(clues.margin for clues in puzzle.clue_layers.values()):
            self.uncounted = "the first row and the first column of the drawing"
        self._clues: dict[str, str] = {}
        self._clue_rules = frozenset(pluralize(clues.noun) for clues in puzzle.clue_layers.values())
        for clues in puzzle.clue_layers.values():
            for place in clues:
                self._clues[str(clues.thing(place))] = clues.say(place)

    def _layer(self, mark: Mark) -> Layer[Any, Any]:
        layer: Layer[Any, Any] = self.puzzle.layer_of(mark)
        return layer

    def thing(self, placement: Mark) -> str:
        return self._layer(placement).name_thing(placement)

    def place(self, placement: Mark) -> str:
        return self._layer(placement).name_place(placement)

    def house(self, rule: Rule) -> str:
        return self.rule(rule) if rule.kind in HOUSES else ""

    def rule(self, rule: Rule) -> str:
        """Such as 'the number in r1c2'; a rule about no named thing is quoted."""
        if not rule.kind:
            return f"“{rule.name}”"
        if rule.kind in self.area_rules and rule.about in self._cells:
            return f"the {rule.kind} at {rule.about}"
        if rule.kind in self.place_rules or rule.kind in NAMED:
            return super().rule(rule)
        if rule.kind in PATHS:
            return f"the {rule.kind} from {rule.about}"
        if rule.kind in BETWEEN:
            return f"the {rule.kind} between {rule.about}"
        if rule.about in self._cells:
            return f"the {rule.kind} in {rule.about}"
        return f"the {rule.name}"

    def is_number(self, placement: Mark) -> bool:
        """Whether a mark is a number in a cell."""
        return isinstance(self._layer(placement), Values)

    def may_be_absent(self, placement: Mark) -> bool:
        return isinstance(self._layer(placement), Lines)

    def clue(self, rule: Rule) -> str:
        """The number or numbers of a clue, such as '14'; nothing for other rules."""
        text = self._clues.get(rule.name, "")
        return text if any(map(str.isdigit, text)) else ""

    def is_clue(self, rule: Rule) -> bool:
        """Whether a rule is what a clue says."""
        return rule.name in self._clues

    def explain_rule(self, rule: Rule) -> str:
        """What a rule states; nothing for a clue about which the puzzle states no rule."""
        statement = next(iter(rule.states), "") if rule.kind else ""
        return "" if statement == pluralize(rule.kind) else statement

    def fault(self, rule: Rule, statement: str, placements: Sequence[Mark]) -> str:
        """What is on the board against a clue, or against the statement of another rule. The check
        cannot say it: it is about finished boards."""
        on_board = ""
        if len(placements) <= MAX_REPORTED:
            alike = self._group_alike(placements)
            on_board = join_words([self._layer(marks[0]).report(marks) for marks in alike])
        if self.is_clue(rule) and statement in self._clue_rules:
            value = self.clue(rule)
            says = f"says {value}" if value else f"is {self.sign(rule)}"
            against = on_board or "that is not possible with what is marked"
            return f"{self.rule(rule)} {says}, but {against}"

        in_a_cell = rule.about in self._cells and not self.is_about_place(rule)
        where = f"{self.rule(rule)}: " if in_a_cell or rule.kind in HOUSES else ""
        return f"{where}{on_board or 'what is marked is'}, against the rule “{statement}”"

    def sign(self, rule: Rule) -> str:
        """How a clue looks that is no number, such as '○'."""
        clue = self._clues.get(rule.name, "")
        return "" if any(map(str.isalnum, clue)) else clue

    def state(self, placement: Mark) -> str:
        return self._layer(placement).state([placement])

    def deny(self, placement: Mark) -> str:
        return self._layer(placement).deny([placement])

    def state_all(self, placements: Sequence[Mark]) -> list[str]:
        """That all of these marks are there, in a clause for each thing."""
        return [self._layer(marks[0]).state(marks) for marks in self._group_alike(placements)]

    def _group_alike(self, placements: Sequence[Mark]) -> list[list[Mark]]:
        """The marks that are called the same, together."""
        alike: dict[str, list[Mark]] = {}
        for mark in placements:
            alike.setdefault(self.thing(mark), []).append(mark)
        return list(alike.values())

    def preposition(self, placement: Mark) -> str:
        return self._layer(placement).verb.preposition

    def bare_verb(self, placement: Mark) -> str:
        """What a mark does at its place, such as 'go in'."""
        return self._layer(placement).verb.bare

    def limit(self, placements: Sequence[Mark]) -> str:
        """That no other marks that are called the same are left."""
        return self._layer(placements[0]).limit(placements)

    def require(self, placements: Sequence[Mark]) -> str:
        """That one of these marks, which are called the same, is needed."""
        return self._layer(placements[0]).require(placements)

    def deny_all(self, placements: Sequence[Mark]) -> str:
        """That none of these marks is possible: of several numbers in the same cells together, of
        all else one by one.
        """
        alike: dict[object, list[Mark]] = {}
        for marks in self._group_alike(placements):
            places = tuple(mark.at for mark in marks)
            together = places if self.is_number(marks[0]) else self.thing(marks[0])
            alike.setdefault(together, []).extend(marks)
        return join_words([self._layer(marks[0]).deny(marks) for marks in alike.values()])

    def oppose(self, placement: Mark) -> str:
        return self._layer(placement).oppose(placement)
