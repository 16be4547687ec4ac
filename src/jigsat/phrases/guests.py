"""Guests on seats: the sentences of the host's rules are quoted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jigsat.facts import (
    Cause,
    Choice,
    Collision,
    Excludes,
    Fact,
    LastPlace,
    LastThing,
    NoPartner,
    NothingLeft,
    Placement,
)
from jigsat.phrases.phrasebook import MAX_LISTED, MAX_PLACED, Phrasebook
from jigsat.phrases.text import join_and, join_or, unique, upper
from jigsat.puzzle import Rule

OWN_RULES = ("guest", "seat")  # kinds of rules that are not the host's


class GuestPhrases(Phrasebook):
    marks_left = True

    def list_said_causes(self, fact: Fact) -> tuple[Cause, ...]:
        return fact.causes if isinstance(fact, LastPlace | LastThing) else ()

    def name_together(self, rules: Sequence[Rule]) -> str:
        return self.name_few(self._quote(rules))

    def _quote(self, rules: Sequence[Rule]) -> list[str]:
        """The sentences of the host's rules."""
        return unique(self.way.rule(rule) for rule in rules if rule.kind not in OWN_RULES)

    def _say_rules(self, rules: Sequence[Rule]) -> list[str]:
        quoted = self._quote(rules)
        if len(quoted) > 1:
            return ["The host's rules:", *quoted]
        return [f"The host's rule: {words}" for words in quoted]

    def say_effect(self, fact: Excludes, shown: Sequence[Choice]) -> list[str]:
        words = self._say_rules(fact.rules)
        placed = list(map(self.way.state, fact.basis.placed[:MAX_PLACED]))
        if placed:
            words.append(join_and(placed))
        if fact.conclusion.placed:
            words += self._say_causes(fact)
        return words

    def _say_causes(self, fact: Excludes) -> list[str]:
        """That guests cannot have seats: because others sit there, or by other rules."""
        taken = set(map(self.way.place, self.board))
        words: list[str] = []
        rest = list(fact.basis.excluded)
        for cause in fact.causes:
            free = [x for x in cause.excluded if self.way.place(x) not in taken]
            if free and cause.step:
                words += [f"{sentence} (step {cause.step})" for sentence in self._say_gone(free)]
            elif free and cause.rule and cause.rule.kind not in OWN_RULES:
                words += [*self._say_rules([cause.rule]), *self._say_gone(free)]
            else:
                continue
            rest = [x for x in rest if x not in free]
        return [*self._say_gone(rest), *words]

    def explain(self, fact: LastPlace | LastThing) -> list[str]:
        """Which seats are taken, and which of the host's rules exclude others."""
        taken = unique(
            self.way.place(placement)
            for cause in fact.causes
            if cause.rule and cause.rule.kind in OWN_RULES
            for placement in cause.excluded
        )
        words = []
        if taken and isinstance(fact, LastPlace):
            words.append(f"{_join_seats(taken)} {'is' if len(taken) == 1 else 'are'} taken")
        for cause in fact.causes:
            if cause.rule and cause.rule.kind not in OWN_RULES:
                words.append(f"The host's rule: {self.way.rule(cause.rule)}")
                words += self._say_gone(cause.excluded)
        return words

    def say_partner(self, end: NoPartner) -> list[str]:
        guests = join_or(unique(map(self.way.thing, end.needed)))
        seats = join_or(unique(map(self.way.place, end.needed)))
        words = [*map(self.way.state, end.placed[:MAX_PLACED])]
        words += self._say_rules(end.rules)
        words.append(f"So {guests} must {self.way.verb.bare} {seats}")
        words += self._say_gone([x for x in end.needed if x not in end.before])
        if end.before:
            open_seats = join_or(unique(map(self.way.place, end.before)))
            words.append(f"That leaves only {open_seats}, which is excluded here")
        return words

    def say_nothing_left(self, end: NothingLeft) -> list[str]:
        """Each reason in a sentence of its own, with all of the host's rules that it needs."""
        *first, words = super().say_nothing_left(replace(end, causes=()))
        about_place = self.way.is_about_place(end.choice.rule)
        name = self.way.thing if about_place else self.way.place
        reasons = []
        taken: list[str] = []
        for cause in end.causes:
            quoted = self._quote(cause.rules)
            gone = unique(map(name, cause.excluded))
            if quoted:
                verb = "excludes" if len(quoted) == 1 else "exclude"
                reasons.append(f"{join_and(quoted)} {verb} {_join_seats(gone)}")
            else:
                taken += gone
        if taken and about_place:
            verb = "has a seat" if len(taken) == 1 else "have seats"
            reasons.append(f"{join_and(taken)} {verb} already")
        elif taken:
            verb = "is" if len(taken) == 1 else "are"
            reasons.append(f"{upper(_join_seats(taken))} {verb} taken")
        return [*first, words, *reasons]

    def explain_briefly(self, causes: Sequence[Cause], what: str = "") -> str:
        quoted = unique(words for cause in causes for words in self._quote(cause.rules))
        return f" ({self.name_few(quoted)})" if quoted else ""

    def say_collision(self, end: Collision) -> list[str]:
        quoted = self._quote(end.rules)
        if not quoted:
            return super().say_collision(end)
        placed = join_and(list(map(self.way.state, end.placed[:MAX_PLACED])))
        if len(quoted) == 1:
            return [placed, f"That breaks the host's rule: {quoted[0]}"]
        number = "both" if len(quoted) == 2 else "all"
        return [placed, f"These cannot {number} be kept: {self.name_few(quoted)}"]

    def _say_gone(self, excluded: Sequence[Placement]) -> list[str]:
        """That guests cannot have seats, and who has a seat that is taken: a sentence for each
        guest.
        """
        holders = {self.way.place(placement): self.way.thing(placement) for placement in self.board}
        seats: dict[str, list[str]] = {}
        for placement in excluded:
            place = self.way.place(placement)
            holder = holders.get(place)
            seat = f"{place} (taken by {holder})" if holder else place
            seats.setdefault(self.way.thing(placement), []).append(seat)
        words = []
        for guest, places in seats.items():
            verb = self.way.verb.bare
            if all(" (taken by " in place for place in places) and len(places) > MAX_LISTED:
                words.append(f"{guest} cannot {verb} where others sit")
            else:
                words.append(f"{guest} cannot {verb} {self.name_few(places, join_or)}")
        return words

    def list_told(self, fact: Excludes) -> list[Choice]:
        return [] if fact.conclusion.placed else super().list_told(fact)

    def say_choice(self, choice: Choice) -> str:
        if self.way.is_about_place(choice.rule) and len(choice.left) <= MAX_LISTED:
            guests = join_or(list(map(self.way.thing, choice.left)))
            return f"Only {guests} can {self.way.verb.bare} {self.way.rule(choice.rule)}"
        return super().say_choice(choice)


def _join_seats(seats: Sequence[str]) -> str:
    """Several seats of one table as 'seats 1, 2 and 5'."""
    numbers = [seat.removeprefix("seat ") for seat in seats]
    if len(seats) > 1 and all(number.isdigit() for number in numbers):
        return f"seats {join_and(numbers)}"
    return join_and(seats)
