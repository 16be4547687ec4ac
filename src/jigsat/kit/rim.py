"""Layers of clues beside the grid."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

from pydantic_core import core_schema

from jigsat.formula import Thing
from jigsat.kit.around import SIDES
from jigsat.kit.clues import Clues, SizedClues
from jigsat.kit.grid import Motion, Side
from jigsat.kit.picture import GridPicture
from jigsat.kit.reading import NONE, UNKNOWN, Size, is_blank, read_number
from jigsat.kit.totals import Total, compare_totals
from jigsat.kit.typed import Line, TypedText
from jigsat.words import plural

RUN = re.compile(r"[\d?._·~□⬜-]{2,}")  # digits and signs without blanks between them
BETWEEN = re.compile(r",|(?<=\d)[.-](?=\d)")  # between the numbers of a list
RimPlace = tuple[Side, int]
LinePlace = tuple[Literal["row", "column"], int]


def _make_table(sides: tuple[Side, ...]) -> core_schema.CoreSchema:
    """The type of a table with a text for some sides."""
    text = core_schema.typed_dict_field(core_schema.str_schema(), required=False)
    return core_schema.typed_dict_schema(dict.fromkeys(sides, text), extra_behavior="forbid")


class Rim(Clues[RimPlace, int]):
    """Numbers beside the grid: a table of the sides `top`, `bottom`, `left` and `right`, each with
    a number for every column or row, ? for an unknown one, or a dot for none. Without blanks or
    commas between them, there is a digit for every column or row."""

    least: ClassVar[int] = 0
    """The least number that there may be. If it is 1, 0 stands for none."""
    sides: ClassVar[tuple[Side, ...]] = SIDES
    headings = SIDES
    written_as = _make_table(SIDES)
    position: ClassVar[Mapping[Side, str]] = {
        "top": "above column",
        "bottom": "below column",
        "left": "left of row",
        "right": "right of row",
    }

    def __init__(
        self,
        values: Mapping[RimPlace, int],
        unknown: Iterable[RimPlace] = (),
        lengths: Mapping[Side, int] | None = None,
        runs: Mapping[Side, str] | None = None,
    ) -> None:
        """`lengths` are the numbers of places on the sides, as far as they are known; `runs` are
        the sides with a single word, which may be a digit for every column or row."""
        super().__init__(values, unknown)
        self.lengths = dict(lengths or {})
        self._runs = dict(runs or {})

    @classmethod
    def read(cls, data: Any) -> Self:
        if not isinstance(data, dict) or not set(data) <= set(cls.sides):
            raise ValueError(f"expected a table with some of {', '.join(cls.sides)}")
        values: dict[RimPlace, int] = {}
        unknown: list[RimPlace] = []
        lengths: dict[Side, int] = {}
        runs: dict[Side, str] = {}
        for side in cls.sides:
            words = str(data.get(side, "")).replace(",", " ").split()
            if words:
                lengths[side] = len(words)
            if len(words) == 1 and RUN.fullmatch(words[0]):
                runs[side] = words[0]
            for i, word in enumerate(words):
                if word == UNKNOWN:
                    unknown.append((side, i))
                elif not is_blank(word) and (side not in runs or word.isdecimal()):
                    number = _read_number(side, i, word)
                    if number >= cls.least:
                        values[side, i] = number
        return cls(values, unknown, lengths, runs)

    @classmethod
    def read_typed(cls, typed: TypedText) -> Self:
        table = {}
        for side in cls.sides:
            items = typed.take_list(side)
            if items:
                words = _split_side(side, items, typed.size)
                _require_whole_side(side, items[0].number, len(words), typed.size)
                table[side] = " ".join(words)
        return cls.read(table)

    def write(self) -> dict[str, str]:
        table: dict[str, str] = {}
        for side in self.sides:
            numbers = [i for other, i in self.places if other == side]
            if numbers:
                length = self.lengths.get(side, max(numbers) + 1)
                table[side] = " ".join(self.word((side, i)) for i in range(length))
        return table

    def word(self, place: RimPlace) -> str:
        """What is written at a place."""
        if place in self:
            return str(self[place])
        return UNKNOWN if place in self.unknown else NONE

    def with_values(self, values: Mapping[RimPlace, int]) -> Self:
        return type(self)(values, lengths=self.lengths)

    def fit(self, size: Size) -> Self:
        """The same numbers beside a grid of this size. Raises ValueError for a side with too many
        words or too few: it would not be clear which numbers stand where."""
        split = self._split_runs(size)
        if split:
            return self.read({**self.write(), **split}).fit(size)
        for side, run in self._runs.items():
            if not is_blank(run):
                _read_number(side, 0, run)
        lengths = {side: count_lines(side, size)[0] for side in self.sides}
        for side, lines in lengths.items():
            last = max((i for other, i in self.places if other == side), default=-1)
            words = self.lengths.get(side, lines)
            if max(words, last + 1) > lines:
                raise ValueError(f"{side}: more numbers than the {lines} of the grid")
            if words < lines:
                raise ValueError(f"{side}: {say_too_few(side, words, size)}")
        return type(self)(dict(self), self.unknown, lengths)

    def _split_runs(self, size: Size) -> dict[Side, str]:
        """The sides that are written without blanks, with blanks between their digits."""
        return {
            side: " ".join(run)
            for side, run in self._runs.items()
            if len(run) == count_lines(side, size)[0]
        }

    def meaning(self, motion: Motion) -> Hashable:
        """A number by the cells that are seen from it, the nearest first."""
        views = set()
        for side, i in self.places:
            view = tuple(map(motion.cell, motion.grid.view(side, i)))
            views.add((view, self.get((side, i))))
        return frozenset(views)

    def draw(self, picture: GridPicture) -> None:
        for side, i in self.places:
            picture.rim(side, i, [self.word((side, i))])

    def thing(self, place: RimPlace) -> Thing:
        side, i = place
        return Thing(self.noun, f"{self.position[side]} {i + 1}")


def _read_number(side: Side, i: int, word: str) -> int:
    """The number that a word of a side is."""
    line = "row" if side in ("left", "right") else "column"
    others = f", {UNKNOWN} or {NONE} for each {line}, with blanks or commas between them"
    return read_number(word, f"{side}, number {i + 1}", others)


def _split_side(side: Side, items: Sequence[Line], size: Size | None) -> list[str]:
    """The words of a side, which is one item, or an item for each word. Without blanks between
    them, there is a digit for each row or column."""
    text = items[0].text
    lines = count_lines(side, size)[0] if size is not None else 0
    if len(items) == 1 and len(text) == lines and not re.search(r"[\s,]", text):
        return list(text)
    words = [word for item in items for word in split_line(item.text)]
    if len(items) > 1 and len(words) > len(items):
        crowded = next(item for item in items if len(split_line(item.text)) > 1)
        raise ValueError(
            f"line {crowded.number}: {crowded.text!r} is more than one number; write all numbers "
            f"of a side on the line of its heading, or each on a line of its own"
        )
    return words


def _require_whole_side(side: Side, number: int, words: int, size: Size | None) -> None:
    """Raise ValueError for a side with too few words: it would not be clear where one is missing.
    Too many are refused as in a file."""
    if size is not None and words < count_lines(side, size)[0]:
        raise ValueError(f"line {number}: {side} has {say_too_few(side, words, size)}")


def count_lines(side: Side, size: Size) -> tuple[int, str]:
    """How many rows or columns end at a side, and which of the two."""
    height, width = size
    return (height, "row") if side in ("left", "right") else (width, "column")


def say_too_few(side: Side, words: int, size: Size) -> str:
    """That a side has too few words, and what to write."""
    lines = plural(*count_lines(side, size))
    return f"{plural(words, 'number')} for {lines}; write {NONE} where there is none"


class LineTotals(Rim):
    """A number for each column and row, at the top and at the left: how many of its cells have
    something. It does not matter from where a line is seen."""

    sides = ("top", "left")
    headings = sides
    written_as = _make_table(sides)

    def meaning(self, motion: Motion) -> Hashable:
        """A number by the cells of its line."""
        totals = set()
        for side, i in self.places:
            line = frozenset(map(motion.cell, motion.grid.view(side, i)))
            totals.add((line, self.get((side, i))))
        return frozenset(totals)

    def find_contradiction(self, size: Size) -> str:
        return compare_totals(self.add_up("left", size), self.add_up("top", size))

    def add_up(self, side: Side, size: Size) -> Total:
        """The total of the rows, whose numbers are at the left, or of the columns."""
        numbers = [number for (other, _), number in self.items() if other == side]
        return Total(sum(numbers), len(numbers) == count_lines(side, size)[0])


def split_line(line: Any) -> list[str]:
    """The words of a list of numbers, which a file has as '3 1', as [3, 1], or as 3."""
    if isinstance(line, list | tuple):
        return [str(number) for number in line]
    return BETWEEN.sub(" ", str(line)).split()


_LIST = core_schema.with_default_schema(
    core_schema.union_schema(
        [core_schema.str_schema(), core_schema.list_schema(core_schema.int_schema(ge=0))]
    ),
    default=UNKNOWN,
)
"""The type of a list of numbers in a file."""


class LineLists(SizedClues[LinePlace, tuple[int, ...]]):
    """A list of numbers for each row and column: a table of `rows` and `columns`, with '3 1' or
    [3, 1] for each line, '0' or '' for an empty list, and ? for an unknown one."""

    drawn = False
    headings = ("rows", "columns")
    written_as = core_schema.typed_dict_schema(
        {
            lines: core_schema.typed_dict_field(core_schema.list_schema(_LIST), required=True)
            for lines in ("rows", "columns")
        },
        extra_behavior="forbid",
    )

    @classmethod
    def read(cls, data: Any) -> Self:
        if not isinstance(data, dict) or set(data) != {"rows", "columns"}:
            raise ValueError("expected a table with rows and columns")
        values: dict[LinePlace, tuple[int, ...]] = {}
        unknown: list[LinePlace] = []
        ways: tuple[tuple[Literal["row", "column"], str], ...] = (
            ("row", "rows"),
            ("column", "columns"),
        )
        for way, entry in ways:
            if not isinstance(data[entry], list | tuple) or not data[entry]:
                raise ValueError(
                    f"{entry}: expected a list with a text such as '3 1' for each {way}"
                )
            for i, line in enumerate(data[entry]):
                words = split_line(line)
                if words == [UNKNOWN]:
                    unknown.append((way, i))
                    continue
                numbers = [read_number(word, f"{way} {i + 1}", f" or {UNKNOWN}") for word in words]
                values[way, i] = tuple(number for number in numbers if number > 0)
        return cls((len(data["rows"]), len(data["columns"])), values, unknown)

    @classmethod
    def read_typed(cls, typed: TypedText) -> Self:
        data = {}
        for heading in cls.headings:
            items = typed.take_list(heading)
            if not items:
                raise ValueError(
                    f"the {heading} are missing; write {heading}: and below it one line for each "
                    f"of them, such as 3 1"
                )
            _require_numbers(heading, items)
            _require_one_line(heading, items, typed)
            data[heading] = items
        _require_stated_size(data, typed.shape.stated)
        _require_fitting(data["rows"], len(data["columns"]), "columns")
        _require_fitting(data["columns"], len(data["rows"]), "rows")
        return cls.read({heading: [item.text for item in items] for heading, items in data.items()})

    @classmethod
    def draft(cls, height: int, width: int) -> dict[str, list[str]]:
        return cls((height, width), {}).with_values({}).write()

    def write(self) -> dict[str, list[str]]:
        rows = [self.word(("row", i)) for i in range(self._size[0])]
        columns = [self.word(("column", i)) for i in range(self._size[1])]
        return {"rows": rows, "columns": columns}

    def word(self, place: LinePlace) -> str:
        """What is written for a line."""
        if place not in self:
            return UNKNOWN
        return " ".join(map(str, self[place])) or "0"

    def with_values(self, values: Mapping[LinePlace, tuple[int, ...]]) -> Self:
        every: list[LinePlace] = [("row", i) for i in range(self._size[0])]
        every += [("column", i) for i in range(self._size[1])]
        return type(self)(self._size, values, [place for place in every if place not in values])

    def meaning(self, motion: Motion) -> Hashable:
        """A list by the cells that it is about: from the other end, it is the reversed list."""
        lists = set()
        for (way, i), numbers in self.items():
            line = motion.grid.rows[i] if way == "row" else motion.grid.columns[i]
            moved = tuple(map(motion.cell, line))
            if moved[-1] < moved[0]:
                moved, numbers = moved[::-1], numbers[::-1]
            lists.add((moved, numbers))
        return frozenset(lists)

    def find_contradiction(self, size: Size) -> str:
        height, width = size
        return compare_totals(self._add_up("row", height), self._add_up("column", width))

    def _add_up(self, way: str, lines: int) -> Total:
        """The total of the rows or of the columns."""
        totals = [sum(numbers) for (other, _), numbers in self.items() if other == way]
        return Total(sum(totals), len(totals) == lines)

    def draw(self, picture: GridPicture) -> None:
        for way, i in self.places:
            picture.rim("left" if way == "row" else "top", i, self.word((way, i)).split())

    def thing(self, place: LinePlace) -> Thing:
        way, i = place
        return Thing(way, i + 1)

    def describe_value(self, value: tuple[int, ...]) -> str:
        return " ".join(map(str, value))


def _require_numbers(heading: str, items: Sequence[Line]) -> None:
    """Raise ValueError for an item with something else than numbers."""
    for number, text in items:
        for word in split_line(text):
            if not word.isdecimal() and word != UNKNOWN:
                raise ValueError(
                    f"line {number}: {word!r} is no number; write the numbers with blanks between "
                    f"them, and a blank line after the last of the {heading}"
                )


def _require_one_line(heading: str, items: Sequence[Line], typed: TypedText) -> None:
    """Raise ValueError for several numbers after a heading without a ;, which may be those of one
    line or of several."""
    number, text = items[0]
    alone = sum(item.number == number for item in items) == 1
    if number in typed.heading_lines and alone and len(split_line(text)) > 1:
        raise ValueError(
            f"line {number}: it is not clear which numbers of {text!r} belong together; write ; "
            f"between the {heading}, or each on a line of its own below {heading}:"
        )


def _require_stated_size(lists: Mapping[str, Sequence[Line]], stated: Size | None) -> None:
    """Raise ValueError if there are more rows or columns than the text states, or fewer. Some
    people write the width first."""
    size = len(lists["rows"]), len(lists["columns"])
    if stated is None or size in (stated, stated[::-1]):
        return
    # Where one of the lists is right, the other one is wrong.
    heading, number, expected = "rows", size[0], stated[0]
    if size[0] in stated:
        heading, number = "columns", size[1]
        expected = stated[1] if size[0] == stated[0] else stated[0]
    one = "row" if heading == "rows" else "column"
    fault = f"a {one} is missing" if number < expected else f"there is a {one} too many"
    if abs(number - expected) > 1:
        fault = f"expected {expected}"
    raise ValueError(
        f"line {lists[heading][0].number}: there are {plural(number, one)}, but the title says "
        f"{stated[0]}×{stated[1]}; {fault}"
    )


def _require_fitting(items: Sequence[Line], length: int, across: str) -> None:
    """Raise ValueError for blocks that need more cells than a line has."""
    for number, text in items:
        lengths = [int(word) for word in split_line(text) if word not in (UNKNOWN, "0")]
        needed = sum(lengths) + max(0, len(lengths) - 1)
        if needed > length:
            raise ValueError(
                f"line {number}: {text!r} needs {plural(needed, 'cell')}, but there are only "
                f"{length} {across}"
            )
