"""A layer of clues between neighbouring cells: which of two numbers is smaller."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple, Self

from jigsat.formula import Thing
from jigsat.kit.clues import SizedClues
from jigsat.kit.grid import Cell, Edge, Motion
from jigsat.kit.picture import GridPicture, centre
from jigsat.kit.reading import Size, draw_rows, is_blank, list_drawn, read_rows
from jigsat.kit.typed import Line, TypedText
from jigsat.words import name_place, plural

ACROSS = {"<": True, ">": False}  # between cells of a row: whether the left number is smaller
DOWN = {"^": True, "v": False}  # between cells of a column: whether the upper number is smaller
WRITTEN = str.maketrans("∧⌃∨⌄V＜＞|", "^^vvv<> ")  # how signs are also typed
SIGN_LINE = re.compile(r"[\s.^v]*[\^v][\s.^v]*")  # between two rows of cells
WORD = re.compile(r"[0-9]+|\S")
DRAWN = {"<": "<", ">": ">", "^": "∧", "v": "∨"}


class Inequalities(SizedClues[Edge, Edge]):
    """Signs between neighbouring cells, each as (smaller, greater), by the two cells in order.

    The drawing has the cells as dots, and between them < and > across, ^ and v down; the signs
    point to the smaller number. So there are two rows and columns for each of the grid but the
    last.
    """

    noun = "sign"
    between = True

    @classmethod
    def read_typed(cls, typed: TypedText) -> Self:
        cells, signs = divide_signs(typed.take_drawing())
        typed.drawings.insert(0, cells)
        height = len(cells)
        width = len(cells[0].text.split())
        if not signs:
            raise ValueError("there is no sign < or > between two cells, nor ^ or v below one")
        return cls.read(draw_rows(signs, 2 * height - 1, 2 * width - 1))

    @classmethod
    def read(cls, data: Any) -> Self:
        rows = read_rows(data)
        if len(rows) % 2 == 0 or len(rows[0]) % 2 == 0:
            raise ValueError("expected rows of cells with rows of signs between them")
        values: dict[Edge, Edge] = {}
        for (r, c), word in list_drawn(rows).items():
            where = f"row {r + 1}, column {c + 1} of the drawing"
            if r % 2 == 0 and c % 2 == 1 and word in ACROSS:
                pair = ((r // 2, c // 2), (r // 2, c // 2 + 1))
                first_is_smaller = ACROSS[word]
            elif r % 2 == 1 and c % 2 == 0 and word in DOWN:
                pair = ((r // 2, c // 2), (r // 2 + 1, c // 2))
                first_is_smaller = DOWN[word]
            else:
                raise ValueError(f"{where} is {word!r}; write < or > across, ^ or v down, or .")
            values[pair] = pair if first_is_smaller else (pair[1], pair[0])
        return cls(((len(rows) + 1) // 2, (len(rows[0]) + 1) // 2), values)

    @classmethod
    def draft(cls, height: int, width: int) -> str:
        return cls((height, width), {}).write()

    def write(self) -> str:
        words = {}
        for (one, other), (smaller, _) in self.items():
            place = (one[0] + other[0], one[1] + other[1])
            words[place] = find_sign((one, other), smaller)
        return draw_rows(words, 2 * self._size[0] - 1, 2 * self._size[1] - 1)

    def with_values(self, values: Mapping[Edge, Edge]) -> Self:
        return type(self)(self._size, values)

    def meaning(self, motion: Motion) -> Hashable:
        return frozenset((motion.cell(low), motion.cell(high)) for low, high in self.values())

    def draw(self, picture: GridPicture) -> None:
        for pair, (smaller, _) in self.items():
            (r, c), (below, right) = map(centre, pair)
            picture.sign(((r + below) / 2, (c + right) / 2), DRAWN[find_sign(pair, smaller)])

    def thing(self, place: Edge) -> Thing:
        one, other = place
        return Thing("sign", f"{name_place(one)} and {name_place(other)}")

    def describe_value(self, value: Edge) -> str:
        smaller, greater = value
        return f"{name_place(smaller)} < {name_place(greater)}"


def find_sign(pair: Edge, smaller: Cell) -> str:
    """The sign between two cells that points to the smaller one."""
    one, other = pair
    signs = ACROSS if one[0] == other[0] else DOWN
    return next(sign for sign, is_first in signs.items() if is_first == (smaller == one))


def blank_signs(size: Size) -> str:
    """The drawing of a grid of this size without signs."""
    return draw_rows({}, 2 * size[0] - 1, 2 * size[1] - 1)


class SpacedRow(NamedTuple):
    """A row of cells as it is typed, with the columns of characters in which its cells begin."""

    number: int
    cells: list[str]
    starts: list[int]

    def column(self, place: int) -> int | None:
        """The column of the cell at a character."""
        for column, start in enumerate(self.starts):
            if start <= place < start + len(self.cells[column]):
                return column
        return None


def divide_signs(lines: Sequence[Line]) -> tuple[list[Line], dict[Cell, str]]:
    """The rows of cells of a typed drawing, and the signs between them by their places in a drawing
    with two rows and columns for each of the grid. Raises ValueError, which names the line.

    >>> divide_signs([Line(1, "1 . < ."), Line(2, "^"), Line(3, ". .   2")])
    ([Line(number=1, text='1 . .'), Line(number=3, text='. . 2')], {(0, 3): '<', (1, 0): '^'})
    """
    lines = [Line(number, text.expandtabs().translate(WRITTEN)) for number, text in lines]
    if _is_dotted(lines):
        lines = _blank_dots(lines)
    rows: list[SpacedRow] = []
    signs: dict[Cell, str] = {}
    below: list[tuple[int, Line]] = []  # the lines of signs, by the row above them
    for line in lines:
        if SIGN_LINE.fullmatch(line.text):
            below.append((len(rows) - 1, line))
        else:
            row, across = _read_row(line)
            signs |= {(2 * len(rows), place): sign for place, sign in across.items()}
            rows.append(row)
    for row in rows:
        if len(row.cells) != len(rows[0].cells):
            raise ValueError(
                f"line {row.number} has {plural(len(row.cells), 'cell')}, but line "
                f"{rows[0].number} has {len(rows[0].cells)}; draw . where a cell is empty"
            )
    for above, line in below:
        if not 0 <= above < len(rows) - 1:
            raise ValueError(f"line {line.number}: signs must be between two rows of cells")
        for column, sign in _place_signs(line, rows[above], rows[above + 1]).items():
            if (2 * above + 1, 2 * column) in signs:
                raise ValueError(f"line {line.number}: another line has a sign at the same place")
            signs[2 * above + 1, 2 * column] = sign
    return [Line(row.number, " ".join(row.cells)) for row in rows], signs


def _is_dotted(lines: Sequence[Line]) -> bool:
    """Whether every place between cells has a sign or a dot, as in the entry `signs`."""
    texts = [line.text.rstrip() for line in lines]
    return (
        len(texts) % 2 == 1
        and len(set(map(len, texts))) == 1
        and len(texts[0]) % 2 == 1
        and not any(" " in text for text in texts)
        and all(set(text) <= set(".^v") for text in texts[1::2])
        and all(set(text[1::2]) <= set(".<>") for text in texts[::2])
    )


def _blank_dots(lines: Sequence[Line]) -> list[Line]:
    """The lines with blanks instead of dots where there is no sign."""
    blanked = []
    for i, (number, text) in enumerate(lines):
        between = text[1::2].replace(".", " ") + " "
        if i % 2:
            blanked.append(Line(number, text.replace(".", " ")))
        else:
            pairs = zip(text[::2], between, strict=False)
            blanked.append(Line(number, "".join(cell + sign for cell, sign in pairs)))
    return [line for line in blanked if line.text.strip()]


def _read_row(line: Line) -> tuple[SpacedRow, dict[int, str]]:
    """The cells of a row, and the signs between them by their columns in a drawing with two columns
    for each of the grid."""
    row = SpacedRow(line.number, [], [])
    signs: dict[int, str] = {}
    for match in WORD.finditer(line.text):
        word = match[0]
        where = f"line {line.number}, character {match.start() + 1}"
        if word in ACROSS:
            place = 2 * len(row.cells) - 1
            if place < 0 or place in signs:
                raise ValueError(f"{where}: {word} must be between two cells")
            signs[place] = word
        elif word.isdecimal() or is_blank(word):
            row.cells.append(word)
            row.starts.append(match.start())
        else:
            raise ValueError(
                f"{where} is {word!r}; write a number, . for an empty cell, < or > between cells, "
                f"and ^ or v in the line below a cell"
            )
    if 2 * len(row.cells) - 1 in signs:
        raise ValueError(f"line {line.number}: a sign is at the end; write . for an empty cell")
    return row, signs


def _place_signs(line: Line, above: SpacedRow, below: SpacedRow) -> dict[int, str]:
    """The signs of a line by the column of the cell above and below them."""
    signs = {}
    for match in re.finditer(r"[\^v]", line.text):
        where = f"line {line.number}, character {match.start() + 1}"
        at_both = above.column(match.start()), below.column(match.start())
        columns = {column for column in at_both if column is not None}
        if not columns:
            raise ValueError(f"{where}: {match[0]} must be below the character of a cell")
        if len(columns) > 1:
            raise ValueError(
                f"{where}: {match[0]} is not between two cells of one column; write the cells of "
                f"lines {above.number} and {below.number} below each other"
            )
        signs[columns.pop()] = match[0]
    return signs
