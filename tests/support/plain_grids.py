"""Puzzles on a grid solved by plain search, from the entries of their files and without jigsat.

Each function reads the drawn rows by itself and returns all answers. They are written from the
rules, for small grids.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain, combinations, permutations, product
from typing import Any

Cell = tuple[int, int]


Answer = frozenset[Any]


def drawn(text: str) -> dict[Cell, str]:
    rows = [
        line.split() if " " in text.strip() else list(line) for line in text.split("\n") if line
    ]
    return {(r, c): word for r, row in enumerate(rows) for c, word in enumerate(row)}


def subsets(cells: list[Cell]) -> Iterator[frozenset[Cell]]:
    for picked in chain.from_iterable(combinations(cells, n) for n in range(len(cells) + 1)):
        yield frozenset(picked)


def ray(cell: Cell, step: Cell, inside: Mapping[Cell, str], stop: set[Cell]) -> list[Cell]:
    seen = []
    r, c = cell[0] + step[0], cell[1] + step[1]
    while (r, c) in inside and (r, c) not in stop:
        seen.append((r, c))
        r, c = r + step[0], c + step[1]
    return seen


STEPS = [(0, 1), (1, 0), (0, -1), (-1, 0)]


def loops(height: int, width: int) -> Iterator[frozenset[tuple[Cell, Cell]]]:
    """Every loop along the lines of a grid of this many squares, as the border of its inside."""
    squares = list(product(range(height), range(width)))
    for inside in subsets(squares):
        sides: set[tuple[Cell, Cell]] = set()
        for r, c in inside:
            sides.symmetric_difference_update(square(r, c))
        ends = [end for side in sides for end in side]
        if sides and all(ends.count(end) == 2 for end in ends) and joined(set(ends), sides):
            yield frozenset(sides)


def square(r: int, c: int) -> set[tuple[Cell, Cell]]:
    """The sides of a square, from corner to corner."""
    return {
        ((r, c), (r, c + 1)),
        ((r + 1, c), (r + 1, c + 1)),
        ((r, c), (r + 1, c)),
        ((r, c + 1), (r + 1, c + 1)),
    }


def joined(nodes: set[Cell], pairs: set[tuple[Cell, Cell]]) -> bool:
    """Whether the pairs join all nodes."""
    reached = set(list(nodes)[:1])
    while True:
        more = {x for pair in pairs for x in pair if reached.intersection(pair)} - reached
        if not more:
            return reached == nodes
        reached |= more


def touching(cells: set[Cell] | frozenset[Cell]) -> set[tuple[Cell, Cell]]:
    """The pairs of cells that are side by side."""
    return {
        ((r, c), other) for r, c in cells for other in ((r + 1, c), (r, c + 1)) if other in cells
    }


def fill(
    cells: list[Any], values: Iterable[Any], fits: Callable[[dict[Any, Any], Any], bool]
) -> Iterator[dict[Any, Any]]:
    """All ways to write values into cells, one after the other; each must fit those before."""

    def extend(grid: dict[Cell, Any]) -> Iterator[dict[Cell, Any]]:
        if len(grid) == len(cells):
            yield dict(grid)
            return
        cell = cells[len(grid)]
        for value in values:
            grid[cell] = value
            if fits(grid, cell):
                yield from extend(grid)
            del grid[cell]

    return extend({})


def around(cell: Cell) -> set[Cell]:
    r, c = cell
    return {(r + a, c + b) for a in (-1, 0, 1) for b in (-1, 0, 1)}


def can_have_ones(
    grid: Mapping[Cell, int], near: set[Cell], number: int, inside: Collection[Cell]
) -> bool:
    """Whether exactly `number` of these cells can still be 1."""
    ones = sum(grid.get(x, 0) for x in near)
    free = sum(x in inside and x not in grid for x in near)
    return ones <= number <= ones + free


def lonely(words: Mapping[Cell, str], may: Callable[[Cell], bool]) -> Iterator[set[Cell]]:
    """All sets of cells of which no two are side by side and which cut off no other cell."""

    def fits(grid: dict[Cell, int], cell: Cell) -> bool:
        r, c = cell
        beside = grid.get((r - 1, c)) or grid.get((r, c - 1))
        return not grid[cell] or (may(cell) and not beside)

    for grid in fill(sorted(words), (0, 1), fits):
        white = {x for x in grid if not grid[x]}
        if joined(set(white), touching(white)):
            yield set(grid) - white


def latin(size: int) -> Iterator[dict[Cell, int]]:
    """All squares with each number once in each row and column."""

    def fits(grid: dict[Cell, int], cell: Cell) -> bool:
        r, c = cell
        number = grid[cell]
        return all(grid[r, k] != number for k in range(c)) and all(
            grid[i, c] != number for i in range(r)
        )

    return fill(list(product(range(size), repeat=2)), range(1, size + 1), fits)


def list_cages(entry: Any) -> list[tuple[list[Cell], str]]:
    """The cells of each cage with what is written in it."""
    table = entry if isinstance(entry, dict) else {"cells": entry}
    names = drawn(table["cells"])
    numbers = table.get("numbers", {})
    return [
        ([x for x in names if names[x] == name], str(numbers.get(name, "")))
        for name in sorted(set(names.values()) - {"."})
    ]


def measure_cages(entry: Any) -> int:
    """The number of rows of a square with cages."""
    drawing = entry["cells"] if isinstance(entry, dict) else entry
    return max(drawn(drawing))[0] + 1


def list_rooms(words: Mapping[Cell, str]) -> dict[str, list[Cell]]:
    rooms: dict[str, list[Cell]] = {}
    for cell, name in words.items():
        if name != ".":
            rooms.setdefault(name, []).append(cell)
    return rooms


def beside(cell: Cell) -> set[Cell]:
    return {(cell[0] + r, cell[1] + c) for r, c in STEPS}


def number_rooms(
    entries: Mapping[str, Any], near: Callable[[Cell, Cell, int], bool]
) -> set[Answer]:
    """Rooms with the numbers up to their size; equal ones may not be near."""
    given = drawn(entries["given"])
    rooms = list(list_rooms(drawn(entries["rooms"])).values())
    answers = set()

    def extend(index: int, number: dict[Cell, int]) -> None:
        if index == len(rooms):
            answers.add(frozenset(number.items()))
            return
        for values in permutations(range(1, len(rooms[index]) + 1)):
            new = dict(zip(rooms[index], values, strict=True))
            fits = all(given[cell] in (".", "?", str(value)) for cell, value in new.items())
            both = number | new
            if fits and not any(
                value == both[other] and other != cell and near(cell, other, value)
                for cell, value in new.items()
                for other in both
            ):
                extend(index + 1, both)

    extend(0, {})
    return answers


def totals_fit(entry: Mapping[str, str], cells: Collection[Cell]) -> bool:
    """Whether columns and rows have as many cells as the table says."""
    for side, axis in (("top", 1), ("left", 0)):
        for i, word in enumerate(entry.get(side, "").split()):
            if word not in (".", "?", str(sum(cell[axis] == i for cell in cells))):
                return False
    return True
