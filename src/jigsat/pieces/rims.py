"""Pieces with labels or teeth on a rim (see `Orientation.apply`): their placements on cells, kinds
and symmetries."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product
from typing import NamedTuple

from jigsat.boards import Board, BoardSymmetry, Cell, Orientation
from jigsat.errors import printable
from jigsat.symmetry import OnDemand, Placement, Symmetry

Rim = tuple[Hashable, ...]
# maximum number of placements whose images are listed; those of more are computed on demand
MAX_LISTED_RIMS = 20_000


class RimmedPiece(NamedTuple):
    """A piece as it lies: its number of sides, an attribute and the groups that equal pieces share,
    and its rim."""

    sides: int
    attribute: Hashable
    groups: frozenset[str]
    rim: Rim


@dataclass(frozen=True)
class RimmedKind:
    """Pieces that are equal up to orientation, named after the first; `ways` maps each rim that it
    can show to how it lies."""

    names: tuple[str, ...]
    count: int
    sides: int
    attribute: Hashable
    groups: frozenset[str]
    ways: Mapping[Rim, Orientation]

    @property
    def name(self) -> str:
        return self.names[0]

    @property
    def words(self) -> str:
        """The pieces in a sentence: 'A', 'A/D' if these two are equal, 'A ×3' if there are three
        copies."""
        names = "/".join(map(printable, self.names))
        return names if self.count == len(self.names) else f"{names} ×{self.count}"


class CandidatePlacement(NamedTuple):
    """A piece of a kind on a cell in an orientation. `rim` is the rim of the piece in this
    orientation."""

    cell: Cell
    kind: RimmedKind
    orientation: Orientation
    rim: Rim


def distinct_ways(rim: Rim, sides: int, *, turning: bool, flipping: bool) -> dict[Rim, Orientation]:
    """The rims that a piece can show, each with the first orientation that shows it. A symmetric
    piece has fewer.

    >>> len(distinct_ways((None, "red", None, "blue") * 2, 4, turning=True, flipping=True))
    2
    """
    ways: dict[Rim, Orientation] = {}
    faces = (False, True) if flipping else (False,)
    turns = range(sides) if turning else range(1)
    for flipped, turn in product(faces, turns):
        orientation = Orientation(turn, flipped)
        ways.setdefault(orientation.apply(rim, sides), orientation)
    return ways


def rimmed_kinds(
    pieces: Mapping[str, tuple[RimmedPiece, int]], *, turning: bool, flipping: bool
) -> list[RimmedKind]:
    """The kinds of the pieces, which are given with their numbers of copies, ordered by their first
    pieces."""
    kinds: dict[Hashable, RimmedKind] = {}
    for name, (piece, count) in pieces.items():
        ways = distinct_ways(piece.rim, piece.sides, turning=turning, flipping=flipping)
        key = piece.sides, piece.attribute, piece.groups, frozenset(ways)
        if key in kinds:
            kind = kinds[key]
            kinds[key] = replace(kind, names=(*kind.names, name), count=kind.count + count)
        else:
            kinds[key] = RimmedKind(
                (name,), count, piece.sides, piece.attribute, piece.groups, ways
            )
    return list(kinds.values())


def candidate_placements(
    board: Board, kinds: Collection[RimmedKind]
) -> Iterator[CandidatePlacement]:
    """Every placement of one piece on the board, cell by cell. A piece fits only cells with its
    number of sides."""
    for cell in board.cells:
        for kind in kinds:
            if kind.sides == board.sides(cell):
                for rim, orientation in kind.ways.items():
                    yield CandidatePlacement(cell, kind, orientation, rim)


def board_symmetries(
    board: Board,
    candidates: Mapping[Placement, CandidatePlacement],
    keep: Iterable[frozenset[Placement]] = (),
    relabel: Sequence[Mapping[Hashable, Hashable]] = (),
    motions: Iterable[BoardSymmetry] | None = None,
) -> Iterator[Symmetry]:
    """The automorphisms of the board, alone and combined with each value symmetry in `relabel`,
    that permute the candidates.

    The candidates are all `candidate_placements`, so those on two cells with as many sides are
    alike. A value symmetry maps entries of a rim to others; entries that it does not list stay the
    same. A piece may be mapped to a piece of another kind with the same count, such as its mirror
    image. Each set of placements in `keep` is a requirement that one of them is used; only
    symmetries that permute these sets are yielded. `motions` are the automorphisms of the board to
    try, by default all.
    """
    placed: dict[tuple[Cell, RimmedPiece], Placement] = {}
    counts: dict[RimmedPiece, int] = {}
    pieces = {placement: _make_piece(candidate) for placement, candidate in candidates.items()}
    for placement, candidate in candidates.items():
        shown = pieces[placement]
        placed[candidate.cell, shown] = placement
        counts[shown] = candidate.kind.count
    relabelings: list[Mapping[Hashable, Hashable]] = [{}, *relabel]

    @cache
    def image_of(shown: RimmedPiece, orientation: Orientation, number: int) -> RimmedPiece:
        rim = [relabelings[number].get(entry, entry) for entry in shown.rim]
        return shown._replace(rim=orientation.apply(rim, shown.sides))

    @cache
    def keeps_counts(sides: int, orientation: Orientation, number: int) -> bool:
        return all(
            counts.get(image_of(shown, orientation, number)) == counts[shown]
            for shown in counts
            if shown.sides == sides
        )

    def image(motion: BoardSymmetry, number: int, placement: Placement) -> Placement:
        cell, orientation = motion.images[candidates[placement].cell]
        return placed[cell, image_of(pieces[placement], orientation, number)]

    requirements = set(keep)
    if motions is None:
        motions = board.symmetries()
    for motion, number in product(motions, range(len(relabelings))):
        if not all(
            keeps_counts(board.sides(cell), orientation, number)
            for cell, (_, orientation) in motion.images.items()
        ):
            continue
        images: Mapping[Placement, Placement]
        images = OnDemand(candidates, partial(image, motion, number))
        if len(candidates) <= MAX_LISTED_RIMS:
            images = dict(images)
        if all(_map_all(images, required) in requirements for required in requirements):
            yield Symmetry("all" if number else motion.level, images)


def _map_all(
    images: Mapping[Placement, Placement], placements: frozenset[Placement]
) -> frozenset[Placement]:
    return frozenset(images[placement] for placement in placements)


def _make_piece(candidate: CandidatePlacement) -> RimmedPiece:
    return RimmedPiece(
        candidate.kind.sides, candidate.kind.attribute, candidate.kind.groups, candidate.rim
    )
