"""Pieces on the faces of a solid: teeth meet gaps along edges, and at a corner one piece has the
cube.
"""

from __future__ import annotations

from collections.abc import Sequence

from jigsat.facts import Choice, Excludes, Placement
from jigsat.phrases.phrasebook import Phrasebook
from jigsat.phrases.text import join_and, join_or, unique, upper
from jigsat.puzzle import Rule

MAX_CLASH = 28  # number of words of a sentence about ways that do not fit
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
            return _say_clash(where, f"every way drawn in pink on {here}", fact.rules)
        if fact.basis.placed:
            return self._say_meeting(fact)
        return _say_clash(where, f"every way {self.dropped}", fact.rules)

    def _say_meeting(self, fact: Excludes) -> list[str]:
        """What pieces on the board leave of edges and corners."""
        edges = unique(self.way.rule(rule) for rule in fact.rules if rule.kind in ("edge", "frame"))
        words = []
        if edges:
            gaps = f"the gaps of {join_and(list(map(self._name_piece, fact.basis.placed)))}"
            words.append(f"At {self.name_few(edges)}, teeth must meet {gaps}")
        for rule in unique(fact.rules):
            if rule.kind == "corner":
                words += self._say_corner(rule, fact.basis.placed)
        if fact.conclusion.placed:
            place = self.way.place(fact.conclusion.placed[0])
            words.append(f"Of what is left for {place}, only one fits")
        return words

    def _say_corner(self, rule: Rule, placed: Sequence[Placement]) -> list[str]:
        """Which piece has the tooth at a corner, or that none has it so far, so that another piece
        must have it.
        """
        where = self.way.rule(rule)
        for placement in placed:
            if self.way.fills_corner(rule, placement):
                piece = self._name_piece(placement)
                return _say_at(where, f"{piece} has a tooth", ", and only one piece may have one")
        pieces = join_and(list(map(self._name_piece, placed)))
        verb = "has" if len(placed) == 1 else "have"
        return _say_at(where, f"{pieces} {verb} no tooth", ", so another piece must have one")

    def _name_piece(self, placement: Placement) -> str:
        return (
            f"{self.way.thing(placement)} {self.way.verb.preposition} {self.way.place(placement)}"
        )


def _say_at(where: str, what: str, why: str) -> list[str]:
    """What is so at a corner, and what that means; in two sentences if one would be long."""
    together = f"At {where}, {what}{why}"
    if len(together.split()) <= MAX_CLASH:
        return [together]
    return [f"Look at {where}", f"{upper(what)} there{why}"]


def _say_clash(where: str, every: str, rules: Sequence[Rule]) -> list[str]:
    """That ways do not fit along edges and at corners."""
    kinds = {rule.kind for rule in rules}
    clashes = []
    if kinds & {"edge", "frame"}:
        clashes.append("tooth on tooth or gap on gap")
    if "corner" in kinds:
        clashes.append("two teeth or none at the corner")
    beside = "the frame" if kinds & set(SEAMS) == {"frame"} else "what is left beside it"
    effect = f"{every} would meet {beside} with {join_or(clashes)}"
    together = f"At {where}, {effect}"
    if len(together.split()) <= MAX_CLASH:
        return [together]
    return [f"Look at {where}", upper(effect)]
