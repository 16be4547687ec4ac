"""Edge matching to be made: tiles cut from a board whose every edge got a label, such that they go back in one way alone.

The labels of the edges are the data. That the tiles lie where they were cut from is the solution, so nothing else is said.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import ceil, exp, lgamma, log

from pydantic import PositiveInt, model_validator

from jigsat.boards import BoardName, Cell, named
from jigsat.errors import InputError
from jigsat.formula import Clause, Constraint, Formula
from jigsat.generation import Hinted, Inventing, Invention, Maker
from jigsat.generation import Wishes as BaseWishes
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Model

from ..edge_matching import EdgeMatching, Placement, Tile

LABELS = (
    "sun",
    "moon",
    "star",
    "leaf",
    "fish",
    "bird",
    "tree",
    "wave",
    "cloud",
    "stone",
    "shell",
    "bell",
    "crown",
    "key",
    "ring",
)
RIM = "rim"


class Wishes(BaseWishes):
    """Tiles for this board with so many labels, the rim's own not counted; with `hints` whatever tiles, and hints as needed."""

    board: BoardName = "square 4x4"
    labels: PositiveInt | None = None
    frame: bool = False
    turning: bool = True
    hints: bool = False
    clues: PositiveInt | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Wishes:
        if self.frame and all(len(edge) > 1 for edge in named(self.board).edges):
            raise ValueError(f"frame: {self.board} has no rim")
        return self

    def maker(self) -> Maker:
        tiles = Tiles(self)
        return Hinted(tiles, self.clues) if self.hints or self.clues else Inventing(tiles)


class Tiles(Invention):
    """The labels of the edges of a board, from which tiles are cut."""

    def __init__(self, wishes: Wishes) -> None:
        self.wishes = wishes
        self.board = board = named(wishes.board)
        self._rim = {(at.cell, at.side) for edge in board.edges if len(edge) == 1 for at in edge}
        room = sum(len(edge) > 1 or not wishes.frame for edge in board.edges)
        number = wishes.labels or min(self._enough(), room)
        if number > room:
            raise InputError(f"labels: {number}, where {board.name} has room for {room}")
        self.labels = [LABELS[i] if i < len(LABELS) else f"label {i + 1}" for i in range(number)]
        self.edge = {(at.cell, at.side): i for i, edge in enumerate(board.edges) for at in edge}
        formula = self.proposals = Formula()
        with formula.group("an edge has one label"):
            self.label = {
                i: formula.choice("label", self.labels, decision=False, edge=i)
                for i, edge in enumerate(board.edges)
                if len(edge) > 1 or not wishes.frame
            }
        self.data = range(1, formula.top + 1)
        with formula.group("each label is on the board"):
            for label in self.labels:
                formula.clause(choice(label) for choice in self.label.values())
        self._different: dict[tuple[int, int], int] = {}

    def _enough(self) -> int:
        """So many labels that fewer than one other way of laying random tiles is expected."""
        patterns = Counter[tuple[bool, ...]]()
        ways = 0.0  # the logarithm of their number
        for cell in self.board.cells:
            rim = [self.wishes.frame and (cell, i) in self._rim for i in range(self.board.sides(cell))]
            turned = [tuple(rim[i:] + rim[:i]) for i in range(len(rim) if self.wishes.turning else 1)]
            patterns[max(turned)] += 1
            ways += log(turned.count(max(turned)))
        ways += sum(lgamma(count + 1) for count in patterns.values())
        return max(2, ceil(exp(ways / max(1, sum(len(edge) > 1 for edge in self.board.edges)))))

    def against(self, true: Model, puzzle: Puzzle, rival: Sequence[Placement], new: Callable[[], int]) -> Iterator[Constraint]:
        """At some edge of the board, the two sides that meet there were cut at edges with different labels."""
        assert isinstance(puzzle, EdgeMatching)
        cut = {cell: self._shown(cell, true) for cell in self.board.cells}
        meeting: dict[int, list[int]] = {}
        for lying in rival:
            shown = puzzle.shown_sides(lying.tile, lying.turn)
            home, turn = next(
                (home, turn)
                for home, sides in cut.items()
                for turn in range(len(sides) if self.wishes.turning else 1)
                if sides[turn:] + sides[:turn] == shown
            )
            del cut[home]
            for side in range(len(shown)):
                meeting.setdefault(self.edge[lying.cell, side], []).append(self.edge[home, (side + turn) % len(shown)])
        broken = []
        for a, b in sorted({(min(pair), max(pair)) for pair in meeting.values() if len(pair) == 2}):
            if a != b and (a, b) not in self._different:
                self._different[a, b] = new()
                for label in self.labels:
                    yield Clause((-self._different[a, b], -self.label[a](label), -self.label[b](label)))
            if a != b:
                broken.append(self._different[a, b])
        yield Clause(tuple(broken))

    def _shown(self, cell: Cell, true: Model) -> tuple[str, ...]:
        """The labels of the sides of the tile that is cut from a cell."""
        edges = (self.edge[cell, side] for side in range(self.board.sides(cell)))
        return tuple(
            next(label for label in self.labels if self.label[edge](label) in true) if edge in self.label else RIM
            for edge in edges
        )

    def puzzle(self, true: Model, rng: random.Random) -> tuple[EdgeMatching, list[Placement]]:
        cells = list(self.board.cells)
        shows = {cell: self._shown(cell, true) for cell in cells}
        tiles = {}
        for number, cell in enumerate(rng.sample(cells, len(cells)), 1):
            turn = rng.randrange(len(shows[cell])) if self.wishes.turning else 0
            tiles[str(number)] = Tile(sides=shows[cell][turn:] + shows[cell][:turn])
        puzzle = EdgeMatching(
            title=f"{len(cells)} tiles with {len(self.labels)} labels" + (" and a rim" if self.wishes.frame else "")
            + f", {self.board.name}",
            board=self.wishes.board, tiles=tiles, turning=self.wishes.turning, frame=RIM if self.wishes.frame else None,
        )  # fmt: skip
        laid = {(candidate.cell, candidate.rim[1::2]): placement for placement, candidate in puzzle.candidates.items()}
        return puzzle, [laid[cell, sides] for cell, sides in shows.items()]
