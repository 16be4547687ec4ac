"""Tilings solved by a search that shares no code with jigsat, and random ones."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st
from support.agreement import parsed

Vector = tuple[int, ...]
Coloured = dict[Vector, str]
Look = frozenset[tuple[Vector, str]]
"""The appearance of a placed piece: its cells with their colours."""
Picture = frozenset[Look]
"""The appearance of a solution; pieces that look alike are not distinguished."""


def frames(dimension: int, mirrored: bool) -> Iterator[list[Vector]]:
    """The images of the axes under rotations and reflections. In space the third is the vector
    product of the others."""
    units = [
        tuple(sign * (i == axis) for i in range(dimension))
        for axis in range(dimension)
        for sign in (1, -1)
    ]
    if dimension == 2:
        for x, y in units:
            yield [(x, y), (-y, x)]
            if mirrored:
                yield [(x, y), (y, -x)]
        return
    for a, b in product(units, repeat=2):
        if all(x * y == 0 for x, y in zip(a, b, strict=True)):
            c = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
            yield [a, b, c]
            if mirrored:
                yield [a, b, (-c[0], -c[1], -c[2])]


def moved(frame: Sequence[Vector], cell: Vector) -> Vector:
    return tuple(
        sum(x * axis[i] for x, axis in zip(cell, frame, strict=True)) for i in range(len(cell))
    )


def home(coloured: Iterable[tuple[Vector, str]]) -> Look:
    """The same piece or board, shifted so that the minimum of each coordinate is 0."""
    coloured = list(coloured)
    corner = [min(cell[i] for cell, _ in coloured) for i in range(len(coloured[0][0]))]
    return frozenset(
        (tuple(x - low for x, low in zip(cell, corner, strict=True)), shade)
        for cell, shade in coloured
    )


@dataclass(frozen=True)
class Twin:
    """A tiling puzzle as plain data; each piece has the minimum and maximum number of its uses."""

    board: Coloured
    pieces: tuple[tuple[Coloured, int, int], ...]
    left_over: tuple[int, int] = (0, 0)
    turning: bool = True
    turning_over: bool = True
    optional: frozenset[Vector] | None = None

    @property
    def dimension(self) -> int:
        return len(next(iter(self.board)))

    @property
    def ways(self) -> list[list[Vector]]:
        if self.turning:
            return list(frames(self.dimension, mirrored=self.dimension == 2 and self.turning_over))
        if self.dimension == 3:
            return [[(1, 0, 0), (0, 1, 0), (0, 0, 1)]]
        return [[(1, 0), (0, 1)], [(1, 0), (0, -1)]][: 1 + self.turning_over]

    def looks(self, piece: Coloured) -> frozenset[Look]:
        return frozenset(
            home((moved(way, cell), shade) for cell, shade in piece.items()) for way in self.ways
        )

    @cached_property
    def classes(self) -> dict[frozenset[Look], tuple[int, int]]:
        """How often pieces that can look the same are used together."""
        found: dict[frozenset[Look], tuple[int, int]] = {}
        for piece, least, most in self.pieces:
            low, high = found.get(self.looks(piece), (0, 0))
            found[self.looks(piece)] = low + least, high + most
        return found

    def lies(self, look: Look) -> bool:
        return all(
            cell in self.board and (shade == self.board[cell] or "#" in (shade, self.board[cell]))
            for cell, shade in look
        )

    def solutions(self) -> Iterator[Picture]:
        """Cover the first free cell or leave it over, and so on; sets of cells are bits of an
        integer."""
        least, at_most = self.left_over
        # column by column: boards are wider than high
        order = sorted(self.board, key=lambda cell: cell[::-1])
        fitting: list[list[tuple[int, int, Look]]] = [[] for _ in order]
        for number, looks in enumerate(self.classes):
            for there in filter(self.lies, self.everywhere(looks)):
                cells = [order.index(cell) for cell, _ in there]
                fitting[min(cells)].append((sum(1 << i for i in cells), number, there))
        fewest, most = zip(*self.classes.values(), strict=True)
        used = [0] * len(most)

        def search(free: int, left: int, done: tuple[Look, ...]) -> Iterator[Picture]:
            if not free:
                if least <= left and all(
                    times >= least for times, least in zip(used, fewest, strict=True)
                ):
                    yield frozenset(done)
                return
            first = free & -free
            if left < at_most and (
                self.optional is None or order[first.bit_length() - 1] in self.optional
            ):
                yield from search(free - first, left + 1, done)
            for cells, number, there in fitting[first.bit_length() - 1]:
                if cells & free == cells and used[number] < most[number]:
                    used[number] += 1
                    yield from search(free - cells, left, (*done, there))
                    used[number] -= 1

        yield from search((1 << len(order)) - 1, 0, ())

    def orbits(self, solutions: set[Picture], level: str) -> int:
        """The number of solutions up to the motions of the board."""
        seen = {
            cell: shade + "+" * (cell in (self.optional or ()))
            for cell, shade in self.board.items()
        }
        board = home(seen.items())
        fitting = {
            looks
            for looks in self.classes
            if any(self.lies(look) for look in self.everywhere(looks))
        }
        movers = []
        for frame in frames(self.dimension, mirrored=level == "reflection"):
            if home((moved(frame, cell), shade) for cell, shade in seen.items()) != board:
                continue
            images = [
                frozenset(
                    home((moved(frame, cell), shade) for cell, shade in look) for look in looks
                )
                for looks in fitting
            ]
            if all(
                self.classes.get(image) == self.classes[looks]
                for looks, image in zip(fitting, images, strict=True)
            ):
                corner = [
                    min(moved(frame, cell)[i] for cell in self.board) for i in range(self.dimension)
                ]
                movers.append((frame, corner))

        def image(picture: Picture, frame: Sequence[Vector], corner: Sequence[int]) -> Picture:
            def to(cell: Vector) -> Vector:
                return tuple(x - low for x, low in zip(moved(frame, cell), corner, strict=True))

            return frozenset(
                frozenset((to(cell), shade) for cell, shade in look) for look in picture
            )

        rest, orbits = set(solutions), 0
        while rest:
            picture = next(iter(rest))
            rest -= {image(picture, *mover) for mover in movers}
            orbits += 1
        return orbits

    def everywhere(self, looks: frozenset[Look]) -> Iterator[Look]:
        for look, cell in product(looks, self.board):
            first = min(at for at, _ in look)
            yield frozenset(
                (tuple(x + y - z for x, y, z in zip(at, cell, first, strict=True)), shade)
                for at, shade in look
            )

    def data(self) -> dict[str, Any]:
        """The same as the data of an instance file."""
        pieces = {
            f"p{i}": {"shape": drawing(piece), "uses": least if least == most else [least, most]}
            for i, (piece, least, most) in enumerate(self.pieces)
        }
        flat = {"turning_over": self.turning_over} if self.dimension == 2 else {}
        least, most = self.left_over
        left: dict[str, Any] = {"left_over": least if least == most else [least, most]}
        if self.optional is not None:
            left = {
                "optional": drawing(
                    {cell: "+" if cell in self.optional else "#" for cell in self.board}
                )
            } | ({} if self.left_over == (0, len(self.optional)) else left)
        said = {"family": "tiling", **left, "turning": self.turning, **flat}
        return {**said, "board": drawing(self.board), "pieces": pieces}


def drawing(coloured: Coloured) -> str:
    """Rows of characters, layers separated by a blank line."""
    *depth, height, width = (range(max(values) + 1) for values in zip(*coloured, strict=True))
    layers = [
        "\n".join("".join(coloured.get((*layer, y, x), ".") for x in width) for y in height)
        for layer in product(*depth)
    ]
    return "\n\n".join(layers)


def as_seen(puzzle: Any, twin: Twin, placements: Sequence[Any]) -> list[Look]:
    """The appearance of the placements; the cells of a piece are in the order of its drawing."""
    drawn = {
        f"p{i}": [shade for _, shade in sorted(piece.items())]
        for i, (piece, _, _) in enumerate(twin.pieces)
    }
    return [frozenset(zip(cells, drawn[name], strict=True)) for name, cells in placements]


def random_twin(rng: random.Random) -> Twin:
    """A small puzzle with pieces cut from the board; then some pieces are changed, added or
    removed."""
    dimension = rng.choice([2, 2, 2, 3])
    flat, solid = (
        [(2, 3), (3, 3), (2, 4), (3, 4), (1, 5)],
        [(2, 2, 2), (2, 2, 2), (2, 1, 3), (2, 2, 3)],
    )
    cells = list(product(*map(range, rng.choice(flat if dimension == 2 else solid))))
    shades, regular = rng.choice(["#", "#", "#w", "bw", "bw"]), rng.random() < 0.5
    if not regular:
        cells = [cell for cell in cells if rng.random() < 0.9 or max(cell) == 0]
    board = {
        cell: shades[sum(cell) % len(shades)] if regular else rng.choice(shades) for cell in cells
    }
    board = dict(sorted(home(board.items())))
    left_over, free = rng.choice([0, 0, 0, 1, 2]), set(board)
    pieces: list[tuple[Coloured, int, int]] = []
    while len(free) > left_over:
        piece = [rng.choice(sorted(free))]
        for _ in range(min(rng.choice([0, 1, 1, 2, 2, 3]), len(free) - left_over - 1)):
            near = [
                cell
                for cell in free - set(piece)
                if any(sum(map(abs, _between(cell, other))) == 1 for other in piece)
            ]
            piece += [rng.choice(sorted(near or free - set(piece)))]  # sometimes in two parts
        free -= set(piece)
        frame = rng.choice(list(frames(dimension, mirrored=rng.random() < 0.2)))
        seen = home(
            (moved(frame, cell), rng.choice([board[cell], board[cell], "#"])) for cell in piece
        )
        low, high = rng.choice([(1, 1), (1, 1), (0, 1), (0, 2), (1, 2)])
        pieces.append((dict(sorted(seen)), low, high))
    if rng.random() < 0.5:
        pieces.append((rng.choice(pieces)[0], *rng.choice([(0, 1), (1, 1), (0, 3)])))
    left, optional = (left_over, left_over), None
    if rng.random() < 0.4:
        optional = frozenset(free | {cell for cell in board if rng.random() < 0.4})
        left = (0, len(optional))
    if rng.random() < 0.3:
        left = (rng.randint(0, left_over), rng.randint(left_over, left[1]))
    return Twin(board, tuple(pieces), left, rng.random() < 0.8, rng.random() < 0.7, optional)


def _between(a: Vector, b: Vector) -> Vector:
    return tuple(x - y for x, y in zip(a, b, strict=True))


twins = st.integers(0, 2**32).map(lambda seed: random_twin(random.Random(seed)))


def puzzle_of(twin: Twin) -> Any:
    """The puzzle, unless it obviously has too few or too many pieces."""
    at_least, at_most = (len(twin.board) - number for number in reversed(twin.left_over))
    least, most = (
        sum(len(piece) * (low, high)[i] for piece, low, high in twin.pieces) for i in (0, 1)
    )
    assume(least <= at_most and at_least <= most)
    return parsed(twin.data())
