"""Tilings to be made of a drawn board: its colours are invented, or which pieces of a set there are.

Where pieces have colours, the colours of the board's cells are the data, and a rival is another way to lay the pieces on them.
Where they have none, the pieces that there are, each once, are the data, and a rival is another way to lay just these.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from jigsat.encodings.tiling.data import Piece, Placement
from jigsat.encodings.tiling.rules import Tiling
from pydantic import NonNegativeInt, model_validator

from jigsat.boards.lattice import Drawing
from jigsat.formula import Clause, Constraint
from jigsat.generation import Inventing, Invention, Maker
from jigsat.generation import Wishes as BaseWishes
from jigsat.pieces.cells import ANY_COLOUR
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Model

STRIPS = {strip: Piece(shape=strip) for strip in ("www", "wwb", "wbw", "wbb", "bwb", "bbb", "ww", "wb", "bb")}


class Wishes(BaseWishes):
    """A unique tiling of a board, whose colours do not matter, by nine strips in black and white or by other pieces.

    `left_over` is how many cells are left over: as many as the pieces leave, if they have colours, else none. `hole` is the
    cell that is to be left over, counted from 0.
    """

    board: Drawing = "\n".join(["#####"] * 5)
    pieces: dict[str, Piece] = STRIPS
    left_over: NonNegativeInt | None = None
    hole: tuple[int, ...] | None = None
    turning: bool = True
    turning_over: bool = True

    @model_validator(mode="after")
    def _consistent(self) -> Wishes:
        blank = self.blank()
        if self.hole is not None and self.hole not in blank.cells:
            raise ValueError(f"hole: the board has no cell {self.hole}")
        if self.hole is not None and not blank.left_over:
            raise ValueError("hole: no cell is left over")
        return self

    def blank(self) -> Tiling:
        """The puzzle with a board that has no colours, and where they have none either, pieces that may be left over."""
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

    def maker(self) -> Maker:
        blank = self.blank()
        return Inventing((Selection if blank.uses == (0, 1) else Colours)(blank, self.hole))


class Tiled(Invention):
    """What both have in common: a proposal is a tiling of the board without colours."""

    def __init__(self, blank: Tiling, hole: tuple[int, ...] | None) -> None:
        self.blank = blank
        self.proposals = formula = blank.encode()
        self.lying = {Placement(*key): x for key, x in formula.families["place"].items()}  # type: ignore[arg-type]
        if hole is not None:
            with formula.group("the cell that is left over"):
                formula.clause([formula.families["left"](hole)])
        top = formula.top
        self.invent()
        self.data = range(top + 1, formula.top + 1)

    @abstractmethod
    def invent(self) -> None:
        """Add the variables of the data to the formula, and how they hang together with the tiling."""

    def placements(self, true: Model) -> list[Placement]:
        """The tiling of a proposal."""
        return [lying for lying, literal in self.lying.items() if literal in true]


class Colours(Tiled):
    """The colours of the board's cells."""

    def invent(self) -> None:
        colours = sorted({shade for drawn in self.blank.drawn.values() for shade in drawn.values()} - {ANY_COLOUR})
        with self.proposals.group("a cell has the colour that lies on it"):
            self.colour = {
                cell: self.proposals.choice("colour", colours, decision=False, cell=cell) for cell in self.blank.cells
            }
            for lying, literal in self.lying.items():
                for shown in self._shown(lying):
                    self.proposals.implies(literal, shown)

    def _shown(self, lying: Placement) -> list[int]:
        shades = self.blank.drawn[lying.piece].values()
        return [self.colour[cell](s) for cell, s in zip(lying.cells, shades, strict=True) if s != ANY_COLOUR]

    def against(self, true: Model, puzzle: Puzzle, rival: Sequence[Placement], new: Callable[[], int]) -> Iterator[Constraint]:
        yield Clause(tuple(-shown for lying in rival for shown in self._shown(lying)))

    def puzzle(self, true: Model, rng: random.Random) -> tuple[Tiling, list[Placement]]:
        shades = (next(str(c) for c, x in choice.literals.items() if x in true) for choice in self.colour.values())
        board = "".join(next(shades) if character == ANY_COLOUR else character for character in self.blank.board)
        return Tiling.model_validate({**self.blank.model_dump(exclude_defaults=True), "board": board}), self.placements(true)


class Selection(Tiled):
    """Which pieces there are."""

    def invent(self) -> None:
        with self.proposals.group("the pieces that lie are there"):
            for kind in self.blank.kinds:
                there = self.proposals.variables("there", ("piece",), [(kind.name,)], decision=False)(kind.name)
                its = [literal for lying, literal in self.lying.items() if lying.piece == kind.name]
                for literal in its:
                    self.proposals.implies(literal, there)
                self.proposals.implies(there, *its)

    def against(self, true: Model, puzzle: Puzzle, rival: Sequence[Placement], new: Callable[[], int]) -> Iterator[Constraint]:
        there = self.proposals.families["there"]
        yield Clause(tuple(sorted({-there(lying.piece) for lying in rival})))

    def puzzle(self, true: Model, rng: random.Random) -> tuple[Tiling, list[Placement]]:
        lying = self.placements(true)
        pieces = {name: piece for name, piece in self.blank.pieces.items() if any(name == one.piece for one in lying)}
        return Tiling.model_validate({**self.blank.model_dump(exclude_defaults=True), "pieces": pieces, "uses": (1, 1)}), lying
