"""Puzzles as people type them from print: drawings, lists below a heading, and values of names.

```text
AAAB        a drawing; several of them have a blank line between them
CDDB

rows:       a list, with one line for each item, up to a blank line
3 1
5

top: 2; 1   a list on the line of its heading, with ; between its items

A = 6, B = 12+      values of names
```

Each layer of clues takes what it knows, and what is left is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple, NoReturn, TypeVar

from jigsat.kit.around import Shape, divide_drawing
from jigsat.kit.dots import read_between_dots
from jigsat.kit.reading import NONE, Size, WrongWord, draw_blank, is_blank
from jigsat.words import join_words, plural

SEPARATORS = ("\t", ",", ";")  # between the cells of a pasted grid
# a line such as +---+ or |---|
FRAME = re.compile(r"(?=.*[+=\u2500-\u257f]|.*\|.*--)[-+=|\s\u2500-\u257f]+")
MAX_WORD = 2  # number of characters of a cell between bars; more of them are several cells
BARS = re.compile("[|\u2502\u2503\u2551]")  # between cells or boxes
HEADING = re.compile(r"\s*(\w+)\s*(:|$)\s*(.*)")
# a name and a number, a word, a quotient such as 6:, or a text in quotation marks
VALUE = re.compile(
    r"\s*([^\s=:,;]+)\s*[=:]\s*"
    r"(\"[^\"]*\"|\d+:|\?:|\d+\s+[-+*/xX×−÷](?![^\s,;])(?!\s*[=:])|[^\s=:,;]+)\s*[,;]?"
)
DRAWN_LINE = re.compile("[^=:]*")
LETTERS = re.compile(r"[^\W\d_]+")
GAP = re.compile(r"(^|,)\s*(,|$)")  # a comma with nothing on one side
# a value without a sign, such as A 6 or B 12+
UNSIGNED = re.compile(r"\s*([^\W\d]\w?)\s+(\d+[-+x*/−×÷]?)[,;]?")

ROW_HEADINGS = ("left", "rows", "row", "across", "right")
COLUMN_HEADINGS = ("top", "columns", "column", "cols", "down", "above", "bottom", "below")
"""What people write above the numbers of rows and of columns."""

T = TypeVar("T")


class Line(NamedTuple):
    """A line of a text, or a part of it, with its number."""

    number: int
    text: str


class TypedText:
    """What a text has that is not read yet."""

    def __init__(
        self,
        text: str,
        headings: Sequence[str],
        drawings: Sequence[str],
        has_signs: bool = False,
        optional: Collection[str] = (),
        shape: Shape | None = None,
    ) -> None:
        """`headings` are those of lists, and `drawings` the names of what is drawn, of which the
        `optional` ones may be left out; it `has_signs` if there are lines of signs between the rows
        of cells, which may be blank. The `shape` is what is known about the grid. Raises ValueError
        for a line that is wrong whatever it is about."""
        self.shape = shape or Shape(None, square=False)
        self.lists: dict[str, list[Line]] = {}
        self.heading_lines: set[int] = set()
        """The numbers of the lines with a heading."""
        self.values: dict[str, Line] = {}
        self.drawings: list[list[Line]] = []
        self.size: Size | None = None
        """The size of the grid, as soon as a layer has shown it."""
        # Signs between cells may stand where a dot of a corner does.
        blocks = self._divide(text if has_signs else read_between_dots(text), headings)
        blocks = _leave_out_title(blocks, has_rows=bool(drawings))
        self._second_drawing = ""  # what is wrong with it, if there must be one only
        if len(drawings) == 1 and len(blocks) > 1:
            # With a blank line between all rows, they are one drawing.
            if not has_signs and any(len(block) > 1 for block in blocks):
                self._second_drawing = _describe_second_drawing(blocks[1][0], headings)
            blocks = [[line for block in blocks for line in block]]
        if blocks and not drawings:
            self._refuse_lists(blocks, headings)
        for name in optional:
            self._complete(blocks, drawings, drawings.index(name))
        if len(blocks) != len(drawings):
            raise ValueError(
                f"there {'is' if len(blocks) == 1 else 'are'} {plural(len(blocks), 'drawing')}, "
                f"with blank lines between them; expected {_list_drawings(drawings)}"
            )
        self.drawings = blocks
        if drawings and headings and not self.lists:
            self._take_rim(headings)

    def _divide(self, text: str, headings: Sequence[str]) -> list[list[Line]]:
        """Find the lists and the values. Returns the lines between blank lines that are neither."""
        blocks: list[list[Line]] = []
        entries: list[Line] | None = None  # the list or the block to which the next line belongs
        for line in enumerate(text.splitlines(), 1):
            number, words = line
            if FRAME.fullmatch(words):
                continue
            heading = HEADING.match(words)
            if not words.strip(" "):
                entries = None
            elif heading and (name := find_heading(heading[1], headings)):
                entries = self.lists.setdefault(name, [])
                if entries:
                    raise ValueError(f"line {number}: there is a list {heading[1]!r} already")
                self.heading_lines.add(number)
                if heading[3].strip():
                    entries.append(Line(number, heading[3]))
            elif _split_values(VALUE, words):
                self._add_values(Line(number, words))
                entries = None
            elif not DRAWN_LINE.fullmatch(words):
                _refuse_value(Line(number, words), headings)
            else:
                if entries is None:
                    entries = []
                    blocks.append(entries)
                entries.append(Line(number, words))
        return blocks

    def _refuse_lists(self, blocks: Sequence[Sequence[Line]], headings: Sequence[str]) -> NoReturn:
        """Raise ValueError for lists without a heading."""
        number, words = blocks[0][0]
        if len(blocks) == len(headings) == 2 and not self.lists:
            raise ValueError(
                f"line {number}: there are two lists without a heading; write {headings[0]}: above "
                f"the one, and {headings[1]}: above the other"
            )
        raise ValueError(
            f"line {number}: {words.strip()!r} is in no list; begin each list with its heading, "
            f"{join_words([f'{heading}:' for heading in headings], ' or ')}, and put no blank line "
            f"into it"
        )

    def _complete(self, blocks: list[list[Line]], drawings: Sequence[str], index: int) -> None:
        """Put a drawing of numbers to its place if it comes later, and add it if it is missing."""
        if len(blocks) == len(drawings) and _has_letters(blocks[index]):
            last = next((i for i, block in enumerate(blocks) if not _has_letters(block)), index)
            blocks.insert(index, blocks.pop(last))
        size = self._measure(blocks)
        is_missing = len(blocks) == len(drawings) - 1 and not any(map(_has_numbers_only, blocks))
        if is_missing and size is not None:
            rows = draw_blank(*size).splitlines()
            blocks.insert(index, [Line(0, row) for row in rows])

    def _measure(self, blocks: Sequence[Sequence[Line]]) -> Size | None:
        """The size of the grid, from another drawing or from the numbers beside it."""
        if blocks:
            return len(blocks[0]), len(split_words(blocks[0])[0])
        lengths = {}
        for heading, lines in self.lists.items():
            side = find_heading(heading, ["rows", "columns"])
            lengths[side] = len(" ".join(line.text for line in lines).replace(",", " ").split())
        if not lengths:
            return None
        height, width = lengths.get("rows"), lengths.get("columns")
        return height or width or 0, width or height or 0

    def _take_rim(self, headings: Sequence[str]) -> None:
        """Make lists of the numbers around the first drawing."""
        lines = self.drawings[0]
        texts = [line.text for line in lines]
        has_separators = any(separator in text for separator in SEPARATORS for text in texts)
        are_aligned = not has_separators and not any(map(BARS.search, texts))
        rows = split_words(lines)
        try:
            divided = divide_drawing(texts if are_aligned else [], rows, headings, self.shape)
        except ValueError as error:
            raise ValueError(f"line {lines[0].number}: {error}") from error
        if divided is None:
            return
        for side, words in divided.sides.items():
            heading = find_heading(side, headings)
            if not heading or heading in self.lists:
                return
            self.lists[heading] = [Line(lines[0].number, " ".join(words))]
        first = "top" in divided.sides
        self.drawings[0] = [
            Line(line.number, " ".join(row))
            for line, row in zip(lines[first:], divided.rows, strict=False)
        ]

    def _add_values(self, line: Line) -> None:
        for name, value in _split_values(VALUE, line.text):
            if name in self.values:
                before = self.values[name].number
                raise ValueError(f"line {line.number}: {name} has a value in line {before} already")
            self.values[name] = Line(line.number, value)

    def take_drawing(self) -> list[Line]:
        """The lines of the next drawing. Raises ValueError for another one if it is the only one
        that belongs to the kind."""
        if self._second_drawing:
            raise ValueError(self._second_drawing)
        return self.drawings.pop(0)

    def read_drawing(self, read: Callable[[list[str]], T], may_be_empty: bool = True) -> T:
        """What is made of the rows of the next drawing, in which a field between separators
        `may_be_empty`. An error names the line."""
        lines = self.take_drawing()
        try:
            return read(split_cells(lines, may_be_empty))
        except WrongWord as error:
            raise ValueError(f"line {lines[error.row].number}: {error}") from error

    def require_equals_signs(self) -> None:
        """Raise ValueError for a value such as 'A 3+' below the next drawing."""
        first, *others = self.drawings[0]
        for number, words in others:
            values = _split_values(UNSIGNED, words)
            if values and len(words.split()) != len(first.text.split()):
                name, value = values[0]
                raise ValueError(
                    f"line {number}: {words.strip()!r} is no row of the drawing; if {name} has "
                    f"the value {value}, write {name} = {value}"
                )

    def take_list(self, heading: str) -> list[Line]:
        """The items below a heading, or after it; none if the text does not have it. Each line is
        an item, or several with ; between them. Raises ValueError for an empty one, and for a comma
        with nothing before or after it: something may be missing there."""
        items = []
        for number, text in self.lists.pop(heading, []):
            for item in text.split(";"):
                if not item.strip():
                    raise ValueError(
                        f"line {number}: there is nothing before or after a ;; write 0 for a line "
                        f"without numbers"
                    )
                if GAP.search(item):
                    raise ValueError(
                        f"line {number}: there is no number before or after a comma in "
                        f"{item.strip()!r}"
                    )
                items.append(Line(number, item.strip()))
        return items

    def take_values(self, names: Collection[str]) -> dict[str, int | str]:
        """The values of some names, as far as the text has them: numbers, and other words."""
        taken: dict[str, int | str] = {}
        for name, (_, word) in self.values.items():
            if name in names:
                taken[name] = int(word) if word.isdecimal() else word.strip('"')
        self.values = {name: line for name, line in self.values.items() if name not in names}
        return taken

    def require_end(self) -> None:
        """Raise ValueError for what no layer has taken."""
        for name, line in self.values.items():
            raise ValueError(
                f"line {line.number}: {name} = {line.text}, but nothing in the drawing is called "
                f"{name}"
            )


def find_heading(word: str, headings: Sequence[str]) -> str:
    """The heading of a kind that a word means; "" if it means none.

    >>> find_heading("Rows", ["top", "left"]), find_heading("cols", ["rows", "columns"])
    ('left', 'columns')
    """
    name = word.lower()
    if name in headings:
        return name
    for alike in (ROW_HEADINGS, COLUMN_HEADINGS):
        meant = [heading for heading in headings if heading in alike]
        if name in alike and len(meant) == 1:
            return meant[0]
    return ""


def _leave_out_title(blocks: list[list[Line]], has_rows: bool) -> list[list[Line]]:
    """The blocks without words such as 'Monday, medium' that stand alone above the others. Raises
    ValueError if they are not alone."""
    if not blocks:
        return blocks
    (title, *below), *others = blocks
    rest = [line.text for line in (*below, *(line for block in others for line in block))]
    if not _is_prose(title.text, rest):
        return blocks
    if has_rows and below:
        raise ValueError(
            f"line {title.number}: {title.text.strip()!r} is no row of the drawing; leave it out, "
            f"or put a blank line below it"
        )
    return [below, *others] if below else others


def _is_prose(text: str, rest: Sequence[str]) -> bool:
    """Whether a line has words that no row of the kind can be: several of them, a long one, and a
    letter that is nowhere in the rest, which has no such words."""
    letters = set("".join(LETTERS.findall(text)))
    has_others = any(map(_has_words, rest))
    return _has_words(text) and not has_others and not letters <= set("".join(rest))


def _has_words(text: str) -> bool:
    """Whether a line has several words, of which one is long."""
    words = LETTERS.findall(text)
    is_long = any(len(word) > 3 and len(set(word)) > 2 for word in words)
    return is_long and len(text.split()) > 1


def _describe_second_drawing(line: Line, headings: Sequence[str]) -> str:
    """That a drawing begins in a line where none is expected; it may be a list without heading."""
    words = (
        f"line {line.number}: a second drawing begins here; expected one, without blank lines in it"
    )
    if not headings:
        return words
    return f"{words}; above or before a list, write its heading, such as {headings[0]}:"


def _refuse_value(line: Line, headings: Sequence[str]) -> NoReturn:
    """Raise ValueError for a line with = or : that is neither a list nor values."""
    name, colon, _ = line.text.partition(":")
    if colon and headings:
        lists = join_words([f"{heading}:" for heading in headings])
        raise ValueError(
            f"line {line.number}: {name.strip()!r} is no heading of this kind, which has {lists}"
        )
    raise ValueError(f"line {line.number}: write a name and its value, such as A = 6")


def _list_drawings(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"one drawing, the {names[0]}"
    return f"{len(names)}: {join_words(list(names))}"


def read_values(text: str) -> dict[str, int | str]:
    """Names and their values, with commas or blanks between them. Raises ValueError.

    >>> read_values("A = 6, B=7 C: 12+")
    {'A': 6, 'B': 7, 'C': '12+'}
    """
    values: dict[str, int | str] = {}
    words = _split_values(VALUE, text)
    if text.strip() and not words:
        raise ValueError("numbers: write names and values, such as A = 3, B = 12")
    for name, word in words:
        if name in values:
            raise ValueError(f"numbers: {name} has two values")
        values[name] = int(word) if word.isdecimal() else word
    return values


def _split_values(value: re.Pattern[str], text: str) -> list[tuple[str, str]]:
    """The names and values of which a text consists; none if it has anything else. They are matched
    one by one: a pattern for all of them would try every way to divide a text that does not
    match."""
    values = []
    position = 0
    while match := value.match(text, position):
        values.append((match[1], match[2]))
        position = match.end()
    return values if not text[position:].strip() else []


def split_cells(lines: Sequence[Line], may_be_empty: bool = True) -> list[str]:
    """The rows of a grid as people type and paste it, with blanks between its cells: these have
    tabs, commas or semicolons between them, or blanks, or nothing. A field between separators that
    `may_be_empty` becomes a dot. Raises ValueError if it is not clear where a cell is.

    >>> split_cells([Line(1, "3,,2"), Line(2, ",1,")])
    ['3 . 2', '. 1 .']
    >>> split_cells([Line(1, "3 . 2"), Line(2, ". 10 .")])
    ['3 . 2', '. 10 .']
    >>> split_cells([Line(1, "3.2"), Line(2, ".1.")])
    ['3 . 2', '. 1 .']
    """
    lines = [Line(line.number, unbar(line.text)) for line in lines]
    rows = split_words(lines, may_be_empty)
    has_blanks = not any(separator in line.text for line in lines for separator in SEPARATORS)
    if has_blanks and all(len(line.text.split()) <= 1 for line in lines):
        _require_equal_indents(lines)
    _require_equal_lengths(lines, rows)
    if has_blanks and all(len(word) == 1 for row in rows for word in row):
        _require_columns(lines)
    return [" ".join(row) for row in rows]


def split_words(lines: Sequence[Line], may_be_empty: bool = True) -> list[list[str]]:
    """The cells of some rows, wherever they stand in them."""
    lines = [Line(line.number, unbar(line.text)) for line in lines]
    text = "\n".join(line.text for line in lines)
    for separator in SEPARATORS:
        if separator in text:
            return [_split_fields(line, separator, may_be_empty) for line in lines]
    if any(len(line.text.split()) > 1 for line in lines):
        return [line.text.split() for line in lines]
    return [list(line.text.strip()) for line in lines]


def _has_numbers_only(lines: Sequence[Line]) -> bool:
    """Whether a drawing has numbers in some cells, and nothing else."""
    words = [word for row in split_words(lines) for word in row]
    return any(map(is_blank, words)) and all(word.isdecimal() or is_blank(word) for word in words)


def _has_letters(lines: Sequence[Line]) -> bool:
    return any(character.isalpha() for line in lines for character in line.text)


def unbar(row: str) -> str:
    """A row in which the bars between all cells, or between boxes of cells, are gone.

    >>> unbar("| 1 |   | 2 |"), unbar("1 2|. ."), unbar("..1|2.3")
    ('1 . 2', '1 2 . .', '..12.3')
    """
    bars = BARS.findall(row)
    if not bars:
        return row
    fields = [field.strip() for field in BARS.split(row.strip().strip("|\u2502\u2503\u2551"))]
    if len(fields) > 1 and not any(" " in field for field in fields) and "" in fields:
        return " ".join(field or NONE for field in fields)
    is_spaced = any(" " in field for field in fields)
    return (" " if is_spaced or max(map(len, fields)) <= MAX_WORD else "").join(fields)


def _split_fields(line: Line, separator: str, may_be_empty: bool) -> list[str]:
    """The cells of a row with a separator between them."""
    fields = [field.strip() or NONE for field in line.text.split(separator)]
    if not may_be_empty and NONE in fields and NONE not in line.text:
        raise ValueError(f"line {line.number}: a cell is empty; write {NONE} for a cell in no room")
    for field in fields:
        if re.search(r"[\s,;]", field):
            raise ValueError(
                f"line {line.number}: {field!r} stands between two separators; write the same one "
                f"between all cells"
            )
    return fields


def _require_equal_indents(lines: Sequence[Line]) -> None:
    """Raise ValueError for a row that is indented more or less than the first one: a blank may be
    meant as a cell."""
    indents = [len(line.text) - len(line.text.lstrip()) for line in lines]
    for line, indent in zip(lines, indents, strict=True):
        if indent != indents[0]:
            raise ValueError(
                f"line {line.number} is not indented as line {lines[0].number}; draw {NONE} where "
                f"a cell is empty"
            )


def _require_columns(lines: Sequence[Line]) -> None:
    """Raise ValueError for a row of single signs that do not stand below those of the first row: a
    blank may be meant as a cell."""
    columns = [[at for at, sign in enumerate(line.text) if not sign.isspace()] for line in lines]
    for line, places in zip(lines, columns, strict=True):
        if len(places) == len(columns[0]) and places != columns[0]:
            raise ValueError(
                f"line {line.number}: the cells do not stand below those of line "
                f"{lines[0].number}; draw {NONE} where a cell is empty"
            )


def _require_equal_lengths(lines: Sequence[Line], rows: Sequence[Sequence[str]]) -> None:
    """Raise ValueError for a row of another length than most of them, or than the first one if no
    length is that of most."""
    lengths = Counter(map(len, rows))
    if len(lengths) <= 1:
        return
    # Numbers above or below the columns may be fewer, so another line is more likely to be wrong.
    inner = [number for number in range(len(rows)) if not _may_be_beside(rows, number)]
    usual = _find_usual(map(len, rows)) or _find_usual(len(rows[number]) for number in inner)
    others = f"most lines have {usual}"
    if usual is None:
        usual = len(rows[0])
        others = f"line {lines[0].number} has {usual}"
    wrong = [number for number, row in enumerate(rows) if len(row) != usual]
    likely = [number for number in wrong if number in inner] or wrong
    number = min(likely, key=lambda number: lengths[len(rows[number])])
    raise ValueError(
        f"line {lines[number].number} has {plural(len(rows[number]), 'cell')}, but {others}; draw "
        f"{NONE} where a cell is empty"
    )


def _find_usual(lengths: Iterable[int]) -> int | None:
    """The length of more than half of some rows; None if there is none."""
    times = Counter(lengths)
    for length, number in times.items():
        if number > 1 and 2 * number > times.total():
            return length
    return None


def _may_be_beside(rows: Sequence[Sequence[str]], number: int) -> bool:
    """Whether a row may be the numbers above or below a grid."""
    is_outer = number in (0, len(rows) - 1)
    return is_outer and all(word.isdecimal() or is_blank(word) for word in rows[number])
