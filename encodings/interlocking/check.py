"""The check of interlocking pieces: it computes the point of every tooth in space and counts the
teeth at each point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from jigsat.encodings.interlocking.data import InterlockingData, Placement

    from jigsat.boards import Cell, Point

TOOTH = "#1"


@dataclass
class ToothPlace:
    """A point where there may be teeth, and the faces that meet there."""

    is_vertex: bool = False
    on_rim: bool = False
    faces: list[Cell] = field(default_factory=list)

    def __str__(self) -> str:
        kind = "corner" if self.is_vertex else "edge"
        return f"the {kind} of {' and '.join(map(str, self.faces))}"


class Look(NamedTuple):
    """What distinguishes a piece from others: its groups, and its border in every way in which it
    may lie."""

    borders: frozenset[str]
    groups: frozenset[str]


class Checker:
    """The check of one puzzle. It caches what it derives from the puzzle, and the teeth of single
    placements, because many solutions share placements."""

    def __init__(self, puzzle: InterlockingData) -> None:
        self._puzzle = puzzle
        self._teeth: dict[Placement, tuple[Point, ...]] = {}

    def broken_rules(self, placements: Sequence[Placement]) -> Iterator[str]:
        """Faces without exactly one piece, pieces used too often, pieces that do not fit, and
        places not filled once."""
        yield from self._find_wrong_faces(placements)
        yield from self._find_overused_pieces(placements)
        yield from self._find_wrong_groups(placements)

        teeth: dict[Point, list[str]] = {point: ["the frame"] for point in self._frame}
        for placement in placements:
            faults = list(self._find_faults(placement))
            yield from faults
            if not faults:
                if placement not in self._teeth:
                    self._teeth[placement] = tuple(self._list_teeth(placement))
                for point in self._teeth[placement]:
                    teeth.setdefault(point, []).append(f"piece {placement.piece}")

        for point, place in self._places.items():
            filling = teeth.get(point, [])
            if len(filling) > 1:
                yield f"{' and '.join(filling)} have a tooth at the same place on {place}"
            elif not filling and not self._may_be_empty(place):
                yield f"there is a hole on {place}"

    def _find_wrong_faces(self, placements: Sequence[Placement]) -> Iterator[str]:
        pieces_on = Counter(placement.cell for placement in placements)
        for face in self._puzzle.surface.cells:
            if pieces_on[face] != 1:
                yield f"face {face} holds {pieces_on[face]} pieces"

    def _find_overused_pieces(self, placements: Sequence[Placement]) -> Iterator[str]:
        """Pieces that look the same can replace each other, so they are counted together."""
        existing: Counter[Look] = Counter()
        for name, piece in self._puzzle.pieces.items():
            existing[self._looks[name]] += piece.count

        used: dict[Look, list[str]] = {}
        for placement in placements:
            if placement.piece in self._looks:
                used.setdefault(self._looks[placement.piece], []).append(placement.piece)

        for look, names in used.items():
            if len(names) > existing[look]:
                count = existing[look]
                yield f"piece {names[0]} is used {len(names)} times, but its count is {count}"

    def _find_wrong_groups(self, placements: Sequence[Placement]) -> Iterator[str]:
        """Groups of which too many or too few pieces are used."""
        for name, group in self._puzzle.groups.items():
            used = [placement for placement in placements if placement.piece in group.pieces]
            least, most = group.number
            if not least <= len(used) <= most:
                yield f"{len(used)} pieces of the group {name} are used, not {group}"

    def _find_faults(self, placement: Placement) -> Iterator[str]:
        """The first reason why a placement is impossible, if there is one."""
        cell, name, _, flipped = placement
        if name not in self._puzzle.pieces:
            yield f"there is no piece {name}"
            return
        if cell not in self._puzzle.surface.polygons:
            yield f"there is no face {cell}"
            return
        sides = len(self._puzzle.pieces[name].shape)
        corners = len(self._puzzle.surface.polygons[cell])
        if sides != corners:
            yield f"piece {name} has {sides} sides, but face {cell} has {corners}"
        elif flipped and not self._puzzle.turning_over:
            yield f"piece {name} is turned over, which is not allowed"

    def _list_teeth(self, placement: Placement) -> Iterator[Point]:
        """The points in space of the teeth of a piece."""
        cell, name, turn, flipped = placement
        polygon = self._puzzle.surface.polygons[cell]
        sides = self._puzzle.pieces[name].shape

        # The corner of the face on which each corner of the piece lies; turning a piece over
        # exchanges the two ends of its first side.
        corners = []
        for k in range(len(sides)):
            steps = 1 - k if flipped else k
            corners.append(polygon[(turn + steps) % len(polygon)])

        for k, side in enumerate(sides):
            start, end = corners[k], corners[(k + 1) % len(corners)]
            for j, character in enumerate(side):
                if character in TOOTH:
                    yield self._puzzle.surface.at(_go_along(start, end, j / len(side)))

    def _may_be_empty(self, place: ToothPlace) -> bool:
        if place.on_rim and self._puzzle.frame is None:
            return True
        return not place.is_vertex and self._puzzle.holes == "allowed"

    @cached_property
    def _places(self) -> dict[Point, ToothPlace]:
        """Every point where there may be a tooth."""
        board = self._puzzle.surface
        steps = self._puzzle.size - 1
        places: dict[Point, ToothPlace] = {}
        for cell, corners in board.polygons.items():
            for side, start in enumerate(corners):
                end = corners[(side + 1) % len(corners)]
                for j in range(steps + 1):
                    point = board.at(_go_along(start, end, j / steps))
                    place = places.setdefault(point, ToothPlace())
                    place.is_vertex = j in (0, steps)
                    if (cell, side) in self._rim_sides:
                        place.on_rim = True
                    if cell not in place.faces:
                        place.faces.append(cell)
        return places

    @cached_property
    def _rim_sides(self) -> set[tuple[Cell, int]]:
        """The sides that meet no other side."""
        meetings = self._puzzle.surface.meetings.values()
        return {sides[0] for sides in meetings if len(sides) == 1}

    @cached_property
    def _frame(self) -> frozenset[Point]:
        """The points of the teeth of the frame."""
        drawing = self._puzzle.frame
        if drawing is None:
            return frozenset()
        board = self._puzzle.surface
        of_squares = {len(corners) for corners in board.polygons.values()} == {4}
        if of_squares and board.flat and not any(board.wrap):
            return frozenset(self._read_frame_in_rows(drawing))
        return frozenset(self._read_frame_by_sides(drawing))

    def _read_frame_in_rows(self, drawing: str) -> Iterator[Point]:
        """The teeth of a frame that is drawn like the board; only the rim matters."""
        steps = self._puzzle.size - 1
        for y, row in enumerate(drawing.strip("\n").splitlines()):
            for x, mark in enumerate(row):
                point = self._puzzle.surface.at((x / steps, y / steps))
                if mark in TOOTH and point in self._places and self._places[point].on_rim:
                    yield point

    def _read_frame_by_sides(self, drawing: str) -> Iterator[Point]:
        """The teeth of a frame that is a list of the sides, rim by rim."""
        steps = self._puzzle.size - 1
        for (start, end), side in zip(self._follow_rims(), drawing.split(), strict=True):
            for j, mark in enumerate(side):
                if mark in TOOTH:
                    yield self._puzzle.surface.at(_go_along(start, end, j / steps))

    def _follow_rims(self) -> Iterator[tuple[Point, Point]]:
        """The two ends of each side on a rim, one after the other around each rim. The first is
        that of the first face."""
        board = self._puzzle.surface
        sides: dict[Point, tuple[Point, Point]] = {}
        for cell, corners in board.polygons.items():
            for side, start in enumerate(corners):
                if (cell, side) in self._rim_sides:
                    sides[board.at(start)] = start, corners[(side + 1) % len(corners)]

        passed: set[Point] = set()
        for first in sides:
            corner = first
            while corner in sides and corner not in passed:
                passed.add(corner)
                start, end = sides[corner]
                yield start, end
                corner = board.at(end)

    @cached_property
    def _looks(self) -> dict[str, Look]:
        """What each piece looks like."""
        looks = {}
        for name, piece in self._puzzle.pieces.items():
            marks = [
                "#" if character in TOOTH else "." for side in piece.shape for character in side
            ]
            border = "".join(marks)
            ways = [border]
            if self._puzzle.turning_over:
                ways.append(border[0] + border[:0:-1])
            turns = range(0, len(border), self._puzzle.size - 1)
            borders = frozenset(way[i:] + way[:i] for way in ways for i in turns)
            groups = self._puzzle.groups.items()
            looks[name] = Look(
                borders, frozenset(group for group, listed in groups if name in listed.pieces)
            )
        return looks


def _go_along(start: Point, end: Point, fraction: float) -> Point:
    """The point at this fraction of the way from start to end."""
    return tuple(a + (b - a) * fraction for a, b in zip(start, end, strict=True))
