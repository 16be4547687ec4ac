"""Sudoku: each cell of a grid holds a digit so that every row, column and box holds each digit
once.

Variables and constraint groups, on a grid of n×n cells with n digits, 1 to 9 and then A, B, …:

- `digit(cell, value)`: the cell holds the digit; one choice per cell, n³ decision variables.

- "each cell holds one digit": n² exactly-one.
- "each digit once per row", "… column", "… box": n² exactly-one each. If regions are drawn, as in a
  jigsaw sudoku, "… region"
  replaces "… box". "… diagonal" (2n) and "… extra region" (n per region) are added if the puzzle
  has them.
- "givens": one clause per given digit.
- "candidates": one clause per blank cell whose candidates are stated.

Many of these constraints follow from the others, for example that a digit is somewhere in its row.
These redundant constraints strengthen propagation.
"""

from collections.abc import Iterator

from jigsat.encodings.sudoku.check import broken_rules
from jigsat.encodings.sudoku.data import Cell, Digit, SudokuData

from jigsat.boards.drawings import DIGITS
from jigsat.boards.lattice import motions
from jigsat.formula import Choice, Formula
from jigsat.puzzle import Reason
from jigsat.symmetry import ColouredGraph, Symmetry, symbol_symmetries
from jigsat.words import name_place


class Sudoku(SudokuData):
    """A sudoku, to be filled in."""

    check = broken_rules

    def encode(self) -> Formula:
        formula = Formula()
        values = DIGITS[: self.size]
        digit: dict[Cell, Choice] = {}
        for cell in self.cells:
            with formula.rule("each cell holds one digit", "cell", cell):
                digit[cell] = formula.choice("digit", values, key=Digit, cell=cell)

        for kind, houses in self.houses.items():
            for i, house in enumerate(houses, 1):
                with formula.rule(f"each digit once per {kind}", kind, i):
                    for value in values:
                        formula.exactly_one(digit[cell](value) for cell in house)

        for cell, value in self.givens.items():
            with formula.rule("givens", "given", cell):
                formula.clause([digit[cell](value)])

        for cell, candidates in self.restricted.items():
            with formula.rule("candidates", "candidates", cell):
                formula.clause([digit[cell](value) for value in candidates])
        return formula

    def symmetries(self) -> Iterator[Symmetry]:
        """Motions that keep the houses, with permutations of the digits; those of rows would be too
        many to list. None is declared with candidates, which few of them keep."""
        if self.restricted:
            return iter(())
        houses = {frozenset(house) for houses in self.houses.values() for house in houses}
        moves = []
        for motion in motions(2):
            move = {
                cell: (r, c)
                for cell, (r, c) in zip(self.cells, motion.apply(self.cells), strict=True)
            }
            if {frozenset(map(move.__getitem__, house)) for house in houses} == houses:
                moves.append((motion.level, move))
        return symbol_symmetries(Digit, [(self.cells, DIGITS[: self.size])], moves, self.givens)

    def graph(self) -> ColouredGraph | None:
        """Cells are joined to the houses that contain them and to their digits. Rows and columns
        may be exchanged. There is none with candidates."""
        if self.restricted:
            return None
        n = self.size
        kinds = {"row": "line", "column": "line"}
        colours = ["cell"] * n**2 + ["digit"] * n
        edges: list[tuple[int, int]] = []
        for kind, houses in self.houses.items():
            for house in houses:
                edges += [(r * n + c, len(colours)) for r, c in house]
                colours.append(kinds.get(kind, kind))
        edges += [(r * n + c, n**2 + DIGITS.index(value)) for (r, c), value in self.givens.items()]
        return ColouredGraph(colours, edges)

    def reasons(self) -> Iterator[Reason]:
        from jigsat.pieces.counting import Houses

        named = []
        for kind, houses in self.houses.items():
            for i, house in enumerate(houses, 1):
                if kind in ("row", "column"):
                    named.append((f"{kind} {i}", house))
                else:
                    named.append((f"the {kind} of {name_place(house[0])}", house))
        for words, cells in Houses(named, DIGITS[: self.size], self.givens, name_place).faults():
            marked = [Digit(cell, self.givens[cell]) for cell in self.cells if cell in cells]
            yield Reason(words, frozenset(marked))
