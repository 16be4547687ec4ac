"""Crosswords as .ipuz files with mistakes that a publisher might make."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any, NamedTuple

WORDS = ["cat", "are", "tar", "car", "ate", "ret", "dog", "ado"]
GRIDS = [
    ["HEART", "EMBER", "ABUSE", "RESIN", "TREND"],
    ["CAT#", "ARES", "TEST", "#SEA"],
    ["DO#CAT", "OR#ATE", "GROTTO"],
    ["STAR", "TALE", "ALSO"],
]
"""Filled grids; every square belongs to a word."""


class Planted(NamedTuple):
    """A file with a mistake, and parts of the message about it: the clue or square, and what is
    wrong."""

    data: dict[str, Any]
    says: tuple[str, ...]


def crossword(rows: list[str], *, answers: bool = True) -> dict[str, Any]:
    """A correct file, written without any function of jigsat."""
    height, width = len(rows), len(rows[0])

    def white(r: int, c: int) -> bool:
        return 0 <= r < height and 0 <= c < width and rows[r][c] != "#"

    def word(r: int, c: int, dr: int, dc: int) -> str:
        letters = ""
        while white(r, c):
            letters, r, c = letters + rows[r][c], r + dr, c + dc
        return letters

    number = 0
    puzzle: list[list[Any]] = [["#"] * width for _ in rows]
    clues: dict[str, list[Any]] = {"Across": [], "Down": []}
    for r in range(height):
        for c in range(width):
            if not white(r, c):
                continue
            starts = [
                (title, word(r, c, dr, dc))
                for title, dr, dc in (("Across", 0, 1), ("Down", 1, 0))
                if not white(r - dr, c - dc) and white(r + dr, c + dc)
            ]
            number += bool(starts)
            puzzle[r][c] = number if starts else 0
            for title, answer in starts:
                clue = {"number": number, "clue": f"A clue for {answer.lower()}"}
                clues[title].append({**clue, "answer": answer} if answers else clue)
    return {
        "version": "http://ipuz.org/v2",
        "kind": ["http://ipuz.org/crossword#1"],
        "dimensions": {"width": width, "height": height},
        "puzzle": puzzle,
        "solution": [[*row] for row in rows],
        "clues": clues,
    }


def _squares(data: dict[str, Any]) -> list[tuple[int, int]]:
    return [(r, c) for r, row in enumerate(data["puzzle"]) for c, x in enumerate(row) if x != "#"]


def _swap_numbers(data: dict[str, Any], rng: random.Random) -> tuple[str, ...]:
    puzzle = data["puzzle"]
    (r, c), (s, d) = sorted(rng.sample([x for x in _squares(data) if puzzle[x[0]][x[1]]], 2))
    puzzle[r][c], puzzle[s][d] = puzzle[s][d], puzzle[r][c]
    return f"puzzle: row {r + 1}, column {c + 1}: number {puzzle[r][c]}", "would be"


def _change_dimensions(data: dict[str, Any], rng: random.Random) -> tuple[str, ...]:
    name = rng.choice(["width", "height"])
    data["dimensions"][name] += rng.choice([-1, 1, 10])
    return (f"dimensions: {name} {data['dimensions'][name]}, but",)


def _repeat_clue(data: dict[str, Any], rng: random.Random) -> tuple[str, ...]:
    title = rng.choice(["Across", "Down"])
    clue = rng.choice(data["clues"][title])
    data["clues"][title].insert(rng.randrange(len(data["clues"][title])), dict(clue))
    return (f"clues: {clue['number']} {title.lower()}: two clues",)


def _remove_letter(data: dict[str, Any], rng: random.Random) -> tuple[str, ...]:
    r, c = rng.choice(_squares(data))
    data["solution"][r][c] = rng.choice(["", None, 0])
    return (f"solution: row {r + 1}, column {c + 1}: no letter",)


def _change_letter(data: dict[str, Any], rng: random.Random) -> tuple[str, ...]:
    r, c = rng.choice(_squares(data))
    data["solution"][r][c] = "Q"
    return "clues: ", f"in row {r + 1}, column {c + 1}, where the solution has Q"


def _change_clue_number(data: dict[str, Any], rng: random.Random) -> tuple[str, ...]:
    title = rng.choice(["Across", "Down"])
    rng.choice(data["clues"][title])["number"] = 99
    return (f"clues: 99 {title.lower()}: there is no such word",)


def _cut_row(data: dict[str, Any], rng: random.Random) -> tuple[str, ...]:
    r = rng.randrange(1, len(data["puzzle"]))
    data["puzzle"][r].pop()
    return f"puzzle: row {r + 1}: ", "but most rows have"


def _cut_solution(data: dict[str, Any], rng: random.Random) -> tuple[str, ...]:
    r = rng.randrange(len(data["solution"]))
    if rng.random() < 0.5:
        del data["solution"][r]
        return (f"solution: {len(data['solution'])} rows, but `puzzle` has",)
    data["solution"][r].pop()
    return f"solution: row {r + 1}: ", "but that of `puzzle` has"


def _move_block(data: dict[str, Any], rng: random.Random) -> tuple[str, ...]:
    r, c = rng.choice(_squares(data))
    data["solution"][r][c] = "#"
    return f"solution: row {r + 1}, column {c + 1}: a block", "`puzzle` has a square there"


def _show_other_letter(data: dict[str, Any], rng: random.Random) -> tuple[str, ...]:
    r, c = rng.choice(_squares(data))
    data["puzzle"][r][c] = {"cell": data["puzzle"][r][c], "value": "Q"}
    return f"solution: row {r + 1}, column {c + 1}: ", "`puzzle` shows 'Q' there"


def _type_two_letters(data: dict[str, Any], rng: random.Random) -> tuple[str, ...]:
    r, c = rng.choice(_squares(data))
    data["solution"][r][c] += "E"
    return "clues: ", "letters, but there are"


MISTAKES: list[Callable[[dict[str, Any], random.Random], tuple[str, ...]]] = [
    _swap_numbers,
    _change_dimensions,
    _repeat_clue,
    _remove_letter,
    _change_letter,
    _change_clue_number,
    _cut_row,
    _cut_solution,
    _move_block,
    _show_other_letter,
    _type_two_letters,
]


def plant(data: dict[str, Any], kind: int, rng: random.Random) -> Planted:
    """The file with a mistake of this kind."""
    changed = copy.deepcopy(data)
    return Planted(changed, MISTAKES[kind](changed, rng))


def text(data: dict[str, Any]) -> str:
    return json.dumps(data)
