"""Options for generating interlocking pieces: they are cut from a closed surface on which every place has one tooth.

The data state which of the faces that meet at a place has the tooth. In the solution each piece is on the face from which it
was cut. No two pieces are equal, and no piece equals itself turned or, if that is allowed, turned over. A tooth at a corner has
another tooth beside it; otherwise it would fall off.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, product
from string import ascii_uppercase

from jigsat.encodings.interlocking.data import Piece, Placement
from jigsat.encodings.interlocking.rules import Interlocking
from pydantic import Field, PositiveInt, model_validator

from jigsat.boards import BoardName, Cell, Orientation, Spot, named
from jigsat.formula import Clause, Constraint, Formula
from jigsat.generation import CounterexampleGuidedGenerator, Generator, GeneratorOptions, PuzzleSpace
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Model


class InterlockingOptions(GeneratorOptions):
    """Pieces of size×size small squares for a closed surface, with this number of solutions up to rotation and reflection."""

    board: BoardName = "cube"
    size: int = Field(default=6, ge=3, le=100)
    solutions: PositiveInt = 1
    turning_over: bool = True

    @model_validator(mode="after")
    def _consistent(self) -> InterlockingOptions:
        board = named(self.board)
        if any(len(edge) == 1 for edge in board.edges) or any(board.sides(cell) != 4 for cell in board.cells):
            raise ValueError(f"board: {self.board} is not a closed surface of squares")
        return self

    def build_generator(self) -> Generator:
        return CounterexampleGuidedGenerator(Teeth(self), self.solutions)


class Teeth(PuzzleSpace):
    """The teeth along the edges and at the corners of a surface, from which pieces are cut."""

    def __init__(self, options: InterlockingOptions) -> None:
        self.options = options
        self.board = board = named(options.board)
        self.ways = [Orientation(*way) for way in product(range(4), (False, True) if options.turning_over else (False,))]
        self.rim = range(4 * (options.size - 1))
        spots = options.size - 2
        self.places = [tuple(place) for place in [*board.edge_places(spots), *board.vertex_places(spots)]]
        formula = self.proposals = Formula()
        with formula.group("one tooth at a place"):
            choices = [formula.choice("tooth", spots, decision=False, place=i) for i, spots in enumerate(self.places)]
        self.tooth = {spot: choice(spot) for choice, spots in zip(choices, self.places, strict=True) for spot in spots}
        with formula.group("a corner is attached to its piece"):
            for (cell, i), literal in self.tooth.items():
                if i % (options.size - 1) == 0:
                    beside = (self.tooth[Spot(cell, (i + step) % len(self.rim))] for step in (1, -1))
                    formula.implies(literal, *beside)
        self.data = range(1, formula.top + 1)
        self._wrong: dict[tuple[int, ...], int] = {}
        with formula.group("no two pieces are alike"):
            for a, b in combinations_with_replacement(board.cells, 2):
                for way in self.ways if a != b else self.ways[1:]:
                    self._require_different(a, b, way)

    def _require_different(self, a: Cell, b: Cell, way: Orientation) -> None:
        """At some position, the piece cut from a differs from the piece cut from b in this orientation."""
        pairs = [(self.tooth[Spot(a, i)], self.tooth[Spot(b, j)]) for i, j in enumerate(way.apply(self.rim, 4))]
        keys = ((a, b, way, i) for i in self.rim)
        differ = self.proposals.variables("differ", ("one", "other", "way", "at"), keys, decision=False)
        for literal, (x, y) in zip(differ[a, b, way, :], pairs, strict=True):
            self.proposals.clause([-literal, x, y])
            self.proposals.clause([-literal, -x, -y])
        self.proposals.clause(differ[a, b, way, :])

    def exclude(self, model: Model, puzzle: Puzzle, other: Sequence[Placement], new: Callable[[], int]) -> Iterator[Constraint]:
        """At some place, the positions that meet there have no tooth or several."""
        assert isinstance(puzzle, Interlocking)
        cut = {cell: self._around(cell, model) for cell in self.board.cells}
        moved: dict[Spot, int] = {}
        for placement in other:
            shown = puzzle.candidates[placement].rim
            home, way = next((home, way) for home, teeth in cut.items() for way in self.ways if way.apply(teeth, 4) == shown)
            del cut[home]
            moved |= self._moved(home, placement.cell, way)
        wrong = []
        for place in self.places:
            meeting = tuple(sorted(moved[spot] for spot in place))
            if meeting not in self._wrong:
                self._wrong[meeting] = new()
                for literal in meeting:
                    yield Clause((-self._wrong[meeting], -literal, *(other for other in meeting if other != literal)))
            wrong.append(self._wrong[meeting])
        yield Clause(tuple(wrong))

    def further_solution(self, rng: random.Random) -> Iterator[Clause]:
        """Each place still has one tooth after a random set of pieces has changed places at random."""
        some = rng.sample(self.board.cells, rng.randint(2, len(self.board.cells)))
        homes = dict(zip(some, rng.sample(some, len(some)), strict=True))
        moved: dict[Spot, int] = {}
        for cell in self.board.cells:
            moved |= self._moved(homes.get(cell, cell), cell, rng.choice(self.ways) if cell in homes else Orientation(0))
        for place in self.places:
            meeting = [moved[spot] for spot in place]
            yield Clause(tuple(meeting))
            yield from (Clause((-a, -b)) for a, b in combinations(meeting, 2))

    def _moved(self, home: Cell, to: Cell, way: Orientation) -> dict[Spot, int]:
        """The literals of the teeth on the border of a face when the piece cut from `home` is placed on it this way."""
        return {Spot(to, i): self.tooth[Spot(home, j)] for i, j in enumerate(way.apply(self.rim, 4))}

    def _around(self, cell: Cell, model: Model) -> tuple[bool, ...]:
        """Teeth and gaps on the border of the piece that is cut from a face."""
        return tuple(self.tooth[Spot(cell, i)] in model for i in self.rim)

    def puzzle(self, model: Model, rng: random.Random) -> tuple[Interlocking, list[Placement]]:
        cells, pieces, side = list(self.board.cells), {}, self.options.size - 1
        names = ascii_uppercase if len(cells) <= 26 else [f"P{i}" for i in range(1, len(cells) + 1)]
        for name, cell in zip(names, rng.sample(cells, len(cells)), strict=False):
            teeth = "".join("#" if tooth else "." for tooth in rng.choice(self.ways).apply(self._around(cell, model), 4))
            pieces[name] = Piece.model_validate({"shape": " ".join(teeth[i : i + side] for i in range(0, 4 * side, side))})
        title = f"{len(pieces)} interlocking pieces of {self.options.size}×{self.options.size}, {self.board.name}"
        turning_over = self.options.turning_over
        puzzle = Interlocking(title=title, board=self.options.board, pieces=pieces, turning_over=turning_over)
        placements = {(candidate.cell, candidate.rim): placement for placement, candidate in puzzle.candidates.items()}
        return puzzle, [placements[cell, self._around(cell, model)] for cell in cells]
