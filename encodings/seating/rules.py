"""Seating: each guest has a seat of their own, and the rules of the host are kept.

Wishes are rules that need not be kept; the total weight of the wishes that are not can be
minimised. Variables and constraint groups, for g guests, s seats and r rules and wishes:

- `seat(guest, seat)`: the guest sits there; one choice per guest, g·s decision variables.
- `kept(rule)`: the rule is kept; r decision variables, which follow from the seats.
- `near(how, one, other)`, `at(guest, table)`, `same(one, other)`, `holds(seat, group)`,
  `either(number)`: who is beside or
  across from whom, who is at which table or at the same one, whether a guest of the group has the
  seat, and whether one of
  several literals is true. They are auxiliary, follow from the seats, and exist only for what the
  rules mention.

- "each guest has one seat": g exactly-one; "a seat has one guest": s at-most-one, or exactly-one if
  no seat stays empty.
- "who is near whom", "who is at which table", "where a group sits", "alternatives": the meaning of
  the auxiliary variables.
- "which rules are kept": two clauses or more per rule. "the rules": one clause for each rule that
  must be kept.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product

from jigsat.encodings.seating.check import broken_rules
from jigsat.encodings.seating.data import Kept, Rule, Seat, Seated, SeatingData
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

    def encode(self) -> Formula:
        formula = Formula()
        with formula.group("each guest has one seat"):
            seat: dict[str, Choice] = {}
            for guest in self.guests:
                with formula.rule(f"guest {guest}"):
                    seat[guest] = formula.choice("seat", self.seats, key=Seated, guest=guest)
        with formula.group("a seat has one guest"):
            for table, number in self.seats:
                with formula.rule(
                    f"seat {number}" if table == "table" else f"seat {number} of {table}"
                ):
                    taking = [choice((table, number)) for choice in seat.values()]
                    (
                        formula.exactly_one
                        if len(self.seats) == len(self.guests)
                        else formula.at_most_one
                    )(taking)

        kept = formula.variables("kept", ["rule"], map(Kept, self.every_rule))
        links = Links(self, formula, seat)
        for place, rule in self.every_rule.items():
            with formula.rule(str(rule)):
                needed = list(dict.fromkeys(self.needed_literals(rule, links)))
                with formula.group("which rules are kept"):
                    for literal in needed:
                        formula.implies(kept(place), literal)
                    formula.clause([kept(place), *(-literal for literal in needed)])

        if self.enforced:
            with formula.group("the rules"):
                for i, rule in enumerate(self.must):
                    with formula.rule(str(rule)):
                        formula.clause([kept(f"must.{i}")])
        formula.minimize({-kept(f"wishes.{i}"): wish.weight for i, wish in enumerate(self.wishes)})
        return formula

    def needed_literals(self, rule: Rule, links: Links) -> Iterator[int]:
        """The literals that are all true if and only if the rule is kept."""
        match rule.kind:
            case "beside" | "across":
                yield links.near(rule.kind, *rule.names)
            case "apart":
                yield from (-links.near("beside", *pair) for pair in self.pairs(rule))
            case "beside_one_of":
                others = [other for name in rule.names for other in self.members(name)]
                for guest in self.members(rule.guest or ""):
                    yield links.either(
                        links.near("beside", guest, other) for other in others if other != guest
                    )
            case "same_table":
                first, *others = [guest for name in rule.names for guest in self.members(name)]
                yield from (links.same(first, other) for other in others if other != first)
            case "not_same_table":
                yield from (-links.same(*pair) for pair in self.pairs(rule))
            case "alternate":
                for group, (seat, other) in product(rule.names, links.neighbours):
                    yield links.either([-links.holds(seat, group), -links.holds(other, group)])
            case "at":
                for guest in self.members(rule.guest or ""):
                    yield links.either(links.seat[guest](seat) for seat in self.places(rule))

    def pairs(self, rule: Rule) -> Iterable[tuple[str, str]]:
        """The pairs of guests that a rule keeps apart: of different names in its list, or within a
        single group."""
        everyone = [self.members(name) for name in rule.names]
        if len(everyone) == 1:
            return combinations(everyone[0], 2)
        return [
            (a, b)
            for one, other in combinations(everyone, 2)
            for a, b in product(one, other)
            if a != b
        ]

    def symmetries(self) -> Iterator[Symmetry]:
        """Turning and mirroring tables, and exchanging equal ones, as long as that keeps the places
        that the rules give."""
        fixed = [set(self.places(rule)) for rule in self.every_rule.values() if rule.kind == "at"]
        alike: dict[str, list[str]] = {}
        for name, shape in self.tables.items():
            alike.setdefault(" ".join(shape.split()), []).append(name)
        turns, orders = _listable(self, list(alike.values()))
        tables = [name for names in alike.values() for name in names]
        for chosen, order in product(product(*(turns[name] for name in tables)), product(*orders)):
            becomes = dict(zip(tables, (name for names in order for name in names), strict=True))
            move: dict[Seat, Seat] = {
                (name, seat): (becomes[name], image)
                for name, (_, images) in zip(tables, chosen, strict=True)
                for seat, image in enumerate(images, 1)
            }
            if all({move[seat] for seat in seats} == seats for seats in fixed):
                mirrored = any(level == "reflection" for level, _ in chosen)
                moved = any(name != image for name, image in becomes.items())
                images = {
                    Seated(guest, seat): Seated(guest, to)
                    for guest in self.guests
                    for seat, to in move.items()
                }
                kept = {Kept(place): Kept(place) for place in self.every_rule}
                yield Symmetry(
                    "all" if moved else "reflection" if mirrored else "rotation", {**images, **kept}
                )


def _listable(
    puzzle: SeatingData, alike: Sequence[Sequence[str]]
) -> tuple[Mapping[str, Sequence[Turn]], list[list[tuple[str, ...]]]]:
    """The symmetries of each table, and the orders of equal tables; fewer of them if all would be
    too many to list."""
    size = len(puzzle.guests) * len(puzzle.seats)
    turns = {name: table.turns for name, table in puzzle.shapes.items()}
    rotations = {
        name: tuple(turn for turn in every if turn[0] == "rotation")
        for name, every in turns.items()
    }
    as_they_are = [[tuple(names)] for names in alike]
    exchanges = math.prod(math.factorial(len(names)) for names in alike)
    if size * _number(turns) * exchanges <= MAX_LISTED_ENTRIES:
        return turns, [list(permutations(names)) for names in alike]
    for fewer in (turns, rotations):
        if size * _number(fewer) <= MAX_LISTED_ENTRIES:
            return fewer, as_they_are
    return {name: every[:1] for name, every in turns.items()}, as_they_are


def _number(turns: Mapping[str, Sequence[Turn]]) -> int:
    return math.prod(map(len, turns.values()))
