"""Interlocking faces: pieces with teeth along their edges and at their corners close a surface, such as a foam cube.

A piece is a square of n×n small squares; those on its border are teeth or gaps, the inside is solid. Where two faces meet
along an edge, each place on the edge is filled by exactly one of them (by at most one if holes are allowed); each corner of
the solid by exactly one of the faces that meet there. Rules, variables and constraint groups, on f faces with p kinds of
pieces that lie in w ways in all:

- `place(cell, piece, turn, flipped)`: the piece lies on the face, turned over or not (left becomes right), then turned
  clockwise by `turn` quarter turns; f·w decision variables.
- `tooth(cell, position)`: there is a tooth at a position of the face's border, counted clockwise from its first corner;
  auxiliary, 4(n-1) a face.

- "every face holds one piece": f exactly-one.
- "every piece is used once": p exactly-count; at-most-count where pieces are left over.
- "a piece has its teeth": placement → tooth or no tooth; 4(n-1) clauses a placement.
- "a tooth belongs to a piece": (no) tooth → one of the placements that have it (not); 8(n-1) clauses a face.
- "each place on an edge is filled once": exactly-one (at-most-one with holes) of the teeth that meet; n-2 an edge.
- "each corner is filled once": exactly-one of the teeth that meet there; one a corner.
"""

from __future__ import annotations

import cmath
import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from pydantic import Field, model_validator

from jigsat.boards import Board, Cell, Point, Spot, middle
from jigsat.drawing import ARROWS, Drawing, Page, Picture, between, heading, on_board, squared
from jigsat.formula import Formula
from jigsat.pieces import Kind, Lying, Piece, kinds, lying, symmetries
from jigsat.puzzle import Puzzle, Symmetry
from jigsat.surfaces import named

TOOTH, GAP = "#1", ".0"


class Placement(NamedTuple):
    """The piece lies on the face, turned over if `flipped`, then turned clockwise by `turn` quarter turns."""

    cell: Cell
    piece: str
    turn: int
    flipped: bool


class Interlocking(Puzzle):
    """Pieces drawn as rows of characters, # or 1 for a tooth and . or 0 for a gap on the border, that close a surface."""

    family: Literal["interlocking"] = "interlocking"
    board: str
    pieces: dict[str, Drawing] = Field(min_length=1)
    turning_over: bool = True
    holes: Literal["forbidden", "allowed"] = "forbidden"

    # -- what must hold of the data

    @model_validator(mode="after")
    def _consistent(self) -> Interlocking:
        surface = self.surface
        for name, rows in self.pieces.items():
            for i, row in enumerate(rows):
                if len(row) != len(rows):
                    raise ValueError(
                        f"pieces.{name}: row {i + 1} has {len(row)} characters where the piece has {len(rows)} rows; a "
                        "piece is square"
                    )
            if len(rows) != self.size or self.size < 2:
                raise ValueError(f"pieces.{name}: {len(rows)} rows, where all have the same number, at least 2")
            for r, row in enumerate(rows):
                for c, character in enumerate(row):
                    if (r in (0, self.size - 1) or c in (0, self.size - 1)) and character not in TOOTH + GAP:
                        raise ValueError(
                            f"pieces.{name}: row {r + 1}, column {c + 1} is {character!r}, where the border takes # or 1 "
                            "for a tooth and . or 0 for a gap"
                        )
        if any(surface.sides(cell) != 4 for cell in surface.cells):
            raise ValueError(f"board: the faces of {surface.name} are not all squares")
        if any(len(edge) == 1 for edge in surface.edges):
            raise ValueError(f"board: {surface.name} has a rim, where faces would meet nothing; take a closed surface")
        if len(self.pieces) < len(surface.cells):
            raise ValueError(f"pieces: {len(self.pieces)} pieces cannot cover the {len(surface.cells)} faces")
        return self

    @cached_property
    def surface(self) -> Board:
        """The board itself."""
        return named(self.board)

    @property
    def size(self) -> int:
        """Small squares along a side of a piece."""
        return len(next(iter(self.pieces.values())))

    @cached_property
    def kinds(self) -> list[Kind]:
        """The pieces, those that are alike taken as one kind."""
        pieces = {}
        for name, rows in self.pieces.items():
            columns = ["".join(column) for column in zip(*rows, strict=True)]
            around = rows[0][:-1] + columns[-1][:-1] + rows[-1][:0:-1] + columns[0][:0:-1]
            pieces[name] = Piece(4, tuple(character in TOOTH for character in around))
        return kinds(pieces, turning=True, flipping=self.turning_over)

    @cached_property
    def laid(self) -> dict[Placement, Lying]:
        """Every placement with how the piece then lies."""
        return {Placement(lie.cell, lie.kind.name, *lie.orientation): lie for lie in lying(self.surface, self.kinds)}

    # -- the encoding

    def encode(self) -> Formula:
        formula, surface, spots = Formula(), self.surface, self.size - 2
        border = range(4 * (spots + 1))
        place = formula.variables("place", Placement._fields, self.laid)
        tooth = formula.variables("tooth", Spot._fields, ((c, i) for c in surface.cells for i in border), decision=False)

        with formula.group("every face holds one piece"):
            for cell in surface.cells:
                formula.exactly_one(place[cell, :, :, :])

        left_over = len(self.pieces) > len(surface.cells)
        with formula.group("every piece is used once"):
            for kind in self.kinds:
                use = formula.at_most if left_over else formula.exactly
                use(kind.count, place[:, kind.name, :, :])

        having: dict[int, list[int]] = {sign * tooth(*spot): [] for spot, _ in tooth.items() for sign in (1, -1)}
        with formula.group("a piece has its teeth"):
            for placement, lie in self.laid.items():
                for position, filled in enumerate(lie.rim):
                    it_shows = tooth(lie.cell, position) if filled else -tooth(lie.cell, position)
                    formula.implies(place(*placement), it_shows)
                    having[it_shows].append(place(*placement))

        with formula.group("a tooth belongs to a piece"):
            for it_shows, placements in having.items():
                formula.implies(it_shows, *placements)

        with formula.group("each place on an edge is filled once"):
            fill = formula.at_most_one if self.holes == "allowed" else formula.exactly_one
            for touching in surface.edge_places(spots):
                fill(tooth(*spot) for spot in touching)

        with formula.group("each corner is filled once"):
            for touching in surface.vertex_places(spots):
                formula.exactly_one(tooth(*spot) for spot in touching)
        return formula

    def symmetries(self) -> Iterator[Symmetry]:
        return symmetries(self.surface, self.laid)

    # -- the check, by filling space with the small squares of the pieces as they are drawn

    def check(self, placements: Sequence[Placement]) -> Iterator[str]:
        covered = Counter(placement.cell for placement in placements)
        for cell in self.surface.polygons.keys() | covered.keys():
            if covered[cell] != 1:
                yield f"face {cell} holds {covered[cell]} pieces"
        there = Counter(self._looks.values())
        for looks, used in Counter(self._looks[placement.piece] for placement in placements).items():
            if used > there[looks]:
                name = next(placement.piece for placement in placements if self._looks[placement.piece] == looks)
                yield f"piece {name} is used {used} times and is there {there[looks]} times"
        filled: Counter[tuple[float, ...]] = Counter()
        corners: set[tuple[float, ...]] = set()
        last = self.size - 1
        for placement in placements:
            if placement.flipped and not self.turning_over:
                yield f"piece {placement.piece} is turned over"
            first, right, _, below = self.surface.polygons[placement.cell]
            for r, row in enumerate(self.as_laid(placement)):
                for c, character in enumerate(row):
                    # faces that touch share these points of space
                    point = (a + (b - a) * c / last + (d - a) * r / last for a, b, d in zip(first, right, below, strict=True))
                    at = self.surface.at(point)
                    inside = 0 < r < last and 0 < c < last
                    filled[at] += inside or character in TOOTH
                    if r in (0, last) and c in (0, last):
                        corners.add(at)
        for at, times in filled.items():
            if times > 1 or (times == 0 and (at in corners or self.holes == "forbidden")):
                yield f"the place {at} is filled {times} times"

    def as_laid(self, placement: Placement) -> Drawing:
        """The piece's rows as one sees them from outside once it lies there."""
        rows = self.pieces[placement.piece]
        if placement.flipped:
            rows = tuple(row[::-1] for row in rows)
        return _turned(rows, placement.turn)

    @cached_property
    def _looks(self) -> dict[str, frozenset[tuple[bool, ...]]]:
        """What the border of each piece can look like, in every way it may lie; pieces of which that is the same are alike."""
        border = [i for i in range(self.size**2) if not all(0 < x < self.size - 1 for x in divmod(i, self.size))]
        orientations = [(turn, flipped) for turn in range(4) for flipped in {False, self.turning_over}]
        return {
            name: frozenset(
                tuple(rows[i] in TOOTH for i in border)
                for orientation in orientations
                for rows in ["".join(self.as_laid(Placement("", name, *orientation)))]
            )
            for name in self.pieces
        }

    # -- pictures

    def text(self, placements: Sequence[Placement], marked: Collection[Placement] = ()) -> str:
        squares, page = squared(self.surface), Page()
        if squares is None:
            return "\n".join(f"{p.cell}: {_shown(p)} {ARROWS[p.turn]}{' *' * (p in marked)}" for p in placements)
        for placement in placements:
            column, row, lies = squares[placement.cell]
            x, y = column * (2 * self.size + 2), row * (self.size + 1)
            for r, line in enumerate(_turned(self.as_laid(placement), lies)):
                for c, character in enumerate(line):
                    inside = 0 < r < self.size - 1 and 0 < c < self.size - 1
                    page.write(x + 2 * c, y + r, "▒▒" if inside else "██" if character in TOOTH else "  ")
            label = f"{'*' * (placement in marked)}{_shown(placement)} {ARROWS[(placement.turn + lies) % 4]}"
            page.write(x + self.size - len(label) // 2 - 1, y + (self.size - 1) // 2, f" {label} ")
        legend = "the arrow shows where the printed top of a piece points; ' means that it is turned over, left for right"
        return f"{page}\n{legend}"

    def svg(self, placements: Sequence[Placement], marked: Collection[Placement] = ()) -> str:
        picture, on = Picture(scale=150), {placement.cell: placement for placement in placements}

        def draw(cell: Cell, corners: Sequence[Point]) -> None:
            placement = on[cell]
            first, right, _, below = corners

            def at(u: float, v: float) -> Point:
                shrunk_u, shrunk_v = (0.03 + 0.94 * share / self.size for share in (u, v))
                down = tuple((d - a) * shrunk_v for a, d in zip(first, below, strict=True))
                return tuple(x + dx for x, dx in zip(between(first, right, shrunk_u), down, strict=True))

            for r, row in enumerate(self.as_laid(placement)):
                for c, character in enumerate(row):
                    inside = 0 < r < self.size - 1 and 0 < c < self.size - 1
                    if inside or character in TOOTH:
                        square = [at(c, r), at(c + 1, r), at(c + 1, r + 1), at(c, r + 1)]
                        shade = "#8fb8e8" if placement.flipped else "#4f8fd8"
                        picture.polygon(square, shade, line=shade)
            turned, (x, y) = heading(first, right) + 90 * placement.turn, middle(corners)
            picture.text((x, y), placement.piece, 0.3, turn=turned, mirrored=placement.flipped, bold=True)
            up = cmath.rect(0.24, math.radians(turned - 90))
            picture.text((x + up.real, y + up.imag), "▲", 0.1, turn=turned)
            picture.text((x, y + (0.28 if up.imag < 0.2 else -0.28)), str(cell), 0.08)
            if placement in marked:
                picture.mark(corners)

        on_board(picture, self.surface, draw)
        picture.note("seen from outside; light and mirrored: turned over; the arrow: the piece's printed top")
        return str(picture)


def _turned(rows: Drawing, turn: int) -> Drawing:
    """The rows after so many quarter turns clockwise."""
    for _ in range(turn):
        rows = tuple("".join(column) for column in zip(*rows[::-1], strict=True))
    return rows


def _shown(placement: Placement) -> str:
    return placement.piece + ("'" if placement.flipped else "")
