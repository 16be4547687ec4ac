"""The entries of an edge-matching instance: a board, tiles with a label on each side, and the rules
that apply."""

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping
from functools import cached_property
from itertools import chain, permutations, product
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import BeforeValidator, Field, PositiveInt, model_validator

from jigsat.boards import Board, BoardName, Cell, Incidence, Orientation, board_named
from jigsat.errors import IncompleteError, suggest
from jigsat.formula import Thing
from jigsat.pictures import Colours, Paint, Pictures, ambiguous, check_names, paints
from jigsat.pieces.counting import name_side
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


def name_tile(tile: str) -> str:
    """A tile in a sentence.

    >>> name_tile("3"), name_tile("fox")
    ('tile 3', 'fox')
    """
    return f"tile {tile}" if tile.isdigit() else tile


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
    other_names = ("Scramble Squares", "TetraVex", "Eternity II", "MacMahon")
    chapter = "Matching tiles"
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
        "labels",
        "labels-lean",
        "supports",
        "supports-lean",
        "conflicts",
        "conflicts-lean",
        "heule-compact",
        "heule-explicit",
        "heule-forbidden",
        "heule-all",
    ] = "labels"
    """The encoding; `jigsat compare --encodings` compares them. Those of Heule are for framed
    rectangular boards that use all tiles up."""

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
        halves: dict[str, bool] = {}
        if self.matching != "equal":
            for head, tail in self.matching:
                if head != tail:
                    halves[head] = True
                    halves[tail] = False
        return halves

    @cached_property
    def supply(self) -> int:
        """The number of tiles, copies included."""
        return sum(tile.count for tile in self.tiles.values())

    @cached_property
    def painted(self) -> dict[str, Paint]:
        if self.matching == "equal":  # several sets with the same labels have the same colours
            return paints(sorted(self.partners), given=self.colours)
        return paints(self.partners, self.partners, self.colours)

    @cached_property
    def underlined(self) -> frozenset[str]:
        """The texts that are underlined on the tiles, because upside down they look like others of
        them."""
        texts = list(self.tiles)
        for tile in self.tiles.values():
            if tile.face:
                texts.append(tile.face)
        for label in self.partners:
            texts += label.split()
        return ambiguous(texts)

    def with_clues(self, placements: Collection[Placement]) -> Self:
        hints = tuple(Hint(cell=cell, tile=tile, turn=turn) for cell, tile, turn in placements)
        return self.model_copy(update={"hints": hints})

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        self._check_sides()
        self._check_frame_and_faces()
        self._require_all_tiles()
        self._check_groups()
        self._check_hints()
        check_names(self.pictures, {"tile": self.tiles, "label": self.partners})
        for label in self.colours.keys() - self.partners.keys():
            raise ValueError(
                f"colours: no tile has the label {label!r} (labels: {', '.join(self.partners)})"
            )
        return self

    def _require_all_tiles(self) -> None:
        """Raises IncompleteError while tiles or labels are missing."""
        cells = len(self.surface.cells)
        if self.supply < cells and not self.reusable:
            raise IncompleteError(f"tiles: {self.supply} of {cells} tiles entered", self)
        blank = sum(tile.sides.count(BLANK) for tile in self.tiles.values())
        if blank:
            verb = "has" if blank == 1 else "have"
            raise IncompleteError(f"tiles: {plural(blank, 'side')} {verb} no label yet", self)

    def _check_groups(self) -> None:
        cells = len(self.surface.cells)
        uses = {}
        for name, tile in self.tiles.items():
            most = cells if self.reusable else tile.count
            least = 0 if self.left_over else most
            uses[name] = least, most
        check_groups(self.groups, uses, cells)

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
                if label != BLANK and label not in self.partners:
                    labels = ", ".join(self.partners)
                    remedy = suggest(label, self.partners)
                    if not remedy:
                        remedy = f"; correct the label or add a pair (labels: {labels})"
                    where = f"tiles.{name}: {name_side(tile.sides, side)}"
                    raise ValueError(
                        f"{where}: label {label!r} is in no pair of 'matching'{remedy}"
                    )

    def _check_frame_and_faces(self) -> None:
        if self.frame is not None:
            if all(len(seam) > 1 for seam in self.surface.seams):
                raise ValueError(f"frame: {self.surface.name} has no rim")
            if not any(self.frame in tile.sides for tile in self.tiles.values()):
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
            turns = self.surface.sides(hint.cell) if self.turning else 1
            if hint.turn is not None and not 0 <= hint.turn < turns:
                raise ValueError(f"hints.{i}: tile {hint.tile!r} cannot be turned by {hint.turn}")
            hinted.add(hint.cell)

    @cached_property
    def kinds(self) -> list[RimmedKind]:
        """The tiles; tiles that are equal up to turning are one kind. Reusable tiles have the count
        0."""
        pieces = {}
        for name, tile in self.tiles.items():
            rim: list[str | None] = []
            for label in tile.sides:
                rim += [None, label]  # nothing at the corner before the side
            groups = groups_of(self.groups, name)
            count = 0 if self.reusable else tile.count
            pieces[name] = RimmedPiece(len(tile.sides), tile.face, groups, tuple(rim)), count
        return rimmed_kinds(pieces, turning=self.turning, flipping=False)

    @cached_property
    def candidates(self) -> dict[Placement, CandidatePlacement]:
        """Every placement, with the rim of the tile in this orientation."""
        candidates = {}
        for candidate in candidate_placements(self.surface, self.kinds):
            turn = candidate.orientation.turn
            candidates[Placement(candidate.cell, candidate.kind.name, turn)] = candidate
        return candidates

    @cached_property
    def fitting(self) -> dict[Placement, CandidatePlacement]:
        """The candidates that show the frame on the rim and nowhere else."""
        rim = {(seam[0].cell, seam[0].side) for seam in self.surface.seams if len(seam) == 1}
        fitting = {}
        for placement, candidate in self.candidates.items():
            framed = set()
            for side, label in enumerate(candidate.rim[1::2]):
                if label == self.frame:
                    framed.add((placement.cell, side))
            sides = {(placement.cell, side) for side in range(candidate.kind.sides)}
            if framed == sides & rim:
                fitting[placement] = candidate
        return fitting

    @property
    def encoded(self) -> dict[Placement, CandidatePlacement]:
        """The candidates that have a variable in the encoding."""
        return self.fitting if self.encoding.startswith("heule-") else self.candidates

    @cached_property
    def _candidates_on(self) -> dict[Cell, dict[Placement, CandidatePlacement]]:
        """The candidates cell by cell."""
        candidates_on: dict[Cell, dict[Placement, CandidatePlacement]] = {}
        for cell in self.surface.cells:
            candidates_on[cell] = {}
        for placement, candidate in self.candidates.items():
            candidates_on[placement.cell][placement] = candidate
        return candidates_on

    def showing(self, *sides: Incidence) -> Iterator[tuple[Placement, str]]:
        """The candidates on the cells of these sides, each with the label that it shows there."""
        for cell, side, _ in sides:
            for placement, candidate in self._candidates_on[cell].items():
                yield placement, str(candidate.rim[2 * side + 1])

    @cached_property
    def left_over(self) -> bool:
        """Whether some tiles may stay unused."""
        return self.reusable or self.supply > len(self.surface.cells)

    @cached_property
    def rim_uses_frame_label_up(self) -> bool:
        """Whether all tiles are used and have the frame's label exactly as often as the rim needs
        it."""
        if self.left_over:
            return False
        supplied = sum(tile.sides.count(self.frame) * tile.count for tile in self.tiles.values())
        needed = sum(1 for seam in self.surface.seams if len(seam) == 1)
        return supplied == needed

    @cached_property
    def lines(self) -> dict[Thing, list[tuple[int, int]]]:
        """The rows and columns of a rectangular board."""
        cells: list[tuple[int, int]] = []
        for cell in self.surface.cells:
            if isinstance(cell, tuple):
                cells.append(cell)
        lines: dict[Thing, list[tuple[int, int]]] = {}
        for axis, noun in enumerate(("row", "column")):
            for i in sorted({cell[axis] for cell in cells}):
                lines[Thing(noun, i + 1)] = [cell for cell in cells if cell[axis] == i]
        return lines

    @cached_property
    def faces(self) -> dict[str, list[str]]:
        """For each face, the names of the kinds that have it."""
        names: dict[str, list[str]] = {}
        for kind in self.kinds:
            names.setdefault(str(kind.attribute), []).append(kind.name)
        return dict(sorted(names.items()))

    def clues(self) -> dict[str, frozenset[Placement]]:
        return {f"hints.{i}": self._allowed_by(hint) for i, hint in enumerate(self.hints)}

    def _allowed_by(self, hint: Hint) -> frozenset[Placement]:
        """The placements on the cell of a hint that satisfy it."""
        kind = next(kind.name for kind in self.kinds if hint.tile in kind.names)
        placements = set()
        for placement, candidate in self._candidates_on[hint.cell].items():
            if placement.tile == kind and self._is_turned_as(hint, candidate):
                placements.add(placement)
        return frozenset(placements)

    def _is_turned_as(self, hint: Hint, candidate: CandidatePlacement) -> bool:
        if hint.turn is None:
            return True
        sides = self.tiles[hint.tile].sides
        return candidate.rim[1::2] == Orientation(hint.turn).apply(sides, len(sides))

    def label_permutations(self) -> list[dict[Hashable, Hashable]]:
        """Permutations of labels that may be value symmetries: they keep partners and patterns;
        none if there are too many."""
        # Only labels that occur in the same way on tiles of the same kinds can be exchanged.
        alike: dict[Hashable, list[str]] = {}
        for label in self.partners:
            occurrences = label == self.frame, self._count_patterns(label)
            alike.setdefault(occurrences, []).append(label)
        number = math.prod(math.factorial(len(labels)) for labels in alike.values())
        if number > MAX_PERMUTATIONS:
            return []

        labels = [label for group in alike.values() for label in group]
        label_permutations: list[dict[Hashable, Hashable]] = []
        for images in product(*(permutations(group) for group in alike.values())):
            image: dict[Hashable, Hashable] = dict(zip(labels, chain(*images), strict=True))
            if list(image.values()) != labels and self._keeps_partners(image):
                label_permutations.append(image)
        return label_permutations

    def _count_patterns(self, label: str) -> frozenset[tuple[Hashable, int]]:
        """How many kinds of tiles have the label on the same sides, up to turning and mirroring.

        Kinds of different faces, or of a different number of tiles, are counted apart.
        """
        patterns: Counter[Hashable] = Counter()
        for kind in self.kinds:
            rim = next(iter(kind.ways))  # corners and sides by turns
            has_label = tuple(shown == label for shown in rim[1::2])
            ways = distinct_ways(has_label, len(has_label), turning=True, flipping=True)
            patterns[kind.attribute, kind.count, min(ways)] += 1
        return frozenset(patterns.items())

    def _keeps_partners(self, image: Mapping[Hashable, Hashable]) -> bool:
        """Whether the images of labels that match each other match each other."""
        pairs = set(self.partners.items())
        return all((image[label], image[partner]) in pairs for label, partner in pairs)
