"""How solutions differ: the smallest change that turns an earlier solution into a later one."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from jigsat.errors import plural
from jigsat.formula import Formula
from jigsat.puzzle import Puzzle
from jigsat.symmetry import LEVELS, Group, Model, Permutation, Placement, pack_model


class Relation(NamedTuple):
    """A solution is solution number `earlier` after a symmetry of this `level` and then this `change`."""

    earlier: int
    level: str
    change: str

    def __str__(self) -> str:
        moved = {"nothing": "", "rotation": "turned", "reflection": "mirrored", "all": "with labels exchanged"}[self.level]
        turned = " ".join(filter(None, [f"solution {self.earlier}", moved]))
        return f"{turned}{',' if moved else ''} with {self.change}" if self.change else turned


def nearest(puzzle: Puzzle, formula: Formula, group: Group, earlier: Sequence[Model], model: Model) -> Relation | None:
    """How a solution differs from the most similar earlier one; None for the first solution.

    The differences are the placements that differ after the best symmetry; ties are broken by the lowest level. A symmetry of
    the earlier solution and its inverse on the later one leave equally many differences, so only the latter are computed.
    """
    if not earlier:
        return None
    images: dict[int, tuple[int, Permutation]] = {}
    for level in (LEVELS[0], *group.orders):
        for permutation in group.levels[level]:
            images.setdefault(pack_model(map(permutation.__getitem__, model)), (LEVELS.index(level), permutation))
    others = list(enumerate(map(pack_model, earlier), 1))
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
    """The difference in words: the number of pieces that are replaced, and of those that are turned in place.

    If the family does not declare the fields for the cell and the piece, only the number of differences is given.

    >>> from collections import namedtuple
    >>> Lies = namedtuple("Lies", "cell tile turn")
    >>> class Tiles(Puzzle):
    ...     family, cell_field, piece_field = "tiles", "cell", "tile"
    >>> change([Lies(0, "a", 0), Lies(1, "b", 0)], [Lies(0, "a", 1), Lies(1, "c", 0)], Tiles)
    '1 tile replaced, 1 tile turned'
    """
    gone, come = set(before) - set(after), set(after) - set(before)
    if not gone and not come:
        return ""
    if not puzzle.piece_field:
        return f"{plural(len(gone | come), 'placement')} changed"
    if not puzzle.cell_field:
        return f"{plural(max(len(gone), len(come)), puzzle.piece_field)} moved"
    what = attrgetter(puzzle.cell_field, puzzle.piece_field)
    turned = len(set(map(what, gone)) & set(map(what, come)))
    numbers = {"replaced": len(come) - turned, "turned": turned}
    return ", ".join(f"{plural(number, puzzle.piece_field)} {word}" for word, number in numbers.items() if number)
