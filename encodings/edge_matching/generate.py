"""Generating edge-matching puzzles: tiles are cut from a board with labelled edges, and fit together in only one way.

The labels of the edges are the data. In the solution every tile is where it was cut from, so the data imply the solution.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import ceil, exp, lgamma, log

from jigsat.encodings.edge_matching.check import shown_sides
from jigsat.encodings.edge_matching.data import Placement, Tile
from jigsat.encodings.edge_matching.rules import EdgeMatching
from pydantic import PositiveInt, model_validator

from jigsat.boards import BoardName, Cell, named
from jigsat.errors import InputError
from jigsat.formula import Clause, Constraint, Formula
from jigsat.generation import CounterexampleGuidedGenerator, Generator, GeneratorOptions, PuzzleSpace, RandomDataGenerator
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Model

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


class EdgeMatchingOptions(GeneratorOptions):
    """Options for generating tiles: the board and the number of labels, not counting the label of the rim.

    With `hints`, or a number of hints in `clues`, the tiles may fit in several ways and hints single out one solution.
    """

    board: BoardName = "square 4x4"
    labels: PositiveInt | None = None
    frame: bool = False
    turning: bool = True
    hints: bool = False
    clues: PositiveInt | None = None

    @model_validator(mode="after")
    def _consistent(self) -> EdgeMatchingOptions:
        if self.frame and all(len(edge) > 1 for edge in named(self.board).edges):
            raise ValueError(f"frame: {self.board} has no rim")
        return self

    def build_generator(self) -> Generator:
        labelled = LabelledEdges(self)
        if self.hints or self.clues:
            return RandomDataGenerator(labelled, self.clues)
        return CounterexampleGuidedGenerator(labelled)


class LabelledEdges(PuzzleSpace):
    """The labels of the edges of a board, from which tiles are cut."""

    def __init__(self, options: EdgeMatchingOptions) -> None:
        self.options = options
        self.board = board = named(options.board)
        free = {i: edge for i, edge in enumerate(board.edges) if len(edge) > 1 or not options.frame}
        number = options.labels or min(self._enough_labels(), len(free))
        if number > len(free):
            raise InputError(f"labels: {number}, but {board.name} has room for {len(free)} only")
        self.labels = [LABELS[i] if i < len(LABELS) else f"label {i + 1}" for i in range(number)]
        self.edge = {(at.cell, at.side): i for i, edge in enumerate(board.edges) for at in edge}
        formula = self.proposals = Formula()
        with formula.group("an edge has one label"):
            self.label = {i: formula.choice("label", self.labels, decision=False, edge=i) for i in free}
        self.data = range(1, formula.top + 1)
        with formula.group("each label is on the board"):
            for label in self.labels:
                formula.clause(choice(label) for choice in self.label.values())
        self._different: dict[tuple[int, int], int] = {}

    def _enough_labels(self) -> int:
        """The smallest number of labels for which less than one other arrangement of random tiles is expected."""
        on_rim = {(edge[0].cell, edge[0].side) for edge in self.board.edges if len(edge) == 1}
        patterns = Counter[tuple[bool, ...]]()
        ways = 0.0  # the logarithm of the number of arrangements of all tiles, matching or not
        for cell in self.board.cells:
            rim = [self.options.frame and (cell, i) in on_rim for i in range(self.board.sides(cell))]
            turned = [tuple(rim[i:] + rim[:i]) for i in range(len(rim) if self.options.turning else 1)]
            patterns[max(turned)] += 1
            ways += log(turned.count(max(turned)))
        ways += sum(lgamma(count + 1) for count in patterns.values())
        return max(2, ceil(exp(ways / max(1, sum(len(edge) > 1 for edge in self.board.edges)))))

    def exclude(self, model: Model, puzzle: Puzzle, other: Sequence[Placement], new: Callable[[], int]) -> Iterator[Constraint]:
        """At an edge of the board, the two sides that meet there were cut at edges with different labels."""
        assert isinstance(puzzle, EdgeMatching)
        broken = []
        for a, b in self._meeting(model, puzzle, other):
            if (a, b) not in self._different:
                self._different[a, b] = new()
                for label in self.labels:
                    yield Clause((-self._different[a, b], -self.label[a](label), -self.label[b](label)))
            broken.append(self._different[a, b])
        yield Clause(tuple(broken))

    def _meeting(self, model: Model, puzzle: EdgeMatching, other: Sequence[Placement]) -> list[tuple[int, int]]:
        """The pairs of different edges such that a side cut at the first meets a side cut at the second, in order."""
        cut = {cell: self._shown(cell, model) for cell in self.board.cells}
        meeting: dict[int, list[int]] = {}
        for cell, name, turn in other:
            shown = shown_sides(puzzle.tiles[name], turn)
            home, offset = next(
                (home, offset)
                for home, sides in cut.items()
                for offset in range(len(sides) if self.options.turning else 1)
                if sides[offset:] + sides[:offset] == shown
            )
            del cut[home]
            for side in range(len(shown)):
                meeting.setdefault(self.edge[cell, side], []).append(self.edge[home, (side + offset) % len(shown)])
        pairs = {(min(pair), max(pair)) for pair in meeting.values() if len(pair) == 2}
        return sorted((a, b) for a, b in pairs if a != b)

    def _shown(self, cell: Cell, model: Model) -> tuple[str, ...]:
        """The labels of the sides of the tile that is cut from a cell."""
        edges = (self.edge[cell, side] for side in range(self.board.sides(cell)))
        return tuple(
            next(label for label in self.labels if self.label[edge](label) in model) if edge in self.label else RIM
            for edge in edges
        )

    def puzzle(self, model: Model, rng: random.Random) -> tuple[EdgeMatching, list[Placement]]:
        cells = list(self.board.cells)
        shown = {cell: self._shown(cell, model) for cell in cells}
        tiles = {}
        for number, cell in enumerate(rng.sample(cells, len(cells)), 1):
            turn = rng.randrange(len(shown[cell])) if self.options.turning else 0
            tiles[str(number)] = Tile(sides=shown[cell][turn:] + shown[cell][:turn])
        rim = " and a rim" if self.options.frame else ""
        puzzle = EdgeMatching(
            title=f"{len(cells)} tiles with {len(self.labels)} labels{rim}, {self.board.name}",
            board=self.options.board,
            tiles=tiles,
            turning=self.options.turning,
            frame=RIM if self.options.frame else None,
        )
        placement_of = {(each.cell, each.rim[1::2]): placement for placement, each in puzzle.candidates.items()}
        return puzzle, [placement_of[cell, sides] for cell, sides in shown.items()]
