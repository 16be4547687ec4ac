"""Tents."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from random import Random
from typing import Any

import pytest
from support.grid_kinds import Entries, line_totals, rows
from support.plain_grids import Answer, around, beside, drawn, totals_fit
from support.plain_links import WIDE, list_side, propose, split_words, spread, wide
from support.planting import lose_all_blocks, lose_constraint, lose_neighbours

GENERATED_SIZE = (5, 6)  # rows and columns


def lose_tents_of_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two constraints say that a tree has a tent: one of them follows from the other."""
    lose_constraint("exactly_one")(monkeypatch)
    lose_constraint("clause")(monkeypatch)


ERRORS = {
    "tents that touch": ("tents-4", lose_all_blocks),
    "a cell beside a tree left out": ("tents-4", lose_neighbours),
    "trees without a tent": ("tents-4", lose_tents_of_trees),
}

CLUES = "tents-7"  # an instance whose clues follow from its answer

LINKS = {
    "tents/5/5/2g0h1i1j82323": {
        "trees": "..t..\n.....\n.t..t\n...t.\n.t...",
        "numbers": {"top": "2 . 0 . .", "left": "1 . . . 1"},
    },
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["trees"])
    trees = [cell for cell in words if words[cell] == "t"]
    free = [[cell for cell in beside(tree) if words.get(cell) == "."] for tree in trees]
    answers = set()
    for picked in product(*free):
        cells = set(picked)
        apart = all(around(cell).isdisjoint(cells - {cell}) for cell in cells)
        if len(cells) == len(trees) and apart and totals_fit(entries.get("numbers", {}), cells):
            answers.add(frozenset(cells))
    return answers


def draw(rng: Random) -> Entries:
    height, width = rng.randint(1, 4), rng.randint(1, 4)
    trees = rows(rng, height, width, ["t"], 0.75)
    return {"trees": trees, "numbers": line_totals(rng, height, width)}


# -- links


def decode_link(body: str, height: int, width: int) -> list[str]:
    """The numbers above and on the left, then the trees: a digit up to h is one before blanks."""
    words: list[str] = []
    while len(words) < width + height:
        token = re.match(f"{WIDE}|[g-z]", body)
        assert token
        body = body[token.end() :]
        words += spread([token[0]], "g", lambda token: [wide(token)])
    trees = ""
    for character in body:
        blanks = int(character, 36)
        trees += "t" + "." * blanks if blanks < 18 else "." * (blanks - 17)
    assert len(trees) == height * width
    return [*words, *trees]


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    table = entries.get("numbers", {})
    beside = [*list_side(table, "top", width), *list_side(table, "left", height)]
    return beside + split_words(entries["trees"])


def draw_linked(rng: Random) -> Entries:
    return propose("tents", rng.randint(4, 9), rng)
