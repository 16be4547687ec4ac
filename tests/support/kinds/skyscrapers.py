"""Skyscrapers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from random import Random
from typing import Any

from support.grid_kinds import Entries, rows
from support.plain_grids import Answer, drawn
from support.plain_links import WIDE, cut, draw_words, list_side, split_words, spread, wide
from support.planting import lose_constraint, reverse_views

GENERATED_SIZE = (4, 4)  # rows and columns

ERRORS = {
    "seen from the wrong end": ("skyscrapers-5", reverse_views),
    "heights twice": ("skyscrapers-5-many", lose_constraint("all_different")),
}

CLUES = "skyscrapers-5"  # an instance whose clues follow from its answer

LINKS = {
    "skyscrapers/4/4/k13h4j3g": {
        "heights": "....\n....\n....\n....",
        "seen": {"left": ". 4 . .", "right": ". . 3 .", "bottom": ". 1 3 ."},
    },
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["heights"])
    n = max(words)[0] + 1
    rims = {side: line.split() for side, line in entries.get("seen", {}).items()}

    def agrees(side: str, i: int, line: Sequence[int]) -> bool:
        word = rims.get(side, [])[i : i + 1]
        return word in ([], ["."], ["?"], [str(count_seen(line))])

    def fits(above: Sequence[Sequence[int]], row: Sequence[int]) -> bool:
        r = len(above)
        has_givens = all(words[r, c] in (".", "?", str(row[c])) for c in range(n))
        differs = all(row[c] != other[c] for other in above for c in range(n))
        return has_givens and differs and agrees("left", r, row) and agrees("right", r, row[::-1])

    def extend(above: list[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
        if len(above) == n:
            yield above
            return
        for row in permutations(range(1, n + 1)):
            if fits(above, row):
                yield from extend([*above, row])

    answers = set()
    for grid in extend([]):
        columns = list(zip(*grid, strict=True))
        if all(agrees("top", c, columns[c]) for c in range(n)) and all(
            agrees("bottom", c, columns[c][::-1]) for c in range(n)
        ):
            answers.add(frozenset(((r, c), grid[r][c]) for r in range(n) for c in range(n)))
    return answers


def count_seen(line: Sequence[int]) -> int:
    """How many heights of a line are seen from its beginning."""
    return sum(height > max(line[:i], default=0) for i, height in enumerate(line))


def draw(rng: Random) -> Entries:
    size = rng.randint(2, 4)
    words = [str(n) for n in range(1, size + 1)]
    seen = {}
    for side in ("top", "bottom", "left", "right"):
        seen[side] = rows(rng, 1, size, [*words, "?"], 0.7)
    return {"heights": rows(rng, size, size, words, 0.9), "seen": seen}


# -- links


def decode_link(body: str, height: int, width: int) -> list[str]:
    words = spread(cut(f"{WIDE}|[g-z]", body), "g", lambda token: [wide(token)])
    beside = 2 * (height + width)
    return words if len(words) > beside else words + ["."] * (height * width)


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    table = entries.get("seen", {})
    words = []
    for side in ("top", "bottom", "left", "right"):
        words += list_side(table, side, width)
    return words + split_words(entries["heights"])


def draw_linked(rng: Random) -> Entries:
    size = rng.randint(4, 9)
    sides = ("top", "bottom", "left", "right")
    seen = {side: draw_words(list("1234?...."), 1, size, rng) for side in sides}
    return {"heights": draw_words(list("1234....."), size, size, rng), "seen": seen}
