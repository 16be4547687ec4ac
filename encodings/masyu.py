"""Masyu."""

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from random import Random

from jigsat.kit import (
    Answer,
    Cell,
    CellSigns,
    ClueValues,
    Grid,
    GridPuzzle,
    Lines,
    LineVariables,
    Rules,
    Side,
    draw_blank,
    draw_loop,
    edge,
    layer,
    walks,
)
from jigsat.links import Circles, Link

WHITE, BLACK = "w", "b"


class Pearls(CellSigns):
    """Pearls, drawn as w (○) for a white one and b (●) for a black one, and dots."""

    noun = "pearl"
    signs = {WHITE: "○", BLACK: "●"}  # noqa: RUF012


class Masyu(GridPuzzle):
    """Draw one loop through neighbouring cells that passes all pearls. It goes straight on at a
    white pearl and turns in at least one of the cells before and after it. It turns at a black
    pearl and goes straight on in both cells beside it."""

    family = "masyu"
    other_names = ("Pearls", "Mashu")
    card = "One loop through white and black pearls."
    sizes = ((10, 10), (20, 20))
    keeps_colours = True
    link = Link("mashu", [Circles("pearls")], aliases=("masyu", "pearl"))

    pearls: Pearls
    """The drawn grid: w for a white pearl, b for a black one, and dots."""

    @layer
    def line(self) -> Lines:
        return Lines(self.grid.neighbours, "loop", "The loop joins these cells.")

    def constrain(self, formula: Rules) -> None:
        line = formula[self.line]

        with formula.rule("one loop"):
            formula.single_loop(self.grid.neighbours, line)

        for cell, colour in self.pearls.items():
            with formula.clue(self.pearls, cell):
                if colour == WHITE:
                    pass_white(formula, self.grid, line, cell)
                else:
                    pass_black(formula, self.grid, line, cell)

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(answer[self.line])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {"pearls": clues_of(answer[self.line])}

    def draw_clues(self, rng: Random) -> ClueValues:
        return {"pearls": clues_of(draw_loop(self.grid.height - 1, self.grid.width - 1, rng))}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str] | None:
        return {"pearls": draw_blank(height, width)} if min(height, width) > 1 else None


STEPS: dict[Side, tuple[int, int]] = {
    "top": (-1, 0),
    "right": (0, 1),
    "bottom": (1, 0),
    "left": (0, -1),
}
OPPOSITE: Mapping[Side, Side] = {
    "top": "bottom",
    "right": "left",
    "bottom": "top",
    "left": "right",
}


def find_arm(grid: Grid, line: LineVariables, cell: Cell, side: Side, length: int) -> list[int]:
    """The literals of the lines from a cell in one direction; none if the grid ends before."""
    path = [cell, *grid.look(cell, STEPS[side])[:length]]
    if len(path) <= length:
        return []
    return [line[edge(one, other)] for one, other in pairwise(path)]


def pass_through(
    formula: Rules, grid: Grid, line: LineVariables, cell: Cell
) -> dict[Side, list[int]]:
    """The loop passes through a cell. Returns the line in each direction, if there is one."""
    arms = {side: find_arm(grid, line, cell, side, 1) for side in STEPS}
    formula.exactly(2, [literal for arm in arms.values() for literal in arm])
    return arms


def pass_white(formula: Rules, grid: Grid, line: LineVariables, cell: Cell) -> None:
    """The loop goes straight on, and does not do so in both cells beside the pearl."""
    arms = pass_through(formula, grid, line, cell)
    for side, opposite in OPPOSITE.items():
        if not arms[side]:
            continue
        (literal,) = arms[side]
        formula.implies(literal, *arms[opposite])
        long, other = find_arm(grid, line, cell, side, 2), find_arm(grid, line, cell, opposite, 2)
        if long and other:
            formula.clause([-literal, -long[1], -other[1]])


def pass_black(formula: Rules, grid: Grid, line: LineVariables, cell: Cell) -> None:
    """The loop turns, and goes straight on in both cells beside the pearl."""
    arms = pass_through(formula, grid, line, cell)
    for side, opposite in OPPOSITE.items():
        if not arms[side]:
            continue
        (literal,) = arms[side]
        formula.implies(literal, *find_arm(grid, line, cell, side, 2)[1:])
        for other in arms[opposite]:
            formula.clause([-literal, -other])


def check(line: Collection[walks.Edge]) -> Iterator[str]:
    """What is wrong with the lines, whatever the pearls are."""
    if not walks.is_one_loop(line):
        yield "the lines are not one loop"


def clues_of(line: Collection[walks.Edge]) -> dict[walks.Cell, str]:
    """The pearl that could lie in each cell of the loop."""
    cells = {cell for pair in line for cell in pair}
    pearls = {}
    for cell in cells:
        beside = list_joined(cell, line)
        straight_on = [goes_straight(other, line) for other in beside]
        if goes_straight(cell, line) and not all(straight_on):
            pearls[cell] = "w"
        elif not goes_straight(cell, line) and all(straight_on):
            pearls[cell] = "b"
    return pearls


def list_joined(cell: walks.Cell, line: Collection[walks.Edge]) -> list[walks.Cell]:
    """The cells to which lines lead."""
    return [other for other in walks.neighbours(cell) if walks.edge(cell, other) in line]


def goes_straight(cell: walks.Cell, line: Collection[walks.Edge]) -> bool:
    """Whether the two lines of a cell are in one row or column."""
    one, other = list_joined(cell, line)
    return one[0] == other[0] or one[1] == other[1]
