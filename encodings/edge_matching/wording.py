"""How edge matching is said: 'tile 3 lies in the centre (turned left)'."""

from __future__ import annotations

from collections.abc import Sequence

from jigsat.encodings.edge_matching.data import EdgeMatchingData, Placement, name_tile
from jigsat.encodings.edge_matching.match import name_cells

from jigsat.boards import Cell, Incidence
from jigsat.puzzle import LIE_IN, Ask, Rule, Way, name_turn
from jigsat.words import name_place

SMALL_BOARD = "square 3x3"
THIRDS = (
    ("top left", "top middle", "top right"),
    ("left middle", "centre", "right middle"),
    ("bottom left", "bottom middle", "bottom right"),
)
"""The names of the cells of a small board."""

LINES = ("row", "column")  # kinds of rules by which a face is there once
SIDES = ("top", "right side", "bottom", "left side")


class Tiles(Way[EdgeMatchingData]):
    placing = "tile on a cell"
    verb = LIE_IN
    noun = "tile"

    def __init__(self, puzzle: EdgeMatchingData) -> None:
        super().__init__(puzzle)
        self._cells = {name_place(cell): cell for cell in puzzle.surface.cells}
        self._seams: dict[str, tuple[Incidence, ...]] = {}
        for seam in puzzle.surface.seams:
            if len(seam) == 2:
                self._seams[name_cells(seam)] = seam

    def thing(self, placement: Placement) -> str:
        return name_tile(placement.tile)

    def place(self, placement: Placement) -> str:
        return self._name_cell(placement.cell)

    def manner(self, placement: Placement) -> str:
        if not self.puzzle.turning:
            return ""
        return name_turn(placement.turn, self.puzzle.surface.sides(placement.cell))

    def face(self, placement: Placement) -> str:
        return self.puzzle.tiles[placement.tile].face or ""

    def rule(self, rule: Rule) -> str:
        if rule.kind == "edge" and rule.about in self._seams:
            one, other = self._seams[rule.about]
            return f"the edge between {self._name_cell(one.cell)} and {self._name_cell(other.cell)}"
        if rule.kind == "cell" and rule.about in self._cells:
            return self._name_cell(self._cells[rule.about])
        return rule.name

    def house(self, rule: Rule) -> str:
        return rule.name if rule.kind in LINES else ""

    def ask(self, rule: Rule, beside: Sequence[Placement], *, placed: bool) -> Ask | None:
        if rule.kind != "edge" or rule.about not in self._seams:
            return None
        one, other = self._seams[rule.about]
        cells = {one.cell, other.cell}
        beside = [placement for placement in beside if placement.cell in cells]
        if len({placement.cell for placement in beside}) != 1:
            return None

        # The side here asks for what matches the labels that the other side shows.
        here, there = (other, one) if beside[0].cell == one.cell else (one, other)
        shown = {label for option, label in self.puzzle.showing(there) if option in beside}
        labels = tuple(sorted(self.other_labels(sorted(shown))))

        where = self._name_cell(there.cell)
        source = f"{self.thing(beside[0])} in {where}" if placed else f"what is left in {where}"
        return Ask(
            self._name_cell(here.cell), self.name_side(here.cell, here.side), labels, source, placed
        )

    def other_labels(self, labels: Sequence[str]) -> list[str]:
        return [self.puzzle.partners[label] for label in labels]

    def name_side(self, cell: Cell, side: int) -> str:
        """Such as 'right side'; sides of other cells than squares are counted."""
        if self.puzzle.surface.sides(cell) == len(SIDES):
            return SIDES[side]
        return f"side {side + 1}"

    def _name_cell(self, cell: Cell) -> str:
        if self.puzzle.board == SMALL_BOARD and isinstance(cell, tuple):
            row, column = cell
            return f"the {THIRDS[row][column]}"
        name = name_place(cell)
        return f"the {name}" if name.isalpha() else name


def choose_way(puzzle: EdgeMatchingData) -> Tiles:
    return Tiles(puzzle)
