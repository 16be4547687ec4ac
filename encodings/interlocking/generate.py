"""Options for generating interlocking pieces: they are cut from a surface on which every place has
one tooth.

The data state which of the faces that meet at a place has the tooth; on the rim of an open board,
it may also be the frame. In the solution each piece is on the face from which it was cut. No two
pieces are equal, and no piece equals itself turned or, if that is allowed, turned over. A tooth at
a corner has another tooth beside it; otherwise it would fall off.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, product
from string import ascii_uppercase

from jigsat.encodings.interlocking.data import Piece, Placement
from jigsat.encodings.interlocking.frame import rim_sides, write_frame
from jigsat.encodings.interlocking.rules import Interlocking
from pydantic import Field, model_validator

from jigsat.boards import BoardName, Cell, Orientation, Spot, board_named, title_board
from jigsat.formula import Clause, Constraint, Formula
from jigsat.generation.counterexamples import CounterexampleGuidedGenerator, PuzzleSpace
from jigsat.generation.generator import Generator, GeneratorOptions
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Model
from jigsat.words import plural

FRAME = "frame"


class Options(GeneratorOptions):
    """Pieces with `size` small squares along a side, with this number of solutions up to rotation
    and reflection.

    The board is a closed surface, or an open board in a `frame` with teeth.
    """

    single = ""
    board: BoardName = "cube"
    size: int = Field(default=6, ge=3, le=100)
    turning_over: bool = True
    frame: bool = False

    @model_validator(mode="after")
    def _consistent(self) -> Options:
        board = board_named(self.board)
        if len({board.sides(cell) for cell in board.cells}) > 1:
            raise ValueError(f"board: the faces of {board.name} have different numbers of sides")
        if self.frame:
            if not rim_sides(board):
                raise ValueError(f"frame: {board.name} has no rim")
            write_frame(board, self.size, ())  # raises ValueError if its frame cannot be written
        elif rim_sides(board):
            raise ValueError(
                f"board: {board.name} has a rim; frame=true puts a frame with teeth around it"
            )
        return self

    def build_generator(self) -> Generator:
        return CounterexampleGuidedGenerator(Teeth(self), self.solutions)


class Teeth(PuzzleSpace):
    """The teeth along the edges and at the corners of a surface, from which pieces are cut."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.board = board = board_named(options.board)
        self.sides = board.sides(board.cells[0])
        over = (False, True) if options.turning_over else (False,)
        self.ways = [Orientation(*way) for way in product(range(self.sides), over)]
        self.rim = range(self.sides * (options.size - 1))
        spots = options.size - 2
        self.places = [
            tuple(place) for place in [*board.edge_places(spots), *board.vertex_places(spots)]
        ]
        on_rim = {Spot(cell, i) for cell, side in rim_sides(board) for i in self._along(side)}
        formula = self.proposals = Formula()
        with formula.rule("one tooth at a place"):
            domains = [
                [*spots, FRAME] if on_rim.intersection(spots) else [*spots] for spots in self.places
            ]
            choices = [
                formula.choice("tooth", domain, decision=False, place=i)
                for i, domain in enumerate(domains)
            ]
        self.tooth = {
            spot: choice(spot)
            for choice, spots in zip(choices, self.places, strict=True)
            for spot in spots
        }
        self.framed = {i: choices[i](FRAME) for i, domain in enumerate(domains) if FRAME in domain}
        with formula.rule("a corner is attached to its piece"):
            for (cell, i), literal in self.tooth.items():
                if i % (options.size - 1) == 0:
                    beside = (
                        self.tooth[Spot(cell, (i + step) % len(self.rim))] for step in (1, -1)
                    )
                    formula.implies(literal, *beside)
        self.data = range(1, formula.top + 1)
        self._wrong: dict[tuple[int, ...], int] = {}
        with formula.rule("no two pieces are alike"):
            for a, b in combinations_with_replacement(board.cells, 2):
                for way in self.ways if a != b else self.ways[1:]:
                    self._require_different(a, b, way)

    def _along(self, side: int) -> list[int]:
        """The positions along a side of a face, both corners included."""
        return [
            (side * (self.options.size - 1) + j) % len(self.rim) for j in range(self.options.size)
        ]

    def _require_different(self, a: Cell, b: Cell, way: Orientation) -> None:
        """At some position, the piece cut from a differs from the piece cut from b in this
        orientation."""
        pairs = [
            (self.tooth[Spot(a, i)], self.tooth[Spot(b, j)])
            for i, j in enumerate(way.apply(self.rim, self.sides))
        ]
        keys = ((a, b, way, i) for i in self.rim)
        differ = self.proposals.variables(
            "differ", ("one", "other", "way", "at"), keys, decision=False
        )
        for literal, (x, y) in zip(differ[a, b, way, :], pairs, strict=True):
            self.proposals.clause([-literal, x, y])
            self.proposals.clause([-literal, -x, -y])
        self.proposals.clause(differ[a, b, way, :])

    def exclude(
        self, model: Model, puzzle: Puzzle, other: Sequence[Placement], new: Callable[[], int]
    ) -> Iterator[Constraint]:
        """At some place, the positions that meet there have no tooth or several."""
        assert isinstance(puzzle, Interlocking)
        cut = {cell: self._around(cell, model) for cell in self.board.cells}
        moved: dict[Spot, int] = {}
        for placement in other:
            shown = puzzle.candidates[placement].rim
            home, way = next(
                (home, way)
                for home, teeth in cut.items()
                for way in self.ways
                if way.apply(teeth, self.sides) == shown
            )
            del cut[home]
            moved |= self._move_teeth(home, placement.cell, way)
        wrong = []
        for meeting in map(tuple, self._meeting(moved)):
            if meeting not in self._wrong:
                self._wrong[meeting] = new()
                for literal in meeting:
                    yield Clause(
                        (
                            -self._wrong[meeting],
                            -literal,
                            *(other for other in meeting if other != literal),
                        )
                    )
            wrong.append(self._wrong[meeting])
        yield Clause(tuple(wrong))

    def further_solution(self, rng: random.Random) -> Iterator[Clause]:
        """Each place still has one tooth after a random set of pieces has changed places at
        random."""
        some = rng.sample(self.board.cells, rng.randint(2, len(self.board.cells)))
        homes = dict(zip(some, rng.sample(some, len(some)), strict=True))
        moved: dict[Spot, int] = {}
        for cell in self.board.cells:
            moved |= self._move_teeth(
                homes.get(cell, cell),
                cell,
                rng.choice(self.ways) if cell in homes else Orientation(0),
            )
        for meeting in self._meeting(moved):
            yield Clause(tuple(meeting))
            yield from (Clause((-a, -b)) for a, b in combinations(meeting, 2))

    def _meeting(self, moved: Mapping[Spot, int]) -> Iterator[list[int]]:
        """The literals of the teeth at each place, that of the frame included."""
        for i, place in enumerate(self.places):
            frame = [self.framed[i]] if i in self.framed else []
            yield sorted([*(moved[spot] for spot in place), *frame])

    def _move_teeth(self, home: Cell, to: Cell, way: Orientation) -> dict[Spot, int]:
        """The literals of the teeth on the border of a face when the piece cut from `home` is
        placed on it this way."""
        return {
            Spot(to, i): self.tooth[Spot(home, j)]
            for i, j in enumerate(way.apply(self.rim, self.sides))
        }

    def _around(self, cell: Cell, model: Model) -> tuple[bool, ...]:
        """Teeth and gaps on the border of the piece that is cut from a face."""
        return tuple(self.tooth[Spot(cell, i)] in model for i in self.rim)

    def puzzle(self, model: Model, rng: random.Random) -> tuple[Interlocking, list[Placement]]:
        cells, pieces, side = list(self.board.cells), {}, self.options.size - 1
        names = ascii_uppercase if len(cells) <= 26 else [f"P{i}" for i in range(1, len(cells) + 1)]
        for name, cell in zip(names, rng.sample(cells, len(cells)), strict=False):
            teeth = "".join(
                "#" if tooth else "."
                for tooth in rng.choice(self.ways).apply(self._around(cell, model), self.sides)
            )
            pieces[name] = Piece.model_validate(
                {"shape": " ".join(teeth[i : i + side] for i in range(0, len(teeth), side))}
            )
        small = (
            f"{self.options.size}×{self.options.size}"
            if self.sides == 4
            else f"{self.options.size} small squares along a side"
        )
        framed = " in a frame" if self.options.frame else ""
        in_frame = [self.places[i][0] for i, x in self.framed.items() if x in model]
        puzzle = Interlocking(
            title=f"{plural(len(pieces), 'interlocking piece')} of {small}{framed}, "
            f"{title_board(self.board.name)}",
            board=self.options.board,
            pieces=pieces,
            turning_over=self.options.turning_over,
            frame=write_frame(self.board, self.options.size, in_frame)
            if self.options.frame
            else None,
        )
        placement_of = {
            (candidate.cell, candidate.rim): placement
            for placement, candidate in puzzle.candidates.items()
        }
        return puzzle, [placement_of[cell, self._around(cell, model)] for cell in self.board.cells]
