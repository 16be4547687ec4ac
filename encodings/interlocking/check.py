"""The check of interlocking pieces: it computes the point of every tooth in space and counts the
teeth at each point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from jigsat.encodings.interlocking.data import InterlockingData, Placement

    from jigsat.boards import Cell, Point

TOOTH = "#1"


class ToothPoint(NamedTuple):
    """A point where there may be teeth: whether it is a vertex, whether it is on the rim, and the
    faces that meet there."""

    vertex: bool
    rim: bool
    faces: tuple[Cell, ...]


class Checker:
    """The check of one puzzle. It caches what it derives from the puzzle."""

    def __init__(self, puzzle: InterlockingData) -> None:
        self._puzzle = puzzle

    def broken_rules(self, placements: Sequence[Placement]) -> Iterator[str]:
        """Faces without exactly one piece, pieces used too often, pieces that do not fit, and
        places not filled once."""
        covered = Counter(placement.cell for placement in placements)
        for face in self._puzzle.surface.cells:
            if covered[face] != 1:
                yield f"face {face} holds {covered[face]} pieces"
        yield from self._used_too_often(placements)
        yield from self._groups(placements)
        teeth: dict[Point, list[str]] = {point: ["the frame"] for point in self._frame}
        for placement in placements:
            if faults := list(self._faults(placement)):
                yield from faults
            else:
                for point in self._teeth(placement):
                    teeth.setdefault(point, []).append(f"piece {placement.piece}")
        for point, place in self._places.items():
            may_be_empty = (place.rim and self._puzzle.frame is None) or (
                not place.vertex and self._puzzle.holes == "allowed"
            )
            where = (
                f"the {'corner' if place.vertex else 'edge'} of "
                f"{' and '.join(map(str, place.faces))}"
            )
            if len(filling := teeth.get(point, [])) > 1:
                yield f"{' and '.join(filling)} have a tooth at the same place on {where}"
            elif not filling and not may_be_empty:
                yield f"there is a hole on {where}"

    def _used_too_often(self, placements: Sequence[Placement]) -> Iterator[str]:
        """Equal pieces of the same groups can replace each other, so they are counted together."""
        kinds = {
            name: (
                borders,
                frozenset(group for group, it in self._puzzle.groups.items() if name in it.pieces),
            )
            for name, borders in self._borders.items()
        }
        there: Counter[tuple[frozenset[str], frozenset[str]]] = Counter()
        for name, piece in self._puzzle.pieces.items():
            there[kinds[name]] += piece.count
        used: dict[tuple[frozenset[str], frozenset[str]], list[str]] = {}
        for placement in placements:
            if placement.piece in self._puzzle.pieces:
                used.setdefault(kinds[placement.piece], []).append(placement.piece)
        for kind, names in used.items():
            if len(names) > there[kind]:
                yield f"piece {names[0]} is used {len(names)} times, but its count is {there[kind]}"

    def _groups(self, placements: Sequence[Placement]) -> Iterator[str]:
        """Groups of which too many or too few pieces are used."""
        for name, group in self._puzzle.groups.items():
            least, most = group.number
            if (
                not least
                <= (number := sum(placement.piece in group.pieces for placement in placements))
                <= most
            ):
                yield f"{number} pieces of the group {name} are used, not {group}"

    def _faults(self, placement: Placement) -> Iterator[str]:
        """The reasons why a placement is impossible."""
        cell, name, _, flipped = placement
        if name not in self._puzzle.pieces:
            yield f"there is no piece {name}"
        elif cell not in self._puzzle.surface.polygons:
            yield f"there is no face {cell}"
        elif (sides := len(self._puzzle.pieces[name].shape)) != (
            corners := len(self._puzzle.surface.polygons[cell])
        ):
            yield f"piece {name} has {sides} sides, but face {cell} has {corners}"
        elif flipped and not self._puzzle.turning_over:
            yield f"piece {name} is turned over, which is not allowed"

    def _teeth(self, placement: Placement) -> Iterator[Point]:
        """The points in space of the teeth of a piece."""
        cell, name, turn, flipped = placement
        corners, sides = self._puzzle.surface.polygons[cell], self._puzzle.pieces[name].shape
        # turning a piece over exchanges the two ends of its first side
        at = [corners[(turn + (1 - k if flipped else k)) % len(sides)] for k in range(len(sides))]
        for k, side in enumerate(sides):
            for j, character in enumerate(side):
                if character in TOOTH:
                    yield self._puzzle.surface.at(
                        _along(at[k], at[(k + 1) % len(sides)], j / len(side))
                    )

    @cached_property
    def _places(self) -> dict[Point, ToothPoint]:
        """Every point where there may be a tooth."""
        board, steps = self._puzzle.surface, self._puzzle.size - 1
        places: dict[Point, ToothPoint] = {}
        meeting = {side: len(sides) for sides in board.meetings.values() for side in sides}
        for cell, corners in board.polygons.items():
            for side, start in enumerate(corners):
                for j in range(steps + 1):
                    point = board.at(_along(start, corners[(side + 1) % len(corners)], j / steps))
                    known = places.get(point, ToothPoint(False, False, ()))
                    faces = tuple(dict.fromkeys([*known.faces, cell]))
                    places[point] = ToothPoint(
                        j in (0, steps), meeting[cell, side] == 1 or known.rim, faces
                    )
        return places

    @cached_property
    def _frame(self) -> frozenset[Point]:
        """The points of the teeth of the frame."""
        board, steps, drawing = self._puzzle.surface, self._puzzle.size - 1, self._puzzle.frame
        if drawing is None:
            return frozenset()
        if (
            board.flat
            and not any(board.wrap)
            and {len(corners) for corners in board.polygons.values()} == {4}
        ):
            drawn = enumerate(drawing.strip("\n").splitlines())
            teeth = {
                board.at((x / steps, y / steps))
                for y, row in drawn
                for x, mark in enumerate(row)
                if mark in TOOTH
            }
            return frozenset(
                point for point in teeth if point in self._places and self._places[point].rim
            )
        alone = {sides[0] for sides in board.meetings.values() if len(sides) == 1}
        ahead: dict[
            Point, tuple[Point, Point]
        ] = {}  # the two ends of each side on the rim, face by face
        for cell, corners in board.polygons.items():
            ends = enumerate(zip(corners, (*corners[1:], corners[0]), strict=True))
            ahead |= {
                board.at(start): (start, end)
                for side, (start, end) in ends
                if (cell, side) in alone
            }
        found, words = set(), iter(drawing.split())
        while ahead:
            start, end = next(iter(ahead.values()))
            while board.at(start) in ahead:
                del ahead[board.at(start)]
                found |= {
                    board.at(_along(start, end, j / steps))
                    for j, mark in enumerate(next(words))
                    if mark in TOOTH
                }
                start, end = ahead.get(board.at(end), (start, end))
        return frozenset(found)

    @cached_property
    def _borders(self) -> dict[str, frozenset[str]]:
        """The border of each piece in all allowed orientations; equal pieces have equal sets."""
        found = {}
        for name, piece in self._puzzle.pieces.items():
            border = "".join(
                "#" if character in TOOTH else "." for side in piece.shape for character in side
            )
            ways = [border, border[0] + border[:0:-1]] if self._puzzle.turning_over else [border]
            turns = range(0, len(border), self._puzzle.size - 1)
            found[name] = frozenset(way[i:] + way[:i] for way in ways for i in turns)
        return found


def _along(start: Point, end: Point, fraction: float) -> Point:
    """The point at this fraction of the way from start to end."""
    return tuple(a + (b - a) * fraction for a, b in zip(start, end, strict=True))
