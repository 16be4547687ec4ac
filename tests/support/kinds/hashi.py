"""Hashi."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries
from support.plain_grids import Answer, Cell, drawn, fill, joined, ray
from support.plain_links import decode_numbers, draw_grid, split_words
from support.planting import lose_constraint, never_connect

GENERATED_SIZE = (6, 6)  # rows and columns

ERRORS = {
    "cut off": ("hashi-5", never_connect),
    "bridges that cross": ("hashi-8", lose_constraint("at_most_one")),
    "numbers without a rule": ("hashi-5", lose_constraint("exactly")),
}

CLUES = "hashi-5"  # an instance whose clues follow from its answer

LINKS = {
    "hashi/5/5/4g2i3h23k3g1g3g4g3": {"islands": "4.2..\n.3..2\n3....\n.3.1.\n3.4.3"},
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["islands"])
    islands = [cell for cell in words if words[cell] != "."]
    between = list_pairs(words, islands)
    pairs_at = {island: [pair for pair in between if island in pair] for island in islands}

    def can_have_number(bridges: dict[Any, int], island: Cell) -> bool:
        if words[island] == "?":
            return True
        drawn_here = sum(bridges.get(pair, 0) for pair in pairs_at[island])
        undecided = sum(pair not in bridges for pair in pairs_at[island])
        return drawn_here <= int(words[island]) <= drawn_here + 2 * undecided

    def fits(bridges: dict[Any, int], pair: Any) -> bool:
        if not all(can_have_number(bridges, island) for island in pair):
            return False
        if not bridges[pair]:
            return True
        others = [other for other in bridges if bridges[other] and other != pair]
        return all(between[pair].isdisjoint(between[other]) for other in others)

    # An island that sees no other one takes part in no pair, so nothing else looks at its number.
    alone = [island for island in islands if not pairs_at[island]]
    if any(words[island] not in ("0", "?") for island in alone):
        return set()
    answers = set()
    for numbers in fill(list(between), (0, 1, 2), fits):
        bridges = {pair: number for pair, number in numbers.items() if number}
        if joined(set(islands), set(bridges)):
            answers.add(frozenset(bridges.items()))
    return answers


def list_pairs(
    words: Mapping[Cell, str], islands: list[Cell]
) -> dict[tuple[Cell, Cell], set[Cell]]:
    """The pairs of islands that see each other, with the cells between them."""
    pairs = {}
    for row, column in islands:
        for down, across in ((0, 1), (1, 0)):
            between = ray((row, column), (down, across), words, set(islands))
            length = len(between) + 1
            end = (row + length * down, column + length * across)
            if end in islands:
                pairs[(row, column), end] = set(between)
    return pairs


def draw(rng: Random) -> Entries:
    """Islands with random numbers, or with those of random bridges."""
    height, width = rng.randint(1, 5), rng.randint(2, 5)
    cells = [(r, c) for r in range(height) for c in range(width)]
    islands = rng.sample(cells, min(len(cells), rng.randint(2, 7)))
    totals = dict.fromkeys(islands, 0)
    for r, c in islands:
        for step in ((0, 1), (1, 0)):
            seen = [(r + i * step[0], c + i * step[1]) for i in range(1, 6)]
            for other in [cell for cell in seen if cell in totals][:1]:
                number = rng.choice((0, 1, 1, 2))
                totals[r, c] += number
                totals[other] += number
    words = [["." for _ in range(width)] for _ in range(height)]
    for (r, c), total in totals.items():
        words[r][c] = "?" if rng.random() < 0.3 else str(total)
    return {"islands": "\n".join(" ".join(row) for row in words)}


# -- links

decode_link = decode_numbers


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return split_words(entries["islands"])


def draw_linked(rng: Random) -> Entries:
    return {"islands": draw_grid(list("12345678?........"), rng)}
