"""Sudokus solved by plain backtracking, cell by cell, over the data of an instance; shares no code
with jigsat."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

Filled = tuple[str, ...]


def areas(data: dict[str, Any]) -> list[set[tuple[int, int]]]:
    """The areas with different digits, from the data of an instance with square boxes."""
    n = len(data["grid"])
    box = {2: 1, 3: 1, 4: 2, 9: 3}[n] if "regions" not in data else 0
    regions = data.get("regions") or [[(r // box, c // box) for c in range(n)] for r in range(n)]
    cells = list(product(range(n), repeat=2))
    found = [{cell for cell in cells if cell[axis] == i} for axis in (0, 1) for i in range(n)]
    found += [
        {(r, c) for r, c in cells if regions[r][c] == name}
        for name in {name for row in regions for name in row}
    ]
    if data.get("diagonals"):
        found += [
            {(r, c) for r, c in cells if r == c},
            {(r, c) for r, c in cells if r + c == n - 1},
        ]
    if extra := data.get("extra"):
        found += [
            {(r, c) for r, c in cells if extra[r][c] == name}
            for name in set("".join(extra)) - {"."}
        ]
    return found


def fillings(data: dict[str, Any]) -> Iterator[Filled]:
    """Every solution, always trying the cell with the fewest digits left."""
    n = len(data["grid"])
    seen = {
        cell: set().union(*(area for area in areas(data) if cell in area)) - {cell}
        for cell in product(range(n), repeat=2)
    }
    digits = "123456789"[:n]
    held = {
        (r, c): value
        for r, row in enumerate(data["grid"])
        for c, value in enumerate(row)
        if value != "."
    }
    if any(held.get(other) == value for cell, value in held.items() for other in seen[cell]):
        return

    def fill() -> Iterator[Filled]:
        left = {
            cell: set(digits) - {held.get(other) for other in seen[cell]}
            for cell in seen
            if cell not in held
        }
        if not left:
            yield tuple("".join(held[r, c] for c in range(n)) for r in range(n))
            return
        cell = min(left, key=lambda cell: len(left[cell]))
        for value in sorted(left[cell]):
            held[cell] = value
            yield from fill()
            del held[cell]

    yield from fill()
