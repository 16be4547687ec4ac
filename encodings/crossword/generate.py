"""Options for generating crosswords: a grid, made or drawn, is filled with words from a list, high
scores first."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, repeat
from pathlib import Path
from typing import Annotated, Any

from jigsat.encodings.crossword.data import BLOCK, Cell, Letter, Scored, slots
from jigsat.encodings.crossword.filling import Filling
from jigsat.encodings.crossword.layouts import lay_out
from jigsat.encodings.crossword.prospects import GridSearch, Prospects, count_checked
from jigsat.encodings.crossword.rules import Crossword
from jigsat.encodings.crossword.words import (
    MAX_SCORE,
    Banned,
    ListedWord,
    include_words,
    read_listed_word,
    read_words,
)
from pydantic import BeforeValidator, Field, NonNegativeInt, model_validator

from jigsat.backends.engine import INSTALL, is_compiled
from jigsat.boards.drawings import DrawnRows
from jigsat.errors import InputError, Stopped
from jigsat.generation.counterexamples import find_counterexamples
from jigsat.generation.generator import (
    Candidate,
    Candidates,
    Form,
    Generator,
    GeneratorOptions,
    solve_again,
)
from jigsat.puzzle import Known, Puzzle
from jigsat.subject import PuzzleSubject
from jigsat.words import join_words, plural

MAX_GRIDS = 100  # maximum number of grids, or of searches for a drawn one
MAX_ROUNDS = 2  # number of times that grids are made, from dense to open ones
THEME_PLACES = 10  # number of times that the words of a theme get other places in a grid
MAX_LAYOUT_GRIDS = 10  # number of grids that are made around words if no other is filled


def _read_words(data: Any) -> dict[str, ListedWord]:
    words = read_words(data)
    if max(map(len, words), default=0) < 2:
        raise ValueError("no word has two or more letters")
    return words


def _read_theme(data: Any) -> tuple[str, ...]:
    """Different words, from a list or from a text with commas."""
    items = data.split(",") if isinstance(data, str) else data
    return tuple(read_words(items))


def _refuse_number(data: Any) -> Any:
    if isinstance(data, int):
        raise ValueError(f"{data} is not a drawing; for a grid that is made, write size={data}")
    return data


class Options(GeneratorOptions):
    """A list of words with scores and questions, and a drawn `grid` or the `size` of one with
    half-turn symmetry.

    If the list has questions, only words with a question are used, and the answers are the only
    solution. Otherwise the words that are used are listed, and there is one way to fit them in.
    `answers` are fixed in a drawn grid. The words of `theme` must occur, anywhere, and those that
    are `banned` must not. A grid that is made has at most this number of `blocks`.
    """

    single = (
        "the answers to questions, or the words to fit in, have one place each; leave the entry out"
    )
    puzzles_per_generator = 100  # puzzles of one generator have different words

    words: Annotated[
        dict[str, ListedWord], BeforeValidator(_read_words, json_schema_input_type=str | list[str])
    ]
    grid: Annotated[DrawnRows | None, BeforeValidator(_refuse_number)] = None
    size: int = Field(default=9, ge=3, le=30)
    least_score: NonNegativeInt = 0
    banned: Banned = frozenset()
    answers: dict[str, str] = Field(default_factory=dict)
    theme: Annotated[tuple[str, ...], BeforeValidator(_read_theme)] = ()
    blocks: NonNegativeInt | None = None

    @classmethod
    def include_files(cls, requested: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
        if "words" not in requested:
            raise InputError("words: name a list of words, as in --set words=./words.txt")
        if "banned" in requested:
            banned = include_words("banned", requested["banned"], folder)
            requested = {**requested, "banned": banned}
        named = requested["words"]
        words = include_words("words", named, folder)
        if words is not named:
            try:
                _read_words(words)
            except ValueError as error:
                files = named if isinstance(named, str) else ", ".join(map(str, named))
                raise InputError(f"words: {files}: {error}") from error
        return {**requested, "words": words}

    @model_validator(mode="after")
    def _consistent(self) -> Options:
        if self.answers and self.grid is None:
            raise ValueError(
                "answers: draw the grid; in a grid that is made, the places are not known before"
            )
        if self.grid is not None:
            Crossword(grid=self.grid, answers=self.answers)
            for entry in ("size", "blocks"):
                if entry in self.model_fields_set:
                    raise ValueError(
                        f"{entry}: a drawn grid has its own {entry}; remove `{entry}`, or `grid`"
                    )
        self._check_theme()
        for entry, words in (("answers", self.answers.values()), ("theme", self.theme)):
            for word in words:
                if read_listed_word(word).spelling in self.banned:
                    raise ValueError(f"{entry}: {word} is among the banned words")
        if max(map(len, self.usable), default=0) < 2:
            reason = f"has a score of {self.least_score} or more"
            if self.banned:
                reason += " and is not banned"
            raise ValueError(f"least_score: no word that may be used {reason}")
        return self

    def _check_theme(self) -> None:
        """Raises ValueError for a word of the theme that cannot occur."""
        lengths = list(range(3, self.size + 1))
        if self.grid is not None:
            lengths = [len(slot.cells) for slot in slots(self.grid)]
        have_questions = any(word.question for word in self.words.values())
        for word in self.theme:
            if len(word) not in lengths:
                raise ValueError(f"theme: the grid has no place for {word}, of {len(word)} letters")
            if have_questions and not (word in self.words and self.words[word].question):
                raise ValueError(f"theme: the list has no question for {word}; add one")

    @cached_property
    def usable(self) -> dict[str, ListedWord]:
        """The words that may be used, with the highest scores first; the fixed answers among
        them."""
        have_questions = any(word.question for word in self.words.values())

        def is_usable(word: ListedWord) -> bool:
            if word.score < self.least_score or word.spelling in self.banned:
                return False
            return word.question != "" or not have_questions

        usable = {spelling: word for spelling, word in self.words.items() if is_usable(word)}
        for answer in (*self.answers.values(), *self.theme):
            word = read_listed_word(answer)
            usable[word.spelling] = self.words.get(word.spelling, word)
        return usable

    def build_generator(self) -> Generator:
        if not is_compiled():
            raise InputError(
                f"crosswords are filled by the compiled engine, which was not built; {INSTALL}"
            )
        return CrosswordGenerator(self)


class CrosswordGenerator(Generator):
    """Makes grids and fills them."""

    def __init__(self, options: Options) -> None:
        self.options = options

    def candidates(
        self,
        rng: random.Random,
        hard: bool = False,
        made: Sequence[Puzzle] = (),
        earlier: Collection[Form] = (),
    ) -> Candidates:
        """Yield filled grids; those without questions may have several solutions.

        Each further fill may have one more word of an earlier puzzle.
        """
        options = self.options
        uses = _count_words(made)
        filled = 0
        tried = 0
        failed: Sequence[str] = ()  # the last grid that was not filled
        for grid, fixed in islice(self._propose_grids(rng), MAX_GRIDS):
            tried += 1
            letters = self._fill(grid, fixed, uses, rng)
            if not letters:
                failed = grid
                continue
            if options.grid is None and is_symmetric(grid) and count_checked(grid) < len(letters):
                grid, letters = self._search.improve_filled(
                    tuple(grid), letters, lambda other: self._fill(other, {}, uses, rng), rng
                )
            answers = {}
            for slot in slots(grid):
                answers[slot.name] = "".join(letters[cell] for cell in slot.cells)
            repeated = 0
            for name, word in answers.items():
                is_fixed = name in options.answers or word in options.theme
                if not is_fixed and uses[word] > 0:
                    repeated += 1
            filled += 1
            if repeated < filled:
                yield self._candidate(grid, letters, answers, repeated)
        if not filled:
            raise Stopped(self._explain_failure(tried, failed))

    @cached_property
    def _search(self) -> GridSearch:
        options = self.options
        return GridSearch(
            options.size,
            max(map(len, options.usable)),
            Prospects(options.usable, options.theme),
            options.blocks,
            options.theme,
        )

    def _propose_grids(
        self, rng: random.Random
    ) -> Iterator[tuple[Sequence[str], Mapping[str, str]]]:
        """Grids and answers in them: the drawn grid again and again, or grids from dense to open
        ones."""
        options = self.options
        if options.grid is not None:
            yield from repeat((options.grid, options.answers))
        for _ in range(MAX_ROUNDS):
            for grid in self._search.propose(rng):
                yield grid, {}
        scores = {spelling: word.score for spelling, word in options.usable.items()}
        for _ in range(MAX_LAYOUT_GRIDS):
            layout = lay_out(options.size, scores, options.theme, rng)
            if layout is None:
                return
            grid = layout.draw()
            fixed = {}
            for slot in slots(grid):
                for word in options.theme:
                    if layout.words[word] == slot.cells:
                        fixed[slot.name] = word
            if options.blocks is None or "".join(grid).count(BLOCK) <= options.blocks:
                yield grid, fixed

    def _explain_failure(self, tried: int, grid: Sequence[str]) -> str:
        """What was tried and what may help: the lengths of which the list has the fewest words."""
        options = self.options
        listed = Counter(map(len, options.usable))
        if not tried:
            size = options.size
            longest = max(listed)
            what = f"no grid of {size}×{size} squares suits {plural(len(options.usable), 'word')}"
            what += f" of 3 to {longest} letters"
            changes = ["add words"]
        else:
            lengths = Counter(len(slot.cells) for slot in slots(grid))
            rarest = sorted(lengths, key=lambda length: listed[length] / lengths[length])[:2]
            lacking = join_words([f"{listed[length]:,} of {length} letters" for length in rarest])
            what = f"{plural(len(options.usable), 'word')} filled none of {plural(tried, 'grid')}"
            changes = [f"add words: the list has {lacking}"]
        if options.least_score:
            changes.append("choose a lower `least_score`")
        if options.theme:
            changes.append("use fewer words in `theme`")
        if options.blocks is not None:
            changes.append("allow more `blocks`")
        if options.grid is None:
            changes.append("choose a smaller `size`")
        return f"{what}; {', or '.join(changes)}"

    def _fill(
        self,
        grid: Sequence[str],
        fixed: Mapping[str, str],
        uses: Counter[str],
        rng: random.Random,
    ) -> dict[Cell, str] | None:
        # A word of an earlier puzzle comes after all others.
        scores = {}
        for spelling, word in self.options.usable.items():
            scores[spelling] = word.score - uses[spelling] * (MAX_SCORE + 1)
        tries = THEME_PLACES if self.options.theme else 1
        for _ in range(tries):
            answers = place_words(grid, self.options.theme, fixed, rng)
            if answers is None:
                return None
            filling = Filling(Crossword(grid=tuple(grid), answers=answers), scores, rng)
            fill = filling.search()
            if fill is not None:
                return fill
        if filling.complete and self.options.grid and not self.options.theme:
            raise Stopped(
                "the words of the list do not fill the grid (proved by searching all fills)"
            )
        return None

    def _candidate(
        self,
        grid: Sequence[str],
        letters: Mapping[Cell, str],
        answers: Mapping[str, str],
        repeated: int,
    ) -> Candidate:
        title = f"Crossword {len(grid)}×{len(grid[0])}, {plural(len(answers), 'word')}"
        notes = []
        if self.options.grid is None and not is_symmetric(grid):
            notes.append("the list is too short for a grid with symmetry")
        if repeated:
            words = plural(repeated, "word")
            notes.append(f"{words} also in earlier puzzles; a longer list avoids that")
        note = "; ".join(notes)

        questions = {}
        for name, answer in answers.items():
            question = self.options.usable[answer].question
            if question:
                questions[name] = question
        scores = {word: self.options.usable[word].score for word in sorted(answers.values())}
        if questions:
            puzzle = Crossword(
                title=title,
                grid=tuple(grid),
                words=scores,
                questions=questions,
                answers=dict(answers),
            )
            return Candidate(puzzle, established="the answers fill the grid", note=note)

        puzzle = Crossword(title=f"{title} to fit in", grid=tuple(grid), words=scores)
        solution: list[Letter | Scored] = [Letter(*item) for item in letters.items()]
        solution += [Scored(name, scores[word]) for name, word in answers.items()]
        others, complete = find_counterexamples(PuzzleSubject(puzzle), solution, 1)
        fits_once = complete and not others
        return Candidate(
            puzzle,
            0 if fits_once else 1,
            "" if fits_once else "its words fit in several ways",
            "the words fit in one way",
            verifiable=fits_once,
            note=note,
        )

    def verify(self, puzzle: Puzzle) -> Known:
        """Solve the puzzle with the second backend."""
        known, _ = solve_again(PuzzleSubject(puzzle), 1)
        return known


def is_symmetric(grid: Sequence[str]) -> bool:
    """Whether a half-turn maps the grid onto itself."""
    return list(grid) == [row[::-1] for row in reversed(grid)]


def _count_words(puzzles: Iterable[Puzzle]) -> Counter[str]:
    """The number of puzzles in which a word is the answer to a question or is to be fitted in."""
    uses = Counter[str]()
    for puzzle in puzzles:
        if isinstance(puzzle, Crossword):
            uses.update(list(puzzle.answers.values() or puzzle.words))
    return uses


def place_words(
    grid: Sequence[str], words: Iterable[str], answers: Mapping[str, str], rng: random.Random
) -> dict[str, str] | None:
    """Answers with these words among them, in random places that are free, beside the letters that
    stand there; None if a word finds no place."""
    places = {slot.name: slot.cells for slot in slots(grid)}
    letters: dict[Cell, str] = {}
    for name, answer in answers.items():
        letters.update(zip(places[name], read_listed_word(answer).spelling, strict=False))
    placed = dict(answers)
    for word in words:
        if word in placed.values():
            continue
        fitting = []
        for name, cells in places.items():
            if name not in placed and len(cells) == len(word):
                there = [letters.get(cell) for cell in cells]
                if all(old in (None, new) for old, new in zip(there, word, strict=True)):
                    fitting.append(name)
        if not fitting:
            return None
        name = rng.choice(fitting)
        placed[name] = word
        letters.update(zip(places[name], word, strict=True))
    return placed
