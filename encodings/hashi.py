"""Hashi, or bridges."""

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

from jigsat.kit import (
    Answer,
    Cell,
    ClueValues,
    Edge,
    GridPuzzle,
    Islands,
    Lines,
    Rules,
    draw_rows,
    edge,
    layer,
    walks,
)
from jigsat.links import Link, Numbers16

if TYPE_CHECKING:
    import networkx

MOST_BRIDGES = 2  # between two islands


class Hashi(GridPuzzle):
    """Join the islands by bridges so that one can walk from each island to each other. A bridge
    runs along a row or column to the next island. Bridges do not cross. There are at most two
    between two islands. A number says how many bridges end at its island."""

    family = "hashi"
    other_names = ("Bridges", "Hashiwokakero", "Ai-Ki-Ai", "Chopsticks")
    card = "Islands joined by bridges, which do not cross."
    sizes = ((10, 10), (20, 20))
    link = Link("hashi", [Numbers16("islands")], aliases=("hashikake", "bridges"))
    fixed_clues = ("islands",)
    drawing_fault = "the islands cannot be joined, whatever their numbers are"
    misplaced = "an island may be in the wrong place"

    islands: Islands
    """The drawn grid: the number of each island, ? for a number that is not known, and dots."""

    @cached_property
    def neighbours(self) -> "networkx.Graph[Cell]":
        """The islands, each joined to the next ones in its row and column."""
        import networkx  # reading a puzzle needs no graph

        graph: networkx.Graph[Cell] = networkx.Graph()
        graph.add_nodes_from(sorted(self.islands.places))
        for line in self.grid.lines.values():
            graph.add_edges_from(pairwise([cell for cell in line if cell in graph]))
        return graph

    @layer
    def bridge(self) -> Lines:
        return Lines(self.neighbours, "bridge", "A bridge joins these islands.", most=MOST_BRIDGES)

    def constrain(self, formula: Rules) -> None:
        import networkx

        bridge = formula[self.bridge]

        # The bridges hang together, and no island is without one.
        with formula.rule("all islands are connected"):
            graph = networkx.line_graph(self.neighbours)
            formula.connected(graph, {pair: bridge[edge(*pair)] for pair in graph})
        if len(self.neighbours) > 1:
            for island in self.neighbours:
                with formula.rule("each island has a bridge", "island", island):
                    formula.clause(bridge.at(island))

        water = {pair: self.list_water(pair) for pair in bridge}
        for cell in self.grid.cells:
            with formula.rule("bridges do not cross", "cell", cell):
                formula.at_most_one([bridge[pair] for pair in bridge if cell in water[pair]])

        for island, number in self.islands.items():
            with formula.clue(self.islands, island):
                formula.exactly(number, bridge.at(island))

    def list_water(self, pair: Edge) -> set[Cell]:
        """The cells between two islands."""
        one, other = pair
        (line,) = [line for line in self.grid.lines.values() if one in line and other in line]
        return set(line[line.index(one) + 1 : line.index(other)])

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(self.islands.places, answer[self.bridge])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {"islands": clues_of(self.islands.places, answer[self.bridge])}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, str]:
        islands = draw_islands(height, width, rng)
        return {"islands": draw_rows(dict.fromkeys(islands, "?"), height, width)}


def check(islands: Collection[walks.Cell], bridges: Mapping[walks.Edge, int]) -> Iterator[str]:
    """What is wrong with the bridges, whatever the numbers are."""
    crossed = set()
    for one, other in bridges:
        for cell in list_between(one, other):
            if cell in islands:
                yield f"a bridge passes the island in {walks.name_cell(cell)}"
            if cell in crossed:
                yield f"two bridges cross in {walks.name_cell(cell)}"
            crossed.add(cell)
    if len(walks.parts(islands, bridges)) > 1:
        yield "some islands are cut off"


def list_between(one: walks.Cell, other: walks.Cell) -> list[walks.Cell]:
    """The cells between two cells of a row or column."""
    (top, left), (bottom, right) = one, other
    if top == bottom:
        return [(top, column) for column in range(left + 1, right)]
    return [(row, left) for row in range(top + 1, bottom)]


def clues_of(
    islands: Collection[walks.Cell], bridges: Mapping[walks.Edge, int]
) -> dict[walks.Cell, int]:
    """How many bridges end at each island."""
    numbers = dict.fromkeys(islands, 0)
    for (one, other), number in bridges.items():
        numbers[one] += number
        numbers[other] += number
    return numbers


def draw_islands(height: int, width: int, rng: Random) -> set[walks.Cell]:
    """Random islands, each of which was reached by a bridge from another one."""
    inside = set(walks.rectangle(height, width))
    islands = {rng.choice(sorted(inside))}
    water: set[walks.Cell] = set()
    for _ in range(3 * height * width):
        start = rng.choice(sorted(islands))
        step = rng.choice((walks.UP, walks.RIGHT, walks.DOWN, walks.LEFT))
        path = walks.follow(start, step, inside - islands - water)[: rng.randint(2, 4)]
        if len(path) > 1 and islands.isdisjoint(walks.neighbours(path[-1])):
            islands.add(path[-1])
            water.update(path[:-1])
    return islands
