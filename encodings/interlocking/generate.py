"""Options for generating interlocking pieces: they are cut from a surface on which every place has
one tooth.

The data state which of the faces that meet at a place has the tooth; on the rim of an open board,
it may also be the frame. In the solution each piece is on the face from which it was cut. No two
pieces are equal, and no piece equals itself turned or, if that is allowed, turned over. A tooth at
a corner has another tooth beside it; otherwise it would fall off.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
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
        self.places = [*board.edge_places(spots), *board.vertex_places(spots)]
        self.tooth: dict[Spot, int] = {}  # the literal that the tooth of a place is at this spot
        self.framed: dict[int, int] = {}  # the literal that it is that of the frame, by place
        self._wrong: dict[tuple[int, ...], int] = {}

        formula = self.proposals = Formula()
        self._put_teeth()
        with formula.rule("a corner is attached to its piece"):
            for (cell, i), literal in self.tooth.items():
                if i % (options.size - 1) == 0:
                    after = self.tooth[Spot(cell, (i + 1) % len(self.rim))]
                    before = self.tooth[Spot(cell, (i - 1) % len(self.rim))]
                    formula.implies(literal, after, before)
        self.data = range(1, formula.top + 1)
        with formula.rule("no two pieces are alike"):
            for a, b in combinations_with_replacement(board.cells, 2):
                for way in self.ways if a != b else self.ways[1:]:
                    self._require_different(a, b, way)

    def _put_teeth(self) -> None:
        """Each place has one tooth; on the rim, it may be that of the frame."""
        on_rim = set()
        for cell, side in rim_sides(self.board):
            for i in self._along(side):
                on_rim.add(Spot(cell, i))
        with self.proposals.rule("one tooth at a place"):
            for i, spots in enumerate(self.places):
                values: list[Spot | str] = list(spots)
                if not on_rim.isdisjoint(spots):
                    values.append(FRAME)
                choice = self.proposals.choice("tooth", values, decision=False, place=i)
                for spot in spots:
                    self.tooth[spot] = choice(spot)
                if FRAME in values:
                    self.framed[i] = choice(FRAME)

    def _along(self, side: int) -> list[int]:
        """The positions along a side of a face, both corners included."""
        start = side * (self.options.size - 1)
        return [(start + i) % len(self.rim) for i in range(self.options.size)]

    def _require_different(self, a: Cell, b: Cell, way: Orientation) -> None:
        """At some position, the piece cut from a differs from the piece cut from b in this
        orientation."""
        keys = [(a, b, way, i) for i in self.rim]
        differ = self.proposals.variables(
            "differ", ("one", "other", "way", "at"), keys, decision=False
        )
        for i, j in enumerate(way.apply(self.rim, self.sides)):
            differs = differ(a, b, way, i)
            x, y = self.tooth[Spot(a, i)], self.tooth[Spot(b, j)]
            self.proposals.clause([-differs, x, y])
            self.proposals.clause([-differs, -x, -y])
        self.proposals.clause(differ[a, b, way, :])

    def exclude(
        self, model: Model, puzzle: Puzzle, other: Sequence[Placement], new: Callable[[], int]
    ) -> Iterator[Constraint]:
        """At some place, the positions that meet there have no tooth or several."""
        assert isinstance(puzzle, Interlocking)
        cut = {cell: self._around(cell, model) for cell in self.board.cells}
        moved: dict[Spot, int] = {}
        for placement in other:
            home, way = self._find_home(puzzle.candidates[placement].rim, cut)
            del cut[home]
            moved |= self._move_teeth(home, placement.cell, way)
        wrong = []
        for meeting in map(tuple, self._meeting(moved)):
            if meeting not in self._wrong:
                self._wrong[meeting] = new()
                for literal in meeting:
                    others = [other for other in meeting if other != literal]
                    yield Clause((-self._wrong[meeting], -literal, *others))
            wrong.append(self._wrong[meeting])
        yield Clause(tuple(wrong))

    def _find_home(
        self, shown: tuple[Hashable, ...], cut: Mapping[Cell, tuple[bool, ...]]
    ) -> tuple[Cell, Orientation]:
        """A face from which a piece with this rim may be cut, and how it lies."""
        for cell, teeth in cut.items():
            for way in self.ways:
                if way.apply(teeth, self.sides) == shown:
                    return cell, way
        raise AssertionError("every piece is cut from a face")

    def further_solution(self, rng: random.Random) -> Iterator[Clause]:
        """Each place still has one tooth after a random set of pieces has changed places at
        random."""
        some = rng.sample(self.board.cells, rng.randint(2, len(self.board.cells)))
        homes = dict(zip(some, rng.sample(some, len(some)), strict=True))
        moved: dict[Spot, int] = {}
        for cell in self.board.cells:
            if cell in homes:
                moved |= self._move_teeth(homes[cell], cell, rng.choice(self.ways))
            else:
                moved |= self._move_teeth(cell, cell, Orientation(0))
        for meeting in self._meeting(moved):
            yield Clause(tuple(meeting))
            for a, b in combinations(meeting, 2):
                yield Clause((-a, -b))

    def _meeting(self, moved: Mapping[Spot, int]) -> Iterator[list[int]]:
        """The literals of the teeth at each place, that of the frame included."""
        for i, place in enumerate(self.places):
            literals = [moved[spot] for spot in place]
            if i in self.framed:
                literals.append(self.framed[i])
            yield sorted(literals)

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
        cells = list(self.board.cells)
        names = ascii_uppercase if len(cells) <= 26 else [f"P{i}" for i in range(1, len(cells) + 1)]
        pieces = {}
        for name, cell in zip(names, rng.sample(cells, len(cells)), strict=False):
            way = rng.choice(self.ways)
            pieces[name] = self._draw_piece(way.apply(self._around(cell, model), self.sides))

        size = self.options.size
        small = f"{size}×{size}" if self.sides == 4 else f"{size} small squares along a side"
        title = f"{plural(len(pieces), 'interlocking piece')} of {small}"
        frame = None
        if self.options.frame:
            title += " in a frame"
            teeth = [self.places[i][0] for i, literal in self.framed.items() if literal in model]
            frame = write_frame(self.board, size, teeth)
        puzzle = Interlocking(
            title=f"{title}, {title_board(self.board.name)}",
            board=self.options.board,
            pieces=pieces,
            turning_over=self.options.turning_over,
            frame=frame,
        )
        placement_of = {}
        for placement, candidate in puzzle.candidates.items():
            placement_of[candidate.cell, candidate.rim] = placement
        return puzzle, [placement_of[cell, self._around(cell, model)] for cell in self.board.cells]

    def _draw_piece(self, rim: Sequence[bool]) -> Piece:
        marks = "".join("#" if tooth else "." for tooth in rim)
        side = self.options.size - 1
        sides = [marks[i : i + side] for i in range(0, len(marks), side)]
        return Piece.model_validate({"shape": " ".join(sides)})
