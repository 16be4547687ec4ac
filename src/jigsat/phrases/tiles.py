"""Tiles on cells: an edge asks for labels."""

from __future__ import annotations

from collections.abc import Sequence

from jigsat.facts import (
    Cause,
    Choice,
    Collision,
    Excludes,
    LastPlace,
    LastThing,
    Line,
    NoMatch,
    NoPartner,
    Placement,
)
from jigsat.phrases.phrasebook import MAX_LISTED, Phrasebook
from jigsat.phrases.text import count, join_and, join_or, unique, upper
from jigsat.puzzle import Ask, Rule

LINES = ("row", "column")  # kinds of rules by which a face is there once
MAX_ASKS = 2  # number of edges of which the end of a line says what they ask for


class TilePhrases(Phrasebook):
    def explain(self, fact: LastPlace | LastThing) -> list[str]:
        if isinstance(fact, LastPlace):
            return []
        asks = [ask for ask in map(self.find_ask, fact.causes) if ask]
        return [
            f"Its {ask.side} must show {join_or(ask.labels)}, to match {ask.source}" for ask in asks
        ]

    def explain_briefly(self, causes: Sequence[Cause], what: str = "") -> str:
        said, silent = [], []
        for cause in causes:
            ask = self.find_ask(cause)
            if ask:
                where = "" if ask.place == what else f"in {ask.place}, "
                said.append(f"{where}its {ask.side} must show {join_or(ask.labels)}")
            elif cause.rule and cause.rule.kind in LINES:
                said.append(self._say_line_of_faces(cause.rule, cause.excluded))
            elif cause.rule and cause.rule.kind == "edge":
                silent.append(self.way.rule(cause.rule))
        if said:
            return f": {join_and(unique(said)[:MAX_ASKS])}"
        edges = unique(silent)
        if len(edges) > MAX_ASKS:
            return f" ({count(len(edges))} edges exclude the others)"
        return f" ({join_and(edges)})" if edges else ""

    def find_ask(self, cause: Cause) -> Ask | None:
        """What an edge asks for, if that is little."""
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
        ask = self.way.ask(rule, near, placed=True) or self.way.ask(rule, left, placed=False)
        return ask if ask and len(ask.labels) <= MAX_LISTED else None

    def _say_line_of_faces(self, line: Rule, excluded: Sequence[Placement]) -> str:
        return f"{line.name} already has {join_and(unique(map(self.way.face, excluded)))}"

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
        asks = [self.find_ask(cause) for cause in end.causes if cause.rule != end.rule]
        said = [
            f"{ask.place} must show {join_or(ask.labels)} on its {ask.side}"
            for ask in unique(ask for ask in asks if ask)
        ]
        shown = []
        for choice in end.choices:
            ask = self.way.ask(end.rule, choice.left, placed=False)
            if not ask or len(ask.labels) > MAX_LISTED:
                return super().say_match(end)
            labels = self.way.other_labels(ask.labels)
            shown.append(f"{self.name_choice(choice)} can only show {join_or(labels)}")
        return [*said, f"At {self.way.rule(end.rule)}, {join_and(shown)}"]

    def say_line(self, line: Line) -> str:
        if not isinstance(line, Excludes) or len(line.conclusion.placed) > 1:
            return super().say_line(line)
        here = (*line.conclusion.placed, *line.conclusion.excluded)[0]
        ask = self._ask_there(line.rules[0], here, line.basis.placed, line.choices)
        if not ask:
            return super().say_line(line)
        why = f"its {ask.side} must show {join_or(ask.labels)}"
        if line.conclusion.placed:
            return f"Only {self.way.lie(here)} can lie in {self.way.place(here)}: {why}"
        return f"{self.say_choice(line.rest[0])}: {why}"

    def say_effect(self, fact: Excludes, shown: Sequence[Choice]) -> list[str]:
        if not (shown and fact.conclusion.excluded):
            return super().say_effect(fact, shown)
        edges = [self.way.rule(rule) for rule in fact.rules if rule.kind == "edge"]
        along = f" along {self.name_few(edges)}" if edges else ""
        return [f"Each of these would clash with the ways {self.dropped}{along}"]

    def say_partner(self, end: NoPartner) -> list[str]:
        ask = self.way.ask(end.rule, list(end.placed), placed=True)
        if not ask:
            return super().say_partner(end)
        words = [f"Then {ask.place} must show {join_or(ask.labels)} on its {ask.side}"]
        if not end.before:
            return [*words, "No tile that is left there does"]
        left = self.name_few(list(map(self.way.lie, end.before)), join_or)
        return [*words, f"Of what is left there, only {left} would do{self._say_gone(end)}"]

    def _say_gone(self, end: NoPartner) -> str:
        """What excludes the tiles that would do."""
        said = [words for words in map(self._say_cause, end.causes) if words]
        return f", but {join_and(unique(said))}" if said else ", and that is excluded"

    def _say_cause(self, cause: Cause) -> str:
        ask = self.find_ask(cause)
        if ask:
            return f"the {ask.side} must show {join_or(ask.labels)}"
        if cause.rule and cause.rule.kind in LINES:
            return self._say_line_of_faces(cause.rule, cause.excluded)
        if cause.rule and cause.rule.kind == "tile":
            lying = join_and(list(map(self.way.state, cause.basis.placed)))
            return lying or f"{cause.rule.name} lies elsewhere"
        return ""
