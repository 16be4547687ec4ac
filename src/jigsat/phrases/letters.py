"""Letters in slots: the words that still fit."""

from __future__ import annotations

from jigsat.facts import Choice, Collision, Marks, NoMatch, NoPartner, WaysLeft
from jigsat.phrases.phrasebook import MAX_LISTED, Phrasebook
from jigsat.phrases.text import Text, count, join_or, upper

MAX_WORDS_BESIDE = 120  # number of words that are listed beside the picture
MAX_LETTERS = 7  # number of letters that a sentence names


class LetterPhrases(Phrasebook):
    dropped = "struck out"
    marks_left = True

    def phrase_ways_left(self, fact: WaysLeft) -> Text:
        slot = self.way.rule(fact.rules[0])
        beside = []
        if len(fact.ways) <= MAX_LISTED:
            reasons = [f"{slot} can only be {join_or(fact.ways)}"]
        else:
            reasons = [f"{upper(count(len(fact.ways)))} words of the list still fit {slot}"]
            if len(fact.ways) <= MAX_WORDS_BESIDE:
                beside.append(f"{slot}: {', '.join(fact.ways)}")
        end = [self._say_square(choice, fact.conclusion) for choice in fact.rest]
        end = end or self.conclude(fact.conclusion, ())
        return self.text([slot], f"which words still fit {slot}?", reasons, (), end, beside)

    def say_match(self, end: NoMatch) -> list[str]:
        return [f"No word of the list is left for {self.way.rule(end.rule)}"]

    def say_partner(self, end: NoPartner) -> list[str]:
        return [f"No word of the list is left for {self.way.rule(end.rule)}"]

    def say_collision(self, end: Collision) -> list[str]:
        if end.rule.kind == "answers":  # such as 'answers 4 across and 4 down'
            return [f"{end.rule.about} would be the same word"]
        return super().say_collision(end)

    def _say_square(self, choice: Choice, conclusion: Marks) -> str:
        """What a square may hold, or what it may not."""
        square = self.way.rule(choice.rule)
        left = list(map(self.way.thing, choice.left))
        gone = [self.way.thing(x) for x in conclusion.excluded if x in choice.options]
        if len(left) <= min(len(gone), MAX_LETTERS):
            return f"So {square} can only be {join_or(left)}"
        return f"None of them has {join_or(gone)} in {square}"
