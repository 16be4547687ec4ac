"""The check of a tiling: it turns the corners of the drawn pieces; the encoding has integer
coordinates of cells instead."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING

from jigsat.boards import middle

if TYPE_CHECKING:
    from jigsat.encodings.tiling.data import Placement, TilingData

    from jigsat.boards import Board, Point
    from jigsat.boards.lattice import Cell

    Corners = Sequence[Point]
    Matrix = Sequence[Sequence[float]]
    Look = frozenset[tuple[frozenset[Point], str]]  # the corners and the colour of each cell

ANY_COLOUR = "#"


class Checker:
    """The check of one puzzle. It caches the faults of single placements, because many solutions
    share placements."""

    def __init__(self, puzzle: TilingData) -> None:
        self._puzzle = puzzle
        self._faults: dict[Placement, tuple[str, ...]] = {}

    def broken_rules(self, placements: Sequence[Placement]) -> Iterator[str]:
        """Cells that are not covered once, impossible placements, and pieces used too often or too
        rarely."""
        covering = [cell for placement in placements for cell in placement.cells]
        covered = set(covering)
        if len(covered) < len(covering):
            yield from (
                f"{cell} is covered {times} times"
                for cell, times in Counter(covering).items()
                if times > 1
            )
        left = self._puzzle.cells.keys() - covered
        least, most = self._uncovered_cells
        if not least <= len(left) <= most:
            yield f"{len(left)} cells are left over, not {least}" + (
                f" to {most}" if most > least else ""
            )
        if self._puzzle.optional is not None:
            yield from (f"{cell} is not covered" for cell in sorted(left - self._may_stay_empty))
        for placement in placements:
            if (faults := self._faults.get(placement)) is None:
                faults = self._faults[placement] = tuple(self._judge_placement(placement))
            yield from faults
        used = Counter([placement.piece for placement in placements])
        for alike, least, most in self._alike:
            if not least <= (times := sum([used[name] for name in alike])) <= most:
                yield f"piece {alike[0]} is used {times} times"
        for name, group in self._puzzle.groups.items():
            least, most = group.number
            if not least <= (times := sum([used[piece] for piece in group.pieces])) <= most:
                yield f"{times} pieces of the group {name} are used, not {group}"

    @cached_property
    def _uncovered_cells(self) -> tuple[int, int]:
        """The minimum and maximum number of cells that no piece covers."""
        if self._puzzle.left_over is not None:
            return self._puzzle.left_over
        return (0, 0) if self._puzzle.optional is None else (0, len(self._may_stay_empty))

    @cached_property
    def _may_stay_empty(self) -> frozenset[Cell]:
        """The cells with a + in the drawing of optional cells, which has the cells of the board in
        the same order."""
        drawn = [
            character
            for character in self._puzzle.optional or ""
            if not character.isspace() and character != "."
        ]
        return frozenset(
            cell
            for cell, character in zip(self._puzzle.cells, drawn, strict=True)
            if character == "+"
        )

    def _judge_placement(self, placement: Placement) -> Iterator[str]:
        name, where = placement
        if name not in self._puzzle.drawn or len(where) != len(self._puzzle.drawn[name]):
            yield f"there is no piece {name} of {len(where)} cells"
            return
        shown = list(zip(where, self._puzzle.drawn[name].values(), strict=True))
        for cell, character in shown:
            if cell not in self._puzzle.cells:
                yield f"piece {name} covers {cell}, which is not on the board"
            elif (
                ANY_COLOUR not in (character, self._puzzle.cells[cell])
                and character != self._puzzle.cells[cell]
            ):
                yield (
                    f"piece {name} shows {character} on {cell}, but the board shows "
                    f"{self._puzzle.cells[cell]}"
                )
        if not self._can_lie(name, where):
            yield f"piece {name} cannot cover {where}"

    def _can_lie(self, name: str, where: Sequence[Cell]) -> bool:
        """Whether the piece can cover these cells, in some order, with its colours where it shows
        them."""
        board, colours = self._puzzle.surface, list(self._puzzle.drawn[name].values())
        if any(cell not in self._puzzle.cells for cell in where):
            return False
        corners = _corners(where, board)
        if board is None or not any(board.wrap):
            return _at_origin(corners, colours) in self._looks[name]
        shown = {
            (board.at(middle(cell)), colour) for cell, colour in zip(corners, colours, strict=True)
        }
        to = middle(corners[0])
        for look in self._looks[name]:
            cells = [(middle(list(cell)), colour) for cell, colour in look]
            for start, _ in cells:  # the cell of the piece that lies on the first of the cells
                by = [a - b for a, b in zip(to, start, strict=True)]
                lies = {
                    (board.at(x + dx for x, dx in zip(at, by, strict=True)), colour)
                    for at, colour in cells
                }
                if lies == shown and len(shown) == len(where):
                    return True
        return False

    @cached_property
    def _looks(self) -> dict[str, frozenset[Look]]:
        """All appearances of each piece: turned, and in the plane also mirrored, as far as that is
        allowed."""
        board, dimension = self._puzzle.surface, self._puzzle.dimension
        if dimension == 2:
            sides = board.sides(board.cells[0]) if board else 4
            matrices = list(
                _plane_motions(
                    sides, turning=self._puzzle.turning, turning_over=self._puzzle.turning_over
                )
            )
        else:
            matrices = (
                list(_space_turns())
                if self._puzzle.turning
                else [((1, 0, 0), (0, 1, 0), (0, 0, 1))]
            )
        found = {}
        for name, drawn in self._puzzle.drawn.items():
            corners = _corners(drawn, self._puzzle.drawn_boards.get(name))
            moved = (
                [[_apply(matrix, point) for point in cell] for cell in corners]
                for matrix in matrices
            )
            found[name] = frozenset(_at_origin(cells, drawn.values()) for cells in moved)
        return found

    @cached_property
    def _alike(self) -> list[tuple[list[str], int, int]]:
        """Groups of pieces that can look the same, so that they can replace each other, and how
        often they are used."""
        alike: dict[tuple[frozenset[Look], frozenset[str]], list[str]] = {}
        for name, looks in self._looks.items():
            groups = frozenset(
                group for group, it in self._puzzle.groups.items() if name in it.pieces
            )
            alike.setdefault((looks, groups), []).append(name)
        uses = [[self._puzzle.number_of_uses(name) for name in names] for names in alike.values()]
        both = zip(alike.values(), uses, strict=True)
        return [
            (names, sum(least for least, _ in used), sum(most for _, most in used))
            for names, used in both
        ]


def _corners(cells: Iterable[Cell], board: Board | None) -> list[Corners]:
    """The corners of cells of a board, or of squares or cubes, as (x, y) or (x, y, z)."""
    return [
        board.polygons[cell] if board else list(product(*((x, x + 1) for x in reversed(cell))))
        for cell in cells
    ]


def _at_origin(cells: Iterable[Corners], colours: Iterable[str]) -> Look:
    """Cells with their colours, shifted to the origin."""
    cells = list(cells)
    least = [min(along) for along in zip(*(point for cell in cells for point in cell), strict=True)]

    def shift(point: Point) -> Point:
        return tuple([round(x - low, 3) for x, low in zip(point, least, strict=True)])

    return frozenset(
        (frozenset(map(shift, cell)), colour) for cell, colour in zip(cells, colours, strict=True)
    )


def _apply(matrix: Matrix, point: Point) -> Point:
    return tuple(sum(a * x for a, x in zip(row, point, strict=True)) for row in matrix)


def _plane_motions(sides: int, *, turning: bool, turning_over: bool) -> Iterator[Matrix]:
    """The turns of a piece whose cells have this number of sides, and its reflections."""
    number = {3: 6, 4: 4, 6: 6}[sides] if turning else 1
    for turn in range(number):
        cos, sin = math.cos(2 * math.pi * turn / number), math.sin(2 * math.pi * turn / number)
        yield (cos, -sin), (sin, cos)
        if turning_over:  # left and right are exchanged before the turn
            yield (-cos, -sin), (-sin, cos)


def _space_turns() -> Iterator[Matrix]:
    """The 24 turns of a cube."""
    for axes, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
        if math.prod(signs) == (-1) ** sum(a > b for a, b in combinations(axes, 2)):
            yield tuple(
                tuple(sign * (axis == i) for i in range(3))
                for axis, sign in zip(axes, signs, strict=True)
            )
