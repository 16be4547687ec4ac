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
    bend_loop,
    draw_loop,
    layer,
    name_cell,
    walks,
)
from jigsat.links import Link, PointedNumbers

STEPS = (walks.UP, walks.RIGHT, walks.DOWN, walks.LEFT)
WINDING = 0.5  # of the loop of a generated puzzle; it leaves out a fifth of the cells
TURNED_SHARE = 0.5  # of the changes that turn an arrow, if that can tell two answers apart


class Yajilin(GridPuzzle):
    """Shade some of the cells without arrows and draw one loop through all others. No two shaded
    cells are side by side. A number says how many cells are shaded in the direction of its
    arrow."""

    family = "yajilin"
    other_names = ("Arrow Ring", "Straight Arrow")
    card = "Shaded cells, and one loop through all others."
    sizes = ((10, 10), (14, 14))
    link = Link("yajilin", [PointedNumbers("arrows")], aliases=("yajirin",), ignored_flags="b")
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
            with formula.rule("the loop passes all others", "cell", cell):
                ends = [(literal, 1) for literal in line.at(cell)]
                formula.linear([*ends, (shaded[cell], 2)], at_least=2, at_most=2)

        for one, other in line.graph.edges:
            pair = f"{name_cell(one)} and {name_cell(other)}"
            with formula.rule("shaded cells are not side by side", "cells", pair):
                formula.at_most_one([shaded[one], shaded[other]])

        for place, number in self.arrows.items():
            with formula.clue(self.arrows, place):
                cells = self.grid.look(place.cell, place.step)
                formula.exactly(number, [shaded[cell] for cell in cells if cell in shaded])

    def find_faults(self, answer: Answer) -> Iterator[str]:
        cells = set(walks.rectangle(self.grid.height, self.grid.width)) - self.arrows.cells
        return check(cells, answer[self.shaded], answer[self.line])

    def full_clues(self, answer: Answer) -> ClueValues:
        cells = walks.rectangle(self.grid.height, self.grid.width)
        return {"arrows": clues_of(cells, self.arrows.places, answer[self.shaded])}

    @classmethod
    def propose(cls, height: int, width: int, rng: Random) -> dict[str, Arrows] | None:
        if min(height, width) < 2:
            return None
        loop = draw_loop(height - 1, width - 1, rng, WINDING)
        return {"arrows": draw_arrows(height, width, loop, rng)}

    def improve(self, answer: Answer, other: Answer, rng: Random) -> dict[str, Arrows]:
        """Turn an arrow so that its number tells two answers apart, or bend the loop near a place
        where they differ."""
        height, width = self.grid.height, self.grid.width
        turned = self.turn_arrow(answer[self.shaded], other[self.shaded], rng)
        if turned is not None and rng.random() < TURNED_SHARE:
            return {"arrows": turned}
        loop, other_loop = answer[self.line], other[self.line]
        changed = {cell for line in loop.keys() ^ other_loop.keys() for cell in line}
        changed |= answer[self.shaded] ^ other[self.shaded]
        row, column = rng.choice(sorted(changed))
        near = [(row - i, column - k) for i in (0, 1) for k in (0, 1)]
        bent = bend_loop(loop, height - 1, width - 1, near, rng)
        return {"arrows": draw_arrows(height, width, bent, rng, answer[self.shaded], self.arrows)}

    def turn_arrow(
        self, shaded: Collection[Cell], others: Collection[Cell], rng: Random
    ) -> Arrows | None:
        """The arrows with one turned so that its number tells two answers apart."""
        size = (self.grid.height, self.grid.width)
        cells = walks.rectangle(*size)
        pointers = [Pointer(cell, step) for cell in sorted(self.arrows.cells) for step in STEPS]
        numbers = clues_of(cells, pointers, shaded)
        other_numbers = clues_of(cells, pointers, others)
        turned = [pointer for pointer in pointers if numbers[pointer] != other_numbers[pointer]]
        if not turned:
            return None
        arrow = rng.choice(turned)
        rest = [pointer for pointer in self.arrows if pointer.cell != arrow.cell]
        return Arrows(size, {pointer: numbers[pointer] for pointer in [*rest, arrow]})


def check(
    cells: Collection[walks.Cell], shaded: Collection[walks.Cell], line: Collection[walks.Edge]
) -> Iterator[str]:
    """What is wrong apart from the numbers; `cells` are those without arrows."""
    if not walks.is_one_loop(line):
        yield "the lines are not one loop"
    passed = walks.degrees(line)
    for cell in cells:
        if (cell in passed) == (cell in shaded):
            yield f"{walks.name_cell(cell)} is neither shaded nor passed, or both"
    for cell in shaded:
        for other in walks.neighbours(cell):
            if other in shaded:
                names = f"{walks.name_cell(cell)} and {walks.name_cell(other)}"
                yield f"the shaded cells {names} are side by side"


def clues_of(
    cells: Collection[walks.Cell],
    arrows: Collection[Pointer],
    shaded: Collection[walks.Cell],
) -> dict[Pointer, int]:
    """How many shaded cells each arrow sees."""
    numbers = {}
    for arrow in arrows:
        view = walks.follow(arrow.cell, arrow.step, cells)
        numbers[arrow] = sum(cell in shaded for cell in view)
    return numbers


def draw_arrows(
    height: int,
    width: int,
    loop: Collection[walks.Edge],
    rng: Random,
    shaded: Collection[walks.Cell] = (),
    arrows: Collection[Pointer] = (),
) -> Arrows:
    """The arrows of an answer with this loop; arrows and shaded cells stay where they can."""
    cells = set(walks.rectangle(height, width))
    left_out = sorted(cells - set(walks.degrees(loop)))
    rng.shuffle(left_out)
    steps = {pointer.cell: pointer.step for pointer in arrows}
    left_out.sort(key=lambda cell: (cell not in shaded, cell in steps))
    dark: set[walks.Cell] = set()
    pointers = []
    for cell in left_out:
        if dark.isdisjoint(walks.neighbours(cell)) and cell not in steps:
            dark.add(cell)
        else:
            possible = [step for step in STEPS if walks.follow(cell, step, cells)]
            pointers.append(Pointer(cell, steps.get(cell, rng.choice(possible))))
    return Arrows((height, width), clues_of(cells, pointers, dark))
