"""The check of a crossword: it writes the letters into the grid and looks up every run of letters
in the list of words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jigsat.encodings.crossword.data import CrosswordData, Letter, Scored


def broken_rules(puzzle: CrosswordData, placements: Sequence[Letter | Scored]) -> Iterator[str]:
    """Squares without exactly one letter, changed givens, runs that are not words, words that occur
    twice, and wrong scores."""
    filled = [[" " if drawn == "#" else "" for drawn in row] for row in puzzle.grid]
    stated: dict[str, int] = {}
    for where, what in placements:
        if isinstance(where, str):
            if where in stated:
                yield f"{where} has two scores"
            stated[where] = int(what)
            continue
        r, c = where
        if (
            not (0 <= r < len(filled) and 0 <= c < len(filled[0]))
            or filled[r][c]
            or len(str(what)) != 1
        ):
            yield f"row {r + 1}, column {c + 1} is not a square, or holds two letters"
        else:
            filled[r][c] = str(what)
    for r, (row, drawn) in enumerate(zip(filled, puzzle.grid, strict=True), 1):
        for c, (letter, given) in enumerate(zip(row, drawn, strict=True), 1):
            if not letter:
                yield f"row {r}, column {c} holds no letter"
            elif given not in ("#", ".", letter):
                yield f"row {r}, column {c} does not hold the given {given}"
    answers = dict(puzzle.answers)
    used = Counter[str]()
    for name, word in _words(filled):
        if (answer := answers.pop(name, word)) != word:
            yield f"{name} is not {answer}"
        score = puzzle.scores.get(word)
        named, told = name in stated, stated.pop(name, None if puzzle.enforced else score)
        if "?" in word and any(
            re.fullmatch(word.replace("?", "."), each) for each in puzzle.scores
        ):
            continue  # a square without a letter, which was named
        if score is None or word in puzzle.banned or score < puzzle.least_score:
            if puzzle.enforced or named:
                yield f"{name}: {word} is not in the list of allowed words"
        elif told != score:
            yield f"{name}: the score of {word} is {score}, but the solution states another one"
        used[word] += named
    yield from (
        f"{word} occurs twice" for word, number in used.items() if number > 1 and not puzzle.repeats
    )
    yield from (f"there is no {name}" for name in [*stated, *answers])


def _words(filled: list[list[str]]) -> Iterator[tuple[str, str]]:
    """The runs of two or more letters with their names; the numbers are given row by row."""
    rows = ["".join(letter or "?" for letter in row) for row in filled]
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    across = {
        (r, run.start()): run[0]
        for r, row in enumerate(rows)
        for run in re.finditer(r"\S{2,}", row)
    }
    down = {
        (run.start(), c): run[0]
        for c, column in enumerate(columns)
        for run in re.finditer(r"\S{2,}", column)
    }
    for number, start in enumerate(sorted(across.keys() | down.keys()), 1):
        yield from (
            (f"{number} {name}", runs[start])
            for name, runs in (("across", across), ("down", down))
            if start in runs
        )
