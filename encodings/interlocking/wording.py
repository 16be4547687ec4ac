"""How foam pieces are said: 'piece B lies on the top (turned left)'."""

from __future__ import annotations

from jigsat.encodings.interlocking.data import InterlockingData, Placement
from jigsat.encodings.interlocking.rules import name_faces

from jigsat.boards import Spot
from jigsat.puzzle import LIE_ON, Rule, Way, name_turn
from jigsat.words import name_place


class Foam(Way[InterlockingData]):
    placing = "piece on a face"
    verb = LIE_ON
    noun = "piece"
    place_rules = ("face",)

    def __init__(self, puzzle: InterlockingData) -> None:
        super().__init__(puzzle)
        self._corners: dict[str, list[Spot]] = {}
        for spots in puzzle.surface.vertex_places(puzzle.size - 2):
            self._corners.setdefault(name_faces(spots), []).extend(spots)

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

    def fills_corner(self, rule: Rule, placement: Placement) -> bool:
        rim = self.puzzle.candidates[placement].rim
        return any(
            rim[spot.position]
            for spot in self._corners.get(rule.about, ())
            if spot.cell == placement.cell
        )


def _name_face(name: str) -> str:
    """A face of a solid has a name; a cell of a board in the plane has numbers."""
    return f"the {name}" if name.isalpha() else name


def choose_way(puzzle: InterlockingData) -> Foam:
    return Foam(puzzle)
