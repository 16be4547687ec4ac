"""The slots of a crossword grid: the runs of two or more squares in rows and columns, numbered in the usual way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

BLOCK = "#"
BLANK = "."

Cell = tuple[int, int]  # row and column, counted from 0 at the top left


class Slot(NamedTuple):
    """A run of squares for one word."""

    number: int
    direction: str
    cells: tuple[Cell, ...]

    @property
    def name(self) -> str:
        """Such as '1 across'."""
        return f"{self.number} {self.direction}"


def slots(grid: Sequence[str]) -> list[Slot]:
    """The slots across, then those down, each in the order of their numbers.

    A square has a number if a slot begins there; the numbers ascend row by row.

    >>> [(slot.name, len(slot.cells)) for slot in slots(["..#", "..."])]
    [('1 across', 2), ('3 across', 3), ('1 down', 2), ('2 down', 2)]
    """
    white = {(r, c) for r, row in enumerate(grid) for c, character in enumerate(row) if character != BLOCK}
    runs = {(dr, dc): dict(_runs(white, dr, dc)) for dr, dc in ((0, 1), (1, 0))}
    starts = sorted({start for found in runs.values() for start in found})
    number = {start: i for i, start in enumerate(starts, 1)}
    across, down = runs[0, 1], runs[1, 0]
    return [
        Slot(number[start], direction, found[start])
        for direction, found in (("across", across), ("down", down))
        for start in starts
        if start in found
    ]


def _runs(white: set[Cell], dr: int, dc: int) -> Iterator[tuple[Cell, tuple[Cell, ...]]]:
    """The first square of each run of at least two squares in a direction, with its squares."""
    for r, c in white:
        if (r - dr, c - dc) not in white and (r + dr, c + dc) in white:
            run = [(r, c)]
            while (after := (run[-1][0] + dr, run[-1][1] + dc)) in white:
                run.append(after)
            yield (r, c), tuple(run)
