"""The check of a tiling: it turns the corners of the drawn pieces; the encoding has integer
coordinates of cells instead."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from jigsat.encodings.tiling.data import Placement, TilingData

    from jigsat.boards import Board, Point
    from jigsat.boards.lattice import Cell

    Corners = Sequence[Point]
    Matrix = Sequence[Sequence[float]]
    Look = frozenset[tuple[frozenset[Point], str]]  # the corners and the colour of each cell

ANY_COLOUR = "#"


class Alike(NamedTuple):
    """Pieces that can replace each other, and how often they are used together."""

    names: list[str]
    least: int
    most: int


class Checker:
    """The check of one puzzle. It caches the faults of single placements, because many solutions
    share placements."""

    def __init__(self, puzzle: TilingData) -> None:
        self._puzzle = puzzle
        self._faults: dict[Placement, tuple[str, ...]] = {}

    def broken_rules(self, placements: Sequence[Placement]) -> Iterator[str]:
        """Cells that are not covered once, impossible placements, and pieces used too often or too
        rarely."""
        yield from self._find_wrong_cells(placements)

        for placement in placements:
            if placement not in self._faults:
                self._faults[placement] = tuple(self._find_faults(placement))
            yield from self._faults[placement]

        used = Counter([placement.piece for placement in placements])
        for names, least, most in self._alike:
            times = sum([used[name] for name in names])
            if not least <= times <= most:
                yield f"piece {names[0]} is used {times} times"

        for name, group in self._puzzle.groups.items():
            times = sum([used[piece] for piece in group.pieces])
            least, most = group.number
            if not least <= times <= most:
                yield f"{times} pieces of the group {name} are used, not {group}"

    def _find_wrong_cells(self, placements: Sequence[Placement]) -> Iterator[str]:
        """Cells that are covered twice, and cells that are left over and may not be."""
        covered = Counter([cell for placement in placements for cell in placement.cells])
        for cell, times in covered.items():
            if times > 1:
                yield f"{cell} is covered {times} times"

        left = self._puzzle.cells.keys() - covered.keys()
        least, most = self._uncovered_cells
        if not least <= len(left) <= most:
            allowed = f"{least} to {most}" if most > least else str(least)
            yield f"{len(left)} cells are left over, not {allowed}"

        if self._puzzle.optional is not None:
            for cell in sorted(left - self._may_stay_empty):
                yield f"{cell} is not covered"

    @cached_property
    def _uncovered_cells(self) -> tuple[int, int]:
        """The minimum and maximum number of cells that no piece covers."""
        if self._puzzle.left_over is not None:
            return self._puzzle.left_over
        if self._puzzle.optional is not None:
            return 0, len(self._may_stay_empty)
        return 0, 0

    @cached_property
    def _may_stay_empty(self) -> frozenset[Cell]:
        """The cells with a + in the drawing of optional cells, which has the cells of the board in
        the same order."""
        drawing = self._puzzle.optional or ""
        marks = [mark for mark in drawing if not mark.isspace() and mark != "."]
        marked = zip(self._puzzle.cells, marks, strict=True)
        return frozenset(cell for cell, mark in marked if mark == "+")

    def _find_faults(self, placement: Placement) -> Iterator[str]:
        """What is wrong with a placement by itself."""
        name, where = placement
        if name not in self._puzzle.drawn or len(where) != len(self._puzzle.drawn[name]):
            yield f"there is no piece {name} of {len(where)} cells"
            return

        for cell, colour in zip(where, self._puzzle.drawn[name].values(), strict=True):
            below = self._puzzle.cells.get(cell)
            if below is None:
                yield f"piece {name} covers {cell}, which is not on the board"
            elif ANY_COLOUR not in (colour, below) and colour != below:
                yield f"piece {name} shows {colour} on {cell}, but the board shows {below}"

        if not self._can_lie(name, where):
            yield f"piece {name} cannot cover {where}"

    def _can_lie(self, name: str, where: Sequence[Cell]) -> bool:
        """Whether the piece can cover these cells, in some order, with its colours where it shows
        them."""
        if any(cell not in self._puzzle.cells for cell in where):
            return False
        board = self._puzzle.surface
        colours = list(self._puzzle.drawn[name].values())
        corners = _list_corners(where, board)
        if board is None or not any(board.wrap):
            return _move_to_origin(corners, colours) in self._looks[name]

        middles = [_find_middle(cell) for cell in corners]
        covered = {
            (board.at(middle), colour) for middle, colour in zip(middles, colours, strict=True)
        }
        if len(covered) < len(where):
            return False
        return any(_covers(look, covered, middles[0], board) for look in self._looks[name])

    @cached_property
    def _looks(self) -> dict[str, frozenset[Look]]:
        """All appearances of each piece: turned, and in the plane also mirrored, as far as that is
        allowed."""
        looks = {}
        for name, cells in self._puzzle.drawn.items():
            corners = _list_corners(cells, self._puzzle.drawn_boards.get(name))
            appearances = set()
            for matrix in self._motions:
                moved = [[_apply(matrix, point) for point in cell] for cell in corners]
                appearances.add(_move_to_origin(moved, cells.values()))
            looks[name] = frozenset(appearances)
        return looks

    @cached_property
    def _motions(self) -> list[Matrix]:
        """The turns that are allowed, and reflections if pieces may be turned over."""
        puzzle = self._puzzle
        if puzzle.dimension == 3:
            unturned = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
            return list(_list_space_turns()) if puzzle.turning else [unturned]
        board = puzzle.surface
        sides = board.sides(board.cells[0]) if board else 4
        turns = {3: 6, 4: 4, 6: 6}[sides] if puzzle.turning else 1
        return list(_list_plane_motions(turns, puzzle.turning_over))

    @cached_property
    def _alike(self) -> list[Alike]:
        """The pieces that look the same and are in the same groups, together."""
        names_by_look: dict[tuple[frozenset[Look], frozenset[str]], list[str]] = {}
        for name, looks in self._looks.items():
            groups = frozenset(
                group for group, listed in self._puzzle.groups.items() if name in listed.pieces
            )
            names_by_look.setdefault((looks, groups), []).append(name)

        alike = []
        for names in names_by_look.values():
            uses = [self._puzzle.number_of_uses(name) for name in names]
            least = sum(fewest for fewest, _ in uses)
            most = sum(highest for _, highest in uses)
            alike.append(Alike(names, least, most))
        return alike


def _list_corners(cells: Iterable[Cell], board: Board | None) -> list[Corners]:
    """The corners of cells of a board, or of squares or cubes, as (x, y) or (x, y, z)."""
    if board is not None:
        return [board.polygons[cell] for cell in cells]
    return [list(product(*((x, x + 1) for x in reversed(cell)))) for cell in cells]


def _move_to_origin(cells: Sequence[Corners], colours: Iterable[str]) -> Look:
    """Cells with their colours, shifted to the origin."""
    points = [point for cell in cells for point in cell]
    least = [min(coordinates) for coordinates in zip(*points, strict=True)]

    def shift(point: Point) -> Point:
        return tuple([round(x - low, 3) for x, low in zip(point, least, strict=True)])

    shifted = [frozenset(map(shift, cell)) for cell in cells]
    return frozenset(zip(shifted, colours, strict=True))


def _covers(look: Look, covered: set[tuple[Point, str]], first: Point, board: Board) -> bool:
    """Whether a piece that looks so covers cells of a board that wraps around, which are given by
    their middles. One of its cells then lies on the first of them."""
    middles = [(_find_middle(list(corners)), colour) for corners, colour in look]
    for start, _ in middles:
        shift = [a - b for a, b in zip(first, start, strict=True)]
        lying = set()
        for middle, colour in middles:
            moved = [x + dx for x, dx in zip(middle, shift, strict=True)]
            lying.add((board.at(moved), colour))
        if lying == covered:
            return True
    return False


def _find_middle(corners: Corners) -> Point:
    return tuple([sum(coordinates) / len(corners) for coordinates in zip(*corners, strict=True)])


def _apply(matrix: Matrix, point: Point) -> Point:
    return tuple(sum(a * x for a, x in zip(row, point, strict=True)) for row in matrix)


def _list_plane_motions(turns: int, turning_over: bool) -> Iterator[Matrix]:
    """So many turns of a full circle, and each of them after a reflection."""
    for turn in range(turns):
        angle = 2 * math.pi * turn / turns
        cos = math.cos(angle)
        sin = math.sin(angle)
        yield (cos, -sin), (sin, cos)
        if turning_over:  # left and right are exchanged before the turn
            yield (-cos, -sin), (-sin, cos)


def _list_space_turns() -> Iterator[Matrix]:
    """The 24 turns of a cube: the axes are exchanged, and the direction of some is reversed, so
    that left and right stay what they are."""
    for axes in permutations(range(3)):
        exchanges = sum(a > b for a, b in combinations(axes, 2))
        for signs in product((1, -1), repeat=3):
            reversals = signs.count(-1)
            if (exchanges + reversals) % 2 == 0:
                yield [
                    [sign if axis == i else 0 for i in range(3)]
                    for axis, sign in zip(axes, signs, strict=True)
                ]
