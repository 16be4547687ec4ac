"""A folder of crosswords as a publisher has it: most are right, and some have one planted mistake.

The grids have half-turn symmetry, and every square is in two words. Letters are random, so that no
word occurs twice; the list has the words of all files. Nothing here is a function of jigsat.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from support.crosswords import runs
from support.planted import crossword

LETTERS = "ABCDEFGHIJKLMNOPRSTUVWXYZ"  # without Q, which is a wrong letter
Cells = list[tuple[int, int]]


@dataclass
class Desk:
    """The files by name, the list of words, and the places of the faults in each file."""

    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    faults: dict[str, set[str]] = field(default_factory=dict)


def build_desk(files: int, mistakes: int, seed: int) -> Desk:
    rng = random.Random(seed)
    desk = Desk()
    with_mistake = set(rng.sample(range(files), mistakes))
    kinds = 0
    for number in range(files):
        name = f"crossword-{number:03}.ipuz"
        if number not in with_mistake:
            rows = fill(draw_grid(rng), rng)
            data, places, missing = crossword(rows), set[str](), ""
        else:
            rows, data, places, missing = MISTAKES[kinds % len(MISTAKES)](rng)
            kinds += 1
        desk.files[name] = data
        desk.faults[name] = places
        desk.words += [word for _, word in list_words(rows) if word != missing]
    return desk


# -- grids


def count_lengths(grid: list[str]) -> Counter[int]:
    """How many runs of squares there are of each length, in both directions."""
    columns = ["".join(column) for column in zip(*grid, strict=True)]
    lines = [run for line in (*grid, *columns) for run in line.split("#")]
    return Counter(len(run) for run in lines if run)


def draw_grid(rng: random.Random) -> list[str]:
    """A grid with half-turn symmetry, in which all runs have three squares or more."""
    size = rng.randint(5, 9)
    grid = ["." * size] * size
    for _ in range(rng.randint(2, 8)):
        r, c = rng.randrange(size), rng.randrange(size)
        changed = flip(flip(grid, r, c), size - 1 - r, size - 1 - c)
        if min(count_lengths(changed)) >= 3 and sum(row.count("#") for row in changed) < size:
            grid = changed
    return grid


def flip(grid: list[str], r: int, c: int) -> list[str]:
    """The grid with a block in place of a square, or a square in place of a block."""
    other = "." if grid[r][c] == "#" else "#"
    return [*grid[:r], grid[r][:c] + other + grid[r][c + 1 :], *grid[r + 1 :]]


def fill(grid: list[str], rng: random.Random) -> list[str]:
    """The grid with random letters, so that no word occurs twice."""
    while True:
        rows = ["".join("#" if x == "#" else rng.choice(LETTERS) for x in row) for row in grid]
        words = [word for _, word in list_words(rows)]
        if len(set(words)) == len(words):
            return rows


def list_words(rows: list[str]) -> list[tuple[str, str]]:
    return [(name, "".join(rows[r][c] for r, c in cells)) for name, cells in runs(rows)]


# -- mistakes: the rows, the file, the places of the faults, and a word that the list lacks

Mistake = tuple[list[str], dict[str, Any], set[str], str]


def _right(rng: random.Random) -> tuple[list[str], dict[str, Any]]:
    rows = fill(draw_grid(rng), rng)
    return rows, crossword(rows)


def _name(r: int, c: int) -> str:
    return f"row {r + 1}, column {c + 1}"


def _squares(rows: list[str]) -> Cells:
    return [(r, c) for r, row in enumerate(rows) for c, x in enumerate(row) if x != "#"]


def _pick(rng: random.Random, rows: list[str]) -> tuple[int, int]:
    return rng.choice(_squares(rows))


def _pick_clue(rng: random.Random, data: dict[str, Any]) -> tuple[list[Any], Any, str]:
    title = rng.choice(["Across", "Down"])
    clue = rng.choice(data["clues"][title])
    return data["clues"][title], clue, f"{clue['number']} {title.lower()}"


def swap_numbers(rng: random.Random) -> Mistake:
    rows, data = _right(rng)
    puzzle = data["puzzle"]
    (r, c), (s, d) = rng.sample([(r, c) for r, c in _squares(rows) if puzzle[r][c]], 2)
    puzzle[r][c], puzzle[s][d] = puzzle[s][d], puzzle[r][c]
    return rows, data, {f"puzzle: {_name(r, c)}", f"puzzle: {_name(s, d)}"}, ""


def change_dimensions(rng: random.Random) -> Mistake:
    rows, data = _right(rng)
    data["dimensions"][rng.choice(["width", "height"])] += rng.choice([-1, 1, 10])
    return rows, data, {"dimensions"}, ""


def repeat_clue(rng: random.Random) -> Mistake:
    rows, data = _right(rng)
    clues, clue, name = _pick_clue(rng, data)
    clues.append(dict(clue))
    return rows, data, {f"clues: {name}"}, ""


def remove_clue(rng: random.Random) -> Mistake:
    rows, data = _right(rng)
    clues, clue, name = _pick_clue(rng, data)
    clues.remove(clue)
    return rows, data, {name}, ""


def empty_clue(rng: random.Random) -> Mistake:
    rows, data = _right(rng)
    _, clue, name = _pick_clue(rng, data)
    clue["clue"] = ""
    return rows, data, {name}, ""


def change_clue_number(rng: random.Random) -> Mistake:
    rows, data = _right(rng)
    _, clue, name = _pick_clue(rng, data)
    clue["number"] = 99
    return rows, data, {name, f"clues: 99 {name.partition(' ')[2]}"}, ""


def remove_letter(rng: random.Random) -> Mistake:
    rows, data = _right(rng)
    r, c = _pick(rng, rows)
    data["solution"][r][c] = rng.choice(["", None, 0])
    return rows, data, {f"solution: {_name(r, c)}"}, ""


def change_letter(rng: random.Random) -> Mistake:
    """The answers of two clues contradict the letter; the one across comes first."""
    rows, data = _right(rng)
    r, c = _pick(rng, rows)
    data["solution"][r][c] = "Q"
    name = next(name for name, cells in runs(rows) if (r, c) in cells)
    changed = [*rows[:r], rows[r][:c] + "Q" + rows[r][c + 1 :], *rows[r + 1 :]]
    return changed, data, {f"clues: {name}"}, ""


def cut_row(rng: random.Random) -> Mistake:
    rows, data = _right(rng)
    r = rng.randrange(len(rows))
    data["puzzle"][r].pop()
    return rows, data, {f"puzzle: row {r + 1}"}, ""


def cut_solution(rng: random.Random) -> Mistake:
    rows, data = _right(rng)
    r = rng.randrange(len(rows))
    data["solution"][r].pop()
    return rows, data, {f"solution: row {r + 1}"}, ""


def move_block(rng: random.Random) -> Mistake:
    rows, data = _right(rng)
    r, c = _pick(rng, rows)
    data["solution"][r][c] = "#"
    return rows, data, {f"solution: {_name(r, c)}"}, ""


def show_other_letter(rng: random.Random) -> Mistake:
    rows, data = _right(rng)
    r, c = _pick(rng, rows)
    data["puzzle"][r][c] = {"cell": data["puzzle"][r][c], "value": "Q"}
    return rows, data, {f"solution: {_name(r, c)}"}, ""


def _change_grids(rng: random.Random, *, twice: bool) -> Iterator[tuple[list[str], int, int]]:
    """Grids in which one square became a block, or also its image, with that square."""
    while True:
        grid = draw_grid(rng)
        r, c = _pick(rng, grid)
        size = len(grid)
        changed = flip(grid, r, c)
        if twice and (r, c) != (size - 1 - r, size - 1 - c):
            changed = flip(changed, size - 1 - r, size - 1 - c)
        yield changed, r, c


def break_symmetry(rng: random.Random) -> Mistake:
    for grid, r, c in _change_grids(rng, twice=False):
        size = len(grid)
        columns = ["".join(column) for column in zip(*grid, strict=True)]
        images = [
            [row[::-1] for row in grid[::-1]],
            [row[::-1] for row in grid],
            grid[::-1],
            columns,
            [column[::-1] for column in columns[::-1]],
        ]
        if grid not in images and min(count_lengths(grid)) >= 3:
            rows = fill(grid, rng)
            return rows, crossword(rows), {_name(size - 1 - r, size - 1 - c)}, ""
    raise AssertionError


def leave_unchecked(rng: random.Random) -> Mistake:
    for grid, _, _ in _change_grids(rng, twice=True):
        lengths = count_lengths(grid)
        words = Counter(cell for _, cells in runs(grid) for cell in cells)
        unchecked = {_name(*cell) for cell in words if words[cell] == 1}
        in_words = len(words) == len(_squares(grid))
        if lengths[1] and not lengths[2] and in_words and len(unchecked) < len(words) / 8:
            rows = fill(grid, rng)
            return rows, crossword(rows), unchecked, ""
    raise AssertionError


def make_short_words(rng: random.Random) -> Mistake:
    for grid, _, _ in _change_grids(rng, twice=True):
        lengths = count_lengths(grid)
        if lengths[2] and not lengths[1]:
            rows = fill(grid, rng)
            short = {name for name, cells in runs(grid) if len(cells) == 2}
            return rows, crossword(rows), short, ""
    raise AssertionError


def repeat_word(rng: random.Random) -> Mistake:
    while True:
        rows, _ = _right(rng)
        (one, cells), (other, others) = sorted(
            rng.sample(list(enumerate(each for _, each in runs(rows))), 2)
        )
        if len(cells) != len(others) or set(cells) & set(others):
            continue
        changed = [[*row] for row in rows]
        for (r, c), (s, d) in zip(cells, others, strict=True):
            changed[s][d] = rows[r][c]
        repeated = ["".join(row) for row in changed]
        words = Counter(word for _, word in list_words(repeated))
        if one < other and sorted(words.values())[-2:] == [1, 2]:
            return repeated, crossword(repeated), {runs(rows)[other][0]}, ""


def use_unlisted_word(rng: random.Random) -> Mistake:
    rows, data = _right(rng)
    name, word = max(list_words(rows), key=lambda item: len(item[1]))
    return rows, data, {name}, word


MISTAKES: list[Callable[[random.Random], Mistake]] = [
    swap_numbers,
    change_dimensions,
    repeat_clue,
    remove_clue,
    empty_clue,
    change_clue_number,
    remove_letter,
    change_letter,
    cut_row,
    cut_solution,
    move_block,
    show_other_letter,
    break_symmetry,
    leave_unchecked,
    make_short_words,
    repeat_word,
    use_unlisted_word,
]
