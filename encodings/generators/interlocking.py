"""Interlocking faces to be made: pieces cut from a closed surface along which every place got its tooth from one face.

Which of the faces that meet at a place has its tooth is the data. That the pieces lie on the faces that they were cut from is
the solution. No two pieces are alike, nor is one its own image turned or, if it may be, turned over; and a tooth at a corner
has another one beside it, or it would fall off.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, product
from string import ascii_uppercase

from pydantic import Field, PositiveInt, model_validator

from jigsat.boards import BoardName, Cell, Orientation, Spot, named
from jigsat.formula import Clause, Constraint, Formula
from jigsat.generation import Inventing, Invention, Maker
from jigsat.generation import Wishes as BaseWishes
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Model

from ..interlocking import Interlocking, Piece, Placement


class Wishes(BaseWishes):
    """Pieces of size×size small squares for this surface, with so many solutions up to rotation and reflection."""

    board: BoardName = "cube"
    size: int = Field(default=6, ge=3, le=100)
    solutions: PositiveInt = 1
    turning_over: bool = True

    @model_validator(mode="after")
    def _consistent(self) -> Wishes:
        board = named(self.board)
        if any(len(edge) == 1 for edge in board.edges) or any(board.sides(cell) != 4 for cell in board.cells):
            raise ValueError(f"board: {self.board} is no closed surface of squares")
        return self

    def maker(self) -> Maker:
        return Inventing(Teeth(self), self.solutions)


class Teeth(Invention):
    """The teeth along the edges and at the corners of a surface, from which pieces are cut."""

    def __init__(self, wishes: Wishes) -> None:
        self.wishes = wishes
        self.board = board = named(wishes.board)
        spots = wishes.size - 2
        self.places = [tuple(place) for place in [*board.edge_places(spots), *board.vertex_places(spots)]]
        formula = self.proposals = Formula()
        with formula.group("one tooth at a place"):
            choices = [formula.choice("tooth", spots, decision=False, place=i) for i, spots in enumerate(self.places)]
        self.tooth = {spot: choice(spot) for choice, spots in zip(choices, self.places, strict=True) for spot in spots}
        with formula.group("a corner hangs on to its piece"):
            around = 4 * (spots + 1)
            for (cell, i), literal in self.tooth.items():
                if i % (spots + 1) == 0:
                    beside = (self.tooth[Spot(cell, (i + step) % around)] for step in (1, -1))
                    formula.implies(literal, *beside)
        self.data = range(1, formula.top + 1)
        self._unlike: dict[tuple[int, ...], int] = {}
        self.ways = [Orientation(*way) for way in product(range(4), (False, True) if wishes.turning_over else (False,))]
        rim = range(4 * (spots + 1))
        with formula.group("no two pieces are alike"):
            for a, b in combinations_with_replacement(board.cells, 2):
                for way in self.ways if a != b else self.ways[1:]:
                    pairs = [(self.tooth[Spot(a, i)], self.tooth[Spot(b, j)]) for i, j in enumerate(way.apply(rim, 4))]
                    differ = formula.variables(
                        "differ", ("one", "other", "way", "at"), ((a, b, way, i) for i in rim), decision=False
                    )
                    for literal, (x, y) in zip(differ[a, b, way, :], pairs, strict=True):
                        formula.clause([-literal, x, y])
                        formula.clause([-literal, -x, -y])
                    formula.clause(differ[a, b, way, :])

    def against(self, true: Model, puzzle: Puzzle, rival: Sequence[Placement], new: Callable[[], int]) -> Iterator[Constraint]:
        """At some place, the spots that meet there have no tooth among them, or more than one."""
        assert isinstance(puzzle, Interlocking)
        cut = {cell: self._around(cell, true) for cell in self.board.cells}
        rim = range(len(cut[self.board.cells[0]]))
        came: dict[Spot, int] = {}
        for lying in rival:
            shown = next(candidate.rim for placement, candidate in puzzle.candidates.items() if placement == lying)
            home, way = next((home, way) for home, teeth in cut.items() for way in self.ways if way.apply(teeth, 4) == shown)
            del cut[home]
            came |= {Spot(lying.cell, i): self.tooth[Spot(home, j)] for i, j in enumerate(way.apply(rim, 4))}
        broken = []
        for place in self.places:
            meeting = tuple(sorted(came[spot] for spot in place))
            if meeting not in self._unlike:
                self._unlike[meeting] = new()
                for literal in meeting:
                    yield Clause((-self._unlike[meeting], -literal, *(other for other in meeting if other != literal)))
            broken.append(self._unlike[meeting])
        yield Clause(tuple(broken))

    def another(self, rng: random.Random) -> Iterator[Clause]:
        """Each place has one tooth when some of the pieces change their faces at random."""
        some = rng.sample(self.board.cells, rng.randint(2, len(self.board.cells)))
        homes = dict(zip(some, rng.sample(some, len(some)), strict=True))
        came: dict[Spot, int] = {}
        for cell in self.board.cells:
            way = rng.choice(self.ways) if cell in homes else Orientation(0)
            around = way.apply(range(4 * (self.wishes.size - 1)), 4)
            came |= {Spot(cell, i): self.tooth[Spot(homes.get(cell, cell), j)] for i, j in enumerate(around)}
        for place in self.places:
            meeting = [came[spot] for spot in place]
            yield Clause(tuple(meeting))
            yield from (Clause((-a, -b)) for a, b in combinations(meeting, 2))

    def _around(self, cell: Cell, true: Model) -> tuple[bool, ...]:
        """Teeth and gaps around the piece that is cut from a face."""
        return tuple(self.tooth[Spot(cell, i)] in true for i in range(4 * (self.wishes.size - 1)))

    def puzzle(self, true: Model, rng: random.Random) -> tuple[Interlocking, list[Placement]]:
        cells, pieces, side = list(self.board.cells), {}, self.wishes.size - 1
        names = ascii_uppercase if len(cells) <= 26 else [f"P{i}" for i in range(1, len(cells) + 1)]
        for name, cell in zip(names, rng.sample(cells, len(cells)), strict=False):
            teeth = "".join("#" if tooth else "." for tooth in rng.choice(self.ways).apply(self._around(cell, true), 4))
            pieces[name] = Piece.model_validate(" ".join(teeth[i : i + side] for i in range(0, 4 * side, side)))
        title = f"{len(pieces)} interlocking pieces of {self.wishes.size}×{self.wishes.size}, {self.board.name}"
        puzzle = Interlocking(
            title=title, board=self.wishes.board, pieces=pieces, turning_over=self.wishes.turning_over
        )  # fmt: skip
        laid = {(candidate.cell, candidate.rim): placement for placement, candidate in puzzle.candidates.items()}
        return puzzle, [laid[cell, self._around(cell, true)] for cell in cells]
