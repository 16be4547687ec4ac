"""The check of a sudoku: it compares the digits in the rows, columns, boxes and regions of the filled grid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jigsat.encodings.sudoku.data import Digit, SudokuData

DIGITS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BLANK = "."


def broken_rules(puzzle: SudokuData, placements: Sequence[Digit]) -> Iterator[str]:
    """Cells without exactly one digit, changed givens, and areas that lack a digit."""
    n = puzzle.size
    filled = [[""] * n for _ in puzzle.grid]
    for (r, c), value in placements:
        if not (0 <= r < n and 0 <= c < n) or filled[r][c]:
            yield f"row {r + 1}, column {c + 1} is not a cell or holds two digits"
        else:
            filled[r][c] = value
    for r, (given, row) in enumerate(zip(puzzle.grid, filled, strict=True)):
        for c, wanted in enumerate(given):
            if wanted != BLANK and wanted != row[c]:
                yield f"row {r + 1}, column {c + 1} does not hold the given {wanted}"
    digits = {*DIGITS[:n]}
    for area, numbers, values in _areas(puzzle, filled):
        if {*values} != digits:
            yield f"{area.format(*numbers)} lacks {', '.join(sorted(digits - {*values}))}"


def _areas(puzzle: SudokuData, filled: list[list[str]]) -> Iterator[tuple[str, tuple[object, ...], Iterable[str]]]:
    """The digits in each area that must hold every digit once, preceded by the area in words and the numbers in them."""
    for i, (row, column) in enumerate(zip(filled, zip(*filled, strict=True), strict=True), 1):
        yield "row {}", (i,), row
        yield "column {}", (i,), column
    if puzzle.regions is None:
        down, across = puzzle.box_shape
        for top in range(0, puzzle.size, down):
            for left in range(0, puzzle.size, across):
                box = [digit for row in filled[top : top + down] for digit in row[left : left + across]]
                yield "the box from row {}, column {}", (top + 1, left + 1), box
    for kind, drawn in (("region", puzzle.regions or ()), ("extra region", puzzle.extra or ())):
        for name in {*"".join(drawn)} - {BLANK if kind == "extra region" else ""}:
            region = [filled[r][c] for r, row in enumerate(drawn) for c, at in enumerate(row) if at == name]
            yield f"{kind} {{}}", (name,), region
    if puzzle.diagonals:
        yield "the diagonal from the top left", (), [row[i] for i, row in enumerate(filled)]
        yield "the diagonal from the top right", (), [row[-1 - i] for i, row in enumerate(filled)]
