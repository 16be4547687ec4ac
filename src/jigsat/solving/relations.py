"""How solutions relate: the smallest change that turns an earlier solution into a later one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from jigsat.formula import Formula
from jigsat.puzzle import Puzzle
from jigsat.symmetry import LEVELS, Group, Model, Placement


@dataclass(frozen=True)
class Relation:
    """A solution is what earlier solution number `earlier` becomes by a symmetry of `level` and then `change`."""

    earlier: int
    level: str
    change: str

    def __str__(self) -> str:
        moved = {"nothing": "", "rotation": "turned", "reflection": "mirrored", "all": "with labels exchanged"}[self.level]
        return " ".join(filter(None, [f"solution {self.earlier}", moved, self.change and f"with {self.change}"]))


def nearest(puzzle: Puzzle, formula: Formula, group: Group, earlier: Sequence[Model], model: Model) -> Relation | None:
    """How a solution comes about from the earlier one that it differs least from; None for the first.

    Differences are counted in placements, after the symmetry of the board that makes them fewest; of equal ones the
    plainest symmetry counts.
    """
    best: tuple[int, int, int, Model] | None = None
    for level in LEVELS if len(group.levels[LEVELS[-1]]) > 1 else LEVELS[:1]:
        for number, other in enumerate(earlier, 1):
            for image in group.orbit(other, level):
                rank = len(model ^ image), LEVELS.index(level), number
                if best is None or rank < best[:3]:
                    best = *rank, image
    if best is None:
        return None
    _, level_index, number, image = best
    before, after = ([formula.key(variable) for variable in sorted(side)] for side in (image, model))
    return Relation(number, LEVELS[level_index], change(before, after, type(puzzle)))


def change(before: Sequence[Placement], after: Sequence[Placement], puzzle: type[Puzzle]) -> str:
    """What changes, in words: what lies on a cell is exchanged for something else, or turned where it lies.

    Without a field of the placements that names the cell and one that names the piece, changed placements are counted.

    >>> from collections import namedtuple
    >>> Lies = namedtuple("Lies", "cell tile turn")
    >>> class Tiles(Puzzle):
    ...     family, cell_field, piece_field = "tiles", "cell", "tile"
    >>> change([Lies(0, "a", 0), Lies(1, "b", 0)], [Lies(0, "a", 1), Lies(1, "c", 0)], Tiles)
    '1 exchanged, 1 turned'
    """
    gone, come = set(before) - set(after), set(after) - set(before)
    if not gone and not come:
        return ""
    if not puzzle.piece_field:
        return f"{len(gone | come)} changed"
    if not puzzle.cell_field:
        return f"{max(len(gone), len(come))} changed"
    what = attrgetter(puzzle.cell_field, puzzle.piece_field)
    turned = len(set(map(what, gone)) & set(map(what, come)))
    exchanged = len(come) - turned
    return ", ".join(f"{number} {word}" for number, word in ((exchanged, "exchanged"), (turned, "turned")) if number)
