"""Which grids a list of words can probably fill, and grids that are the better for it.

The number of fills is estimated as if the letters of crossing words were independent: the number of
ways to choose a word for each slot, times the probability that the letters of two words agree, for
each square that both have.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from math import inf, log10
from typing import TypeAlias

from jigsat.encodings.crossword.data import BLOCK, Cell, slots
from jigsat.encodings.crossword.faults import FULLY_CHECKED
from jigsat.encodings.crossword.grids import GridMaker, GridRequest

NEVER = -5.0
"""The logarithm of the probability of what cannot be: it leaves a grid the better, the less often
this occurs."""

CHECKED_SHARES = (0.17, 0.19, 0.21, 0.23, 0.25)
"""Shares of blocks of grids whose squares are all in two words, in this order."""
OPEN_SHARE = 0.49
"""Largest share of blocks of other grids."""
LEAST_PROSPECTS = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 15.0)
"""Prospects of such grids, in this order: with better ones, fewer squares are checked."""
FAIR, GOOD = 0.3, 1.5
"""Prospects of a checked grid with which it is worth a try, and with which nearly all are filled,
per row."""
GRIDS_PER_STYLE = 2  # number of grids of a share of blocks, or with the same prospects
CHECKED_CHANGES = 40  # number of changes of a grid for better prospects
OPEN_CHANGES = 60  # likewise; each grid continues from the one before
FILLED_CHANGES = 60  # number of changes of a filled grid for more checked squares

Fill: TypeAlias = dict[Cell, str]
Filler: TypeAlias = Callable[[Sequence[str]], Fill | None]


class Prospects:
    """The estimated number of fills of a grid, with words that must occur, as a logarithm."""

    def __init__(self, words: Collection[str], theme: Collection[str] = ()) -> None:
        self._number = Counter(map(len, words))
        self._theme = Counter(map(len, theme))
        self._letters: dict[tuple[int, int], Counter[str]] = {}
        for word in words:
            for place, letter in enumerate(word):
                self._letters.setdefault((len(word), place), Counter())[letter] += 1
        self._agreement = cache(self._find_agreement)

    def estimate(self, grid: Sequence[str]) -> float:
        estimated = 0.0
        places: dict[Cell, list[tuple[int, int]]] = {}
        used = Counter[int]()
        for slot in slots(grid):
            length = len(slot.cells)
            if used[length] >= self._theme[length]:  # otherwise a word of the theme stands here
                left = self._number[length] - used[length]
                estimated += log10(left) if left > 0 else NEVER
            used[length] += 1
            for place, cell in enumerate(slot.cells):
                places.setdefault(cell, []).append((length, place))
        for several in places.values():
            if len(several) == 2:
                estimated += self._agreement(*several)
        return estimated

    def _find_agreement(self, one: tuple[int, int], other: tuple[int, int]) -> float:
        """The logarithm of the probability that two words have the same letter at these places,
        each the length of a word and a number."""
        letters = self._letters.get(one, Counter())
        others = self._letters.get(other, Counter())
        pairs = sum(number * others[letter] for letter, number in letters.items())
        return log10(pairs / letters.total() / others.total()) if pairs else NEVER


def count_checked(grid: Sequence[str]) -> int:
    """The number of squares that are in two words."""
    words = Counter(cell for slot in slots(grid) for cell in slot.cells)
    return sum(number == 2 for number in words.values())


@dataclass(frozen=True)
class GridSearch:
    """Makes grids of a size that a list of words can probably fill, the densest ones first."""

    size: int
    longest: int
    prospects: Prospects
    most: int | None = None
    theme: tuple[str, ...] = ()

    def propose(self, rng: random.Random) -> Iterator[tuple[str, ...]]:
        """Grids whose squares are all in two words, with more and more blocks; then others, in
        which fewer and fewer squares are in two words."""
        yield from self._propose_checked(rng)
        yield from self._propose_open(rng)

    def _request(self, fewest: int, most: int, checked: bool) -> GridRequest:
        if self.most is not None:
            most = min(most, self.most)
        return GridRequest(
            self.size, self.longest, min(fewest, most), most, checked=checked, theme=self.theme
        )

    def _request_open(self) -> GridRequest:
        return self._request(0, round(OPEN_SHARE * self.size**2), checked=False)

    def _propose_checked(self, rng: random.Random) -> Iterator[tuple[str, ...]]:
        for share in CHECKED_SHARES:
            blocks = round(share * self.size**2)
            request = self._request(blocks - 2, blocks + 2, checked=True)
            with closing(GridMaker(request, rng)) as maker:
                for _ in range(GRIDS_PER_STYLE):
                    grid = maker.draw()
                    if grid is None:
                        break
                    grid = self._improve(maker, grid)
                    estimated = self.prospects.estimate(grid)
                    if estimated < -self.size:
                        return  # a few more blocks would not help enough
                    if estimated >= FAIR * self.size:
                        yield grid

    def _improve(self, maker: GridMaker, grid: tuple[str, ...]) -> tuple[str, ...]:
        """A similar grid with better prospects, at best good ones."""
        best = self.prospects.estimate(grid)
        for _ in range(CHECKED_CHANGES):
            if best >= GOOD * self.size:
                break
            other = maker.vary(grid)
            if other is None:
                continue
            estimated = self.prospects.estimate(other)
            if estimated >= best:
                grid, best = other, estimated
        return grid

    def _propose_open(self, rng: random.Random) -> Iterator[tuple[str, ...]]:
        with closing(GridMaker(self._request_open(), rng)) as maker:
            grid = maker.draw()
            if grid is None:
                return
            proposed: set[tuple[str, ...]] = set()
            for least in LEAST_PROSPECTS:
                for _ in range(GRIDS_PER_STYLE):
                    grid = self._check_more(maker, grid, least)
                    if grid not in proposed and self.prospects.estimate(grid) >= least:
                        proposed.add(grid)
                        yield grid

    def _check_more(self, maker: GridMaker, grid: tuple[str, ...], least: float) -> tuple[str, ...]:
        """A similar grid with at least these prospects if possible, and more checked squares."""
        best = self._rank(grid, least)
        for _ in range(OPEN_CHANGES):
            other = maker.vary(grid)
            if other is None:
                continue
            rank = self._rank(other, least)
            if rank >= best:
                grid, best = other, rank
        return grid

    def improve_filled(
        self, grid: tuple[str, ...], letters: Fill, fill: Filler, rng: random.Random
    ) -> tuple[tuple[str, ...], Fill]:
        """A grid near a filled one that can be filled, too, with more checked squares if possible,
        and its letters."""
        best = self._rank(grid, -inf)
        with closing(GridMaker(self._request_open(), rng)) as maker:
            for _ in range(FILLED_CHANGES):
                other = maker.vary(grid)
                if other is None:
                    continue
                rank = self._rank(other, -inf)
                filled = fill(other) if rank > best else None
                if filled:
                    grid, letters, best = other, filled, rank
        return grid, letters

    def _rank(self, grid: tuple[str, ...], least: float) -> tuple[float, int, int]:
        """How good a grid is: first by its prospects up to these, then by its checked squares, as
        long as it does not look like one whose squares should all be checked, then by all."""
        checked = count_checked(grid)
        squares = sum(len(row) - row.count(BLOCK) for row in grid)
        if FULLY_CHECKED * squares < checked < squares:
            checked = 0
        return min(self.prospects.estimate(grid), least), checked, squares
