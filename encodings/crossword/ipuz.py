"""Reading .ipuz files, version 2 and the older one: JSON with the grid, its solution and the clues.

A file states some things several times: the size of the grid, the numbers of the squares, letters
in the solution and in the answers of clues. Where they contradict each other, the file is refused,
with all its faults.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jigsat.encodings.crossword.causes import Stated, find_wrong_squares, fold
from jigsat.encodings.crossword.data import (
    BLANK,
    BLOCK,
    Bars,
    Cell,
    Slot,
    draw_bars,
    draw_circles,
    slots,
)
from jigsat.encodings.crossword.ipuz_clues import list_lengths, read_clues
from jigsat.encodings.crossword.markup import strip_markup
from jigsat.encodings.crossword.rebus import SignTable, expand

from jigsat.errors import Fault, FaultyError, InputError, printable
from jigsat.puzzle import warn_if_accepted
from jigsat.runtime.untrusted import parse_json
from jigsat.words import plural

KIND = "http://ipuz.org/crossword"
VERSIONS = ("http://ipuz.org/v1", "http://ipuz.org/v2")
SIDES = {"T": (-1, 0), "R": (0, 1), "B": (1, 0), "L": (0, -1)}  # of a square, which may have bars
TEXTS = {"title": "title", "author": "author", "copyright": "copyright", "source": "origin"}
"""The texts of a file, by the entry that they become."""
OTHER_KINDS = ("arrowword", "acrostic", "diagramless")  # crosswords with other rules


def read_ipuz(text: str) -> dict[str, Any] | None:
    """The data of an .ipuz file; None if the text is something else. The words of its solution are
    the answers."""
    text = text.strip()
    if re.match(r"ipuz\s*\(", text):
        text = text.removesuffix(";").rstrip().removesuffix(")").partition("(")[2].strip()
    like_ipuz = "ipuz.org/" in text or ('"puzzle"' in text and '"dimensions"' in text)
    if not text.startswith("{") or not like_ipuz:
        return None
    data = parse_json(text)
    _require_kind(data.get("kind"))

    grid = _Grid(data)
    faults = grid.faults
    solution = _list_rows(data, "solution") if data.get("solution") else []
    grid.require_all_rows(data.get("dimensions"), solution)
    grid.compare_dimensions(data.get("dimensions"))
    grid.correct_squares(solution, list_lengths(data.get("clues")))
    if solution:
        grid.read_solution(solution)
    grid.compare_numbers()

    filled = grid.draw(grid.givens | grid.letters)
    words = slots(filled, grid.bars)
    rebus = grid.signs.rebus()
    questions = read_clues(data.get("clues"), words, filled, rebus, faults)
    entries = {
        "family": "crossword",
        **_read_texts(data),
        "grid": grid.draw(grid.givens),
        **({"bars": draw_bars(grid.bars, filled)} if grid.bars else {}),
        **draw_circles(grid.circled, filled),
        **({"rebus": rebus} if rebus else {}),
        **list_answers(filled, words),
        **({"questions": questions} if questions else {}),
    }
    if faults:
        raise FaultyError(str(faults[0]), faults, entries)
    warn_of_remarks(entries, list(_find_remarks(data)))
    return entries


def warn_of_remarks(entries: Mapping[str, Any], remarks: Sequence[str]) -> None:
    """Warn of what is unusual about a file, if its entries make a crossword."""
    if remarks:
        from jigsat.encodings.crossword.rules import Crossword  # which imports this module

        warn_if_accepted(Crossword, entries, remarks)


def require_equal_rows(lengths: Sequence[int], place: str) -> None:
    """Raise FaultyError for rows that differ in length from most others: nothing else can be said
    then. `place` is where the file has them."""
    if len(set(lengths)) < 2:
        return
    ((usual, _),) = Counter(lengths).most_common(1)
    faults = []
    for r, length in enumerate(lengths, 1):
        if length != usual:
            wrong = f"{plural(length, 'square')}, but most rows have {usual}"
            faults.append(Fault(f"{place}: row {r}", wrong, "make all rows of equal length"))
    raise FaultyError(str(faults[0]), faults)


def _require_kind(kind: Any) -> None:
    if KIND not in str(kind):
        raise InputError(f"kind: only crosswords can be read; got {_quote(kind)}")
    for name in OTHER_KINDS:
        if name in str(kind):
            raise InputError(f"kind: only crosswords can be read; got {_quote(name)}")


def _find_remarks(data: Mapping[str, Any]) -> Iterator[str]:
    """What is unusual about a file that is read."""
    version = data.get("version")
    if version not in VERSIONS:
        stated = "has no version" if version is None else f"has the version {_quote(version)}"
        yield f"the ipuz file {stated}; it is read as version 2"
    if data.get("dimensions") is None:
        yield "the ipuz file has no dimensions; those of `puzzle` are taken"
    if data.get("saved"):
        yield "the letters in `saved`, which a solver has filled in, are left out"


def _read_texts(data: Mapping[str, Any]) -> dict[str, str]:
    """The title, the author, the copyright and the origin, as far as they are stated."""
    return list_texts({entry: _text(data, name) for entry, name in TEXTS.items()})


def list_texts(texts: Mapping[str, str]) -> dict[str, str]:
    """Entries without HTML, as far as there is a text for them."""
    plain = {entry: strip_markup(text) for entry, text in texts.items()}
    return {entry: text for entry, text in plain.items() if text}


def _text(data: Mapping[str, Any], entry: str) -> str:
    """A text of the file; '' if it is missing."""
    value = data.get(entry)
    if not isinstance(value, str | None):
        raise InputError(f"{entry}: expected a text; got {_quote(value)}")
    return value or ""


def _quote(value: Any) -> str:
    return printable(repr(value)[:40])


def _list_rows(data: Mapping[str, Any], entry: str) -> list[list[Any]]:
    rows = data.get(entry)
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise InputError(f"{entry}: expected a list of rows; got {_quote(rows)}")
    return rows


def list_answers(filled: Sequence[str], slots: Sequence[Slot]) -> dict[str, Any]:
    """The entry `answers`: the words of the slots in which every square has a letter."""
    words = {slot.name: "".join(filled[r][c] for r, c in slot.cells) for slot in slots}
    answers = {name: word for name, word in words.items() if BLANK not in word}
    repeats = {"repeats": True} if len(set(answers.values())) < len(answers) else {}
    return {"answers": answers, **repeats} if answers else {}


@dataclass(frozen=True)
class _Marks:
    """How a file writes blocks and empty squares, and its named styles."""

    block: str
    empty: str
    styles: Mapping[str, Any]

    def read_bars(self, style: Any, place: Cell) -> Iterator[tuple[Cell, Cell]]:
        """The bars at the sides of a square that its style states, such as {"barred": "TR"}."""
        if isinstance(style, str):
            style = self.styles.get(style)
        stated = style.get("barred") if isinstance(style, dict) else None
        for side in stated if isinstance(stated, str) else "":
            if side not in SIDES:
                raise InputError(
                    f"{_name('puzzle', place)} is barred on {_quote(side)}; write some of T, R, B "
                    f"and L"
                )
            down, across = SIDES[side]
            beside = place[0] + down, place[1] + across
            yield min(place, beside), max(place, beside)

    def has_circle(self, style: Any) -> bool:
        """Whether a style draws a circle into the square."""
        if isinstance(style, str):
            style = self.styles.get(style)
        return isinstance(style, dict) and style.get("shapebg") == "circle"

    def is_block(self, cell: Any) -> bool:
        return cell is None or str(cell) == self.block

    def is_empty(self, value: Any) -> bool:
        return value is None or str(value) in ("", self.empty)

    def read_letters(self, value: Any) -> str | None:
        """The letters of a square, in capitals; '' for none, and None for anything else."""
        if self.is_empty(value):
            return ""
        if isinstance(value, str) and value.isalnum() and (len(value.upper()) == len(value)):
            return value.upper()
        return None


class _Grid:
    """The squares of `puzzle`, the letters of `solution`, and the faults in both."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._rows = _list_rows(data, "puzzle")
        styles = data.get("styles")
        self._marks = _Marks(
            block=str(data.get("block", BLOCK)),
            empty=str(data.get("empty", "0")),
            styles=styles if isinstance(styles, dict) else {},
        )
        self._labels: dict[Cell, Any] = {}  # by square that is not a block, None for no label
        self.signs = SignTable()
        self.givens: dict[Cell, str] = {}
        self.letters: dict[Cell, str] = {}  # of the solution
        self._bars: set[tuple[Cell, Cell]] = set()
        self.circled: set[Cell] = set()
        self._corrected: frozenset[Cell] = frozenset()
        self.faults: list[Fault] = []
        require_equal_rows([len(row) for row in self._rows], "puzzle")
        for r, row in enumerate(self._rows):
            for c, cell in enumerate(row):
                self._read_square((r, c), cell)

    def _add_fault(self, place: str, wrong: str, remedy: str) -> None:
        self.faults.append(Fault(place, wrong, remedy))

    def _read_square(self, place: Cell, cell: Any) -> None:
        where = _name("puzzle", place)
        value = None
        if isinstance(cell, dict):
            self._read_style(cell.get("style"), place)
            cell, value = cell.get("cell", self._marks.empty), cell.get("value")
        if self._marks.is_block(cell):
            return
        self._labels[place] = None if self._marks.is_empty(cell) or str(cell) == "0" else cell
        letters = self._marks.read_letters(value)
        if letters is None:
            self._add_fault(where, f"{_quote(value)} instead of letters", "write letters or digits")
        elif letters:
            self.givens[place] = self.signs.find_sign(letters)

    def _read_style(self, style: Any, place: Cell) -> None:
        """Note the bars and the circle of a square."""
        self._bars.update(self._marks.read_bars(style, place))
        if self._marks.has_circle(style):
            self.circled.add(place)

    @property
    def bars(self) -> Bars:
        """The bars between squares, not those at the rim and at blocks."""
        squares = self._labels.keys()
        return frozenset(pair for pair in self._bars if squares >= set(pair))

    def draw(self, letters: Mapping[Cell, str]) -> list[str]:
        """The grid as the rows of an instance, with some letters."""
        rows = []
        for r, row in enumerate(self._rows):
            characters = ""
            for c in range(len(row)):
                if (r, c) in self._labels:
                    characters += letters.get((r, c), BLANK)
                else:
                    characters += BLOCK
            rows.append(characters)
        return rows

    def require_all_rows(self, stated: Any, solution: Sequence[Any]) -> None:
        """Raise FaultyError if the dimensions and the solution have another number of rows: nothing
        else can be said then."""
        height = stated.get("height") if isinstance(stated, dict) else None
        if solution and len(solution) != len(self._rows) and str(height) == str(len(solution)):
            wrong = f"{plural(len(self._rows), 'row')}, but the dimensions and the solution have "
            fault = Fault("puzzle", f"{wrong}{len(solution)}", "complete the grid")
            raise FaultyError(str(fault), [fault])

    def compare_dimensions(self, stated: Any) -> None:
        """Find a stated size that is not that of the grid."""
        if stated is None:
            return
        if not isinstance(stated, dict):
            raise InputError(f"dimensions: expected a width and a height; got {_quote(stated)}")
        sizes = {"height": len(self._rows), "width": len(self._rows[0]) if self._rows else 0}
        for name, size in sizes.items():
            noun = "row" if name == "height" else "square"
            of = "`puzzle`" if name == "height" else "a row of `puzzle`"
            if name in stated and str(stated[name]) != str(size):
                self._add_fault(
                    "dimensions",
                    f"{name} {_quote(stated[name])}, but {of} has {plural(size, noun)}",
                    f"write {size}, or complete the grid",
                )

    def correct_squares(self, solution: list[list[Any]], lengths: Mapping[str, int]) -> None:
        """Find squares that should be blocks, and blocks that should be squares, by what the file
        states otherwise; and correct them, so that what follows from them is not listed as well."""
        places = [(r, c) for r, row in enumerate(self._rows) for c in range(len(row))]
        doubtful = []
        if [len(row) for row in solution] == [len(row) for row in self._rows]:
            for r, c in places:
                is_block = str(_read_value(solution[r][c])) == self._marks.block
                if is_block == ((r, c) in self._labels):
                    doubtful.append((r, c))
        numbers = {cell: _write_label(label) for cell, label in self._labels.items()}
        self._corrected = find_wrong_squares(
            set(self._labels), places, frozenset(self._bars), Stated(numbers, lengths), doubtful
        )
        for place in sorted(self._corrected):
            self._correct_square(place, in_solution=place in doubtful)

    def _correct_square(self, place: Cell, *, in_solution: bool) -> None:
        there, needed = "a block", "a square"
        if place in self._labels:
            there, needed = needed, there
        self._add_fault(
            _name("puzzle", place),
            f"{there}, but the numbers and the clues"
            f"{', like the solution,' if in_solution else ''} are those of a grid with {needed} "
            f"there",
            f"make it {needed}",
        )
        if place in self._labels:
            del self._labels[place]
            self.givens.pop(place, None)
            self.circled.discard(place)
        else:
            self._labels[place] = None

    def read_solution(self, rows: list[list[Any]]) -> None:
        """Read the letters of the solution, which has a letter in every square or in none."""
        lengths = [len(row) for row in self._rows]
        if len(rows) != len(lengths):
            self._add_fault(
                "solution",
                f"{plural(len(rows), 'row')}, but `puzzle` has {len(lengths)}",
                "write a row for each row of the grid",
            )
            return
        uneven = [r for r, row in enumerate(rows) if len(row) != lengths[r]]
        for r in uneven:
            self._add_fault(
                f"solution: row {r + 1}",
                f"{plural(len(rows[r]), 'square')}, but that of `puzzle` has {lengths[r]}",
                "write a letter or a block for each square",
            )
        if uneven:
            return
        missing: list[Cell] = []
        for r, row in enumerate(rows):
            for c, solved in enumerate(row):
                if self._read_solved((r, c), solved):
                    missing.append((r, c))
        if self.letters:
            for place in missing:
                self._add_fault(_name("solution", place), "no letter", "write it")

    def _read_solved(self, place: Cell, solved: Any) -> bool:
        """Read the letter of a square in the solution; returns whether it should have one and has
        none."""
        where = _name("solution", place)
        white = place in self._labels
        if isinstance(solved, dict):
            self._read_style(solved.get("style"), place)
        solved = _read_value(solved)
        is_block = str(solved) == self._marks.block
        if place in self._corrected and white == is_block:
            return False  # the solution has the same mistake as the grid
        if is_block:
            if white:
                remedy = "write a letter, or make it a block in both"
                self._add_fault(where, "a block, but `puzzle` has a square there", remedy)
            return False

        letters = self._marks.read_letters(solved)
        if not letters:
            if letters is None:
                wrong = f"{_quote(solved)} instead of letters"
                self._add_fault(where, wrong, "write letters or digits")
            return white and letters == ""

        if not white:
            wrong = f"{letters!r}, but `puzzle` has a block there"
            self._add_fault(where, wrong, "write a block, or make it a square in both")
            return False
        sign = self.signs.find_sign(letters)
        given = self.givens.get(place, sign)
        if sign != given:
            shown = expand(given, self.signs.rebus())
            wrong = f"{letters!r}, but `puzzle` shows {shown!r} there"
            self._add_fault(where, wrong, "write the same letter in both")
        self.letters[place] = sign
        return False

    def compare_numbers(self) -> None:
        """Find numbers other than those of squares that are numbered row by row, unless there are
        none at all."""
        if not any(label is not None for label in self._labels.values()):
            return
        numbers = {slot.cells[0]: slot.number for slot in slots(self.draw({}), self.bars)}
        wrong = []
        for place, label in self._labels.items():
            number = numbers.get(place)
            if place in self._corrected or _write_label(label) == _write_label(number):
                continue
            stated = "no number" if label is None else f"number {_quote(label)}"
            right = "no word begins there"
            if number:
                right = f"it would be {number} if words are counted row by row"
            fault = Fault(
                _name("puzzle", place),
                f"{stated}, but {right}",
                f"write {number}" if number else "remove the number",
            )
            wrong.append(fault)
        self.faults += fold(wrong, "square")


def _read_value(solved: Any) -> Any:
    """What a square of the solution holds."""
    return solved.get("value", solved.get("cell")) if isinstance(solved, dict) else solved


def _write_label(label: Any) -> str:
    return "" if label is None else str(label)


def _name(entry: str, place: Cell) -> str:
    r, c = place
    return f"{entry}: row {r + 1}, column {c + 1}"
