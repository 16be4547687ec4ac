"""How solutions relate: the smallest change that turns an earlier solution into a later one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from jigsat.formula import Formula
from jigsat.puzzle import Puzzle
from jigsat.symmetry import LEVELS, Group, Model, Permutation, Placement, packed


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
    plainest symmetry counts. A symmetry maps an earlier solution as close to the later one as its inverse maps the later
    one to the earlier, so only the images of the later one are computed.
    """
    if not earlier:
        return None
    images: dict[int, tuple[int, Permutation]] = {}
    for level in (LEVELS[0], *group.orders):
        for permutation in group.levels[level]:
            images.setdefault(packed(map(permutation.__getitem__, model)), (LEVELS.index(level), permutation))
    others = list(enumerate(map(packed, earlier), 1))
    _, level_index, number, image = min(
        ((image ^ other).bit_count(), level_index, number, image)
        for image, (level_index, _) in images.items()
        for number, other in others
    )
    inverse = images[image][1]
    moved = (variable for variable, at in inverse.items() if at in earlier[number - 1])
    before, after = ([formula.key(variable) for variable in sorted(side)] for side in (moved, model))
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
