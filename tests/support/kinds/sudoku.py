"""Links of sudokus."""

from __future__ import annotations

from random import Random

from support.grid_kinds import Entries
from support.plain_links import decode_numbers, draw_words, split_words

LINKS = {
    "sudoku/4/4/g1k23k3g": {"grid": [".1..", "...2", "3...", "..3."]},
}


# -- links

decode_link = decode_numbers


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return split_words(entries["grid"])


def draw_linked(rng: Random) -> Entries:
    return {"grid": draw_words(list("12345678" + 16 * "."), 9, 9, rng).replace(" ", "")}
