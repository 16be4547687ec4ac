"""Reading and writing drawn grids: rows of characters, or of words with blanks between them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import product
from typing import Any

from jigsat.kit.grid import Cell
from jigsat.links import split_drawing
from jigsat.words import name_place, plural

Size = tuple[int, int]  # height and width

NONE, UNKNOWN = ".", "?"
BLANKS = frozenset(".-_·~□⬜")  # what may be drawn for nothing, also several times, such as __
BLACKS = frozenset("#xXbB■█⬛")  # what may be drawn for a black cell


def read_rows(data: Any) -> list[list[str]]:
    """The words of each row: if a row has blanks or commas, its words are cells, otherwise its
    characters.

    Raises ValueError for anything but rows of the same length.

    >>> read_rows("1.\\n.2"), read_rows("10 .\\n . 2")
    ([['1', '.'], ['.', '2']], [['10', '.'], ['.', '2']])
    """
    lines = data.splitlines() if isinstance(data, str) else data
    if not isinstance(lines, list | tuple) or not all(isinstance(line, str) for line in lines):
        raise ValueError("expected rows of characters, or of words, in quotes")
    rows = split_drawing(lines)
    if not rows:
        raise ValueError("expected at least one row")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            cells = plural(len(row), "cell")
            raise ValueError(f"row {number} has {cells}, but row 1 has {len(rows[0])}")
    return rows


def measure_rows(rows: Sequence[Sequence[str]]) -> Size:
    """The number of rows, and of cells in each."""
    return len(rows), len(rows[0])


def is_blank(word: str) -> bool:
    """Whether a word is what is drawn for nothing.

    >>> is_blank("."), is_blank("__"), is_blank("-1")
    (True, True, False)
    """
    return BLANKS.issuperset(word)


def list_drawn(rows: Sequence[Sequence[str]]) -> dict[Cell, str]:
    """The words by their cells, where something is drawn."""
    words = {}
    for r, row in enumerate(rows):
        for c, word in enumerate(row):
            if not is_blank(word):
                words[r, c] = word
    return words


class WrongWord(ValueError):
    """A word of a drawing that means nothing; `row` is its row in the drawing."""

    def __init__(self, row: int, message: str) -> None:
        super().__init__(message)
        self.row = row


def wrong_word(word: str, place: Hashable, remedy: str) -> ValueError:
    """The error for a word at a place, which may be a cell."""
    message = f"{name_place(place)} is {word!r}; {remedy}"
    if isinstance(place, tuple) and isinstance(place[0], int):
        return WrongWord(place[0], message)
    return ValueError(message)


def read_number(word: str, place: Hashable, others: str = f", {UNKNOWN} or {NONE}") -> int:
    """The number that a word is. Raises ValueError, which names the place and what else could be
    written there."""
    if not word.isdecimal():
        raise wrong_word(word, place, f"write a number{others}")
    return int(word)


def draw_rows(words: Mapping[Cell, str], height: int, width: int) -> str:
    """Rows of words as `read_rows` reads them; without blanks if all words are characters.

    >>> draw_rows({(0, 0): "1", (1, 1): "2"}, 2, 2), draw_rows({(0, 1): "10"}, 1, 2)
    ('1.\\n.2', ' . 10')
    >>> draw_rows({(0, 0): "10", (1, 0): "2"}, 2, 1)
    '10,\\n 2,'
    """
    longest = max(map(len, words.values()), default=1)
    lines = []
    for r in range(height):
        row = [words.get((r, c), NONE).rjust(longest) for c in range(width)]
        line = (" " if longest > 1 else "").join(row)
        # A comma tells a word that is alone in its row from characters.
        lines.append(f"{line}," if longest > 1 and width == 1 else line)
    return "\n".join(lines)


def draw_blank(height: int, width: int) -> str:
    """The drawing of a grid without clues."""
    return draw_rows({}, height, width)


def draw_full(word: str, height: int, width: int) -> str:
    """The drawing of a grid with the same word in all cells."""
    cells = product(range(height), range(width))
    return draw_rows(dict.fromkeys(cells, word), height, width)
