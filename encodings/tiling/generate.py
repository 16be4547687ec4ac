"""Options for generating tilings of a board: the colours of its cells, or a selection of pieces.

If pieces have colours, the colours of the board's cells are the data, and a counterexample is
another way to place the pieces on them. If they have none, the data are a selection of pieces that
are cut from the board with its colours, no two alike, and a counterexample places them in another
way. The letters are drawn last: those of the cells that are left over spell the word, and the
others are random.
"""

from __future__ import annotations

import random
import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import ceil, gcd, isqrt, prod
from string import ascii_lowercase, ascii_uppercase
from typing import Annotated, Any, ClassVar, NamedTuple

from jigsat.encodings.tiling.data import BoardEntry, Piece, Placement, surface
from jigsat.encodings.tiling.rules import Tiling
from pydantic import BeforeValidator, Field, model_validator

from jigsat.answering.enumeration import Enumeration
from jigsat.boards import Board
from jigsat.boards.lattice import (
    CUBES,
    MAX_CELLS,
    NO_CELL,
    SQUARES,
    Cell,
    draw_cells,
    kind,
    shift_cells,
)
from jigsat.errors import CheckError, InputError, Stopped, unknown
from jigsat.formula import Clause, Constraint
from jigsat.generation.counterexamples import (
    MAX_COUNTED,
    CounterexampleGuidedGenerator,
    PuzzleSpace,
)
from jigsat.generation.generator import Generator, GeneratorOptions
from jigsat.pieces.cells import ANY_COLOUR
from jigsat.puzzle import Known, Puzzle, Solution
from jigsat.symmetry import Group, Model
from jigsat.words import plural

STRIPS = {
    1: "www wwb wbw wbb bwb bbb ww wb bb",
    5: "bwo wob obw bbw wwo oob bw wo ob",
    100: "bwo wos osb sbw bob wsw bw wo os sb",
}
"""The default pieces, by the largest number of free cells for which they are used. With two colours
and several free cells, hardly any board has only one solution, so orange (o) and sky blue (s) are
used as well."""

BOX = re.compile(r"box (\d+)x(\d+)x(\d+)")
SQUARE = re.compile(r"square (\d+)x(\d+)")
BOX_COLOURS = "ffec"
"""The colours of the cells inside a box and on its faces, along its edges and at its corners. With
them, few other arrangements of its pieces are possible."""

DEFAULT_CELLS = 25  # of a board for pieces without colours

# time limit in seconds of the search for too many solutions of the only selection
MAX_CHECK_S = 10.0
# number of pieces that are cut in another way to make a neighbour of a selection
EXCHANGED_PIECES = 4
# number of selections with too many solutions after which a board gets holes in place of the cells
# that are left over
FEW_SELECTIONS = 8

SETS = {
    "trominoes": (2, 3),
    "tetrominoes": (2, 4),
    "pentominoes": (2, 5),
    "tricubes": (3, 3),
    "tetracubes": (3, 4),
    "pentacubes": (3, 5),
}
"""The dimension and the size of each set that has a name: all pieces of that size, up to the
allowed motions."""

# the usual names of the pieces
LETTERS = {
    "trominoes": "IL",
    "tetrominoes": "ILTOS",
    "pentominoes": "ILYPUVTNFWZX",
}


def _read_board(data: Any) -> Any:
    """A rectangle such as "square 6x6" as a drawing, so that cells can be taken out of it, and a
    box such as "box 3x4x4" with the colours of its faces, edges and corners."""
    square = SQUARE.fullmatch(data.strip()) if isinstance(data, str) else None
    if square:
        rows, columns = map(int, square.groups())
        if 0 < rows * columns <= MAX_CELLS:
            return "\n".join([ANY_COLOUR * columns] * rows)
    box = BOX.fullmatch(data.strip()) if isinstance(data, str) else None
    if box is None:
        return data
    lengths = [int(length) for length in box.groups()]
    if 0 in lengths or prod(lengths) > MAX_CELLS:
        raise ValueError(f"a box of 1 to {MAX_CELLS:,} cells was expected")
    colours = {}
    for cell in product(*map(range, lengths)):
        faces = 0  # on which the cell lies, in different directions
        for x, length in zip(cell, lengths, strict=True):
            if x in (0, length - 1):
                faces += 1
        colours[cell] = BOX_COLOURS[faces]
    return draw_cells(colours)


def _read_pieces(data: Any) -> Any:
    """The pieces of a set by its name."""
    if not isinstance(data, str):
        return data
    if data not in SETS:
        raise ValueError(unknown("set of pieces", data, SETS))
    names = LETTERS.get(data, ascii_uppercase + ascii_lowercase)
    dimension, size = SETS[data]
    pieces = polyforms(dimension, size)
    drawings = [draw_cells(dict.fromkeys(piece, ANY_COLOUR)) for piece in pieces]
    return dict(zip(names, drawings, strict=False))


def polyforms(dimension: int, size: int) -> list[tuple[Cell, ...]]:
    """The polyominoes of a size up to motions and reflections, or the polycubes up to rotations.

    >>> [len(polyforms(2, size)) for size in range(1, 6)]
    [1, 1, 2, 5, 12]
    >>> [len(polyforms(3, size)) for size in range(1, 6)]
    [1, 1, 2, 8, 29]
    """
    lattice = SQUARES if dimension == 2 else CUBES
    turns = lattice.allowed_motions(turning=True, turning_over=True)
    origin = (0,) * dimension
    steps = {motion.images([(1, *origin[1:])])[0] for motion in lattice.motions}
    pieces: set[tuple[Cell, ...]] = {(origin,)}
    for _ in range(size - 1):
        larger = set()
        for piece in pieces:
            for cell, step in product(piece, steps):
                (neighbour,) = shift_cells([cell], step)
                if neighbour not in piece:
                    cells = (*piece, neighbour)
                    larger.add(min(tuple(sorted(turn.apply(cells))) for turn in turns))
        pieces = larger
    return sorted(pieces)


class Options(GeneratorOptions):
    """A board and pieces, by default strips in two to four colours, or the name of a set of pieces
    such as "tetracubes".

    If pieces have colours, only the shape of the board matters.

    `left_over` is the number of cells that are left over, and `holes` are some of them, counted
    from 0. With `letters`, the board has letters, and those of the cells that are left over spell
    this word, row by row. By default the board is roughly square and has one cell more than the
    pieces, or as many more as there are holes or letters.
    """

    single = ""
    secret: ClassVar[frozenset[str]] = frozenset({"holes", "letters"})

    board: Annotated[BoardEntry, BeforeValidator(_read_board)] | None = None
    pieces: (
        Annotated[dict[str, Piece], Field(min_length=1), BeforeValidator(_read_pieces)] | None
    ) = None
    left_over: Annotated[int, Field(ge=0, le=10_000)] | None = None
    holes: Annotated[tuple[tuple[int, ...], ...], Field(max_length=max(STRIPS))] = ()
    letters: Annotated[str, Field(max_length=max(STRIPS))] | None = None
    turning: bool = True
    turning_over: bool = True

    @model_validator(mode="after")
    def _consistent(self) -> Options:
        if self._polygons and not self.flat:
            raise ValueError(
                "board: pieces with colours need a drawn board of squares or cubes, without a "
                "line with its kind"
            )
        if self._polygons and self.letters is not None:
            raise ValueError(
                "letters: draw a board of squares or cubes, without a line with its kind"
            )
        if self.letters is not None:
            self._check_letters(self.letters)
        if self.pieces is None and self.board is not None and "\n\n" in self.board:
            sets = [name for name, (dimension, _) in SETS.items() if dimension == 3]
            raise ValueError(f"pieces: name a set for a box: {', '.join(sets)}")
        cells = self.blank().cells
        left = self._number_left()
        if self.flat:
            self._check_area(cells, len(cells) - left)
        self._check_holes(cells, left)
        return self

    def _check_holes(self, cells: Collection[Cell], left: int) -> None:
        """Raises ValueError for a hole beside the board, or more than the cells `left` over."""
        for hole in self.holes:
            if hole not in cells:
                raise ValueError(f"holes: the board has no cell {hole}")
        if len(set(self.holes)) < len(self.holes):
            raise ValueError("holes: a cell occurs twice")
        if len(self.holes) > left:
            raise ValueError(
                f"holes: expected at most {left}, the number of cells that are left over; got "
                f"{len(self.holes)}"
            )

    def _check_area(self, cells: Mapping[Cell, str], covered: int) -> None:
        """Raises ValueError if no selection of the pieces covers this number of cells."""
        factor = gcd(*map(self._size, self.cut.values()))
        if covered % factor:
            left = self._number_left() + covered % factor
            remedy = "" if self.letters else f"; write left_over={left}, or choose another board"
            raise ValueError(
                f"pieces: {plural(covered, 'cell')} to be covered, but every piece has {factor}, "
                f"or a multiple of it{remedy}"
            )
        if set(cells.values()) == {ANY_COLOUR} and self._area() < covered:
            raise ValueError(
                f"pieces: they have {plural(self._area(), 'cell')} together, but {covered} must "
                f"be covered; on a board without "
                "colours each is used at most once; draw one with colours, as board='box 3x4x4' "
                "does"
            )

    def _check_letters(self, word: str) -> None:
        if self.solutions > 1:
            raise ValueError(
                "letters: the word is the answer of a puzzle with one solution; remove `solutions`"
            )
        if not word.isalnum():
            raise ValueError("letters: expected a word of letters and digits, without blanks")
        if any(self._size(piece) == 1 for piece in self.cut.values()):
            raise ValueError(
                "letters: the letters below pieces of one cell belong to the answer as well; "
                "remove these pieces"
            )
        if self.left_over not in (None, len(word)):
            raise ValueError(
                f"letters: a word of {plural(len(word), 'letter')}, but left_over is "
                f"{self.left_over}"
            )
        if not self.flat and self._number_left() != len(word):
            verb = "is" if self._number_left() == 1 else "are"
            left = f"{plural(self._number_left(), 'cell')} of the board {verb} left over"
            raise ValueError(
                f"letters: a word of {plural(len(word), 'letter')}, but {left}; remove the entry "
                f"board"
            )

    @cached_property
    def cut(self) -> dict[str, Piece]:
        """The pieces."""
        if self.pieces is not None:
            return self.pieces
        enough = [most for most in STRIPS if self._requested_free_cells() <= most]
        strips = STRIPS[min(enough, default=max(STRIPS))].split()
        return {
            name: Piece(shape=strip) for name, strip in zip(ascii_uppercase, strips, strict=False)
        }

    def _requested_free_cells(self) -> int:
        """The requested number of free cells, at least 1."""
        if self.left_over is not None:
            return self.left_over
        return max(1, len(self.letters or self.holes))

    @property
    def flat(self) -> bool:
        """Whether no piece has colours."""
        plain = set("#. \n")
        if self._polygons and kind(self._polygons) == "triangles":
            plain |= set("^v")
        return all(plain.issuperset(piece.shape) for piece in self.cut.values())

    @cached_property
    def _polygons(self) -> Board | None:
        """The board, if it has a name or its drawing states its kind."""
        return None if self.board is None else surface(self.board)

    @staticmethod
    def _size(piece: Piece) -> int:
        return len(piece.shape) - sum(map(piece.shape.count, ". \n"))

    def _area(self) -> int:
        return sum(map(self._size, self.cut.values()))

    def _outline(self) -> str:
        """The board; without colours if pieces have some."""
        if self.board is not None and (self.flat or self._polygons):
            return self.board
        if self.board is not None:
            return blank_drawing("\n".join(row.strip() for row in self.board.splitlines()))
        if self.flat:
            return roughly_square(DEFAULT_CELLS)
        return roughly_square(self._area() + self._requested_free_cells())

    def _number_left(self) -> int:
        """The number of cells that are left over. If pieces have colours, all are used; otherwise a
        selection is."""
        if self.left_over is not None:
            return self.left_over
        if self.flat:
            return len(self.letters or self.holes)
        return max(0, self._outline().count(ANY_COLOUR) - self._area())

    def blank(self) -> Tiling:
        """The puzzle with a board without colours if the pieces have some. If they have none, any
        may be used."""
        entries: dict[str, Any] = {
            "uses": "any" if self.flat else 1,
            "left_over": self._number_left() or None,
        }
        if "turning_over" in self.model_fields_set:
            entries["turning_over"] = self.turning_over
        return Tiling.model_validate(
            {**entries, "board": self._outline(), "pieces": self.cut, "turning": self.turning}
        )

    def build_generator(self) -> Generator:
        blank = self.blank()
        if self.letters and self.flat and len(list(blank.symmetries())) > 1:
            raise InputError(
                "letters: turned or mirrored solutions leave different letters free; "
                "draw a board without symmetry, or pieces with colours"
            )
        if not self.flat:
            colours = Colours(blank, self.holes, self.letters or "")
            return CounterexampleGuidedGenerator(colours, self.solutions)
        has_colours = set(blank.cells.values()) != {ANY_COLOUR}
        needs_all = self._area() == len(blank.cells) - self._number_left()
        if needs_all and not has_colours:
            self._check_only_selection(blank)
        selection = Selection(blank, self.holes, self.letters or "")
        return CounterexampleGuidedGenerator(selection, self.solutions)

    def _check_only_selection(self, blank: Tiling) -> None:
        """Raises InputError if all pieces together, the only selection, fit on a board without
        colours in too many ways."""
        whole = Tiling.model_validate({**blank.model_dump(), "uses": 1})
        search = Enumeration[Solution](
            whole, limit=self.solutions + 1, up_to="reflection", timeout=MAX_CHECK_S
        )
        if len(list(search)) > self.solutions:
            more = f"more than {plural(self.solutions, 'way')}"
            raise InputError(
                f"pieces: the board needs all of them, and they fit in {more}; draw a smaller "
                f"board, or one with colours"
            )


def roughly_square(number: int) -> str:
    """A drawn board with this number of cells. The lower right corner may be cut off.

    >>> print(roughly_square(11))
    ####
    ####
    ###.
    """
    shapes = [(rows, ceil(number / rows)) for rows in range(1, isqrt(number) + 1)]

    def measure_badness(shape: tuple[int, int]) -> int:
        rows, columns = shape
        return columns - rows + 2 * (rows * columns - number)

    rows, columns = min(shapes, key=measure_badness)
    characters = ANY_COLOUR * number + "." * (rows * columns - number)
    return "\n".join(characters[row * columns : (row + 1) * columns] for row in range(rows))


def title_of(puzzle: Tiling) -> str:
    """What is laid where, such as '12 pentominoes on 6×10'."""
    what = f"{len(puzzle.pieces)} {_name_pieces(puzzle)}"
    if puzzle.surface:
        first, *drawn = puzzle.board.strip().splitlines()
        return f"{what} on {first}" if drawn else f"{what} on a board, {first}"
    axes = range(-puzzle.dimension, 0)
    where = "×".join(str(1 + max(cell[axis] for cell in puzzle.cells)) for axis in axes)
    return f"{what} in a box of {where}" if puzzle.dimension == 3 else f"{what} on {where}"


def _name_pieces(puzzle: Tiling) -> str:
    """The noun for the pieces: the name of their set, strips, or pieces."""
    sizes = set(map(len, puzzle.drawn.values()))
    several = len(puzzle.pieces) > 1
    if puzzle.surface is None and len(sizes) == 1 and several:
        for name, of_set in SETS.items():
            if of_set == (puzzle.dimension, min(sizes)):
                return name
    are_strips = puzzle.surface is None and min(sizes) > 1
    for cells in puzzle.drawn.values():
        rows = {cell[:-1] for cell in cells}
        are_strips = are_strips and len(rows) == 1
    noun = "strip" if are_strips else "piece"
    return f"{noun}s" if several else noun


def blank_drawing(drawing: str) -> str:
    """The drawing with the character for no colour on each cell."""
    return "".join(mark if mark in (NO_CELL, "\n") else ANY_COLOUR for mark in drawing)


def paint(drawing: str, colours: Iterable[str]) -> str:
    """The drawing with these colours in place of the cells without one, in order."""
    shades = iter(colours)
    return "".join(next(shades) if character == ANY_COLOUR else character for character in drawing)


class Tiled(PuzzleSpace):
    """The common part: a proposal is a tiling of the board without colours."""

    def __init__(self, blank: Tiling, holes: Collection[Cell], word: str) -> None:
        self.blank = blank
        self.word = word
        self.proposals = formula = blank.encode()
        places = formula.families["place"].items()
        self.placed = {Placement(*key): x for key, x in places}  # type: ignore[arg-type]
        self.blank_group = Group.of(formula, blank.symmetries())
        self.holes = holes
        with formula.rule("these cells are left over"):
            for hole in holes:
                formula.clause([formula.families["left"](hole)])
        top = formula.top
        self.add_data()
        self.data = range(top + 1, formula.top + 1)

    @abstractmethod
    def add_data(self) -> None:
        """Add the variables of the data to the formula, and the constraints that link them with the
        tiling."""

    def placements(self, model: Model) -> list[Placement]:
        """The tiling of a proposal."""
        return [placement for placement, literal in self.placed.items() if literal in model]

    def letter_cells(self, model: Model, rng: random.Random) -> dict[str, str]:
        """The entry `letters`: the free cells, as many as the word has letters, spell the word in
        order, and the others have random letters."""
        if not self.word:
            return {}
        covered: set[Cell] = set()
        for placement in self.placements(model):
            covered.update(placement.cells)
        # The letters of the word are more frequent among the random ones, so that frequency does
        # not give the word away.
        alphabet = self.word
        if self.word.isascii() and self.word.isupper():
            alphabet += ascii_uppercase
        elif self.word.isascii() and self.word.islower():
            alphabet += ascii_lowercase
        rest_of_word = iter(self.word)
        letters = []
        for cell in self.blank.cells:
            letters.append(rng.choice(alphabet) if cell in covered else next(rest_of_word))
        return {"letters": paint(blank_drawing(self.blank.board), letters)}

    def finish(self, model: Model, rng: random.Random, **entries: Any) -> Tiling:
        """The puzzle with these entries instead of those of the blank one, with its letters and its
        title."""
        data = self.blank.model_dump(exclude_defaults=True)
        data |= self.letter_cells(model, rng)
        data |= entries
        puzzle = Tiling.model_validate(data)
        title = title_of(puzzle)
        if self.word:
            title = f"{_name_pieces(puzzle).capitalize()} with a hidden word"
        return puzzle.model_copy(update={"title": title})

    def confirm(self, known: Known, solution: Solution) -> None:
        answer = solution.puzzle.answer(solution.placements)
        if self.word and (known.solutions, answer) != (1, self.word):
            raise CheckError(
                f"{known.solutions} solutions, and the free cells spell {answer!r}, not "
                f"{self.word!r}. This is a bug"
            )


class Colours(Tiled):
    """The colours of the board's cells."""

    advice = "pieces in more colours fit in fewer ways"

    def add_data(self) -> None:
        colours: set[str] = set()
        for cells in self.blank.drawn.values():
            colours.update(cells.values())
        colours.discard(ANY_COLOUR)
        with self.proposals.rule("a cell has the colour that lies on it"):
            self.colour = {}
            for cell in self.blank.cells:
                self.colour[cell] = self.proposals.choice(
                    "colour", sorted(colours), decision=False, cell=cell
                )
            for placement, literal in self.placed.items():
                for shown in self._shown_colours(placement):
                    self.proposals.implies(literal, shown)

    def _shown_colours(self, placement: Placement) -> list[int]:
        shades = self.blank.drawn[placement.piece].values()
        shown = []
        for cell, shade in zip(placement.cells, shades, strict=True):
            if shade != ANY_COLOUR:
                shown.append(self.colour[cell](shade))
        return shown

    def exclude(
        self, model: Model, puzzle: Puzzle, other: Sequence[Placement], new: Callable[[], int]
    ) -> Iterator[Constraint]:
        literals = []
        for placement in other:
            literals += [-shown for shown in self._shown_colours(placement)]
        yield Clause(tuple(literals))

    def puzzle(self, model: Model, rng: random.Random) -> tuple[Tiling, list[Placement]]:
        shades = []
        for choice in self.colour.values():
            chosen = [value for value, literal in choice.literals.items() if literal in model]
            shades.append(str(chosen[0]))
        puzzle = self.finish(model, rng, board=paint(self.blank.board, shades))
        return puzzle, self.placements(model)


class Look(NamedTuple):
    """A piece and its colours, in the same order for all ways in which it can lie on equal
    cells."""

    piece: str
    colours: tuple[str, ...]


class Selection(Tiled):
    """The pieces that are used: no two are equal. On a board with colours, each has those of the
    cells that it covers."""

    advice = "pieces fit in fewer ways on a smaller board, or on one with colours"
    patience = 40

    def __init__(self, blank: Tiling, holes: Collection[Cell], word: str) -> None:
        super().__init__(blank, holes, word)
        if blank.left_over:
            self.patience = FEW_SELECTIONS  # then the board is narrowed

    def add_data(self) -> None:
        """A variable `there` for each look: some placement with this look is in the tiling."""
        self.look: dict[Placement, Look] = {}
        self.alike: dict[Look, list[int]] = {}  # the placements with the same look
        for placement, literal in self.placed.items():
            colours = [self.blank.cells[cell] for cell in placement.cells]
            # A piece may lie on its cells in several orders; the least colours stand for all.
            orders = self._orders[placement.piece]
            least = min(tuple(colours[i] for i in order) for order in orders)
            look = Look(placement.piece, least)
            self.look[placement] = look
            self.alike.setdefault(look, []).append(literal)

        self.there = self.proposals.variables("there", Look._fields, self.alike, decision=False)
        with self.proposals.rule("no two pieces of the tiling look alike"):
            for look, literals in self.alike.items():
                there = self.there(*look)
                self.proposals.at_most_one(literals)
                self.proposals.implies(there, *literals)  # one of them
                for literal in literals:
                    self.proposals.implies(literal, there)

    @cached_property
    def _orders(self) -> dict[str, list[list[int]]]:
        """For each piece the orders of its cells when it lies on the same cells in all possible
        ways."""
        lattice = self.blank.lattice_board.lattice
        motions = lattice.allowed_motions(
            turning=self.blank.turning, turning_over=self.blank.turning_over
        )
        orders: dict[str, list[list[int]]] = {}
        for name, cells in self.blank.located.items():
            number = {cell: i for i, cell in enumerate(lattice.at_origin(cells))}
            orders[name] = []
            for motion in motions:
                moved = lattice.at_origin(motion.images(cells))
                if number.keys() == set(moved):
                    orders[name].append([number[cell] for cell in moved])
        return orders

    def narrow(self, model: Model) -> tuple[Selection, str] | None:
        """The board without the cells that the model leaves over, if there are some. Otherwise the
        pieces may be cut in many ways, so one with few solutions may come later."""
        free = set(self.blank.cells)
        for placement in self.placements(model):
            free.difference_update(placement.cells)
        if not free:
            return None
        if self.holes or self.word or self.blank.surface is not None:
            raise Stopped(
                f"the pieces of each of {self.patience} selections fit in more than "
                f"{MAX_COUNTED} ways; draw a smaller board, or one with colours"
            )
        marks = [NO_CELL if cell in free else shade for cell, shade in self.blank.cells.items()]
        data = self.blank.model_dump(exclude_defaults=True)
        data |= {"board": paint(blank_drawing(self.blank.board), marks), "left_over": None}
        note = f"the board lacks {plural(len(free), 'cell')}, because pieces that leave any "
        note += "of its cells over fit in many ways"
        return Selection(Tiling.model_validate(data), (), ""), note

    def draw_near(self, drawn: Sequence[int], model: Model, rng: random.Random) -> list[int]:
        lying = [literal for literal in self.placed.values() if literal in model]
        return rng.sample(lying, max(0, len(lying) - EXCHANGED_PIECES)) + self.draw(rng)

    def exclude(
        self, model: Model, puzzle: Puzzle, other: Sequence[Placement], new: Callable[[], int]
    ) -> Iterator[Constraint]:
        looks = [self.look[placement] for placement in self.placements(model)]
        yield Clause(tuple(-self.there(*look) for look in looks))

    def puzzle(self, model: Model, rng: random.Random) -> tuple[Tiling, list[Placement]]:
        placements = self.placements(model)
        names = [placement.piece for placement in placements]
        if set(self.blank.cells.values()) != {ANY_COLOUR}:
            # a shape may occur several times, in other colours
            letters: Sequence[str] = ascii_uppercase
            if len(names) > len(letters):
                letters = [f"P{i}" for i in range(1, len(names) + 1)]
            names = rng.sample(letters[: len(names)], len(names))

        shapes = {}
        for name, placement in zip(names, placements, strict=True):
            shape = self.blank.pieces[placement.piece].shape
            shapes[name] = paint(shape, self.look[placement].colours)
        pieces = {name: shapes[name] for name in sorted(shapes)}
        puzzle = self.finish(model, rng, pieces=pieces, uses=1)

        candidate_of = {}
        for candidate in puzzle.candidates:
            candidate_of[candidate.piece, frozenset(candidate.cells)] = candidate
        solution = []
        for name, placement in zip(names, placements, strict=True):
            solution.append(candidate_of[name, frozenset(placement.cells)])
        return puzzle, solution
