"""Tents."""

from collections.abc import Collection, Iterator
from random import Random
from typing import Any, Self

from pydantic import Field

from jigsat.kit import (
    Answer,
    CellSigns,
    ClueValues,
    GridPuzzle,
    LineTotals,
    Rules,
    Shading,
    Total,
    draw_rows,
    layer,
    name_cell,
    walks,
)
from jigsat.links import Link, MarkedCells, RimNumbers
from jigsat.puzzle import Reason
from jigsat.words import plural

MAX_TENT_SHARE = 0.2  # of the cells of a generated puzzle


class Trees(CellSigns):
    """Trees, which belong to the grid: they are no clues of which one could be left out."""

    noun = "tree"
    signs = {"t": "♣"}  # noqa: RUF012
    clue_by_clue = False

    def list_changes(self) -> Iterator[tuple[str, Self]]:
        return self.list_moves()


class Tents(GridPuzzle):
    """Put a tent beside each tree, along a side of its cell, so that every tent belongs to one
    tree. Tents do not touch, not even at a corner. A number says how many tents are in its row or
    column."""

    family = "tents"
    other_names = ("Tents and Trees", "Camping", "Camp Sites")
    card = "A tent beside each tree; tents do not touch."
    sizes = ((8, 8), (12, 12))
    link = Link("tents", [RimNumbers("numbers", sides=("top", "left")), MarkedCells("trees")])
    drawing_fault = "the trees cannot all have a tent, whatever the numbers are"
    misplaced = "a tree may be in the wrong place"

    trees: Trees
    """The drawn grid: t for a tree, and dots."""
    numbers: LineTotals = Field(default_factory=lambda: LineTotals({}))
    """A table of `top` and `left`: how many tents are in each column and row."""

    @layer
    def tent(self) -> Shading:
        free = [cell for cell in self.grid.cells if cell not in self.trees]
        return Shading(free, "tent", "There is a tent in the cell.", sign="▲")

    def constrain(self, formula: Rules) -> None:
        tent = formula[self.tent]

        pairs = []
        for tree in self.trees:
            pairs += [(tree, cell) for cell in self.grid.beside(tree) if cell in tent]
        belongs = formula.variables("belongs", ("tree", "tent"), pairs, decision=False)

        for tree in self.trees:
            with formula.rule("every tree has a tent", "tree", tree):
                own = [pair for pair in pairs if pair[0] == tree]
                formula.clause([tent[cell] for _, cell in own])
                formula.exactly_one([belongs(*pair) for pair in own])

        for cell, literal in tent.items():
            trees = [belongs(*pair) for pair in pairs if pair[1] == cell]
            with formula.rule("every tent belongs to one tree", "cell", cell):
                formula.implies(literal, *trees)
                formula.at_most_one(trees)
                for pair in trees:
                    formula.implies(pair, literal)

        for block in self.grid.blocks(min(2, self.grid.height), min(2, self.grid.width)):
            ends = f"{name_cell(block[0])} to {name_cell(block[-1])}"
            with formula.rule("tents do not touch", "block", ends):
                formula.at_most_one([tent[cell] for cell in block if cell in tent])

        for (side, i), number in self.numbers.items():
            with formula.clue(self.numbers, (side, i)):
                line = self.grid.view(side, i)
                formula.exactly(number, [tent[cell] for cell in line if cell in tent])

    def reasons(self) -> Iterator[Reason]:
        trees = Total(len(self.trees))
        size = (self.grid.height, self.grid.width)
        rows, columns = self.numbers.add_up("left", size), self.numbers.add_up("top", size)
        for lines, tents in (("rows", rows), ("columns", columns)):
            if trees.contradicts(tents):
                number = plural(trees.number, "tree")
                yield Reason(
                    f"{number}, but the {lines} add up to {tents} tent{'s' * (tents.number != 1)}"
                )
                break
        yield from super().reasons()

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(list(self.trees), answer[self.tent])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {"numbers": clues_of(self.grid.height, self.grid.width, answer[self.tent])}

    @classmethod
    def propose(cls, height: int, width: int, rng: Random) -> dict[str, Any] | None:
        trees, tents = draw_camp(height, width, rng)
        if not trees:
            return None
        numbers = clues_of(height, width, tents)
        drawing = draw_rows(dict.fromkeys(trees, "t"), height, width)
        table = {
            "top": " ".join(str(numbers["top", column]) for column in range(width)),
            "left": " ".join(str(numbers["left", row]) for row in range(height)),
        }
        return {"trees": drawing, "numbers": table}


def draw_camp(height: int, width: int, rng: Random) -> tuple[set[walks.Cell], set[walks.Cell]]:
    """Random trees, each with a tent beside it, and the tents."""
    cells = walks.rectangle(height, width)
    trees: set[walks.Cell] = set()
    tents: set[walks.Cell] = set()
    for cell in rng.sample(cells, len(cells)):
        if len(tents) >= MAX_TENT_SHARE * len(cells):
            break
        beside = [x for x in walks.neighbours(cell) if x in cells and x not in trees | tents]
        if beside and cell not in trees and tents.isdisjoint(walks.touching(cell)):
            tents.add(cell)
            trees.add(rng.choice(beside))
    return trees, tents


def check(trees: Collection[walks.Cell], tents: Collection[walks.Cell]) -> Iterator[str]:
    """What is wrong with the tents, whatever the numbers are."""
    for tent in tents:
        for other in walks.touching(tent):
            if other in tents:
                names = f"{walks.name_cell(tent)} and {walks.name_cell(other)}"
                yield f"the tents in {names} touch"
    owner: dict[walks.Cell, walks.Cell] = {}
    for tree in trees:
        if not pitch(tree, tents, owner, set()):
            yield f"there is no tent for the tree in {walks.name_cell(tree)}"
    for tent in tents:
        if tent not in owner:
            yield f"the tent in {walks.name_cell(tent)} belongs to no tree"


def pitch(
    tree: walks.Cell,
    tents: Collection[walks.Cell],
    owner: dict[walks.Cell, walks.Cell],
    asked: set[walks.Cell],
) -> bool:
    """Find a tent for a tree; other trees take another one for it if they can. `asked` are the
    tents that were tried."""
    for tent in walks.neighbours(tree):
        if tent in tents and tent not in asked:
            asked.add(tent)
            if tent not in owner or pitch(owner[tent], tents, owner, asked):
                owner[tent] = tree
                return True
    return False


def clues_of(height: int, width: int, tents: Collection[walks.Cell]) -> dict[tuple[str, int], int]:
    """How many tents are in each column and row."""
    numbers = {}
    for column in range(width):
        numbers["top", column] = sum(other == column for _, other in tents)
    for row in range(height):
        numbers["left", row] = sum(other == row for other, _ in tents)
    return numbers
