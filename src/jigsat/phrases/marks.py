"""Marks on a grid: a layer of the puzzle says how its marks are called, such as 'r1c2 is shaded'.

A mark may be the same at all places, so a sentence says places, and which rule needs the mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jigsat.facts import (
    Case,
    Choice,
    Collision,
    Excludes,
    Fills,
    LastPlace,
    LastThing,
    Line,
    Marks,
    NoMatch,
    NoPartner,
    NothingLeft,
    Placement,
)
from jigsat.phrases.numbers import say_cells_together
from jigsat.phrases.phrasebook import MAX_LISTED, MAX_RULE_WORDS, MAX_WORDS, Phrasebook
from jigsat.phrases.text import count, in_house, join_and, join_or, unique, upper
from jigsat.puzzle import Rule, Way

ELSEWHERE = ""  # stands for the rest of the board
MAX_DENIED = 20  # number of marks of which a sentence denies each
WALL = "wall"  # kind of the rules about a side between two cells


class MarkPhrases(Phrasebook):
    marks_left = True

    def __init__(self, way: Way) -> None:
        super().__init__(way)
        self.grid_way: Any = way

    def say_choice(self, choice: Choice) -> str:
        if self._fills_place(choice):
            statement = self.grid_way.explain_rule(choice.rule)
            if len(choice.options) == 1 and statement:  # the alternatives are no marks
                return f"{self.way.state(choice.options[0])}: {statement}"
            return super().say_choice(choice)
        if choice.rule.kind == WALL and len(choice.left) == 1:
            wall = self.way.state(choice.left[0])
            return f"No region that is left has both {choice.rule.about}, so {wall}"
        where = in_house(self.way.house(choice.rule)) or f"For {self.way.rule(choice.rule)}, "
        if self.way.is_about_place(choice.rule):
            where = f"At {self.way.rule(choice.rule)}, "
        things = unique(map(self.way.thing, choice.left))
        if things == [choice.rule.about]:
            where = ""
        what = things[0] if len(things) == 1 else "it"
        if len(choice.left) > MAX_LISTED:
            return f"{where}{count(len(choice.left))} ways are left for {what}"
        if len(things) > 1:
            return f"{where}one of these must hold: {self._list_states(choice.left)}"
        return f"{where}{self.grid_way.limit(choice.left)}"

    def name_choice(self, choice: Choice) -> str:
        if self.way.is_about_place(choice.rule):
            return self.way.rule(choice.rule)
        return self.way.house(choice.rule) or self.way.rule(choice.rule)

    def name_place(self, choice: Choice) -> str:
        return self.name_choice(choice)

    def _fills_place(self, choice: Choice) -> bool:
        """Whether a choice is between marks that lie on a place, not beside it as lines do."""
        if not self.way.is_about_place(choice.rule):
            return False
        place = self.way.rule(choice.rule)
        return all(self.way.place(mark) == place for mark in choice.options)

    def say_choices(self, choices: Sequence[Choice]) -> list[str]:
        return say_cells_together(self.way, choices) or super().say_choices(choices)

    def ask_choice(self, choice: Choice) -> str:
        if self._fills_place(choice):
            return super().ask_choice(choice)
        if choice.rule.about in map(self.way.thing, choice.options):
            return super().ask_choice(choice)
        return f"what is left for {self.name_choice(choice)}?"

    def explain(self, fact: LastPlace | LastThing) -> list[str]:
        """Which houses have the numbers that are not left, or where the number is already; and
        which other rules exclude the rest."""
        if not all(map(self.grid_way.is_number, fact.choice.options)):
            return []
        houses: dict[str, list[str]] = {}
        others: dict[Rule, list[str]] = {}
        blocking: list[Placement] = []
        for cause in fact.causes:
            if not cause.rule:
                continue
            gone = unique(map(self.way.thing, cause.excluded))
            placed = [x for x in cause.basis.placed if self.way.thing(x) in gone]
            if len(unique(map(self.way.thing, placed))) == len(gone):
                house = self.way.house(cause.rule) or ELSEWHERE
                houses.setdefault(house, []).extend(gone)
                blocking += placed
            elif not cause.step:
                others.setdefault(cause.rule, []).extend(gone)
        if isinstance(fact, LastThing):
            return [*self._say_placed(houses), *self._say_broken(others)]
        if not blocking:
            return []
        cells = self.name_few(unique(map(self.way.place, blocking)))
        return [f"{self.way.thing(blocking[0])} is already in {cells}"]

    def _say_placed(self, houses: dict[str, list[str]]) -> list[str]:
        """Which numbers houses have, and which are elsewhere on the board."""
        elsewhere = unique(houses.pop(ELSEWHERE, []))
        words = [join_and([f"{rule} has {join_and(gone)}" for rule, gone in houses.items()])]
        if elsewhere:
            verb = "is" if len(elsewhere) == 1 else "are"
            words.append(f"{join_and(elsewhere)} {verb} elsewhere already")
        return [sentence for sentence in words if sentence]

    def _say_broken(self, rules: dict[Rule, list[str]]) -> list[str]:
        """Which numbers would break which rules; of many, how many there are, and what the rules
        state.
        """
        broken = [
            f"{join_or(gone)} would break {self.way.rule(rule)}" for rule, gone in rules.items()
        ]
        words = join_and(broken)
        if len(words.split()) <= MAX_WORDS:
            return [words] if words else []
        numbers = unique(number for gone in rules.values() for number in gone)
        beginning = f"Each of the {count(len(numbers))} other numbers would break"
        statements = unique(map(self.grid_way.explain_rule, rules))
        if len(statements) == 1 and statements[0]:
            return [f"{beginning} a rule: {statements[0]}"]
        return [f"{beginning} {self.name_few(list(map(self.way.rule, rules)), join_or)}"]

    def say_effect(self, fact: Excludes, shown: Sequence[Choice]) -> list[str]:
        """What a single rule or clue says."""
        words = super().say_effect(fact, shown)
        rules = unique(fact.rules)
        if len(shown) == 1 and len(words) == 1 and len(rules) > 2:
            return self._say_each(fact, [rule for rule in rules if rule != shown[0].rule])
        is_clue = len(rules) == 1 and self.grid_way.is_clue(rules[0])
        excluded = self._say_excluded(fact) if is_clue and not shown else []
        if not words and len(rules) == 1:
            # It is about the place that the conclusion names.
            return [*excluded, self._look_at(rules[0])]
        if not words or not words[-1].startswith("Look at "):
            return words
        return [*words[:-1], *excluded, *self._add_statements(words[-1], fact)]

    def _say_excluded(self, fact: Excludes) -> list[str]:
        """What other rules excluded before, on which a placement rests; if it is much, how many
        places."""
        others = [cause for cause in fact.causes if cause.rules != fact.rules]
        excluded = unique(mark for cause in others for mark in cause.excluded)
        if not excluded:
            return []
        if len(excluded) > MAX_LISTED:
            return [f"For {self.way.rule(fact.rules[0])}, {count(len(excluded))} places are out"]
        denied = self.deny_each(excluded)
        return [f"{denied}{self.explain_briefly(others)}"] if denied else []

    def _add_statements(self, look: str, fact: Excludes) -> list[str]:
        """Where to look, with what the rules there say or state."""
        rules = unique(fact.rules)
        for rule in rules:
            if look == f"Look at {self.way.rule(rule)}":
                return [self._look_at(rule)]
        about = self.list_places(fact.conclusion)
        others = [rule for rule in rules if self.way.rule(rule) not in about]
        return self._say_with_statements(others) or [look]

    def _say_with_statements(self, rules: Sequence[Rule]) -> list[str]:
        """Where to look, with what the rules there state: in a sentence for each statement if one
        for all would be long; nothing if these are long, too.
        """
        if not any(map(self.way.is_about_place, rules)):
            return []
        alike: dict[str, list[str]] = {}
        for rule in rules:
            alike.setdefault(self.grid_way.explain_rule(rule), []).append(self.way.rule(rule))
        if "" in alike:
            return []
        words = join_and([f"{join_and(names)} ({why})" for why, names in alike.items()])
        if len(words.split()) <= MAX_WORDS:
            return [f"Look at {words}"]
        looks = [f"Look at {join_and(names)}: {why}" for why, names in alike.items()]
        return looks if all(len(look.split()) <= MAX_WORDS for look in looks) else []

    def _look_at(self, rule: Rule) -> str:
        """One rule, with what it says or states."""
        value = self.grid_way.clue(rule)
        sign = self.grid_way.sign(rule)
        name = self.way.rule(rule)
        statement = self.grid_way.explain_rule(rule)
        if value:
            return f"{upper(name)} says {value}"
        if statement:
            return f"Look at {name}: {statement}"
        return f"{upper(name)} is {sign}" if sign else f"Look at {name}"

    def conclude_effect(self, fact: Excludes) -> list[str]:
        """What follows; from a single clue, that it is so however the clue is met."""
        rules = unique(fact.rules)
        if len(rules) > 1 or self.list_told(fact) or not self.grid_way.is_clue(rules[0]):
            return super().conclude_effect(fact)
        first, *others = self.list_conclusions(fact.conclusion, fact.rest)
        return [f"However that is met, {first}", *(f"And {clause}" for clause in others)]

    def name_together(self, rules: Sequence[Rule]) -> str:
        """A clue comes last, with what it says if that is not long; of two cells together, the
        cells are not named once more.
        """
        pairs = [rule for rule in rules if rule.kind == "cells"]
        named = {cell for rule in pairs for cell in rule.about.split(" and ")}
        rules = [rule for rule in rules if self.way.rule(rule) not in named]
        clues = [rule for rule in unique(rules) if self.grid_way.clue(rule)]
        if len(clues) != 1 or len(unique(rules)) == 1:
            return super().name_together(rules)
        others = unique(self.way.rule(rule) for rule in rules if rule not in clues)
        words = join_and([*others, self._say_rule(clues[0])])
        if len(words.split()) <= MAX_RULE_WORDS:
            return words
        return self.name_most([*others, self.way.rule(clues[0])])

    def _say_each(self, fact: Excludes, rules: Sequence[Rule]) -> list[str]:
        """That each of the few ways that are left breaks one of the rules with what follows."""
        named = self.name_few(unique(map(self.way.rule, rules)), join_or)
        if fact.conclusion.placed:
            states = join_and(self.list_states(fact.conclusion.placed))
            return [f"Whichever it is, what holds for {named} would be broken unless {states}"]
        wrong = join_or(list(map(self.name_placement, fact.conclusion.excluded)))
        return [f"Whichever it is, {wrong} would break what holds for {named}"]

    def say_end(self, fact: Case) -> list[str]:
        """If a line has said what is left of a choice, only that this is not left either."""
        end = fact.end
        if isinstance(end, Collision):
            return self._say_against(fact, end)
        if not isinstance(end, NothingLeft) or self.way.is_about_place(end.choice.rule):
            return super().say_end(fact)
        remaining = [choice for choice in map(_find_rest, fact.chain) if choice]
        left = [choice.left for choice in remaining if choice.rule == end.choice.rule]
        denied = self.deny_each(left[-1]) if left else ""
        if not denied:
            return super().say_end(fact)
        causes = [cause for cause in end.causes if not set(left[-1]).isdisjoint(cause.excluded)]
        return [f"But {denied}{self.explain_briefly(causes)}"]

    def say_nothing_left(self, end: NothingLeft) -> list[str]:
        *first, words = super().say_nothing_left(end)
        if not first:
            return [words]
        what = self.name_choice(end.choice)
        things = unique(map(self.way.thing, end.before))
        if len(things) > 1 or len(end.before) > MAX_LISTED:
            return [*first, words]
        return [f"For {what}, {self.grid_way.require(end.before)}", words]

    def _say_against(self, fact: Case, end: Collision) -> list[str]:
        """A collision, without what was supposed or concluded just before."""
        known = {*fact.supposed.placed}
        for line in fact.chain:
            known.update(getattr(line, "conclusion", Marks()).placed)
        others = [mark for mark in end.placed if mark not in known]
        places = unique(map(self.way.place, end.placed))
        in_one_place = len(places) == 1 and self.way.is_about_place(end.rule)
        if in_one_place or not end.placed:
            return self.say_collision(end)
        if not others:
            return [f"That is against {self._say_rule(end.rule)}"]
        states = join_and(self.list_states(others[:MAX_LISTED]))
        return [f"But {states}", f"Together, that is against {self._say_rule(end.rule)}"]

    def say_collision(self, end: Collision) -> list[str]:
        if not end.placed:
            value = self.grid_way.clue(end.rule)
            if value:
                clue = upper(self.way.rule(end.rule))
                return [f"{clue} says {value}, and nothing that is left there meets that"]
            return [f"That breaks the rule about {self.way.rule(end.rule)}"]
        place = self.way.place(end.placed[0])
        things = unique(map(self.way.thing, end.placed))
        if len(things) == 1:
            states = join_and(self.list_states(end.placed[:MAX_LISTED]))
            return [f"But {states}", f"That is against {self._say_rule(end.rule)}"]
        return [f"{place} would have both {join_and(things)}"]

    def say_match(self, end: NoMatch) -> list[str]:
        names = join_and(list(map(self.name_choice, end.choices)))
        if self.grid_way.clue(end.rule):
            return [f"What is left for {names} is against {self._say_rule(end.rule)}"]
        return super().say_match(end)

    def _say_rule(self, rule: Rule) -> str:
        """A rule with what its clue says, or with what it states."""
        name = self.way.rule(rule)
        value = self.grid_way.clue(rule)
        if value:
            return f"{name}, which says {value}"
        statement = self.grid_way.explain_rule(rule)
        return f"the rule for {name}: {statement}" if statement else name

    def give_reason(self, rules: Sequence[Rule], what: str) -> str:
        """What rules about places state; other rules by their names."""
        others = [rule for rule in rules if self.way.rule(rule) != what] or rules
        statements = unique(map(self.grid_way.explain_rule, others))
        if all(map(self.way.is_about_place, others)) and all(statements):
            return join_and(statements)
        return self.name_together(others)

    def say_partner(self, end: NoPartner) -> list[str]:
        rule = self.way.rule(end.rule)
        none = {1: "that is not possible", 2: "neither is left"}.get(
            len(end.needed), "none of these is left"
        )
        things = unique(map(self.way.thing, end.needed))
        value = self.grid_way.clue(end.rule)
        if value and all(map(self.grid_way.is_number, end.needed)):
            return [f"{upper(rule)} says {value}, and nothing that is left there meets that"]
        if len(end.needed) > MAX_LISTED:
            number = count(len(end.needed))
            must = f"one of {number} ways is needed"
            if len(things) == 1:
                verb = self.grid_way.bare_verb(end.needed[0])
                must = f"{things[0]} must {verb} one of {number} places"
            return [
                f"Because of {rule}, {must}",
                f"But {none}{self.explain_briefly(end.causes)}",
            ]
        if len(end.placed) == 1 and len(things) == 1 and not end.rule.kind:
            sentence = self.way.state(end.placed[0])
            return [
                f"{sentence}, so {self.grid_way.require(end.needed)}, too",
                f"But {none}{self.explain_briefly(end.causes)}",
            ]
        because = f"Because of {rule}"
        if value:
            because = f"Because of {rule}, which says {value}"
        elif self.way.is_about_place(end.rule):
            because = f"At {rule}"
        if len(things) > 1:
            must = f"one of these must hold: {self._list_states(end.needed)}"
        else:
            must = self.grid_way.require(end.needed)
        return [f"{because}, {must}", f"But {none}{self.explain_briefly(end.causes)}"]

    def say_covers(self, fact: Fills) -> list[str]:
        rules = unique(cover.rule for cover in fact.covers)
        groups = join_and(unique(map(self.way.rule, rules)))
        if len(fact.choices) == 1:
            return [f"Whichever it is, it is in {groups}, which then takes no other one"]
        left = [placement for choice in fact.choices for placement in choice.left]
        things = join_and(unique(map(self.way.thing, left)))
        verb = "has" if len(rules) == 1 else "have"
        return [f"So {groups} {verb} {things} there"]

    def list_states(self, placements: Sequence[Placement]) -> list[str]:
        return list(self.grid_way.state_all(placements))

    def conclude_filling(self, fact: Fills) -> list[str]:
        return self.conclude(fact.conclusion, ())

    def deny_each(self, excluded: Sequence[Placement]) -> str:
        if len(excluded) > MAX_DENIED:
            return ""
        return str(self.grid_way.deny_all(excluded))

    def _list_states(self, placements: Sequence[Placement]) -> str:
        return join_or([self.way.state(placement) for placement in placements])

    def _join_places(self, placements: Sequence[Placement]) -> str:
        return join_or(unique(map(self.way.place, placements)))


def _find_rest(line: Line) -> Choice | None:
    """The choice of which a line says what is left."""
    if isinstance(line, Excludes):
        return line.rest[0] if line.rest else None
    return line.choice if isinstance(line, LastPlace | LastThing) else None
