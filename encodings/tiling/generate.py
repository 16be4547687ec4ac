"""Options for generating tilings of a drawn board: the colours of its cells, or a selection of pieces.

If pieces have colours, the colours of the board's cells are the data, and a counterexample is another way to place the pieces
on them. If they have none, the data are a selection of pieces, each used once, and a counterexample places them in another way.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from jigsat.encodings.tiling.data import Piece, PieceEntry, Placement
from jigsat.encodings.tiling.rules import Tiling
from pydantic import NonNegativeInt, model_validator

from jigsat.boards.lattice import Drawing
from jigsat.formula import Clause, Constraint
from jigsat.generation import CounterexampleGuidedGenerator, Generator, GeneratorOptions, PuzzleSpace
from jigsat.pieces.cells import ANY_COLOUR
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Model

STRIPS = {strip: Piece(shape=strip) for strip in ("www", "wwb", "wbw", "wbb", "bwb", "bbb", "ww", "wb", "bb")}


class TilingOptions(GeneratorOptions):
    """A board, of which only the shape matters, and pieces, by default nine strips in black and white.

    `left_over` is the number of cells that are left over. By default it is the number of cells that the pieces cannot cover if
    they have colours, otherwise 0. `hole` is the cell to leave over, counted from 0.
    """

    board: Drawing = "\n".join(["#####"] * 5)
    pieces: dict[str, PieceEntry] = STRIPS
    left_over: NonNegativeInt | None = None
    hole: tuple[int, ...] | None = None
    turning: bool = True
    turning_over: bool = True

    @model_validator(mode="after")
    def _consistent(self) -> TilingOptions:
        blank = self.blank()
        if self.hole is not None and self.hole not in blank.cells:
            raise ValueError(f"hole: the board has no cell {self.hole}")
        if self.hole is not None and not blank.empty[1]:
            raise ValueError("hole: no cell is left over")
        return self

    def blank(self) -> Tiling:
        """The puzzle on a board without colours. If the pieces have no colours either, they may be left over."""
        board = "".join(c if c in ".\n" else ANY_COLOUR for c in "\n".join(row.strip() for row in self.board.splitlines()))
        flat = not any(set(piece.shape) - {*"#. \n"} for piece in self.pieces.values())
        entries: dict[str, Any] = {
            "title": "A tiling",
            "board": board,
            "pieces": self.pieces,
            "uses": (0, 1) if flat else (1, 1),
        }
        if "turning_over" in self.model_fields_set:
            entries["turning_over"] = self.turning_over
        area = sum(len(piece.shape) - sum(map(piece.shape.count, ". \n")) for piece in self.pieces.values())
        there = sum(map(board.count, ANY_COLOUR))
        left = self.left_over if self.left_over is not None else 0 if flat else max(0, there - area)
        return Tiling.model_validate({**entries, "turning": self.turning, "left_over": left})

    def build_generator(self) -> Generator:
        blank = self.blank()
        return CounterexampleGuidedGenerator((Selection if blank.uses == (0, 1) else Colours)(blank, self.hole))


class Tiled(PuzzleSpace):
    """The common part: a proposal is a tiling of the board without colours."""

    def __init__(self, blank: Tiling, hole: tuple[int, ...] | None) -> None:
        self.blank = blank
        self.proposals = formula = blank.encode()
        self.placed = {Placement(*key): x for key, x in formula.families["place"].items()}  # type: ignore[arg-type]
        if hole is not None:
            with formula.group("the cell that is left over"):
                formula.clause([formula.families["left"](hole)])
        top = formula.top
        self.add_data()
        self.data = range(top + 1, formula.top + 1)

    @abstractmethod
    def add_data(self) -> None:
        """Add the variables of the data to the formula, and the constraints that link them with the tiling."""

    def placements(self, model: Model) -> list[Placement]:
        """The tiling of a proposal."""
        return [placement for placement, literal in self.placed.items() if literal in model]


class Colours(Tiled):
    """The colours of the board's cells."""

    def add_data(self) -> None:
        colours = sorted({shade for drawn in self.blank.drawn.values() for shade in drawn.values()} - {ANY_COLOUR})
        with self.proposals.group("a cell has the colour that lies on it"):
            self.colour = {
                cell: self.proposals.choice("colour", colours, decision=False, cell=cell) for cell in self.blank.cells
            }
            for placement, literal in self.placed.items():
                for shown in self._shown(placement):
                    self.proposals.implies(literal, shown)

    def _shown(self, placement: Placement) -> list[int]:
        shades = self.blank.drawn[placement.piece].values()
        return [self.colour[cell](s) for cell, s in zip(placement.cells, shades, strict=True) if s != ANY_COLOUR]

    def exclude(self, model: Model, puzzle: Puzzle, other: Sequence[Placement], new: Callable[[], int]) -> Iterator[Constraint]:
        yield Clause(tuple(-shown for placement in other for shown in self._shown(placement)))

    def puzzle(self, model: Model, rng: random.Random) -> tuple[Tiling, list[Placement]]:
        shades = (next(str(c) for c, x in choice.literals.items() if x in model) for choice in self.colour.values())
        board = "".join(next(shades) if character == ANY_COLOUR else character for character in self.blank.board)
        return Tiling.model_validate({**self.blank.model_dump(exclude_defaults=True), "board": board}), self.placements(model)


class Selection(Tiled):
    """The pieces that are used."""

    def add_data(self) -> None:
        with self.proposals.group("the pieces on the board are selected"):
            for kind in self.blank.kinds:
                there = self.proposals.variables("there", ("piece",), [(kind.name,)], decision=False)(kind.name)
                its = [literal for placement, literal in self.placed.items() if placement.piece == kind.name]
                for literal in its:
                    self.proposals.implies(literal, there)
                self.proposals.implies(there, *its)

    def exclude(self, model: Model, puzzle: Puzzle, other: Sequence[Placement], new: Callable[[], int]) -> Iterator[Constraint]:
        there = self.proposals.families["there"]
        yield Clause(tuple(sorted({-there(placement.piece) for placement in other})))

    def puzzle(self, model: Model, rng: random.Random) -> tuple[Tiling, list[Placement]]:
        placements = self.placements(model)
        pieces = {name: piece for name, piece in self.blank.pieces.items() if any(name == one.piece for one in placements)}
        return Tiling.model_validate(
            {**self.blank.model_dump(exclude_defaults=True), "pieces": pieces, "uses": (1, 1)}
        ), placements
