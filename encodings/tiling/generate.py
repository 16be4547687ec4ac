"""Options for generating tilings of a board: the colours of its cells, or a selection of pieces.

If pieces have colours, the colours of the board's cells are the data, and a counterexample is another way to place the pieces
on them. If they have none, the data are a selection of pieces, each used once, and a counterexample places them in another way.
The letters are drawn last: those of the cells that are left over spell the word, and the others are random.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from math import ceil, isqrt
from string import ascii_lowercase, ascii_uppercase
from typing import Annotated, Any, ClassVar

from jigsat.encodings.tiling.data import BoardEntry, Piece, Placement, surface
from jigsat.encodings.tiling.rules import Tiling
from pydantic import Field, PositiveInt, model_validator

from jigsat.boards import Board
from jigsat.boards.lattice import Cell
from jigsat.boards.lattice_board import kind
from jigsat.errors import CheckError, InputError, plural
from jigsat.formula import Clause, Constraint
from jigsat.generation.counterexamples import CounterexampleGuidedGenerator, PuzzleSpace
from jigsat.generation.generator import Generator, GeneratorOptions
from jigsat.pieces.cells import ANY_COLOUR
from jigsat.puzzle import Known, Puzzle, Solution
from jigsat.symmetry import Model

STRIPS = {
    1: "www wwb wbw wbb bwb bbb ww wb bb",
    5: "bwo wob obw bbw wwo oob bw wo ob",
    100: "bwo wos osb sbw bob wsw bw wo os sb",
}
"""The default pieces, by the largest number of free cells for which they are used. With two colours and several free cells,
hardly any board has only one solution, so orange (o) and sky blue (s) are used as well."""


class Options(GeneratorOptions):
    """A board, of which only the shape matters, and pieces, by default strips in two to four colours.

    `left_over` is the number of cells that are left over, and `holes` are some of them, counted from 0. With `letters`, the
    board has letters, and those of the cells that are left over spell this word, row by row. By default the board is roughly
    square and has one cell more than the pieces, or as many more as there are holes or letters.
    """

    secret: ClassVar[frozenset[str]] = frozenset({"holes", "letters"})

    board: BoardEntry | None = None
    pieces: Annotated[dict[str, Piece], Field(min_length=1)] | None = None
    left_over: Annotated[int, Field(ge=0, le=10_000)] | None = None
    holes: Annotated[tuple[tuple[int, ...], ...], Field(max_length=max(STRIPS))] = ()
    letters: Annotated[str, Field(max_length=max(STRIPS))] | None = None
    turning: bool = True
    turning_over: bool = True
    solutions: PositiveInt = 1

    @model_validator(mode="after")
    def _consistent(self) -> Options:
        if self._polygons and not self.flat:
            raise ValueError("board: pieces with colours need a drawn board of squares or cubes, without a line with its kind")
        if self._polygons and self.letters is not None:
            raise ValueError("letters: draw a board of squares or cubes, without a line with its kind")
        if self.letters is not None:
            self._check_letters(self.letters)
        cells, left = self.blank().cells, self._number_left()
        for hole in self.holes:
            if hole not in cells:
                raise ValueError(f"holes: the board has no cell {hole}")
        if len(set(self.holes)) < len(self.holes):
            raise ValueError("holes: a cell occurs twice")
        if len(self.holes) > left:
            raise ValueError(f"holes: expected at most {left}, the number of cells that are left over; got {len(self.holes)}")
        return self

    def _check_letters(self, word: str) -> None:
        if self.solutions > 1:
            raise ValueError("letters: the word is the answer of a puzzle with one solution; remove `solutions`")
        if not word.isalnum():
            raise ValueError("letters: expected a word of letters and digits, without blanks")
        if any(self._size(piece) == 1 for piece in self.cut.values()):
            raise ValueError("letters: the letters below pieces of one cell belong to the answer as well; remove these pieces")
        if self.left_over not in (None, len(word)):
            raise ValueError(f"letters: a word of {plural(len(word), 'letter')}, but left_over is {self.left_over}")
        if not self.flat and self._number_left() != len(word):
            left = f"{plural(self._number_left(), 'cell')} of the board {'is' if self._number_left() == 1 else 'are'} left over"
            raise ValueError(f"letters: a word of {plural(len(word), 'letter')}, but {left}; remove the entry board")

    @cached_property
    def cut(self) -> dict[str, Piece]:
        """The pieces."""
        if self.pieces is not None:
            return self.pieces
        most = next((most for most in STRIPS if self._requested_free_cells() <= most), max(STRIPS))
        return {strip: Piece(shape=strip) for strip in STRIPS[most].split()}

    def _requested_free_cells(self) -> int:
        """The requested number of free cells, at least 1."""
        return self.left_over if self.left_over is not None else len(self.letters or self.holes) or 1

    @property
    def flat(self) -> bool:
        """Whether no piece has colours."""
        plain = {*"#. \n"} | ({*"^v"} if self._polygons and kind(self._polygons) == "triangles" else set())
        return not any(set(piece.shape) - plain for piece in self.cut.values())

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
        """The board without colours."""
        if self._polygons and self.board is not None:
            return self.board
        if self.board is not None:
            return "".join(c if c in ".\n" else ANY_COLOUR for c in "\n".join(row.strip() for row in self.board.splitlines()))
        return roughly_square(25 if self.flat else self._area() + self._requested_free_cells())

    def _number_left(self) -> int:
        """The number of cells that are left over. If pieces have colours, all are used; otherwise a selection is."""
        if self.left_over is not None:
            return self.left_over
        if self.flat:
            return len(self.letters or self.holes)
        return max(0, self._outline().count(ANY_COLOUR) - self._area())

    def blank(self) -> Tiling:
        """The puzzle on a board without colours. If the pieces have no colours either, they may be left over."""
        word = f"; the free cells spell a word of {plural(len(self.letters), 'letter')}" if self.letters else ""
        entries: dict[str, Any] = {
            "board": self._outline(),
            "pieces": self.cut,
            "uses": (0, 1) if self.flat else (1, 1),
        }
        if "turning_over" in self.model_fields_set:
            entries["turning_over"] = self.turning_over
        blank = Tiling.model_validate({**entries, "turning": self.turning, "left_over": self._number_left() or None})
        return blank.model_copy(update={"title": f"{self._title(blank)}{word}"})

    def _title(self, blank: Tiling) -> str:
        """What is laid where, such as '12 pentominoes on a board of 6×10'."""
        names = {2: ("tromino", "tetromino", "pentomino"), 3: ("tricube", "tetracube", "pentacube")}
        sizes, axes = set(map(len, blank.drawn.values())), range(-blank.dimension, 0)
        known = len(sizes) == 1 and blank.surface is None and 3 <= min(sizes) <= 5
        what = names[blank.dimension][min(sizes) - 3] if known else "piece"
        what = f"{what}{'es' if what.endswith('o') else 's'}"
        lengths = "×".join(str(1 + max(cell[axis] for cell in blank.cells)) for axis in axes)
        where = blank.board.splitlines()[0] if blank.surface else lengths
        what = what.capitalize() if self.flat else f"{len(blank.pieces)} {what}"
        return f"{what} {'in a box' if blank.dimension == 3 else 'on a board'} of {where}"

    def build_generator(self) -> Generator:
        blank = self.blank()
        if self.letters and self.flat and len(list(blank.symmetries())) > 1:
            raise InputError(
                "letters: turned or mirrored solutions leave different letters free; "
                "draw a board without symmetry, or pieces with colours"
            )
        return CounterexampleGuidedGenerator(
            (Selection if self.flat else Colours)(blank, self.holes, self.letters or ""), self.solutions
        )


def roughly_square(number: int) -> str:
    """A drawn board with this number of cells. The lower right corner may be cut off.

    >>> print(roughly_square(11))
    ####
    ####
    ###.
    """
    shapes = [(rows, ceil(number / rows)) for rows in range(1, isqrt(number) + 1)]
    rows, columns = min(shapes, key=lambda shape: shape[1] - shape[0] + 2 * (shape[0] * shape[1] - number))
    drawn = ANY_COLOUR * number + "." * (rows * columns - number)
    return "\n".join(drawn[row * columns : (row + 1) * columns] for row in range(rows))


class Tiled(PuzzleSpace):
    """The common part: a proposal is a tiling of the board without colours."""

    def __init__(self, blank: Tiling, holes: Collection[Cell], word: str) -> None:
        self.blank = blank
        self.word = word
        self.proposals = formula = blank.encode()
        self.placed = {Placement(*key): x for key, x in formula.families["place"].items()}  # type: ignore[arg-type]
        with formula.group("these cells are left over"):
            for hole in holes:
                formula.clause([formula.families["left"](hole)])
        top = formula.top
        self.add_data()
        self.data = range(top + 1, formula.top + 1)

    @abstractmethod
    def add_data(self) -> None:
        """Add the variables of the data to the formula, and the constraints that link them with the tiling."""

    def placements(self, model: Model) -> list[Placement]:
        """The tiling of a proposal."""
        return [placement for placement, literal in self.placed.items() if literal in model]

    def letter_cells(self, model: Model, rng: random.Random) -> dict[str, str]:
        """The entry `letters`: the free cells spell the word in order, and the others have random letters."""
        if not self.word:
            return {}
        covered = {cell for placement in self.placements(model) for cell in placement.cells}
        letters = random_letters(self.word, rng)
        word = iter(self.word)
        drawn = {cell: next(letters if cell in covered else word) for cell in self.blank.cells}
        shown = iter(drawn.values())
        return {"letters": "".join(next(shown) if character == ANY_COLOUR else character for character in self.blank.board)}

    def confirm(self, known: Known, solution: Solution) -> None:
        answer = solution.puzzle.answer(solution.placements)
        if self.word and (known.solutions, answer) != (1, self.word):
            raise CheckError(
                f"{known.solutions} solutions, and the free cells spell {answer!r}, not {self.word!r}. This is a bug"
            )


def random_letters(word: str, rng: random.Random) -> Iterator[str]:
    """Letters that do not give the word away: of its alphabet if that is known, and its own letters more often than others."""
    capitals, small = word.isascii() and word.isupper(), word.isascii() and word.islower()
    alphabet = word + (ascii_uppercase if capitals else ascii_lowercase if small else "")
    while True:
        yield rng.choice(alphabet)


class Colours(Tiled):
    """The colours of the board's cells."""

    def add_data(self) -> None:
        colours = sorted({shade for drawn in self.blank.drawn.values() for shade in drawn.values()} - {ANY_COLOUR})
        with self.proposals.group("a cell has the colour that lies on it"):
            self.colour = {
                cell: self.proposals.choice("colour", colours, decision=False, cell=cell) for cell in self.blank.cells
            }
            for placement, literal in self.placed.items():
                for shown in self._shown_colours(placement):
                    self.proposals.implies(literal, shown)

    def _shown_colours(self, placement: Placement) -> list[int]:
        shades = self.blank.drawn[placement.piece].values()
        return [self.colour[cell](s) for cell, s in zip(placement.cells, shades, strict=True) if s != ANY_COLOUR]

    def exclude(self, model: Model, puzzle: Puzzle, other: Sequence[Placement], new: Callable[[], int]) -> Iterator[Constraint]:
        yield Clause(tuple(-shown for placement in other for shown in self._shown_colours(placement)))

    def puzzle(self, model: Model, rng: random.Random) -> tuple[Tiling, list[Placement]]:
        shades = (next(str(c) for c, x in choice.literals.items() if x in model) for choice in self.colour.values())
        board = "".join(next(shades) if character == ANY_COLOUR else character for character in self.blank.board)
        changed = {"board": board, **self.letter_cells(model, rng)}
        return Tiling.model_validate({**self.blank.model_dump(exclude_defaults=True), **changed}), self.placements(model)


class Selection(Tiled):
    """The pieces that are used."""

    def add_data(self) -> None:
        with self.proposals.group("the pieces on the board are selected"):
            for kind in self.blank.kinds:
                there = self.proposals.variables("there", ("piece",), [(kind.name,)], decision=False)(kind.name)
                its = [literal for placement, literal in self.placed.items() if placement.piece == kind.name]
                for literal in its:
                    self.proposals.implies(literal, there)
                self.proposals.implies(there, *its)

    def exclude(self, model: Model, puzzle: Puzzle, other: Sequence[Placement], new: Callable[[], int]) -> Iterator[Constraint]:
        there = self.proposals.families["there"]
        yield Clause(tuple(sorted({-there(placement.piece) for placement in other})))

    def puzzle(self, model: Model, rng: random.Random) -> tuple[Tiling, list[Placement]]:
        placements = self.placements(model)
        pieces = {name: piece for name, piece in self.blank.pieces.items() if any(name == one.piece for one in placements)}
        changed = {"pieces": pieces, "uses": (1, 1), **self.letter_cells(model, rng)}
        return Tiling.model_validate({**self.blank.model_dump(exclude_defaults=True), **changed}), placements
