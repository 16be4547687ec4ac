"""How a seating is said: 'Dave sits in seat 2 of the garden table'; the rules of the host are
quoted, and wishes are kept or not.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import cast

from jigsat.encodings.seating.data import Kept, Seat, Seated, SeatingData, name_seat, name_table

from jigsat.puzzle import SIT_IN, Rule, Way
from jigsat.words import plural


class Guests(Way[SeatingData]):
    placing = "guest on a seat"
    verb = SIT_IN
    place_rules = ("seat",)

    def __init__(self, puzzle: SeatingData) -> None:
        super().__init__(puzzle)
        self._seats = {name_seat(*seat): seat for seat in puzzle.seats}
        self._rules = {place: f"“{rule}”" for place, rule in puzzle.every_rule.items()}

    def thing(self, placement: Seated | Kept) -> str:
        if isinstance(placement, Kept):
            return self._rules[placement.rule]
        return placement.guest

    def place(self, placement: Seated | Kept) -> str:
        if isinstance(placement, Kept):
            return self._rules[placement.rule]
        table, number = placement.seat
        return _say_seat(table, number)

    def name_place(self, place: Hashable) -> str:
        table, number = cast(Seat, place)
        return _say_seat(table, number)

    def rule(self, rule: Rule) -> str:
        if rule.kind == "guest":
            return rule.about
        if rule.kind == "seat":
            return _say_seat(*self._seats[rule.about])
        return f"“{rule.name}”"

    def state(self, placement: Seated | Kept) -> str:
        if isinstance(placement, Kept):
            return f"{self.thing(placement)} is kept"
        return super().state(placement)

    def deny(self, placement: Seated | Kept) -> str:
        if isinstance(placement, Kept):
            return f"{self.thing(placement)} cannot be kept"
        return super().deny(placement)

    def oppose(self, placement: Seated | Kept) -> str:
        if isinstance(placement, Kept):
            return f"{self.thing(placement)} is not kept"
        return super().oppose(placement)

    def cost(self, placements: Sequence[Seated | Kept]) -> str:
        wishes = self.puzzle.wishes
        if not wishes:
            return ""
        kept = {placement.rule for placement in placements if isinstance(placement, Kept)}
        broken = [wish for i, wish in enumerate(wishes) if f"wishes.{i}" not in kept]
        if len(wishes) == 1:
            return "the wish is broken" if broken else "the wish is kept"
        if not broken:
            return "all wishes are kept"

        # Among wishes of different weight, seatings of the same cost may break more or fewer.
        if any(wish.weight != 1 for wish in wishes):
            return f"broken wishes cost {plural(sum(wish.weight for wish in broken), 'point')}"
        verb = "is" if len(broken) == 1 else "are"
        return f"{len(broken)} of {len(wishes)} wishes {verb} broken"


def _say_seat(table: str, number: object) -> str:
    return f"seat {number}" if table == "table" else f"seat {number} of {name_table(table)}"


def choose_way(puzzle: SeatingData) -> Guests:
    return Guests(puzzle)
