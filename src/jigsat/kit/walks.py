"""Plain walks over a finished grid, for the checks of families.

This module knows no formula and imports nothing of jigsat; nothing that encodes a puzzle imports
it. A cell is (row, column), counted from 0. The corner (row, column) is the upper left corner of
the cell (row, column). An edge is a pair of cells, or of corners, the smaller one first.
"""

from collections.abc import Collection, Iterable

Cell = tuple[int, int]
Edge = tuple[Cell, Cell]

UP, RIGHT, DOWN, LEFT = (-1, 0), (0, 1), (1, 0), (0, -1)
"""Steps to the four cells beside a cell."""


def name_cell(cell: Cell) -> str:
    """A cell as sentences name it, with rows and columns counted from 1.

    >>> name_cell((0, 2))
    'r1c3'
    """
    row, column = cell
    return f"r{row + 1}c{column + 1}"


def edge(one: Cell, other: Cell) -> Edge:
    """The edge between two cells or corners."""
    return (one, other) if one < other else (other, one)


def rectangle(height: int, width: int) -> list[Cell]:
    """All cells of a grid, row by row."""
    return [(row, column) for row in range(height) for column in range(width)]


def rows_and_columns(height: int, width: int) -> dict[str, list[Cell]]:
    """The cells of each row from left to right and of each column from top to bottom, by names
    such as 'row 1'."""
    lines = {}
    for row in range(height):
        lines[f"row {row + 1}"] = [(row, column) for column in range(width)]
    for column in range(width):
        lines[f"column {column + 1}"] = [(row, column) for row in range(height)]
    return lines


def neighbours(cell: Cell) -> list[Cell]:
    """The four cells beside a cell, also those outside the grid: above, right, below, left."""
    row, column = cell
    return [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]


def touching(cell: Cell) -> list[Cell]:
    """The eight cells around a cell, also those outside the grid."""
    row, column = cell
    near = []
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            if (down, right) != (0, 0):
                near.append((row + down, column + right))
    return near


def sides(cell: Cell) -> list[Edge]:
    """The four sides of a cell, each from corner to corner: top, right, bottom, left."""
    row, column = cell
    upper_left = (row, column)
    upper_right = (row, column + 1)
    lower_left = (row + 1, column)
    lower_right = (row + 1, column + 1)
    return [
        (upper_left, upper_right),
        (upper_right, lower_right),
        (lower_left, lower_right),
        (upper_left, lower_left),
    ]


def follow(cell: Cell, step: Cell, among: Collection[Cell]) -> list[Cell]:
    """The cells after this one in one direction, as long as they are among those given."""
    path = []
    row, column = cell[0] + step[0], cell[1] + step[1]
    while (row, column) in among:
        path.append((row, column))
        row, column = row + step[0], column + step[1]
    return path


def runs(cells: Collection[Cell]) -> list[list[Cell]]:
    """The stretches of these cells in rows and columns, as long as possible, also single cells."""
    stretches = []
    for cell in sorted(cells):
        row, column = cell
        if (row, column - 1) not in cells:
            stretches.append([cell, *follow(cell, RIGHT, cells)])
        if (row - 1, column) not in cells:
            stretches.append([cell, *follow(cell, DOWN, cells)])
    return stretches


def degrees(edges: Iterable[Edge]) -> dict[Cell, int]:
    """How many edges end at each cell or corner; those where none ends are missing."""
    number: dict[Cell, int] = {}
    for one, other in edges:
        number[one] = number.get(one, 0) + 1
        number[other] = number.get(other, 0) + 1
    return number


def parts(nodes: Iterable[Cell], edges: Iterable[Edge]) -> list[set[Cell]]:
    """The nodes in connected parts; the edges join them, and their ends are among the nodes."""
    beside: dict[Cell, list[Cell]] = {node: [] for node in nodes}
    for one, other in edges:
        beside[one].append(other)
        beside[other].append(one)

    connected: list[set[Cell]] = []
    visited: set[Cell] = set()
    for start in beside:
        if start in visited:
            continue
        part = {start}
        waiting = [start]
        while waiting:
            for other in beside[waiting.pop()]:
                if other not in part:
                    part.add(other)
                    waiting.append(other)
        connected.append(part)
        visited |= part
    return connected


def adjacent_parts(cells: Collection[Cell]) -> list[set[Cell]]:
    """The cells in parts that are connected through their sides."""
    inside = set(cells)
    pairs = []
    for cell in cells:
        for other in neighbours(cell):
            if other in inside and cell < other:
                pairs.append((cell, other))
    return parts(cells, pairs)


def rooms(height: int, width: int, walls: Collection[Edge]) -> list[set[Cell]]:
    """The cells of a grid in parts that no wall separates; a wall is a side of a cell."""
    cells = rectangle(height, width)
    inside = set(cells)
    pairs = []
    for cell in cells:
        for other, side in zip(neighbours(cell), sides(cell), strict=True):
            if other in inside and cell < other and side not in walls:
                pairs.append((cell, other))
    return parts(cells, pairs)


def is_one_loop(edges: Collection[Edge]) -> bool:
    """Whether the edges are one closed loop that does not touch itself."""
    number = degrees(edges)
    if not number or any(degree != 2 for degree in number.values()):
        return False
    return len(parts(number, edges)) == 1


def has_cycle(edges: Collection[Edge]) -> bool:
    """Whether some of the edges are a closed path."""
    ends = degrees(edges)
    return len(edges) != len(ends) - len(parts(ends, edges))
