"""How pieces made of cells are said: 'piece X lies on r1c2, r2c1–3 and r3c2'."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import cached_property
from itertools import groupby, pairwise
from typing import Any

from jigsat.encodings.tiling.data import Placement
from jigsat.encodings.tiling.rules import Tiling

from jigsat.puzzle import LIE_ON, Rule, Way
from jigsat.words import join_words, name_place

MIN_STRIP = 3  # number of cells of the longest piece from which on straight pieces are strips


class Pieces(Way[Tiling]):
    placing = "piece on cells"
    verb = LIE_ON
    noun = "piece"

    def thing(self, placement: Placement) -> str:
        return f"{self.noun} {placement.piece}"

    def short(self, placement: Placement) -> str:
        return placement.piece

    def place(self, placement: Placement) -> str:
        cells = placement.cells
        if len(cells) > 1 and is_straight(cells):
            return f"{name_place(cells[0])}–{name_place(cells[-1])}"
        for middle in cells:
            others = [cell for cell in cells if cell != middle]
            if len(others) == 4 and set(others) == set(self._neighbours[middle]):
                return f"the cells around {name_place(middle)}"
        return name_cells(cells)

    def rule(self, rule: Rule) -> str:
        if rule.kind == "piece":
            return f"{self.noun} {rule.about}"
        return f"the {rule.name}" if rule.kind == "number" else super().rule(rule)

    def leaves_hole(self, cell: Hashable, placement: Placement, board: Sequence[Placement]) -> bool:
        taken = {other for placed in (*board, placement) for other in placed.cells}
        if cell in taken:
            return False

        # Walk to all cells that can be reached from this one.
        hole = {cell}
        waiting = [cell]
        while waiting:
            for other in self._neighbours[waiting.pop()]:
                if other not in taken and other not in hole:
                    hole.add(other)
                    waiting.append(other)
        return len(hole) < self._smallest

    @cached_property
    def _smallest(self) -> int:
        """The number of cells of the smallest piece."""
        return min(len(placement.cells) for placement in self.puzzle.candidates)

    @cached_property
    def _neighbours(self) -> dict[Any, list[Any]]:
        """For each cell of the board, those with which it shares a side."""
        surface = self.puzzle.surface
        if surface is not None:
            return {cell: list(surface.graph.neighbors(cell)) for cell in self.puzzle.cells}
        return {cell: list(self._beside(cell)) for cell in self.puzzle.cells}

    def _beside(self, cell: Any) -> Iterator[Any]:
        """The neighbours of a square or a cube."""
        for axis, number in enumerate(cell):
            for step in (-1, 1):
                other = (*cell[:axis], number + step, *cell[axis + 1 :])
                if other in self.puzzle.cells:
                    yield other


class Strips(Pieces):
    """Straight pieces: the ends are named in the order of the name, so 'wbb' has its white square
    first.
    """

    noun = "strip"


def name_cells(cells: Collection[Any]) -> str:
    """Cells row by row, those side by side together, such as 'r1c2–3 and r2c1'."""
    runs: list[str] = []
    for row, in_row in groupby(sorted(cells), key=lambda cell: cell[:-1]):
        for first, last in find_runs([cell[-1] for cell in in_row]):
            end = f"–{last + 1}" if last > first else ""
            runs.append(f"{name_place((*row, first))}{end}")
    return join_words(runs)


def find_runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """The first and the last of each run of consecutive numbers."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def is_straight(cells: Sequence[Any]) -> bool:
    """Whether the cells are side by side in a line of squares or cubes, in this order."""
    steps = set()
    for one, other in pairwise(cells):
        steps.add(tuple(b - a for a, b in zip(one, other, strict=True)))
    return len(steps) <= 1 and all(sum(map(abs, step)) == 1 for step in steps)


def choose_way(puzzle: Tiling) -> Pieces:
    areas = [placement.cells for placement in puzzle.candidates]
    long = max(map(len, areas), default=0) >= MIN_STRIP
    if long and all(map(is_straight, areas)):
        return Strips(puzzle)
    return Pieces(puzzle)
