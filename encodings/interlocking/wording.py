"""How foam pieces are said: 'piece B lies on the top (turned left)'."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from jigsat.encodings.interlocking.data import InterlockingData, Placement
from jigsat.encodings.interlocking.rules import name_faces, name_sides

from jigsat.boards import Spot
from jigsat.puzzle import LIE_ON, Rule, Stretch, Way, name_turn
from jigsat.words import name_place


class Foam(Way[InterlockingData]):
    placing = "piece on a face"
    verb = LIE_ON
    noun = "piece"
    place_rules = ("face",)

    def __init__(self, puzzle: InterlockingData) -> None:
        super().__init__(puzzle)
        # Where pieces meet: at each edge and corner, the spots at each place.
        self._meeting: dict[str, list[list[Spot]]] = {}
        for spots in puzzle.surface.vertex_places(puzzle.size - 2):
            self._meeting.setdefault(name_faces(spots), []).append(spots)
        for spots in puzzle.surface.edge_places(puzzle.size - 2):
            self._meeting.setdefault(name_sides(spots), []).append(spots)

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
            for spots in self._meeting.get(rule.about, ())
            for spot in spots
            if spot.cell == placement.cell
        )

    def find_collisions(
        self, rule: Rule, placement: Placement, beside: Sequence[Placement]
    ) -> list[Stretch]:
        """Where two teeth meet, or two gaps if there may be no holes; if there are places where
        this is so with all pieces beside it, only these.
        """
        collisions = [self._collide(rule, placement, other) for other in beside]
        collisions = [stretches for stretches in collisions if stretches]
        every = dict.fromkeys(chain.from_iterable(collisions))
        common = [x for x in every if all(x in stretches for stretches in collisions)]
        return common or list(every)

    def _collide(self, rule: Rule, placement: Placement, other: Placement) -> list[Stretch]:
        """Where two pieces collide."""
        rim = self.puzzle.candidates[placement].rim
        stretches = []
        for spots in self._meeting.get(rule.about, ()):
            is_hole = len(spots) == 2 and self.puzzle.holes != "allowed"
            tooth = self._has_tooth(other, spots)
            for spot in spots:
                if spot.cell != placement.cell or tooth != rim[spot.position]:
                    continue
                if tooth or is_hole:
                    stretches += self._list_stretches(spot)
        return stretches

    def _has_tooth(self, placement: Placement, spots: Sequence[Spot]) -> bool | None:
        """Whether a piece has a tooth at one of these spots; None if none of them is its own."""
        rim = self.puzzle.candidates[placement].rim
        teeth = [rim[spot.position] for spot in spots if spot.cell == placement.cell]
        return any(teeth) if teeth else None

    def _list_stretches(self, spot: Spot) -> list[Stretch]:
        """The outline of a tooth; one at a corner is on two sides."""
        size = self.puzzle.size
        side, j = divmod(spot.position, size - 1)
        stretches = [Stretch(side, j / size, (j + 1) / size)]
        if j == 0:
            before = (side - 1) % self.puzzle.surface.sides(spot.cell)
            stretches.append(Stretch(before, 1 - 1 / size, 1.0))
        return stretches


def _name_face(name: str) -> str:
    """A face of a solid has a name; a cell of a board in the plane has numbers."""
    return f"the {name}" if name.isalpha() else name


def choose_way(puzzle: InterlockingData) -> Foam:
    return Foam(puzzle)
