"""How foam pieces are said: 'piece B lies on the top (turned left)'."""

from __future__ import annotations

from jigsat.encodings.interlocking.data import InterlockingData, Placement

from jigsat.puzzle import LIE_ON, Rule, Way, name_turn
from jigsat.words import name_place


class Foam(Way[InterlockingData]):
    placing = "piece on a face"
    verb = LIE_ON
    noun = "piece"
    place_rules = ("face",)

    def thing(self, placement: Placement) -> str:
        return f"piece {placement.piece}"

    def short(self, placement: Placement) -> str:
        return placement.piece

    def place(self, placement: Placement) -> str:
        return _name_face(name_place(placement.cell))

    def manner(self, placement: Placement) -> str:
        turn = name_turn(placement.turn, self.puzzle.surface.sides(placement.cell))
        if not placement.flipped:
            return turn
        return "turned over" if turn == "upright" else f"turned over, then {turn}"

    def rule(self, rule: Rule) -> str:
        if rule.kind == "face":
            return _name_face(rule.about)
        return rule.name if rule.kind == "piece" else f"the {rule.name}"


def _name_face(name: str) -> str:
    """A face of a solid has a name; a cell of a board in the plane has numbers."""
    return f"the {name}" if name.isalpha() else name


def choose_way(puzzle: InterlockingData) -> Foam:
    return Foam(puzzle)
