"""The entries of a Latin square instance: the square with its givens, and squares that are
orthogonal to it."""

from collections.abc import Collection
from functools import cached_property
from typing import NamedTuple, Self

from pydantic import model_validator

from jigsat.boards.drawings import BLANK, DIGITS, DrawnSquare, check_square
from jigsat.puzzle import Puzzle
from jigsat.words import name_place

LETTERS = DIGITS[9:]

Cell = tuple[int, ...]
"""Row and column, counted from 0 at the top left; if there are mates, the number of the square
before them."""


class Symbol(NamedTuple):
    """The cell holds the symbol."""

    cell: Cell
    value: str


class LatinData(Puzzle[Symbol]):
    family = "latin"
    chapter = "Latin squares"
    rule = "Fill the square so that every row and column holds each symbol once."
    equally_often = True
    cell_field = "cell"
    piece_field = "value"
    several = ("grids", "grid")

    grid: DrawnSquare
    """The drawn square: a digit for each given, a letter for symbols after 9, and one of . 0 _ for
    a blank."""
    mates: tuple[DrawnSquare, ...] = ()
    """Squares that are orthogonal to this one and to each other, drawn in the same way with the
    letters A, B, C, …"""
    diagonals: bool = False
    """Whether each long diagonal of each square holds each symbol once."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        n = self.order
        if not n:
            raise ValueError("grid: the square has no rows")
        if n > (most := len(LETTERS if self.mates else DIGITS)):
            raise ValueError(f"grid: {n} rows; the limit is {most}, the number of symbols")
        for number, (place, square) in enumerate(self._named_squares):
            check_square(place, square, n, self.symbols(number))
        return self

    @property
    def _named_squares(self) -> list[tuple[str, tuple[str, ...]]]:
        """The place of each square in the file, and its rows."""
        return [("grid", self.grid), *((f"mates.{i}", mate) for i, mate in enumerate(self.mates))]

    @property
    def order(self) -> int:
        """The number of rows, of columns and of symbols."""
        return len(self.grid)

    def symbols(self, square: int) -> str:
        """The symbols of a square: digits for the first one, letters for its mates."""
        return (LETTERS if square else DIGITS)[: self.order]

    def cell(self, square: int, row: int, column: int) -> Cell:
        """A cell; without mates it is only a row and a column."""
        return (square, row, column) if self.mates else (row, column)

    @cached_property
    def squares(self) -> list[list[list[Cell]]]:
        """The cells of each square, row by row."""
        n = range(self.order)
        squares = []
        for s in range(1 + len(self.mates)):
            squares.append([[self.cell(s, r, c) for c in n] for r in n])
        return squares

    @property
    def givens(self) -> dict[Cell, str]:
        cells = [cell for square in self.squares for row in square for cell in row]
        characters = "".join(row for _, rows in self._named_squares for row in rows)
        return {
            cell: value for cell, value in zip(cells, characters, strict=True) if value != BLANK
        }

    def clues(self) -> dict[str, frozenset[Symbol]]:
        return {
            self.place(cell): frozenset([Symbol(cell, value)])
            for cell, value in self.givens.items()
        }

    def name_cell(self, cell: Cell) -> str:
        """A cell in sentences; if there are several squares, also which one it is in."""
        name = name_place(cell[-2:])
        return f"{name} of square {cell[0] + 1}" if self.mates else name

    def place(self, cell: Cell) -> str:
        """The place of a cell in the file."""
        square = cell[0] if self.mates else 0
        return f"{self._named_squares[square][0]} r{cell[-2] + 1}c{cell[-1] + 1}"

    def with_clues(self, placements: Collection[Symbol]) -> Self:
        shown = dict(placements)
        grids = []
        for square in self.squares:
            rows = ["".join(shown.get(cell, BLANK) for cell in row) for row in square]
            grids.append(tuple(rows))
        return self.model_copy(update={"grid": grids[0], "mates": tuple(grids[1:])})
