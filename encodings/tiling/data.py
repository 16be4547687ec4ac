"""The entries of a tiling instance: a board and pieces, drawn with one character per cell."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import (
    BeforeValidator,
    Field,
    NonNegativeInt,
    PlainSerializer,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from jigsat.boards.lattice import Cell, Drawing, cells, layers
from jigsat.pictures import Colours
from jigsat.pieces.cells import ANY_COLOUR
from jigsat.puzzle import Entries, Puzzle

ANY_NUMBER = 10**9
"""A number larger than the number of cells of any board."""


def _times(data: Any) -> Any:
    match data:
        case int(number) if number >= 0 and not isinstance(data, bool):
            return number, number
        case [int(least), int(most)] if 0 <= least <= most:
            return least, most
        case "any":
            return 0, ANY_NUMBER
    raise ValueError('expected a whole number, [minimum, maximum] or "any"')


def _as_written(times: tuple[int, int]) -> Any:
    return times[0] if times[0] == times[1] else "any" if times == (0, ANY_NUMBER) else times


Times = Annotated[
    tuple[int, int],
    PlainSerializer(_as_written),
    BeforeValidator(_times, json_schema_input_type=NonNegativeInt | tuple[NonNegativeInt, NonNegativeInt] | Literal["any"]),
]
"""The minimum and maximum number of times that a piece is used, or of cells that are left over."""

OPTIONAL, REQUIRED = "+", "#"
"""The characters of cells that may stay empty, and of those that must be covered."""


class Placement(NamedTuple):
    """The piece covers these cells, in the order in which its own cells are drawn."""

    piece: str
    cells: tuple[Cell, ...]


class Piece(Entries):
    """A piece as drawn; `uses` overrides the entry `uses` of the puzzle."""

    shape: Drawing
    """The piece, drawn with one character per cell: # or its colour; a full stop is no cell."""
    uses: Times | None = None
    """How often this piece is used; default: the entry `uses` of the puzzle."""

    @model_serializer(mode="wrap")
    def _only_shape(self, serialize: SerializerFunctionWrapHandler) -> Any:
        data = serialize(self)
        return data["shape"] if data.keys() == {"shape"} else data


def _piece(data: Any) -> Any:
    if not isinstance(data, (str, dict, Piece)):
        raise ValueError("a piece is its drawing in quotes, or a table with `shape`")
    return {"shape": data} if isinstance(data, str) else data


PieceEntry = Annotated[Piece, BeforeValidator(_piece, json_schema_input_type=str | Piece)]
"""A piece in a file: its drawing, or a table."""


class TilingData(Puzzle[Placement]):
    """A board and pieces."""

    family = "tiling"
    piece_field = "piece"

    several = ("boards", "board")

    board: Drawing
    """The board, drawn with one character per cell: # or its colour; a full stop is no cell. A blank line separates layers."""
    letters: Drawing | None = None
    """The board with one letter per cell. The letters left over or covered by a piece of one cell are the answer."""
    pieces: dict[str, PieceEntry] = Field(min_length=1)
    """The pieces by name: drawn as the board is, or a table with `shape` and `uses`."""
    uses: Times = (1, 1)
    """How often each piece is used: a number, [least, most], or "any"."""
    optional: Drawing | None = None
    """The board drawn again: + is a cell that may stay empty, # a cell that must be covered."""
    left_over: Times | None = None
    """The number of cells left over: a number, [minimum, maximum], or "any"; default: 0, or "any" if there is `optional`."""
    turning: bool = True
    """Whether pieces may be turned."""
    turning_over: bool = True
    """Whether pieces may be turned over; in the plane only."""
    colours: Colours = Field(default_factory=dict)
    """The colours in pictures: for each character of the board a CSS colour name or #rrggbb."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.lettered and self.lettered.keys() != self.cells.keys():
            raise ValueError("letters: the cells differ from those of the board; draw one letter for each cell of the board")
        self._valid_optional()
        if self.dimension == 3 and "turning_over" in self.model_fields_set:
            raise ValueError("turning_over: in space this is an ordinary turn; remove the entry")
        colours = set(self.cells.values())
        for character in self.colours.keys() - colours:
            raise ValueError(f"colours: no cell of the board has the colour {character!r}")
        least = most = 0
        for name, drawn in self.drawn.items():
            for character in set(drawn.values()) - {ANY_COLOUR} if ANY_COLOUR not in colours else ():
                if character not in colours:
                    raise ValueError(
                        f"pieces.{name}: no cell of the board has the colour {character!r}; a cell without a colour is "
                        f"drawn as {ANY_COLOUR}"
                    )
            at_least, at_most = self.used(name)
            least += at_least * len(drawn)
            most += at_most * len(drawn)
        at_least, at_most = (len(self.cells) - number for number in reversed(self.empty))
        if most < at_least or at_most < least:
            raise ValueError(
                f"pieces: they have {_range(least, most)} cells, but {_range(at_least, at_most)} must be covered; "
                "see 'left_over', the number of uncovered cells, and 'uses', the number of times a piece is used"
            )
        return self

    def _valid_optional(self) -> None:
        if self.optional is not None:
            drawn = cells(self.optional, self.dimension)
            if drawn.keys() != self.cells.keys():
                raise ValueError(
                    f"optional: the cells differ from those of the board; draw {OPTIONAL} or {REQUIRED} for each cell of it"
                )
            if other := sorted(set(drawn.values()) - {OPTIONAL, REQUIRED}):
                raise ValueError(
                    f"optional: unknown character {other[0]!r}; {OPTIONAL} is a cell that may stay empty, {REQUIRED} a cell "
                    "that must be covered"
                )
        least, most = self.empty
        if least > most:
            raise ValueError(f"left_over: at most {most} cells may stay empty")

    @cached_property
    def dimension(self) -> int:
        """3 if anything is drawn in layers, else 2."""
        drawings = [self.board, *(piece.shape for piece in self.pieces.values())]
        return 3 if any(len(layers(drawing)) > 1 for drawing in drawings) else 2

    @cached_property
    def cells(self) -> dict[Cell, str]:
        """The cells of the board with their colours."""
        return cells(self.board, self.dimension)

    @cached_property
    def lettered(self) -> dict[Cell, str]:
        """The cells with their letters, if there are any."""
        return {} if self.letters is None else cells(self.letters, self.dimension)

    @cached_property
    def empty(self) -> tuple[int, int]:
        """The minimum and maximum number of cells that stay empty."""
        least, most = self.left_over or (0, 0 if self.optional is None else len(self.cells))
        return least, min(most, len(self.cells) if self.optional is None else len(self.optional_cells))

    @cached_property
    def optional_cells(self) -> frozenset[Cell]:
        """The cells that may stay empty: those of `optional`; without it every cell, if any cells are left over."""
        if self.optional is None:
            return frozenset(self.cells) if self.empty[1] else frozenset()
        return frozenset(cell for cell, character in cells(self.optional, self.dimension).items() if character == OPTIONAL)

    def marks_optional(self, cell: Cell) -> bool:
        """Whether pictures mark the cell as optional; they do not if every cell is."""
        return self.optional is not None and cell in self.optional_cells

    @cached_property
    def drawn(self) -> dict[str, dict[Cell, str]]:
        """The cells of each piece with their colours, as drawn."""
        return {name: cells(piece.shape, self.dimension) for name, piece in self.pieces.items()}

    def used(self, name: str) -> tuple[int, int]:
        """The minimum and maximum number of times that a piece is used."""
        return self.pieces[name].uses or self.uses

    @cached_property
    def squares(self) -> dict[Cell, tuple[int, int]]:
        """Row and column of each cell in pictures, which show layers side by side."""
        width = max(cell[-1] for cell in self.cells) + 2
        return {cell: (cell[-2], cell[-1] + width * sum(cell[:-2])) for cell in self.cells}


def _range(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"
