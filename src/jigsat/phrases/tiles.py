"""Tiles on cells: an edge asks for labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from jigsat.facts import (
    Cause,
    Choice,
    Collision,
    Excludes,
    Fact,
    LastPlace,
    LastThing,
    Line,
    NoMatch,
    NoPartner,
    NothingLeft,
    Placement,
)
from jigsat.phrases.phrasebook import MAX_LISTED, MAX_WORDS, Phrasebook
from jigsat.phrases.text import join_and, join_or, unique, upper
from jigsat.puzzle import Ask, Rule

MAX_LINE = 28  # number of words of a line of a chain without its number
LINES = ("row", "column")  # kinds of rules by which a face is there once


class TilePhrases(Phrasebook):
    def list_said_causes(self, fact: Fact) -> tuple[Cause, ...]:
        if not isinstance(fact, LastThing):
            return ()
        return tuple(cause for cause in fact.causes if self.find_ask(cause))

    def list_looking_causes(self, fact: Fact) -> tuple[Cause, ...]:
        looking = []
        for cause in self.list_said_causes(fact):
            ask = self.find_ask(cause)
            if ask and not ask.placed:
                looking.append(cause)
        return tuple(looking)

    def explain(self, fact: LastPlace | LastThing) -> list[str]:
        asks = [ask for ask in map(self.find_ask, self.list_said_causes(fact)) if ask]
        return [
            f"Its {ask.side} must show {join_or(ask.labels)}, to match {ask.source}" for ask in asks
        ]

    def explain_briefly(self, causes: Sequence[Cause], what: str = "") -> str:
        reasons = self.list_reasons(causes, what)
        if any(", " in reason for reason in reasons):
            return f": {'; '.join(reasons)}"
        return f": {join_and(reasons)}" if reasons else ""

    def list_reasons(
        self, causes: Sequence[Cause], what: str = "", whose: str = "its"
    ) -> list[str]:
        """What excludes tiles about something: all that edges ask for, the faces that lines have
        already, tiles that are used, and places that are taken.
        """
        reasons = []
        for ask in unique(ask for ask in map(self._find_any_ask, causes) if ask):
            where = "" if ask.place == what else f"in {ask.place}, "
            reasons.append(f"{where}{whose} {ask.side} must {self._say_labels(ask)}")
        faces: dict[str, list[str]] = {}
        for cause in causes:
            if cause.rule and cause.rule.kind in LINES:
                faces.setdefault(cause.rule.name, []).extend(map(self.way.face, cause.excluded))
        reasons += [
            f"{line} already has {join_and(unique(names))}" for line, names in faces.items()
        ]
        for cause in causes:
            if cause.rule and cause.rule.kind not in LINES and not self._find_any_ask(cause):
                reasons.append(self._say_used(cause.rule, cause.excluded))
        return unique(reasons)

    def _say_labels(self, ask: Ask) -> str:
        """The labels that an edge asks for; of many, why."""
        if len(ask.labels) > MAX_LISTED:
            return f"match {ask.source}"
        return f"show {join_or(ask.labels)}"

    def _say_used(self, rule: Rule, excluded: Sequence[Placement]) -> str:
        if rule.kind == "tile":
            return f"{self.way.thing(excluded[0])} is used"
        if self.way.is_about_place(rule):
            return f"{self.way.rule(rule)} is taken"
        return f"{self.way.rule(rule)} excludes the rest"

    def find_ask(self, cause: Cause) -> Ask | None:
        """What an edge asks for, if that is little."""
        if not cause.rule:
            return None
        ask = self._find_any_ask(cause)
        return ask if ask and len(ask.labels) <= MAX_LISTED else None

    def _find_any_ask(self, cause: Cause) -> Ask | None:
        """What an edge asks for, also if that is much."""
        if not cause.rule:
            return None
        return self._ask_there(cause.rule, cause.excluded[0], cause.basis.placed, cause.left)

    def _ask_there(
        self, rule: Rule, here: Placement, placed: Sequence[Placement], choices: Sequence[Choice]
    ) -> Ask | None:
        """What an edge asks for on the place of a placement, because of what is placed or left
        beside it.
        """
        near = [x for x in placed if x.cell != here.cell]
        left = [x for choice in choices for x in choice.left if x.cell != here.cell]
        return self.way.ask(rule, near, placed=True) or self.way.ask(rule, left, placed=False)

    def say_collision(self, end: Collision) -> list[str]:
        faces = unique(map(self.way.face, end.placed))
        if end.rule.kind in LINES and len(faces) == 1:
            tiles = join_and(unique(map(self.way.lie, end.placed)))
            return [f"{upper(end.rule.name)} would have {faces[0]} twice: {tiles}"]
        if end.rule.kind == "tile":
            places = join_and(list(map(self.way.place, end.placed)))
            return [f"{upper(self.way.thing(end.placed[0]))} would lie in {places}"]
        return super().say_collision(end)

    def say_match(self, end: NoMatch) -> list[str]:
        causes = [cause for cause in end.causes if cause.rule != end.rule]
        shown = []
        for choice in end.choices:
            ask = self.way.ask(end.rule, choice.left, placed=False)
            if not ask or len(ask.labels) > MAX_LISTED:
                return super().say_match(end)
            labels = self.way.other_labels(ask.labels)
            shown.append(f"{self.name_choice(choice)} can only show {join_or(labels)}")
        together = f"At {self.way.rule(end.rule)}, {join_and(shown)}"
        return [*_join_short(self.list_reasons(causes)), together]

    def say_lines(self, line: Line) -> list[str]:
        if not isinstance(line, Excludes | LastPlace | LastThing):
            return [self.say_line(line)]
        words = self.say_line(line)
        if len(words.split()) <= MAX_LINE:
            return [words]
        choice = line.rest[0] if isinstance(line, Excludes) else line.choice
        return [*self._say_reasons_apart(choice, line.causes), self.say_choice(choice)]

    def say_nothing_left(self, end: NothingLeft) -> list[str]:
        *first, words = super().say_nothing_left(end)
        if len(words.split()) <= MAX_LINE:
            return [*first, words]
        what = f"Nothing is left for {self.name_choice(end.choice)}"
        return [*(first or [what]), *self._say_reasons_apart(end.choice, end.causes)]

    def _say_reasons_apart(self, choice: Choice, causes: Sequence[Cause]) -> list[str]:
        """Many reasons in several sentences; for a tile, those of each place."""
        what = self.name_choice(choice)
        if self.way.is_about_place(choice.rule):
            return _join_short(self.list_reasons(causes, what), f"In {what}, ")
        by_place: dict[str, list[Cause]] = {}
        for cause in causes:
            for placement in cause.excluded:
                part = replace(cause, excluded=(placement,))
                by_place.setdefault(self.way.place(placement), []).append(part)
        named, apart = [], []
        for place, parts in by_place.items():
            reasons = self.list_reasons(parts, place)
            words = f"{place} ({join_and(reasons)})"
            if len(f"{what} cannot lie in {words}".split()) <= MAX_LINE:
                named.append(words)
            else:
                apart += [*_join_short(reasons, f"In {place}, "), f"So {what} cannot lie there"]
        return [*apart, *_join_short(named, f"{what} cannot lie in ", join_or)]

    def say_line(self, line: Line) -> str:
        if not isinstance(line, Excludes) or len(line.conclusion.placed) != 1:
            return super().say_line(line)
        here = line.conclusion.placed[0]
        ask = self._ask_there(line.rules[0], here, line.basis.placed, line.choices)
        if not ask:
            return super().say_line(line)
        why = f"its {ask.side} must show {join_or(ask.labels)}"
        return f"Only {self.way.lie(here)} can lie in {self.way.place(here)}: {why}"

    def say_effect(self, fact: Excludes, shown: Sequence[Choice]) -> list[str]:
        if not (shown and fact.conclusion.excluded):
            return super().say_effect(fact, shown)
        edges = [rule for rule in fact.rules if rule.kind == "edge"]
        options = [option for choice in shown for option in choice.left]
        clashes = self._list_clashes(edges, options, fact.conclusion.excluded)
        if len(shown) == 1 and clashes:
            return [*self._say_needs(edges, options), f"The ways {self.dropped} {join_or(clashes)}"]
        along = self.name_few(list(map(self.way.rule, edges)))
        effect = f"each of these would clash with the ways {self.dropped}"
        if not edges:
            return [upper(effect)]
        together = f"{upper(effect)} along {along}"
        if len(together.split()) <= MAX_LINE:
            return [together]
        return [f"Look at {along}", f"There, {effect}"]

    def _list_clashes(
        self, edges: Sequence[Rule], options: Sequence[Placement], excluded: Sequence[Placement]
    ) -> list[str]:
        """How each of the excluded placements clashes with each of the options; nothing if two of
        them show no clash.
        """
        clashes = []
        for option in options:
            for placement in excluded:
                if placement.cell == option.cell:
                    clashes.append("lie in its place")
                elif any(self._differ(rule, option, placement) for rule in edges):
                    clashes.append("show something else there")
                else:
                    return []
        return sorted(unique(clashes), reverse=True)

    def _differ(self, rule: Rule, one: Placement, other: Placement) -> bool:
        """Whether two tiles at an edge do not match."""
        asked = self.way.ask(rule, [one], placed=True)
        answer = self.way.ask(rule, [other], placed=True)
        if not asked or not answer or asked.place == answer.place:
            return False
        return set(self.way.other_labels(answer.labels)).isdisjoint(asked.labels)

    def _say_needs(self, edges: Sequence[Rule], options: Sequence[Placement]) -> list[str]:
        """What each of the options needs beside it: in one sentence if it is always at one side."""
        asks: dict[Placement, list[Ask]] = {}
        for option in options:
            wanted = [self.way.ask(rule, [option], placed=True) for rule in edges]
            asks[option] = [ask for ask in wanted if ask]
        sides = unique((ask.place, ask.side) for group in asks.values() for ask in group)
        if len(sides) == 1:
            ((place, side),) = sides
            labels = unique(
                label for group in asks.values() for ask in group for label in ask.labels
            )
            return [f"Then the {side} of {place} must show {join_or(labels)}"]
        words = []
        for option, needed in asks.items():
            needs = [
                f"the {ask.side} of {ask.place} must show {join_or(ask.labels)}" for ask in needed
            ]
            words.append(
                f"If {self.way.lie(option)} lies in {self.way.place(option)}, {join_and(needs)}"
            )
        return words

    def say_partner(self, end: NoPartner) -> list[str]:
        ask = self.way.ask(end.rule, list(end.placed), placed=True)
        if not ask:
            return super().say_partner(end)
        words = [f"Then {ask.place} must show {join_or(ask.labels)} on its {ask.side}"]
        if not end.before:
            return [*words, "No tile that is left there does"]
        left = self.name_few(list(map(self.way.lie, end.before)), join_or)
        would = f"Of what is left there, only {left} would do"
        reasons = self.list_reasons(end.causes, ask.place, "the")
        if not reasons:
            return [*words, f"{would}, and that is excluded"]
        together = f"{would}, but {join_and(reasons)}"
        if len(together.split()) <= MAX_LINE:
            return [*words, together]
        return [*words, would, *_join_short(reasons)]


def _join_short(
    parts: Sequence[str],
    begin: str = "",
    join: Callable[[Sequence[str]], str] = join_and,
) -> list[str]:
    """Parts in as few sentences as are not long."""
    sentences: list[list[str]] = []
    for part in parts:
        together = [*sentences[-1], part] if sentences else [part]
        if sentences and len(" ".join([begin, *together]).split()) <= MAX_WORDS:
            sentences[-1] = together
        else:
            sentences.append([part])
    return [f"{begin}{join(parts)}" for parts in sentences]
