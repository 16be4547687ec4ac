"""Pieces on cells: pieces cross, and cells can no longer be covered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from jigsat.facts import (
    Case,
    Cause,
    Choice,
    Collision,
    Excludes,
    Fact,
    LastPlace,
    LastThing,
    Line,
    NothingLeft,
    Placement,
)
from jigsat.phrases.phrasebook import MAX_LISTED, Phrasebook, list_before
from jigsat.phrases.text import Text, count, join_and, join_or, unique, upper

MAX_PLACES = 12  # number of places that are listed beside a picture
LEFT_OVER = "number"  # the kind of the rule about the number of cells left over


class PiecePhrases(Phrasebook):
    def list_premises(self, fact: Fact) -> list[str]:
        if self._shows_holes(fact):
            return []
        return super().list_premises(fact)

    def _shows_holes(self, fact: Fact) -> bool:
        """Whether the board shows that what is excluded leaves a hole."""
        if not isinstance(fact, Case) or fact.chain or not isinstance(fact.end, NothingLeft):
            return False
        return self._leaves_holes(fact.end.choice, fact.conclusion.excluded)

    def list_left(
        self, what: str, placements: Sequence[Placement], options: Sequence[Placement] = ()
    ) -> str:
        if len(placements) > MAX_PLACES:
            return self.sum_up(placements)
        if self._have_short_places(placements):
            return super().list_left(what, placements, options)
        return "; ".join(map(self.name_placement, placements))

    def says_all(self, choice: Choice) -> bool:
        return self._have_short_places(choice.left)

    def _have_short_places(self, placements: Sequence[Placement]) -> bool:
        """Whether the cells of pieces can be told in a list, as those of straight pieces."""
        return not any(", " in self.way.place(placement) for placement in placements)

    def deny_each(self, excluded: Sequence[Placement]) -> str:
        if len(excluded) > 1 and not self._have_short_places(excluded):
            return ""
        return super().deny_each(excluded)

    def list_said_causes(self, fact: Fact) -> tuple[Cause, ...]:
        if not isinstance(fact, LastPlace):
            return ()
        return tuple(cause for cause in fact.causes if self._list_crossing([cause]))

    def say_choice(self, choice: Choice) -> str:
        way = self.way
        if not way.is_about_place(choice.rule):
            return super().say_choice(choice)
        cell = way.rule(choice.rule)
        if len(choice.left) > MAX_LISTED:
            return f"{upper(count(len(choice.left)))} ways are left to cover {cell}"
        covering = [f"{way.thing(x)} on {way.place(x)}" for x in choice.left]
        if len(choice.left) > 1 and not self._have_short_places(choice.left):
            numbers = Counter(map(way.thing, choice.left))
            covering = [
                f"{thing} in {count(number)} ways" if number > 1 else thing
                for thing, number in numbers.items()
            ]
        return f"{cell} can only be covered by {join_or(covering)}"

    def ask_choice(self, choice: Choice) -> str:
        if self.way.is_about_place(choice.rule):
            return f"what can still cover {self.way.rule(choice.rule)}?"
        return super().ask_choice(choice)

    def explain(self, fact: LastPlace | LastThing) -> list[str]:
        crossing = self._list_crossing(self.list_said_causes(fact))
        if crossing:
            return [f"Elsewhere, it would cross {self.name_few(crossing, join_or)}"]
        return []

    def explain_briefly(self, causes: Sequence[Cause], what: str = "") -> str:
        crossing = self._list_crossing(causes)
        if not crossing:
            return ""
        return f"; its other places would cross {self.name_few(crossing, join_or)}"

    def _list_crossing(self, causes: Sequence[Cause]) -> list[str]:
        """The pieces whose cells exclude placements."""
        named: list[str] = []
        for cause in causes:
            if cause.rule and self.way.is_about_place(cause.rule):
                named += map(self.way.thing, cause.basis.placed)
        return unique(named)

    def say_nothing_left(self, end: NothingLeft) -> list[str]:
        what = self.name_choice(end.choice)
        if self.way.is_about_place(end.choice.rule):
            nothing = f"Nothing can cover {what}"
            if not end.before:
                nothing = f"Earlier steps left nothing to cover {what}"
            if any(rule.kind == LEFT_OVER for rule in end.rules):
                return [f"{nothing}, so more cells stay empty than may"]
            return [f"{nothing} any more" if end.before else nothing]
        crossing = self._list_crossing(end.causes)
        if not crossing:
            return [f"No place is left for {what}"]
        why = f": it would always cross {self.name_few(crossing, join_or)}"
        return [self.say_choice(list_before(end)), f"No place is left for {what}{why}"]

    def phrase_case_without_rest(self, fact: Case, end: NothingLeft) -> Text:
        what = self.name_choice(end.choice)
        excluded = fact.conclusion.excluded
        number = f"each of the {count(len(excluded))} pieces {self.dropped}"
        if len(excluded) == 1:
            number = f"{self.way.thing(excluded[0])} on {self.way.place(excluded[0])}"
        ask = self.ask_choice(end.choice)
        conclusion = self.conclude(fact.conclusion, ())
        if self._leaves_holes(end.choice, excluded):
            hole = f"{number} would leave a hole at {what}, too small for any piece"
            return self.text([what], ask, [hole], end=conclusion)
        before = Choice(end.choice.rule, end.choice.options, end.before)
        if self._all_cross(end.before, excluded):
            effect = f"{number} would cross {self._name_all(end)}"
        else:
            effect = f"{number} would leave none of these"
            if self._all_clash(end.before, excluded):
                effect += ": each crosses it or needs the same piece"
        return self.text([what], ask, [self.say_choice(before), effect], end=conclusion)

    def _name_all(self, end: NothingLeft) -> str:
        """How a sentence points to what the one before has listed or counted."""
        number = len(end.before)
        if number <= MAX_LISTED:
            return {1: "it there", 2: "both of these"}.get(number, "all of these")
        if self.way.is_about_place(end.choice.rule):
            return f"all {count(number)} ways to cover {self.name_choice(end.choice)}"
        return f"all {count(number)} of them"

    def _leaves_holes(self, choice: Choice, placements: Sequence[Placement]) -> bool:
        """Whether each of these placements would cut off the place of a choice in a hole that is
        smaller than any piece.
        """
        if not self.way.is_about_place(choice.rule) or not choice.options:
            return False
        cells: list[set[Any]] = [set(option.cells) for option in choice.options]
        common = sorted(set.intersection(*cells))
        if len(common) != 1:
            return False
        return all(self.way.leaves_hole(common[0], x, self.board) for x in placements)

    def say_effect(self, fact: Excludes, shown: Sequence[Choice]) -> list[str]:
        named = {choice.rule for choice in shown}
        rules = [rule for rule in fact.rules if self.way.is_about_place(rule) and rule not in named]
        cells = [self.way.rule(rule) for rule in rules]
        options = [option for choice in shown for option in choice.left]
        if options and cells and self._all_cross(options, fact.conclusion.excluded):
            words = f"Each of these covers {self.name_few(cells, join_or)}"
            if len(cells) == 1 or not self._all_cover(fact.conclusion.excluded, cells):
                return [words]
            number = "both" if len(cells) == 2 else f"all {count(len(cells))}"
            return [f"{words}, so no other piece can cover {number}"]
        if options and self._all_clash(options, fact.conclusion.excluded):
            return [f"Each of these crosses the ways {self.dropped}, or is of the same piece"]
        return super().say_effect(fact, shown)

    def _all_cover(self, placements: Sequence[Placement], cells: Sequence[str]) -> bool:
        """Whether each of the placements has all of these cells."""
        for placement in placements:
            names = set(map(self.way.name_place, placement.cells))
            if not names.issuperset(cells):
                return False
        return True

    def _all_cross(self, options: Sequence[Placement], excluded: Sequence[Placement]) -> bool:
        """Whether each of the options has a cell of each of the excluded placements."""
        for option in options:
            if any(set(option.cells).isdisjoint(placement.cells) for placement in excluded):
                return False
        return True

    def _all_clash(self, options: Sequence[Placement], excluded: Sequence[Placement]) -> bool:
        """Whether each of the options crosses each of the excluded placements, or is of a piece
        that is there once.
        """
        for option in options:
            for placement in excluded:
                same = self.way.thing(option) == self.way.thing(placement)
                if set(option.cells).isdisjoint(placement.cells) and not same:
                    return False
        return True

    def say_line(self, line: Line) -> str:
        if isinstance(line, NothingLeft):
            cell = self.name_choice(line.choice)
            crossed = []
            for option in line.before:
                crossed += [
                    x for x in line.basis.placed if not set(x.cells).isdisjoint(option.cells)
                ]
            pieces = unique(map(self.way.thing, crossed))
            others = [
                x for x in line.before if all(set(x.cells).isdisjoint(y.cells) for y in crossed)
            ]
            if others or not pieces:
                return f"Nothing can cover {cell}, so it stays empty"
            named = self.name_few(pieces, join_or)
            return f"Nothing can cover {cell} without crossing {named}, so it stays empty"
        return super().say_line(line)

    def say_collision(self, end: Collision) -> list[str]:
        if end.rule.kind == LEFT_OVER:
            return ["More cells stay empty than may"]
        used = unique(map(self.way.thing, end.placed))
        if end.rule.kind == "piece" and len(used) == 1:
            times = "twice" if len(end.placed) == 2 else f"{count(len(end.placed))} times"
            return [f"{upper(used[0])} would be used {times}, which is too often"]
        if self.way.is_about_place(end.rule):
            things = join_and(list(map(self.way.thing, end.placed)))
            return [f"{things} would both cover {self.way.rule(end.rule)}"]
        return super().say_collision(end)
