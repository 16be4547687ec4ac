"""The entries of a tiling instance: a board, by name or drawn with one character per cell, and
pieces drawn like it."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    NonNegativeInt,
    PlainSerializer,
    model_validator,
)

from jigsat.boards import DRAWN, NAMED, Board, board_named, characters
from jigsat.boards.lattice import (
    CUBES,
    SQUARES,
    Cell,
    LatticeBoard,
    cells,
    kind,
    lattice_board,
    layers,
    readable,
    side_by_side,
)
from jigsat.errors import IncompleteError
from jigsat.pictures import Colours, Pictures, check_names
from jigsat.pieces.cells import ANY_COLOUR, ShapeKind, shape_kinds
from jigsat.pieces.groups import Amount, PieceGroup, check_groups, read_amount, write_amount
from jigsat.puzzle import Puzzle, Shorthand
from jigsat.words import plural

ANY = Amount(0, 10**9)  # up to more than the number of cells of any board


def _times(data: Any) -> Amount:
    try:
        return ANY if data == "any" else read_amount(data)
    except ValueError as error:
        raise ValueError('expected a whole number, [minimum, maximum] or "any"') from error


Times = Annotated[
    Amount,
    PlainSerializer(lambda times: "any" if times == ANY else write_amount(times)),
    BeforeValidator(
        _times,
        json_schema_input_type=NonNegativeInt
        | tuple[NonNegativeInt, NonNegativeInt]
        | Literal["any"],
    ),
]
"""The minimum and maximum number of times that a piece is used, or of cells that are left over."""

OPTIONAL, REQUIRED = (
    "+",
    "#",
)  # the characters of cells that may stay empty, and of those that must be covered


class Placement(NamedTuple):
    """The piece covers these cells, in the order in which its own cells are drawn."""

    piece: str
    cells: tuple[Cell, ...]


class Piece(Shorthand):
    """A piece as drawn; `uses` overrides the entry `uses` of the puzzle."""

    alone = "a drawing in quotes", (str,)

    shape: str
    """The piece, drawn like the board, with one character per cell: # or its colour; a full stop is
    an empty place."""
    uses: Times | None = None
    """How often this piece is used; default: the entry `uses` of the puzzle."""


def surface(board: str) -> Board | None:
    """The board with this name, or of a drawing that states its kind; None for a drawing of squares
    or cubes without a kind."""
    first, _, rest = board.strip().partition("\n")
    word = first.partition(" ")[0]
    if word not in {*NAMED, *DRAWN} and (rest or " " not in first):
        return None
    found = board_named(board)
    kind(found)
    return found


# board in a file
BoardEntry = Annotated[
    str, AfterValidator(lambda board: board if surface(board) else readable(board))
]


class TilingData(Puzzle[Placement]):
    family = "tiling"
    rule = "Cover the board with the pieces without overlaps."
    piece_field = "piece"

    several = ("boards", "board")

    board: BoardEntry
    """The board: a name such as "hexagon 3", or drawn with one character per cell: # or its colour;
    a full stop is empty.

    A blank line separates layers. The first line of a drawing of hexagons or triangles states its
    kind.
    """
    letters: str | None = None
    """The board with one letter per cell. The letters left over or covered by a piece of one cell
    are the answer."""
    pieces: dict[str, Piece] = Field(min_length=1)
    """The pieces by name: drawn as the board is, or a table with `shape` and `uses`."""
    uses: Times = Amount(1, 1)
    """How often each piece is used: a number, [least, most], or "any"."""
    optional: str | None = None
    """The board drawn again: + is a cell that may stay empty, # a cell that must be covered."""
    left_over: Times | None = None
    """The number of cells left over: a number, [minimum, maximum], or "any"; default: 0, or "any"
    if there is `optional`."""
    groups: dict[str, PieceGroup] = Field(default_factory=dict)
    """Groups of pieces with required numbers: for each name a table with `pieces` and `number`."""
    turning: bool = True
    """Whether pieces may be turned."""
    turning_over: bool = True
    """Whether pieces may be turned over; in the plane only."""
    colours: Colours = Field(default_factory=dict)
    """The colours in pictures: for each character of the board a CSS colour name or #rrggbb."""
    pictures: Pictures = Field(default_factory=dict)
    """Picture files (PNG, JPEG or SVG) for pieces and colours, with paths relative to the folder of
    this file."""

    def board_places(self, placement: Placement) -> tuple[Cell, ...]:
        return placement.cells

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.lettered and self.lettered.keys() != self.cells.keys():
            raise ValueError(
                "letters: the cells differ from those of the board; draw one letter for each "
                "cell of the board"
            )
        self._valid_optional()
        if self.dimension == 3 and "turning_over" in self.model_fields_set:
            raise ValueError("turning_over: in space this is an ordinary turn; remove the entry")
        colours = set(self.cells.values())
        for character in self.colours.keys() - colours:
            raise ValueError(f"colours: no cell of the board has the colour {character!r}")
        check_names(self.pictures, {"piece": self.pieces, "colour": colours - {ANY_COLOUR}})
        for name in self.pictures.keys() & self.pieces.keys() if self.dimension == 3 else ():
            raise ValueError(
                f"pictures: pieces in space, such as {name!r}, have no picture; name the colours "
                f"of their cells"
            )
        least = most = 0
        for name, drawn in self.drawn.items():
            for character in (
                set(drawn.values()) - {ANY_COLOUR} if ANY_COLOUR not in colours else ()
            ):
                if character not in colours:
                    raise ValueError(
                        f"pieces.{name}: no cell of the board has the colour {character!r}; a "
                        f"cell without a colour is "
                        f"drawn as {ANY_COLOUR}"
                    )
            at_least, at_most = self.number_of_uses(name)
            least += at_least * len(drawn)
            most += at_most * len(drawn)
        covered = Amount(*(len(self.cells) - number for number in reversed(self.empty)))
        if most < covered.least or covered.most < least:
            message = (
                f"pieces: they have {Amount(least, most)} cells, but {covered} "
                f"{'must' if covered.least else 'can'} be covered"
                "; see 'left_over', the number of uncovered cells, and 'uses', the number of "
                "times a piece is used"
            )
            raise IncompleteError(message, self) if most < covered.least else ValueError(message)
        check_groups(
            self.groups, {name: self.number_of_uses(name) for name in self.pieces}, len(self.cells)
        )
        return self

    def _valid_optional(self) -> None:
        if self.optional is not None:
            drawn = self._redrawn("optional", self.optional)
            if drawn.keys() != self.cells.keys():
                raise ValueError(
                    f"optional: the cells differ from those of the board; draw {OPTIONAL} or "
                    f"{REQUIRED} for each cell of it"
                )
            if other := sorted(set(drawn.values()) - {OPTIONAL, REQUIRED}):
                raise ValueError(
                    f"optional: unknown character {other[0]!r}; {OPTIONAL} is a cell that may "
                    f"stay empty, {REQUIRED} a cell "
                    "that must be covered"
                )
        least, most = self.empty
        if least > most:
            raise ValueError(f"left_over: at most {plural(most, 'cell')} may stay empty")

    @cached_property
    def surface(self) -> Board | None:
        """The board as polygons; None for a drawing of squares or cubes that does not state its
        kind."""
        return surface(self.board)

    @cached_property
    def dimension(self) -> int:
        """3 if anything is drawn in layers, else 2."""
        drawings = [self.board, *(piece.shape for piece in self.pieces.values())]
        return (
            3
            if self.surface is None and any(len(layers(drawing)) > 1 for drawing in drawings)
            else 2
        )

    def _read_drawing(self, entry: str, drawing: str) -> tuple[Board | None, dict[Cell, str]]:
        """A drawing in the style of the board: its polygons, if the board has any, and its cells
        with their characters."""
        try:
            if self.surface is None:
                return None, cells(readable(drawing), self.dimension)
            style = kind(self.surface)
            return DRAWN[style](drawing), characters(style, drawing)
        except ValueError as error:
            raise ValueError(f"{entry}: {error}") from error

    @cached_property
    def cells(self) -> dict[Cell, str]:
        """The cells of the board with their colours."""
        if self.surface is None:
            return cells(self.board, self.dimension)
        first, _, drawing = self.board.strip().partition("\n")
        colours = (
            self._read_drawing("board", drawing)[1] if drawing and first != "triangles" else {}
        )
        return {
            cell: colours.get(cell, ANY_COLOUR) for cell in lattice_board(self.surface).coordinates
        }

    @cached_property
    def lattice_board(self) -> LatticeBoard:
        """The coordinates of the cells on their lattice."""
        if self.surface:
            return lattice_board(self.surface)
        return LatticeBoard(
            SQUARES if self.dimension == 2 else CUBES, {cell: cell for cell in self.cells}, {}
        )

    @cached_property
    def lettered(self) -> dict[Cell, str]:
        """The cells with their letters, if there are any."""
        return {} if self.letters is None else self._redrawn("letters", self.letters)

    def _redrawn(self, entry: str, drawing: str) -> dict[Cell, str]:
        """The board drawn again: its cells with other characters, even in place of the ^ and v of
        triangles."""
        try:
            if self.surface is None or kind(self.surface) == "squares":
                return cells(readable(drawing), self.dimension)
            return characters(kind(self.surface), drawing)
        except ValueError as error:
            raise ValueError(f"{entry}: {error}") from error

    @cached_property
    def _shapes(self) -> dict[str, tuple[Board | None, dict[Cell, str]]]:
        return {
            name: self._read_drawing(f"pieces.{name}", piece.shape)
            for name, piece in self.pieces.items()
        }

    @cached_property
    def empty(self) -> Amount:
        """The minimum and maximum number of cells that stay empty."""
        least, most = self.left_over or (0, 0 if self.optional is None else len(self.cells))
        return Amount(
            least, min(most, len(self.cells) if self.optional is None else len(self.optional_cells))
        )

    @cached_property
    def optional_cells(self) -> frozenset[Cell]:
        """The cells that may stay empty: those of `optional`; without it every cell, if any cells
        are left over."""
        if self.optional is None:
            return frozenset(self.cells) if self.empty[1] else frozenset()
        return frozenset(
            cell
            for cell, character in self._redrawn("optional", self.optional).items()
            if character == OPTIONAL
        )

    def marks_optional(self, cell: Cell) -> bool:
        """Whether pictures mark the cell as optional; they do not if every cell is."""
        return self.optional is not None and cell in self.optional_cells

    @cached_property
    def drawn(self) -> dict[str, dict[Cell, str]]:
        """The cells of each piece with their colours, as drawn; triangles have none."""
        triangles = self.surface is not None and kind(self.surface) == "triangles"
        return {
            name: dict.fromkeys(shape, ANY_COLOUR) if triangles else shape
            for name, (_, shape) in self._shapes.items()
        }

    @cached_property
    def drawn_boards(self) -> dict[str, Board]:
        """Each piece as polygons, if the board consists of polygons."""
        return {name: board for name, (board, _) in self._shapes.items() if board}

    @cached_property
    def kinds(self) -> list[ShapeKind]:
        """The pieces; equal ones are one kind."""
        lattice, uses = (
            self.lattice_board.lattice,
            {name: self.number_of_uses(name) for name in self.pieces},
        )
        by = lattice.allowed_motions(turning=self.turning, turning_over=self.turning_over)
        return shape_kinds(self.located, uses, lattice, by, self.groups)

    def own_names(self, placements: Iterable[Placement]) -> Iterator[str]:
        """The name of each placed piece. Equal pieces, placed under the name of the first, take
        theirs in turn."""
        left = {
            kind.name: list(kind.required) for kind in self.kinds if kind.most == len(kind.required)
        }
        for placement in placements:
            yield left[placement.piece].pop(0) if left.get(placement.piece) else placement.piece

    @cached_property
    def located(self) -> dict[str, dict[Cell, str]]:
        """Each piece, with the coordinates of its cells on the lattice."""
        if self.surface is None:
            return self.drawn
        coordinates = {
            name: lattice_board(board).coordinates for name, board in self.drawn_boards.items()
        }
        return {
            name: {at: self.drawn[name][cell] for cell, at in its.items()}
            for name, its in coordinates.items()
        }

    def number_of_uses(self, name: str) -> Amount:
        """The minimum and maximum number of times that a piece is used."""
        return self.pieces[name].uses or self.uses

    @cached_property
    def squares(self) -> dict[Cell, tuple[int, int]]:
        """Row and column of each cell in pictures, which show layers side by side."""
        return side_by_side(self.cells)
