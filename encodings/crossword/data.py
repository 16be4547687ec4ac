"""The entries of a crossword instance: the grid, the words, and the questions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self, TypeVar

from jigsat.encodings.crossword.words import DEFAULT_SCORE, Banned, Words, include_words, spell_word
from pydantic import AfterValidator, NonNegativeInt, model_validator

from jigsat.boards.drawings import DrawnRows
from jigsat.errors import IncompleteError, suggest
from jigsat.puzzle import Puzzle

BLOCK, BLANK = "#", "."
MAX_SQUARES = 10_000  # maximum number of squares and blocks of a grid
MAX_CHOICES = 2_000_000  # maximum number of words to choose from, summed over the slots

Cell = tuple[int, int]  # row and column, counted from 0 at the top left


class Slot(NamedTuple):
    """A run of squares for one word."""

    number: int
    direction: str
    cells: tuple[Cell, ...]

    @property
    def name(self) -> str:
        """Such as '1 across'."""
        return f"{self.number} {self.direction}"


def slots(grid: Sequence[str]) -> list[Slot]:
    """The slots across, then those down, each in the order of their numbers.

    A square has a number if a slot begins there; the numbers ascend row by row.

    >>> [(slot.name, len(slot.cells)) for slot in slots(["..#", "..."])]
    [('1 across', 2), ('3 across', 3), ('1 down', 2), ('2 down', 2)]
    """
    white = {
        (r, c)
        for r, row in enumerate(grid)
        for c, character in enumerate(row)
        if character != BLOCK
    }
    runs = {(dr, dc): dict(_runs(white, dr, dc)) for dr, dc in ((0, 1), (1, 0))}
    starts = sorted({start for found in runs.values() for start in found})
    number = {start: i for i, start in enumerate(starts, 1)}
    directions = (("across", runs[0, 1]), ("down", runs[1, 0]))
    return [
        Slot(number[start], name, found[start])
        for name, found in directions
        for start in starts
        if start in found
    ]


def _runs(white: set[Cell], dr: int, dc: int) -> Iterator[tuple[Cell, tuple[Cell, ...]]]:
    """The first square of each run of at least two squares in a direction, with its squares."""
    for r, c in white:
        if (r - dr, c - dc) not in white and (r + dr, c + dc) in white:
            run = [(r, c)]
            while (after := (run[-1][0] + dr, run[-1][1] + dc)) in white:
                run.append(after)
            yield (r, c), tuple(run)


@dataclass
class WordList:
    """Words of the same length with their scores."""

    words: list[str]
    scores: list[int]

    @cached_property
    def by_letter(self) -> list[dict[str, list[int]]]:
        """For each place and letter, the numbers of the words that have the letter there."""
        return [_where(letters) for letters in zip(*self.words, strict=True)]

    @cached_property
    def by_score(self) -> dict[int, list[int]]:
        """The numbers of the words with each score."""
        return _where(self.scores)


V = TypeVar("V", str, int)


def _where(values: Iterable[V]) -> dict[V, list[int]]:
    """The numbers of the items with each value, in ascending order of the values."""
    found: dict[V, list[int]] = {}
    for number, value in enumerate(values):
        found.setdefault(value, []).append(number)
    return dict(sorted(found.items()))


class Letter(NamedTuple):
    """The square holds the letter."""

    cell: Cell
    letter: str


class Scored(NamedTuple):
    """The slot holds a word from the list with this score."""

    slot: str
    score: int


def _capitals(rows: tuple[str, ...]) -> tuple[str, ...]:
    return tuple("".join(c.upper() if len(c.upper()) == 1 else c for c in row) for row in rows)


class CrosswordData(Puzzle[Letter | Scored]):
    family = "crossword"
    rule = "Fill the grid with letters so that every word across and down is in the list."
    several = ("grids", "grid")

    grid: Annotated[DrawnRows, AfterValidator(_capitals)]
    """The drawn grid: # for a block, a full stop for a blank square, a letter for a given one."""
    words: Words = {}  # noqa: RUF012  # a frozen model copies its default
    """The words: a list, or the names of files with one word per line; 'word;score' gives a
    score."""
    banned: Banned = frozenset()
    """Words that must not be used: a list, or the names of files."""
    least_score: NonNegativeInt = 0
    """Words with a lower score are not used. A word without a score has 50."""
    repeats: bool = False
    """Whether a word may occur several times."""
    questions: dict[str, str] = {}  # noqa: RUF012
    """The question for each word, such as { "1 across" = "It barks" }; for the printed sheet and
    other programs."""
    answers: dict[str, Annotated[str, AfterValidator(spell_word)]] = {}  # noqa: RUF012
    """The answer to each question, such as { "1 across" = "dog" }: nothing else is a solution. The
    printed grid is empty."""
    enforced: bool = True
    """Whether every slot must hold a word from the list; otherwise a solution only states which
    slots do."""

    @classmethod
    def included(cls, data: dict[str, Any], folder: Path) -> dict[str, Any]:
        return data | {
            entry: include_words(entry, data[entry], folder)
            for entry in ("words", "banned")
            if entry in data
        }

    def board_places(self, placement: Letter | Scored) -> list[Cell]:
        return [placement.cell] if isinstance(placement, Letter) else []

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for complaint in self._complaints():
            raise ValueError(complaint)
        for lack in self._lacking():
            raise IncompleteError(lack, self)
        if (
            self.words
            and (number := sum(len(choices.words) for choices in self.choices.values()))
            > MAX_CHOICES
        ):
            message = (
                f"words: the slots have {number:,} words to choose from; the maximum is "
                f"{MAX_CHOICES:,}"
            )
            raise ValueError(f"{message}; raise `least_score`")
        return self

    def _complaints(self) -> Iterator[str]:
        width = len(self.grid[0]) if self.grid else 0
        if not 0 < width * len(self.grid) <= MAX_SQUARES:
            yield (
                f"grid: {len(self.grid)} rows of {width} squares; a grid has 1 to "
                f"{MAX_SQUARES:,} squares and blocks"
            )
        for r, row in enumerate(self.grid, 1):
            if len(row) != width:
                yield (
                    f"grid: row {r} has {len(row)} squares, but row 1 has {width}; write "
                    f"{BLOCK} for each block"
                )
            for c, character in enumerate(row, 1):
                if character not in BLANK + BLOCK and not (
                    character.isalnum() and character == character.upper()
                ):
                    yield (
                        f"grid: row {r}, column {c} is {character!r}; write a letter, {BLANK} "
                        f"(blank) or {BLOCK} (block)"
                    )
        if not self.squares:
            yield f"grid: there are only blocks; write {BLANK} for each blank square"
        places = self._places
        for entry, names in (("questions", self.questions), ("answers", self.answers)):
            for name in names:
                if name not in places:
                    yield f"{entry}: there is no slot {name!r}{suggest(name, places)}"
        letters = self.givens
        for name, word in self.answers.items():
            if len(word) != len(places[name]):
                yield (
                    f"answers: {name}: {word} has {len(word)} letters, but there are "
                    f"{len(places[name])} squares"
                )
            for (r, c), letter in zip(places[name], word, strict=False):
                if (other := letters.setdefault((r, c), letter)) != letter:
                    yield (
                        f"answers: {name}: {word} has {letter} in row {r + 1}, column {c + 1}, "
                        f"where {other} stands already"
                    )

    def _lacking(self) -> Iterator[str]:
        inside = {cell for slot in self.slots for cell in slot.cells}
        for r, c in self.squares:
            if (r, c) not in inside:
                yield (
                    f"grid: row {r + 1}, column {c + 1} belongs to no word of two or more "
                    f"letters; write {BLOCK} for a block"
                )
        usable = "allowed word" if self.banned or self.least_score else "word"
        for slot in self.slots if self.words else ():
            if (length := len(slot.cells)) not in self.lists:
                yield (
                    f"grid: {slot.name} has {length} squares, but no {usable} has {length} "
                    f"letters; add one or move a block"
                )

    @property
    def squares(self) -> dict[Cell, str]:
        """The squares that are not blocks, with the characters drawn there."""
        return {
            (r, c): drawn
            for r, row in enumerate(self.grid)
            for c, drawn in enumerate(row)
            if drawn != BLOCK
        }

    @property
    def givens(self) -> dict[Cell, str]:
        return {cell: drawn for cell, drawn in self.squares.items() if drawn != BLANK}

    @property
    def required(self) -> dict[Cell, str]:
        """The letters of the answers that are stated."""
        answers = self.answers.items()
        return {
            cell: letter
            for name, word in answers
            for cell, letter in zip(self._places[name], word, strict=True)
        }

    @cached_property
    def _places(self) -> dict[str, tuple[Cell, ...]]:
        """The squares of each slot by its name."""
        return {slot.name: slot.cells for slot in self.slots}

    @cached_property
    def scores(self) -> Mapping[str, int]:
        """The words with their scores; without a list, those of the stated answers if they fill the
        grid."""
        letters = self.givens | self.required
        if self.words or not self.answers or len(letters) < len(self.squares):
            return self.words
        return {"".join(letters[cell] for cell in slot.cells): DEFAULT_SCORE for slot in self.slots}

    @cached_property
    def slots(self) -> list[Slot]:
        return slots(self.grid)

    @cached_property
    def lists(self) -> Mapping[int, WordList]:
        """The words that may occur, by their length."""
        found: dict[int, list[str]] = {}
        for word, score in self.scores.items():
            if score >= self.least_score and word not in self.banned:
                found.setdefault(len(word), []).append(word)
        return {
            length: WordList(words, [self.scores[word] for word in words])
            for length, words in found.items()
        }

    @cached_property
    def choices(self) -> Mapping[str, WordList]:
        """For each slot the words that fit into it with the letters of the stated answers; if none
        does, all of its length."""
        found = {}
        for slot in self.slots:
            every, fitting = (
                self.lists[len(slot.cells)],
                self.fitting(slot, self.required) if self.answers else [],
            )
            some = WordList([every.words[i] for i in fitting], [every.scores[i] for i in fitting])
            found[slot.name] = some if fitting else every
        return found

    def fitting(self, slot: Slot, letters: Mapping[Cell, str]) -> list[int]:
        """The numbers of the words that have the length of a slot and these letters in its
        squares."""
        every = self.lists[len(slot.cells)]
        known = [(i, letters[cell]) for i, cell in enumerate(slot.cells) if cell in letters]
        return [
            number
            for number, word in enumerate(every.words)
            if all(word[i] == letter for i, letter in known)
        ]

    @cached_property
    def alphabet(self) -> list[str]:
        """The letters of the words that may occur, and the given ones."""
        letters = {letter for each in self.lists.values() for word in each.words for letter in word}
        return sorted(letters | {*self.givens.values(), *self.required.values()})

    def clues(self) -> dict[str, frozenset[Letter | Scored]]:
        given: dict[str, frozenset[Letter | Scored]] = {
            f"grid r{r + 1}c{c + 1} ({x})": frozenset([Letter((r, c), x)])
            for (r, c), x in self.givens.items()
        }
        filled = self.slots if self.enforced and self.scores else ()
        return given | {slot.name: frozenset(self.possible_scores(slot)) for slot in filled}

    def possible_scores(self, slot: Slot) -> list[Scored]:
        """The scores that the word in a slot can have."""
        return [Scored(slot.name, score) for score in self.choices[slot.name].by_score]

    def without_clues(self) -> Self:
        blank = tuple("".join(x if x == BLOCK else BLANK for x in row) for row in self.grid)
        return self.model_copy(update={"grid": blank, "enforced": False})
