"""The candidate placements of edge matching and the labels that they show, on which the rules are built."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator
from functools import cached_property
from itertools import chain, permutations, product
from typing import TypeVar

from jigsat.encodings.edge_matching.data import EdgeMatchingData, Hint, Placement

from jigsat.boards import Cell, Incidence, Orientation
from jigsat.pieces.groups import groups_of
from jigsat.pieces.rims import CandidatePlacement, RimmedKind, RimmedPiece, candidate_placements, rimmed_kinds

T = TypeVar("T")

MOST_PERMUTATIONS = 5040
"""The largest number of label permutations that are tried: those of 7 labels."""


class EdgeMatchingCandidates(EdgeMatchingData):
    """An instance with its kinds of tiles and its candidate placements."""

    @cached_property
    def kinds(self) -> list[RimmedKind]:
        """The tiles; tiles that are equal up to turning are one kind. Reusable tiles have the count 0."""
        pieces = {}
        for name, tile in self.tiles.items():
            rim = tuple(entry for label in tile.sides for entry in (None, label))
            count, groups = 0 if self.reusable else tile.count, groups_of(self.groups, name)
            pieces[name] = RimmedPiece(len(tile.sides), rim, tile.face, count, groups)
        return rimmed_kinds(pieces, turning=self.turning, flipping=False)

    @cached_property
    def candidates(self) -> dict[Placement, CandidatePlacement]:
        """Every placement, with the rim of the tile in this orientation."""
        found = candidate_placements(self.surface, self.kinds)
        return {Placement(each.cell, each.kind.name, each.orientation.turn): each for each in found}

    @cached_property
    def _on(self) -> dict[Cell, dict[Placement, CandidatePlacement]]:
        """The candidates cell by cell."""
        on: dict[Cell, dict[Placement, CandidatePlacement]] = {cell: {} for cell in self.surface.cells}
        for placement, candidate in self.candidates.items():
            on[placement.cell][placement] = candidate
        return on

    def showing(self, *sides: Incidence) -> Iterator[tuple[Placement, str]]:
        """The candidates on the cells of these sides, each with the label that it shows there."""
        for cell, side, _ in sides:
            for placement, candidate in self._on[cell].items():
                yield placement, str(candidate.rim[2 * side + 1])

    @cached_property
    def left_over(self) -> bool:
        """Whether some tiles may stay unused."""
        return self.reusable or self.supply > len(self.surface.cells)

    @cached_property
    def rim_uses_frame_label_up(self) -> bool:
        """Whether all tiles are used and have the frame's label exactly as often as the rim needs it."""
        there = sum(tile.sides.count(self.frame) * tile.count for tile in self.tiles.values())
        return not self.left_over and there == sum(len(seam) == 1 for seam in self.surface.seams)

    @cached_property
    def lines(self) -> list[list[tuple[int, int]]]:
        """The rows and columns of a rectangular board."""
        cells: list[tuple[int, int]] = [cell for cell in self.surface.cells if isinstance(cell, tuple)]
        return [[cell for cell in cells if cell[axis] == i] for axis in (0, 1) for i in sorted({cell[axis] for cell in cells})]

    @cached_property
    def faces(self) -> dict[str, list[str]]:
        """For each face, the names of the kinds that have it."""
        faces = sorted({str(kind.attribute) for kind in self.kinds})
        return {face: [kind.name for kind in self.kinds if kind.attribute == face] for face in faces}

    def clues(self) -> dict[str, frozenset[Placement]]:
        return {f"hints.{i}": self._allowed_by(hint) for i, hint in enumerate(self.hints)}

    def _allowed_by(self, hint: Hint) -> frozenset[Placement]:
        """The placements on the cell of a hint that satisfy it."""
        kind = next(kind.name for kind in self.kinds if hint.tile in kind.names)
        sides = self.tiles[hint.tile].sides
        return frozenset(
            placement
            for placement, candidate in self._on[hint.cell].items()
            if placement.tile == kind
            and (hint.turn is None or candidate.rim[1::2] == Orientation(hint.turn).apply(sides, len(sides)))
        )

    def label_permutations(self) -> list[dict[Hashable, Hashable]]:
        """Permutations of the labels that may be value symmetries, without the identity.

        They keep partners together, fix the frame's label, and exchange only labels that occur in the same patterns on the same
        number of tiles. The list is empty if more than MOST_PERMUTATIONS would have to be tried.
        """
        alike: dict[Hashable, list[str]] = {}
        for label in self.partners:
            patterns: Counter[Hashable] = Counter()
            for kind in self.kinds:
                at = tuple(shown == label for shown in next(iter(kind.ways))[1::2])
                patterns[kind.attribute, kind.count, min(_rotations(at) + _rotations(at[::-1]))] += 1
            alike.setdefault((label == self.frame, frozenset(patterns.items())), []).append(label)
        if math.prod(math.factorial(len(labels)) for labels in alike.values()) > MOST_PERMUTATIONS:
            return []
        found: list[dict[Hashable, Hashable]] = []
        for images in product(*(permutations(labels) for labels in alike.values())):
            image = dict(zip(chain(*alike.values()), chain(*images), strict=True))
            if image != {a: a for a in image} and all(image[self.partners[a]] == self.partners[b] for a, b in image.items()):
                found.append(dict(image.items()))
        return found


def _rotations(sides: tuple[T, ...]) -> list[tuple[T, ...]]:
    """All cyclic shifts of the sequence."""
    return [sides[i:] + sides[:i] for i in range(len(sides))]
