"""Yin-yang."""

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from random import Random

from jigsat import links
from jigsat.kit import (
    Answer,
    Cell,
    CellSigns,
    ClueValues,
    GridPuzzle,
    Rules,
    Shading,
    draw_blank,
    layer,
    name_cell,
    walks,
)
from jigsat.links import Link


class Circles(CellSigns):
    """Circles by letters: `w` for a white one, `b` for a black one."""

    noun = "circle"
    signs = {"w": "○", "b": "●"}  # noqa: RUF012


class YinYang(GridPuzzle):
    """Make each cell black or white. The black cells are connected through their sides, and so are
    the white ones; no 2×2 cells have the same colour. A circle shows the colour of its cell."""

    family = "yin-yang"
    other_names = ("Shiromaru-Kuromaru",)
    chapter = "Yin-yang"
    card = "Black and white cells, both connected."
    keeps_colours = True
    link = Link("yinyang", [links.Circles("circles")])

    circles: Circles
    """The drawn grid: w for a white circle, b for a black one, and dots."""

    @layer
    def black(self) -> Shading:
        return Shading(self.grid.cells, "black", "The cell is black.")

    def constrain(self, formula: Rules) -> None:
        black = formula[self.black]
        white = {cell: -literal for cell, literal in black.items()}

        for block in self.grid.blocks(2, 2):
            ends = f"{name_cell(block[0])} to {name_cell(block[-1])}"
            with formula.rule("no 2×2 cells have the same colour", "block", ends):
                formula.clause([black[cell] for cell in block])
                formula.clause([white[cell] for cell in block])

        with formula.rule("the black cells are connected"):
            formula.connected(self.grid.neighbours, black)
        with formula.rule("the white cells are connected"):
            formula.connected(self.grid.neighbours, white)
        self.keep_from_crossing(formula, black)

        for cell, letter in self.circles.items():
            with formula.clue(self.circles, cell):
                formula.clause([black[cell] if letter == "b" else white[cell]])

    def keep_from_crossing(self, formula: Rules, black: Mapping[Cell, int]) -> None:
        """A path of black cells and a path of white ones cannot cross. This follows from the
        rules, but is found much faster if it is stated."""
        # If only the opposite corners of 2×2 cells had the same colour, the path between two of
        # them, which is closed by a step across the corner, would go around one of the others.
        for one, right, below, other in self.grid.blocks(2, 2):
            ends = f"{name_cell(one)} to {name_cell(other)}"
            with formula.rule("no 2×2 cells are a chequerboard", "block", ends):
                formula.clause([-black[one], black[right], black[below], -black[other]])
                formula.clause([black[one], -black[right], -black[below], black[other]])

        # If the colour changed four times around the grid, a path between the two black parts
        # would separate the two white ones. So it becomes black at most once, and white as well.
        # One of these follows from the other; both keep the formula symmetric.
        rim = self.list_rim()
        steps = list(zip(rim, rim[1:] + rim[:1], strict=True))
        with formula.rule("each colour is in one piece along the rim"):
            for (one, next_one), (other, next_other) in combinations(steps, 2):
                if next_one != other and next_other != one:
                    before = [black[one], black[other]]
                    after = [black[next_one], black[next_other]]
                    formula.clause([*before, *(-literal for literal in after)])
                    formula.clause([*after, *(-literal for literal in before)])

    def list_rim(self) -> list[Cell]:
        """The cells at the edge of the grid, once around."""
        rows, columns = self.grid.rows, self.grid.columns
        if len(rows) == 1 or len(columns) == 1:
            return list(self.grid.cells)
        return [*rows[0], *columns[-1][1:], *rows[-1][-2::-1], *columns[0][-2:0:-1]]

    def find_faults(self, answer: Answer) -> Iterator[str]:
        black = answer[self.black]
        white = set(walks.rectangle(self.grid.height, self.grid.width)) - black
        yield from check("black", black)
        yield from check("white", white)

    def full_clues(self, answer: Answer) -> ClueValues:
        return {"circles": clues_of(self.grid.height, self.grid.width, answer[self.black])}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str]:
        return {"circles": draw_blank(height, width)}


def check(colour: str, cells: Collection[walks.Cell]) -> Iterator[str]:
    """What is wrong with the cells of one colour."""
    if len(walks.adjacent_parts(cells)) > 1:
        yield f"the {colour} cells are not connected"
    for row, column in cells:
        if {(row, column + 1), (row + 1, column), (row + 1, column + 1)} <= set(cells):
            yield f"2×2 cells from {walks.name_cell((row, column))} are {colour}"


def clues_of(height: int, width: int, black: Collection[walks.Cell]) -> dict[walks.Cell, str]:
    """The circle of the colour of each cell."""
    return {cell: "b" if cell in black else "w" for cell in walks.rectangle(height, width)}
