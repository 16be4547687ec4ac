"""Seating: each guest has a seat of their own, and the rules of the host are kept.

Wishes are rules that need not be kept; the total weight of the wishes that are not can be
minimised. Variables and rules, for g guests, s seats and r rules and wishes:

- `seat(guest, seat)`: the guest sits there; one choice per guest, g·s decision variables.
- `kept(rule)`: the rule is kept; r decision variables, which follow from the seats.
- `near(how, one, other)`, `at(guest, table)`, `same(one, other)`, `holds(seat, group)`,
  `either(number)`: who is beside or across from whom, who is at which table or at the same one,
  whether a guest of the group has the seat, and whether one of several literals is true. They are
  auxiliary, follow from the seats, and exist only for what the rules mention.

- "each guest has one seat": g exactly-one; "a seat has one guest": s at-most-one, or exactly-one if
  no seat stays empty.
- "who is near whom", "who is at which table", "where a group sits", "alternatives": the meaning of
  the auxiliary variables.
- "which rules are kept": two clauses or more per rule. "the rules": one clause for each rule that
  must be kept.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from typing import Literal

from jigsat.encodings.seating.check import broken_rules
from jigsat.encodings.seating.data import Kept, Rule, Seat, Seated, SeatingData, name_seat
from jigsat.encodings.seating.links import Links
from jigsat.encodings.seating.tables import Turn

from jigsat.formula import Choice, Formula
from jigsat.symmetry import Symmetry

MAX_LISTED_ENTRIES = 1_000_000
"""The maximum total size of the listed symmetries.

If they would be larger, equal tables are not exchanged; if that does not suffice, tables are not
mirrored, and then not turned.
"""


class Seating(SeatingData):
    """Guests to be seated."""

    check = broken_rules
    asks_for_best = True

    def encode(self) -> Formula:
        formula = Formula()
        seat: dict[str, Choice] = {}
        for guest in self.guests:
            with formula.rule("each guest has one seat", "guest", guest):
                seat[guest] = formula.choice("seat", self.seats, key=Seated, guest=guest)

        for table, number in self.seats:
            with formula.rule("a seat has one guest", "seat", name_seat(table, number)):
                here = [choice((table, number)) for choice in seat.values()]
                if len(self.seats) == len(self.guests):
                    formula.exactly_one(here)
                else:
                    formula.at_most_one(here)

        kept = formula.variables("kept", ["rule"], map(Kept, self.every_rule))
        links = Links(self, formula, seat)
        for place, rule in self.every_rule.items():
            with formula.rule("which rules are kept", which=str(rule)):
                needed = list(dict.fromkeys(self.list_needed(rule, links)))
                for literal in needed:
                    formula.implies(kept(place), literal)
                formula.clause([kept(place), *(-literal for literal in needed)])

        if self.enforced:
            for i, rule in enumerate(self.must):
                with formula.rule("the rules", which=str(rule)):
                    formula.clause([kept(f"must.{i}")])

        formula.minimize({-kept(f"wishes.{i}"): wish.weight for i, wish in enumerate(self.wishes)})
        return formula

    def list_needed(self, rule: Rule, links: Links) -> Iterator[int]:
        """The literals that are all true if and only if the rule is kept."""
        match rule.kind:
            case "beside" | "across":
                one, other = rule.names
                yield links.near(rule.kind, one, other)
            case "apart":
                for one, other in self.pairs(rule):
                    yield -links.near("beside", one, other)
            case "beside_one_of":
                yield from self._need_neighbours(rule, links)
            case "same_table":
                first, *others = self.everyone(rule)
                for other in others:
                    if other != first:
                        yield links.same(first, other)
            case "not_same_table":
                for one, other in self.pairs(rule):
                    yield -links.same(one, other)
            case "alternate":
                for group in rule.names:
                    for here, there in links.neighbours:
                        yield links.either([-links.holds(here, group), -links.holds(there, group)])
            case "at":
                for guest in self.members(rule.guest or ""):
                    yield links.either(links.seat[guest](seat) for seat in self.places(rule))

    def _need_neighbours(self, rule: Rule, links: Links) -> Iterator[int]:
        for guest in self.members(rule.guest or ""):
            others = [other for other in self.everyone(rule) if other != guest]
            yield links.either(links.near("beside", guest, other) for other in others)

    def everyone(self, rule: Rule) -> list[str]:
        """The guests that a rule lists, by their own names or by those of their groups."""
        return [guest for name in rule.names for guest in self.members(name)]

    def pairs(self, rule: Rule) -> Iterator[tuple[str, str]]:
        """The pairs of guests that a rule keeps apart: of different names in its list, or within a
        single group."""
        lists = [self.members(name) for name in rule.names]
        if len(lists) == 1:
            yield from combinations(lists[0], 2)
        for some, others in combinations(lists, 2):
            for one, other in product(some, others):
                if one != other:
                    yield one, other

    def symmetries(self) -> Iterator[Symmetry]:
        """Turning and mirroring tables, and exchanging equal ones, as long as that keeps the places
        that the rules give."""
        alike: dict[str, list[str]] = {}
        for name, shape in self.tables.items():
            alike.setdefault(" ".join(shape.split()), []).append(name)
        tables = [name for names in alike.values() for name in names]
        turns, orders = _limit_symmetries(self, list(alike.values()))
        fixed = [set(self.places(rule)) for rule in self.every_rule.values() if rule.kind == "at"]

        for chosen, order in product(product(*(turns[name] for name in tables)), product(*orders)):
            images = [name for names in order for name in names]
            move = _move_seats(tables, images, chosen)
            if all({move[seat] for seat in seats} == seats for seats in fixed):
                level: Literal["rotation", "reflection", "all"] = "rotation"
                if images != tables:
                    level = "all"
                elif any(turn == "reflection" for turn, _ in chosen):
                    level = "reflection"
                yield Symmetry(level, self._move_guests(move))

    def _move_guests(self, move: Mapping[Seat, Seat]) -> dict[Seated | Kept, Seated | Kept]:
        """The image of each placement if the seats move; which rules are kept stays the same."""
        images: dict[Seated | Kept, Seated | Kept] = {}
        for guest in self.guests:
            for seat, to in move.items():
                images[Seated(guest, seat)] = Seated(guest, to)
        for place in self.every_rule:
            images[Kept(place)] = Kept(place)
        return images


def _move_seats(
    tables: Sequence[str], images: Sequence[str], turns: Sequence[Turn]
) -> dict[Seat, Seat]:
    """The image of each seat if the tables become their images and are turned."""
    move: dict[Seat, Seat] = {}
    for table, image, (_, turned) in zip(tables, images, turns, strict=True):
        for number, to in enumerate(turned, 1):
            move[table, number] = image, to
    return move


def _limit_symmetries(
    puzzle: SeatingData, alike: Sequence[Sequence[str]]
) -> tuple[Mapping[str, Sequence[Turn]], list[list[tuple[str, ...]]]]:
    """The symmetries of each table, and the orders of equal tables; fewer of them if all would be
    too many to list."""
    size = len(puzzle.guests) * len(puzzle.seats)
    turns = {name: table.turns for name, table in puzzle.shapes.items()}
    exchanges = math.prod(math.factorial(len(names)) for names in alike)
    if size * _count(turns) * exchanges <= MAX_LISTED_ENTRIES:
        return turns, [list(permutations(names)) for names in alike]

    as_they_are = [[tuple(names)] for names in alike]
    rotations = {}
    for name, every in turns.items():
        rotations[name] = tuple(turn for turn in every if turn[0] == "rotation")
    for fewer in (turns, rotations):
        if size * _count(fewer) <= MAX_LISTED_ENTRIES:
            return fewer, as_they_are
    unmoved = {name: every[:1] for name, every in turns.items()}
    return unmoved, as_they_are


def _count(turns: Mapping[str, Sequence[Turn]]) -> int:
    """The number of ways to choose a symmetry of each table."""
    return math.prod(len(every) for every in turns.values())
