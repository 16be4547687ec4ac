"""The entries of a sudoku instance: the grid with its givens, and its boxes or regions."""

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator
from functools import cache, cached_property
from typing import Annotated, Any, NamedTuple, Self

from pydantic import BeforeValidator, PlainSerializer, model_validator

from jigsat.boards.drawings import BLANK, DIGITS, DrawnRows, DrawnSquare, check_square
from jigsat.links import LetterNumbers, Link
from jigsat.puzzle import Puzzle
from jigsat.words import name_place

Cell = tuple[int, int]


class Digit(NamedTuple):
    """The cell, its row and column counted from 0 at the top left, holds the digit."""

    cell: Cell
    value: str


@cache  # a file may have thousands of sudokus, which have most clues in common
def _clue(given: tuple[Cell, str]) -> tuple[str, frozenset[Digit]]:
    """The place of a given digit in the file, and its placement."""
    (r, c), value = given
    return f"grid r{r + 1}c{c + 1}", frozenset([Digit((r, c), value)])


def _split_rows(data: Any) -> tuple[str, ...]:
    """The rows of candidates, with one space between two groups."""
    rows = data.strip().splitlines() if isinstance(data, str) else data
    if not isinstance(rows, list | tuple) or not all(isinstance(row, str) for row in rows):
        raise ValueError("expected rows of groups of digits")
    return tuple(" ".join(row.upper().split()) for row in rows)


ListedCandidates = Annotated[
    tuple[str, ...],
    BeforeValidator(_split_rows, json_schema_input_type=str | list[str]),
    PlainSerializer("\n".join),
]


class SudokuData(Puzzle[Digit]):
    family = "sudoku"
    other_names = ("Number Place", "Nanpure")
    chapter = "Sudokus"
    rule = "Fill the grid so that every row, column and box holds each digit once."
    equally_often = True
    cell_field = "cell"
    piece_field = "value"
    several = ("grids", "grid")
    link = Link("sudoku", [LetterNumbers("grid")])

    grid: DrawnSquare
    """The drawn grid: a digit or letter for each given, and one of . 0 _ for a blank."""
    box: str | None = None
    """The size of a box, ROWSxCOLUMNS, such as "2x3"; default: as square as possible."""
    regions: DrawnRows | None = None
    """Regions instead of boxes, drawn with one character per region."""
    diagonals: bool = False
    """Whether each long diagonal holds each digit once."""
    extra: DrawnRows | None = None
    """Further regions that hold each digit once, drawn in the same way, with a dot on cells outside
    them."""
    candidates: ListedCandidates | None = None
    """The digits that each cell may hold: rows of groups of digits with spaces between them."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        n = self.size
        if not 1 < n <= len(DIGITS):
            raise ValueError(f"grid: {n} rows; there are digits for 2 to {len(DIGITS)}")
        check_square("grid", self.grid, n, DIGITS[:n])
        for name, rows in (("regions", self.regions), ("extra", self.extra)):
            if rows is not None:
                check_square(name, rows, n)
                for character, there in Counter("".join(rows)).items():
                    if there != n and (name, character) != ("extra", BLANK):
                        raise ValueError(
                            f"{name}: {character!r} is drawn on {there} cells, but a region has {n}"
                        )
        for complaint in self._wrong_candidates():
            raise ValueError(complaint)
        if self.regions is None:
            self.box_shape  # noqa: B018  # raises what is wrong with it
        elif self.box is not None:
            raise ValueError("box: cannot be combined with `regions`; remove one of the two")
        return self

    def _wrong_candidates(self) -> Iterator[str]:
        if self.candidates is None:
            return
        n = self.size
        rows = [row.split() for row in self.candidates]
        if len(rows) != n or any(len(row) != n for row in rows):
            yield f"candidates: expected {n} rows of {n} groups of digits"
        for r, row in enumerate(rows):
            for c, group in enumerate(row):
                where = f"candidates: row {r + 1}, column {c + 1}"
                if not set(group) <= {*DIGITS[:n]} or len(set(group)) < len(group):
                    yield f"{where} is {group[:40]!r}; write digits from {DIGITS[:n]}, each once"
                given = self.grid[r][c]
                if given not in (BLANK, *group):
                    yield f"{where} is {group}, but the grid has {given} there"

    @property
    def restricted(self) -> dict[Cell, str]:
        """The blank cells that may not hold every digit, with their candidates."""
        groups = {}
        for r, row in enumerate(self.candidates or ()):
            for c, group in enumerate(row.split()):
                if self.grid[r][c] == BLANK and len(group) < self.size:
                    groups[r, c] = group
        return groups

    @property
    def size(self) -> int:
        """The number of digits, and of cells in a row."""
        return len(self.grid)

    @property
    def cells(self) -> list[Cell]:
        n = self.size
        return [(r, c) for r in range(n) for c in range(n)]

    @property
    def givens(self) -> dict[Cell, str]:
        return {
            (r, c): value
            for r, row in enumerate(self.grid)
            for c, value in enumerate(row)
            if value != BLANK
        }

    @cached_property
    def box_shape(self) -> tuple[int, int]:
        n = self.size
        if self.box is None:
            down = max(i for i in range(1, math.isqrt(n) + 1) if n % i == 0)
            if down == 1:
                raise ValueError(
                    f"grid: {n} rows cannot be divided into boxes; draw `regions`, or write box "
                    f"= '1x{n}' for no boxes"
                )
            return down, n // down
        shape = re.fullmatch(r"([1-9][0-9]?)x([1-9][0-9]?)", self.box)
        if not shape or int(shape[1]) * int(shape[2]) != n:
            raise ValueError(
                f"box: {self.box!r} fits no {n}×{n} grid; write ROWSxCOLUMNS with the product {n}"
            )
        return int(shape[1]), int(shape[2])

    @cached_property
    def houses(self) -> dict[str, list[list[Cell]]]:
        """The houses, which are the sets of cells that hold each digit once, by kind."""
        label: dict[str, Callable[[int, int], Hashable]] = {
            "row": lambda r, c: r,
            "column": lambda r, c: c,
        }
        if (regions := self.regions) is not None:
            label["region"] = lambda r, c: regions[r][c]
        else:
            down, across = self.box_shape
            label["box"] = lambda r, c: (r // down, c // across)
        if (extra := self.extra) is not None:
            label["extra region"] = lambda r, c: extra[r][c].strip(BLANK) or None
        houses: dict[str, list[list[Cell]]] = {}
        for kind, of in label.items():
            cells_of: dict[Hashable, list[Cell]] = {}
            for cell in self.cells:
                cells_of.setdefault(of(*cell), []).append(cell)
            houses[kind] = [house for at, house in cells_of.items() if at is not None]
        if self.diagonals:
            houses["diagonal"] = [
                [(i, i) for i in range(self.size)],
                [(i, self.size - 1 - i) for i in range(self.size)],
            ]
        return houses

    def clues(self) -> dict[str, frozenset[Digit]]:
        clues = dict(map(_clue, self.givens.items()))
        for cell, group in self.restricted.items():
            clues[f"candidates {name_place(cell)}"] = frozenset(Digit(cell, x) for x in group)
        return clues

    def with_clues(self, placements: Collection[Digit]) -> Self:
        rows = [[BLANK] * self.size for _ in range(self.size)]
        for (r, c), value in placements:
            rows[r][c] = value
        return self.model_copy(update={"grid": tuple(map("".join, rows)), "candidates": None})
