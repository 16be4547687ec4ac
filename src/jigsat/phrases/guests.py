"""Guests on seats: the sentences of the host's rules are quoted."""

from __future__ import annotations

from collections.abc import Sequence

from jigsat.facts import Choice, Excludes, Placement
from jigsat.phrases.phrasebook import MAX_LISTED, MAX_PLACED, Phrasebook
from jigsat.phrases.text import join_and, join_or, unique
from jigsat.puzzle import Rule

OWN_RULES = ("guest", "seat")  # kinds of rules that are not the host's


class GuestPhrases(Phrasebook):
    def name_together(self, rules: Sequence[Rule]) -> str:
        return self.name_few(self._quote(rules))

    def _quote(self, rules: Sequence[Rule]) -> list[str]:
        """The sentences of the host's rules."""
        return unique(self.way.rule(rule) for rule in rules if rule.kind not in OWN_RULES)

    def say_effect(self, fact: Excludes, shown: Sequence[Choice]) -> list[str]:
        quoted = self._quote(fact.rules)
        words = []
        if len(quoted) == 1:
            words.append(f"The host's rule: {quoted[0]}")
        elif quoted:
            words.append("The host's rules:")
            words += quoted
        placed = list(map(self.way.state, fact.basis.placed[:MAX_PLACED]))
        if placed:
            words.append(join_and(placed))
        gone = fact.basis.excluded
        if fact.conclusion.placed and 0 < len(gone) <= MAX_PLACED:
            words.append(join_and(list(map(self._say_taken, gone))))
        return words

    def _say_taken(self, placement: Placement) -> str:
        """Why a guest cannot have a seat: another one has it, if that is so."""
        for other in self.board:
            if self.way.place(other) == self.way.place(placement):
                return f"{self.way.place(other)} is taken by {self.way.thing(other)}"
        return self.way.deny(placement)

    def list_told(self, fact: Excludes) -> list[Choice]:
        return [] if fact.conclusion.placed else super().list_told(fact)

    def say_choice(self, choice: Choice) -> str:
        if self.way.is_about_place(choice.rule) and len(choice.left) <= MAX_LISTED:
            guests = join_or(list(map(self.way.thing, choice.left)))
            return f"Only {guests} can {self.way.verb.bare} {self.way.rule(choice.rule)}"
        return super().say_choice(choice)
