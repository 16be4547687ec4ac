"""Random grids for the search for fills, and all their fills by trying all words."""

from __future__ import annotations

import random
from itertools import product

Grid = tuple[list[list[int]], list[list[int]], list[str], list[int], bool]


def make_grid(rng: random.Random) -> Grid:
    """A random grid of two or three rows and columns, in which some are no slots, with random
    words."""
    height, width = rng.randrange(1, 4), rng.randrange(1, 4)
    lines = [[r * width + c for c in range(width)] for r in range(height)]
    lines += [[r * width + c for r in range(height)] for c in range(width)]
    slots = rng.sample(lines, rng.randrange(1, min(len(lines), 5) + 1))
    words = sorted(
        {
            "".join(rng.choices("ABΩ", k=length))
            for length in (1, 2, 3)
            for _ in range(rng.randrange(7))
        }
    )
    rng.shuffle(words)
    scores = sorted((rng.randrange(3) for _ in words), reverse=True)
    given = [[ord(rng.choice("ABΩX"))] if rng.random() < 0.1 else [] for _ in range(height * width)]
    return slots, given, words, scores, rng.random() < 0.5


def list_fills(grid: Grid) -> set[tuple[int, ...]]:
    """All fills, by trying all words in all slots."""
    slots, given, words, _, distinct = grid
    fitting = [[i for i, word in enumerate(words) if len(word) == len(cells)] for cells in slots]
    fills = set()
    for fill in product(*fitting):
        letters = [set(map(chr, required)) for required in given]
        for cells, i in zip(slots, fill, strict=True):
            for cell, letter in zip(cells, words[i], strict=True):
                letters[cell].add(letter)
        if max(map(len, letters)) < 2 and (not distinct or len({*fill}) == len(fill)):
            fills.add(fill)
    return fills
