"""What symmetries do to a board: how a solution is turned or mirrored into another one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from itertools import islice

from jigsat.facts import Motion
from jigsat.formula import Formula
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Group, Level, Permutation

MAX_SYMMETRIES = 200  # number of symmetries that are looked at

Square = tuple[int, int]  # row and column of a cell
Move = Callable[[Square, Square], Square]  # the image of a cell on a board with this last cell

MOVES: dict[str, Move] = {
    "half turn": lambda cell, last: (last[0] - cell[0], last[1] - cell[1]),
    "left and right": lambda cell, last: (cell[0], last[1] - cell[1]),
    "top and bottom": lambda cell, last: (last[0] - cell[0], cell[1]),
    "falling diagonal": lambda cell, last: (cell[1], cell[0]),
    "rising diagonal": lambda cell, last: (last[1] - cell[1], last[0] - cell[0]),
}
"""What can be done with a board of squares; quarter turns are turns."""


class Symmetries:
    """The symmetries of a puzzle that move one placement, with their levels."""

    def __init__(self, puzzle: Puzzle, formula: Formula, group: Group) -> None:
        self._puzzle = puzzle
        self._formula = formula
        self._group = group

    def list_images(self, x: int) -> list[int]:
        """The variables of the images of a placement, without itself."""
        images = {permutation[x] for permutation in self._group.levels[Level.ALL]}
        return sorted(images - {x})

    def list_motions(self, x: int) -> tuple[Motion, ...]:
        """The motions that move a placement, each once; only turns if they reach all images."""
        level = self._find_level(x)
        moving = (images for images in self._group.levels[level] if images[x] != x)
        motions = [self._name(images) for images in islice(moving, MAX_SYMMETRIES)]
        return tuple(dict.fromkeys(motions))

    def _find_level(self, x: int) -> Level:
        """The lowest level whose symmetries reach all images."""
        every = {permutation[x] for permutation in self._group.levels[Level.ALL]}
        for level in (Level.ROTATION, Level.REFLECTION):
            if {permutation[x] for permutation in self._group.levels[level]} == every:
                return level
        return Level.ALL

    def _name(self, images: Permutation) -> Motion:
        """What a symmetry does; of a mirroring that is not one of squares, the places that stay."""
        moved = list(self._list_moved(images))
        squares = _list_moved_squares(moved)
        for name, move in MOVES.items():
            if squares and _fits(move, squares):
                return Motion(name)
        if any(images is turn for turn in self._group.levels[Level.ROTATION]):
            return Motion("turn")
        if not any(images is mirroring for mirroring in self._group.levels[Level.REFLECTION]):
            return Motion("exchange")
        stay = [places[0] for places, to in moved if places == to and len(places) == 1]
        others = {places[0] for places, to in moved if places != to}
        return Motion("mirroring", tuple(x for x in dict.fromkeys(stay) if x not in others))

    def _list_moved(self, images: Permutation) -> Iterator[tuple[list[Hashable], list[Hashable]]]:
        """The places of each placement, and those of its image."""
        for x in self._formula.decisions():
            places = list(self._puzzle.board_places(self._formula.key(x)))
            if places:
                yield places, list(self._puzzle.board_places(self._formula.key(images[x])))


def _list_moved_squares(
    moved: Iterable[tuple[Collection[Hashable], Collection[Hashable]]],
) -> list[tuple[list[Square], list[Square]]]:
    """The same places as squares; nothing if one is none."""
    pairs = []
    for places, to in moved:
        before, after = _list_squares(places), _list_squares(to)
        if before is None or after is None:
            return []
        pairs.append((before, after))
    return pairs


def _fits(move: Move, moved: Sequence[tuple[list[Square], list[Square]]]) -> bool:
    """Whether all places of a board of squares are moved in this way."""
    cells = [cell for before, _ in moved for cell in before]
    last = max(row for row, _ in cells), max(column for _, column in cells)
    return all({move(cell, last) for cell in before} == set(after) for before, after in moved)


def _list_squares(places: Collection[Hashable]) -> list[Square] | None:
    """The places as squares; None if one is none."""
    squares: list[Square] = []
    for place in places:
        match place:
            case (int(row), int(column)):
                squares.append((row, column))
            case _:
                return None
    return squares
