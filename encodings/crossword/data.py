"""The entries of a crossword instance: the grid, the words, and the questions."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self, TypeVar

from jigsat.encodings.crossword.rebus import expand, list_spellings, read_rebus
from jigsat.encodings.crossword.words import DEFAULT_SCORE, Banned, Words, include_words, spell_word
from pydantic import AfterValidator, NonNegativeInt, model_validator

from jigsat.boards.drawings import DrawnRows
from jigsat.errors import IncompleteError, suggest
from jigsat.puzzle import Puzzle, ToldClues

BLOCK, BLANK = "#", "."
MAX_SQUARES = 10_000  # maximum number of squares and blocks of a grid
MAX_CHOICES = 2_000_000  # maximum number of words to choose from, summed over the slots

CIRCLE = "o"
BARS = {"|": ((0, 1),), "_": ((1, 0),), "J": ((0, 1), (1, 0))}  # on the right, below, or both

Cell = tuple[int, int]  # row and column, counted from 0 at the top left
Bars = frozenset[tuple[Cell, Cell]]
"""The neighbouring squares with a bar between them, the left or upper one first."""

NO_BARS: Bars = frozenset()


def draw_bars(bars: Bars, grid: Sequence[str]) -> tuple[str, ...]:
    """The entry `bars` for bars in a grid, none if there are none.

    >>> draw_bars(frozenset([((0, 0), (0, 1)), ((0, 0), (1, 0))]), ["..", ".."])
    ('J.', '..')
    """
    if not bars:
        return ()
    rows = []
    for r, row in enumerate(grid):
        signs = ""
        for c in range(len(row)):
            steps = tuple(step for step in BARS["J"] if ((r, c), _add(step, (r, c))) in bars)
            signs += next((sign for sign, barred in BARS.items() if barred == steps), BLANK)
        rows.append(signs)
    return tuple(rows)


def draw_circles(circled: Container[Cell], grid: Sequence[str]) -> dict[str, list[str]]:
    """The entry `circles` for squares of a grid, if there are any.

    >>> draw_circles({(0, 1)}, ["..", ".."])
    {'circles': ['.o', '..']}
    """
    rows = []
    for r, row in enumerate(grid):
        rows.append("".join(CIRCLE if (r, c) in circled else BLANK for c in range(len(row))))
    return {"circles": rows} if any(CIRCLE in row for row in rows) else {}


def _add(step: Cell, cell: Cell) -> Cell:
    return cell[0] + step[0], cell[1] + step[1]


class Slot(NamedTuple):
    """A run of squares for one word."""

    number: int
    direction: str
    cells: tuple[Cell, ...]

    @property
    def name(self) -> str:
        """Such as '1 across'."""
        return f"{self.number} {self.direction}"


def slots(grid: Sequence[str], bars: Bars = NO_BARS) -> list[Slot]:
    """The slots across, then those down, each in the order of their numbers.

    A square has a number if a slot begins there; the numbers ascend row by row.

    >>> [(slot.name, len(slot.cells)) for slot in slots(["..#", "..."])]
    [('1 across', 2), ('3 across', 3), ('1 down', 2), ('2 down', 2)]
    """
    squares = set()
    for r, row in enumerate(grid):
        for c, character in enumerate(row):
            if character != BLOCK:
                squares.add((r, c))
    across = _find_runs(squares, (0, 1), bars)
    down = _find_runs(squares, (1, 0), bars)
    starts = sorted(across.keys() | down.keys())
    numbers = {start: i for i, start in enumerate(starts, 1)}

    slots = [Slot(numbers[start], "across", across[start]) for start in sorted(across)]
    slots += [Slot(numbers[start], "down", down[start]) for start in sorted(down)]
    return slots


def _find_runs(squares: set[Cell], step: Cell, bars: Bars) -> dict[Cell, tuple[Cell, ...]]:
    """The runs of at least two squares in a direction, by their first squares."""
    following = {}  # the next square of the same run
    for cell in squares:
        after = _add(step, cell)
        if after in squares and (cell, after) not in bars:
            following[cell] = after

    runs = {}
    for first in following.keys() - set(following.values()):
        run = [first]
        while run[-1] in following:
            run.append(following[run[-1]])
        runs[first] = tuple(run)
    return runs


@dataclass
class WordList:
    """Words of the same length with their scores."""

    words: list[str]
    scores: list[int]

    @cached_property
    def by_letter(self) -> list[dict[str, list[int]]]:
        """For each place and letter, the numbers of the words that have the letter there."""
        return [_number_values(letters) for letters in zip(*self.words, strict=True)]

    @cached_property
    def by_score(self) -> dict[int, list[int]]:
        """The numbers of the words with each score."""
        return _number_values(self.scores)


V = TypeVar("V", str, int)


def _number_values(values: Iterable[V]) -> dict[V, list[int]]:
    """The numbers of the items with each value, in ascending order of the values."""
    numbers: dict[V, list[int]] = {}
    for number, value in enumerate(values):
        numbers.setdefault(value, []).append(number)
    return dict(sorted(numbers.items()))


class Letter(NamedTuple):
    """The square holds the letter."""

    cell: Cell
    letter: str


class Scored(NamedTuple):
    """The slot holds a word from the list with this score."""

    slot: str
    score: int


def _capitals(rows: tuple[str, ...]) -> tuple[str, ...]:
    return tuple("".join(map(_capital, row)) for row in rows)


def _capital(letter: str) -> str:
    """The capital letter; the same letter if its capital would be two, such as SS for ß."""
    capital = letter.upper()
    return capital if len(capital) == 1 else letter


class CrosswordData(Puzzle[Letter | Scored]):
    family = "crossword"
    in_words = True
    chapter = "Crosswords"
    rule = "Fill the grid with letters so that every word across and down is in the list."
    several = ("grids", "grid")

    author: str = ""
    """Who made the crossword; for the printed sheet and other programs, like `copyright`."""
    copyright: str = ""
    """Such as '© 2026 Ada'."""
    grid: Annotated[DrawnRows, AfterValidator(_capitals)]
    """The drawn grid: # for a block, a full stop for a blank square, a letter for a given one."""
    bars: DrawnRows = ()
    """Bars between squares, drawn like the grid: | for a bar on the right of a square, _ for one
    below it, J for both, and a full stop for none."""
    circles: DrawnRows = ()
    """Squares with a circle, drawn like the grid: o for a circle, and a full stop for none."""
    rebus: Annotated[dict[str, str], AfterValidator(read_rebus)] = {}  # noqa: RUF012
    """Signs that stand for several letters in one square, such as { "1" = "ON" }. They may be in
    the grid and in answers, and words of the list are also written with them: SEAS1 for season."""
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
    def include_files(cls, data: dict[str, Any], folder: Path) -> dict[str, Any]:
        data = dict(data)
        for entry in ("words", "banned"):
            if entry in data:
                data[entry] = include_words(entry, data[entry], folder)
        return data

    def board_places(self, placement: Letter | Scored) -> list[Cell]:
        return [placement.cell] if isinstance(placement, Letter) else []

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for complaint in self._find_mistakes():
            raise ValueError(complaint)
        for lack in self._find_lacks():
            raise IncompleteError(lack, self)
        if self.words:
            number = sum(len(choices.words) for choices in self.choices.values())
            if number > MAX_CHOICES:
                raise ValueError(
                    f"words: the slots have {number:,} words to choose from; the maximum is "
                    f"{MAX_CHOICES:,}; raise `least_score`"
                )
        return self

    def _find_mistakes(self) -> Iterator[str]:
        yield from self._find_wrong_sizes()
        yield from self._find_wrong_characters()
        yield from self._find_wrong_marks("bars", "| (right), _ (below), J (both)", BARS)
        yield from self._find_wrong_marks("circles", f"{CIRCLE} (circle)", CIRCLE)
        if not self.squares:
            yield f"grid: there are only blocks; write {BLANK} for each blank square"
        for entry, names in (("questions", self.questions), ("answers", self.answers)):
            for name in names:
                if name not in self._places:
                    yield f"{entry}: there is no slot {name!r}{suggest(name, self._places)}"
        yield from self._find_wrong_answers()

    def _find_wrong_sizes(self) -> Iterator[str]:
        height = len(self.grid)
        width = len(self.grid[0]) if self.grid else 0
        if not 0 < width * height <= MAX_SQUARES:
            yield (
                f"grid: {height} rows of {width} squares; a grid has 1 to "
                f"{MAX_SQUARES:,} squares and blocks"
            )
        for r, row in enumerate(self.grid, 1):
            if len(row) != width:
                yield (
                    f"grid: row {r} has {len(row)} squares, but row 1 has {width}; write "
                    f"{BLOCK} for each block"
                )

    def _find_wrong_characters(self) -> Iterator[str]:
        for r, row in enumerate(self.grid, 1):
            for c, character in enumerate(row, 1):
                is_capital = character.isalnum() and character == character.upper()
                if character not in (BLANK, BLOCK) and not is_capital:
                    yield (
                        f"grid: row {r}, column {c} is {character!r}; write a letter, {BLANK} "
                        f"(blank) or {BLOCK} (block)"
                    )

    def _find_wrong_marks(self, entry: str, meanings: str, signs: Container[str]) -> Iterator[str]:
        """What is wrong with an entry that is drawn like the grid."""
        rows: DrawnRows = getattr(self, entry)
        if rows and [len(row) for row in rows] != [len(row) for row in self.grid]:
            yield f"{entry}: draw as many rows and columns as the grid has"
        for r, row in enumerate(rows, 1):
            for c, sign in enumerate(row, 1):
                if sign not in signs and sign != BLANK:
                    yield (
                        f"{entry}: row {r}, column {c} is {sign!r}; write {meanings} or {BLANK} "
                        f"(none)"
                    )

    def _find_wrong_answers(self) -> Iterator[str]:
        """Answers that do not fit into their slots beside the given letters and each other."""
        letters = self.givens
        for name, word in self.answers.items():
            cells = self._places[name]
            if len(word) != len(cells):
                yield (
                    f"answers: {name}: {word} has {len(word)} letters, but there are "
                    f"{len(cells)} squares"
                )
            for (r, c), letter in zip(cells, word, strict=False):
                other = letters.setdefault((r, c), letter)
                if other != letter:
                    yield (
                        f"answers: {name}: {word} has {letter} in row {r + 1}, column {c + 1}, "
                        f"where {other} stands already"
                    )

    def _find_lacks(self) -> Iterator[str]:
        """Squares without a word, and slots for which there are no words."""
        in_slots: set[Cell] = set()
        for slot in self.slots:
            in_slots.update(slot.cells)
        for r, c in self.squares:
            if (r, c) not in in_slots:
                yield (
                    f"grid: row {r + 1}, column {c + 1} belongs to no word of two or more "
                    f"letters; write {BLOCK} for a block"
                )
        if not self.words:
            return
        usable = "allowed word" if self.banned or self.least_score else "word"
        for slot in self.slots:
            length = len(slot.cells)
            if length not in self.lists:
                yield (
                    f"grid: {slot.name} has {length} squares, but no {usable} has {length} "
                    f"letters; add one or move a block"
                )

    @property
    def squares(self) -> dict[Cell, str]:
        """The squares that are not blocks, with the characters drawn there."""
        squares = {}
        for r, row in enumerate(self.grid):
            for c, character in enumerate(row):
                if character != BLOCK:
                    squares[r, c] = character
        return squares

    @cached_property
    def pairs_with_bar(self) -> Bars:
        """The squares with a bar between them."""
        pairs = []
        for r, row in enumerate(self.bars):
            for c, sign in enumerate(row):
                for step in BARS.get(sign, ()):
                    pairs.append(((r, c), _add(step, (r, c))))
        return frozenset(pairs)

    @property
    def circled(self) -> set[Cell]:
        """The squares with a circle."""
        cells = set()
        for r, row in enumerate(self.circles):
            for c, sign in enumerate(row):
                if sign == CIRCLE:
                    cells.add((r, c))
        return cells & self.squares.keys()

    @property
    def givens(self) -> dict[Cell, str]:
        return {cell: character for cell, character in self.squares.items() if character != BLANK}

    @property
    def shown(self) -> dict[Cell, str]:
        """The given letters that another program shows. A grid of letters alone is a solution,
        of which it shows none."""
        is_solution = not self.answers and len(self.givens) == len(self.squares)
        return {} if is_solution else self.givens

    @property
    def required(self) -> dict[Cell, str]:
        """The letters of the answers that are stated."""
        letters: dict[Cell, str] = {}
        for name, word in self.answers.items():
            letters.update(zip(self._places[name], word, strict=True))
        return letters

    @cached_property
    def _places(self) -> dict[str, tuple[Cell, ...]]:
        """The squares of each slot by its name."""
        return {slot.name: slot.cells for slot in self.slots}

    @cached_property
    def scores(self) -> Mapping[str, int]:
        """The words with their scores; without a list, those of the stated answers if they fill the
        grid."""
        letters = self.givens | self.required
        if self.words and self.rebus:
            scores = dict(self.words)
            for word, score in self.words.items():
                if not self.rebus.keys().isdisjoint(word):
                    continue  # written with a sign, it is spelled in this way only
                for spelling in list_spellings(word, self.rebus):
                    scores.setdefault(spelling, score)
            return scores
        if self.words or not self.answers or len(letters) < len(self.squares):
            return self.words
        words = ["".join(letters[cell] for cell in slot.cells) for slot in self.slots]
        return dict.fromkeys(words, DEFAULT_SCORE)

    @cached_property
    def slots(self) -> list[Slot]:
        return slots(self.grid, self.pairs_with_bar)

    @property
    def has_one_total(self) -> bool:
        """Whether all fills have the same total score: each answer is stated, or each word of the
        list has its place."""
        words = sum(len(listed.words) for listed in self.lists.values())
        uses_all = words == len(self.slots) and not self.repeats
        return uses_all or len(self.answers) == len(self.slots)

    def spell_out(self, letters: str) -> str:
        """Letters with those of the rebus in place of signs."""
        return expand(letters, self.rebus)

    @cached_property
    def lists(self) -> Mapping[int, WordList]:
        """The words that may occur, by their length."""
        lists: dict[int, WordList] = {}
        for word, score in self.scores.items():
            is_banned = word in self.banned or self.spell_out(word) in self.banned
            if score >= self.least_score and not is_banned:
                words = lists.setdefault(len(word), WordList([], []))
                words.words.append(word)
                words.scores.append(score)
        return lists

    @cached_property
    def choices(self) -> Mapping[str, WordList]:
        """For each slot the words that fit into it with the letters of the stated answers; if none
        does, all of its length."""
        choices = {}
        for slot in self.slots:
            words = self.lists[len(slot.cells)]
            fitting = self.fitting(slot, self.required) if self.answers else []
            if fitting:
                words = WordList(
                    [words.words[i] for i in fitting], [words.scores[i] for i in fitting]
                )
            choices[slot.name] = words
        return choices

    def fitting(self, slot: Slot, letters: Mapping[Cell, str]) -> list[int]:
        """The numbers of the words that have the length of a slot and these letters in its
        squares."""
        words = self.lists[len(slot.cells)].words
        fitting = list(range(len(words)))
        for i, cell in enumerate(slot.cells):
            if cell in letters:
                fitting = [number for number in fitting if words[number][i] == letters[cell]]
        return fitting

    @cached_property
    def alphabet(self) -> list[str]:
        """The letters of the words that may occur, and the given ones."""
        letters = {*self.givens.values(), *self.required.values()}
        for words in self.lists.values():
            for word in words.words:
                letters.update(word)
        return sorted(letters)

    def clues(self) -> dict[str, frozenset[Letter | Scored]]:
        clues: dict[str, frozenset[Letter | Scored]] = {}
        for (r, c), letter in self.givens.items():
            clues[f"grid r{r + 1}c{c + 1} ({letter})"] = frozenset([Letter((r, c), letter)])
        if self.enforced and self.scores:
            for slot in self.slots:
                clues[slot.name] = frozenset(self.possible_scores(slot))
        return clues

    def tell_clues(self, names: Sequence[str]) -> ToldClues:
        """The places of words. Given letters, if there are any, are clues like them."""
        has_words = any(slot.name in names for slot in self.slots)
        rule = "no word may be used twice" if has_words and not self.repeats else ""
        return ToldClues("clue" if self.givens else "word", names, rule)

    def possible_scores(self, slot: Slot) -> list[Scored]:
        """The scores that the word in a slot can have."""
        return [Scored(slot.name, score) for score in self.choices[slot.name].by_score]

    def without_clues(self) -> Self:
        rows = []
        for row in self.grid:
            rows.append("".join(BLOCK if character == BLOCK else BLANK for character in row))
        return self.model_copy(update={"grid": tuple(rows), "enforced": False})
