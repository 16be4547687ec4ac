"""The check of a tiling: it turns the drawn pieces by quarter turns and compares cells.

On a board that is given by name or by a drawing with its kind, it turns and mirrors the outlines of the cells and compares
their corners, whereas the encoding computes with integer coordinates on a lattice.
"""

from __future__ import annotations

import cmath
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jigsat.encodings.tiling.data import Placement, TilingData

    from jigsat.boards import Board, Point
    from jigsat.boards.lattice import Cell

    Look = frozenset[tuple[Cell, str]]

ANY_COLOUR = "#"

Outline = tuple[complex, ...]
Move = Callable[[complex], complex]


class Checker:
    """The check of one puzzle. It caches the faults of single placements, because many solutions share placements."""

    def __init__(self, puzzle: TilingData) -> None:
        self._puzzle = puzzle
        self._faults: dict[Placement, tuple[str, ...]] = {}

    def broken_rules(self, placements: Sequence[Placement]) -> Iterator[str]:
        """Cells that are not covered once, impossible placements, and pieces used too often or too rarely."""
        covering = [cell for placement in placements for cell in placement.cells]
        covered = set(covering)
        if len(covered) < len(covering):
            yield from (f"{cell} is covered {times} times" for cell, times in Counter(covering).items() if times > 1)
        left = self._puzzle.cells.keys() - covered
        least, most = self._uncovered_cells
        if not least <= len(left) <= most:
            yield f"{len(left)} cells are left over, not {least}" + (f" to {most}" if most > least else "")
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
        """The cells with a + in the drawing of optional cells, which has the cells of the board in the same order."""
        drawn = [character for character in self._puzzle.optional or "" if not character.isspace() and character != "."]
        return frozenset(cell for cell, character in zip(self._puzzle.cells, drawn, strict=True) if character == "+")

    def _judge_placement(self, placement: Placement) -> Iterator[str]:
        name, where = placement
        if name not in self._puzzle.drawn or len(where) != len(self._puzzle.drawn[name]):
            yield f"there is no piece {name} of {len(where)} cells"
            return
        shown = list(zip(where, self._puzzle.drawn[name].values(), strict=True))
        for cell, character in shown:
            if cell not in self._puzzle.cells:
                yield f"piece {name} covers {cell}, which is not on the board"
            elif ANY_COLOUR not in (character, self._puzzle.cells[cell]) and character != self._puzzle.cells[cell]:
                yield f"piece {name} shows {character} on {cell}, but the board shows {self._puzzle.cells[cell]}"
        if not self._can_lie(name, where):
            yield f"piece {name} cannot cover {where}"

    def _can_lie(self, name: str, where: Sequence[Cell]) -> bool:
        """Whether the piece can cover these cells, in some order, with its colours where it shows them."""
        colours = list(self._puzzle.drawn[name].values())
        if self._puzzle.surface is None:
            return _at_origin(zip(where, colours, strict=True)) in self._looks[name]
        if any(cell not in self._puzzle.cells for cell in where):
            return False
        return can_lie(self._puzzle.drawn_boards[name], colours, self._puzzle.surface, where, self._moves)

    @cached_property
    def _moves(self) -> list[Move]:
        """The ways in which a piece may be turned and mirrored on a board of polygons."""
        board = self._puzzle.surface
        assert board
        return moves(board.sides(board.cells[0]), turning=self._puzzle.turning, turning_over=self._puzzle.turning_over)

    @cached_property
    def _looks(self) -> dict[str, frozenset[Any]]:
        """All appearances of each piece, generated by quarter turns and, in the plane, by turning over."""
        if self._puzzle.surface:
            boards = self._puzzle.drawn_boards
            return {
                name: appearances(boards[name], list(drawn.values()), self._moves) for name, drawn in self._puzzle.drawn.items()
            }
        found = {}
        for name, drawn in self._puzzle.drawn.items():
            looks: set[Look] = set()
            new = [_at_origin(drawn.items())]
            while new:
                look = new.pop()
                if look not in looks:
                    looks.add(look)
                    if self._puzzle.dimension == 2 and self._puzzle.turning_over:
                        new.append(_at_origin(((y, -x), shade) for (y, x), shade in look))
                    axes = range(1, self._puzzle.dimension if self._puzzle.turning else 1)
                    new += [_at_origin((_quarter_turn(cell, axis), shade) for cell, shade in look) for axis in axes]
            found[name] = frozenset(looks)
        return found

    @cached_property
    def _alike(self) -> list[tuple[list[str], int, int]]:
        """Groups of pieces that can look the same, so that they can replace each other, and how often they are used."""
        alike: dict[Any, list[str]] = {}
        for name, looks in self._looks.items():
            groups = frozenset(group for group, it in self._puzzle.groups.items() if name in it.pieces)
            alike.setdefault((looks, groups), []).append(name)
        uses = [[self._puzzle.number_of_uses(name) for name in names] for names in alike.values()]
        return [
            (names, sum(least for least, _ in used), sum(most for _, most in used))
            for names, used in zip(alike.values(), uses, strict=True)
        ]


def _at_origin(coloured: Iterable[tuple[Cell, str]]) -> Look:
    coloured = list(coloured)
    least = [min(along) for along in zip(*(cell for cell, _ in coloured), strict=True)]
    return frozenset((tuple(x - low for x, low in zip(cell, least, strict=True)), shade) for cell, shade in coloured)


def _quarter_turn(cell: Cell, axis: int) -> Cell:
    """The cell turned about the origin, from the axis towards the previous one."""
    return (*cell[: axis - 1], -cell[axis], cell[axis - 1], *cell[axis + 1 :])


# -- outlines in the plane


def moves(sides: int, *, turning: bool, turning_over: bool) -> list[Move]:
    """The turns and reflections of a piece whose cells have this number of sides."""
    number = {3: 6, 4: 4, 6: 6}[sides] if turning else 1

    def move(turn: int, mirrored: bool) -> Move:
        by = cmath.rect(1, 2 * math.pi * turn / number)
        return lambda z: by * (-z.conjugate() if mirrored else z)

    return [move(turn, over) for over in (False, True)[: 1 + turning_over] for turn in range(number)]


def appearances(piece: Board, colours: Iterable[str], by: Iterable[Move]) -> frozenset[frozenset[tuple[Point, str]]]:
    """All appearances of a piece at the origin: the middles of its cells with their colours."""
    return frozenset(_look([[move(z) for z in outline] for outline in _outlines(piece)], colours) for move in by)


def _look(outlines: Sequence[Sequence[complex]], colours: Iterable[str]) -> frozenset[tuple[Point, str]]:
    corners = [z for outline in outlines for z in outline]
    corner = complex(min(z.real for z in corners), min(z.imag for z in corners))
    return frozenset(
        (_round_point(_middle(outline) - corner), colour) for outline, colour in zip(outlines, colours, strict=True)
    )


def can_lie(piece: Board, colours: Sequence[str], board: Board, where: Sequence[Cell], by: Iterable[Move]) -> bool:
    """Whether the piece, moved in one of these ways, covers these cells of the board, showing these colours on them."""
    shown = {(*_place(board, _complex(board.polygons[cell])), colour) for cell, colour in zip(where, colours, strict=True)}
    to, outlines = _middle(_complex(board.polygons[where[0]])), list(_outlines(piece))
    for move in by:
        moved = [tuple(map(move, outline)) for outline in outlines]
        for start in moved:  # the cell of the piece that lies on the first of the cells
            shift = to - _middle(start)
            lies = {
                (*_place(board, [z + shift for z in outline]), colour) for outline, colour in zip(moved, colours, strict=True)
            }
            if lies == shown and len(shown) == len(where):
                return True
    return False


def _place(board: Board, outline: Sequence[complex]) -> tuple[Point, frozenset[Point]]:
    """The middle and the corners of a cell as they are on the board, which may wrap around."""
    middle = _middle(outline)
    return _at(board, middle), frozenset(_at(board, z) for z in outline)


def _at(board: Board, z: complex) -> Point:
    return board.at(_round_point(z))


def _round_point(z: complex) -> Point:
    return round(z.real, 3) + 0.0, round(z.imag, 3) + 0.0


def _middle(outline: Sequence[complex]) -> complex:
    return sum(outline) / len(outline)


def _outlines(board: Board) -> Iterator[Outline]:
    return (_complex(polygon) for polygon in board.polygons.values())


def _complex(polygon: Sequence[Point]) -> Outline:
    return tuple(complex(*point) for point in polygon)
