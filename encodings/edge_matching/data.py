"""The entries of an edge-matching instance: a board, tiles with a label on each side, and the rules
that apply."""

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterator
from functools import cached_property
from itertools import chain, permutations, product
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import BeforeValidator, Field, PositiveInt, model_validator

from jigsat.boards import Board, BoardName, Cell, Incidence, Orientation, board_named
from jigsat.errors import IncompleteError, suggest
from jigsat.pictures import Colours, Paint, Pictures, ambiguous, check_names, paints
from jigsat.pieces.groups import PieceGroup, check_groups, groups_of
from jigsat.pieces.rims import (
    CandidatePlacement,
    RimmedKind,
    RimmedPiece,
    candidate_placements,
    distinct_ways,
    rimmed_kinds,
)
from jigsat.puzzle import Entries, Puzzle, Shorthand
from jigsat.words import plural

BLANK = "?"  # instead of a label, while it is not known yet
MAX_PERMUTATIONS = 5040  # largest number of label permutations that are tried: those of 7 labels


def _cell_name(data: Any) -> Any:
    """The name of a cell in a file: a word, or a list of numbers and words, which becomes a
    tuple."""
    parts = data if isinstance(data, (list, tuple)) else [data]
    if not all(type(part) in (str, int) for part in parts):
        raise ValueError("expected the name or the numbers of a cell, such as 'front' or [0, 2]")
    return tuple(data) if isinstance(data, list) else data


CellName = Annotated[
    Any, BeforeValidator(_cell_name, json_schema_input_type=str | int | list[str | int])
]


class Placement(NamedTuple):
    """The tile lies on the cell, turned clockwise by `turn` sides."""

    cell: Cell
    tile: str
    turn: int


class Tile(Shorthand):
    """A tile: the labels of its sides, clockwise from the top, an optional picture on its face, and
    the number of copies."""

    alone = "the list of the labels of a tile", (list, tuple)

    sides: tuple[str, ...]
    """The labels of the sides, clockwise from the top; "?" while a side has none yet."""
    face: str | None = None
    """The name of the picture on the tile."""
    count: PositiveInt = 1
    """The number of tiles like this one."""


class Hint(Entries):
    """A given tile on a cell. Without `turn`, the tile may be turned in any way."""

    cell: CellName
    """The cell: its name, or its numbers such as [0, 2]."""
    tile: str
    """The name of the tile."""
    turn: int | None = None
    """The number of sides by which the tile is turned clockwise; default: any."""


class EdgeMatchingData(Puzzle[Placement]):
    family = "edge-matching"
    rule = "Cover the board with the tiles so that sides that meet match."
    cell_field = "cell"
    piece_field = "tile"

    board: BoardName
    """The board: a name such as "square 3x3", or a drawing."""
    tiles: dict[str, Tile] = Field(min_length=1)
    """The tiles by name: the labels of the sides, clockwise from the top, or a table with `sides`,
    `face` and `count`."""
    groups: dict[str, PieceGroup] = Field(default_factory=dict)
    """Groups of tiles with required numbers: for each name a table with `pieces`, the tiles, and
    `number`."""
    turning: bool = True
    """Whether tiles may be turned."""
    reusable: bool = False
    """Whether each tile may be used any number of times."""
    matching: Literal["equal"] | tuple[tuple[str, str], ...] = "equal"
    """Which labels match: "equal", or the pairs of labels that match each other and nothing
    else."""
    frame: str | None = None
    """The label that every side on the rim of the board must show."""
    latin: bool = False
    """Whether each face may occur only once in every row and column."""
    hints: tuple[Hint, ...] = ()
    """The tiles that are given from the start."""
    colours: Colours = Field(default_factory=dict)
    """The colours in pictures: for each label a CSS colour name or #rrggbb."""
    pictures: Pictures = Field(default_factory=dict)
    """Picture files (PNG, JPEG or SVG) for labels and tiles, with paths relative to the folder of
    this file."""
    encoding: Literal[
        "labels", "labels-lean", "supports", "supports-lean", "conflicts", "conflicts-lean"
    ] = "labels"
    """The encoding; `jigsat compare --encodings` compares them."""

    @cached_property
    def surface(self) -> Board:
        return board_named(self.board)

    @property
    def is_lean(self) -> bool:
        """Whether the encoding omits the redundant constraints."""
        return self.encoding.endswith("-lean")

    @cached_property
    def partners(self) -> dict[str, str]:
        """For each label, the label that matches it."""
        if self.matching == "equal":
            return {label: label for tile in self.tiles.values() for label in tile.sides}
        partners: dict[str, str] = {}
        for a, b in self.matching:
            for label in {a, b}:
                if label in partners:
                    raise ValueError(f"matching: {label!r} is in two pairs")
            partners |= {a: b, b: a}
        return partners

    @cached_property
    def halves(self) -> dict[str, bool]:
        """The labels that are half of a figure, and whether they are its head, which a pair names
        first."""
        pairs = (
            [pair for pair in self.matching if pair[0] != pair[1]]
            if self.matching != "equal"
            else []
        )
        return {label: label == head for head, tail in pairs for label in (head, tail)}

    @cached_property
    def supply(self) -> int:
        """The number of tiles, copies included."""
        return sum(tile.count for tile in self.tiles.values())

    @cached_property
    def painted(self) -> dict[str, Paint]:
        return paints(
            self.partners, self.partners if self.matching != "equal" else None, self.colours
        )

    @cached_property
    def underlined(self) -> frozenset[str]:
        """The texts that are underlined on the tiles, because upside down they look like others of
        them."""
        faces = (tile.face for tile in self.tiles.values() if tile.face)
        return ambiguous(
            [*self.tiles, *faces, *(word for label in self.partners for word in label.split())]
        )

    def with_clues(self, placements: Collection[Placement]) -> Self:
        hints = tuple(Hint(cell=cell, tile=tile, turn=turn) for cell, tile, turn in placements)
        return self.model_copy(update={"hints": hints})

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        self._check_sides()
        self._check_frame_and_faces()
        if self.supply < len(self.surface.cells) and not self.reusable:
            raise IncompleteError(
                f"tiles: {self.supply} of {len(self.surface.cells)} tiles entered", self
            )
        if blank := sum(label == BLANK for tile in self.tiles.values() for label in tile.sides):
            raise IncompleteError(
                f"tiles: {plural(blank, 'side')} {'has' if blank == 1 else 'have'} no label yet",
                self,
            )
        most = {
            name: len(self.surface.cells) if self.reusable else tile.count
            for name, tile in self.tiles.items()
        }
        check_groups(
            self.groups,
            {name: (0 if self.left_over else n, n) for name, n in most.items()},
            len(self.surface.cells),
        )
        self._check_hints()
        check_names(self.pictures, {"tile": self.tiles, "label": self.partners})
        for label in self.colours.keys() - self.partners.keys():
            raise ValueError(
                f"colours: no tile has the label {label!r} (labels: {', '.join(self.partners)})"
            )
        return self

    def _check_sides(self) -> None:
        numbers = sorted({self.surface.sides(cell) for cell in self.surface.cells})
        for name, tile in self.tiles.items():
            if len(tile.sides) not in numbers:
                expected = " or ".join(map(str, numbers))
                raise ValueError(
                    f"tiles.{name}: {len(tile.sides)} sides, but the cells of "
                    f"{self.surface.name} have {expected}"
                )
            for side, label in enumerate(tile.sides):
                if label not in {*self.partners, BLANK}:
                    listed = (
                        f"; correct the label or add a pair (labels: {', '.join(self.partners)})"
                    )
                    remedy = suggest(label, self.partners) or listed
                    raise ValueError(
                        f"tiles.{name}: side {side}: label {label!r} is in no pair of "
                        f"'matching'{remedy}"
                    )

    def _check_frame_and_faces(self) -> None:
        if self.frame is not None and all(len(seam) > 1 for seam in self.surface.seams):
            raise ValueError(f"frame: {self.surface.name} has no rim")
        if self.frame is not None and not any(
            self.frame in tile.sides for tile in self.tiles.values()
        ):
            raise ValueError(f"frame: no tile has the label {self.frame!r}")
        if self.latin and not self.surface.name.startswith("square"):
            raise ValueError(f"latin: {self.surface.name} has no rows and columns")
        for name, tile in self.tiles.items():
            if self.latin and tile.face is None:
                raise ValueError(
                    f"tiles.{name}: missing entry 'face', which `latin` requires of every tile"
                )

    def _check_hints(self) -> None:
        hinted: set[Cell] = set()
        for i, hint in enumerate(self.hints):
            if hint.cell not in self.surface.polygons:
                raise ValueError(f"hints.{i}: {self.surface.name} has no cell {hint.cell}")
            if hint.cell in hinted:
                raise ValueError(
                    f"hints.{i}: cell {hint.cell} already has a hint; remove one of the two"
                )
            if hint.tile not in self.tiles:
                raise ValueError(f"hints.{i}: no tile {hint.tile!r}")
            if hint.turn is not None and not 0 <= hint.turn < (
                self.surface.sides(hint.cell) if self.turning else 1
            ):
                raise ValueError(f"hints.{i}: tile {hint.tile!r} cannot be turned by {hint.turn}")
            hinted.add(hint.cell)

    @cached_property
    def kinds(self) -> list[RimmedKind]:
        """The tiles; tiles that are equal up to turning are one kind. Reusable tiles have the count
        0."""
        pieces = {}
        for name, tile in self.tiles.items():
            rim = tuple(entry for label in tile.sides for entry in (None, label))
            count, groups = 0 if self.reusable else tile.count, groups_of(self.groups, name)
            pieces[name] = RimmedPiece(len(tile.sides), tile.face, groups, rim), count
        return rimmed_kinds(pieces, turning=self.turning, flipping=False)

    @cached_property
    def candidates(self) -> dict[Placement, CandidatePlacement]:
        """Every placement, with the rim of the tile in this orientation."""
        found = candidate_placements(self.surface, self.kinds)
        return {Placement(each.cell, each.kind.name, each.orientation.turn): each for each in found}

    @cached_property
    def _on(self) -> dict[Cell, dict[Placement, CandidatePlacement]]:
        """The candidates cell by cell."""
        on: dict[Cell, dict[Placement, CandidatePlacement]] = {
            cell: {} for cell in self.surface.cells
        }
        for placement, candidate in self.candidates.items():
            on[placement.cell][placement] = candidate
        return on

    def showing(self, *sides: Incidence) -> Iterator[tuple[Placement, str]]:
        """The candidates on the cells of these sides, each with the label that it shows there."""
        for cell, side, _ in sides:
            for placement, candidate in self._on[cell].items():
                yield placement, str(candidate.rim[2 * side + 1])

    @cached_property
    def left_over(self) -> bool:
        """Whether some tiles may stay unused."""
        return self.reusable or self.supply > len(self.surface.cells)

    @cached_property
    def rim_uses_frame_label_up(self) -> bool:
        """Whether all tiles are used and have the frame's label exactly as often as the rim needs
        it."""
        there = sum(tile.sides.count(self.frame) * tile.count for tile in self.tiles.values())
        return not self.left_over and there == sum(len(seam) == 1 for seam in self.surface.seams)

    @cached_property
    def lines(self) -> dict[str, list[tuple[int, int]]]:
        """The rows and columns of a rectangular board, by name."""
        cells: list[tuple[int, int]] = [
            cell for cell in self.surface.cells if isinstance(cell, tuple)
        ]
        numbers = [(axis, i) for axis in (0, 1) for i in sorted({cell[axis] for cell in cells})]
        return {
            f"{('row', 'column')[axis]} {i + 1}": [cell for cell in cells if cell[axis] == i]
            for axis, i in numbers
        }

    @cached_property
    def faces(self) -> dict[str, list[str]]:
        """For each face, the names of the kinds that have it."""
        faces = sorted({str(kind.attribute) for kind in self.kinds})
        return {
            face: [kind.name for kind in self.kinds if kind.attribute == face] for face in faces
        }

    def clues(self) -> dict[str, frozenset[Placement]]:
        return {f"hints.{i}": self._allowed_by(hint) for i, hint in enumerate(self.hints)}

    def _allowed_by(self, hint: Hint) -> frozenset[Placement]:
        """The placements on the cell of a hint that satisfy it."""
        kind = next(kind.name for kind in self.kinds if hint.tile in kind.names)
        sides = self.tiles[hint.tile].sides
        return frozenset(
            placement
            for placement, candidate in self._on[hint.cell].items()
            if placement.tile == kind
            and (
                hint.turn is None
                or candidate.rim[1::2] == Orientation(hint.turn).apply(sides, len(sides))
            )
        )

    def label_permutations(self) -> list[dict[Hashable, Hashable]]:
        """Permutations of labels that may be value symmetries: they keep partners and patterns;
        none if there are too many."""
        alike: dict[Hashable, list[str]] = {}
        for label in self.partners:
            patterns: Counter[Hashable] = Counter()
            for kind in self.kinds:
                at = tuple(shown == label for shown in next(iter(kind.ways))[1::2])
                patterns[
                    kind.attribute,
                    kind.count,
                    min(distinct_ways(at, len(at), turning=True, flipping=True)),
                ] += 1
            alike.setdefault((label == self.frame, frozenset(patterns.items())), []).append(label)
        if math.prod(math.factorial(len(labels)) for labels in alike.values()) > MAX_PERMUTATIONS:
            return []
        found: list[dict[Hashable, Hashable]] = []
        for images in product(*(permutations(labels) for labels in alike.values())):
            image = dict(zip(chain(*alike.values()), chain(*images), strict=True))
            if image != {a: a for a in image} and all(
                image[self.partners[a]] == self.partners[b] for a, b in image.items()
            ):
                found.append(dict(image.items()))
        return found
