"""How a seating is said: 'Dave sits in seat 2 of the garden table'; the rules of the host are
quoted, and wishes are kept or not.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import cast

from jigsat.encodings.seating.data import Kept, Seat, Seated, SeatingData, name_seat, name_table

from jigsat.puzzle import SIT_IN, Rule, Way


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


def _say_seat(table: str, number: object) -> str:
    return f"seat {number}" if table == "table" else f"seat {number} of {name_table(table)}"


def choose_way(puzzle: SeatingData) -> Guests:
    return Guests(puzzle)
