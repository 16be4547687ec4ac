"""The parts of a link: each reads and writes one entry of an instance."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from jigsat.errors import InputError
from jigsat.links.reader import Reader

Size = tuple[int, int]  # height and width
Cell = tuple[int, int]
T = TypeVar("T")

NONE, UNKNOWN = ".", "?"
LETTERS_G_TO_Z = "ghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Part(ABC):
    """How one entry is written in a link. Its data are those of an instance file."""

    entry: str

    @abstractmethod
    def read(self, reader: Reader, size: Size) -> Any:
        """The data of the entry; None if the link leaves it out. Raises InputError, which names
        the character."""

    @abstractmethod
    def write(self, data: Any, size: Size) -> str:
        """The text in a link. Raises InputError for what a link cannot express."""

    def measure(self, data: Any) -> Size | None:
        """Height and width of the grid, if the data show it."""
        return None

    def refuse(self, what: str) -> InputError:
        """The message that a link cannot express something."""
        return InputError(f"{self.entry}: {what} cannot be written in a link")


class DrawnPart(Part):
    """An entry that is a drawn grid."""

    def measure(self, data: Any) -> Size | None:
        rows = split_drawing(data)
        return len(rows), len(rows[0])


def split_drawing(data: str | Sequence[str]) -> list[list[str]]:
    """The words of each row of a drawn entry: if a row has blanks or commas, its words are cells,
    otherwise its characters. Rows with nothing in them are left out.

    >>> split_drawing("1.\\n.2"), split_drawing("10 .\\n . 2"), split_drawing("10,\\n 2,")
    ([['1', '.'], ['.', '2']], [['10', '.'], ['.', '2']], [['10'], ['2']])
    """
    lines = data.splitlines() if isinstance(data, str) else data
    lines = [line.strip() for line in lines if line.strip()]
    spaced = any("," in line or len(line.split()) > 1 for line in lines)
    return [line.replace(",", " ").split() if spaced else list(line) for line in lines]


def number_cells(data: Any) -> dict[int, str]:
    """The words of a drawing by the numbers of their cells, row by row, without blanks."""
    words = [word for row in split_drawing(data) for word in row]
    return {i: word for i, word in enumerate(words) if word != NONE}


def draw(words: Mapping[int, str], size: Size) -> str:
    """The drawing with these words, by the numbers of their cells."""
    height, width = size
    lines = []
    for row in range(height):
        cells = [words.get(row * width + column, NONE) for column in range(width)]
        # A comma tells a word that is alone in its row from characters.
        lines.append(" ".join(cells) if width > 1 else f"{cells[0]},")
    return "\n".join(lines)


def read_sparse(
    reader: Reader,
    length: int,
    letters: str,
    read_value: Callable[[Reader], T],
    noun: str = "cell",
) -> dict[int, T]:
    """Values by their places; a letter stands for as many places without one as its number among
    the letters. The `noun` is that of a place, in messages."""
    values = {}
    place = 0
    while place < length:
        reader.note(place, length, noun)
        blanks = skip_blanks(reader, letters, length - place)
        if blanks:
            place += blanks
        else:
            values[place] = read_value(reader)
            place += 1
    return values


def skip_blanks(reader: Reader, letters: str, left: int) -> int:
    """How many blank places the next character stands for, if it is one of the letters; else 0."""
    blanks = 0 if reader.ended else letters.find(reader.peek()) + 1
    if blanks > left:
        raise reader.fault(f"at most {letters[left - 1]!r}, because {left} places are left")
    if blanks:
        reader.position += 1
    return blanks


def write_sparse(words: Mapping[int, str], length: int, letters: str) -> str:
    """The text from which `read_sparse` reads values that are written with these words.

    >>> write_sparse({1: "2", 4: "0"}, 7, "ghij")
    'g2h0h'
    """
    text = ""
    blanks = 0
    for place in range(length):
        if place not in words:
            blanks += 1
            if blanks == len(letters):
                text += letters[-1]
                blanks = 0
            continue
        if blanks:
            text += letters[blanks - 1]
            blanks = 0
        text += words[place]
    return text + (letters[blanks - 1] if blanks else "")
