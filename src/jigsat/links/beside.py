"""Parts of links about numbers beside the grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jigsat.links.cells import MAX_16, read_number_16, write_number_16
from jigsat.links.parts import (
    LETTERS_G_TO_Z,
    NONE,
    UNKNOWN,
    Part,
    Size,
    read_sparse,
    write_sparse,
)
from jigsat.links.reader import Reader


@dataclass(frozen=True)
class RimNumbers(Part):
    """A table of numbers along some sides, as words by side."""

    sides: tuple[str, ...] = ("top", "bottom", "left", "right")

    def read(self, reader: Reader, size: Size) -> Any:
        places = self.list_places(size)
        words = read_sparse(reader, len(places), LETTERS_G_TO_Z, read_number_16, "place")
        table = {}
        for side in self.sides:
            line = [words.get(i, NONE) for i, place in enumerate(places) if place[0] == side]
            table[side] = " ".join(line)
        return table

    def write(self, data: Any, size: Size) -> str:
        places = self.list_places(size)
        for side in data:
            if side not in self.sides:
                raise self.refuse(f"numbers at the side {side}")
        words = {}
        for i, (side, number) in enumerate(places):
            line = str(data.get(side, "")).split()
            word = line[number] if number < len(line) else NONE
            if word == UNKNOWN:
                words[i] = "."
            elif word != NONE:
                words[i] = write_number_16(self.check_number(word))
        return write_sparse(words, len(places), LETTERS_G_TO_Z)

    def list_places(self, size: Size) -> list[tuple[str, int]]:
        """The places in their order: one side after the other."""
        height, width = size
        places = []
        for side in self.sides:
            length = height if side in ("left", "right") else width
            places += [(side, i) for i in range(length)]
        return places

    def check_number(self, word: str) -> int:
        """The number that a word is. Raises InputError if it is too large."""
        if int(word) > MAX_16:
            raise self.refuse(f"the number {word}")
        return int(word)


class PoleNumbers(RimNumbers):
    """A table of numbers along all sides: for each column the number below it and the one above,
    then for each row the one on the right and the one on the left."""

    def list_places(self, size: Size) -> list[tuple[str, int]]:
        height, width = size
        places = []
        for column in range(width):
            places += [("bottom", column), ("top", column)]
        for row in range(height):
            places += [("right", row), ("left", row)]
        return places


class LineLists(Part):
    """A list of numbers for each column and row: each has room for as many as a line can have
    blocks, the nearest to the grid first."""

    def measure(self, data: Any) -> Size | None:
        return len(data["rows"]), len(data["columns"])

    def read(self, reader: Reader, size: Size) -> Any:
        lines = list_lines(size)
        count = sum(room for _, _, room in lines)
        words = read_sparse(reader, count, LETTERS_G_TO_Z, read_number_16, "place")
        table: dict[str, list[str]] = {"rows": [], "columns": []}
        start = 0
        for entry, _, room in lines:
            line = [words[i] for i in range(start, start + room) if i in words]
            if UNKNOWN in line:
                raise reader.fault("a number for each block; unknown ones (.) are not read")
            table[entry].append(" ".join(reversed(line)) or "0")
            start += room
        return table

    def write(self, data: Mapping[str, Sequence[str]], size: Size) -> str:
        words = {}
        start = 0
        for entry, i, room in list_lines(size):
            line = str(data[entry][i]).split()
            if line == [UNKNOWN]:
                raise self.refuse(f"the unknown list {i + 1} of the {entry}")
            if line == ["0"]:
                line = []
            if len(line) > room:
                raise self.refuse(f"the list {i + 1} of the {entry}, which is too long,")
            for k, word in enumerate(reversed(line)):
                words[start + k] = write_number_16(int(word))
            start += room
        return write_sparse(words, start, LETTERS_G_TO_Z)


def list_lines(size: Size) -> list[tuple[str, int, int]]:
    """The columns, then the rows: the entry, the number in it, and the room for numbers."""
    height, width = size
    lines = [("columns", i, (height + 1) // 2) for i in range(width)]
    lines += [("rows", i, (width + 1) // 2) for i in range(height)]
    return lines
