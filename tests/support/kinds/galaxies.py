"""Galaxies."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from support.grid_kinds import Entries
from support.plain_grids import Answer, Cell, around, drawn, fill, joined, square, touching
from support.plain_links import propose, split_words
from support.planting import lose_constraint, never_connect, return_first

GENERATED_SIZE = (4, 5)  # rows and columns

ERRORS = {
    "cut off": ("galaxies-5", never_connect),
    "no half turns": ("galaxies-5", return_first("galaxies", "turn")),
    "cells in no galaxy": ("galaxies-5", lose_constraint("exactly_one")),
}

CLUES = "galaxies-5"  # an instance whose clues follow from its answer

LINKS = {
    "tentaisho/5/5/6fl94fi65en8dbf": {
        "centres": "o...*....\n.........\n*....o..*\n.........\n.o...*..o\n.........\n......o..\n"
        "..*......\n*.....*.."
    },
}


def solve(entries: Mapping[str, Any]) -> set[Answer]:
    """Every cell gets a centre; turned about it, it comes to a cell that has the same one."""
    words = drawn(entries["centres"])
    centres = [place for place in words if words[place] != "."]
    cells = [(r // 2, c // 2) for r, c in words if r % 2 == c % 2 == 0]
    # the centres on the middle, the sides and the corners of each cell
    owners = {(r, c): [x for x in centres if x in around((2 * r, 2 * c))] for r, c in cells}

    def fits(grid: dict[Cell, Cell], cell: Cell) -> bool:
        centre = grid[cell]
        if owners[cell] not in ([], [centre]) or turn(cell, centre) not in cells:
            return False
        for other, other_centre in grid.items():
            image = turn(other, other_centre)
            if grid.get(image, other_centre) != other_centre:
                return False
        return True

    answers = set()
    for grid in fill(cells, centres, fits):
        galaxies = [{cell for cell in cells if grid[cell] == centre} for centre in centres]
        if all(joined(galaxy, touching(galaxy)) for galaxy in galaxies):
            walls = set()
            for one, other in touching(set(cells)):
                if grid[one] != grid[other]:
                    walls |= square(*one) & square(*other)
            answers.add(frozenset(walls))
    return answers


def turn(cell: Cell, centre: Cell) -> Cell:
    """The image of a cell after a half turn."""
    return (centre[0] - cell[0], centre[1] - cell[1])


def draw(rng: Random) -> Entries:
    """Centres of about half of the cells, or those of random rectangles."""
    height, width = rng.randint(1, 4), rng.randint(3, 5)
    words = [["." for _ in range(2 * width - 1)] for _ in range(2 * height - 1)]
    free = [(r, c) for r in range(height) for c in range(width)]
    if rng.random() < 0.4:
        for r, c in rng.sample(free, (len(free) + 1) // 2):
            words[2 * r][2 * c] = rng.choice("oo*")
        free = []
    while free:
        r, c = free[0]
        below, right = rng.randint(r, height - 1), rng.randint(c, width - 1)
        room = [(i, k) for i in range(r, below + 1) for k in range(c, right + 1)]
        if set(room) <= set(free):
            words[r + below][c + right] = rng.choice("oo*")
            free = [cell for cell in free if cell not in room]
    return {"centres": "\n".join(" ".join(row) for row in words)}


# -- links


def decode_link(body: str, height: int, width: int) -> list[str]:
    """A digit is a dot, white or black in turn, and two digits have the same number of blanks."""
    text = ""
    for character in body:
        value = int(character, 36)
        text += "o*"[value % 2] + value // 2 * "." if value < 16 else (value - 15) * "."
    places = (2 * height - 1) * (2 * width - 1)
    assert set(text[places:]) <= {"."}
    return list(text[:places])


def list_words(entries: Entries, height: int, width: int) -> list[str]:
    return split_words(entries["centres"])


def draw_linked(rng: Random) -> Entries:
    return propose("galaxies", rng.randint(4, 9), rng)
