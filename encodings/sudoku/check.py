"""The check of a sudoku: it compares the digits in the rows, columns, boxes and regions of the
filled grid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jigsat.encodings.sudoku.data import Digit, SudokuData

DIGITS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BLANK = "."

Drawing = tuple[str, ...]  # regions, drawn with one character per region


def broken_rules(puzzle: SudokuData, placements: Sequence[Digit]) -> Iterator[str]:
    """Cells without exactly one digit, changed givens, and areas that lack a digit."""
    n = puzzle.size
    filled = [""] * n**2
    for (r, c), value in placements:
        if not (0 <= r < n and 0 <= c < n) or filled[r * n + c]:
            yield f"row {r + 1}, column {c + 1} is not a cell or holds two digits"
        else:
            filled[r * n + c] = value
    for i, wanted in enumerate("".join(puzzle.grid)):
        if wanted != BLANK and wanted != filled[i]:
            yield f"row {i // n + 1}, column {i % n + 1} does not hold the given {wanted}"
    for r, row in enumerate(puzzle.candidates or ()):
        for c, group in enumerate(row.split()):
            if filled[r * n + c] not in group:
                yield f"row {r + 1}, column {c + 1} does not hold one of the candidates {group}"
    digits = {*DIGITS[:n]}
    box = puzzle.box_shape if puzzle.regions is None else None
    for area, values in _areas(n, box, puzzle.regions, puzzle.extra, puzzle.diagonals):
        if {*values(filled)} != digits:
            yield f"{area} lacks {', '.join(sorted(digits.difference(values(filled))))}"


@lru_cache
def _areas(
    n: int,
    box: tuple[int, int] | None,
    regions: Drawing | None,
    extra: Drawing | None,
    diagonals: bool,
) -> list[tuple[str, Callable[[Sequence[str]], Iterable[str]]]]:
    """Each area that holds every digit once, and what gets its digits from the grid; shared by all
    sudokus of a file."""
    cells = [divmod(i, n) for i in range(n**2)]
    areas = {f"row {i + 1}": [i * n + j for j in range(n)] for i in range(n)}
    areas |= {f"column {i + 1}": [j * n + i for j in range(n)] for i in range(n)}
    if box:
        down, across = box
        for top, left in product(range(0, n, down), range(0, n, across)):
            inside = [
                r * n + c for r, c in cells if top <= r < top + down and left <= c < left + across
            ]
            areas[f"the box from row {top + 1}, column {left + 1}"] = inside
    for kind, drawn in (("region", regions or ()), ("extra region", extra or ())):
        for name in sorted({*"".join(drawn)} - {BLANK if kind == "extra region" else ""}):
            areas[f"{kind} {name}"] = [i for i, at in enumerate("".join(drawn)) if at == name]
    if diagonals:
        areas["the diagonal from the top left"] = [i * n + i for i in range(n)]
        areas["the diagonal from the top right"] = [i * n + n - 1 - i for i in range(n)]
    return [(area, itemgetter(*inside)) for area, inside in areas.items()]
