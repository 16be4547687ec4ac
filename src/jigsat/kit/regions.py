"""Layers of clues about sets of cells: rooms, runs, and what an arrow points at."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeVar

from pydantic_core import core_schema

from jigsat.formula import Thing
from jigsat.kit.clues import DRAWING, SizedClues
from jigsat.kit.grid import STEPS, Cell, Line, Motion
from jigsat.kit.picture import GridPicture, centre
from jigsat.kit.reading import (
    BLACKS,
    UNKNOWN,
    Size,
    WrongWord,
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
from jigsat.kit.totals import Total
from jigsat.kit.typed import TypedText, read_values
from jigsat.kit.walks import adjacent_parts
from jigsat.words import name_place

ROOM_NAME = re.compile(r"[^<>^.,;|_\-]{1,2}|(\w)\1*|\w?\d+")  # in a typed text, which may be prose
RunPlace = tuple[Cell, Literal["down", "right"]]
SIGNS = {"^": STEPS["top"], ">": STEPS["right"], "v": STEPS["bottom"], "<": STEPS["left"]}
OTHER_SIGNS = dict(zip("↑→↓←urdlURDLV", "^>v<^>v<^>v<v", strict=True))  # as they are also typed
ARROW = re.compile(r"(?P<before>\D?)(?P<number>\d+|\?)(?P<after>\D?)")
ARROWS = {STEPS["top"]: "↑", STEPS["right"]: "→", STEPS["bottom"]: "↓", STEPS["left"]: "←"}


class Rooms(SizedClues[str, int]):
    """The grid divided into rooms, drawn with the name of the room of each cell, and a dot for a
    cell in none.

    If rooms have numbers, the entry is a table with the drawing as `cells`, and `numbers` by the
    names of the rooms.
    """

    noun = "room"
    number_noun: ClassVar[str] = "number"
    """What a number in a room is, such as a sum."""
    partial: ClassVar[bool] = False
    """Whether a cell may be in none of them."""
    written_as = core_schema.union_schema(
        [
            DRAWING,
            core_schema.typed_dict_schema(
                {
                    "cells": core_schema.typed_dict_field(DRAWING),
                    "numbers": core_schema.typed_dict_field(
                        core_schema.dict_schema(), required=False
                    ),
                },
                extra_behavior="forbid",
            ),
        ]
    )

    def __init__(
        self,
        size: Size,
        room_of: Mapping[Cell, str],
        values: Mapping[str, int],
        unknown: Iterable[str] = (),
    ) -> None:
        super().__init__(size, values, unknown)
        self.room_of = dict(room_of)
        """The name of the room of each cell."""
        self.cells: dict[str, list[Cell]] = {}
        """The cells of each room by its name."""
        for cell, name in self.room_of.items():
            self.cells.setdefault(name, []).append(cell)

    @classmethod
    def read(cls, data: Any) -> Self:
        table = data if isinstance(data, dict) else {"cells": data}
        expected = "expected rooms that are drawn, or a table with `cells` and `numbers`"
        for entry in table:
            if entry not in ("cells", "numbers"):
                raise ValueError(f"{entry!r} is unknown; {expected}")
        if "cells" not in table:
            raise ValueError(f"`cells` is missing; {expected}")
        rows = read_rows(table["cells"])
        room_of = list_drawn(rows)
        values = {}
        unknown = []
        for name, number in list_numbers(table).items():
            if name not in room_of.values():
                raise ValueError(f"numbers.{name}: there is no such room")
            if number == UNKNOWN:
                unknown.append(name)
            elif type(number) is not int or number < 0:
                raise ValueError(f"numbers.{name}: expected a number or '?'")
            else:
                values[name] = number
        return cls(measure_rows(rows), room_of, values, unknown)

    @classmethod
    def read_typed(cls, typed: TypedText) -> Self:
        rows = typed.read_drawing(lambda rows: rows, may_be_empty=False)
        names = set(list_drawn(read_rows(rows)).values())
        return cls.read({"cells": rows, "numbers": typed.take_values(names)})

    @classmethod
    def draft(cls, height: int, width: int) -> Any:
        return draw_full("A", height, width)

    def write(self) -> Any:
        table = self.write_table()
        return table if table["numbers"] else table["cells"]

    def write_table(self) -> dict[str, Any]:
        """The drawing and the numbers, of which there may be none."""
        numbers: dict[str, Any] = dict(self) | dict.fromkeys(self.unknown, UNKNOWN)
        return {"cells": draw_rows(self.room_of, *self._size), "numbers": numbers}

    def require_drawing(self) -> None:
        for cell, name in self.room_of.items():
            if not ROOM_NAME.fullmatch(name):
                where = name_place(cell)
                raise ValueError(f"{where} is {name!r}; name a {self.noun} by a letter or a number")
        for name, cells in self.cells.items():
            parts = adjacent_parts(cells)
            if len(parts) > 1:
                one, other, *_ = sorted(min(part) for part in parts)
                raise ValueError(
                    f"the {self.noun} {name} is in {len(parts)} parts, at {name_place(one)} and "
                    f"{name_place(other)}; give different names to parts that are not connected"
                )

    def with_values(self, values: Mapping[str, int]) -> Self:
        return type(self)(self._size, self.room_of, values)

    def thing(self, place: str) -> Thing:
        """A room by its first cell, because pictures do not show its name."""
        return Thing(self.noun, min(self.cells[place]))

    def with_rooms(self, room_of: Mapping[Cell, str]) -> Self:
        """Other rooms without numbers."""
        return type(self)(self._size, room_of, {})

    def meaning(self, motion: Motion) -> Hashable:
        """Each room as a set of cells, with its number; its name means nothing."""
        rooms = set()
        for name, cells in self.cells.items():
            moved = frozenset(map(motion.cell, cells))
            rooms.add((moved, self.get(name), name in self.unknown))
        return frozenset(rooms)

    def draw(self, picture: GridPicture) -> None:
        picture.walls(self.cells.values())
        for name in self.places:
            picture.corner(self.cells[name][0], str(self.get(name, UNKNOWN)))


def list_numbers(table: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of rooms by their names: a table, or a text such as 'A = 3, B = 12'. Raises
    ValueError for anything else."""
    numbers = table.get("numbers", {})
    if isinstance(numbers, str):
        numbers = read_values(numbers)
    if not isinstance(numbers, dict):
        raise ValueError("numbers: write names and values, such as A = 3, B = 12")
    return numbers


Listed = TypeVar("Listed", bound=SizedClues[Any, int])


def list_exchanges(numbers: Listed) -> Iterator[tuple[str, Listed]]:
    """The layer with two numbers exchanged of which one follows the other."""
    for one, other in pairwise(numbers):
        first, second = numbers[one], numbers[other]
        if first != second:
            changed = numbers.with_values({**numbers, one: second, other: first})
            changed.unknown = numbers.unknown
            words = f"{numbers.thing(one)} and {numbers.thing(other)}"
            yield f"{words}: {first} and {second} exchanged", changed


class NumberedRooms(Rooms):
    """Rooms that may have numbers."""

    @classmethod
    def draft(cls, height: int, width: int) -> dict[str, Any]:
        return {"cells": super().draft(height, width), "numbers": {}}

    def write(self) -> dict[str, Any]:
        """A table also without numbers, so that an editor shows a field for them."""
        return self.write_table()


class Cages(NumberedRooms):
    """Rooms that are drawn as cages, with their numbers in a corner."""

    noun = "cage"
    partial = True

    @classmethod
    def read_typed(cls, typed: TypedText) -> Self:
        typed.require_equals_signs()
        cages = super().read_typed(typed)
        for name in cages.cells:
            if name not in cages.places:
                raise ValueError(
                    f"the {cls.noun} {name} has no number; add a line such as {name} = 12, or "
                    f"{name} = {UNKNOWN} if there is none"
                )
        return cages

    def list_changes(self) -> Iterator[tuple[str, Self]]:
        return list_exchanges(self)

    @classmethod
    def draft(cls, height: int, width: int) -> dict[str, Any]:
        return {"cells": draw_blank(height, width), "numbers": {}}

    def draw(self, picture: GridPicture) -> None:
        for name, cells in self.cells.items():
            picture.cage(cells, self.word(name))

    def word(self, name: str) -> str:
        """What is written in a cage."""
        if name in self:
            return str(self[name])
        return UNKNOWN if name in self.unknown else ""


class Calculations(Cages):
    """Cages whose numbers are the results of a calculation: a number, or ? for an unknown one,
    followed by one of + - x /, or by nothing if it may be any of them.

    `signs` has the sign of each cage that has one; signs belong to the cages and are no clues.
    """

    number_noun = "result"
    written_signs: ClassVar[Mapping[str, str]] = {"+": "+", "-": "−", "x": "×", "/": "÷"}
    other_signs: ClassVar[Mapping[str, str]] = {"*": "x", "X": "x", ":": "/"}

    def __init__(
        self,
        size: Size,
        room_of: Mapping[Cell, str],
        values: Mapping[str, int],
        unknown: Iterable[str] = (),
        signs: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(size, room_of, values, unknown)
        self.signs = dict(signs or {})

    @classmethod
    def read(cls, data: Any) -> Self:
        table = dict(data) if isinstance(data, dict) else {"cells": data}
        signs = {}
        numbers = {}
        for name, word in list_numbers(table).items():
            number = "".join(str(word).split())
            if number[1:].isdecimal() and not number[0].isdecimal():
                number = number[1:] + number[0]  # such as +3
            if number[-1:] in cls.other_signs:
                number = number[:-1] + cls.other_signs[number[-1]]
            for sign, printed in cls.written_signs.items():
                if number.endswith((sign, printed)):
                    signs[name] = sign
                    number = number[:-1]
                    break
            if not number.isdecimal() and number != UNKNOWN:
                known = " ".join(cls.written_signs)
                raise ValueError(f"numbers.{name}: expected a number followed by one of {known}")
            numbers[name] = number if number == UNKNOWN else int(number)
        rooms = Rooms.read({**table, "numbers": numbers})
        size = rooms.size
        assert size is not None
        return cls(size, rooms.room_of, dict(rooms), rooms.unknown, signs)

    def write_table(self) -> dict[str, Any]:
        numbers = {}
        for name in self.places:
            numbers[name] = f"{self.get(name, UNKNOWN)}{self.signs.get(name, '')}"
        return {"cells": draw_rows(self.room_of, *self._size), "numbers": numbers}

    def with_values(self, values: Mapping[str, int]) -> Self:
        unknown = [name for name in self.signs if name not in values]
        return type(self)(self._size, self.room_of, values, unknown, self.signs)

    def meaning(self, motion: Motion) -> Hashable:
        signs = set()
        for name, sign in self.signs.items():
            signs.add((frozenset(map(motion.cell, self.cells[name])), sign))
        return super().meaning(motion), frozenset(signs)

    def word(self, name: str) -> str:
        sign = self.signs.get(name, "")
        return super().word(name) + self.written_signs.get(sign, "")

    def say(self, place: str) -> str:
        return self.word(place)


class RunSums(SizedClues[RunPlace, int]):
    """Black cells drawn as DOWN\\RIGHT or DOWN/RIGHT, where each sum may be missing, or as #, and a
    dot for a white cell.

    The first row and column of the drawing are black and no part of the grid: they have row or
    column -1.
    """

    noun = "sum"
    margin = 1
    WORD: ClassVar[re.Pattern[str]] = re.compile(r"(?P<down>[0-9]*)-?[\\/]-?(?P<right>[0-9]*)")

    def __init__(self, size: Size, black: Iterable[Cell], values: Mapping[RunPlace, int]) -> None:
        super().__init__(size, values)
        self.black = frozenset(black)

    @classmethod
    def read(cls, data: Any) -> Self:
        rows = read_rows(data)
        if len(rows) < 2 or len(rows[0]) < 2:
            raise ValueError("expected at least two rows and two columns")
        if any(map(is_blank, [*rows[0], *(row[0] for row in rows)])):
            raise ValueError("the first row and the first column must be black; write # or sums")
        black = []
        values: dict[RunPlace, int] = {}
        for (r, c), word in list_drawn(rows).items():
            cell = (r - 1, c - 1)
            if word == "0":
                continue  # a white cell
            if word in BLACKS:
                black.append(cell)
                continue
            match = cls.WORD.fullmatch(word)
            if match is None:
                raise WrongWord(
                    r,
                    f"{_name_drawn(cell)} is {word!r}; write DOWN\\RIGHT, "
                    f"DOWN\\ or \\RIGHT for sums, # for a black cell, . for a white one",
                )
            black.append(cell)
            if match["down"]:
                values[cell, "down"] = int(match["down"])
            if match["right"]:
                values[cell, "right"] = int(match["right"])
        sums = cls((len(rows) - 1, len(rows[0]) - 1), black, values)
        for place in values:
            if not sums.run(place):
                cell, way = place
                message = f"{_name_drawn(cell)}: no white cells for the sum {way}"
                raise WrongWord(cell[0] + 1, message)
        return sums

    @classmethod
    def draft(cls, height: int, width: int) -> str:
        above = [(-1, column) for column in range(-1, width)]
        beside = [(row, -1) for row in range(height)]
        return cls((height, width), [*above, *beside], {}).write()

    def write(self) -> str:
        words = {(r + 1, c + 1): self.word((r, c)) for r, c in self.black}
        return draw_rows(words, self._size[0] + 1, self._size[1] + 1)

    def word(self, cell: Cell) -> str:
        """What is written in a black cell."""
        return f"{self.get((cell, 'down'), '')}\\{self.get((cell, 'right'), '')}"

    def with_values(self, values: Mapping[RunPlace, int]) -> Self:
        return type(self)(self._size, self.black, values)

    def run(self, place: RunPlace) -> Line:
        """The white cells below or to the right of a black cell, up to the next one."""
        (r, c), way = place
        run: list[Cell] = []
        while True:
            r, c = (r + 1, c) if way == "down" else (r, c + 1)
            if r == self._size[0] or c == self._size[1] or (r, c) in self.black:
                return tuple(run)
            run.append((r, c))

    def runs(self) -> list[Line]:
        """Every run of white cells, also those without a sum."""
        ways: tuple[Literal["down", "right"], ...] = ("down", "right")
        places: list[RunPlace] = [(cell, way) for cell in sorted(self.black) for way in ways]
        return [self.run(place) for place in places if self.run(place)]

    def find_contradiction(self, size: Size) -> str:
        down, right = self._add_up("down", size), self._add_up("right", size)
        if down.contradicts(right):
            return f"the sums down add up to {down}, but those to the right to {right}"
        return ""

    def _add_up(self, way: str, size: Size) -> Total:
        """The total of the white cells, as far as they are in runs with sums in one direction."""
        height, width = size
        white = height * width - sum(min(cell) >= 0 for cell in self.black)
        places = [place for place in self if place[1] == way]
        added = sum(len(self.run(place)) for place in places)
        return Total(sum(self[place] for place in places), added == white)

    def list_changes(self) -> Iterator[tuple[str, Self]]:
        return list_exchanges(self)

    def meaning(self, motion: Motion) -> Hashable:
        """A sum by the set of cells that it is the sum of, wherever it is drawn."""
        black = frozenset(motion.cell(cell) for cell in self.black if min(cell) >= 0)
        sums = {(frozenset(map(motion.cell, self.run(place))), self[place]) for place in self}
        return black, frozenset(sums)

    def draw(self, picture: GridPicture) -> None:
        for cell in sorted(self.black):
            if min(cell) >= 0:
                picture.shade(cell, "black")
            picture.sums(cell, self.get((cell, "down")), self.get((cell, "right")))

    def thing(self, place: RunPlace) -> Thing:
        run = self.run(place)
        return Thing("run", f"{name_place(run[0])} to {name_place(run[-1])}")


def _name_drawn(cell: Cell) -> str:
    """A cell by its place in the drawing, whose first row and column are no part of the grid."""
    return f"row {cell[0] + 2} of the drawing, column {cell[1] + 2}"


class Pointer(NamedTuple):
    """An arrow in a cell; `step` is what is added to a cell to go on in its direction."""

    cell: Cell
    step: Cell


class Arrows(SizedClues[Pointer, int]):
    """Numbers with arrows in cells: a number, or ?, followed by one of ^ > v <, and a dot for
    none."""

    @property
    def cells(self) -> set[Cell]:
        """The cells with arrows."""
        return {place.cell for place in self.places}

    @classmethod
    def read(cls, data: Any) -> Self:
        rows = read_rows(data)
        values = {}
        unknown = []
        for cell, word in list_drawn(rows).items():
            match = ARROW.fullmatch(word)
            sign = match["before"] + match["after"] if match else ""
            sign = OTHER_SIGNS.get(sign, sign)
            if match is None or sign not in SIGNS:
                raise wrong_word(word, cell, "write a number followed by one of ^ > v <")
            place = Pointer(cell, SIGNS[sign])
            if match["number"] == UNKNOWN:
                unknown.append(place)
            else:
                values[place] = read_number(match["number"], cell)
        return cls(measure_rows(rows), values, unknown)

    def write(self) -> str:
        sign_of = {step: sign for sign, step in SIGNS.items()}
        words = {}
        for place in self.places:
            words[place.cell] = f"{self.get(place, UNKNOWN)}{sign_of[place.step]}"
        return draw_rows(words, *self._size)

    def with_values(self, values: Mapping[Pointer, int]) -> Self:
        unknown = [place for place in self.places if place not in values]
        return type(self)(self._size, values, unknown)

    def meaning(self, motion: Motion) -> Hashable:
        arrows = set()
        for place in self.places:
            arrows.add((motion.cell(place.cell), motion.step(place.step), self.get(place)))
        return frozenset(arrows)

    def draw(self, picture: GridPicture) -> None:
        for place in self.places:
            word = f"{self.get(place, UNKNOWN)}{ARROWS[place.step]}"
            picture.word(centre(place.cell), word)

    def thing(self, place: Pointer) -> Thing:
        return Thing("arrow", place.cell)
