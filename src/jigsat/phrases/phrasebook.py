"""The phrasebook: a fact in sentences, with a template for each kind of fact.

Subject, verb and object come from the family's way of placing. The other modules here have the
templates that one kind of placing says differently. What a picture shows is not repeated: marks
show what was left before and what drops out. Of more than four placements a sentence says how many
they are and to what they belong; `beside` lists them next to the picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from jigsat.facts import (
    Adds,
    BySymmetry,
    ByTrial,
    Case,
    Cause,
    Choice,
    Collision,
    Contradiction,
    Excludes,
    Fact,
    Fills,
    LastPlace,
    LastThing,
    Line,
    Marks,
    Motion,
    NoMatch,
    NoPartner,
    NothingLeft,
    OnGraph,
    ParitySum,
    Placement,
    WaysLeft,
)
from jigsat.phrases import totals
from jigsat.phrases.premises import list_choices, list_looks
from jigsat.phrases.text import (
    Text,
    count,
    in_house,
    join_and,
    join_or,
    lower,
    sentence,
    unique,
    upper,
)
from jigsat.puzzle import Rule, Way
from jigsat.words import pluralize

DRAWN = "drawn in pink"
MAX_LISTED = 4  # number of placements that a sentence names
MAX_PLACED = 2  # number of earlier placements that a sentence names
MAX_RULED_OUT = 12  # number of placements that earlier steps excluded up to which all are named
MAX_STEPS = 8  # number of earlier steps up to which all are named
MAX_DRAWN = 24  # number of placements that a picture shows as dropping out
MAX_BESIDE = 36  # number of placements that are listed beside a picture
MAX_WORDS = 24  # number of words of a part of a sentence up to which it names all that it is about
MAX_RULE_WORDS = 20  # number of words of names of rules up to which all are named
MAX_MOTIONS = 2  # number of ways to turn or mirror a board that a sentence names
MAX_SIMPLE_RULES = 3  # number of rules together of which a reader sees what they exclude
MOTIONS = {
    "turn": "turned",
    "half turn": "turned by half a turn",
    "left and right": "mirrored from left to right",
    "top and bottom": "mirrored from top to bottom",
    "falling diagonal": "mirrored at the diagonal from the top left",
    "rising diagonal": "mirrored at the diagonal from the bottom left",
    "mirroring": "mirrored",
    "exchange": "changed by exchanging what is alike",
}
"""How solutions are moved to others."""


class Phrasebook:
    """Sentences about facts, in the words of a family."""

    dropped = DRAWN
    """How the picture shows what drops out."""

    marks_left = False
    """Whether pencil marks show what was left before a step."""

    def __init__(self, way: Way) -> None:
        self.way = way
        self.board: tuple[Placement, ...] = ()
        self.left: dict[Placement, None] = {}
        self._templates: dict[type, Callable[[Any], Text]] = {
            LastPlace: self.phrase_last_place,
            LastThing: self.phrase_last_place,
            Excludes: self.phrase_excludes,
            Fills: self.phrase_fills,
            WaysLeft: self.phrase_ways_left,
            Case: self.phrase_case,
            ParitySum: self.phrase_parity_sum,
            Adds: self.phrase_addition,
            OnGraph: self.phrase_on_graph,
            BySymmetry: self.phrase_symmetry,
            ByTrial: self.phrase_trial,
        }
        self._ends: dict[type, Callable[[Any], list[str]]] = {
            NothingLeft: self.say_nothing_left,
            Collision: self.say_collision,
            NoPartner: self.say_partner,
            NoMatch: self.say_match,
        }

    def phrase(
        self, fact: Fact, board: Sequence[Placement] = (), left: Iterable[Placement] = ()
    ) -> Text:
        """The fact in sentences; before it, `board` was placed, and `left` was possible."""
        self.board = tuple(board)
        self.left = dict.fromkeys(left)
        text = self._templates[type(fact)](fact)
        beside = (*text.beside, *self.list_premises(fact), *self._list_rest(fact))
        return replace(text, title=self.title(fact), beside=beside)

    # -- a template for each kind of fact

    def phrase_last_place(self, fact: LastPlace | LastThing) -> Text:
        """Only one place is left for a thing, or one thing for a place."""
        reasons = [
            self.say_choice(fact.choice),
            *self.explain(fact),
            *self.say_steps(fact.choice, fact.causes),
        ]
        return self.text([self.name_place(fact.choice)], self.ask_choice(fact.choice), reasons)

    def phrase_excludes(self, fact: Excludes) -> Text:
        """A set of rules excludes placements, or makes some."""
        shown = self.list_told(fact)
        look = [*map(self.name_place, shown), *self.list_places(fact.conclusion)]
        if shown:
            ask = self.ask_choice(shown[0])
        else:
            ask = self.ask_rules(fact.rules)
        if self.needs_trying(fact):
            reasons = [
                "These rules exclude it only together, and only trying shows it",
                f"Look at {self.name_together(fact.rules)}",
            ]
        else:
            reasons = [*map(self.say_choice, shown), *self.say_effect(fact, shown)]
        end = self.conclude_effect(fact)
        return self.text(look, ask, reasons, end=end)

    def phrase_fills(self, fact: Fills) -> Text:
        """Some choices fill as many groups."""
        look = self.list_filled(fact)
        reasons = [*self.say_choices(fact.choices), *self.say_covers(fact)]
        ask = self.ask_choice(fact.choices[0])
        return self.text(look, ask, reasons, end=self.conclude_filling(fact))

    def phrase_ways_left(self, fact: WaysLeft) -> Text:
        """What a thing may still be, and what that excludes."""
        what = self.way.rule(fact.rules[0])
        reasons = [f"{what} can only be {self.name_few(fact.ways, join_or)}"]
        end = self.conclude(fact.conclusion, ())
        return self.text([what], f"what can {what} still be?", reasons, end=end)

    def phrase_case(self, fact: Case) -> Text:
        """The opposite leads to a contradiction."""
        supposed = self.suppose(fact)
        if not fact.chain and isinstance(fact.end, NothingLeft) and fact.supposed.placed:
            return self.phrase_case_without_rest(fact, fact.end)
        if not fact.chain and isinstance(fact.end, NoPartner):
            return self.text(
                [self.way.rule(fact.end.rule)],
                f"what is needed there if {supposed}?",
                [f"Suppose {supposed}", *self.say_partner(fact.end)],
                end=self.conclude_case(fact),
            )
        chain = [words for line in fact.chain for words in self.say_lines(line)]
        return self.text(
            self.list_places(fact.supposed),
            f"what follows if {supposed}?",
            [f"Suppose {supposed}"],
            [*chain, *self.say_end(fact)],
            self.conclude_case(fact),
        )

    def phrase_case_without_rest(self, fact: Case, end: NothingLeft) -> Text:
        """The opposite leaves nothing of a choice at once."""
        return self.text(
            [self.name_choice(end.choice)],
            self.ask_choice(end.choice),
            [f"Suppose {self.suppose(fact)}", *self.say_nothing_left(end)],
            end=self.conclude_case(fact),
        )

    def phrase_parity_sum(self, fact: ParitySum) -> Text:
        """XORs are added up."""
        rules = self.name_few([self.way.rule(rule) for rule in fact.rules])
        placement = (*fact.conclusion.placed, *fact.conclusion.excluded)[0]
        thing = self.way.thing(placement)
        reasons = [
            f"Of {rules} together, {count(fact.odd)} still need an odd number",
            f"{thing} changes an odd number of them; each other one not decided yet, an even "
            f"number",
        ]
        end = self.conclude(fact.conclusion, ())
        return self.text([rules], f"which of {rules} still need an odd number?", reasons, end=end)

    def phrase_addition(self, fact: Adds) -> Text:
        """Numbers add up to a total."""
        rule = self.way.rule(fact.rules[0])
        ask = f"which numbers can still add up to what {rule} says?"
        end = totals.conclude(self.way, fact) or self.conclude(fact.conclusion, ())
        return self.text([rule], ask, totals.list_reasons(self.way, fact), end=end)

    def phrase_on_graph(self, fact: OnGraph) -> Text:
        """A rule about what is connected, about lines, or about the sizes of regions."""
        conclusion = fact.conclusion
        opposite = [
            *map(self.way.oppose, conclusion.placed),
            *map(self.way.state, conclusion.excluded),
        ]
        if len(opposite) == 1:
            supposed = f"If {opposite[0]}"
        else:
            # Lines between points have no cells that could be named.
            places = self.name_few(self.list_places(conclusion)) or "these"
            supposed = f"If one of {places} were otherwise"
        reasons = {
            "root": "It is where everything else must be connected to",
            "joins": f"{supposed}, what is connected would fall apart",
            "cut off": f"{supposed}, something would be cut off from the rest",
            "meets": self._say_lines_meet(fact, supposed),
            "closed": "The loop is closed, so there are no other lines",
            "closes early": f"{supposed}, the loop would be closed too early",
            "closes": f"{supposed}, lines would form a closed path",
            "too many": f"{supposed}, a region would be too large",
            "too few": f"{supposed}, a region would be too small",
        }
        return self.text(
            self.list_places(conclusion),
            self.ask_rules(fact.rules[:1]),
            [reasons[fact.reason]],
            end=self.conclude(conclusion, ()),
        )

    def _say_lines_meet(self, fact: OnGraph, supposed: str) -> str:
        """Why lines follow at a node of a loop."""
        lines = join_and(list(map(self.way.state, fact.basis.placed)))
        if fact.conclusion.placed:
            return f"{lines}, and at one end of that, only one line is left to go on"
        if fact.basis.placed:
            return f"{lines}, and these meet, so no other line ends there"
        return f"{supposed}, no line would be left to go on at one end of it"

    def phrase_symmetry(self, fact: BySymmetry) -> Text:
        """Every solution has it or an image of it, so it may be chosen."""
        (chosen,) = fact.conclusion.placed
        end = [f"So we may choose: {self.way.state(chosen)}"]
        look = self.list_places(fact.conclusion)
        reasons = self._say_images(chosen, fact)
        return self.text(look, "what may be chosen freely there?", reasons, end=end)

    def _say_images(self, chosen: Placement, fact: BySymmetry) -> list[str]:
        """Which placements are alike, and what moves them to the chosen one."""
        way = self.way
        every = (chosen, *fact.images)
        stays = f"A solution that is {self.name_motions(fact.motions)} stays a solution"
        things, places = unique(map(way.thing, every)), unique(map(way.place, every))
        if fact.tried:
            return [*self._say_tried(fact), *self._say_images(chosen, replace(fact, tried=()))]
        if len(things) == 1 and places[0]:
            spots = unique(map(way.spot, every)) if len(every) <= MAX_LISTED else places
            words = f"In every solution, {things[0]} {way.verb.now} {join_or(spots)}"
            if len(words.split()) <= MAX_WORDS and len(every) == 2:
                return [words, f"{stays}, and that exchanges the two"]
            if len(words.split()) <= MAX_WORDS:
                return [words, f"{stays}, and that brings {things[0]} to {way.spot(chosen)}"]
        number = len(fact.images)
        images = f"one of its {count(number)} images" if number > 1 else "its image"
        effect = "exchanges the two" if number == 1 else "changes one of these to another"
        return [
            f"Every solution has this or {images}: {way.state(chosen)}",
            f"{stays}, and that {effect}",
        ]

    def _say_tried(self, fact: BySymmetry) -> list[str]:
        """That a search excludes the other ways, before the images are named."""
        things = unique(map(self.way.thing, (*fact.conclusion.placed, *fact.tried)))
        number = f"{count(len(fact.tried))} other way{'s' if len(fact.tried) > 1 else ''}"
        what = f"the {number} to place {things[0]}" if len(things) == 1 else f"the {number}"
        return [f"The program tried {what}: none leads to a solution"]

    def name_motions(self, motions: Sequence[Motion]) -> str:
        """How solutions are moved."""
        several = sum(motion.kind == "mirroring" for motion in motions) > 1
        named = []
        for motion in motions:
            axis = [self.way.name_place(place) for place in motion.places]
            if not several and 0 < len(axis) <= MAX_LISTED:
                named.append(f"mirrored at the axis through {join_and(axis)}")
            else:
                named.append(MOTIONS[motion.kind])
        words = unique(named)
        if MOTIONS["turn"] in words:
            words = [name for name in words if name != MOTIONS["half turn"]]
        if len(words) > MAX_MOTIONS:
            kinds = [name.split(" ")[0] for name in words]
            words = [name for name in words if kinds.count(name.split(" ")[0]) == 1]
            words += [kind for kind in unique(kinds) if kinds.count(kind) > 1]
        return join_or(words)

    def phrase_trial(self, fact: ByTrial) -> Text:
        """Only a search finds it."""
        placed, excluded = fact.conclusion.placed, fact.conclusion.excluded
        opposite = [*map(self.way.oppose, placed), *map(self.way.state, excluded)]
        reasons = [
            "No short chain of rules decides anything here, so this is a trial",
            f"The program tried the opposite, that {opposite[0]}, in all ways: none is a solution",
        ]
        ask = "this one needs trying, one way after the other"
        end = self.conclude(fact.conclusion, ())
        return self.text(self.list_places(fact.conclusion), ask, reasons, end=end)

    # -- parts that a kind of placing may say in another way

    def title(self, fact: Fact) -> str:
        """The name of the technique, if it has one."""
        return ""

    def suppose(self, fact: Case) -> str:
        """What is supposed, in words."""
        for placement in fact.supposed.placed:
            return self.way.state(placement)
        return self.way.oppose(fact.supposed.excluded[0])

    def list_said_causes(self, fact: Fact) -> tuple[Cause, ...]:
        """The causes that the sentences name, of a fact about what is last."""
        return ()

    def list_looking_causes(self, fact: Fact) -> tuple[Cause, ...]:
        """Those of them that the sentences explain by what is left elsewhere."""
        return ()

    def explain(self, fact: LastPlace | LastThing) -> list[str]:
        """Why the other ways are gone, as far as the picture does not show it."""
        return []

    def explain_briefly(self, causes: Sequence[Cause], what: str = "") -> str:
        """The same at the end of a line of a chain about something."""
        rules = unique(cause.rule for cause in causes if cause.rule)
        return f" ({self.give_reason(rules, what)})" if rules else ""

    def give_reason(self, rules: Sequence[Rule], what: str) -> str:
        """The rules in brackets after a line about something."""
        return self.name_together(rules)

    def say_choice(self, choice: Choice) -> str:
        """What is left of what a rule requires."""
        way = self.way
        house = in_house(way.house(choice.rule))
        about_place = way.is_about_place(choice.rule)
        what = way.rule(choice.rule) if about_place else way.any_of(choice.options)
        if len(unique(map(way.thing, choice.options))) > 1 and not about_place:
            return self._say_class(choice)
        number = count(len(choice.left))
        if len(choice.left) > MAX_LISTED:
            return f"{house}{number} ways are left for {what}"
        if about_place:
            if self._is_long(choice):
                things = join_or(unique(map(way.thing, choice.left)))
                return f"Only {things} can {way.verb.bare} {what}, in {number} ways"
            return f"Only {join_or(list(map(way.lie, choice.left)))} can {way.verb.bare} {what}"
        places = unique(map(way.place, choice.left))
        if len(places) < len(choice.left) or self._is_long(choice):
            spots = f"{join_or(places)}, in {number} ways"
        else:
            spots = join_or(list(map(way.spot, choice.left)))
        return f"{house}{what} can only {way.verb.bare} {spots}"

    def _is_long(self, choice: Choice) -> bool:
        """Whether a sentence with the manners of all that is left of a choice would be long."""
        if not any(map(self.way.manner, choice.left)):
            return False
        say = self.way.lie if self.way.is_about_place(choice.rule) else self.way.spot
        return len(join_or(list(map(say, choice.left))).split()) > MAX_WORDS

    def _say_class(self, choice: Choice) -> str:
        """What is left of a choice between different things, such as all tiles with a face."""
        what = self.way.any_of(choice.options)
        house = self.way.house(choice.rule)
        need = f"{house} needs {what}, and" if house else f"{what} is needed, and"
        if len(choice.left) > MAX_LISTED:
            return f"{need} {count(len(choice.left))} ways are left"
        named = join_and(list(map(self.name_placement, choice.left)))
        verb = "are" if len(choice.left) > 1 else "is"
        return f"{need} only {named} {verb} left"

    def say_choices(self, choices: Sequence[Choice]) -> list[str]:
        """What is left of choices, a sentence for each."""
        return list(map(self.say_choice, choices))

    def list_filled(self, fact: Fills) -> list[str]:
        """Where to look: the row of several cells rather than the cells."""
        choices = list(map(self.name_place, fact.choices))
        houses = unique(self.way.house(cover.rule) for cover in fact.covers)
        about_places = all(self.way.is_about_place(choice.rule) for choice in fact.choices)
        if len(choices) > 1 and about_places and all(houses):
            return houses
        return [*choices, *map(self.name_place, fact.covers)]

    def say_covers(self, fact: Fills) -> list[str]:
        """That choices fill groups."""
        covers = unique(cover.rule for cover in fact.covers)
        groups = join_and(list(map(self.way.rule, covers)))
        several = len(fact.choices) > 1
        if all(map(self.way.is_about_place, covers)):
            return [f"So they fill {groups}" if several else f"Whichever it is, it takes {groups}"]
        return [f"So {groups} {'are' if several else 'is'} needed there"]

    def conclude_filling(self, fact: Fills) -> list[str]:
        """What follows; if that is much, that nothing else goes with what is filled."""
        if self.deny_each(fact.conclusion.excluded):
            return self.conclude(fact.conclusion, ())
        covers = unique(cover.rule for cover in fact.covers)
        groups = join_and(list(map(self.way.rule, covers)))
        if all(map(self.way.is_about_place, covers)):
            return [f"So nothing else can {self.way.verb.bare} {groups}"]
        return [f"So {groups} can {self.way.verb.bare.split()[0]} nowhere else"]

    def ask_choice(self, choice: Choice) -> str:
        """The question to which what is left is the answer."""
        way = self.way
        if way.is_about_place(choice.rule):
            return f"what can still {way.verb.bare} {way.rule(choice.rule)}?"
        go = way.verb.bare.partition(" ")[0]
        house = way.house(choice.rule)
        where = in_house(house)[:1].lower() + in_house(house)[1:].removesuffix(", ")
        return f"where can {way.any_of(choice.options)} still {go}{where and f' {where}'}?"

    def ask_rules(self, rules: Sequence[Rule]) -> str:
        """The question what a set of rules leaves or excludes."""
        named = self.name_few(self.list_other_rules(rules))
        return f"what follows there from {named}?" if named else "what follows there?"

    def needs_trying(self, fact: Excludes) -> bool:
        """Whether many ways are left for several choices, so that a reader cannot see what they
        exclude.
        """
        if fact.conclusion.placed or len(fact.rules) <= MAX_SIMPLE_RULES:
            return False
        many = [choice for choice in fact.choices if len(choice.left) > MAX_LISTED]
        return len(many) > 1 or not (fact.choices or fact.basis.placed)

    def name_together(self, rules: Sequence[Rule]) -> str:
        """Rules that exclude something only together."""
        return self.name_most(unique(map(self.way.rule, rules)))

    def name_most(self, names: Sequence[str]) -> str:
        """All names, if that is not long; else two and their number."""
        words = join_and(names)
        return words if len(words.split()) <= MAX_RULE_WORDS else self.name_few(names)

    def list_told(self, fact: Excludes) -> list[Choice]:
        """The choices of which the sentences say what is left."""
        placed = fact.conclusion.placed
        return [choice for choice in fact.choices if len(choice.left) <= MAX_LISTED or not placed]

    def say_effect(self, fact: Excludes, shown: Sequence[Choice]) -> list[str]:
        """How what is left and what is placed exclude the rest."""
        named = {choice.rule for choice in shown}
        rules = unique(
            rule for rule in fact.rules if rule not in named and not self._is_about(rule, fact)
        )
        words = []
        placed = self.list_states(fact.basis.placed[:MAX_PLACED])
        if placed and not shown:
            words.append(join_and(placed))
        if rules:
            words.append(f"Look at {self.name_together(rules)}")
        return words

    def _is_about(self, rule: Rule, fact: Excludes) -> bool:
        """Whether a rule is about a place that the conclusion names."""
        places = self.list_places(fact.conclusion)
        return self.way.is_about_place(rule) and self.way.rule(rule) in places

    def conclude_effect(self, fact: Excludes) -> list[str]:
        """What follows from a set of rules."""
        return self.conclude(fact.conclusion, fact.rest)

    def say_nothing_left(self, end: NothingLeft) -> list[str]:
        """That nothing is left of a choice; for a thing, also where it could still be."""
        what = self.name_choice(end.choice)
        before = list_before(end)
        if self.way.is_about_place(end.choice.rule) or not before.left:
            return [f"Nothing is left for {what}{self.explain_briefly(end.causes, what)}"]
        none = {1: "That is not left", 2: "Neither is left"}.get(
            len(end.before), "None of these is left"
        )
        first = self.say_choice(before)
        return [first, f"{none}{self.explain_briefly(end.causes, what)}"]

    def say_collision(self, end: Collision) -> list[str]:
        """Placements that a rule does not allow together, or one that it does not allow."""
        things = join_and(list(map(self.way.lie, end.placed[:3])))
        verb = "stand together" if len(end.placed) > 1 else f"{self.way.verb.bare.split()[0]} there"
        rule = self.way.rule(end.rule)
        words = f"{things} cannot {verb} ({rule})"
        if len(words.split()) <= MAX_WORDS:
            return [words]
        return [f"Look at {rule}", f"{upper(things)} cannot {verb}"]

    def say_match(self, end: NoMatch) -> list[str]:
        """What is left of choices that do not go together."""
        names = join_and(list(map(self.name_choice, end.choices)))
        return [f"Nothing that is left for {names} goes together ({self.way.rule(end.rule)})"]

    def say_partner(self, end: NoPartner) -> list[str]:
        """What a rule would need."""
        if self.way.is_about_place(end.rule):
            return [f"Then nothing is left for {self.way.rule(end.rule)}"]
        needed = self.name_few(unique(map(self.way.lie, end.needed)), join_or)
        places = self.name_few(unique(map(self.way.place, end.needed)), join_or)
        return [
            f"Then {places} needs {needed}, by {self.way.rule(end.rule)}",
            "None of these is left",
        ]

    def deny(self, excluded: Sequence[Placement]) -> str:
        """That placements are impossible, in one sentence."""
        words = self.deny_each(excluded)
        if words and len(words.split()) <= MAX_WORDS:
            return words
        places = unique(map(self.way.place, excluded))
        where = f"ways to fill {places[0]}" if len(places) == 1 else "ways"
        number = count(len(excluded))
        if len(excluded) > MAX_DRAWN:
            return f"{number} {where} are out: {self.sum_up(excluded)}"
        return f"the {number} {where} {self.dropped} are out: {self.sum_up(excluded)}"

    def deny_each(self, excluded: Sequence[Placement]) -> str:
        """The same with each of them named; nothing if they are many or have little in common."""
        way = self.way
        if len(excluded) == 1:
            return way.deny(excluded[0])
        things, places = unique(map(way.lie, excluded)), unique(map(way.place, excluded))
        if len(things) == 1 and len(places) <= MAX_LISTED and places[0]:
            return f"{things[0]} cannot {way.verb.bare} {join_or(places)}"
        if len(places) == 1 and 1 < len(things) <= MAX_LISTED and places[0]:
            return f"{places[0]} cannot take {join_or(things)}"
        if len(excluded) <= 2:
            return join_and(list(map(way.deny, excluded)))
        if len(excluded) <= MAX_LISTED:
            if not places[0]:
                return f"these are out: {join_and(things)}"
            return f"these are out: {join_and(list(map(self.name_placement, excluded)))}"
        return ""

    # -- parts that all say alike

    def text(
        self,
        look: Sequence[str],
        ask: str,
        reasons: Iterable[str],
        chain: Iterable[str] = (),
        end: Iterable[str] = (),
        beside: Iterable[str] = (),
    ) -> Text:
        """A text of parts of sentences."""
        where = [place for place in unique(look) if place] or ["the whole board"]
        return Text(
            "",
            f"Look at {join_and(where[:2])}.",
            sentence(ask),
            tuple(map(sentence, reasons)),
            tuple(map(sentence, chain)),
            tuple(map(sentence, end)),
            tuple(beside),
        )

    def conclude(self, conclusion: Marks, rest: Sequence[Choice]) -> list[str]:
        """What follows, in sentences."""
        first, *others = self.list_conclusions(conclusion, rest)
        return [f"So {first}", *(f"And {clause}" for clause in others)]

    def list_conclusions(self, conclusion: Marks, rest: Sequence[Choice]) -> list[str]:
        """What is placed, and what is excluded or, if that is less, what is left there; in
        clauses, so that a sentence can be begun in another way.
        """
        if conclusion.placed:
            return self.list_states(conclusion.placed)
        if self._leaves_few(conclusion, rest):
            return [lower(self.say_choice(rest[0]))]
        return self._list_excluded(conclusion.excluded)

    def _leaves_few(self, conclusion: Marks, rest: Sequence[Choice]) -> bool:
        """Whether less is left of a place than is excluded."""
        if conclusion.placed or len(rest) != 1 or not self.way.is_about_place(rest[0].rule):
            return False
        return 0 < len(rest[0].left) <= MAX_LISTED < len(conclusion.excluded)

    def list_states(self, placements: Sequence[Placement]) -> list[str]:
        """That all of these are there, in clauses."""
        return list(map(self.way.state, placements))

    def _list_excluded(self, excluded: Sequence[Placement]) -> list[str]:
        """What is excluded, in a clause for each of two places if one would be long."""
        words = self.deny_each(excluded)
        if words and len(words.split()) <= MAX_WORDS:
            return [words]
        places = unique(map(self.way.place, excluded))
        if len(places) != 2:
            return [self.deny(excluded)]
        first, second = ([x for x in excluded if self.way.place(x) == place] for place in places)
        return [self.deny(first), self.deny(second)]

    def conclude_case(self, fact: Case) -> list[str]:
        """What follows from a case: the opposite of what was supposed, and all else of which the
        same lines hold.
        """
        first = [
            *map(self.way.state, fact.supposed.excluded),
            *map(self.way.deny, fact.supposed.placed),
        ]
        supposed = {*fact.supposed.placed, *fact.supposed.excluded}
        others = [x for x in fact.conclusion.excluded if x not in supposed]
        end = [f"So {first[0]}"]
        same = "The same lines hold" if fact.chain else "The same holds"
        if len(others) == 1:
            end.append(f"{same} if {self.way.state(others[0])}, so that is out, too")
        elif others:
            end += _split_long(f"{same} for others, too", self.deny(others))
        return end

    def say_lines(self, line: Line) -> list[str]:
        """A line of a chain; several if it has many reasons."""
        return [self.say_line(line)]

    def say_line(self, line: Line) -> str:
        """A line of a chain."""
        if isinstance(line, NothingLeft):
            return f"Nothing is left for {self.name_choice(line.choice)}"
        if isinstance(line, WaysLeft):
            return f"{self.way.rule(line.rules[0])} can only be {self.name_few(line.ways, join_or)}"
        if isinstance(line, Excludes):
            if line.conclusion.placed:
                words = join_and(list(map(self.way.state, line.conclusion.placed)))
            elif not line.rest:
                words = self.deny(line.conclusion.excluded)
            else:
                words = self.say_choice(line.rest[0])
                what = self.name_choice(line.rest[0])
                why = self.explain_briefly(line.causes, what)
                if why:
                    return f"{words}{why}"
            return f"{words} ({self.give_reason(line.rules[:1], '')})"
        why = self.explain_briefly(line.causes, self.name_choice(line.choice))
        return f"{self.say_choice(line.choice)}{why}"

    def say_end(self, fact: Case) -> list[str]:
        """The end of a case, after the lines of its chain."""
        return self.say_contradiction(fact.end)

    def say_contradiction(self, end: Contradiction) -> list[str]:
        """The end of a chain."""
        return self._ends[type(end)](end)

    def name_choice(self, choice: Choice) -> str:
        """What a choice is about, such as '4 in box 1'."""
        if self.way.is_about_place(choice.rule):
            return self.way.rule(choice.rule)
        house = self.way.house(choice.rule)
        thing = self.way.any_of(choice.options)
        return f"{thing} in {house}" if house else thing

    def name_placement(self, placement: Placement) -> str:
        """A thing and its place, such as 'tile 3 in the centre'."""
        return f"{self.way.thing(placement)} {self.way.verb.preposition} {self.way.spot(placement)}"

    def name_place(self, choice: Choice) -> str:
        """Where to look: the place or the house of a choice, or its thing if it may be anywhere."""
        return self.way.house(choice.rule) or self.name_choice(choice)

    def list_other_rules(self, rules: Sequence[Rule]) -> list[str]:
        """The rules that are not about a place."""
        return unique(self.way.rule(rule) for rule in rules if not self.way.is_about_place(rule))

    def say_steps(self, choice: Choice, causes: Sequence[Cause]) -> list[str]:
        """What earlier steps have excluded of a choice, so that a step is read alone."""
        gone = [x for cause in causes if cause.step for x in cause.excluded]
        if not gone:
            return []
        steps = [str(number) for number in sorted({cause.step for cause in causes} - {0})]
        if len(steps) > MAX_STEPS:
            who = "Earlier steps"
        else:
            who = f"Step{'s' if len(steps) > 1 else ''} {join_and(steps)}"
        about_place = self.way.is_about_place(choice.rule)
        named = unique(map(self.way.lie if about_place else self.way.spot, gone))
        if len(named) > MAX_RULED_OUT:
            return [f"{who} ruled out the other {count(len(named))}"]
        return [f"{who} ruled out {join_and(named)}"]

    def sum_up(self, placements: Sequence[Placement]) -> str:
        """How many placements each thing has, the most frequent first."""
        numbers = Counter(map(self.way.short, placements)).most_common()
        named = []
        for thing, number in numbers[:MAX_LISTED]:
            named.append(f"{number} of {thing}" if number > 1 else thing)
        others = sum(number for _, number in numbers[MAX_LISTED:])
        if others:
            named.append(f"{count(others)} other{'s' if others > 1 else ''}")
        return join_and(named)

    def name_few(
        self, names: Sequence[str], join: Callable[[Sequence[str]], str] = join_and
    ) -> str:
        """Up to four names; of more, two and their number."""
        if len(names) <= MAX_LISTED:
            return join(names)
        return join([*names[:2], f"{count(len(names) - 2)} others"])

    def list_places(self, marks: Marks) -> list[str]:
        """The places of placements."""
        return unique(map(self.way.place, (*marks.placed, *marks.excluded)))

    def list_premises(self, fact: Fact) -> list[str]:
        """What was left before, as far as neither pencil marks nor the sentences show it."""
        if self.marks_left:
            return []
        before: dict[str, list[Placement]] = {}
        options: dict[str, tuple[Placement, ...]] = {}
        for choice in list_choices(fact):
            left = [x for x in choice.options if x in self.left]
            is_told = tuple(left) == choice.left and self.says_all(choice)
            if len(left) > MAX_LISTED or not is_told:
                before[self.name_choice(choice)] = left
                options[self.name_choice(choice)] = choice.options
        for choice in list_looks(self.list_looking_causes(fact)):
            left = [x for x in choice.options if x in self.left]
            before.setdefault(self.name_choice(choice), left)
        for place, left in self._list_open_places(fact).items():
            before.setdefault(place, left)
        return [
            f"Before this step, these are left for {what}: "
            f"{self.list_left(what, left, options.get(what, ()))}."
            for what, left in before.items()
            if 0 < len(left) <= MAX_BESIDE
        ]

    def says_all(self, choice: Choice) -> bool:
        """Whether sentences tell all that is left of a choice, if that is little."""
        return not self._is_long(choice)

    def _list_rest(self, fact: Fact) -> list[str]:
        """What is left after a step, if its conclusion says that only in short."""
        if not isinstance(fact, Excludes) or not self._leaves_few(fact.conclusion, fact.rest):
            return []
        (choice,) = fact.rest
        if self.marks_left or self.says_all(choice):
            return []
        what = self.name_choice(choice)
        left = self.list_left(what, choice.left, choice.options)
        return [f"After this step, these are left for {what}: {left}."]

    def _list_open_places(self, fact: Fact) -> dict[str, list[Placement]]:
        """What was left at the places where a rule needs something, or leaves one thing."""
        places: Iterable[Placement] = ()
        if isinstance(fact, Case) and isinstance(fact.end, NoPartner):
            places = fact.end.needed
        elif isinstance(fact, Excludes):
            places = fact.conclusion.placed
        named = set(map(self.way.place, places))
        left: dict[str, list[Placement]] = {}
        for placement in self.left:
            place = self.way.place(placement)
            if place in named:
                left.setdefault(place, []).append(placement)
        return left

    def list_left(
        self, what: str, placements: Sequence[Placement], options: Sequence[Placement] = ()
    ) -> str:
        """What is left for something of its options, without what all of it shares."""
        if set(map(self.way.thing, placements)) == {what}:
            return ", ".join(map(self.way.spot, placements))
        if len(unique(map(self.way.place, placements))) == 1:
            return self._list_by_thing(placements, options)
        return ", ".join(map(self.name_placement, placements))

    def _list_by_thing(self, placements: Sequence[Placement], options: Sequence[Placement]) -> str:
        """Things on one place, each with all its manners."""
        every = Counter(map(self.way.thing, options))
        manners: dict[str, list[str]] = {}
        for placement in placements:
            manners.setdefault(self.way.thing(placement), []).append(self.way.manner(placement))
        named = []
        for thing, left in manners.items():
            if len(left) > 1 and len(left) == every[thing]:
                named.append(f"{thing} (every way)")
            else:
                named.append(f"{thing} ({'; '.join(left)})" if any(left) else thing)
        return ", ".join(named)


def _split_long(first: str, second: str) -> list[str]:
    """Two parts in one sentence, or in two if it would be long."""
    together = f"{first}: {second}"
    if len(together.split()) <= MAX_WORDS:
        return [together]
    return [first, upper(second)]


def list_before(end: NothingLeft) -> Choice:
    """A choice of which nothing is left, with what was left before the case."""
    return replace(end.choice, left=end.before)


def name_rules(way: Way, rules: Sequence[Rule]) -> str:
    """Rules of the same kind together, such as 'columns 1, 3 and 4'."""
    kinds: dict[str, list[Rule]] = {}
    for rule in rules:
        kinds.setdefault(rule.kind, []).append(rule)
    named = []
    for kind, alike in kinds.items():
        plain = all(way.rule(rule) in (rule.name, rule.about) for rule in alike)
        if len(alike) > 1 and plain:
            named.append(f"{pluralize(kind)} {join_and([rule.about for rule in alike])}")
        else:
            named += map(way.rule, alike)
    return join_and(named)
