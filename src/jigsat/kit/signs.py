"""A layer of clues between neighbouring cells: which of two numbers is smaller."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Self

from jigsat.formula import Thing
from jigsat.kit.clues import SizedClues
from jigsat.kit.grid import Cell, Edge, Motion
from jigsat.kit.picture import GridPicture, centre
from jigsat.kit.reading import Size, draw_rows, list_drawn, read_rows
from jigsat.words import name_place

ACROSS = {"<": True, ">": False}  # between cells of a row: whether the left number is smaller
DOWN = {"^": True, "v": False}  # between cells of a column: whether the upper number is smaller
DRAWN = {"<": "<", ">": ">", "^": "∧", "v": "∨"}


class Inequalities(SizedClues[Edge, Edge]):
    """Signs between neighbouring cells, each as (smaller, greater), by the two cells in order.

    The drawing has the cells as dots, and between them < and > across, ^ and v down; the signs
    point to the smaller number. So there are two rows and columns for each of the grid but the
    last.
    """

    noun = "sign"

    @classmethod
    def read(cls, data: Any) -> Self:
        rows = read_rows(data)
        if len(rows) % 2 == 0 or len(rows[0]) % 2 == 0:
            raise ValueError("expected rows of cells with rows of signs between them")
        values: dict[Edge, Edge] = {}
        for (r, c), word in list_drawn(rows).items():
            where = f"row {r + 1}, column {c + 1} of the drawing"
            if r % 2 == 0 and c % 2 == 1 and word in ACROSS:
                pair = ((r // 2, c // 2), (r // 2, c // 2 + 1))
                first_is_smaller = ACROSS[word]
            elif r % 2 == 1 and c % 2 == 0 and word in DOWN:
                pair = ((r // 2, c // 2), (r // 2 + 1, c // 2))
                first_is_smaller = DOWN[word]
            else:
                raise ValueError(f"{where} is {word!r}; write < or > across, ^ or v down, or .")
            values[pair] = pair if first_is_smaller else (pair[1], pair[0])
        return cls(((len(rows) + 1) // 2, (len(rows[0]) + 1) // 2), values)

    @classmethod
    def draft(cls, height: int, width: int) -> str:
        return cls((height, width), {}).write()

    def write(self) -> str:
        words = {}
        for (one, other), (smaller, _) in self.items():
            place = (one[0] + other[0], one[1] + other[1])
            words[place] = find_sign((one, other), smaller)
        return draw_rows(words, 2 * self._size[0] - 1, 2 * self._size[1] - 1)

    def with_values(self, values: Mapping[Edge, Edge]) -> Self:
        return type(self)(self._size, values)

    def meaning(self, motion: Motion) -> Hashable:
        return frozenset((motion.cell(low), motion.cell(high)) for low, high in self.values())

    def draw(self, picture: GridPicture) -> None:
        for pair, (smaller, _) in self.items():
            (r, c), (below, right) = map(centre, pair)
            picture.sign(((r + below) / 2, (c + right) / 2), DRAWN[find_sign(pair, smaller)])

    def thing(self, place: Edge) -> Thing:
        one, other = place
        return Thing("sign", f"{name_place(one)} and {name_place(other)}")

    def describe_value(self, value: Edge) -> str:
        smaller, greater = value
        return f"{name_place(smaller)} < {name_place(greater)}"


def find_sign(pair: Edge, smaller: Cell) -> str:
    """The sign between two cells that points to the smaller one."""
    one, other = pair
    signs = ACROSS if one[0] == other[0] else DOWN
    return next(sign for sign, is_first in signs.items() if is_first == (smaller == one))


def blank_signs(size: Size) -> str:
    """The drawing of a grid of this size without signs."""
    return draw_rows({}, 2 * size[0] - 1, 2 * size[1] - 1)
