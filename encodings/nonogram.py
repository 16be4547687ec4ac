"""Nonograms."""

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Any, Literal

from jigsat import links
from jigsat.kit import Answer, ClueValues, GridPuzzle, LineLists, Rules, Shading, layer, walks
from jigsat.links import Link

LEAST_FIGURE = 5  # number of rows and columns that a figure needs
MAX_FIGURES = 50  # that are drawn for one that has shaded cells in each row and column

Place = tuple[Literal["row", "column"], int]


class Nonogram(GridPuzzle):
    """Shade cells. The numbers beside a row or column are the lengths of its blocks of shaded
    cells, in order."""

    family = "nonogram"
    chapter = "Nonograms"
    other_names = (
        "Hanjie",
        "Picross",
        "Griddlers",
        "Japanese Crossword",
        "Paint by Numbers",
        "Pic-a-Pix",
        "Picture Cross",
        "Logic Art",
    )
    card = "A picture from the lengths of its blocks."
    sizes = ((10, 10), (20, 20))
    link = Link("nonogram", [links.LineLists("lengths")])
    fixed_clues = ("lengths",)

    lengths: LineLists
    """The `rows` and the `columns`, each with the lengths of its blocks."""

    @layer
    def shaded(self) -> Shading:
        return Shading(self.grid.cells, "shaded", "The cell is shaded.")

    def constrain(self, formula: Rules) -> None:
        shaded = formula[self.shaded]
        lines = {"row": self.grid.rows, "column": self.grid.columns}
        for place, lengths in self.lengths.items():
            way, i = place
            with formula.clue(self.lengths, place):
                place_blocks(formula, place, lengths, [shaded[cell] for cell in lines[way][i]])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {"lengths": clues_of(self.grid.height, self.grid.width, answer[self.shaded])}

    @classmethod
    def blank(cls, height: int, width: int, rng: Random) -> dict[str, dict[str, list[str]]]:
        return {"lengths": {"rows": ["?"] * height, "columns": ["?"] * width}}

    def draw_clues(self, rng: Random) -> ClueValues | None:
        """The clues of a figure rather than of noise."""
        height, width = self.grid.height, self.grid.width
        if min(height, width) < LEAST_FIGURE:
            return None
        return {"lengths": clues_of(height, width, draw_figure(height, width, rng))}

    def improve(self, answer: Answer, other: Answer, rng: Random) -> dict[str, Any]:
        """Another picture, in which a cell that two answers show differently is the other way."""
        shaded = answer[self.shaded]
        changed = rng.choice(sorted(shaded ^ other[self.shaded]))
        lengths = clues_of(self.grid.height, self.grid.width, shaded ^ {changed})
        return {"lengths": self.lengths.with_values(lengths)}


def place_blocks(
    formula: Rules, line: Place, lengths: Sequence[int], shaded: Sequence[int]
) -> None:
    """The shaded cells of a line are blocks of these lengths; `shaded` are its literals."""
    ends = range(len(shaded) + 1)
    starts = []
    for number, length in enumerate(lengths):
        fitting = ends[: max(0, len(ends) - length)]
        starts.append(formula.choice("block", fitting, decision=False, line=line, number=number))

    # A block begins after the one before it, and a cell between them.
    for number in range(1, len(lengths)):
        before, block = starts[number - 1], starts[number]
        for start, literal in before.literals.items():
            least = start + lengths[number - 1] + 1
            formula.implies(literal, *(block(later) for later in block.literals if later >= least))

    # A cell is shaded if and only if a block covers it.
    for i, literal in enumerate(shaded):
        covering = []
        for length, block in zip(lengths, starts, strict=True):
            covering += [block(start) for start in block.literals if start <= i < start + length]
        formula.exactly_one([-literal, *covering])


def draw_figure(height: int, width: int, rng: Random) -> set[walks.Cell]:
    """Cells of a figure with equal halves, left and right: at random, and then each becomes what
    most of those around it are, so that there are areas and not dots."""
    for _ in range(MAX_FIGURES):
        half = {
            (row, column): rng.random() < 0.5
            for row in range(height)
            for column in range((width + 1) // 2)
        }
        noise = {}
        for row in range(height):
            for column in range(width):
                noise[row, column] = half[row, min(column, width - 1 - column)]
        figure = {cell for cell in noise if is_mostly_shaded(noise, cell)}
        rows, columns = {row for row, _ in figure}, {column for _, column in figure}
        if (len(rows), len(columns)) == (height, width):
            break
    return figure


def is_mostly_shaded(noise: Mapping[walks.Cell, bool], cell: walks.Cell) -> bool:
    """Whether most cells at and around a cell are shaded."""
    row, column = cell
    around = [(r, c) for r in range(row - 1, row + 2) for c in range(column - 1, column + 2)]
    near = [noise[other] for other in around if other in noise]
    return 2 * sum(near) > len(near)


def clues_of(
    height: int, width: int, shaded: Collection[walks.Cell]
) -> dict[Place, tuple[int, ...]]:
    """The lengths of the blocks of each row and column."""
    lengths: dict[Place, tuple[int, ...]] = {}
    for row in range(height):
        line = ["#" if (row, column) in shaded else " " for column in range(width)]
        lengths["row", row] = measure_blocks("".join(line))
    for column in range(width):
        line = ["#" if (row, column) in shaded else " " for row in range(height)]
        lengths["column", column] = measure_blocks("".join(line))
    return lengths


def measure_blocks(line: str) -> tuple[int, ...]:
    """The lengths of the stretches of #."""
    return tuple(map(len, line.split()))
