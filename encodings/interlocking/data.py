"""The entries of an interlocking instance: a board, and pieces with teeth and gaps on their
borders."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import cycle
from typing import Any, Literal, NamedTuple, Self

from jigsat.encodings.interlocking.frame import GAP, TOOTH, frame_of
from pydantic import Field, PositiveInt, field_serializer, field_validator, model_validator

from jigsat.boards import Board, BoardName, Cell, Spot, board_named
from jigsat.errors import Fault, IncompleteError
from jigsat.pictures import Paint, Pictures, check_names, swatches
from jigsat.pieces.groups import PieceGroup, check_groups, groups_of
from jigsat.pieces.rims import (
    CandidatePlacement,
    Rim,
    RimmedKind,
    RimmedPiece,
    candidate_placements,
    rimmed_kinds,
)
from jigsat.puzzle import Puzzle, Shorthand

TOOTH_MEANING = "There is a tooth at this position of the face's border, counted clockwise."
SQUARE_CORNERS = ("top left", "top right", "bottom right", "bottom left")
ROW_MEANING = "The face shows this row of teeth # and gaps . along the side."


class Placement(NamedTuple):
    """The piece lies on the face, turned over if `flipped`, then turned clockwise by `turn`
    sides."""

    cell: Cell
    piece: str
    turn: int
    flipped: bool


class Piece(Shorthand):
    """The shape of a piece and the number of copies.

    `shape` lists the sides clockwise. A side starts with its first corner and ends before the next
    one. A file has the rows of a square piece, or all sides on one line, separated by spaces.
    """

    alone = "a drawing in quotes", (str, list)

    shape: tuple[str, ...]
    """The piece, drawn: a square in rows, or any piece on one line, side after side; # or 1 is a
    tooth, . or 0 a gap."""
    count: PositiveInt = 1
    """The number of pieces like this one."""

    @field_validator("shape", mode="before", json_schema_input_type=str | list[str])
    @classmethod
    def _read_sides(cls, data: Any) -> tuple[str, ...]:
        rows = data.strip().splitlines() if isinstance(data, str) else data
        if not isinstance(rows, (list, tuple)) or not all(isinstance(row, str) for row in rows):
            raise ValueError("expected rows of characters in quotes")
        if not rows:
            raise ValueError(
                "the drawing is empty; draw a square in rows, or write the sides on one line"
            )
        return _sides_on_one_line(rows[0]) if len(rows) == 1 else _sides_of_square(rows)

    @field_serializer("shape")
    def _draw_piece(self, shape: tuple[str, ...]) -> str:
        """The piece as written in a file: a square in rows, other pieces on one line."""
        if len(shape) != 4:
            return " ".join(shape)
        top, right, bottom, left = shape
        inside = "-" * (len(top) - 1)
        rows = [top + right[0]]
        for first, last in zip(left[:0:-1], right[1:], strict=True):
            rows.append(first + inside + last)
        rows.append(left[0] + bottom[::-1])
        return "\n".join(rows)

    @property
    def loose_corners(self) -> list[int]:
        """The corners with a tooth that is attached to nothing: the rest of the piece meets its
        small square only at a point."""
        length = len(self.shape[0])
        if length == 1:
            return []  # a square piece of four small squares, which are all corners
        rim = self.rim
        loose = []
        for corner in range(len(self.shape)):
            at = corner * length
            if rim[at] and not rim[at - 1] and not rim[at + 1]:
                loose.append(corner)
        return loose

    @property
    def rim(self) -> tuple[bool, ...]:
        """Whether there is a tooth at each position of the border, clockwise from the first
        corner."""
        return tuple(character in TOOTH for side in self.shape for character in side)


def _sides_on_one_line(line: str) -> tuple[str, ...]:
    sides = tuple(line.split())
    if len(sides) < 3 or len({*map(len, sides)}) > 1:
        raise ValueError(
            "a piece on one line needs at least 3 sides of equal length; a square can also be "
            "drawn in rows"
        )
    for i, side in enumerate(sides, 1):
        for j, character in enumerate(side, 1):
            _require_tooth_or_gap(character, f"side {i}, character {j}")
    return sides


def _sides_of_square(drawing: Sequence[str]) -> tuple[str, ...]:
    rows = ["".join(row.split()) for row in drawing]
    n = len(rows)
    for i, row in enumerate(rows, 1):
        if len(row) != n:
            raise ValueError(
                f"row {i} has {len(row)} characters, but there are {n} rows; a piece drawn in "
                f"rows is a square"
            )
    for r, row in enumerate(rows, 1):
        for c, character in enumerate(row, 1):
            on_border = r in (1, n) or c in (1, n)
            if on_border:
                _require_tooth_or_gap(character, f"row {r}, column {c}")
    left = "".join(row[0] for row in rows)
    right = "".join(row[-1] for row in rows)
    return rows[0][:-1], right[:-1], rows[-1][:0:-1], left[:0:-1]


def _require_tooth_or_gap(character: str, where: str) -> None:
    if character not in TOOTH + GAP:
        raise ValueError(
            f"{where} is {character!r}; on the border write # or 1 for a tooth, . or 0 for a gap"
        )


class InterlockingData(Puzzle[Placement]):
    family = "interlocking"
    other_names = ("Happy Cube", "Foam Cube")
    chapter = "Foam puzzles"
    rule = (
        "Place the pieces on the faces so that their teeth interlock and every corner and "
        "edge is filled."
    )
    cell_field = "cell"
    piece_field = "piece"

    board: BoardName
    """The board: a name such as "cube", or a drawing."""
    pieces: dict[str, Piece] = Field(min_length=1)
    """The pieces by name: drawn, or a table with `shape` and `count`."""
    groups: dict[str, PieceGroup] = Field(default_factory=dict)
    """Groups of pieces with required numbers: for each name a table with `pieces` and `number`."""
    turning_over: bool = True
    """Whether pieces may be turned over."""
    frame: str | None = None
    """The frame around an open board: its teeth (#) and gaps (.) along the rim, drawn in rows on a
    board of squares."""
    holes: Literal["forbidden", "allowed"] = "forbidden"
    """Whether places on edges may stay empty."""
    pictures: Pictures = Field(default_factory=dict)
    """Picture files (PNG, JPEG or SVG) for pieces, with paths relative to the folder of this
    file."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        faces = Counter(self.surface.sides(cell) for cell in self.surface.cells)
        for name, piece in self.pieces.items():
            size = len(piece.shape[0]) + 1
            sides = len(piece.shape)
            if size != self.size or size < 2:
                raise ValueError(
                    f"pieces.{name}: {size} small squares along a side; all pieces need the same "
                    f"number, at least 2"
                )
            if sides not in faces:
                expected = " or ".join(map(str, sorted(faces)))
                raise ValueError(
                    f"pieces.{name}: {sides} sides, but the faces of {self.surface.name} have "
                    f"{expected}"
                )
        for sides, number in faces.items():
            if self.supply[sides] < number:
                raise IncompleteError(
                    f"pieces: {self.supply[sides]} of {number} pieces with {sides} sides entered",
                    self,
                )
        has_teeth = any(any(piece.rim) for piece in self.pieces.values())
        is_closed = all(len(edge) > 1 for edge in self.surface.edges)
        if is_closed and not has_teeth:
            raise IncompleteError("pieces: no piece has teeth yet", self)
        uses = {}
        for name, piece in self.pieces.items():
            all_used = self.left_over[len(piece.shape)] == 0
            uses[name] = (piece.count if all_used else 0), piece.count
        _ = self.framed  # raises ValueError for a wrong frame
        check_groups(self.groups, uses, len(self.surface.cells))
        check_names(self.pictures, {"piece": self.pieces})
        return self

    def faults(self) -> Iterator[Fault]:
        """Teeth at corners that would fall off."""
        for name, piece in self.pieces.items():
            for corner in piece.loose_corners:
                where = f"at corner {corner + 1}"
                if len(piece.shape) == 4:
                    where = f"at the {SQUARE_CORNERS[corner]}"
                yield Fault(
                    f"pieces.{name}",
                    f"the tooth {where} touches no other tooth, so it would fall off",
                    "add a tooth beside it, or take it away",
                )

    def warnings(self) -> Iterator[str]:
        return map(str, self.faults())

    @cached_property
    def painted(self) -> dict[str, Paint]:
        """The colour of each piece. They differ as long as there are colours."""
        colours = cycle(swatches())
        return {name: Paint(colour) for name, colour in zip(self.pieces, colours, strict=False)}

    @cached_property
    def framed(self) -> dict[Spot, bool]:
        """For each spot on the rim whether the frame has a tooth there; empty without a frame."""
        return {} if self.frame is None else frame_of(self.surface, self.size, self.frame)

    @cached_property
    def surface(self) -> Board:
        return board_named(self.board)

    @property
    def size(self) -> int:
        """The number of small squares along a side of a piece, both corners included."""
        return len(next(iter(self.pieces.values())).shape[0]) + 1

    @cached_property
    def supply(self) -> Counter[int]:
        """The number of pieces by their number of sides."""
        supply: Counter[int] = Counter()
        for piece in self.pieces.values():
            supply[len(piece.shape)] += piece.count
        return supply

    @cached_property
    def left_over(self) -> Counter[int]:
        """The number of pieces that are left over, by their number of sides."""
        return self.supply - Counter(self.surface.sides(cell) for cell in self.surface.cells)

    @cached_property
    def kinds(self) -> list[RimmedKind]:
        """The pieces; equal ones are one kind."""
        pieces = {}
        for name, piece in self.pieces.items():
            groups = groups_of(self.groups, name)
            pieces[name] = RimmedPiece(len(piece.shape), None, groups, piece.rim), piece.count
        return rimmed_kinds(pieces, turning=True, flipping=self.turning_over)

    @cached_property
    def candidates(self) -> dict[Placement, CandidatePlacement]:
        """Every placement, with the resulting teeth on the face."""
        candidates = {}
        for candidate in candidate_placements(self.surface, self.kinds):
            turn, flipped = candidate.orientation
            candidates[Placement(candidate.cell, candidate.kind.name, turn, flipped)] = candidate
        return candidates

    def shown_rows(self) -> dict[tuple[Cell, int], dict[str, list[Placement]]]:
        """For each side of each face, the rows that it can show, each with the placements that show
        it."""
        rows: dict[tuple[Cell, int], dict[str, list[Placement]]] = {}
        split_rim = cache(self._split_rim)  # many placements show the same rim
        for placement, candidate in self.candidates.items():
            for side, row in enumerate(split_rim(candidate.rim)):
                placements = rows.setdefault((placement.cell, side), {})
                placements.setdefault(row, []).append(placement)
        return rows

    def _split_rim(self, rim: Rim) -> list[str]:
        """For each side its row, both corners included."""
        around = 2 * "".join("#" if tooth else "." for tooth in rim)
        return [around[start : start + self.size] for start in range(0, len(rim), self.size - 1)]

    def corners_on_the_rim(self) -> set[Spot]:
        """The corners of faces at which the board ends."""
        spots = set()
        for edge in self.surface.edges:
            if len(edge) == 1:
                cell, side, _ = edge[0]
                for corner in (side, (side + 1) % self.surface.sides(cell)):
                    spots.add(Spot(cell, corner * (self.size - 1)))
        return spots
