"""Reading the clues of an .ipuz file, in all the forms in which programs write them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from jigsat.encodings.crossword.causes import MANY_CONTRADICTIONS, REMAINING_SHARE, fold
from jigsat.encodings.crossword.data import BLANK, Cell, Slot
from jigsat.encodings.crossword.markup import strip_markup
from jigsat.encodings.crossword.words import spell_word

from jigsat.errors import Fault, InputError, printable
from jigsat.words import plural

OTHER = {"across": "down", "down": "across"}
DIRECTIONS = tuple(OTHER)
EXCHANGED = Fault(
    "clues", "the clues across are those of the words down", "exchange `Across` and `Down`"
)
SEPARATORS = re.compile(r"\s*[-–,;/&+]\s*")  # in numbers such as '2-3'
ANSWER = re.compile(r"[^\W\d_]+([ -]?[^\W\d_]+)*")  # not the lengths of words, such as '(3,4)'
NUMBER = re.compile(r"(\d{1,5})\s*(a|across|d|down)?", re.ASCII | re.IGNORECASE)

RENUMBERED = Fault(
    "clues", "most numbers are not those of the words in their order", "number the clues anew"
)


class Clue(NamedTuple):
    """A clue: its numbers in the file, its text, and the answer and the squares if they are
    stated."""

    numbers: list[Any]
    text: str
    answer: str = ""
    cells: Any = None


def read_clues(
    clues: Any,
    slots: Sequence[Slot],
    filled: Sequence[str],
    rebus: Mapping[str, str],
    faults: list[Fault],
) -> dict[str, str]:
    """The entry `questions` for the slots of a grid, which may be filled.

    Adds a fault for a clue that belongs to no slot, that is given twice, or whose answer is not in
    the grid; one fault if the clues across are those down, or if most numbers are wrong. Raises
    InputError for what is no list of clues.
    """
    if clues is None:
        return {}
    if not isinstance(clues, dict):
        raise InputError(f"clues: expected lists by direction; got {_quote(clues)}")
    by_direction: list[tuple[str, Sequence[Any]]] = []
    for title, listed in clues.items():
        direction = title.partition(":")[0].strip().lower()
        if direction not in DIRECTIONS:
            raise InputError(
                f"clues: {_quote(title)}: only the directions Across and Down can be read"
            )
        by_direction.append((direction, listed if isinstance(listed, list) else [listed]))

    reader = _Reader(slots, filled, rebus)
    for direction, items in by_direction:
        reader.add_all(items, direction)
    others = _list_other_readings(by_direction, slots)
    if reader.count_faults() >= MANY_CONTRADICTIONS:
        for cause, other_clues in others:
            other = _Reader(slots, filled, rebus)
            with suppress(InputError):  # there are fewer words than clues without numbers
                for direction, items in other_clues:
                    other.add_all(items, direction)
                if other.count_faults() <= REMAINING_SHARE * reader.count_faults():
                    faults.append(cause)
                    reader = other
                    break
    faults += reader.faults()
    return reader.questions()


def _list_other_readings(
    by_direction: Sequence[tuple[str, Sequence[Any]]], slots: Sequence[Slot]
) -> Iterator[tuple[Fault, list[tuple[str, Sequence[Any]]]]]:
    """Clues as they may be meant if most of them contradict the grid, with what is wrong then."""
    yield EXCHANGED, [(OTHER[direction], items) for direction, items in by_direction]

    renumbered: list[tuple[str, Sequence[Any]]] = []
    is_wrong = False
    for direction, items in by_direction:
        numbers = [slot.number for slot in slots if slot.direction == direction]
        if len(items) != len(numbers) or any(isinstance(item, str) for item in items):
            return
        clues = []
        different = 0
        for number, item in zip(numbers, items, strict=True):
            clue = _read_clue(item)
            different += _name_word(str(clue.numbers[0]), direction) != f"{number} {direction}"
            clues.append(clue._replace(numbers=[number]))
        renumbered.append((direction, clues))
        is_wrong = is_wrong or (different > 1 and 2 * different > len(items))
    if is_wrong:
        yield RENUMBERED, renumbered


def list_lengths(clues: Any) -> dict[str, int]:
    """The numbers of letters of the words for which there are clues, 0 where the answer is not
    stated. Clues in the order of the words state nothing of this."""
    lengths = {}
    for title, listed in clues.items() if isinstance(clues, dict) else ():
        direction = title.partition(":")[0].strip().lower()
        for item in listed if isinstance(listed, list) else [listed]:
            try:
                clue = _read_clue(item)
            except InputError:
                return {}
            names = list(_name_words(clue, direction))
            letters = sum(map(str.isalnum, clue.answer)) if len(names) == 1 else 0
            lengths.update(dict.fromkeys(names, letters))
    lengths.pop("", None)
    return lengths


def _read_clue(item: Any) -> Clue:
    """A clue as a list or as an object."""
    number: Any = None
    text: Any = None
    answer: Any = ""
    cells: Any = None
    if isinstance(item, list) and len(item) in (2, 3):
        number, text, answer = _read_listed_clue(item)
    elif isinstance(item, dict):
        number = item.get("number", item.get("numbers", item.get("label")))
        text, answer = item.get("clue", ""), item.get("answer", "")
        cells = item.get("cells")

    numbers = number if isinstance(number, list) else [number]
    if not numbers or not all(map(_is_number, numbers)) or not isinstance(text, str):
        raise InputError(f"clues: expected a number and a text for each clue; got {_quote(item)}")
    if not isinstance(answer, str | None):
        raise InputError(
            f"clues: expected the answer as text, got {_quote(answer)}, in the clue {_quote(item)}"
        )
    return Clue(numbers, strip_markup(text), answer or "", cells)


def _read_listed_clue(item: list[Any]) -> tuple[Any, Any, Any]:
    """The number, the text and the answer of a clue with two or three parts, of which each but the
    number may be an object."""
    number, text, *_ = item
    objects = [part for part in item[1:] if isinstance(part, dict)]
    if isinstance(text, dict):
        text = text.get("clue", "")
    last = item[-1]
    if len(item) == 3 and isinstance(last, str) and last.isupper() and ANSWER.fullmatch(last):
        return number, text, last
    answer = next((part["answer"] for part in objects if "answer" in part), "")
    return number, text, answer


def _is_number(value: Any) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _split_number(number: str) -> list[str]:
    """The parts of a number such as '2-3'; a number such as '-1' is no number of a slot."""
    parts = SEPARATORS.split(number)
    return parts if all(parts) else [number]


def _name_words(clue: Clue, direction: str) -> Iterator[str]:
    """The names of the words of a clue, '' for what is no number."""
    for number in clue.numbers:
        for part in _split_number(str(number).strip()):
            yield _name_word(part, direction)


def _name_word(number: str, direction: str) -> str:
    """The name of a word with a number such as '3', or '3d' in a clue for several words."""
    written = NUMBER.fullmatch(number)
    if not written:
        return ""
    letter = (written[2] or direction)[0].lower()
    return f"{int(written[1])} {'across' if letter == 'a' else 'down'}"


class _Reader:
    """The clues read so far, and the faults in them."""

    def __init__(
        self,
        slots: Sequence[Slot],
        filled: Sequence[str],
        rebus: Mapping[str, str],
    ) -> None:
        self._filled = filled
        self._rebus = rebus
        self._faults: list[Fault] = []
        self._unknown: list[Fault] = []  # clues of words that do not exist
        self._contradicted: list[Fault] = []  # letters
        self._places = {slot.name: slot.cells for slot in slots}
        self._texts: dict[str, str] = {}
        self._linked: dict[str, str] = {}  # slots that another slot's clue covers as well
        self._wrong_letters: set[Cell] = set()  # each is one fault, though two answers cross there

    def questions(self) -> dict[str, str]:
        """The question for each slot that has one."""
        texts = dict(self._texts)
        for name, first in self._linked.items():
            texts.setdefault(name, f"See {first}")
        return {name: text for name, text in texts.items() if text}

    def faults(self) -> list[Fault]:
        """Faults that probably have one cause, such as a row of wrong letters, are one."""
        return [*fold(self._unknown, "clue"), *self._faults, *fold(self._contradicted, "square")]

    def count_faults(self) -> int:
        """The number of single faults, also of words without a clue."""
        missing = len(self._places.keys() - self._texts.keys() - self._linked.keys())
        return len(self._unknown) + len(self._faults) + len(self._contradicted) + missing

    def add_all(self, items: Sequence[Any], direction: str) -> None:
        """Add clues with numbers, which may be read already, or texts in the order of the words."""
        if any(isinstance(item, str) for item in items):
            self.add_in_order(items, direction)
        else:
            for item in items:
                self.add(item if isinstance(item, Clue) else _read_clue(item), direction)

    def add_in_order(self, items: Sequence[Any], direction: str) -> None:
        """Clues without numbers, which are texts, are in the order of the slots. Others may stand
        between them."""
        names = [name for name in self._places if name.endswith(f" {direction}")]
        if len(items) != len(names):
            some = "" if all(isinstance(item, str) for item in items) else "some of them "
            raise InputError(
                f"clues: {plural(len(items), 'clue')} {direction} {some}without numbers, but there "
                f"are {plural(len(names), 'word')}; write a clue for each word"
            )
        for name, item in zip(names, items, strict=True):
            if isinstance(item, str):
                self.add(Clue([name.partition(" ")[0]], strip_markup(item)), direction)
            else:
                self.add(_read_clue(item), direction)

    def add(self, clue: Clue, direction: str) -> None:
        names = []
        for number in clue.numbers:
            for part in _split_number(str(number).strip()):
                names.append(self._find_slot(part, direction))
        first, *others = names
        if "" in names:
            return  # that there is no such slot is a fault already
        if first in self._texts:
            self._add_fault(first, "two clues", "remove one of them")
            return
        self._texts[first] = clue.text
        for name in others:
            self._linked[name] = first
        if clue.answer:
            self._compare_answer(names, clue.answer)
        if clue.cells is not None:
            self._compare_squares(names, clue.cells)

    def _add_fault(self, name: str, wrong: str, remedy: str) -> None:
        self._faults.append(Fault(f"clues: {name}", wrong, remedy))

    def _find_slot(self, number: str, direction: str) -> str:
        """The name of the slot with a number such as '3', or '3d' in a clue for several slots; ''
        if there is none, which is a fault."""
        name = _name_word(number, direction)
        if name in self._places:
            return name
        stated = printable(f"{number} {direction}"[:30])
        wrong = "there is no such word in the grid, if words are counted row by row"
        remedy = "correct the number, or remove the clue"
        self._unknown.append(Fault(f"clues: {stated}", wrong, remedy))
        return ""

    def _compare_squares(self, names: Sequence[str], stated: Any) -> None:
        """Find stated squares of a clue that are not as many as its word has, or not in the grid.
        Programs count columns and rows from 0 or from 1."""
        where = f"clues: {names[0]}: cells"
        most = (len(self._filled[0]), len(self._filled))
        if not isinstance(stated, list):
            raise InputError(f"{where}: expected a list of squares; got {_quote(stated)}")
        outside = []
        for square in stated:
            is_pair = isinstance(square, list) and len(square) == 2
            if not is_pair or not all(type(number) is int for number in square):
                raise InputError(f"{where}: expected a column and a row; got {_quote(square)}")
            if any(not 0 <= number <= end for number, end in zip(square, most, strict=True)):
                outside.append(square)

        cells = f"{names[0]}: cells"
        squares = sum(len(self._places[name]) for name in names)
        if outside:
            size = f"{plural(most[0], 'column')} and {plural(most[1], 'row')}"
            wrong = f"{_quote(outside[0])} is outside the grid of {size}"
            self._add_fault(cells, wrong, "write the column and the row of a square")
        elif len(stated) != squares:
            wrong = f"{len(stated)}, but there are {plural(squares, 'square')}"
            self._add_fault(cells, wrong, "list the squares of the word")

    def _compare_answer(self, names: Sequence[str], answer: str) -> None:
        """Find an answer of a clue that is not in the grid, as far as it has letters."""
        try:
            word = spell_word(answer)
        except ValueError as error:
            self._add_fault(f"{names[0]}: the answer", str(error), "correct it")
            return
        places: list[Cell] = []  # of each letter
        there = ""
        for name in names:
            for r, c in self._places[name]:
                letters = self._rebus.get(self._filled[r][c], self._filled[r][c])
                there += letters
                places += [(r, c)] * len(letters)
        if len(word) != len(places):
            letters = plural(len(word), "letter")
            squares = sum(len(self._places[name]) for name in names)
            room = f"there are {plural(squares, 'square')}"
            if len(places) > squares:
                room += f" for {len(places)} letters"
            wrong = f"the answer {word[:60]} has {letters}, but {room}"
            self._add_fault(names[0], wrong, "correct the answer, or move a block")
            return
        for letter, other, (r, c) in zip(word, there, places, strict=True):
            if other in (letter, BLANK) or (r, c) in self._wrong_letters:
                continue
            self._wrong_letters.add((r, c))
            wrong = (
                f"the answer {word} has {letter} in row {r + 1}, column {c + 1}, where the "
                f"solution has {other}"
            )
            remedy = "write the same letter in both"
            self._contradicted.append(Fault(f"clues: {names[0]}", wrong, remedy))


def _quote(value: Any) -> str:
    return printable(repr(value)[:40])
