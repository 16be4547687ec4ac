"""Layers of clues: what an instance file gives, as entries of a family.

A layer maps the places of its clues to their values. It knows how it is read and written, how a
clue is called, how it is drawn, and what it means as cells, so that a motion of the grid can act
on it. A clue is stored by the cells that it is about, never as a sign: no sign has to be turned.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import count, product
from string import ascii_uppercase
from typing import Any, ClassVar, Generic, Self, TypeVar

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from jigsat.formula import Thing
from jigsat.kit.grid import Cell, Motion
from jigsat.kit.picture import GridPicture, Point, centre
from jigsat.kit.reading import (
    BLACKS,
    NONE,
    UNKNOWN,
    Size,
    draw_blank,
    draw_full,
    draw_rows,
    is_blank,
    list_drawn,
    measure_rows,
    read_number,
    read_rows,
    wrong_word,
)
from jigsat.kit.typed import TypedText
from jigsat.words import name_place, plural

OTHER_SIGNS = {"○": "oO⚪◯", "●": "*#@xX⚫", "♣": "🌲🌳*"}
"""What people also write for signs that are drawn."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

DRAWING = core_schema.union_schema(
    [core_schema.str_schema(), core_schema.list_schema(core_schema.str_schema())]
)
"""The schema of an entry that is drawn."""


class Clues(Mapping[K, V], ABC, Generic[K, V]):
    """Clues with known values by their places; `unknown` are the places where ? is written."""

    noun: ClassVar[str] = "number"
    """What a clue is called; `name` adds its place."""
    written_as: ClassVar[CoreSchema] = DRAWING
    """The type of the entry in a file."""
    clue_by_clue: ClassVar[bool] = True
    """Whether each clue says something by itself, in a rule of its own."""
    drawn: ClassVar[bool] = False
    """Whether the entry is a drawn grid, which a typed text has as a drawing of its own."""
    optional: ClassVar[bool] = False
    """Whether a typed text may leave out the drawing if it is empty."""
    between: ClassVar[bool] = False
    """Whether the clues stand between the cells of another drawing in a typed text."""
    headings: ClassVar[Sequence[str]] = ()
    """The lists of a typed text that have the clues."""
    margin: ClassVar[int] = 0
    """The number of rows and columns that are drawn before those of the grid."""

    def __init__(self, values: Mapping[K, V], unknown: Iterable[K] = ()) -> None:
        self._values = dict(values)
        self.unknown = tuple(unknown)

    def __getitem__(self, place: K) -> V:
        return self._values[place]

    def __iter__(self) -> Iterator[K]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return (
            type(self) is type(other) and isinstance(other, Clues) and self.write() == other.write()
        )

    def __hash__(self) -> int:
        return hash(repr(self.write()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}.read({self.write()!r})"

    @property
    def places(self) -> list[K]:
        """The places of all clues, also of those whose value is unknown."""
        return [*self._values, *self.unknown]

    @property
    def size(self) -> Size | None:
        """Height and width of the grid, if this layer shows it."""
        return None

    @classmethod
    @abstractmethod
    def read(cls, data: Any) -> Self:
        """The layer from an entry of a file. Raises ValueError, which says what to write."""

    @classmethod
    @abstractmethod
    def read_typed(cls, typed: TypedText) -> Self:
        """The layer from a text that somebody typed from print. Raises ValueError, which names the
        line if it can."""

    @abstractmethod
    def write(self) -> Any:
        """The entry as it is read."""

    @abstractmethod
    def with_values(self, values: Mapping[K, V]) -> Self:
        """The same layer with these clues only."""

    @abstractmethod
    def meaning(self, motion: Motion) -> Hashable:
        """What the clues say after a motion, as cells and numbers: equal for two motions if and
        only if the clues then say the same."""

    @abstractmethod
    def draw(self, picture: GridPicture) -> None:
        """Draw the clues."""

    def thing(self, place: K) -> Thing:
        """What a clue is about, such as `Thing("number", (0, 1))`."""
        return Thing(self.noun, place)

    def describe_value(self, value: V) -> str:
        """What a clue says, as sentences write it."""
        return str(value)

    def find_contradiction(self, size: Size) -> str:
        """Why the clues cannot all be right in a grid of this size, whatever the rules are; '' if
        they may be."""
        return ""

    def list_changes(self) -> Iterator[tuple[str, Self]]:
        """The layer with a single change that somebody may have made in copying, in words, such as
        'tree r2c3 left out': changes of what is no clue that could be left out."""
        yield from ()

    def say(self, place: K) -> str:
        """What the clue at a place says, as sentences write it."""
        return self.describe_value(self[place])

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def read(data: Any) -> Any:
            return data if isinstance(data, cls) else cls.read(data)

        return core_schema.no_info_plain_validator_function(
            read,
            json_schema_input_schema=cls.written_as,
            serialization=core_schema.plain_serializer_function_ser_schema(cls.write),
        )


class SizedClues(Clues[K, V]):
    """Clues of an entry that shows the size of the grid."""

    drawn = True

    def __init__(self, size: Size, values: Mapping[K, V], unknown: Iterable[K] = ()) -> None:
        super().__init__(values, unknown)
        self._size = size

    @property
    def size(self) -> Size:
        return self._size

    @classmethod
    def read_typed(cls, typed: TypedText) -> Self:
        return typed.read_drawing(cls.read)

    @classmethod
    def draft(cls, height: int, width: int) -> Any:
        """The entry of a new puzzle of this size, to which everything is still to be added."""
        return draw_blank(height, width)

    def require_size(self, stated: Size | None) -> None:
        """Raise ValueError for a typed text that states another size. Some people write the width
        first, and some count the margin."""
        if stated is None:
            return
        height, width = self._size
        with_margin = height + self.margin, width + self.margin
        for size in ((height, width), with_margin):
            if size in (stated, stated[::-1]):
                return
        raise ValueError(
            f"the title says {stated[0]}×{stated[1]}, but {plural(height, 'row')} of "
            f"{plural(width, 'cell')} were read; correct one of them"
        )

    def require_drawing(self) -> None:
        """Raise ValueError for a pasted text that can be read, but that nobody draws."""


class CellNumbers(SizedClues[Cell, int]):
    """A number in some cells, drawn as rows: a number, ? for an unknown one, and a dot for none.

    A family may derive a class whose `letters` stand for numbers.
    """

    letters: ClassVar[Mapping[str, int]] = {}
    blanks: ClassVar[Collection[str]] = ()
    """What is also typed for an empty cell."""
    least: ClassVar[int] = 0
    """The least number that there may be. If it is 1, 0 stands for an empty cell."""

    @classmethod
    def read(cls, data: Any) -> Self:
        rows = read_rows(data)
        values = {}
        unknown = []
        for place, word in list_drawn(rows).items():
            if word in cls.blanks:
                continue
            if word == UNKNOWN:
                unknown.append(place)
                continue
            number = cls.letters[word] if word in cls.letters else read_number(word, place)
            if number >= cls.least:
                values[place] = number
        return cls(measure_rows(rows), values, unknown)

    def write(self) -> str:
        words = {place: self.word(place) for place in self.places}
        return draw_rows(words, *self._size)

    def word(self, place: Cell) -> str:
        """What is written at the place of a clue."""
        return str(self[place]) if place in self else UNKNOWN

    def with_values(self, values: Mapping[Cell, int]) -> Self:
        return type(self)(self._size, values)

    def meaning(self, motion: Motion) -> Hashable:
        return frozenset((self.move(place, motion), self.get(place)) for place in self.places)

    def move(self, place: Cell, motion: Motion) -> Cell:
        """The image of a place."""
        return motion.cell(place)

    def list_other_numbers(self, numbers: Iterable[int]) -> Iterator[tuple[str, Self]]:
        """The layer with another one of some numbers in a cell."""
        for (place, value), number in product(self.items(), numbers):
            if number != value:
                changed = self.with_values({**self, place: number})
                changed.unknown = self.unknown
                yield f"{self.thing(place)}: {number} instead of {value}", changed

    def list_moves(self) -> Iterator[tuple[str, Self]]:
        """The layer with one of its numbers in an empty place beside its own."""
        for place, value in self.items():
            others = {other: self[other] for other in self if other != place}
            for free in list_free_beside(place, self.places, self._size):
                moved = type(self)(self._size, {**others, free: value}, self.unknown)
                yield f"{self.thing(free)} instead of {self.thing(place)}", moved

    def draw(self, picture: GridPicture) -> None:
        for place in self.places:
            picture.word(self.point(place), self.word(place))

    def point(self, place: Cell) -> Point:
        """Where a clue is drawn."""
        return centre(place)


def list_free_beside(place: Cell, taken: Collection[Cell], size: Size) -> list[Cell]:
    """The cells beside a cell, or at a corner of it, that are not taken.

    >>> list_free_beside((0, 0), {(0, 0), (0, 1)}, (2, 3))
    [(1, 0), (1, 1)]
    """
    row, column = place
    around = product((row - 1, row, row + 1), (column - 1, column, column + 1))
    inside = set(product(range(size[0]), range(size[1])))
    return [cell for cell in around if cell in inside and cell not in taken]


class PositiveNumbers(CellNumbers):
    """Numbers of which none is 0: where 0 is drawn, there is none."""

    least = 1


class Givens(PositiveNumbers):
    """Positive numbers of the answer. There may be none, and then a typed text needs no drawing of
    them."""

    optional = True


class PlacedNumbers(CellNumbers):
    """Numbers whose places are a part of the puzzle. In a typed text, 0 stands for an empty cell if
    nothing else does."""

    @classmethod
    def read_typed(cls, typed: TypedText) -> Self:
        return typed.read_drawing(lambda rows: cls.read(blank_zeros(rows)))


class Islands(PlacedNumbers):
    """Circled numbers in cells that are a part of the puzzle: if a number is taken away, ?
    remains."""

    def with_values(self, values: Mapping[Cell, int]) -> Self:
        unknown = [cell for cell in self.places if cell not in values]
        return type(self)(self._size, values, unknown)

    def list_changes(self) -> Iterator[tuple[str, Self]]:
        return self.list_moves()

    def draw(self, picture: GridPicture) -> None:
        for place in self.places:
            picture.word(centre(place), self.word(place), circled=True)


class GridNumbers(CellNumbers):
    """A number in every cell, which belongs to the grid and is no clue by itself. Letters are read
    as numbers."""

    clue_by_clue = False

    @classmethod
    def read(cls, data: Any) -> Self:
        numbers = super().read(count_letters(read_rows(data)))
        height, width = numbers._size
        for cell in product(range(height), range(width)):
            if cell not in numbers:
                raise ValueError(f"{name_place(cell)} has no number")
        return numbers

    @classmethod
    def draft(cls, height: int, width: int) -> str:
        return draw_full("1", height, width)

    def list_changes(self) -> Iterator[tuple[str, Self]]:
        return self.list_other_numbers(range(1, max(self._size) + 1))


def count_letters(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows in which a letter is its number in the alphabet; after digits, A is 10.

    >>> count_letters([["A", "b"], ["C", "A"]]), count_letters([["9", "A"], ["B", "9"]])
    (['1,2,', '3,1,'], ['9,10,', '11,9,'])
    """
    words = {word for row in rows for word in row}
    first = 10 if any(map(str.isdecimal, words)) else 1
    number_of = {}
    for number, letter in enumerate(ascii_uppercase, first):
        number_of[letter] = number_of[letter.lower()] = str(number)
    counted = []
    for row in rows:
        counted.append("".join(f"{number_of.get(word, word)}," for word in row))
    return counted


class Labels(PlacedNumbers):
    """Numbers that only say which cells belong together: which number it is means nothing."""

    noun = "label"
    clue_by_clue = False

    @classmethod
    def read(cls, data: Any) -> Self:
        rows = read_rows(data)
        has_letters = any(word.isalpha() for row in rows for word in row)
        return super().read(number_labels(rows) if has_letters else data)

    def meaning(self, motion: Motion) -> Hashable:
        groups: dict[int, set[Cell]] = {}
        for cell, number in self.items():
            groups.setdefault(number, set()).add(motion.cell(cell))
        return frozenset(map(frozenset, groups.values()))


def number_labels(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows in which letters are replaced by other numbers than the drawn ones.

    >>> number_labels([["A", "1", "."], ["1", ".", "A"]])
    ['2 1 .', '1 . 2']
    """
    words = {word for row in rows for word in row}
    numbers = (str(number) for number in count(1) if str(number) not in words)
    written = {word: word for word in words}
    for word in sorted(words):
        if word.isalpha():
            written[word] = next(numbers)
    return [" ".join(written[word] for word in row) for row in rows]


def blank_zeros(rows: Sequence[str]) -> list[str]:
    """Typed rows in which 0 stands for an empty cell if nothing else does.

    >>> blank_zeros(["0 2", "2 0"]), blank_zeros(["0 .", ". ."])
    (['. 2', '2 .'], ['0 .', '. .'])
    """
    words = [row.split() for row in rows]
    if any(is_blank(word) for row in words for word in row):
        return list(rows)
    return [" ".join(NONE if word == "0" else word for word in row) for row in words]


class CornerNumbers(CellNumbers):
    """A number at some corners, drawn as rows of corners: one more row and column than cells."""

    noun = "corner"

    @property
    def size(self) -> Size:
        return self._size[0] - 1, self._size[1] - 1

    @classmethod
    def draft(cls, height: int, width: int) -> str:
        return draw_blank(height + 1, width + 1)

    def move(self, place: Cell, motion: Motion) -> Cell:
        return motion.corner(place)

    def draw(self, picture: GridPicture) -> None:
        picture.framed = True
        for place in self.places:
            picture.word(place, self.word(place), circled=True)


class BlackCells(CellNumbers):
    """Black cells, of which some have numbers, drawn as rows: a number, # for a black cell without
    one, and a dot for a white cell."""

    BLACK = "#"

    def __init__(self, size: Size, black: Iterable[Cell], values: Mapping[Cell, int]) -> None:
        super().__init__(size, values)
        self.black = frozenset(black)

    @classmethod
    def read(cls, data: Any) -> Self:
        rows = read_rows(data)
        words = list_drawn(rows)
        values = {}
        for place, word in words.items():
            if word not in BLACKS:
                values[place] = read_number(word, place, others=", # or .")
        return cls(measure_rows(rows), words, values)

    def write(self) -> str:
        words = dict.fromkeys(self.black, self.BLACK)
        words |= {place: self.word(place) for place in self}
        return draw_rows(words, *self._size)

    def with_values(self, values: Mapping[Cell, int]) -> Self:
        return type(self)(self._size, self.black, values)

    def meaning(self, motion: Motion) -> Hashable:
        return frozenset((motion.cell(cell), self.get(cell)) for cell in self.black)

    def draw(self, picture: GridPicture) -> None:
        for cell in sorted(self.black):
            picture.shade(cell, "black")
        super().draw(picture)


class CellSigns(SizedClues[Cell, str]):
    """A sign in some cells. A family derives a class, whose `signs` are what is drawn for each
    letter of a file."""

    noun = "sign"
    signs: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def read(cls, data: Any) -> Self:
        if not cls.signs:
            raise ValueError(
                f'{cls.__name__} has no signs; derive a class with such as signs = {{"w": "○"}}'
            )
        rows = read_rows(data)
        values = {}
        for place, word in list_drawn(rows).items():
            letters = [letter for letter in cls.signs if cls.is_written(letter, word)]
            if not letters:
                known = ", ".join(cls.signs)
                raise wrong_word(word, place, f"write one of {known}, or .")
            values[place] = letters[0]
        return cls(measure_rows(rows), values)

    @classmethod
    def is_written(cls, letter: str, word: str) -> bool:
        """Whether a word stands for the sign with a letter."""
        sign = cls.signs[letter]
        word = word.removesuffix("\ufe0f")  # which asks for a coloured picture
        return word in (letter, letter.upper(), sign, *OTHER_SIGNS.get(sign, ""))

    def write(self) -> str:
        return draw_rows(self, *self._size)

    def describe_value(self, value: str) -> str:
        return self.signs[value]

    def with_values(self, values: Mapping[Cell, str]) -> Self:
        return type(self)(self._size, values)

    def list_moves(self) -> Iterator[tuple[str, Self]]:
        """The layer with a sign in a place beside its own, without a sign, and with one more."""
        height, width = self._size
        free = [place for place in product(range(height), range(width)) if place not in self]
        for place, letter in self.items():
            others = {other: self[other] for other in self if other != place}
            for beside in list_free_beside(place, self, self._size):
                words = f"{self.thing(beside)} instead of {self.thing(place)}"
                yield words, self.with_values({**others, beside: letter})
            yield f"{self.thing(place)} left out", self.with_values(others)
        for place in free:
            added = self.with_values({**self, place: next(iter(self.signs))})
            yield f"{self.thing(place)} added", added

    def meaning(self, motion: Motion) -> Hashable:
        return frozenset((motion.cell(cell), letter) for cell, letter in self.items())

    def draw(self, picture: GridPicture) -> None:
        for cell, letter in self.items():
            picture.word(centre(cell), self.signs[letter])
