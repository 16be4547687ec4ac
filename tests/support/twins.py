"""Twins: puzzles solved by simple backtracking on their raw data, for comparison with the pipeline.

A twin shares no code with jigsat and works with *looks*: the appearance of each cell on the table,
whatever the pieces are called. support/tables.py has the tables and explains *slots*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import count, product
from operator import contains
from typing import Any

from support.tables import Cell, Move, Table, Vector, border, polycube, solid

Look = tuple[Hashable, ...]
"""What one cell shows: a value for each of its slots, and perhaps more, such as the picture on a
tile's face."""

Picture = tuple[Look, ...]
"""What the whole table shows: the looks of its cells in order."""

LEVELS = ("rotation", "reflection", "all")
Renaming = Mapping[Hashable, Hashable]
"""A bijection of values."""


class TooManyError(Exception):
    """There are too many solutions, or steps to find them, for a test."""


def moved(motion: tuple[Move, Renaming], cell: Cell, look: Look) -> tuple[Cell, Look]:
    """The image of a cell and its look."""
    move, renaming = motion
    image, came_from = move[cell]
    values = [look[i] for i in came_from]
    if renaming:
        values = [renaming.get(value, value) for value in values]
    return image, (*values, *look[len(came_from) :])


@dataclass(frozen=True, eq=False)
class Twin:
    """A puzzle as a stock of looks and the values that may meet.

    `stock` counts the available looks; pieces that can show the same looks are equal. `fits` judges
    the values at a place so far, given how many slots meet there. `hints` are sets of (cell, look);
    one member of each is required. `also` is a rule for the placed looks. Values that are
    `exchangeable` may be exchanged if that changes neither the stock nor which values may meet.
    """

    table: Table
    stock: Counter[frozenset[Look]]
    fits: Callable[[list[Hashable], int], bool]
    hints: frozenset[frozenset[tuple[Cell, Look]]] = frozenset()
    reusable: bool = False
    also: Callable[[Mapping[Cell, Look]], bool] = lambda lying: True
    exchangeable: Sequence[Hashable] = ()
    most: int = 400
    patience: int = 20_000

    def solutions(self) -> set[Picture]:
        """All possible finished tables."""
        found: set[Picture] = set()
        cells = list(self.table.cells)
        left = Counter(self.stock)
        lying: dict[Cell, Look] = {}
        steps = count(1)
        values = {value for looks in self.stock for look in looks for value in look}

        @cache
        def fitting(there: Look, slots: int) -> set[Hashable]:
            return {value for value in values if self.fits([*there, value], slots)}

        def search() -> None:
            if len(found) > self.most or next(steps) > self.patience:
                raise TooManyError
            if len(lying) == len(cells):
                found.add(tuple(lying[cell] for cell in cells))
                return
            cell = cells[len(lying)]
            around = []
            for _, place in self.table.cells[cell]:
                meeting = self.table.meeting[place]
                around.append(
                    fitting(tuple([lying[at][i] for at, i in meeting if at in lying]), len(meeting))
                )
            demanded = [
                {look for at, look in hint if at == cell}
                for hint in self.hints
                if {at for at, _ in hint} == {cell}
            ]
            for looks in [looks for looks in left if left[looks] > 0]:
                left[looks] -= not self.reusable
                for look in looks:
                    if all(map(contains, around, look)) and all(look in hint for hint in demanded):
                        lying[cell] = look
                        if self.also(lying):
                            search()
                        del lying[cell]
                left[looks] += not self.reusable

        search()
        return found

    def accepts(self, picture: Picture) -> bool:
        """Whether a picture obeys every rule, that is, is a solution; without finding the
        solutions."""
        lying = dict(zip(self.table.cells, picture, strict=True))
        kinds = {look: looks for looks in self.stock for look in looks}
        used = Counter(kinds.get(look, frozenset()) for look in picture)
        return (
            all(
                self.stock[looks] > 0 and (self.reusable or times <= self.stock[looks])
                for looks, times in used.items()
            )
            and all(
                self.fits([lying[cell][i] for cell, i in slots], len(slots))
                for slots in self.table.meeting.values()
            )
            and all(any(lying[cell] == look for cell, look in hint) for hint in self.hints)
            and self.also(lying)
        )

    @cached_property
    def renamings(self) -> list[Renaming]:
        """The permutations of values that preserve which values may meet, the identity first."""
        found: list[dict[Hashable, Hashable]] = [{}]
        often = Counter(dict.fromkeys(self.exchangeable, 0))
        for looks, number in self.stock.items():
            for look in looks:
                often.update(dict.fromkeys(look, self.reusable or number) if number else {})
        for value in self.exchangeable:
            found = [
                {**renaming, value: image}
                for renaming in found
                for image in self.exchangeable
                if image not in renaming.values()
                and often[value] == often[image]
                and self.fits([value], 1) == self.fits([image], 1)
                and all(
                    self.fits([value, a], 2) == self.fits([image, b], 2)
                    for a, b in [*renaming.items(), (value, image)]
                )
            ]
        return sorted(found, key=lambda renaming: sum(a != b for a, b in renaming.items()))

    @cached_property
    def symmetries(self) -> dict[str, list[tuple[Move, Renaming]]]:
        """The moves of the table with renamings, by level, that keep stock and hints; each effect
        occurs once."""
        stock = {
            look: self.reusable or count for looks, count in self.stock.items() for look in looks
        }
        laid = [(cell, look) for cell in self.table.cells for look in stock]
        kept: dict[str, dict[tuple[tuple[Cell, Look], ...], tuple[Move, Renaming]]] = {
            level: {} for level in LEVELS
        }
        for (number, renaming), (mirrored, move) in product(
            enumerate(self.renamings), self.table.moves
        ):
            images = {lie: moved((move, renaming), *lie) for lie in laid}
            if any(stock.get(images[cell, look][1]) != stock[look] for cell, look in laid):
                continue
            if (
                frozenset(frozenset(images[lie] for lie in hint) for hint in self.hints)
                != self.hints
            ):
                continue
            for level in LEVELS[2 if number else mirrored :]:
                kept[level].setdefault(tuple(images.values()), (move, renaming))
        return {level: list(motions.values()) for level, motions in kept.items()}

    def orbits(self, solutions: set[Picture], level: str) -> list[set[Picture]]:
        """The orbits of the solutions under the symmetries of the level ('nothing' has only the
        identity)."""
        rest, found = set(solutions), []
        moves = self.symmetries.get(level)
        while rest:
            picture = next(iter(rest))
            orbit = {self.moved(move, picture) for move in moves} if moves else {picture}
            assert orbit <= rest, "the solutions are not closed under the symmetries"
            rest -= orbit
            found.append(orbit)
        return found

    def orders(self) -> dict[str, int]:
        """The number of symmetries by level, leaving out levels that add none."""
        orders = [1, *(len(self.symmetries[level]) for level in LEVELS)]
        return {
            level: order
            for level, before, order in zip(LEVELS, orders, orders[1:], strict=False)
            if order > before
        }

    def distinct(self, solutions: set[Picture]) -> dict[str, int]:
        """The number of orbits of the solutions at each of these levels."""
        return {level: len(self.orbits(solutions, level)) for level in self.orders()}

    def moved(self, motion: tuple[Move, Renaming], picture: Picture) -> Picture:
        """The picture after a move of the whole table and a renaming."""
        looks = dict(
            moved(motion, cell, look) for cell, look in zip(self.table.cells, picture, strict=True)
        )
        return tuple(looks[cell] for cell in self.table.cells)


def tile_look(sides: Sequence[str], turn: int) -> Look:
    """The labels around a tile, clockwise from side 0 of its cell, when it is turned clockwise by
    `turn` sides."""
    return tuple(sides[(i - turn) % len(sides)] for i in range(len(sides)))


def faced_look(tile: Mapping[str, Any], turn: int) -> Look:
    """The labels around a placed tile, and then the picture on its face."""
    return *tile_look(tile["sides"], turn), tile.get("face")


def edge_matching(data: Mapping[str, Any], table: Table) -> Twin:
    """The twin of an edge-matching instance on a table of square cells."""
    turning = data.get("turning", True)
    tiles = {
        name: tile if isinstance(tile, dict) else {"sides": tile}
        for name, tile in data["tiles"].items()
    }

    def looks(name: str) -> frozenset[Look]:
        return frozenset(
            faced_look(tiles[name], turn)
            for turn in range(len(tiles[name]["sides"]) if turning else 1)
        )

    stock: Counter[frozenset[Look]] = Counter()
    for name, tile in tiles.items():
        stock[looks(name)] += tile.get("count", 1)
    hints = set()
    for hint in data.get("hints", ()):
        cell = tuple(hint["cell"]) if isinstance(hint["cell"], list) else hint["cell"]
        turn = hint.get("turn")
        shown = looks(hint["tile"]) if turn is None else {faced_look(tiles[hint["tile"]], turn)}
        hints.add(frozenset((cell, look) for look in shown))
    matching, frame = data.get("matching", "equal"), data.get("frame")

    def fits(values: list[Hashable], meeting: int) -> bool:
        if meeting == 1:
            return frame is None or values == [frame]
        if len(values) < 2:
            return True
        a, b = values
        return a == b if matching == "equal" else [a, b] in matching or [b, a] in matching

    def each_face_once(lying: Mapping[Any, Look]) -> bool:
        lines = [(axis, cell[axis], look[4]) for cell, look in lying.items() for axis in (0, 1)]
        return len(set(lines)) == len(lines)

    labels = sorted({side for tile in tiles.values() for side in tile["sides"]})
    twin = Twin(
        table, stock, fits, frozenset(hints), data.get("reusable", False), exchangeable=labels
    )
    return replace(twin, also=each_face_once) if data.get("latin") else twin


def piece_look(rows: Sequence[str], turn: int, flipped: bool) -> Look:
    """The border of a piece, row by row, turned over (left becomes right) or not, then turned
    clockwise."""
    grid = [list(row) for row in rows]
    if flipped:
        grid = [row[::-1] for row in grid]
    for _ in range(turn):
        grid = [list(column) for column in zip(*grid[::-1], strict=True)]
    return tuple(grid[r][c] in "#1" for r, c in border(len(grid)))


def interlocking(data: Mapping[str, Any], cubes: frozenset[Vector] | None = None) -> Twin:
    """The twin of an interlocking instance on the cube, or on unit cubes."""
    pieces = {name: drawing.split() for name, drawing in data["pieces"].items()}
    size = len(next(iter(pieces.values())))
    flips = (False, True) if data.get("turning_over", True) else (False,)
    stock = Counter(
        frozenset(piece_look(rows, turn, flipped) for turn in range(4) for flipped in flips)
        for rows in pieces.values()
    )
    holes = data.get("holes") == "allowed"

    def fits(values: list[Hashable], meeting: int) -> bool:
        teeth = values.count(True)
        must_be_filled = len(values) == meeting and (meeting == 3 or not holes)
        return teeth == 1 or (teeth == 0 and not must_be_filled)

    return Twin(polycube(cubes, size) if cubes else solid(size), stock, fits)
