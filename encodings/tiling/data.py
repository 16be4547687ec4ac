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
    Motion,
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

# the characters of cells that may stay empty, and of those that must be covered
OPTIONAL, REQUIRED = "+", "#"


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
    states_kind = word in NAMED or word in DRAWN
    looks_like_name = " " in first and not rest  # perhaps a misspelt one
    if not states_kind and not looks_like_name:
        return None
    polygons = board_named(board)
    kind(polygons)  # raises ValueError for a solid
    return polygons


# board in a file
BoardEntry = Annotated[
    str, AfterValidator(lambda board: board if surface(board) else readable(board))
]


class TilingData(Puzzle[Placement]):
    family = "tiling"
    other_names = ("Pentominoes", "Polyominoes", "Packing", "Polycubes", "Soma Cube")
    chapter = "Packings"
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
        self._check_colours()
        self._check_number_of_cells()
        uses = {name: self.number_of_uses(name) for name in self.pieces}
        check_groups(self.groups, uses, len(self.cells))
        return self

    def _check_colours(self) -> None:
        """Raises ValueError for a colour or a picture of something that does not exist."""
        colours = set(self.cells.values())
        for character in self.colours.keys() - colours:
            raise ValueError(f"colours: no cell of the board has the colour {character!r}")
        check_names(self.pictures, {"piece": self.pieces, "colour": colours - {ANY_COLOUR}})
        if self.dimension == 3:
            for name in self.pictures.keys() & self.pieces.keys():
                raise ValueError(
                    f"pictures: pieces in space, such as {name!r}, have no picture; name the "
                    f"colours of their cells"
                )
        if ANY_COLOUR in colours:
            return
        for name, shape in self.drawn.items():
            for character in set(shape.values()) - colours - {ANY_COLOUR}:
                raise ValueError(
                    f"pieces.{name}: no cell of the board has the colour {character!r}; a "
                    f"cell without a colour is "
                    f"drawn as {ANY_COLOUR}"
                )

    def _check_number_of_cells(self) -> None:
        """Raises IncompleteError while the pieces have too few or too many cells."""
        least = most = 0
        for name, shape in self.drawn.items():
            uses = self.number_of_uses(name)
            least += uses.least * len(shape)
            most += uses.most * len(shape)
        covered = Amount(len(self.cells) - self.empty.most, len(self.cells) - self.empty.least)
        if covered.least <= most and least <= covered.most:
            return
        cells = len(self.cells)
        must = "must" if covered.least else "can"
        wanted = f"{covered} {must} be covered"
        if covered.least == covered.most == cells:
            wanted = f"the board has {cells}"
        raise IncompleteError(
            f"pieces: the pieces have {Amount(least, most)} cells, but {wanted}"
            "; see 'left_over', the number of uncovered cells, and 'uses', the number of "
            "times a piece is used",
            self,
        )

    def _valid_optional(self) -> None:
        if self.optional is not None:
            marks = self._redrawn("optional", self.optional)
            if marks.keys() != self.cells.keys():
                raise ValueError(
                    f"optional: the cells differ from those of the board; draw {OPTIONAL} or "
                    f"{REQUIRED} for each cell of it"
                )
            other = sorted(set(marks.values()) - {OPTIONAL, REQUIRED})
            if other:
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
        has_layers = any(len(layers(drawing)) > 1 for drawing in drawings)
        return 3 if has_layers and self.surface is None else 2

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
        colours: dict[Cell, str] = {}
        if drawing and first != "triangles":
            _, colours = self._read_drawing("board", drawing)
        coordinates = lattice_board(self.surface).coordinates
        return {cell: colours.get(cell, ANY_COLOUR) for cell in coordinates}

    @cached_property
    def lattice_board(self) -> LatticeBoard:
        """The coordinates of the cells on their lattice."""
        if self.surface:
            return lattice_board(self.surface)
        lattice = SQUARES if self.dimension == 2 else CUBES
        return LatticeBoard(lattice, {cell: cell for cell in self.cells}, {})

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
        if self.optional is None:
            least, most = self.left_over or (0, 0)
            return Amount(least, min(most, len(self.cells)))
        least, most = self.left_over or (0, len(self.cells))
        return Amount(least, min(most, len(self.optional_cells)))

    @cached_property
    def optional_cells(self) -> frozenset[Cell]:
        """The cells that may stay empty: those of `optional`; without it every cell, if any cells
        are left over."""
        if self.optional is None:
            return frozenset(self.cells) if self.empty.most else frozenset()
        marks = self._redrawn("optional", self.optional)
        return frozenset(cell for cell, character in marks.items() if character == OPTIONAL)

    def marks_optional(self, cell: Cell) -> bool:
        """Whether pictures mark the cell as optional; they do not if every cell is."""
        return self.optional is not None and cell in self.optional_cells

    @cached_property
    def drawn(self) -> dict[str, dict[Cell, str]]:
        """The cells of each piece with their colours, as drawn; triangles have none."""
        drawn = {name: cells for name, (_, cells) in self._shapes.items()}
        if self.surface is None or kind(self.surface) != "triangles":
            return drawn
        return {name: dict.fromkeys(cells, ANY_COLOUR) for name, cells in drawn.items()}

    @cached_property
    def drawn_boards(self) -> dict[str, Board]:
        """Each piece as polygons, if the board consists of polygons."""
        return {name: board for name, (board, _) in self._shapes.items() if board}

    @cached_property
    def kinds(self) -> list[ShapeKind]:
        """The pieces; equal ones are one kind."""
        uses = {name: self.number_of_uses(name) for name in self.pieces}
        lattice = self.lattice_board.lattice
        return shape_kinds(self.located, uses, lattice, self.motions, self.groups)

    @property
    def motions(self) -> list[Motion]:
        """The motions by which pieces may be placed."""
        return self.lattice_board.lattice.allowed_motions(
            turning=self.turning, turning_over=self.turning_over
        )

    def own_names(self, placements: Iterable[Placement]) -> Iterator[str]:
        """The name of each placed piece. Equal pieces, placed under the name of the first, take
        theirs in turn."""
        unused = {}
        for same in self.kinds:
            if same.most == len(same.required):
                unused[same.name] = list(same.required)
        for placement in placements:
            names = unused.get(placement.piece)
            yield names.pop(0) if names else placement.piece

    @cached_property
    def located(self) -> dict[str, dict[Cell, str]]:
        """Each piece, with the coordinates of its cells on the lattice."""
        if self.surface is None:
            return self.drawn
        located: dict[str, dict[Cell, str]] = {}
        for name, board in self.drawn_boards.items():
            located[name] = {}
            for cell, coordinates in lattice_board(board).coordinates.items():
                located[name][coordinates] = self.drawn[name][cell]
        return located

    def number_of_uses(self, name: str) -> Amount:
        """The minimum and maximum number of times that a piece is used."""
        return self.pieces[name].uses or self.uses

    @cached_property
    def squares(self) -> dict[Cell, tuple[int, int]]:
        """Row and column of each cell in pictures, which show layers side by side."""
        return side_by_side(self.cells)
