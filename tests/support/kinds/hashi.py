"""Hashi."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries
from support.plain_grids import Answer, Cell, drawn, fill, joined, ray
from support.plain_links import decode_numbers, draw_grid, split_words
from support.planting import lose_constraint, never_connect

SIZE = (6, 6)  # of a generated puzzle

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
    pairs: dict[tuple[Cell, Cell], set[Cell]] = {}
    for island in islands:
        for r, c in ((0, 1), (1, 0)):
            between = ray(island, (r, c), words, set(islands))
            length = len(between) + 1
            end = (island[0] + length * r, island[1] + length * c)
            if end in islands:
                pairs[island, end] = set(between)

    def fits(bridges: dict[Any, int], pair: Any) -> bool:
        for end in pair:
            own = [other for other in pairs if end in other]
            total = sum(bridges.get(other, 0) for other in own)
            left = 2 * sum(other not in bridges for other in own)
            if words[end] != "?" and not total <= int(words[end]) <= total + left:
                return False
        drawn_before = [other for other in bridges if bridges[other] and other != pair]
        return not bridges[pair] or all(pairs[pair].isdisjoint(pairs[x]) for x in drawn_before)

    answers = set()
    for numbers in fill(list(pairs), (0, 1, 2), fits):
        bridges = {pair: number for pair, number in numbers.items() if number}
        lonely = [x for x in islands if words[x] != "?" and not any(x in pair for pair in pairs)]
        if joined(set(islands), set(bridges)) and all(words[x] == "0" for x in lonely):
            answers.add(frozenset(bridges.items()))
    return answers


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
