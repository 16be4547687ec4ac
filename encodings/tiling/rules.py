"""Tiling: pieces made of cells cover a board, in the plane or in space.

A piece may be shifted, turned and, in the plane, turned over. A coloured cell of a piece covers
only cells of the same colour or without a colour. Every cell is covered once, except that some
cells, or a stated number of cells, may stay empty. Variables and constraint groups, on a board of n
cells, of which m may stay empty, with p kinds of pieces and w placements in all:

- `place(piece, cells)`: the piece covers these cells; w decision variables.
- `left(cell)`: the cell is left over; m auxiliary variables, or none if any number of these cells
  may stay empty.

- "every cell is covered once": n exactly-one, over the placements that cover the cell and
  `left(cell)`; without `left`, m
  at-most-one and n - m exactly-one.
- "the stated number of cells is left over": one exactly-k or between, or none.
- "every piece is used the allowed number of times": p exactly-k or between; none for a piece that
  may be used any number of
  times.
- "the required number of pieces of each group": one exactly-k or between per group, if the instance
  has groups.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from jigsat.encodings.tiling.check import Checker
from jigsat.encodings.tiling.data import Placement, TilingData

from jigsat.boards.lattice import Cell
from jigsat.formula import Formula
from jigsat.pieces.cells import ANY_COLOUR, ShapePlacement, shape_placements, shape_symmetries
from jigsat.pieces.groups import require_numbers
from jigsat.symmetry import ColouredGraph, Symmetry
from jigsat.words import name_place


class Tiling(TilingData):
    """Pieces that cover a board."""

    @cached_property
    def candidates(self) -> dict[Placement, ShapePlacement]:
        """Every placement, with the piece as it is placed."""
        every = shape_placements(self.cells, self.lattice_board, self.kinds)
        return {Placement(lie.kind.name, lie.cells): lie for lie in every}

    def encode(self) -> Formula:
        formula = Formula()
        known = {"piece": [kind.name for kind in self.kinds], "cells": ()}
        # pieces that fit nowhere have no placement
        place = formula.variables("place", known, self.candidates)
        covering: dict[Cell, list[int]] = {cell: [] for cell in self.cells}
        for placement in self.candidates:
            for cell in placement.cells:
                covering[cell].append(place(*placement))

        optional = {
            cell: literals for cell, literals in covering.items() if cell in self.optional_cells
        }
        counted = optional and self.empty != (0, len(optional))
        if counted:
            cells, meaning = ((cell,) for cell in optional), "The cell stays free."
            left = formula.variables("left", ("cell",), cells, decision=False, meaning=meaning)
            for cell, literals in optional.items():
                literals.append(left(cell))
            with (
                formula.group("the stated number of cells is left over"),
                formula.rule("the number of cells left over"),
            ):
                formula.between(*self.empty, left[:])

        with formula.group("every cell is covered once"):
            for cell, literals in covering.items():
                name = name_place(cell)
                with (
                    formula.rule(f"cell {name}")
                    if cell in optional
                    else formula.requirement("cell", name, "covered")
                ):
                    (
                        formula.at_most_one
                        if cell in optional and not counted
                        else formula.exactly_one
                    )(literals)

        with formula.group("every piece is used the allowed number of times"):
            for kind in self.kinds:
                its = place[kind.name, :]
                if kind.least > 0 or kind.most < len(its):
                    with formula.requirement("piece", kind.words, "placed"):
                        formula.between(kind.least, min(kind.most, len(its)), its)
        require_numbers(
            formula, self.groups, ((kind.groups, place[kind.name, :]) for kind in self.kinds)
        )
        return formula

    def symmetries(self) -> Iterator[Symmetry]:
        """The motions of the board; none if it has letters, because a turned solution leaves
        different letters free."""
        if self.letters is not None:
            return iter(())
        looks = {
            cell: colour + "+" * (cell in self.optional_cells)
            for cell, colour in self.cells.items()
        }
        return shape_symmetries(looks, self.lattice_board, self.candidates)

    def graph(self) -> ColouredGraph | None:
        """The board and the pieces are isolated vertices, whichever way they are drawn."""
        if self.groups or self.lettered or self.optional or self.lattice_board.periods:
            return None
        lattice, here = self.lattice_board.lattice, self.lattice_board.coordinates.values()
        turns = lattice.allowed_motions(turning=self.turning, turning_over=self.turning_over)
        boards = (lattice.at_origin(turn.images(here)) for turn in turns)
        board = min(sorted(zip(board, self.cells.values(), strict=True)) for board in boards)
        pieces = (f"{kind.least} {kind.most} {min(map(sorted, kind.ways))}" for kind in self.kinds)
        return ColouredGraph([self.entries_without("board", "pieces"), str(board), *pieces], [])

    @cached_property
    def _checker(self) -> Checker:
        return Checker(self)

    def check(self, placements: Sequence[Placement]) -> Iterator[str]:
        return self._checker.broken_rules(placements)

    def warnings(self) -> Iterator[str]:
        """Colours of a single cell of the board that no piece can cover."""
        shown = {colour for drawn in self.drawn.values() for colour in drawn.values()}
        for colour, number in Counter(self.cells.values()).items():
            if number == 1 and ANY_COLOUR not in {colour, *shown} and colour not in shown:
                yield (
                    f"the colour {colour!r} is on one cell of the board and on no piece; "
                    f"correct it if it is misspelt"
                )
