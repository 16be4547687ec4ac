"""How a crossword is said: 'H goes in r4c1'."""

from __future__ import annotations

from jigsat.encodings.crossword.data import CrosswordData, Letter, Scored

from jigsat.puzzle import GO_IN, Rule, Way
from jigsat.words import name_place


class Letters(Way[CrosswordData]):
    placing = "letter in a slot"
    verb = GO_IN
    place_rules = ("square",)

    def thing(self, placement: Letter | Scored) -> str:
        if isinstance(placement, Scored):
            return f"a word of score {placement.score}"
        return self.puzzle.spell_out(placement.letter)

    def place(self, placement: Letter | Scored) -> str:
        if isinstance(placement, Scored):
            return placement.slot
        return name_place(placement.cell)

    def rule(self, rule: Rule) -> str:
        return rule.about if rule.kind in ("answer", "square") else rule.name


def choose_way(puzzle: CrosswordData) -> Letters:
    return Letters(puzzle)
