"""The check of a sudoku: it compares the digits in the rows, columns, boxes and regions of the
filled grid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jigsat.encodings.sudoku.data import Digit, SudokuData

DIGITS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BLANK = "."

Drawing = tuple[str, ...]  # regions, drawn with one character per region


def broken_rules(puzzle: SudokuData, placements: Sequence[Digit]) -> Iterator[str]:
    """Cells without exactly one digit, changed givens, and areas that lack a digit."""
    n = puzzle.size
    filled = [""] * n**2  # the digits row by row
    for (row, column), digit in placements:
        is_cell = 0 <= row < n and 0 <= column < n
        if not is_cell or filled[row * n + column]:
            yield f"row {row + 1}, column {column + 1} is not a cell or holds two digits"
        else:
            filled[row * n + column] = digit
    yield from _find_changed_givens(puzzle, filled)
    yield from _find_wrong_candidates(puzzle, filled)

    box = puzzle.box_shape if puzzle.regions is None else None
    digits = set(DIGITS[:n])
    for area, cells in _list_areas(n, box, puzzle.regions, puzzle.extra, puzzle.diagonals):
        lacking = digits.difference([filled[cell] for cell in cells])
        if lacking:
            yield f"{area} lacks {', '.join(sorted(lacking))}"


def _find_changed_givens(puzzle: SudokuData, filled: Sequence[str]) -> Iterator[str]:
    n = puzzle.size
    for i, given in enumerate("".join(puzzle.grid)):
        if given != BLANK and given != filled[i]:
            yield f"row {i // n + 1}, column {i % n + 1} does not hold the given {given}"


def _find_wrong_candidates(puzzle: SudokuData, filled: Sequence[str]) -> Iterator[str]:
    if puzzle.candidates is None:
        return
    n = puzzle.size
    for row, line in enumerate(puzzle.candidates):
        for column, allowed in enumerate(line.split()):
            # a square that is not filled is reported with its row
            if filled[row * n + column] not in allowed:
                yield (
                    f"row {row + 1}, column {column + 1} does not hold one of the candidates "
                    f"{allowed}"
                )


@lru_cache
def _list_areas(
    n: int,
    box: tuple[int, int] | None,
    regions: Drawing | None,
    extra: Drawing | None,
    diagonals: bool,
) -> list[tuple[str, list[int]]]:
    """The cells of each area that holds every digit once, numbered row by row; shared by all
    sudokus of a file."""
    areas: list[tuple[str, list[int]]] = []
    for i in range(n):
        areas.append((f"row {i + 1}", [i * n + j for j in range(n)]))
    for i in range(n):
        areas.append((f"column {i + 1}", [j * n + i for j in range(n)]))
    if box:
        areas += _list_boxes(n, *box)
    if regions:
        areas += _list_regions("region", regions)
    if extra:
        areas += _list_regions("extra region", extra)
    if diagonals:
        areas.append(("the diagonal from the top left", [i * n + i for i in range(n)]))
        areas.append(("the diagonal from the top right", [i * n + n - 1 - i for i in range(n)]))
    return areas


def _list_boxes(n: int, height: int, width: int) -> Iterator[tuple[str, list[int]]]:
    for top, left in product(range(0, n, height), range(0, n, width)):
        rows = range(top, top + height)
        columns = range(left, left + width)
        cells = [row * n + column for row, column in product(rows, columns)]
        yield f"the box from row {top + 1}, column {left + 1}", cells


def _list_regions(kind: str, drawing: Drawing) -> Iterator[tuple[str, list[int]]]:
    """The cells of each character in a drawing."""
    characters = "".join(drawing)
    for name in sorted(set(characters)):
        if name != BLANK or kind == "region":
            cells = [i for i, character in enumerate(characters) if character == name]
            yield f"{kind} {name}", cells
