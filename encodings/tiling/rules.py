"""Tiling: pieces made of cells cover a board, in the plane or in space.

A piece may be shifted, turned and, in the plane, turned over. A coloured cell of a piece covers
only cells of the same colour or without a colour. Every cell is covered once, except that some
cells, or a stated number of cells, may stay empty. Variables and rules, on a board of n cells, of
which m may stay empty, with p kinds of pieces and w placements in all:

- `place(piece, cells)`: the piece covers these cells; w decision variables.
- `left(cell)`: the cell is left over; m auxiliary variables, or none if any number of these cells
  may stay empty.

- "every cell is covered once": n exactly-one, over the placements that cover the cell and
  `left(cell)`; without `left`, m at-most-one and n - m exactly-one.
- "the stated number of cells is left over": one exactly-k or between, or none.
- "every piece is used the allowed number of times": p exactly-k or between; none for a piece that
  may be used any number of times.
- "the required number of pieces of each group": one exactly-k or between per group, if the instance
  has groups.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from jigsat.encodings.tiling.check import Checker
from jigsat.encodings.tiling.data import Placement, TilingData

from jigsat.boards.lattice import Cell
from jigsat.formula import Formula, Variables
from jigsat.pieces.cells import ANY_COLOUR, ShapePlacement, shape_placements, shape_symmetries
from jigsat.pieces.groups import require_numbers
from jigsat.symmetry import ColouredGraph, Symmetry

LEFT_MEANING = "The cell stays free."


class Tiling(TilingData):
    """Pieces that cover a board."""

    @cached_property
    def candidates(self) -> dict[Placement, ShapePlacement]:
        """Every placement, with the piece as it is placed."""
        shapes = shape_placements(self.cells, self.lattice_board, self.kinds)
        return {Placement(shape.kind.name, shape.cells): shape for shape in shapes}

    def encode(self) -> Formula:
        formula = Formula()
        # Pieces that fit nowhere can be asked for as well.
        axes = {"piece": [kind.name for kind in self.kinds], "cells": ()}
        place = formula.variables("place", axes, self.candidates)
        covering: dict[Cell, list[int]] = {cell: [] for cell in self.cells}
        for placement in self.candidates:
            for cell in placement.cells:
                covering[cell].append(place(*placement))

        optional = [cell for cell in self.cells if cell in self.optional_cells]
        are_counted = bool(optional) and self.empty != (0, len(optional))
        if are_counted:
            left = self.count_left_over(formula, optional)
            for cell in optional:
                covering[cell].append(left(cell))

        self._cover_cells(formula, covering, are_counted)
        self._use_pieces(formula, place)
        placed = [(kind.groups, place[kind.name, :]) for kind in self.kinds]
        require_numbers(formula, self.groups, placed)
        return formula

    def _cover_cells(
        self, formula: Formula, covering: Mapping[Cell, Sequence[int]], are_counted: bool
    ) -> None:
        """Each cell has one of the literals that cover it; a cell that may be left over has one of
        them that says so if such cells are counted."""
        for cell, literals in covering.items():
            must_be = "" if cell in self.optional_cells else "covered"
            with formula.rule("every cell is covered once", "cell", cell, must_be=must_be):
                if cell in self.optional_cells and not are_counted:
                    formula.at_most_one(literals)
                else:
                    formula.exactly_one(literals)

    def _use_pieces(self, formula: Formula, place: Variables) -> None:
        for kind in self.kinds:
            placements = place[kind.name, :]
            if kind.least > 0 or kind.most < len(placements):
                rule = "every piece is used the allowed number of times"
                which = kind.words or kind.name  # no words if none must be used
                with formula.rule(rule, "piece", which, must_be="placed"):
                    formula.between(kind.least, min(kind.most, len(placements)), placements)

    def count_left_over(self, formula: Formula, cells: Sequence[Cell]) -> Variables:
        """A variable for each of these cells, which is true if it is left over; so many are as the
        puzzle states."""
        left = formula.variables(
            "left", ("cell",), [(cell,) for cell in cells], decision=False, meaning=LEFT_MEANING
        )
        with formula.rule(
            "the stated number of cells is left over", "number", "of cells left over"
        ):
            formula.between(*self.empty, left[:])
        return left

    def symmetries(self) -> Iterator[Symmetry]:
        """The motions of the board; none if it has letters, because a turned solution leaves
        different letters free."""
        if self.letters is not None:
            return iter(())
        looks = {}
        for cell, colour in self.cells.items():
            looks[cell] = f"{colour}+" if cell in self.optional_cells else colour
        return shape_symmetries(looks, self.lattice_board, self.candidates, self.motions)

    def graph(self) -> ColouredGraph | None:
        """The board and the pieces are isolated vertices, whichever way they are drawn."""
        if self.groups or self.lettered or self.optional or self.lattice_board.periods:
            return None
        rest = self.entries_without("board", "pieces")
        return ColouredGraph([rest, self._describe_board(), *self._describe_pieces()], [])

    def _describe_board(self) -> str:
        """The cells with their colours, turned so that the description is the smallest."""
        lattice = self.lattice_board.lattice
        cells = self.lattice_board.coordinates.values()
        descriptions = []
        for motion in self.motions:
            turned = lattice.at_origin(motion.images(cells))
            descriptions.append(sorted(zip(turned, self.cells.values(), strict=True)))
        return str(min(descriptions))

    def _describe_pieces(self) -> list[str]:
        """How often each piece is used, and its cells, turned so that the description is the
        smallest."""
        descriptions = []
        for kind in self.kinds:
            cells = min(sorted(way) for way in kind.ways)
            descriptions.append(f"{kind.least} {kind.most} {cells}")
        return descriptions

    @cached_property
    def _checker(self) -> Checker:
        return Checker(self)

    def check(self, placements: Sequence[Placement]) -> Iterator[str]:
        return self._checker.broken_rules(placements)

    def warnings(self) -> Iterator[str]:
        """Colours of a single cell of the board that no piece can cover."""
        on_pieces = {colour for cells in self.drawn.values() for colour in cells.values()}
        if ANY_COLOUR in on_pieces:
            return
        for colour, number in Counter(self.cells.values()).items():
            if number == 1 and colour != ANY_COLOUR and colour not in on_pieces:
                yield (
                    f"the colour {colour!r} is on one cell of the board and on no piece; "
                    f"correct it if it is misspelt"
                )
