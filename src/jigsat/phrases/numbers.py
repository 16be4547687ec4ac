"""Values in cells: the board shows what blocks a cell, so only the values are named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from jigsat.facts import (
    Cause,
    Choice,
    Collision,
    Excludes,
    Fact,
    Fills,
    LastPlace,
    LastThing,
    Placement,
    list_values,
    name_technique,
)
from jigsat.phrases.phrasebook import MAX_LISTED, Phrasebook, name_rules
from jigsat.phrases.text import count, in_house, join_and, join_or, unique, upper
from jigsat.puzzle import Rule, Way

CELL_WORDS = {2: "both", 3: "all three", 4: "all four"}


class NumberPhrases(Phrasebook):
    dropped = "struck out"
    marks_left = True

    def __init__(self, way: Way) -> None:
        super().__init__(way)
        self._covering: dict[str, Callable[[Fills], str]] = {
            "pointing": self._say_locked,
            "claiming": self._say_locked,
            "naked": self._say_naked,
            "hidden": self._say_hidden,
        }
        """How the first word of a technique's name is said."""

    def title(self, fact: Fact) -> str:
        return name_technique(fact)

    def list_said_causes(self, fact: Fact) -> tuple[Cause, ...]:
        return fact.causes if isinstance(fact, LastPlace | LastThing) else ()

    def explain(self, fact: LastPlace | LastThing) -> list[str]:
        return self.explain_value(fact) if isinstance(fact, LastThing) else self.explain_place(fact)

    def explain_place(self, fact: LastPlace) -> list[str]:
        """Which of the same values block the other cells."""
        value = self.way.thing(fact.choice.options[0])
        blocking = [x for cause in fact.causes for x in cause.basis.placed]
        cells = unique(self.way.place(x) for x in blocking if self.way.thing(x) == value)
        if not cells:
            return []
        if len(cells) == 1:
            return [f"The {value} in {cells[0]} blocks the other empty cells"]
        if len(cells) > MAX_LISTED:
            number = count(len(cells))
            return [f"The {value}s in {number} other places block the cells that are empty"]
        return [f"The {value}s in {join_and(cells)} block the other empty cells"]

    def explain_value(self, fact: LastThing) -> list[str]:
        """Which house has which of the other values."""
        houses = []
        for cause in fact.causes:
            if cause.rule and cause.rule.kind != "cell":
                values = [self.way.thing(placement) for placement in cause.excluded]
                houses.append(f"{self.way.rule(cause.rule)} has {join_and(values)}")
        return [join_and(houses)] if houses else []

    def explain_briefly(self, causes: Sequence[Cause], what: str = "") -> str:
        cells: dict[str, list[str]] = {}
        for placement in unique(x for cause in causes for x in cause.basis.placed):
            cells.setdefault(self.way.thing(placement), []).append(self.way.place(placement))
        blocking = [f"{value} is in {self.name_few(places)}" for value, places in cells.items()]
        return f", as {self.name_few(blocking)}" if blocking else ""

    def say_choices(self, choices: Sequence[Choice]) -> list[str]:
        """Of values with the same cells, or cells with the same values, one sentence says all."""
        rules = unique(choice.rule for choice in choices)
        if len(choices) > 1 and len(rules) == 1:
            values = [self.way.thing(choice.options[0]) for choice in choices]
            cells = self._list_cells(choices)
            house = in_house(self.way.house(choices[0].rule))
            return [f"{house}{join_and(values)} can only go in {join_or(cells)}"]
        return say_cells_together(self.way, choices) or super().say_choices(choices)

    def say_covers(self, fact: Fills) -> list[str]:
        technique = name_technique(fact).split(" ")[0]
        say = self._covering.get(technique, self._say_fish)
        return [say(fact)]

    def conclude_filling(self, fact: Fills) -> list[str]:
        """What follows; if that is much, that the values go nowhere else in the houses."""
        houses = unique(cover.rule for cover in fact.covers)
        values = list_values(x for cover in fact.covers for x in cover.left)
        is_short = bool(self.deny_each(fact.conclusion.excluded))
        has_cells = any(map(self.way.is_about_place, houses))
        if is_short or has_cells or (len(houses) > 1 and len(values) > 1):
            return self.conclude(fact.conclusion, ())
        return [f"So {join_and(values)} can go nowhere else in {_name_covers(self.way, fact)}"]

    def _say_locked(self, fact: Fills) -> str:
        number = CELL_WORDS.get(len(self._list_cells(fact.choices)), "all")
        return f"These are {number} in {_name_covers(self.way, fact)}"

    def _say_naked(self, fact: Fills) -> str:
        return f"In {_name_covers(self.way, fact)}, these cells use up these values"

    def _say_hidden(self, fact: Fills) -> str:
        return "Nothing else fits in these cells"

    def _say_fish(self, fact: Fills) -> str:
        """Also other fillings."""
        values = list_values(x for choice in fact.choices for x in choice.left)
        if len(values) == 1:
            return f"That gives {_name_covers(self.way, fact)} their {values[0]}"
        return f"They fill {_name_covers(self.way, fact)}"

    def _list_cells(self, choices: Iterable[Choice]) -> list[str]:
        """The cells that are left for choices."""
        return unique(self.way.place(x) for choice in choices for x in choice.left)

    def say_effect(self, fact: Excludes, shown: Sequence[Choice]) -> list[str]:
        named = {choice.rule for choice in shown}
        others = [rule for rule in fact.rules if rule not in named and rule.kind != "cell"]
        if not others:
            return []
        houses = list(map(self.way.rule, others))
        cells = unique(map(self.way.place, fact.conclusion.excluded))
        if len(shown) == 1 and cells:
            where = f"each of {join_and(cells)}" if len(cells) > 1 else cells[0]
            return [f"Whichever it is, it shares {self.name_few(houses, join_or)} with {where}"]
        return [f"Look at {self.name_few(unique(houses))}"]

    def say_collision(self, end: Collision) -> list[str]:
        values = unique(map(self.way.thing, end.placed))
        cells = unique(map(self.way.place, end.placed))
        if len(cells) == 1:
            return [f"{cells[0]} would be both {join_and(values)}"]
        house = upper(self.way.rule(end.rule))
        return [f"{house} would have {join_and(values)} twice, in {join_and(cells)}"]

    def deny(self, excluded: Sequence[Placement]) -> str:
        words = self.deny_each(excluded)
        if words:
            return words
        values = unique(map(self.way.thing, excluded))
        cells = unique(map(self.way.place, excluded))
        if len(values) == 1:
            return f"{values[0]} cannot go in the {count(len(cells))} cells where it is struck out"
        if len(cells) == 1:
            return f"{cells[0]} cannot be any of the {count(len(values))} values struck out"
        return f"the {count(len(excluded))} marks struck out are impossible"

    def deny_each(self, excluded: Sequence[Placement]) -> str:
        values = unique(map(self.way.thing, excluded))
        cells = unique(map(self.way.place, excluded))
        if len(cells) > MAX_LISTED or len(values) > MAX_LISTED:
            return ""
        if len(cells) == 1:
            return f"{cells[0]} cannot be {join_or(values)}"
        if len(excluded) == len(values) * len(cells):
            return f"{join_or(values)} cannot go in {join_or(cells)}"
        return self._deny_by_cell(excluded)

    def _deny_by_cell(self, excluded: Sequence[Placement]) -> str:
        cells: dict[str, list[str]] = {}
        for placement in excluded:
            cells.setdefault(self.way.place(placement), []).append(self.way.thing(placement))
        return join_and([f"{cell} cannot be {join_or(values)}" for cell, values in cells.items()])


def say_cells_together(way: Way, choices: Sequence[Choice]) -> list[str]:
    """One sentence for several cells that need all of the same few values; else nothing."""
    cells = unique(way.rule(choice.rule) for choice in choices)
    values = unique(way.thing(mark) for choice in choices for mark in choice.left)
    about_cells = {choice.rule.kind for choice in choices} == {"cell"}
    if len(choices) == 1 or not about_cells or len(values) > len(choices):
        return []
    return [f"Only {join_or(values)} can {way.verb.bare} {join_and(cells)}"]


def _name_covers(way: Way, fact: Fills) -> str:
    """The rules of the groups that are filled."""
    rules: list[Rule] = unique(cover.rule for cover in fact.covers)
    return name_rules(way, rules)
