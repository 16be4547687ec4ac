"""Random loops along the sides of cells, for new puzzles.

A loop is the border of a region of cells that is connected and has no holes, and it touches itself
nowhere: so are the other cells, with those around the grid. Such a region grows cell by cell.
"""

from collections.abc import Collection
from random import Random

from jigsat.kit.walks import Cell, Edge, neighbours, rectangle, sides

RING = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
"""Steps to the cells around a cell, in order."""


def draw_loop(height: int, width: int, rng: Random, winding: float = 0.95) -> set[Edge]:
    """The edges, from corner to corner, of a random loop in a grid of cells. The corners of a grid
    are also the cells of one that has a row and a column more.

    With the probability `winding`, the region grows beside a single cell of it. If this is large,
    the loop comes to nearly all corners; with 0.5, it leaves out a fifth of them."""
    cells = set(rectangle(height, width))
    region = {rng.choice(sorted(cells))}
    while True:
        beside = {other for cell in region for other in neighbours(cell)} & cells - region
        possible = [cell for cell in sorted(beside) if can_change(cell, region)]
        thin = [cell for cell in possible if count_beside(cell, region) == 1]
        if not thin:
            return border(region)
        region.add(rng.choice(thin if rng.random() < winding else possible))


def bend_loop(
    loop: Collection[Edge], height: int, width: int, near: Collection[Cell], rng: Random
) -> set[Edge]:
    """The loop with a detour around one of some cells, or without one; the same loop if there is
    no such detour."""
    region = enclosed_cells(loop, height, width)
    cells = sorted(set(rectangle(height, width)).intersection(near))
    for cell in rng.sample(cells, len(cells)):
        changed = region ^ {cell}
        if changed and can_change(cell, region):
            return border(changed)
    return set(loop)


def can_change(cell: Cell, region: Collection[Cell]) -> bool:
    """Whether the border stays one loop if a cell is added to the region or taken from it: going
    around the cell, one comes into the region once and leaves it once."""
    row, column = cell
    around = [(row + down, column + right) in region for down, right in RING]
    crossings = sum(around[i] != around[i - 1] for i in range(len(around)))
    return crossings == 2 and 0 < count_beside(cell, region) < 4


def count_beside(cell: Cell, region: Collection[Cell]) -> int:
    """How many of the four cells beside a cell are in the region."""
    return sum(other in region for other in neighbours(cell))


def border(region: Collection[Cell]) -> set[Edge]:
    """The sides between a cell of the region and one outside."""
    edges = set()
    for cell in region:
        for other, side in zip(neighbours(cell), sides(cell), strict=True):
            if other not in region:
                edges.add(side)
    return edges


def enclosed_cells(loop: Collection[Edge], height: int, width: int) -> set[Cell]:
    """The cells inside a loop: an odd number of its edges lies to the left of each."""
    region = set()
    for row in range(height):
        inside = False
        for column in range(width):
            inside ^= ((row, column), (row + 1, column)) in loop
            if inside:
                region.add((row, column))
    return region
