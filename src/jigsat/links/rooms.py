"""Parts of links about rooms, and a number for the whole puzzle."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product
from string import ascii_letters
from typing import Any

from jigsat.links.cells import MAX_16, read_number_16, write_number_16
from jigsat.links.parts import (
    LETTERS_G_TO_Z,
    UNKNOWN,
    Cell,
    DrawnPart,
    Part,
    Size,
    draw,
    read_sparse,
    split_drawing,
    write_sparse,
)
from jigsat.links.reader import Reader, write_number

Pair = tuple[Cell, Cell]


def list_pairs(size: Size) -> tuple[list[Pair], list[Pair]]:
    """The pairs of cells side by side, and those one above the other, row by row."""
    height, width = size
    beside = []
    above = []
    for row, column in product(range(height), range(width)):
        if column + 1 < width:
            beside.append(((row, column), (row, column + 1)))
        if row + 1 < height:
            above.append(((row, column), (row + 1, column)))
    return beside, above


def read_bits(reader: Reader, count: int) -> list[bool]:
    """Bits, five in a digit of base 32."""
    bits: list[bool] = []
    while len(bits) < count:
        digit = reader.take_number(1, 32, "five borders, 0 to 9 or a to v")
        bits += [bool(digit & value) for value in (16, 8, 4, 2, 1)]
    return bits[:count]


def write_bits(bits: list[bool]) -> str:
    """The text from which `read_bits` reads them."""
    text = ""
    for start in range(0, len(bits), 5):
        digit = 0
        for i in range(start, start + 5):
            digit = 2 * digit + int(i < len(bits) and bits[i])
        text += write_number(digit, 32)
    return text


def read_walls(reader: Reader, size: Size) -> set[Pair]:
    """The pairs of cells with a border between them."""
    walls = set()
    for pairs in list_pairs(size):
        bits = read_bits(reader, len(pairs))
        walls |= {pair for pair, bit in zip(pairs, bits, strict=True) if bit}
    return walls


def list_rooms(size: Size, walls: set[Pair]) -> list[list[Cell]]:
    """The cells in parts that no border separates, in the order of their first cells."""
    height, width = size
    rooms = []
    visited: set[Cell] = set()
    for start in product(range(height), range(width)):
        if start in visited:
            continue
        room = [start]
        visited.add(start)
        for cell in room:  # it grows meanwhile
            for other in list_beside(cell, size):
                pair = (min(cell, other), max(cell, other))
                if other not in visited and pair not in walls:
                    visited.add(other)
                    room.append(other)
        rooms.append(room)
    return rooms


def list_beside(cell: Cell, size: Size) -> Iterator[Cell]:
    """The up to four cells beside one."""
    row, column = cell
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if 0 <= row + down < size[0] and 0 <= column + right < size[1]:
            yield row + down, column + right


def name_room(number: int) -> str:
    """A, B, … z, AA, AB, …

    >>> name_room(0), name_room(51), name_room(52)
    ('A', 'z', 'AA')
    """
    more, last = divmod(number, len(ascii_letters))
    letters = ascii_letters[26:] + ascii_letters[:26]
    return (name_room(more - 1) if more else "") + letters[last]


def draw_rooms(rooms: list[list[Cell]], size: Size) -> str:
    """The drawing with the name of its room in each cell."""
    words = {}
    for number, room in enumerate(rooms):
        for row, column in room:
            words[row * size[1] + column] = name_room(number)
    return draw(words, size)


class Borders(DrawnPart):
    """The borders of rooms: bits for the cells side by side, then for those one above the
    other."""

    def read(self, reader: Reader, size: Size) -> Any:
        return draw_rooms(list_rooms(size, read_walls(reader, size)), size)

    def write(self, data: Any, size: Size) -> str:
        rows = split_drawing(data)
        names = {(r, c): word for r, row in enumerate(rows) for c, word in enumerate(row)}
        if "." in names.values():
            raise self.refuse("a cell in no room")
        text = ""
        for pairs in list_pairs(size):
            text += write_bits([names[one] != names[other] for one, other in pairs])
        return text


class RoomsWithNumbers(Part):
    """Borders, then a number of any size for some rooms, in the order of their first cells."""

    def measure(self, data: Any) -> Size | None:
        return Borders(self.entry).measure(self.list_cells(data))

    def list_cells(self, data: Any) -> Any:
        """The drawing of the rooms."""
        return data["cells"] if isinstance(data, dict) else data

    def read(self, reader: Reader, size: Size) -> Any:
        rooms = list_rooms(size, read_walls(reader, size))
        words = read_sparse(reader, len(rooms), LETTERS_G_TO_Z, read_number_16, "room")
        numbers = {}
        for i, word in words.items():
            numbers[name_room(i)] = word if word == UNKNOWN else int(word)
        return {"cells": draw_rooms(rooms, size), "numbers": numbers}

    def write(self, data: Any, size: Size) -> str:
        cells = self.list_cells(data)
        numbers = data.get("numbers", {}) if isinstance(data, dict) else {}
        order = list(dict.fromkeys(chain(*split_drawing(cells))))
        words = {}
        for i, name in enumerate(order):
            if name in numbers and numbers[name] == UNKNOWN:
                words[i] = "."
            elif name in numbers:
                if numbers[name] > MAX_16:
                    raise self.refuse(f"the number {numbers[name]}")
                words[i] = write_number_16(numbers[name])
        borders = Borders(self.entry).write(cells, size)
        return borders + write_sparse(words, len(order), LETTERS_G_TO_Z)


class NoBorders(Part):
    """Borders that a kind does not have: they may be in a link if there is none. The entry is only
    a name."""

    def read(self, reader: Reader, size: Size) -> Any:
        start = reader.position
        if not reader.ended and read_walls(reader, size):
            reader.position = start
            raise reader.fault("the end; borders that are given are not read")
        return None

    def write(self, data: Any, size: Size) -> str:
        return ""


class Count(Part):
    """A number for the whole puzzle before a stroke."""

    def read(self, reader: Reader, size: Size) -> Any:
        digits = reader.take("123456789", "a number from 1")
        while reader.peek() not in ("", "/"):
            digits += reader.take("0123456789", "a digit, or / after the number")
        if not reader.ended:  # a grid of one cell has no borders
            reader.take("/", "/ after the number")
        return int(digits)

    def write(self, data: Any, size: Size) -> str:
        return f"{data}/"
