"""Galaxies."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from random import Random
from typing import Any, Self

from jigsat.formula import Thing
from jigsat.kit import (
    Answer,
    Cell,
    CellSigns,
    ClueValues,
    GridPicture,
    GridPuzzle,
    Lines,
    Motion,
    Rules,
    draw_blank,
    draw_rows,
    layer,
    name_cell,
    walks,
)
from jigsat.links import Dots, Link

GROWTH_STEPS = 40  # tries to make a galaxy of a generated puzzle larger


class Centres(CellSigns):
    """Centres on cells, sides and corners, drawn as o (○) or, if they are black, as * (●). The
    drawing has a row for each row of cells and for each line between two rows; so it has for
    columns. A place is counted in half cells from the middle of the first cell."""

    noun = "centre"
    signs = {"o": "○", "*": "●"}  # noqa: RUF012

    @property
    def size(self) -> tuple[int, int]:
        return (self._size[0] + 1) // 2, (self._size[1] + 1) // 2

    @classmethod
    def read(cls, data: Any) -> Self:
        centres = super().read(data)
        rows, columns = centres._size
        if rows % 2 == 0 or columns % 2 == 0:
            raise ValueError(
                f"{rows} rows and {columns} columns; expected an odd number of each, for the cells "
                f"and the lines between them"
            )
        return centres

    @classmethod
    def draft(cls, height: int, width: int) -> str:
        return draw_blank(2 * height - 1, 2 * width - 1)

    def meaning(self, motion: Motion) -> Hashable:
        """The places; colours are only drawn."""
        return frozenset(motion.half(place) for place in self)

    def list_changes(self) -> Iterator[tuple[str, Self]]:
        return self.list_moves()

    def thing(self, place: Cell) -> Thing:
        cells = [name_cell(cell) for cell in list_cells_at(place)]
        where = cells[0] if len(cells) == 1 else f"{cells[0]}–{cells[-1]}"
        return Thing("centre", f"in {where}")

    def draw(self, picture: GridPicture) -> None:
        for (row, column), letter in self.items():
            picture.disc(((row + 1) / 2, (column + 1) / 2), black=letter == "*")


class Galaxies(GridPuzzle):
    """Divide the grid into galaxies along the lines. Each galaxy is connected and has exactly one
    of the circles. It looks the same after a half turn about its circle."""

    family = "galaxies"
    other_names = ("Spiral Galaxies", "Tentai Show")
    card = "Regions that look the same after a half turn about their circle."
    sizes = ((7, 7), (10, 10))
    link = Link("tentaisho", [Dots("centres")])
    fixed_clues = ("centres",)

    centres: Centres
    """The drawn grid with dots for cells, for the sides between them and for the corners: o for a
    centre, * for one that is drawn black."""

    @layer
    def wall(self) -> Lines:
        return Lines.between_cells(self.grid)

    def constrain(self, formula: Rules) -> None:
        galaxies = self.add_galaxies(formula)
        for cell in self.grid.cells:
            with formula.rule("each cell is in one galaxy", "cell", cell):
                formula.exactly_one(
                    [inside[cell] for inside in galaxies.values() if cell in inside]
                )
        self.separate(formula, galaxies)

        for centre, inside in galaxies.items():
            at_centre = list_cells_at(centre)
            with formula.clue(self.centres, centre):
                for cell in inside:
                    formula.implies(inside[cell], inside[turn(cell, centre)])
                for cell in at_centre:
                    formula.clause([inside[cell]])
                cells = self.grid.neighbours.subgraph(inside)
                formula.connected(cells, inside, root=at_centre[0])

    def add_galaxies(self, formula: Rules) -> dict[Cell, dict[Cell, int]]:
        """A variable for each circle and each cell that may be in its galaxy."""
        possible = {centre: self.list_reach(centre) for centre in self.centres}
        keys = [(cell, centre) for centre, cells in possible.items() for cell in cells]
        belongs = formula.variables("belongs", ("cell", "centre"), keys, decision=False)
        return {
            centre: {cell: belongs(cell, centre) for cell in cells}
            for centre, cells in possible.items()
        }

    def separate(self, formula: Rules, galaxies: Mapping[Cell, Mapping[Cell, int]]) -> None:
        """There is a wall between two cells exactly if they are in different galaxies."""
        wall = formula[self.wall]
        for one, other in self.grid.neighbours.edges:
            between = wall[self.grid.wall(one, other)]
            pair = f"{name_cell(one)} and {name_cell(other)}"
            with formula.rule("walls separate galaxies", "wall", pair):
                for inside in galaxies.values():
                    if one in inside and other in inside:
                        formula.clause([-inside[one], -inside[other], -between])
                    for first, second in ((one, other), (other, one)):
                        if first in inside:
                            same = [inside[second]] if second in inside else []
                            formula.implies(inside[first], between, *same)

    def list_reach(self, centre: Cell) -> list[Cell]:
        """The cells that can be in the galaxy of a circle: no other circle is on them or on their
        images after a half turn, and they are connected to the circle."""
        import networkx  # only the formula needs it

        own = list_cells_at(centre)
        free = set(self.grid.cells)
        for other in self.centres:
            if other != centre:
                free.difference_update(list_cells_at(other))
        if not free.issuperset(own):
            return own
        pairs: networkx.Graph[Cell] = self.grid.neighbours.subgraph(
            [cell for cell in free if turn(cell, centre) in free]
        )
        return sorted(networkx.node_connected_component(pairs, own[0]))

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(self.grid.height, self.grid.width, answer[self.wall], set(self.centres))

    def full_clues(self, answer: Answer) -> ClueValues:
        size = (self.grid.height, self.grid.width)
        return {"centres": clues_of(*size, answer[self.wall], dict(self.centres))}

    @classmethod
    def propose(cls, height: int, width: int, rng: Random) -> dict[str, str]:
        galaxies = divide_into_galaxies(walks.rectangle(height, width), rng)
        return {"centres": draw_centres(galaxies, height, width)}

    def improve(self, answer: Answer, other: Answer, rng: Random) -> dict[str, Any] | None:
        """Divide a galaxy that two answers show differently, and those beside it, anew."""
        size = (self.grid.height, self.grid.width)
        first = walks.rooms(*size, answer[self.wall])
        second = walks.rooms(*size, other[self.wall])
        changed = rng.choice(sorted((x for x in first if x not in second), key=sorted))
        beside = {cell for inside in changed for cell in walks.neighbours(inside)}
        near = [galaxy for galaxy in first if galaxy & (changed | beside)]
        others = [galaxy for galaxy in first if galaxy not in near]
        redrawn = divide_into_galaxies(set().union(*near), rng)
        return {"centres": draw_centres(others + redrawn, *size)}


def turn(cell: Cell, centre: Cell) -> Cell:
    """The image of a cell after a half turn about a centre."""
    return centre[0] - cell[0], centre[1] - cell[1]


def list_cells_at(centre: Cell) -> list[Cell]:
    """The one, two or four cells on which a centre lies."""
    row, column = centre
    rows = sorted({row // 2, (row + 1) // 2})
    columns = sorted({column // 2, (column + 1) // 2})
    return [(r, c) for r in rows for c in columns]


def divide_into_galaxies(cells: Iterable[Cell], rng: Random) -> list[set[Cell]]:
    """Random galaxies, which have all of these cells."""
    free = set(cells)
    galaxies = []
    while free:
        row, column = rng.choice(sorted(free))
        centre = (2 * row + rng.choice((-1, 0, 1)), 2 * column + rng.choice((-1, 0, 1)))
        if not free.issuperset(list_cells_at(centre)):
            centre = (2 * row, 2 * column)
        galaxy = set(list_cells_at(centre))
        for _ in range(rng.randrange(GROWTH_STEPS)):
            cell = rng.choice(walks.neighbours(rng.choice(sorted(galaxy))))
            pair = {cell, turn(cell, centre)}
            if pair <= free:
                galaxy |= pair
        galaxies.append(galaxy)
        free -= galaxy
    return galaxies


def draw_centres(galaxies: Iterable[Collection[Cell]], height: int, width: int) -> str:
    """The drawing of the centres of galaxies."""
    centres = {find_middle(galaxy): "o" for galaxy in galaxies}
    return draw_rows(centres, 2 * height - 1, 2 * width - 1)


def find_middle(cells: Collection[walks.Cell]) -> walks.Cell:
    """The middle of the smallest rectangle around some cells, in half cells."""
    rows = [row for row, _ in cells]
    columns = [column for _, column in cells]
    return min(rows) + max(rows), min(columns) + max(columns)


def check(
    height: int,
    width: int,
    walls: Collection[walks.Edge],
    centres: Collection[walks.Cell],
) -> Iterator[str]:
    """Walls that separate nothing, and galaxies that are not the same after a half turn or do not
    have one centre in their middle."""
    for galaxy in walks.rooms(height, width, walls):
        name = f"the galaxy of {walks.name_cell(min(galaxy))}"
        down, right = find_middle(galaxy)
        if {(down - row, right - column) for row, column in galaxy} != galaxy:
            yield f"{name} changes when it is turned upside down"
        if [centre for centre in centres if lies_in(centre, galaxy)] != [(down, right)]:
            yield f"{name} does not have one circle in its middle"
        for cell in galaxy:
            for other, side in zip(walks.neighbours(cell), walks.sides(cell), strict=True):
                if other in galaxy and side in walls:
                    names = f"{walks.name_cell(cell)} and {walks.name_cell(other)}"
                    yield f"the wall between {names} separates nothing"


def lies_in(point: walks.Cell, galaxy: Collection[walks.Cell]) -> bool:
    """Whether a point in half cells is in a cell of a galaxy, on its sides or corners."""
    for row, column in galaxy:
        if abs(point[0] - 2 * row) <= 1 and abs(point[1] - 2 * column) <= 1:
            return True
    return False


def clues_of(
    height: int, width: int, walls: Collection[walks.Edge], given: Mapping[walks.Cell, str]
) -> dict[walks.Cell, str]:
    """The middle of each galaxy, in the colour in which it is given."""
    middles = map(find_middle, walks.rooms(height, width, walls))
    return {middle: given.get(middle, "o") for middle in middles}
