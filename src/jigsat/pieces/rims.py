"""Pieces with a rim that lie on the cells of a board: the ways they can lie, which are alike, and the symmetries.

A rim (see `Orientation.apply`) holds what matters where cells meet: a label a side, or the teeth along it.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from jigsat.boards import Board, Cell, Orientation
from jigsat.symmetry import Placement, Symmetry

Rim = tuple[Hashable, ...]


@dataclass(frozen=True)
class Kind:
    """Pieces that are equal up to an allowed orientation, in every attribute; `name` is that of the first."""

    names: tuple[str, ...]
    count: int
    sides: int
    attribute: Hashable
    ways: Mapping[Rim, Orientation]

    @property
    def name(self) -> str:
        return self.names[0]


@dataclass(frozen=True, slots=True)
class Lying:
    """A piece of a kind on a cell in an orientation, with its rim as it then lies on the cell's own rim."""

    cell: Cell
    kind: Kind
    orientation: Orientation
    rim: Rim


def ways(rim: Rim, sides: int, *, turning: bool, flipping: bool) -> dict[Rim, Orientation]:
    """The rims a piece can show, each with the first orientation that shows it; a symmetric piece has fewer.

    >>> len(ways((None, "red", None, "blue") * 2, 4, turning=True, flipping=True))
    2
    """
    found: dict[Rim, Orientation] = {}
    for flipped in (False, True) if flipping else (False,):
        for turn in range(sides if turning else 1):
            orientation = Orientation(turn, flipped)
            found.setdefault(orientation.apply(rim, sides), orientation)
    return found


@dataclass(frozen=True)
class Piece:
    """A piece as it is listed: its number of sides, its rim, whatever else tells it from others, and how many there are."""

    sides: int
    rim: Rim
    attribute: Hashable = None
    count: int = 1


def kinds(pieces: Mapping[str, Piece], *, turning: bool, flipping: bool) -> list[Kind]:
    """The kinds of the pieces, in the order of their first pieces."""
    alike: dict[Hashable, list[str]] = {}
    shown: dict[Hashable, dict[Rim, Orientation]] = {}
    for name, piece in pieces.items():
        its_ways = ways(piece.rim, piece.sides, turning=turning, flipping=flipping)
        key = piece.sides, piece.attribute, frozenset(its_ways)
        alike.setdefault(key, []).append(name)
        shown.setdefault(key, its_ways)
    return [
        Kind(tuple(names), sum(pieces[name].count for name in names), first.sides, first.attribute, shown[key])
        for key, names in alike.items()
        for first in [pieces[names[0]]]
    ]


def lying(board: Board, kinds: Collection[Kind]) -> Iterator[Lying]:
    """Every way a piece can lie on the board, cell by cell."""
    for cell in board.cells:
        for kind in kinds:
            if kind.sides == board.sides(cell):
                for rim, orientation in kind.ways.items():
                    yield Lying(cell, kind, orientation, rim)


def symmetries(
    board: Board,
    laid: Mapping[Placement, Lying],
    hints: Iterable[frozenset[Placement]] = (),
    exchanges: Sequence[Mapping[Hashable, Hashable]] = (),
) -> Iterator[Symmetry]:
    """The automorphisms of the board, alone or with an exchange of what rims show, that map the placements onto themselves.

    A piece may go to a piece of another kind, such as its mirror image, if there are as many of that. `hints` are sets
    of placements one of which is demanded; a symmetry must map these sets onto each other.
    """
    where = {(lie.cell, lie.kind.attribute, lie.rim): placement for placement, lie in laid.items()}
    demanded = set(hints)

    @cache
    def moved(rim: Rim, orientation: Orientation, sides: int, number: int) -> Rim:
        exchange = exchanges[number - 1] if number else {}
        return orientation.apply([exchange.get(spot, spot) for spot in rim], sides)

    for automorphism, exchange in product(board.symmetries(), range(len(exchanges) + 1)):
        images: dict[Placement, Placement] = {}
        for placement, lie in laid.items():
            cell, orientation = automorphism.images[lie.cell]
            image = where.get((cell, lie.kind.attribute, moved(lie.rim, orientation, lie.kind.sides, exchange)))
            if image is None or laid[image].kind.count != lie.kind.count:
                break
            images[placement] = image
        else:
            if all(frozenset(map(images.__getitem__, hint)) in demanded for hint in demanded):
                yield Symmetry("all" if exchange else "reflection" if automorphism.mirrored else "rotation", images)
