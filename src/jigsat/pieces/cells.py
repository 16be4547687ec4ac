"""Pieces that are sets of coloured cells of a lattice, as others have rims: placements, kinds of
equal pieces, symmetries."""

from collections.abc import Collection, Iterator, Mapping
from operator import add, sub
from typing import NamedTuple

from jigsat.boards.lattice import Cell, Lattice, LatticeBoard, Motion
from jigsat.errors import printable
from jigsat.pieces.groups import Groups, groups_of
from jigsat.symmetry import Placement, Symmetry

ANY_COLOUR = "#"  # the character of a cell without a colour; it matches every colour
Cells = Mapping[Cell, str]
Look = frozenset[tuple[Cell, str]]


class ShapeKind(NamedTuple):
    """Pieces that are equal up to an allowed motion, including their colours and groups; `name` is
    the name of the first.

    The kind is used `least` to `most` times; `required` are the names of those that must be used.
    `ways` maps each appearance of the piece at the origin to the coordinates of its cells, in the
    order in which they are drawn.
    """

    name: str
    least: int
    most: int
    groups: frozenset[str]
    colours: tuple[str, ...]
    ways: Mapping[Look, tuple[Cell, ...]]
    required: tuple[str, ...]

    @property
    def words(self) -> str:
        """The pieces that must be used, in a sentence: 'A', 'A/B' if these two are equal, or 'A ×3'
        if three must be used."""
        names = "/".join(map(printable, self.required))
        return names if self.least == len(self.required) else f"{names} ×{self.least}"


class ShapePlacement(NamedTuple):
    """A piece of a kind, placed on the board."""

    kind: ShapeKind
    cells: tuple[Cell, ...]

    @property
    def look(self) -> Look:
        return look(self.cells, self.kind.colours)


def look(cells: Collection[Cell], colours: Collection[str]) -> Look:
    """The set of cells with their colours."""
    return frozenset(zip(cells, colours, strict=True))


def shape_kinds(
    pieces: Mapping[str, Cells],
    uses: Mapping[str, tuple[int, int]],
    lattice: Lattice,
    by: Collection[Motion],
    groups: Groups,
) -> list[ShapeKind]:
    """The kinds of the pieces, ordered by their first pieces. Each piece has the coordinates of its
    cells on the lattice."""
    kinds: dict[tuple[frozenset[str], frozenset[Look]], ShapeKind] = {}
    for name, piece in pieces.items():
        ways: dict[Look, tuple[Cell, ...]] = {}
        for motion in by:
            cells = lattice.at_origin(motion.images(piece))
            ways.setdefault(look(cells, piece.values()), cells)
        least, most = uses[name]
        required = (name,) if least else ()
        own_groups = groups_of(groups, name)
        key = own_groups, frozenset(ways)
        if key in kinds:
            kind = kinds[key]
            kinds[key] = kind._replace(
                least=kind.least + least,
                most=kind.most + most,
                required=kind.required + required,
            )
        else:
            colours = tuple(piece.values())
            kinds[key] = ShapeKind(name, least, most, own_groups, colours, ways, required)
    return list(kinds.values())


def shape_placements(
    board: Cells, lattice_board: LatticeBoard, kinds: Collection[ShapeKind]
) -> Iterator[ShapePlacement]:
    """Every placement of a piece on different cells with matching colours; ways to cover the same
    cells are one."""
    places = Places(board, lattice_board)
    for kind in kinds:
        seen: set[Look] = set()
        for way in kind.ways.values():
            for shift in places.shifts(way, kind.colours):
                cells = places.find_cells(way, shift, kind.colours)
                if cells and (not lattice_board.periods or _is_new(cells, kind.colours, seen)):
                    yield ShapePlacement(kind, cells)


class Places:
    """The cells of a board, as pieces are shifted to them."""

    def __init__(self, board: Cells, on: LatticeBoard) -> None:
        self._board = board
        self._on = on
        self._name = on.name if on.periods else on.names.get
        self._allowed: dict[str, list[Cell]] = {}
        along = list(zip(*on.coordinates.values(), strict=True))
        self._lows = [min(values) for values in along]
        self._highs = [max(values) for values in along]

    def shifts(self, way: tuple[Cell, ...], colours: tuple[str, ...]) -> Iterator[Cell]:
        """The translations that put one cell of a piece, the one with the fewest cells to choose
        from, on an allowed cell, and no other beyond the ends of the board."""
        allowed, anchor = min(
            ((self._allow(colour), at) for at, colour in zip(way, colours, strict=True)),
            key=lambda pair: len(pair[0]),
        )
        along = list(zip(*way, strict=True))
        least = [low - min(xs) for low, xs in zip(self._lows, along, strict=True)]
        most = [high - max(xs) for high, xs in zip(self._highs, along, strict=True)]
        for cell in allowed:
            shift = tuple(map(sub, cell, anchor))
            if self._on.lattice.balanced and sum(shift):
                continue  # a triangle that points up is not a translate of one that points down
            ends = zip(least, shift, most, strict=True)
            if self._on.periods or all(low <= x <= high for low, x, high in ends):
                yield shift

    def _allow(self, colour: str) -> list[Cell]:
        """The coordinates of the cells that a cell of this colour may cover."""
        if colour not in self._allowed:
            at = self._on.coordinates
            self._allowed[colour] = [
                at[cell] for cell, own in self._board.items() if _matches(colour, own)
            ]
        return self._allowed[colour]

    def find_cells(
        self, way: tuple[Cell, ...], shift: Cell, colours: tuple[str, ...]
    ) -> tuple[Cell, ...]:
        """The cells of the board under a piece that is shifted; none if it does not fit there."""
        cells = []
        for coordinates, colour in zip(way, colours, strict=True):
            cell = self._name(tuple(map(add, coordinates, shift)))
            if cell is None or not _matches(colour, self._board[cell]):
                return ()
            cells.append(cell)
        return tuple(cells)


def _matches(one: str, other: str) -> bool:
    """Whether a cell of a piece and one of the board have matching colours."""
    return one == other or ANY_COLOUR in (one, other)


def _is_new(cells: tuple[Cell, ...], colours: tuple[str, ...], seen: set[Look]) -> bool:
    """Whether a piece on a board that wraps around does not overlap itself, and differs from the
    placements seen before."""
    placed = look(cells, colours)
    overlaps = len(set(cells)) < len(cells)
    is_new = not overlaps and placed not in seen
    seen.add(placed)
    return is_new


def shape_symmetries(
    board: Cells,
    on: LatticeBoard,
    candidates: Mapping[Placement, ShapePlacement],
    by: Collection[Motion],
) -> Iterator[Symmetry]:
    """The automorphisms of the board that keep its colours and map each kind of piece to one that
    is used equally often. Pieces are moved `by` these motions, which are a group."""
    # Numbers are compared much faster than cells and colours.
    number: dict[tuple[Cell, str], int] = {}
    looks: dict[Placement, frozenset[int]] = {}
    placements: dict[str, dict[frozenset[int], Placement]] = {}
    kinds: dict[tuple[frozenset[str], frozenset[Look]], ShapeKind] = {}
    for placement, shape in candidates.items():
        coloured = zip(shape.cells, shape.kind.colours, strict=True)
        numbers = frozenset([number.setdefault(cell, len(number)) for cell in coloured])
        looks[placement] = numbers
        placements.setdefault(shape.kind.name, {})[numbers] = placement
        kinds[shape.kind.groups, frozenset(shape.kind.ways)] = shape.kind
    for motion, to in on.automorphisms():
        if any(board[image] != board[cell] for cell, image in to.items()):
            continue
        kind_image: dict[str, str] | None
        if motion in by:
            kind_image = {kind.name: kind.name for kind in kinds.values()}
        else:
            kind_image = _map_kinds(kinds, on.lattice, motion)
        if kind_image is None:
            continue
        moved = [number[to[cell], colour] for cell, colour in number]
        images = {}
        for placement, numbers in looks.items():
            image = frozenset([moved[i] for i in numbers])
            images[placement] = placements[kind_image[candidates[placement].kind.name]][image]
        yield Symmetry(motion.level, images)


def _map_kinds(
    kinds: Mapping[tuple[frozenset[str], frozenset[Look]], ShapeKind],
    lattice: Lattice,
    motion: Motion,
) -> dict[str, str] | None:
    """The kind that a motion makes of each kind, by their names; None if there is no such kind, or
    it is not used equally often."""
    kind_image: dict[str, str] = {}
    for kind in kinds.values():
        looks = set()
        for cells in kind.ways.values():
            looks.add(look(lattice.at_origin(motion.images(cells)), kind.colours))
        image = kinds.get((kind.groups, frozenset(looks)))
        if image is None or (image.least, image.most) != (kind.least, kind.most):
            return None
        kind_image[kind.name] = image.name
    return kind_image
