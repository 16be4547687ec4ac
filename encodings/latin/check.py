"""The check of Latin squares: it writes the symbols into grids and compares rows, columns,
diagonals and pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jigsat.encodings.latin.data import LatinData, Symbol

DIGITS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BLANK = "."
Pairs = set[tuple[str, str]]


def broken_rules(puzzle: LatinData, placements: Sequence[Symbol]) -> Iterator[str]:
    """Cells without exactly one symbol, changed givens, lines that lack a symbol, and pairs that
    occur twice."""
    n = len(puzzle.grid)
    grids = [puzzle.grid, *puzzle.mates]
    filled = [[[""] * n for _ in range(n)] for _ in grids]
    for cell, value in placements:
        s, r, c = cell if len(grids) > 1 else (0, *cell)
        is_cell = 0 <= s < len(grids) and 0 <= r < n and 0 <= c < n
        if is_cell and not filled[s][r][c]:
            filled[s][r][c] = value
        else:
            place = f"row {r + 1}, column {c + 1} of square {s + 1}"
            yield f"{place} is not a cell or holds two symbols"

    for number, (square, givens) in enumerate(zip(filled, grids, strict=True), 1):
        for where, wanted in _list_changed_givens(square, givens):
            yield f"{where} of square {number} does not hold the given {wanted}"
        symbols = {*(DIGITS if number == 1 else LETTERS)[:n]}
        for line, values in _lines(square, diagonals=puzzle.diagonals):
            if values != symbols:
                yield f"{line} of square {number} lacks {', '.join(sorted(symbols - values))}"

    for (i, one), (j, other) in combinations(enumerate(filled, 1), 2):
        if len(_list_pairs(one, other)) < n * n:
            yield f"a pair of symbols of the squares {i} and {j} occurs twice"


def _list_pairs(one: Sequence[Sequence[str]], other: Sequence[Sequence[str]]) -> Pairs:
    """The pairs of symbols at the same place of two squares."""
    pairs: Pairs = set()
    for row, beside in zip(one, other, strict=True):
        pairs.update(zip(row, beside, strict=True))
    return pairs


def _list_changed_givens(
    square: Sequence[Sequence[str]], givens: Sequence[Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """The place of each given that the square does not hold, and the given."""
    for r, row in enumerate(givens):
        for c, wanted in enumerate(row):
            if wanted not in (BLANK, square[r][c]):
                yield f"row {r + 1}, column {c + 1}", wanted


def _lines(square: list[list[str]], *, diagonals: bool) -> Iterator[tuple[str, set[str]]]:
    """Each line that must hold every symbol once, with its symbols."""
    for i, row in enumerate(square):
        yield f"row {i + 1}", {*row}
        yield f"column {i + 1}", {row[i] for row in square}
    if diagonals:
        yield "the diagonal from the top left", {row[i] for i, row in enumerate(square)}
        yield "the diagonal from the top right", {row[-1 - i] for i, row in enumerate(square)}
