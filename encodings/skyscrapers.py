"""Skyscrapers."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from jigsat.kit import (
    Answer,
    Cell,
    Choice,
    ClueValues,
    Givens,
    GridPuzzle,
    Line,
    Rim,
    Rules,
    Values,
    draw_blank,
    layer,
    walks,
)
from jigsat.links import Link, Numbers16, RimNumbers


class Views(Rim):
    """How many buildings are seen, which is at least one."""

    least = 1


class Skyscrapers(GridPuzzle):
    """Build a skyscraper on each cell so that every row and column has each height once. A number
    beside the grid says how many skyscrapers are seen from there: higher ones hide lower ones
    behind them."""

    family = "skyscrapers"
    other_names = ("Towers", "Building Towers")
    card = "Heights, and how many are seen from beside."
    sizes = ((6, 6), (8, 8))
    link = Link(
        "skyscrapers",
        [RimNumbers("seen"), Numbers16("heights", optional=True)],
        aliases=("skyscraper", "building"),
    )
    square = True
    equally_often = True

    heights: Givens
    """The drawn square: heights that are given, and dots."""
    seen: Views = Views({})
    """The numbers beside the grid."""

    @layer
    def floors(self) -> Values:
        possible = range(1, self.grid.width + 1)
        return Values(
            self.grid.cells, possible, "height", "It has this height.", givens=self.heights
        )

    def constrain(self, formula: Rules) -> None:
        floors = formula[self.floors]

        for thing, line in self.grid.lines.items():
            with formula.rule("each line has each height once", *thing):
                formula.all_different([floors[cell] for cell in line])

        for (side, i), number in self.seen.items():
            with formula.clue(self.seen, (side, i)):
                visible = see(formula, floors, self.grid.view(side, i))
                formula.exactly(number, visible)

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(self.grid.height, self.grid.width, answer[self.floors])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {"seen": clues_of(self.grid.width, answer[self.floors])}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str] | None:
        return {"heights": draw_blank(height, width)} if height == width else None


def see(formula: Rules, floors: Mapping[Cell, Choice[int]], view: Line) -> list[int]:
    """For each cell of a view, whether its skyscraper is seen: no nearer one is higher."""
    visible = formula.variables(
        "visible", ("view", "cell"), [(view, cell) for cell in view], decision=False
    )
    for i, cell in enumerate(view):
        for height, here in floors[cell].literals.items():
            nearer = []
            for other in view[:i]:
                nearer += [floors[other](more) for more in range(height + 1, len(view) + 1)]
            formula.clause([-here, *nearer, visible(view, cell)])
            for higher in nearer:
                formula.clause([-here, -higher, -visible(view, cell)])
    return [visible(view, cell) for cell in view]


def check(height: int, width: int, floors: Mapping[walks.Cell, int]) -> Iterator[str]:
    """What is wrong with the heights, whatever the clues are."""
    for name, line in walks.rows_and_columns(height, width).items():
        if {floors[cell] for cell in line} != set(range(1, width + 1)):
            yield f"{name} does not have each height once"


def clues_of(size: int, floors: Mapping[walks.Cell, int]) -> dict[tuple[str, int], int]:
    """How many skyscrapers are seen from each place beside the square."""
    numbers = {}
    for i in range(size):
        row = [floors[i, k] for k in range(size)]
        column = [floors[k, i] for k in range(size)]
        numbers["left", i] = count_seen(row)
        numbers["right", i] = count_seen(row[::-1])
        numbers["top", i] = count_seen(column)
        numbers["bottom", i] = count_seen(column[::-1])
    return numbers


def count_seen(heights: Sequence[int]) -> int:
    """How many are higher than all before them."""
    number = 0
    highest = 0
    for height in heights:
        if height > highest:
            number += 1
            highest = height
    return number
