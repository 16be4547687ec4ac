"""The candidate placements of interlocking pieces and the teeth that they show, on which the rules are built."""

from __future__ import annotations

from functools import cached_property

from jigsat.encodings.interlocking.data import InterlockingData, Placement

from jigsat.boards import Cell, Spot
from jigsat.pieces.groups import groups_of
from jigsat.pieces.rims import CandidatePlacement, Rim, RimmedKind, RimmedPiece, candidate_placements, rimmed_kinds


class InterlockingCandidates(InterlockingData):
    """An instance with its kinds of pieces and its candidate placements."""

    @cached_property
    def kinds(self) -> list[RimmedKind]:
        """The pieces; equal ones are one kind."""
        pieces = {
            name: RimmedPiece(len(piece.shape), piece.rim, count=piece.count, groups=groups_of(self.groups, name))
            for name, piece in self.pieces.items()
        }
        return rimmed_kinds(pieces, turning=True, flipping=self.turning_over)

    @cached_property
    def candidates(self) -> dict[Placement, CandidatePlacement]:
        """Every placement, with the resulting teeth on the face."""
        found = candidate_placements(self.surface, self.kinds)
        return {Placement(each.cell, each.kind.name, *each.orientation): each for each in found}

    def shown_rows(self) -> dict[tuple[Cell, int], dict[str, list[Placement]]]:
        """For each side of each face, the rows that it can show, each with the placements that show it."""
        rows: dict[tuple[Cell, int], dict[str, list[Placement]]] = {}
        written: dict[Rim, list[str]] = {}
        for placement, candidate in self.candidates.items():
            if candidate.rim not in written:
                written[candidate.rim] = self._rows(candidate.rim)
            for side, shown in enumerate(written[candidate.rim]):
                rows.setdefault((placement.cell, side), {}).setdefault(shown, []).append(placement)
        return rows

    def _rows(self, rim: Rim) -> list[str]:
        """The rows of a piece, one for each side, both corners included."""
        around = 2 * "".join("#" if tooth else "." for tooth in rim)
        return [around[start : start + self.size] for start in range(0, len(rim), self.size - 1)]

    def corners_on_the_rim(self) -> set[Spot]:
        """The corners of faces at which the board ends."""
        ends = [edge[0] for edge in self.surface.edges if len(edge) == 1]
        corners = {(cell, corner % self.surface.sides(cell)) for cell, side, _ in ends for corner in (side, side + 1)}
        return {Spot(cell, corner * (self.size - 1)) for cell, corner in corners}
