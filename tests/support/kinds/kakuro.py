"""Kakuro."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries
from support.plain_grids import Answer, Cell, drawn, ray
from support.plain_links import propose, split_words
from support.planting import allow_repeats, shorten_runs

GENERATED_SIZE = (3, 3)  # rows and columns

ERRORS = {
    "runs cut short": ("kakuro-5", shorten_runs),
    "digits twice": ("kakuro-2", allow_repeats),
}

CLUES = "kakuro-5"  # an instance whose clues follow from its answer

LINKS = {
    "kakuro/5/5/48la0.na0lh3l0Bn.0cl.c4a3": {
        "sums": "\\ \\ 12\\ 4\\ \\ \\\n\\ 4\\8 . . 10\\ \\\n\\10 . . . . 10\\\n"
        "\\3 . . 17\\3 . .\n\\ \\21 . . . .\n\\ \\ \\12 . . \\"
    },
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["sums"])
    white = sorted(x for x in words if words[x] == ".")
    runs = []
    for (r, c), word in words.items():
        if word != ".":
            for step, total in zip(((1, 0), (0, 1)), word.split("\\"), strict=True):
                cells = ray((r, c), step, words, set(words) - set(white))
                runs.append((cells, total))
    answers = set()

    def extend(index: int, digits: dict[Cell, int]) -> None:
        if index == len(white):
            answers.add(frozenset(((r - 1, c - 1), n) for (r, c), n in digits.items()))
            return
        for digit in range(1, 10):
            now = {**digits, white[index]: digit}
            if all(
                fits([now[x] for x in cells if x in now], len(cells), total)
                for cells, total in runs
                if white[index] in cells
            ):
                extend(index + 1, now)

    def fits(values: list[int], length: int, total: str) -> bool:
        if len(set(values)) < len(values):
            return False
        missing = length - len(values)
        return total == "" or missing <= int(total) - sum(values) <= 9 * missing

    extend(0, {})
    return answers


def draw(rng: Random) -> Entries:
    """Some of the sums are missing, and few cells are white."""
    height, width = rng.randint(1, 2), rng.randint(1, 3)
    lines = [[draw_sum(rng) for _ in range(width + 1)]]
    for _ in range(height):
        cells = ["." if rng.random() < 0.8 else draw_sum(rng) for _ in range(width)]
        lines.append([draw_sum(rng), *cells])
    return {"sums": "\n".join(" ".join(line) for line in mend_sums(lines))}


def draw_sum(rng: Random) -> str:
    sums = [str(rng.randint(3, 12)) if rng.random() < 0.8 else "" for _ in range(2)]
    return "\\".join(sums)


def mend_sums(lines: list[list[str]]) -> list[list[str]]:
    """Without sums of no cells."""
    for r, line in enumerate(lines):
        for c, word in enumerate(line):
            if word != ".":
                down, right = word.split("\\")
                if r + 1 == len(lines) or lines[r + 1][c] != ".":
                    down = ""
                if c + 1 == len(line) or line[c + 1] != ".":
                    right = ""
                line[c] = f"{down}\\{right}"
    return lines


# -- links


def decode_link(body: str, height: int, width: int) -> list[str]:
    def total(character: str) -> str:
        if character in "-0":
            return ""
        return str(int(character, 36) + (10 if character.isupper() else 0))

    grid: list[str] = []
    while len(grid) < height * width:
        if "k" <= body[0] <= "z":
            grid += ["."] * (ord(body[0]) - ord("k") + 1)
            body = body[1:]
        elif body[0] == ".":
            grid.append("\\")
            body = body[1:]
        else:
            grid.append(f"{total(body[0])}\\{total(body[1])}")
            body = body[2:]
    beside = list(body)
    top = [f"{total(beside.pop(0))}\\" if word == "." else "\\" for word in grid[:width]]
    left = [f"\\{total(beside.pop(0))}" if word == "." else "\\" for word in grid[::width]]
    assert not beside
    words = ["\\", *top]
    for row in range(height):
        words += [left[row], *grid[row * width : (row + 1) * width]]
    return words


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return split_words(entries["sums"])


def draw_linked(rng: Random) -> Entries:
    return propose("kakuro", rng.randint(4, 9), rng)
