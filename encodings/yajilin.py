"""Yajilin."""

from collections.abc import Collection, Iterator
from random import Random

from jigsat.kit import (
    Answer,
    Arrows,
    Cell,
    ClueValues,
    GridPuzzle,
    Lines,
    Pointer,
    Rules,
    Shading,
    draw_rows,
    layer,
    name_cell,
    walks,
)

STEPS = (walks.UP, walks.RIGHT, walks.DOWN, walks.LEFT)
ARROW_SHARE = 0.15  # of the cells of a generated puzzle


class Yajilin(GridPuzzle):
    """Shade some of the cells without arrows and draw one loop through all others. No two shaded
    cells are side by side. A number says how many cells are shaded in the direction of its
    arrow."""

    family = "yajilin"
    fixed_clues = ("arrows",)

    arrows: Arrows
    """The drawn grid: a number or ?, followed by one of ^ > v <, and dots."""

    @layer
    def shaded(self) -> Shading:
        return Shading(self.list_free(), "shaded", "The cell is shaded.")

    @layer
    def line(self) -> Lines:
        free = self.grid.neighbours.subgraph(self.list_free())
        return Lines(free, "loop", "The loop joins these cells.")

    def list_free(self) -> list[Cell]:
        """The cells without arrows."""
        arrows = self.arrows.cells
        return [cell for cell in self.grid.cells if cell not in arrows]

    def constrain(self, formula: Rules) -> None:
        shaded, line = formula[self.shaded], formula[self.line]

        with formula.rule("one loop"):
            formula.single_loop(line.graph, line)

        for cell in self.list_free():
            with formula.rule("the loop passes all others", f"cell {name_cell(cell)}"):
                ends = [(literal, 1) for literal in line.at(cell)]
                formula.linear([*ends, (shaded[cell], 2)], at_least=2, at_most=2)

        for one, other in line.graph.edges:
            about = f"cells {name_cell(one)} and {name_cell(other)}"
            with formula.rule("shaded cells are not side by side", about):
                formula.at_most_one([shaded[one], shaded[other]])

        for place, number in self.arrows.items():
            with formula.clue(self.arrows, place):
                seen = self.grid.look(place.cell, place.step)
                formula.exactly(number, [shaded[cell] for cell in seen if cell in shaded])

    def find_faults(self, answer: Answer) -> Iterator[str]:
        cells = set(walks.rectangle(self.grid.height, self.grid.width)) - self.arrows.cells
        return check(cells, answer[self.shaded], answer[self.line])

    def full_clues(self, answer: Answer) -> ClueValues:
        cells = walks.rectangle(self.grid.height, self.grid.width)
        return {"arrows": clues_of(cells, self.arrows.places, answer[self.shaded])}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str]:
        words = {}
        for cell in walks.rectangle(height, width):
            if rng.random() < ARROW_SHARE:
                words[cell] = f"?{rng.choice(list_signs(cell, height, width))}"
        return {"arrows": draw_rows(words, height, width)}

    def improve(self, answer: Answer, other: Answer, rng: Random) -> dict[str, Arrows] | None:
        """Turn an arrow so that its number tells two answers apart, if there is such an arrow."""
        cells = walks.rectangle(self.grid.height, self.grid.width)
        pointers = [Pointer(cell, step) for cell in sorted(self.arrows.cells) for step in STEPS]
        numbers = clues_of(cells, pointers, answer[self.shaded])
        others = clues_of(cells, pointers, other[self.shaded])
        turned = [pointer for pointer in pointers if numbers[pointer] != others[pointer]]
        if not turned:
            return None
        arrow = rng.choice(turned)
        kept = [pointer for pointer in self.arrows if pointer.cell != arrow.cell]
        values = {pointer: numbers[pointer] for pointer in [*kept, arrow]}
        return {"arrows": Arrows((self.grid.height, self.grid.width), values)}


def check(
    cells: Collection[walks.Cell], shaded: Collection[walks.Cell], line: Collection[walks.Edge]
) -> Iterator[str]:
    """What is wrong apart from the numbers; `cells` are those without arrows."""
    if not walks.is_one_loop(line):
        yield "the lines are not one loop"
    passed = walks.degrees(line)
    for cell in cells:
        if (cell in passed) == (cell in shaded):
            yield f"{cell} is neither shaded nor passed, or both"
    for cell in shaded:
        for other in walks.neighbours(cell):
            if other in shaded:
                yield f"the shaded cells {cell} and {other} are side by side"


def clues_of(
    cells: Collection[walks.Cell],
    arrows: Collection[Pointer],
    shaded: Collection[walks.Cell],
) -> dict[Pointer, int]:
    """How many shaded cells each arrow sees."""
    numbers = {}
    for arrow in arrows:
        seen = walks.follow(arrow.cell, arrow.step, cells)
        numbers[arrow] = sum(cell in shaded for cell in seen)
    return numbers


def list_signs(cell: walks.Cell, height: int, width: int) -> list[str]:
    """The arrows that point at the nearer half of the grid or farther."""
    row, column = cell
    return ["v" if 2 * row < height else "^", ">" if 2 * column < width else "<"]
