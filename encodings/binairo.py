"""Binairo."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Self

from pydantic import model_validator

from jigsat.kit import (
    Answer,
    Cell,
    CellNumbers,
    Choice,
    ClueValues,
    GridPuzzle,
    Line,
    Rules,
    Values,
    draw_blank,
    layer,
    name_cell,
    walks,
)


class Digits(CellNumbers):
    """Digits, or the signs that other publishers print for them."""

    letters = {"o": 0, "O": 0, "○": 0, "⚪": 0, "x": 1, "X": 1, "●": 1, "⚫": 1}  # noqa: RUF012


class Binairo(GridPuzzle):
    """Write 0 or 1 into each cell. Each row and column has as many 0s as 1s, and nowhere three
    equal digits one after the other. No two rows are equal, and no two columns."""

    family = "binairo"
    other_names = ("Takuzu", "Binary Puzzle", "Binary Sudoku", "Binoxxo", "Tic-Tac-Logic", "Unruly")
    card = "As many 0s as 1s in each line, and nowhere three in a row."
    sizes = ((10, 10), (14, 14))

    given: Digits
    """The drawn grid: 0s and 1s that are given, and dots."""
    distinct: bool = True
    """Whether no two rows and no two columns may be equal."""

    @layer
    def digit(self) -> Values:
        return Values(
            self.grid.cells, [0, 1], "digit", "The cell has this digit.", givens=self.given
        )

    @model_validator(mode="after")
    def _is_even(self) -> Self:
        if self.grid.height % 2 or self.grid.width % 2:
            size = f"{self.grid.height}×{self.grid.width}"
            raise ValueError(f"given: {size} cells; rows and columns must be even numbers")
        return self

    def constrain(self, formula: Rules) -> None:
        digit = formula[self.digit]

        for thing, line in self.grid.lines.items():
            with formula.rule("as many 0s as 1s", *thing):
                formula.exactly(len(line) // 2, [digit[cell](1) for cell in line])

        for three in [*self.grid.blocks(1, 3), *self.grid.blocks(3, 1)]:
            ends = f"{name_cell(three[0])} to {name_cell(three[-1])}"
            with formula.rule("not three equal digits in a line", "cells", ends):
                formula.clause([digit[cell](0) for cell in three])
                formula.clause([digit[cell](1) for cell in three])

        if self.distinct:
            for kind, lines in (("rows", self.grid.rows), ("columns", self.grid.columns)):
                for (i, one), (k, other) in combinations(enumerate(lines, 1), 2):
                    with formula.rule("no two lines are equal", kind, f"{i} and {k}"):
                        make_distinct(formula, digit, one, other)

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(self.grid.height, self.grid.width, self.distinct, answer[self.digit])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str] | None:
        if height % 2 or width % 2:
            return None
        return {"given": draw_blank(height, width)}


def make_distinct(
    formula: Rules, digit: Mapping[Cell, Choice[int]], one: Line, other: Line
) -> None:
    """Two lines differ somewhere."""
    pairs = list(zip(one, other, strict=True))
    differ = formula.variables("differ", ("one", "other"), pairs, decision=False)
    formula.clause([differ(*pair) for pair in pairs])
    for first, second in pairs:
        ones = [digit[first](1), digit[second](1)]
        formula.xor([*ones, differ(first, second)], odd=False)


def check(
    height: int, width: int, distinct: bool, digit: Mapping[walks.Cell, int]
) -> Iterator[str]:
    """What is wrong with the digits."""
    words = {}
    for name, line in walks.rows_and_columns(height, width).items():
        words[name] = "".join(str(digit[cell]) for cell in line)
    for name, word in words.items():
        if word.count("0") != word.count("1"):
            yield f"{name} does not have as many 0s as 1s"
        if "000" in word or "111" in word:
            yield f"{name} has three equal digits one after the other"
    if distinct:
        names = list(words)
        yield from find_equal([words[name] for name in names[:height]], "rows")
        yield from find_equal([words[name] for name in names[height:]], "columns")


def find_equal(words: Sequence[str], kind: str) -> Iterator[str]:
    """Whether some lines are equal."""
    if len(set(words)) < len(words):
        yield f"two {kind} are equal"
