"""Nonogram."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

from support.grid_kinds import Entries
from support.plain_grids import Answer
from support.plain_links import WIDE, cut, spread, wide
from support.planting import lose_constraint

GENERATED_SIZE = (5, 4)  # rows and columns

ERRORS = {
    "no gaps": ("nonogram-heart", lose_constraint("implies")),
}

CLUES = "nonogram-heart"  # an instance whose clues follow from its answer

LINKS = {
    "nonogram/6/6/12g1111h11112j12g11g21j11g3h": {
        "lengths": {
            "rows": ["2 1", "1 1", "1 2", "0", "1 1", "3"],
            "columns": ["2 1", "1 1 1", "1", "1 1 1", "2 1", "0"],
        }
    },
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    rows, columns = entries["lengths"]["rows"], entries["lengths"]["columns"]

    def fits(line: tuple[int, ...], word: str) -> bool:
        lengths = [len(part) for part in "".join(map(str, line)).split("0") if part]
        return word == "?" or lengths == [int(n) for n in word.split() if n != "0"]

    possible = [
        [line for line in product((0, 1), repeat=len(columns)) if fits(line, word)] for word in rows
    ]
    answers = set()
    for grid in product(*possible):
        if all(
            fits(column, word)
            for column, word in zip(zip(*grid, strict=True), columns, strict=True)
        ):
            answers.add(
                frozenset((r, c) for r, row in enumerate(grid) for c, on in enumerate(row) if on)
            )
    return answers


def draw(rng: Random) -> Entries:
    def lists(number: int, length: int) -> list[str]:
        words = ["?"]
        for _ in range(4):
            blocks = "".join(rng.choice("# ") for _ in range(length)).split()
            words.append(" ".join(str(len(block)) for block in blocks) or "0")
        return [rng.choice(words) for _ in range(number)]

    height, width = rng.randint(1, 3), rng.randint(1, 4)
    return {"lengths": {"rows": lists(height, width), "columns": lists(width, height)}}


# -- links


def decode_link(body: str, height: int, width: int) -> list[str]:
    words = spread(cut(f"{WIDE}|[g-z]", body), "g", lambda token: [wide(token)])
    lines = []
    for number, room in ((width, (height + 1) // 2), (height, (width + 1) // 2)):
        for _ in range(number):
            line, words = words[:room], words[room:]
            lines.append(" ".join(word for word in line[::-1] if word != ".") or "0")
    assert not words
    return lines


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return [*entries["lengths"]["columns"], *entries["lengths"]["rows"]]


def draw_linked(rng: Random) -> Entries:
    """The blocks of random rows and columns."""
    height, width = rng.randint(4, 9), rng.randint(4, 9)
    rows = [[rng.random() < 0.6 for _ in range(width)] for _ in range(height)]
    return {
        "lengths": {
            "rows": [list_blocks(row) for row in rows],
            "columns": [list_blocks(column) for column in zip(*rows, strict=True)],
        }
    }


def list_blocks(line: Sequence[bool]) -> list[int]:
    drawn = "".join("#" if shaded else " " for shaded in line)
    return [len(block) for block in drawn.split()]
