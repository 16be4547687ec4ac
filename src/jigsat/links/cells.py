"""Parts of links about cells: numbers, arrows, circles and sums."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from jigsat.links.parts import (
    LETTERS_G_TO_Z,
    UNKNOWN,
    Cell,
    DrawnPart,
    Size,
    draw,
    number_cells,
    read_sparse,
    skip_blanks,
    split_drawing,
    write_sparse,
)
from jigsat.links.reader import DIGITS, Reader, write_number

LETTERS_K_TO_Z = LETTERS_G_TO_Z[4:]
ARROWS = {1: "^", 2: "v", 3: "<", 4: ">"}
EXPECTED_16 = "0 to 9, a to f, - + = @ * $ before a larger number, . or a blank, g to z"
LARGER_16 = {
    "-": (2, 0),
    "+": (3, 0),
    "=": (3, 4096),
    "%": (3, 8192),
    "@": (3, 8192),
    "*": (4, 12240),
    "$": (5, 77776),
}
"""For each sign, the number of digits of base 16 that follow, and what is added to them."""
MAX_16 = 77776 + 16**5 - 1


def read_number_16(reader: Reader) -> str:
    """A number, or ? for an unknown one."""
    sign = reader.take(DIGITS[:16] + "." + "".join(LARGER_16), EXPECTED_16)
    if sign == ".":
        return UNKNOWN
    if sign in LARGER_16:
        length, added = LARGER_16[sign]
        return str(added + reader.take_number(length, 16, "a digit of base 16, 0 to 9 or a to f"))
    return str(int(sign, 16))


def write_number_16(number: int) -> str:
    """The text of a number."""
    if number < 16:
        return write_number(number, 16)
    if number < 256:
        return "-" + write_number(number, 16)
    for sign, end in (("+", 4096), ("=", 8192), ("@", 12240), ("*", 77776)):
        if number < end:
            length, added = LARGER_16[sign]
            return sign + write_number(number - added, 16, length)
    return "$" + write_number(number - 77776, 16, 5)


@dataclass(frozen=True)
class CellPart(DrawnPart):
    """A drawing with a word in some cells; `unknown` is drawn for an unknown number. With
    `corners`, the places are corners: one more row and column than cells."""

    unknown: str = UNKNOWN
    corners: bool = False

    def measure(self, data: Any) -> Size | None:
        rows = split_drawing(data)
        more = int(self.corners)
        return len(rows) - more, len(rows[0]) - more

    def full_size(self, size: Size) -> Size:
        """The rows and columns of the drawing."""
        more = int(self.corners)
        return size[0] + more, size[1] + more

    @property
    def noun(self) -> str:
        """What a place is called in messages."""
        return "corner" if self.corners else "cell"

    def count(self, size: Size) -> int:
        """The number of places."""
        height, width = self.full_size(size)
        return height * width

    def list_numbers(self, data: Any, largest: int) -> dict[int, int | None]:
        """The numbers of a drawing by the numbers of their cells; None for an unknown one."""
        numbers: dict[int, int | None] = {}
        for place, word in number_cells(data).items():
            if word == self.unknown:
                numbers[place] = None
            elif int(word) > largest:
                raise self.refuse(f"the number {word}, which is larger than {largest},")
            else:
                numbers[place] = int(word)
        return numbers


@dataclass(frozen=True)
class Numbers16(CellPart):
    """Numbers of any size. `optional`: nothing is written if there is none."""

    optional: bool = False

    def read(self, reader: Reader, size: Size) -> Any:
        words: dict[int, str] = {}
        if not (self.optional and reader.ended):
            words = read_sparse(reader, self.count(size), LETTERS_G_TO_Z, read_number_16, self.noun)
        characters = {i: self.unknown if word == UNKNOWN else word for i, word in words.items()}
        return draw(characters, self.full_size(size))

    def write(self, data: Any, size: Size) -> str:
        words = {}
        for place, number in self.list_numbers(data, MAX_16).items():
            words[place] = "." if number is None else write_number_16(number)
        if self.optional and not words:
            return ""
        return write_sparse(words, self.count(size), LETTERS_G_TO_Z)


@dataclass(frozen=True)
class Numbers10(CellPart):
    """Numbers from 0 to 9. `wide`: if there are larger ones, - precedes numbers of any size."""

    wide: bool = False

    def read(self, reader: Reader, size: Size) -> Any:
        if self.wide and reader.peek() == "-":
            reader.position += 1
            return Numbers16(self.entry, self.unknown, self.corners).read(reader, size)

        def read_digit(reader: Reader) -> str:
            word = reader.take(DIGITS[:10] + ".", "0 to 9, . or a blank, a to z")
            return self.unknown if word == "." else word

        words = read_sparse(reader, self.count(size), ascii_lowercase, read_digit, self.noun)
        return draw(words, self.full_size(size))

    def write(self, data: Any, size: Size) -> str:
        numbers = self.list_numbers(data, MAX_16 if self.wide else 9)
        if any(number is not None and number > 9 for number in numbers.values()):
            return "-" + Numbers16(self.entry, self.unknown, self.corners).write(data, size)
        words = {i: "." if number is None else str(number) for i, number in numbers.items()}
        return write_sparse(words, self.count(size), ascii_lowercase)


class Numbers4(CellPart):
    """Numbers from 0 to 4; 5 to 9 are the same before a blank cell, and a to e before two."""

    def read(self, reader: Reader, size: Size) -> Any:
        count = self.count(size)
        words = {}
        place = 0
        while place < count:
            reader.note(place, count, self.noun)
            blanks = skip_blanks(reader, LETTERS_G_TO_Z, count - place)
            if not blanks:
                words[place], blanks = self.read_number(reader)
                place += 1
            place += blanks
        return draw(words, self.full_size(size))

    def read_number(self, reader: Reader) -> tuple[str, int]:
        """A number, and how many blank cells follow, perhaps beyond the last one."""
        character = reader.take(DIGITS[:15] + ".", "0 to 9, a to e, . or a blank, g to z")
        if character == ".":
            return self.unknown, 0
        blanks, number = divmod(int(character, 16), 5)
        return str(number), blanks

    def write(self, data: Any, size: Size) -> str:
        numbers = self.list_numbers(data, 4)
        words = {}
        covered: set[int] = set()
        for place, number in numbers.items():
            if number is None:
                words[place] = "."
                continue
            blanks = 0
            while blanks < 2 and place + blanks + 1 not in numbers:
                blanks += 1
                covered.add(place + blanks)
            words[place] = write_number(number + 5 * blanks, 16)

        # A blank that a number covers is not written.
        left = [place for place in range(self.count(size)) if place not in covered]
        written = {i: words[place] for i, place in enumerate(left) if place in words}
        return write_sparse(written, len(left), LETTERS_G_TO_Z)


class DenseNumbers(CellPart):
    """A number in every cell, in digits of base 36; two of them after -."""

    def read(self, reader: Reader, size: Size) -> Any:
        words = {}
        count = self.count(size)
        for place in range(count):
            reader.note(place, count, "cell")
            sign = reader.take(DIGITS + "-", "a number, 0 to 9 or a to z, or - before a larger one")
            if sign == "-":
                number = reader.take_number(2, 36, "a digit of base 36, 0 to 9 or a to z")
            else:
                number = int(sign, 36)
            words[place] = str(number)
        return draw(words, size)

    def write(self, data: Any, size: Size) -> str:
        text = ""
        for number in self.list_numbers(data, 36**2 - 1).values():
            assert number is not None, "every cell has a number"
            text += write_number(number, 36) if number < 36 else f"-{write_number(number, 36)}"
        return text


class LetterNumbers(CellPart):
    """Numbers of any size, which a drawing has as one character: A is 10."""

    def read(self, reader: Reader, size: Size) -> Any:
        def read_character(reader: Reader) -> str:
            start = reader.position
            word = read_number_16(reader)
            if word == UNKNOWN or not 0 < int(word) < len(DIGITS):
                reader.position = start
                raise reader.fault("a number from 1 to 35, or a blank, g to z")
            return DIGITS[int(word)].upper()

        words = read_sparse(reader, self.count(size), LETTERS_G_TO_Z, read_character)
        return draw(words, size)

    def write(self, data: Any, size: Size) -> str:
        words = {i: write_number_16(int(word, 36)) for i, word in number_cells(data).items()}
        return write_sparse(words, self.count(size), LETTERS_G_TO_Z)


@dataclass(frozen=True)
class Circles(CellPart):
    """Circles of two kinds: three cells a digit of base 27. `signs` are the words for 1 and 2."""

    signs: tuple[str, str] = ("w", "b")

    def read(self, reader: Reader, size: Size) -> Any:
        count = self.count(size)
        words = {}
        for start in range(0, count, 3):
            reader.note(start, count, "cell")
            digit = reader.take_number(1, 27, "three cells, 0 to 9 or a to q")
            for i, value in enumerate((digit // 9, digit // 3 % 3, digit % 3)):
                if value and start + i >= count:
                    reader.position -= 1
                    raise reader.fault("nothing beyond the last cell")
                if value:
                    words[start + i] = self.signs[value - 1]
        return draw(words, size)

    def write(self, data: Any, size: Size) -> str:
        signs = number_cells(data)
        text = ""
        for start in range(0, self.count(size), 3):
            digit = 0
            for i in range(start, start + 3):
                value = self.signs.index(signs[i]) + 1 if i in signs else 0
                digit = 3 * digit + value
            text += write_number(digit, 27)
        return text


@dataclass(frozen=True)
class Dots(DrawnPart):
    """White and black dots on cells, on the sides between them and on corners: 0 to f are a dot,
    white if the number is even, before half as many blank places; g to z are blank places. The
    last blank places may lie beyond the last one."""

    signs: tuple[str, str] = ("o", "*")

    def measure(self, data: Any) -> Size | None:
        rows = split_drawing(data)
        return (len(rows) + 1) // 2, (len(rows[0]) + 1) // 2

    def full_size(self, size: Size) -> Size:
        """The rows and columns of the drawing."""
        return 2 * size[0] - 1, 2 * size[1] - 1

    def read(self, reader: Reader, size: Size) -> Any:
        height, width = self.full_size(size)
        words = {}
        place = 0
        count = height * width
        while place < count:
            reader.note(place, count, "place")
            blanks = skip_blanks(reader, LETTERS_G_TO_Z, count - place)
            if not blanks:
                value = int(reader.take(DIGITS[:16], "0 to 9, a to f or a blank, g to z"), 16)
                words[place] = self.signs[value % 2]
                blanks = 1 + value // 2
            place += blanks
        return draw(words, (height, width))

    def write(self, data: Any, size: Size) -> str:
        height, width = self.full_size(size)
        dots = number_cells(data)
        words = {}
        covered: set[int] = set()
        for place, sign in dots.items():
            blanks = 0
            while blanks < 7 and place + blanks + 1 not in dots:
                blanks += 1
                covered.add(place + blanks)
            words[place] = write_number(2 * blanks + self.signs.index(sign), 16)

        # A blank place that a dot covers is not written.
        left = [place for place in range(height * width) if place not in covered]
        written = {i: words[place] for i, place in enumerate(left) if place in words}
        return write_sparse(written, len(left), LETTERS_G_TO_Z)


@dataclass(frozen=True)
class MarkedCells(CellPart):
    """Cells with one sign: 0 to 9 and a to h are such a cell before as many blank ones; i to z are
    blank cells."""

    sign: str = "t"

    def read(self, reader: Reader, size: Size) -> Any:
        count = self.count(size)
        words = {}
        place = 0
        while place < count:
            reader.note(place, count, "cell")
            start = reader.position
            value = int(reader.take(DIGITS, "0 to 9 or a to z"), 36)
            if value < 18:
                words[place] = self.sign
                place += 1 + value
            else:
                place += value - 17
            if place > count:
                reader.position = start
                raise reader.fault("fewer cells, because the grid ends before")
        return draw(words, size)

    def write(self, data: Any, size: Size) -> str:
        marked = number_cells(data)
        text = ""
        place = 0
        count = self.count(size)
        while place < count:
            has_sign = place in marked
            place += 1
            blanks = 0 if has_sign else 1
            while place < count and place not in marked and blanks < (17 if has_sign else 18):
                blanks += 1
                place += 1
            text += write_number(blanks if has_sign else blanks + 17, 36)
        return text


class PointedNumbers(CellPart):
    """Numbers with arrows: the direction, 1 to 4 for up, down, left and right, before a digit of
    base 16; 5 more before two digits; - before the direction and three digits."""

    def read(self, reader: Reader, size: Size) -> Any:
        words = read_sparse(reader, self.count(size), ascii_lowercase, self.read_arrow)
        return draw(words, size)

    def read_arrow(self, reader: Reader) -> str:
        """A number with its arrow. The first sign says how long the number is: 0 to 4, the
        direction itself, come before one digit, 5 to 9 before two; '-' and the direction come
        before three. `read_sparse` reads the blanks between."""
        start = reader.position
        first = reader.take(DIGITS[:10] + "-", "a direction, 0 to 9, - or a blank, a to z")
        if first == "-":
            length = 3
            direction = reader.take_number(1, 10, "a direction, 1 to 4")
        else:
            length = 1 if int(first) < 5 else 2
            direction = int(first) % 5
        if direction not in ARROWS:
            reader.position = start
            raise reader.fault("a direction, 1 to 4, or 6 to 9 before two digits")
        if length == 1 and reader.peek() == ".":
            reader.position += 1
            return UNKNOWN + ARROWS[direction]
        return f"{reader.take_number(length, 16, 'a digit, 0 to 9 or a to f')}{ARROWS[direction]}"

    def write(self, data: Any, size: Size) -> str:
        direction_of = {arrow: direction for direction, arrow in ARROWS.items()}
        words = {}
        for place, word in number_cells(data).items():
            direction = direction_of[word[-1]]
            if word[:-1] == UNKNOWN:
                words[place] = f"{direction}."
                continue
            number = int(word[:-1])
            if number < 16:
                words[place] = f"{direction}{write_number(number, 16)}"
            elif number < 256:
                words[place] = f"{direction + 5}{write_number(number, 16)}"
            elif number < 4096:
                words[place] = f"-{direction}{write_number(number, 16)}"
            else:
                raise self.refuse(f"the number {number}, which is larger than 4095,")
        return write_sparse(words, self.count(size), ascii_lowercase)


class Sums(DrawnPart):
    """Black cells with a sum for the cells below and one for those to the right. First come the
    cells of the grid, then the sums beside it: above the columns, and left of the rows, that do
    not begin with a black cell."""

    def measure(self, data: Any) -> Size | None:
        rows = split_drawing(data)
        return len(rows) - 1, len(rows[0]) - 1

    def read(self, reader: Reader, size: Size) -> Any:
        height, width = size
        inner = read_sparse(reader, height * width, LETTERS_K_TO_Z, read_black)
        words = {place_outside((-1, -1), width): "\\"}
        for place, word in inner.items():
            words[place_outside(divmod(place, width), width)] = word
        for column in range(width):
            down = "" if column in inner else read_sum(reader)
            words[place_outside((-1, column), width)] = f"{down}\\"
        for row in range(height):
            right = "" if row * width in inner else read_sum(reader)
            words[place_outside((row, -1), width)] = f"\\{right}"
        return draw(words, (height + 1, width + 1))

    def write(self, data: Any, size: Size) -> str:
        height, width = size
        words = number_cells(data)
        inner = {}
        for place in range(height * width):
            word = words.get(place_outside(divmod(place, width), width))
            if word is not None:
                down, _, right = word.partition("\\")
                inner[place] = self.write_sum(down) + self.write_sum(right) if down + right else "."
        text = write_sparse(inner, height * width, LETTERS_K_TO_Z)
        for column in range(width):
            if column not in inner:
                text += self.write_sum(words[place_outside((-1, column), width)].split("\\")[0])
        for row in range(height):
            if row * width not in inner:
                text += self.write_sum(words[place_outside((row, -1), width)].split("\\")[1])
        return text

    def write_sum(self, word: str) -> str:
        """The character of a sum."""
        number = int(word or 0)
        if number > 45:
            raise self.refuse(f"the sum {number}, which is larger than 45,")
        return write_number(number, 20) if number < 20 else ascii_uppercase[number - 20]


def place_outside(cell: Cell, width: int) -> int:
    """The number of a cell in a drawing with one more row above and one more column to the left."""
    row, column = cell
    return (row + 1) * (width + 1) + column + 1


def read_sum(reader: Reader) -> str:
    """A sum up to 45, or '' for none."""
    expected = "a sum, 0 to 9, a to j, A to Z or -"
    character = reader.take(DIGITS[:20] + ascii_uppercase + "-", expected)
    if character in "0-":
        return ""
    if character in ascii_uppercase:
        return str(ascii_uppercase.index(character) + 20)
    return str(int(character, 20))


def read_black(reader: Reader) -> str:
    """A black cell with its sums."""
    if reader.peek() == ".":
        reader.position += 1
        return "\\"
    return f"{read_sum(reader)}\\{read_sum(reader)}"
