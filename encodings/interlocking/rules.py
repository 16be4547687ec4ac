"""Interlocking pieces: pieces with teeth along their sides and at their corners close a surface,
such as a foam cube.

Each side of a piece has n small squares, each of which is a tooth or a gap; the inside of the piece
is solid. Where faces meet along an edge, each place on the edge is filled by a tooth of exactly one
of them, or of at most one if holes are allowed. Each vertex is filled by exactly one of the faces
that meet there. At an edge where several cubes of a solid touch, four faces meet, and one of them
fills each place. On the rim of an open board, a place or vertex may stay empty, unless the board is
in a frame with teeth: then each place is filled by a tooth of the frame or of a face, as inside the
board. Variables and constraint groups, on f faces with p kinds of pieces that can be placed in w
ways on each face:

- `place(cell, piece, turn, flipped)`: the piece lies on the face, turned over or not (side 0 stays,
  left becomes right), then
  turned clockwise by `turn` sides; f·w decision variables.
- `row(cell, side, value)`: the face shows this row along a side, both corners included, such as
  `#..#.`; one choice per side.
- `tooth(cell, position)`: there is a tooth at this position of the face's border, counted clockwise
  from its first corner;
  n-1 auxiliary variables per side.

- "every face holds one piece": f exactly-one.
- "every piece is used once": p exactly-k, or at-most-k if pieces are left over.
- "the required number of pieces of each group": one exactly-k or between per group, if the instance
  has groups.
- "a side shows one row": one exactly-one per side of a face.
- "a piece shows its sides": placement → row, one clause per side of a placement; row → one of the
  placements that show it.
- "a row is of teeth and gaps": row → tooth or no tooth, n clauses per row.
- "a tooth or gap is of one of the rows": the converse, two clauses per place; redundant, as is "a
  side shows one row".
- "each place on an edge is filled once": exactly-one (at-most-one with holes) of the teeth that
  meet; n-2 per edge.
- "each place on the frame is filled once": with a frame, one clause per place on the rim that it or
  the face must fill.
- "each corner is filled once": exactly-one (at-most-one on the rim) of the teeth that meet at a
  vertex.

The rows are redundant but strengthen propagation: without them, hard instances take three to four
times as long to refute.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property

from jigsat.encodings.interlocking.check import Checker
from jigsat.encodings.interlocking.data import (
    ROW_MEANING,
    TOOTH_MEANING,
    InterlockingData,
    Placement,
)
from jigsat.encodings.interlocking.frame import keeps

from jigsat.boards import Spot
from jigsat.formula import Choice, Formula
from jigsat.pieces.counting import list_words
from jigsat.pieces.groups import require_numbers
from jigsat.pieces.rims import board_symmetries
from jigsat.symmetry import ColouredGraph, Symmetry
from jigsat.words import name_place


class Interlocking(InterlockingData):
    """Pieces with teeth and gaps that close a surface."""

    def encode(self) -> Formula:
        formula, board = Formula(), self.surface
        known = {
            "cell": board.cells,
            "piece": [kind.name for kind in self.kinds],
            "turn": (),
            "flipped": (),
        }
        place = formula.variables("place", known, self.candidates)
        border = {
            cell: [Spot(cell, i) for i in range(board.sides(cell) * (self.size - 1))]
            for cell in board.cells
        }
        places = (spot for spots in border.values() for spot in spots)
        tooth = formula.variables(
            "tooth", Spot._fields, places, decision=False, meaning=TOOTH_MEANING
        )

        with formula.group("every face holds one piece"):
            for cell in board.cells:
                with formula.requirement("face", name_place(cell), "filled"):
                    formula.exactly_one(place[cell, :, :, :])

        with formula.group("every piece is used once"):
            for kind in self.kinds:
                use = formula.at_most if self.left_over[kind.sides] else formula.exactly
                with formula.requirement("piece", kind.words, "placed"):
                    use(kind.count, place[:, kind.name, :, :])
        require_numbers(
            formula, self.groups, ((kind.groups, place[:, kind.name, :, :]) for kind in self.kinds)
        )

        for (cell, side), rows in self.shown_rows().items():
            with formula.rule(f"face {name_place(cell)}"):
                with formula.group("a side shows one row", redundant=True):
                    row = formula.choice(
                        "row", rows, decision=False, meaning=ROW_MEANING, cell=cell, side=side
                    )
                with formula.group("a piece shows its sides"):
                    for shown, placements in rows.items():
                        literals = [place(*placement) for placement in placements]
                        formula.clauses((-literal, row(shown)) for literal in literals)
                        formula.implies(row(shown), *literals)
                teeth = (2 * border[cell])[side * (self.size - 1) :][: self.size]
                _link(formula, rows, row, [tooth(*spot) for spot in teeth])

        with formula.group("each place on an edge is filled once"):
            fill = formula.at_most_one if self.holes == "allowed" else formula.exactly_one
            for spots in board.edge_places(self.size - 2):
                if len(spots) > 1:
                    with formula.rule(f"edge between {_list_faces(spots)}"):
                        fill(tooth(*spot) for spot in spots)

        rim = [spots[0] for spots in board.edge_places(self.size - 2) if len(spots) == 1]
        for spot in rim if self.framed else ():
            with formula.group("each place on the frame is filled once"):
                if self.framed[spot] or self.holes == "forbidden":
                    formula.clause([-tooth(*spot) if self.framed[spot] else tooth(*spot)])

        with formula.group("each corner is filled once"):
            at_the_end = self.corners_on_the_rim()
            for spots in board.vertex_places(self.size - 2):
                least = 1 if self.framed or at_the_end.isdisjoint(spots) else 0
                most = 0 if self.framed.get(spots[0]) else 1
                with formula.rule(f"corner of {_list_faces(spots)}"):
                    formula.between(min(least, most), most, (tooth(*spot) for spot in spots))
        return formula

    def symmetries(self) -> Iterator[Symmetry]:
        """The motions of the board that map the frame onto itself."""
        kept = (
            motion
            for motion in self.surface.symmetries()
            if keeps(motion, self.surface, self.framed, self.size)
        )
        return board_symmetries(
            self.surface, self.candidates, motions=kept if self.framed else None
        )

    def graph(self) -> ColouredGraph | None:
        """The pieces are isolated vertices, whichever way they are drawn."""
        if self.groups:
            return None
        pieces = (f"{kind.count} {min(map(repr, kind.ways))}" for kind in self.kinds)
        return ColouredGraph([self.entries_without("pieces"), *pieces], [])

    @cached_property
    def _checker(self) -> Checker:
        return Checker(self)

    def check(self, placements: Sequence[Placement]) -> Iterator[str]:
        return self._checker.broken_rules(placements)


def _link(formula: Formula, rows: Collection[str], row: Choice, teeth: Sequence[int]) -> None:
    """Link the row along a side with the teeth at its positions, in both directions."""
    for j, tooth in enumerate(teeth):
        for literal, mark in ((tooth, "#"), (-tooth, ".")):
            showing = [row(shown) for shown in rows if shown[j] == mark]
            with formula.group("a tooth or gap is of one of the rows", redundant=True):
                formula.implies(literal, *showing)
            with formula.group("a row is of teeth and gaps"):
                formula.clauses((-shown, literal) for shown in showing)


def _list_faces(spots: Iterable[Spot]) -> str:
    return list_words(list(dict.fromkeys(name_place(spot.cell) for spot in spots)))
