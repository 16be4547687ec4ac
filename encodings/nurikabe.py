"""Nurikabe."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random

from jigsat.kit import (
    Answer,
    Cell,
    ClueValues,
    GridPuzzle,
    PositiveNumbers,
    Rules,
    Shading,
    Variables,
    draw_rows,
    layer,
    name_cell,
    walks,
)
from jigsat.links import Link, Numbers16

MAX_ISLAND_CELLS = 6  # of a generated puzzle; a larger one is broken up


class Nurikabe(GridPuzzle):
    """Shade cells as the sea: it is connected and has no 2×2 cells. Each island, a connected part
    of the other cells, contains exactly one number, which says how many cells it has."""

    family = "nurikabe"
    other_names = ("Islands in the Stream", "Cell Structure")
    card = "Islands in a sea that is connected."
    sizes = ((10, 10), (14, 14))
    link = Link("nurikabe", [Numbers16("numbers")])
    fixed_clues = ("numbers",)

    numbers: PositiveNumbers
    """The drawn grid with its numbers, ? for a number that is not known, and dots."""

    @layer
    def sea(self) -> Shading:
        return Shading(self.grid.cells, "shaded", "The cell is shaded.")

    def constrain(self, formula: Rules) -> None:
        sea = formula[self.sea]

        for block in self.grid.blocks(2, 2):
            ends = f"{name_cell(block[0])} to {name_cell(block[-1])}"
            with formula.rule("no 2×2 cells are shaded", "block", ends):
                formula.clause([-sea[cell] for cell in block])

        with formula.rule("the sea is connected"):
            formula.connected(self.grid.neighbours, sea)

        reach = {place: self.list_reach(place) for place in self.numbers.places}
        keys = [(place, cell) for place, cells in reach.items() for cell in cells]
        island = formula.variables("island", ("number", "cell"), keys, decision=False)

        for place in self.numbers.places:
            with formula.rule("a number is on an island", "number", place):
                formula.clause([-sea[place]])

        for cell in self.grid.cells:
            owners = [island(place, cell) for place in reach if cell in reach[place]]
            what = "each other cell belongs to one number" if owners else "no number is near enough"
            with formula.rule(what, "cell", cell):
                formula.exactly_one([sea[cell], *owners])

        for place, cells in reach.items():
            with formula.rule("islands are apart", "island", f"of {name_cell(place)}"):
                self.keep_apart(formula, island, sea, place, cells)
                own = {cell: island(place, cell) for cell in cells}
                formula.connected(self.grid.neighbours.subgraph(cells), own, root=place)

        for place, size in self.numbers.items():
            with formula.clue(self.numbers, place):
                formula.exactly(size, island[place, :])

    def list_reach(self, place: Cell) -> set[Cell]:
        """The cells that can be on the island of a number."""
        import networkx  # only the formula needs it

        others = set(self.numbers.places) - {place}
        free: networkx.Graph[Cell] = self.grid.neighbours.subgraph(set(self.grid.cells) - others)
        farthest = self.numbers[place] - 1 if place in self.numbers else None
        near = networkx.single_source_shortest_path_length(free, place, farthest)
        return set(near)

    def keep_apart(
        self,
        formula: Rules,
        island: Variables,
        sea: Mapping[Cell, int],
        place: Cell,
        cells: Collection[Cell],
    ) -> None:
        """A cell beside one of the island is in the sea, or on the same island."""
        for cell in sorted(cells):
            for other in self.grid.beside(cell):
                same = [island(place, other)] if other in cells else []
                formula.implies(island(place, cell), sea[other], *same)

    def find_faults(self, answer: Answer) -> Iterator[str]:
        cells = walks.rectangle(self.grid.height, self.grid.width)
        return check(cells, answer[self.sea], set(self.numbers.places))

    def full_clues(self, answer: Answer) -> ClueValues:
        cells = walks.rectangle(self.grid.height, self.grid.width)
        return {"numbers": clues_of(cells, answer[self.sea])}

    @classmethod
    def propose(cls, height: int, width: int, rng: Random) -> dict[str, str]:
        cells = walks.rectangle(height, width)
        islands = walks.adjacent_parts(set(cells) - flood(cells, rng))
        numbers = {rng.choice(sorted(island)): str(len(island)) for island in islands}
        return {"numbers": draw_rows(numbers, height, width)}

    def improve(self, answer: Answer, other: Answer, rng: Random) -> dict[str, str] | None:
        """Move the coast, or the number of an island, near where two answers differ."""
        cells = set(walks.rectangle(self.grid.height, self.grid.width))
        sea = answer[self.sea]
        near = sea ^ other[self.sea]
        for cell in sorted(near):
            near |= cells.intersection(walks.neighbours(cell))
        changed = change_coast(cells, sea, sorted(near), rng)
        islands = walks.adjacent_parts(cells - changed)
        numbers = {}
        for island in islands:
            old = sorted(island.intersection(self.numbers))
            keep = old and (island.isdisjoint(near) or rng.random() < 0.5)
            numbers[rng.choice(old if keep else sorted(island))] = str(len(island))
        return {"numbers": draw_rows(numbers, self.grid.height, self.grid.width)}


def check(
    cells: Collection[walks.Cell], sea: Collection[walks.Cell], numbered: Collection[walks.Cell]
) -> Iterator[str]:
    """What is wrong with the sea and the islands, whatever the numbers are."""
    if len(walks.adjacent_parts(sea)) > 1:
        yield "the sea is not connected"
    for row, column in sea:
        if {(row, column + 1), (row + 1, column), (row + 1, column + 1)} <= set(sea):
            yield f"2×2 cells from {walks.name_cell((row, column))} are shaded"
    for island in walks.adjacent_parts(set(cells) - set(sea)):
        if len(island.intersection(numbered)) != 1:
            yield f"the island of {walks.name_cell(min(island))} does not have one number"
    if set(sea).intersection(numbered):
        yield "a number is shaded"


def clues_of(cells: Collection[walks.Cell], sea: Collection[walks.Cell]) -> dict[walks.Cell, int]:
    """For each cell of an island how many cells this has."""
    sizes = {}
    for island in walks.adjacent_parts(set(cells) - set(sea)):
        for cell in island:
            sizes[cell] = len(island)
    return sizes


def flood(cells: Collection[walks.Cell], rng: Random) -> set[walks.Cell]:
    """A random sea that is connected and has no 2×2 cells; it grows until islands are small."""
    sea = {rng.choice(sorted(cells))}
    while True:
        large = [x for x in walks.adjacent_parts(set(cells) - sea) if len(x) > MAX_ISLAND_CELLS]
        coast = set().union(*large) & {other for cell in sea for other in walks.neighbours(cell)}
        possible = [cell for cell in sorted(coast) if not makes_block(cell, sea)]
        if not possible:
            return sea
        sea.add(rng.choice(possible))


def change_coast(
    cells: Collection[walks.Cell],
    sea: Collection[walks.Cell],
    near: Sequence[walks.Cell],
    rng: Random,
) -> set[walks.Cell]:
    """The sea with one more or one less of some cells, if it stays a sea."""
    for cell in rng.sample(near, len(near)):
        changed = set(sea) ^ {cell}
        is_sea = len(walks.adjacent_parts(changed)) == 1
        block = cell in changed and makes_block(cell, changed)
        islands = walks.adjacent_parts(set(cells) - changed)
        if is_sea and not block and max(map(len, islands), default=0) <= 2 * MAX_ISLAND_CELLS:
            return changed
    return set(sea)


def makes_block(cell: walks.Cell, sea: Collection[walks.Cell]) -> bool:
    """Whether 2×2 cells are shaded if one more is."""
    row, column = cell
    for down in (-1, 1):
        for right in (-1, 1):
            block = {(row + down, column), (row, column + right), (row + down, column + right)}
            if block <= set(sea):
                return True
    return False
