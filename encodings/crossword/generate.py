"""Options for generating crosswords: a grid, made or drawn, is filled with words from a list, high
scores first."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import networkx
from jigsat.encodings.crossword.data import BLANK, BLOCK, Cell, Letter, Scored, slots
from jigsat.encodings.crossword.filling import Filling
from jigsat.encodings.crossword.rules import Crossword
from jigsat.encodings.crossword.words import (
    DEFAULT_SCORE,
    MAX_SCORE,
    ListedWord,
    include_words,
    read_listed_word,
    read_words,
)
from pydantic import BeforeValidator, Field, NonNegativeInt, model_validator

from jigsat.backends.engine import INSTALL, is_compiled
from jigsat.boards.drawings import DrawnRows
from jigsat.errors import InputError, Stopped
from jigsat.formula import Formula, Variables
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
from jigsat.search.sampling import DRAWN_VARIABLES, Sampler
from jigsat.subject import PuzzleSubject
from jigsat.words import plural

MIN_BLOCKS = 0.17  # share of blocks in the first grid
# A grid that cannot be filled is followed by one with more blocks.
BLOCKS_PER_ATTEMPT = 0.02
MAX_BLOCKS = 0.5
# share of blocks above which squares may belong to one word only
FULLY_CHECKED = 0.25
MAX_GRIDS = 100  # maximum number of grids, or of searches for a drawn one


def _read_words(data: Any) -> dict[str, ListedWord]:
    words = read_words(data)
    if max(map(len, words), default=0) < 2:
        raise ValueError("no word has two or more letters")
    return words


class Options(GeneratorOptions):
    """A list of words with scores and questions, and a drawn `grid` or the `size` of one with
    half-turn symmetry.

    If the list has questions, only words with a question are used, and the answers are the only
    solution. Otherwise the words that are used are listed, and there is one way to fit them in.
    `answers` are fixed in a drawn grid.
    """

    single = (
        "the answers to questions, or the words to fit in, have one place each; leave the entry out"
    )
    puzzles_per_generator = 100  # puzzles of one generator have different words

    words: Annotated[
        dict[str, ListedWord], BeforeValidator(_read_words, json_schema_input_type=str | list[str])
    ]
    grid: DrawnRows | None = None
    size: int = Field(default=9, ge=3, le=30)
    least_score: NonNegativeInt = 0
    answers: dict[str, str] = Field(default_factory=dict)

    @classmethod
    def included(cls, requested: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
        if "words" not in requested:
            raise InputError("words: name a list of words, as in --set words=./words.txt")
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
            if "size" in self.model_fields_set:
                raise ValueError("size: a drawn grid has its own size; remove `size`, or `grid`")
        if max(map(len, self.usable), default=0) < 2:
            raise ValueError(
                f"least_score: no word that may be used has a score of {self.least_score} or more"
            )
        return self

    @cached_property
    def usable(self) -> dict[str, ListedWord]:
        """The words that may be used, with the highest scores first; the fixed answers among
        them."""
        have_questions = any(word.question for word in self.words.values())

        def is_usable(word: ListedWord) -> bool:
            return word.score >= self.least_score and (word.question != "" or not have_questions)

        usable = {spelling: word for spelling, word in self.words.items() if is_usable(word)}
        for answer in self.answers.values():
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
        longest = max(map(len, options.usable))
        uses = _count_words(made)
        blocks = MIN_BLOCKS
        filled = 0
        for _ in range(MAX_GRIDS):
            grid = options.grid or make_grid(options.size, longest, blocks, rng)
            letters = self._fill(grid, uses, rng) if grid else None
            if not grid or not letters:
                blocks = min(blocks + BLOCKS_PER_ATTEMPT, MAX_BLOCKS)
                continue
            answers = {}
            for slot in slots(grid):
                answers[slot.name] = "".join(letters[cell] for cell in slot.cells)
            repeated = 0
            for name, word in answers.items():
                if name not in options.answers and uses[word] > 0:
                    repeated += 1
            filled += 1
            if repeated < filled:
                yield self._candidate(grid, letters, answers, repeated)
        if not filled:
            fewer = "" if options.grid else ", or choose a smaller size"
            raise Stopped(
                f"{plural(len(options.usable), 'word')} filled none of {MAX_GRIDS} grids; add "
                f"words{fewer}"
            )

    def _fill(
        self, grid: Sequence[str], uses: Counter[str], rng: random.Random
    ) -> dict[Cell, str] | None:
        # A word of an earlier puzzle comes after all others.
        scores = {}
        for spelling, word in self.options.usable.items():
            scores[spelling] = word.score - uses[spelling] * (MAX_SCORE + 1)
        filling = Filling(Crossword(grid=tuple(grid), answers=self.options.answers), scores, rng)
        fill = filling.search()
        if fill is None and filling.complete and self.options.grid:
            raise Stopped(
                "the words of the list do not fill the grid (proved by searching all fills)"
            )
        return fill

    def _candidate(
        self,
        grid: Sequence[str],
        letters: Mapping[Cell, str],
        answers: Mapping[str, str],
        repeated: int,
    ) -> Candidate:
        title = f"Crossword {len(grid)}×{len(grid[0])}, {plural(len(answers), 'word')}"
        note = ""
        if repeated:
            words = plural(repeated, "word")
            note = f"{words} also in earlier puzzles; a longer list avoids that"

        questions = {}
        for name, answer in answers.items():
            question = self.options.usable[answer].question
            if question:
                questions[name] = question
        if questions:
            puzzle = Crossword(
                title=title, grid=tuple(grid), questions=questions, answers=dict(answers)
            )
            return Candidate(puzzle, established="the answers fill the grid", note=note)

        listed = dict.fromkeys(sorted(answers.values()), DEFAULT_SCORE)
        puzzle = Crossword(title=f"{title} to fit in", grid=tuple(grid), words=listed)
        solution: list[Letter | Scored] = [Letter(*item) for item in letters.items()]
        solution += [Scored(name, DEFAULT_SCORE) for name in answers]
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


def _count_words(puzzles: Iterable[Puzzle]) -> Counter[str]:
    """The number of puzzles in which a word is the answer to a question or is to be fitted in."""
    uses = Counter[str]()
    for puzzle in puzzles:
        if isinstance(puzzle, Crossword):
            uses.update(list(puzzle.answers.values() or puzzle.words))
    return uses


def make_grid(size: int, longest: int, blocks: float, rng: random.Random) -> tuple[str, ...] | None:
    """A random grid with half-turn symmetry and about this share of blocks, in which words have 3
    letters or more.

    No four blocks form a square, nor do 16 blank squares. None if these blocks do not leave the
    blank squares connected.
    """
    formula = Formula()
    cells = [(r, c) for r in range(size) for c in range(size)]
    block = formula.variables("block", ("row", "column"), cells)
    longest = min(longest, size if size < 9 else 2 * size // 3)
    is_sparse = blocks > FULLY_CHECKED and size % 2 == 1
    for r, c in cells:
        formula.clause([-block(r, c), block(size - 1 - r, size - 1 - c)])
        if is_sparse and r % 2 == 1 and c % 2 == 1:
            formula.clause([block(r, c)])
        _join_to_others(formula, block, (r, c))
        for step in ((0, 1), (1, 0)):
            _limit_word(formula, block, (r, c), step, longest, is_sparse)
        _forbid_squares(formula, block, (r, c))
    number = round(size**2 * blocks)
    formula.between(number - 2, number + 2, formula.decisions())

    sampler = Sampler(formula)
    model = sampler.draw(rng.sample(formula.decisions(), min(DRAWN_VARIABLES, size)))
    sampler.close()
    if model is None:
        return None
    blank = {cell for cell in cells if block(*cell) not in model}
    if not blank or not networkx.is_connected(networkx.grid_2d_graph(size, size).subgraph(blank)):
        return None
    return _draw_grid(size, blank)


def _draw_grid(size: int, blank: Collection[Cell]) -> tuple[str, ...]:
    """The rows of a grid with these blank squares."""
    rows = []
    for r in range(size):
        rows.append("".join(BLANK if (r, c) in blank else BLOCK for c in range(size)))
    return tuple(rows)


def _forbid_squares(formula: Formula, block: Variables, cell: Cell) -> None:
    """No square of four blocks, and none of 16 blank squares, begins on this cell."""
    r, c = cell
    for wide, sign in ((2, -1), (4, 1)):
        square = [(r + i, c + j) for i in range(wide) for j in range(wide)]
        if square[-1] in block:
            formula.clause(sign * block(*other) for other in square)


def _join_to_others(formula: Formula, block: Variables, cell: Cell) -> None:
    """A blank square has a blank neighbour."""
    r, c = cell
    beside = [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
    blank_beside = [-block(*other) for other in beside if other in block]
    formula.clause([block(r, c), *blank_beside])


def _limit_word(
    formula: Formula, block: Variables, cell: Cell, step: Cell, longest: int, is_sparse: bool
) -> None:
    """A word that begins on this square and goes in this direction has at least three letters and
    at most so many. In a sparse grid, a square need not be in a word of each direction."""
    r, c = cell
    down, across = step
    line = [(r + i * down, c + i * across) for i in range(-1, longest + 1)]
    before, first, second, third = line[:4]

    # It begins on a blank square after a block or the rim, unless one of these literals is true.
    not_here = [block(*first)]
    if before in block:
        not_here = [-block(*before), block(*first)]

    blank_second = [-block(*second)] if second in block else []
    blank_third = [-block(*third)] if third in block else []
    if not is_sparse:
        formula.clause([*not_here, *blank_second])
    if second in block:  # otherwise no word begins here
        formula.clause([*not_here, block(*second), *blank_third])
    if line[-1] in block:
        formula.clause(block(*other) for other in line[1:])
