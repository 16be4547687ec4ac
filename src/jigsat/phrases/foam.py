"""Pieces on the faces of a solid: teeth meet gaps along edges, and at a corner one piece has the
cube.
"""

from __future__ import annotations

from collections.abc import Sequence

from jigsat.facts import Choice, Excludes
from jigsat.phrases.phrasebook import Phrasebook
from jigsat.phrases.text import join_and, unique

SEAMS = ("edge", "corner", "frame")  # kinds of rules about where pieces meet


class FoamPhrases(Phrasebook):
    def say_effect(self, fact: Excludes, shown: Sequence[Choice]) -> list[str]:
        seams = unique(self.way.rule(rule) for rule in fact.rules if rule.kind in SEAMS)
        if not seams:
            return super().say_effect(fact, shown)
        where = self.name_few(seams)
        if not shown and {rule.kind for rule in fact.rules} == {"frame"}:
            return [f"{where} does not fit the ways {self.dropped}"]
        if shown:
            places = unique(map(self.way.place, fact.conclusion.excluded))
            here = places[0] if len(places) == 1 else "the places drawn in pink"
            number = sum(len(choice.left) for choice in shown)
            word = "neither" if number == 2 else "none"
            return [f"Of the ways drawn in pink on {here}, {word} of these fits one at {where}"]
        placed = [f"{self.way.thing(x)} on {self.way.place(x)}" for x in fact.basis.placed]
        if placed:
            gaps = f"the gaps of {join_and(placed)}"
            return [f"At {where}, teeth must meet {gaps}"]
        return [f"At {where}, nothing that is left beside it fits the ways {self.dropped}"]
