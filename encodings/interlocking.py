"""Interlocking faces: pieces with teeth along their sides and at their corners close a surface, such as a foam cube.

Along each side of a piece, and at each corner, small squares are teeth or gaps; the inside is solid. Where two faces meet along
an edge, each place on the edge is filled by exactly one of them (by at most one if holes are allowed); each vertex by
exactly one of the faces that meet there, however many. An edge of a solid at which cubes touch is like any other: one of its
four faces fills a place. At the rim of an open board, such as a flat frame, a place may be filled or not, but not twice. Rules,
variables and constraint groups, on f faces whose sides have n small squares, p kinds of pieces that lie in w ways on each:

- `place(cell, piece, turn, flipped)`: the piece lies on the face, turned over or not (side 0 stays, left becomes right), then
  turned clockwise by `turn` sides; f·w decision variables.
- `row(cell, side, value)`: what the face shows along a side, both corners included, such as `#..#.`; a choice a side.
- `tooth(cell, position)`: there is a tooth at a position of the face's border, counted clockwise from its first corner;
  auxiliary, n-1 a side.

- "every face holds one piece": f exactly-one.
- "every piece is used once": p exactly-count; at-most-count where pieces are left over.
- "a side shows one row": an exactly-one a side of a face.
- "a piece shows its sides": placement → row, a clause a side of a placement; row → one of the placements that show it.
- "a row is of teeth and gaps": row → tooth or no tooth, n clauses a row; (no) tooth → one of the rows that have it (not).
- "each place on an edge is filled once": exactly-one (at-most-one with holes) of the teeth that meet; n-2 an edge.
- "each corner is filled once": exactly-one (at-most-one on a rim) of the teeth that meet at a vertex.

Rows are there for speed: without them, with clauses from placements straight to teeth, it takes three to four times as long
to refute what is hard.
"""

from __future__ import annotations

import cmath
import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, field_validator, model_serializer, model_validator

from jigsat.boards import Board, BoardName, Cell, Orientation, Point, Spot, middle, named
from jigsat.errors import printable
from jigsat.formula import Formula
from jigsat.pictures import ARROWS, Page, Part, Picture, between, heading, joined, on_board, regular, squared
from jigsat.pieces.rims import CandidatePlacement, RimmedKind, RimmedPiece, board_symmetries, candidate_placements, rimmed_kinds
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Symmetry

TOOTH, GAP = "#1", ".0"

SIDE, SOLID = 48.0, 100.0
"""Millimetres on paper: the side of a piece, and the width of a solid's picture."""


class Placement(NamedTuple):
    """The piece lies on the face, turned over if `flipped`, then turned clockwise by `turn` sides."""

    cell: Cell
    piece: str
    turn: int
    flipped: bool


class Piece(BaseModel):
    """A piece and how many there are of it: its sides, clockwise, each the corner at its start and the places along it.

    In a file a square is drawn in rows; any piece is written on one line, side by side with blanks between.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    shape: tuple[str, ...]
    count: PositiveInt = 1

    @model_validator(mode="before")
    @classmethod
    def _only_drawn(cls, data: Any) -> Any:
        if not isinstance(data, (str, list, dict, Piece)):
            raise ValueError("a piece is its drawing in quotes, or a table with `shape`")
        return {"shape": data} if isinstance(data, (str, list)) else data

    @field_validator("shape", mode="before")
    @classmethod
    def _sides(cls, data: Any) -> tuple[str, ...]:
        rows = data.strip().splitlines() if isinstance(data, str) else data
        if not isinstance(rows, (list, tuple)) or not all(isinstance(row, str) for row in rows):
            raise ValueError("a piece is drawn in rows of characters")
        if len(rows) == 1:
            sides = rows[0].split()
            if len(sides) < 3 or len({*map(len, sides)}) > 1:
                raise ValueError("on one line there are 3 or more sides of one length; a square may be drawn in rows instead")
            marked = {f"side {i}, character {j}": c for i, side in enumerate(sides, 1) for j, c in enumerate(side, 1)}
        else:
            rows, last = ["".join(row.split()) for row in rows], len(rows) - 1
            if not rows:
                raise ValueError("there is nothing drawn; draw a square in rows, or write the sides on one line")
            for i, row in enumerate(rows, 1):
                if len(row) != len(rows):
                    raise ValueError(
                        f"row {i} has {len(row)} characters where the piece has {len(rows)} rows; a piece in rows is square"
                    )
            columns = ["".join(column) for column in zip(*rows, strict=True)]
            sides = [rows[0][:-1], columns[-1][:-1], rows[-1][:0:-1], columns[0][:0:-1]]
            border = ((r, c) for r in range(last + 1) for c in range(last + 1) if {r, c} & {0, last})
            marked = {f"row {r + 1}, column {c + 1}": rows[r][c] for r, c in border}
        for where, character in marked.items():
            if character not in TOOTH + GAP:
                raise ValueError(f"{where} is {character!r}, where the border takes # or 1 for a tooth and . or 0 for a gap")
        return tuple(sides)

    @model_serializer
    def _drawn(self) -> Any:
        """As it is drawn in a file: a square in rows, anything else on one line."""
        drawn = " ".join(self.shape)
        if len(self.shape) == 4:
            top, right, bottom, left = self.shape
            rows = [top + right[0], *(a + "-" * (len(top) - 1) + b for a, b in zip(left[:0:-1], right[1:], strict=True))]
            drawn = "\n".join([*rows, left[0] + bottom[::-1]])
        return drawn if self.count == 1 else {"shape": drawn, "count": self.count}

    @property
    def rim(self) -> tuple[bool, ...]:
        """Whether there is a tooth, clockwise around the piece."""
        return tuple(character in TOOTH for side in self.shape for character in side)


class Interlocking(Puzzle):
    """Pieces with teeth, # or 1, and gaps, . or 0, on their borders, that close a surface."""

    family = "interlocking"
    cell_field = "cell"
    piece_field = "piece"

    board: BoardName
    pieces: dict[str, Piece] = Field(min_length=1)
    turning_over: bool = True
    holes: Literal["forbidden", "allowed"] = "forbidden"

    # -- what must hold of the data

    @model_validator(mode="after")
    def _consistent(self) -> Interlocking:
        wanted = Counter(self.surface.sides(cell) for cell in self.surface.cells)
        for name, piece in self.pieces.items():
            if len(piece.shape[0]) + 1 != self.size or self.size < 2:
                raise ValueError(
                    f"pieces.{name}: {len(piece.shape[0]) + 1} small squares along a side, where all have the same number, "
                    "at least 2"
                )
            if len(piece.shape) not in wanted:
                raise ValueError(
                    f"pieces.{name}: {len(piece.shape)} sides, where the faces of {self.surface.name} have "
                    f"{' or '.join(map(str, sorted(wanted)))}"
                )
        for sides, faces in wanted.items():
            if self.supply[sides] < faces:
                raise ValueError(f"pieces: {self.supply[sides]} pieces cannot cover the {faces} faces of {sides} sides")
        return self

    @cached_property
    def surface(self) -> Board:
        """The board itself."""
        return named(self.board)

    @property
    def size(self) -> int:
        """Small squares along a side of a piece."""
        return len(next(iter(self.pieces.values())).shape[0]) + 1

    @cached_property
    def supply(self) -> Counter[int]:
        """How many pieces there are by their number of sides."""
        supply: Counter[int] = Counter()
        for piece in self.pieces.values():
            supply[len(piece.shape)] += piece.count
        return supply

    @cached_property
    def kinds(self) -> list[RimmedKind]:
        """The pieces, those that are alike taken as one kind."""
        pieces = {name: RimmedPiece(len(piece.shape), piece.rim, count=piece.count) for name, piece in self.pieces.items()}
        return rimmed_kinds(pieces, turning=True, flipping=self.turning_over)

    @cached_property
    def candidates(self) -> dict[Placement, CandidatePlacement]:
        """Every placement with how the piece then lies."""
        placements = candidate_placements(self.surface, self.kinds)
        return {Placement(candidate.cell, candidate.kind.name, *candidate.orientation): candidate for candidate in placements}

    @classmethod
    def generator(cls) -> type[BaseModel]:
        from jigsat.encodings.generators.interlocking import Wishes

        return Wishes

    # -- the encoding

    def encode(self) -> Formula:
        formula, surface, spots = Formula(), self.surface, self.size - 2
        border = [(cell, i) for cell in surface.cells for i in range(surface.sides(cell) * (spots + 1))]
        known = {"cell": surface.cells, "piece": [kind.name for kind in self.kinds], "turn": (), "flipped": ()}
        place = formula.variables(
            "place", known, self.candidates
        )  # a cell that nothing fits and a piece that fits nowhere have none
        tooth = formula.variables("tooth", Spot._fields, border, decision=False)

        with formula.group("every face holds one piece"):
            for cell in surface.cells:
                formula.exactly_one(place[cell, :, :, :])

        with formula.group("every piece is used once"):
            for kind in self.kinds:
                faces = sum(surface.sides(cell) == kind.sides for cell in surface.cells)
                use = formula.at_most if self.supply[kind.sides] > faces else formula.exactly
                use(kind.count, place[:, kind.name, :, :])

        showing: dict[tuple[Cell, int], dict[str, list[int]]] = {}
        for placement, candidate in self.candidates.items():
            around = "".join(TOOTH[0] if filled else GAP[0] for filled in candidate.rim) * 2
            for side in range(candidate.kind.sides):
                shown = around[side * (spots + 1) :][: self.size]
                showing.setdefault((candidate.cell, side), {}).setdefault(shown, []).append(place(*placement))

        for (cell, side), placements in showing.items():
            with formula.group("a side shows one row"):
                row = formula.choice("row", placements, decision=False, cell=cell, side=side)
            with formula.group("a piece shows its sides"):
                for shown, literals in placements.items():
                    for literal in literals:
                        formula.implies(literal, row(shown))
                    formula.implies(row(shown), *literals)
            with formula.group("a row is of teeth and gaps"):
                for j in range(self.size):
                    filled = tooth(cell, (side * (spots + 1) + j) % (surface.sides(cell) * (spots + 1)))
                    for it_shows, mark in ((filled, TOOTH[0]), (-filled, GAP[0])):
                        having = [row(shown) for shown in placements if shown[j] == mark]
                        formula.implies(it_shows, *having)
                        for literal in having:
                            formula.implies(literal, it_shows)

        with formula.group("each place on an edge is filled once"):
            fill = formula.at_most_one if self.holes == "allowed" else formula.exactly_one
            for touching in surface.edge_places(spots):
                if len(touching) > 1:
                    fill(tooth(*spot) for spot in touching)

        alone = [edge[0] for edge in surface.edges if len(edge) == 1]
        rim = {Spot(c, (side + i) % surface.sides(c) * (spots + 1)) for c, side, _ in alone for i in (0, 1)}
        with formula.group("each corner is filled once"):
            for touching in surface.vertex_places(spots):
                fill = formula.at_most_one if rim.intersection(touching) else formula.exactly_one
                fill(tooth(*spot) for spot in touching)
        return formula

    def symmetries(self) -> Iterator[Symmetry]:
        return board_symmetries(self.surface, self.candidates)

    # -- the check, by filling the points of the surface with the teeth of the pieces as they are listed

    def check(self, placements: Sequence[Placement]) -> Iterator[str]:
        covered = Counter(placement.cell for placement in placements)
        for cell in self.surface.polygons.keys() | covered.keys():
            if covered[cell] != 1:
                yield f"face {cell} holds {covered[cell]} pieces"
        there: Counter[frozenset[str]] = Counter()
        for name, piece in self.pieces.items():
            there[self._looks[name]] += piece.count
        for looks, used in Counter(self._looks[placement.piece] for placement in placements).items():
            if used > there[looks]:
                name = next(placement.piece for placement in placements if self._looks[placement.piece] == looks)
                yield f"piece {name} is used {used} times and is there {there[looks]} times"
        filled: Counter[Point] = Counter()
        for placement in placements:
            if placement.flipped and not self.turning_over:
                yield f"piece {placement.piece} is turned over"
            if len(self.pieces[placement.piece].shape) != self.surface.sides(placement.cell):
                yield f"piece {placement.piece} does not fit on face {placement.cell}"
                continue
            filled.update(at for at, tooth in self._points(placement) if tooth)
        for at, (corner, rim) in self._kinds_of_points.items():
            if filled[at] > 1 or (filled[at] == 0 and not rim and (corner or self.holes == "forbidden")):
                yield f"the place {at} is filled {filled[at]} times"

    def _points(self, placement: Placement) -> Iterator[tuple[Point, bool]]:
        """The points of space at which the piece has its teeth and gaps, side by side as it is listed."""
        cell, name, turn, flipped = placement
        corners, sides = self.surface.polygons[cell], self.pieces[name].shape
        # turning a piece over exchanges the ends of its first side
        lies = [corners[(turn + (1 - k if flipped else k)) % len(sides)] for k in range(len(sides))]
        for k, side in enumerate(sides):
            for j, character in enumerate(side):
                yield self.surface.at(between(lies[k], lies[(k + 1) % len(sides)], j / len(side))), character in TOOTH

    @cached_property
    def _kinds_of_points(self) -> dict[Point, tuple[bool, bool]]:
        """For each point at which there can be a tooth whether it is a corner, and whether it is on the rim."""
        steps = self.size - 1
        points: dict[Point, tuple[bool, bool]] = {}
        met = {side: len(sides) for sides in self.surface.meetings.values() for side in sides}
        for cell, corners in self.surface.polygons.items():
            for side, start in enumerate(corners):
                for j in range(steps + 1):
                    at = self.surface.at(between(start, corners[(side + 1) % len(corners)], j / steps))
                    rim = met[cell, side] == 1 or points.get(at, (False, False))[1]
                    points[at] = j in (0, steps), rim
        return points

    @cached_property
    def _looks(self) -> dict[str, frozenset[str]]:
        """What the border of each piece can look like, in every way it may lie; pieces of which that is the same are alike."""
        looks = {}
        for name, piece in self.pieces.items():
            border = "".join("#" if character in TOOTH else "." for side in piece.shape for character in side)
            ways = [border, border[0] + border[:0:-1]] if self.turning_over else [border]
            steps = range(0, len(border), self.size - 1)
            looks[name] = frozenset(way[i:] + way[:i] for way in ways for i in steps)
        return looks

    # -- pictures

    def text(self, placements: Sequence[Placement], marked: Collection[Placement] = ()) -> str:
        squares, page = squared(self.surface), Page()
        if squares is None:
            sides = self.surface.sides
            return "\n".join(
                f"{_called(p.cell)}: {_shown(p)}, turned {p.turn} of {sides(p.cell)} clockwise{' *' * (p in marked)}"
                for p in placements
            )
        last = self.size - 1
        around = [*((0, c) for c in range(last)), *((r, last) for r in range(last))]
        around += [(last - r, last - c) for r, c in around]
        for placement in placements:
            column, row, lies = squares[placement.cell]
            x, y = column * (2 * self.size + 2), row * (self.size + 1)
            rim = Orientation(lies).apply(self.candidates[placement].rim, 4)
            for r in range(self.size):
                page.write(x, y + r, ("  " + "▒▒" * (last - 1) + "  ") if 0 < r < last else "  " * self.size)
            for (r, c), tooth in zip(around, rim, strict=True):
                page.write(x + 2 * c, y + r, "██" if tooth else "  ")
            label = f"{'*' * (placement in marked)}{_shown(placement)} {ARROWS[(placement.turn + lies) % 4]}"
            page.write(x + self.size - len(label) // 2 - 1, y + last // 2, f" {label} ")
        legend = "the arrow shows where the printed top of a piece points; ' means that it is turned over, left for right"
        return f"{page}\n{legend}"

    def svg(self, placements: Sequence[Placement], marked: Collection[Placement] = ()) -> str:
        picture, on = Picture(scale=150), {placement.cell: placement for placement in placements}

        def draw(cell: Cell, polygon: Sequence[Point]) -> None:
            placement, centre, n = on[cell], middle(polygon), len(polygon)
            corners = [between(centre, corner, 0.97) for corner in polygon]
            shade = "#8fb8e8" if placement.flipped else "#4f8fd8"
            self._draw_piece(picture, corners, self.candidates[placement].rim, shade)
            depth = math.dist(centre, middle(corners[:2]))
            turned, (x, y) = heading(polygon[0], polygon[1]) + 360 / n * placement.turn, centre
            size = min(0.6 * depth, 1.1 * depth / max(len(placement.piece), 1))
            picture.text((x, y), placement.piece, size, turn=turned, mirrored=placement.flipped, bold=True)
            up = cmath.rect(0.48 * depth, math.radians(turned - 90))
            picture.text((x + up.real, y + up.imag), "▲", 0.2 * depth, turn=turned)
            name = _called(cell)
            below = 0.52 * depth if up.imag < 0.4 * depth else -0.52 * depth
            picture.text((x, y + below), name, min(0.16, 1.2 / max(len(name), 1)) * depth)
            if placement in marked:
                picture.mark(polygon)

        on_board(picture, self.surface, draw)
        over = "; light and mirrored: turned over" if self.turning_over else ""
        outside = "" if self.surface.flat else "seen from outside; red numbers: sides that meet; "
        picture.note(f"{outside}the arrow: the piece's printed top{over}")
        return str(picture)

    def _draw_piece(
        self, picture: Picture, corners: Sequence[Point], rim: Sequence[object], shade: str, *, width: float = 0.01
    ) -> None:
        """A face and its teeth, all in one colour; `width` is that of a line around each part, in the same colour."""
        centre, n, step = middle(corners), len(corners), 1 / self.size
        depth = math.dist(centre, middle(corners[:2])) / math.dist(*corners[:2])  # in sides
        inner = [between(centre, corner, max(0.35, 1 - step / depth)) for corner in corners]
        picture.polygon(inner, shade, line=shade, width=width)
        for side in range(n):
            (start, end), (inside, its_end) = ([ring[side], ring[(side + 1) % n]] for ring in (corners, inner))
            teeth = rim[side * (self.size - 1) : (side + 1) * (self.size - 1)]
            if teeth[0]:
                before = between(start, corners[side - 1], step)
                picture.polygon([start, between(start, end, step), inside, before], shade, line=shade, width=width)
            for j, tooth in enumerate(teeth[1:], 1):
                if tooth:
                    shares = [(j - 1) / (self.size - 2), j / (self.size - 2)]
                    outside = [between(start, end, share * step) for share in (j, j + 1)]
                    below = (between(inside, its_end, s) for s in shares[::-1])
                    picture.polygon([*outside, *below], shade, line=shade, width=width)

    def rules(self) -> Iterator[str]:
        board, faces = self.surface, len(self.surface.cells)
        yield "Lay one piece on each face of the board, so that their teeth interlock."
        fill = "at most one" if self.holes == "allowed" else "exactly one"
        yield f"Each place along an edge is filled by a tooth of {fill} of the faces that meet there."
        yield "Each corner is filled by a tooth of exactly one."
        if any(len(edge) == 1 for edge in board.edges):
            yield "On the rim of the board a place or a corner may stay empty."
        over = "turned, and turned over." if self.turning_over else "turned, but not turned over: the printed side shows."
        yield f"Pieces may be {over}"
        if (spare := self.supply.total() - faces) > 0:
            yield f"There are {self.supply.total()} pieces for {faces} faces, so {spare} of them are left over."
        yield from joined(board)

    def parts(self) -> list[Part]:
        """The board, and the pieces, 48 mm along a side, each with its name upright on the printed side."""
        parts = [self._empty_board()]
        for name, piece in self.pieces.items():
            picture, corners = Picture(scale=300, margin=0.02), regular(len(piece.shape))
            self._draw_piece(picture, corners, piece.rim, "#222", width=0.028)  # what it leaves to be seen is a line around
            self._draw_piece(picture, corners, piece.rim, "#cfe0f5", width=0.01)
            picture.text((0, 0), name, min(0.25, 0.5 / max(len(name), 1)), bold=True)
            copies = min(piece.count, len(self.surface.cells))
            parts += [Part(str(picture), SIDE * picture.size()[2] / picture.scale)] * copies
        return parts

    def _empty_board(self) -> Part:
        """The board in outline: a frame as large as its pieces, a solid smaller."""
        picture = Picture(scale=150, margin=0.02)
        on_board(picture, self.surface, lambda cell, corners: picture.polygon(corners, "white", line="#666"))
        width = SIDE * picture.size()[2] / picture.scale
        return Part(str(picture), width if self.surface.flat else min(width, SOLID))


def _called(cell: Cell) -> str:
    return printable(" ".join(map(str, cell)) if isinstance(cell, tuple) else str(cell))


def _shown(placement: Placement) -> str:
    return printable(placement.piece) + ("'" if placement.flipped else "")
