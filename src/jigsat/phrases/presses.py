"""Presses of lights: an odd number of lights needs an odd number of presses."""

from __future__ import annotations

from collections.abc import Sequence

from jigsat.facts import ParitySum
from jigsat.phrases.phrasebook import MAX_LISTED, Phrasebook
from jigsat.phrases.text import Text, count, join_and, lower, unique, upper

MAX_LIGHTS = 8  # number of lights that a sentence names


class PressPhrases(Phrasebook):
    marks_left = True

    def phrase_parity_sum(self, fact: ParitySum) -> Text:
        lights = [self.way.rule(rule) for rule in fact.rules]
        if len(lights) == 1:
            return self._phrase_single(fact, lights[0])
        lit = "is lit" if fact.odd == 1 else "are lit"
        named = f"the lights {join_and(lights)}"
        if len(lights) > MAX_LIGHTS:
            named = f"the {count(len(lights))} lights with a green frame"
        press = self._name_press(fact)
        reasons = [
            f"Of {named}, {count(fact.odd)} {lit}",
            f"{upper(press)} switches an odd number of them",
            "Each other press not decided yet switches an even number of them",
        ]
        parity = f"{upper(count(fact.odd))} is {'odd' if fact.odd % 2 else 'even'}"
        end = [f"{parity}, {lower(words)}" for words in self.conclude(fact.conclusion, ())]
        return self.text([named], f"which of {named} are lit?", reasons, end=end)

    def _phrase_single(self, fact: ParitySum, light: str) -> Text:
        reasons = [
            f"Light {light} is {'lit' if fact.odd else 'dark already'}",
            f"Of the presses that are not decided yet, only {self._name_press(fact)} switches it",
        ]
        end = self.conclude(fact.conclusion, ())
        return self.text([f"light {light}"], f"is light {light} lit?", reasons, end=end)

    def _name_press(self, fact: ParitySum) -> str:
        decided: Sequence[object] = (*fact.conclusion.placed, *fact.conclusion.excluded)
        return join_and(unique(map(self.way.thing, decided))[:MAX_LISTED])
