"""How Lights Out is said: 'press r1c2'."""

from __future__ import annotations

from jigsat.encodings.lights_out.data import LightsOutData, Press

from jigsat.puzzle import Way
from jigsat.words import name_place


class Presses(Way[LightsOutData]):
    placing = "press"
    place_rules = ("light",)

    def thing(self, placement: Press) -> str:
        return f"press {name_place(placement.cell)}"

    def state(self, placement: Press) -> str:
        return self.thing(placement)

    def name(self, placement: Press) -> str:
        return f"the press of {name_place(placement.cell)}"

    def deny(self, placement: Press) -> str:
        return f"do not {self.thing(placement)}"

    def oppose(self, placement: Press) -> str:
        return f"you do not {self.thing(placement)}"


def choose_way(puzzle: LightsOutData) -> Presses:
    return Presses(puzzle)
