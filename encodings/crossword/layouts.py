"""Grids around words that cross each other, if a list is too short for a grid with symmetry."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping

from jigsat.encodings.crossword.data import Cell
from jigsat.encodings.crossword.grids import STEPS, draw_grid

MAX_LAID_WORDS = 150  # number of words of a list, the best ones, that are tried
MAX_LAYOUTS = 20  # number of layouts of which the best one is taken
FEWEST_WORDS = 4  # a layout with fewer words is no crossword


class Layout:
    """Words in a square. They touch only where they cross."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.words: dict[str, tuple[Cell, ...]] = {}
        self._letters: dict[Cell, str] = {}

    @property
    def crossings(self) -> int:
        """The number of squares that are in two words."""
        return sum(map(len, self.words)) - len(self._letters)

    def draw(self) -> tuple[str, ...]:
        """The rows of the grid, without the letters."""
        return draw_grid(self.size, self._letters)

    def place(self, word: str, cells: tuple[Cell, ...]) -> None:
        self.words[word] = cells
        self._letters.update(zip(cells, word, strict=True))

    def list_places(self, word: str) -> Iterator[tuple[Cell, ...]]:
        """The squares where a word would cross another one."""
        for (r, c), letter in self._letters.items():
            for i, own in enumerate(word):
                if own != letter:
                    continue
                for step in STEPS:
                    cells = list_cells((r - i * step[0], c - i * step[1]), step, len(word))
                    if self._fits(word, cells, step):
                        yield cells

    def count_crossings(self, cells: Collection[Cell]) -> int:
        return sum(cell in self._letters for cell in cells)

    def _fits(self, word: str, cells: tuple[Cell, ...], step: Cell) -> bool:
        down, across = step
        (first_row, first_column), (last_row, last_column) = cells[0], cells[-1]
        if min(first_row, first_column) < 0 or max(last_row, last_column) >= self.size:
            return False
        ends = (
            (first_row - down, first_column - across),
            (last_row + down, last_column + across),
        )
        if any(end in self._letters for end in ends):
            return False
        after_letter = False
        for (r, c), letter in zip(cells, word, strict=True):
            there = self._letters.get((r, c))
            if there is None:
                # A new letter touches no other word.
                beside = ((r + across, c + down), (r - across, c - down))
                if any(other in self._letters for other in beside):
                    return False
            elif there != letter or after_letter:
                return False
            after_letter = there is not None
        return True


def list_cells(start: Cell, step: Cell, length: int) -> tuple[Cell, ...]:
    (r, c), (down, across) = start, step
    return tuple((r + i * down, c + i * across) for i in range(length))


def lay_out(
    size: int, scores: Mapping[str, int], theme: Collection[str], rng: random.Random
) -> Layout | None:
    """The best of some layouts with words of the list, those of the theme among them: the one with
    the most crossings. None if there is none with enough words."""
    fitting = [word for word in sorted(scores) if 3 <= len(word) <= size]
    rng.shuffle(fitting)
    fitting.sort(key=scores.__getitem__, reverse=True)
    words = sorted({*fitting[:MAX_LAID_WORDS], *theme})
    if not words:
        return None
    best = None
    for _ in range(MAX_LAYOUTS):
        layout = _lay_words(size, words, theme, rng)
        enough = len(layout.words) >= FEWEST_WORDS and layout.words.keys() >= set(theme)
        if enough and (best is None or layout.crossings > best.crossings):
            best = layout
    return best


def _lay_words(
    size: int, words: Collection[str], theme: Collection[str], rng: random.Random
) -> Layout:
    """A random layout: each word where it crosses as many others as possible, those of the theme
    first."""
    layout = Layout(size)
    first = rng.choice(sorted(theme) or sorted(words))
    step = rng.choice(STEPS)
    spare = rng.randint(0, size - len(first))
    line = rng.randrange(size)
    start = (line, spare) if step == STEPS[0] else (spare, line)
    layout.place(first, list_cells(start, step, len(first)))
    left = [word for word in words if word != first]
    while True:
        ways = []
        for word in left:
            for cells in layout.list_places(word):
                rank = word in theme, layout.count_crossings(cells), rng.random()
                ways.append((rank, word, cells))
        if not ways:
            return layout
        _, word, cells = max(ways)
        layout.place(word, cells)
        left.remove(word)
