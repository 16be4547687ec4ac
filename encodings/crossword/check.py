"""The check of a crossword: it writes the letters into the grid and looks up every run of letters
in the list of words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jigsat.encodings.crossword.data import CrosswordData, Letter, Scored


def broken_rules(puzzle: CrosswordData, placements: Sequence[Letter | Scored]) -> Iterator[str]:
    """Squares without exactly one letter, changed givens, runs that are not words, words that occur
    twice, and wrong scores."""
    grid = [[" " if character == "#" else "" for character in row] for row in puzzle.grid]
    scores: dict[str, int] = {}
    for where, what in placements:
        if isinstance(where, str):
            if where in scores:
                yield f"{where} has two scores"
            scores[where] = int(what)
            continue
        row, column = where
        letter = str(what)
        if not _is_empty(grid, row, column) or len(letter) != 1:
            yield f"row {row + 1}, column {column + 1} is not a square, or holds two letters"
        else:
            grid[row][column] = letter

    yield from _find_wrong_letters(puzzle, grid)
    yield from _find_wrong_words(puzzle, _read_words(puzzle, grid), scores)


def _is_empty(grid: Sequence[Sequence[str]], row: int, column: int) -> bool:
    """Whether there is a square that holds no letter yet."""
    inside = 0 <= row < len(grid) and 0 <= column < len(grid[0])
    return inside and grid[row][column] == ""


def _find_wrong_letters(puzzle: CrosswordData, grid: Sequence[Sequence[str]]) -> Iterator[str]:
    """Squares without a letter, or with another one than the given one."""
    for r, row in enumerate(grid):
        for c, letter in enumerate(row):
            given = puzzle.grid[r][c]
            if letter == "":
                yield f"row {r + 1}, column {c + 1} holds no letter"
            elif given not in ("#", ".", letter):
                yield f"row {r + 1}, column {c + 1} does not hold the given {given}"


def _find_wrong_words(
    puzzle: CrosswordData, words: Mapping[str, str], scores: Mapping[str, int]
) -> Iterator[str]:
    """Words that are not allowed, and wrong scores. The words are those in the grid, the scores
    those that the solution states."""
    uses: Counter[str] = Counter()
    for name, word in words.items():
        answer = puzzle.answers.get(name, word)
        if word != answer:
            yield f"{name} is not {answer}"
        if _may_become_word(word, puzzle.scores):
            continue  # its empty square is named already
        if puzzle.enforced or name in scores:
            yield from _find_wrong_score(puzzle, name, word, scores.get(name))
        if name in scores:
            uses[_spell_out(puzzle, word)] += 1

    for word, number in uses.items():
        if number > 1 and not puzzle.repeats:
            yield f"{word} occurs twice"

    for name in [*scores, *puzzle.answers]:
        if name not in words:
            yield f"there is no {name}"


def _spell_out(puzzle: CrosswordData, word: str) -> str:
    """A word with the letters of squares that hold several."""
    return "".join(puzzle.rebus.get(sign, sign) for sign in word)


def _may_become_word(word: str, known: Iterable[str]) -> bool:
    """Whether a word with ? for each empty square can still become one of the known words."""
    if "?" not in word:
        return False
    pattern = word.replace("?", ".")
    return any(re.fullmatch(pattern, other) for other in known)


def _find_wrong_score(
    puzzle: CrosswordData, name: str, word: str, stated: int | None
) -> Iterator[str]:
    known = puzzle.words or puzzle.scores  # otherwise the answers are the only words
    spelled = _spell_out(puzzle, word)
    score = known.get(word, known.get(spelled))
    if score is None or not puzzle.banned.isdisjoint([word, spelled]) or score < puzzle.least_score:
        yield f"{name}: {spelled} is not in the list of allowed words"
    elif stated != score:
        yield f"{name}: the score of {word} is {score}, but the solution states another one"


def _read_words(puzzle: CrosswordData, grid: Sequence[Sequence[str]]) -> dict[str, str]:
    """The runs of two or more letters by their names, with ? for a missing letter; the numbers are
    given row by row."""
    bars = puzzle.bars or ["." * len(row) for row in grid]
    across: dict[tuple[int, int], str] = {}
    for r, row in enumerate(grid):
        ends = [sign in "|J" for sign in bars[r]]
        for c, run in _split_line(row, ends):
            across[r, c] = run
    down: dict[tuple[int, int], str] = {}
    for c, column in enumerate(zip(*grid, strict=True)):
        ends = [row[c] in "_J" for row in bars]
        for r, run in _split_line(column, ends):
            down[r, c] = run

    words = {}
    for number, start in enumerate(sorted(across.keys() | down.keys()), 1):
        if start in across:
            words[f"{number} across"] = across[start]
        if start in down:
            words[f"{number} down"] = down[start]
    return words


def _split_line(line: Sequence[str], ends: Sequence[bool]) -> Iterator[tuple[int, str]]:
    """The runs of two or more letters between blocks and bars, with the places where they begin."""
    signs = ""
    starts = []
    for place, (letter, end) in enumerate(zip(line, ends, strict=True)):
        for sign in (letter or "?", *([" "] if end else [])):
            signs += sign
            starts.append(place)
    for run in re.finditer(r"\S{2,}", signs):
        yield starts[run.start()], run[0]
