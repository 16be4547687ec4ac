"""Interlocking pieces: pieces with teeth along their sides and at their corners close a surface,
such as a foam cube.

Each side of a piece has n small squares, each of which is a tooth or a gap; the inside of the piece
is solid. Where faces meet along an edge, each place on the edge is filled by a tooth of exactly one
of them, or of at most one if holes are allowed. Each vertex is filled by exactly one of the faces
that meet there. At an edge where several cubes of a solid touch, four faces meet, and one of them
fills each place. On the rim of an open board, a place or vertex may stay empty, unless the board is
in a frame with teeth: then each place is filled by a tooth of the frame or of a face, as inside the
board. Variables and rules, on f faces with p kinds of pieces that can be placed in w
ways on each face:

- `place(cell, piece, turn, flipped)`: the piece lies on the face, turned over or not (side 0 stays,
  left becomes right), then turned clockwise by `turn` sides; f·w decision variables.
- `row(cell, side, value)`: the face shows this row along a side, both corners included, such as
  `#..#.`; one choice per side.
- `tooth(cell, position)`: there is a tooth at this position of the face's border, counted clockwise
  from its first corner; n-1 auxiliary variables per side.

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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from jigsat.encodings.interlocking.check import Checker
from jigsat.encodings.interlocking.data import (
    ROW_MEANING,
    TOOTH_MEANING,
    InterlockingData,
    Placement,
)
from jigsat.encodings.interlocking.frame import keeps

from jigsat.boards import Cell, Spot
from jigsat.formula import Formula, Variables
from jigsat.pieces.counting import list_words
from jigsat.pieces.groups import require_numbers
from jigsat.pieces.rims import board_symmetries
from jigsat.symmetry import ColouredGraph, Symmetry
from jigsat.words import name_place


class Interlocking(InterlockingData):
    """Pieces with teeth and gaps that close a surface."""

    def encode(self) -> Formula:
        formula = Formula()
        board = self.surface
        names = [kind.name for kind in self.kinds]
        axes = {"cell": board.cells, "piece": names, "turn": (), "flipped": ()}
        place = formula.variables("place", axes, self.candidates)
        spots = [Spot(cell, i) for cell in board.cells for i in range(self.border_length(cell))]
        tooth = formula.variables(
            "tooth", Spot._fields, spots, decision=False, meaning=TOOTH_MEANING
        )

        for cell in board.cells:
            with formula.rule("every face holds one piece", "face", cell, must_be="filled"):
                formula.exactly_one(place[cell, :, :, :])

        for kind in self.kinds:
            with formula.rule("every piece is used once", "piece", kind.words, must_be="placed"):
                if self.left_over[kind.sides]:
                    formula.at_most(kind.count, place[:, kind.name, :, :])
                else:
                    formula.exactly(kind.count, place[:, kind.name, :, :])

        placed = [(kind.groups, place[:, kind.name, :, :]) for kind in self.kinds]
        require_numbers(formula, self.groups, placed)

        for (cell, side), rows in self.shown_rows().items():
            self.show_row(formula, place, tooth, cell, side, rows)

        self.fill_edges(formula, tooth)
        if self.framed:
            self.fill_frame(formula, tooth)
        self.fill_corners(formula, tooth)
        return formula

    def border_length(self, cell: Cell) -> int:
        """The number of places around a face."""
        return self.surface.sides(cell) * (self.size - 1)

    def show_row(
        self,
        formula: Formula,
        place: Variables,
        tooth: Variables,
        cell: Cell,
        side: int,
        rows: Mapping[str, Sequence[Placement]],
    ) -> None:
        """A side of a face shows the row that the piece has there, and its teeth and gaps."""
        with formula.rule("a side shows one row", "face", cell, redundant=True):
            row = formula.choice(
                "row", rows, decision=False, meaning=ROW_MEANING, cell=cell, side=side
            )

        with formula.rule("a piece shows its sides", "face", cell):
            for shown, placements in rows.items():
                literals = [place(*placement) for placement in placements]
                formula.clauses((-literal, row(shown)) for literal in literals)
                formula.implies(row(shown), *literals)

        # Both corners belong to the row; the last side ends at the corner of the first one.
        start = side * (self.size - 1)
        for j in range(self.size):
            here = tooth(cell, (start + j) % self.border_length(cell))
            with_tooth = [row(shown) for shown in rows if shown[j] == "#"]
            with_gap = [row(shown) for shown in rows if shown[j] == "."]
            with formula.rule("a tooth or gap is of one of the rows", "face", cell, redundant=True):
                formula.implies(here, *with_tooth)
                formula.implies(-here, *with_gap)
            with formula.rule("a row is of teeth and gaps", "face", cell):
                formula.clauses((-shown, here) for shown in with_tooth)
                formula.clauses((-shown, -here) for shown in with_gap)

    def fill_edges(self, formula: Formula, tooth: Variables) -> None:
        """Where faces meet, one of them fills each place between the corners."""
        for spots in self.surface.edge_places(self.size - 2):
            if len(spots) > 1:
                with formula.rule(
                    "each place on an edge is filled once", "edge", name_sides(spots)
                ):
                    teeth = [tooth(*spot) for spot in spots]
                    if self.holes == "allowed":
                        formula.at_most_one(teeth)
                    else:
                        formula.exactly_one(teeth)

    def fill_frame(self, formula: Formula, tooth: Variables) -> None:
        """On the rim, the face fills a place if and only if the frame does not."""
        for spots in self.surface.edge_places(self.size - 2):
            if len(spots) == 1:
                (spot,) = spots
                with formula.rule(
                    "each place on the frame is filled once",
                    "frame",
                    f"beside {name_place(spot.cell)}",
                ):
                    if self.framed[spot]:
                        formula.clause([-tooth(*spot)])
                    elif self.holes == "forbidden":
                        formula.clause([tooth(*spot)])

    def fill_corners(self, formula: Formula, tooth: Variables) -> None:
        """One of the faces at a vertex fills it. On a rim without a frame it may stay empty."""
        on_the_rim = self.corners_on_the_rim()
        for spots in self.surface.vertex_places(self.size - 2):
            may_be_empty = not self.framed and not on_the_rim.isdisjoint(spots)
            filled_by_frame = self.framed.get(spots[0], False)
            with formula.rule("each corner is filled once", "corner", name_faces(spots)):
                teeth = [tooth(*spot) for spot in spots]
                if filled_by_frame:
                    formula.at_most(0, teeth)
                elif may_be_empty:
                    formula.at_most_one(teeth)
                else:
                    formula.exactly_one(teeth)

    def symmetries(self) -> Iterator[Symmetry]:
        """The motions of the board that map the frame onto itself."""
        motions = None
        if self.framed:
            motions = (
                motion
                for motion in self.surface.symmetries()
                if keeps(motion, self.surface, self.framed, self.size)
            )
        return board_symmetries(self.surface, self.candidates, motions=motions)

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


def name_sides(spots: Iterable[Spot]) -> str:
    """Between which faces an edge is."""
    return f"between {_list_faces(spots)}"


def name_faces(spots: Iterable[Spot]) -> str:
    """Of which faces a corner is."""
    return f"of {_list_faces(spots)}"


def _list_faces(spots: Iterable[Spot]) -> str:
    faces = dict.fromkeys(name_place(spot.cell) for spot in spots)  # each of them once
    return list_words(list(faces))
