"""Filling a crossword with words, and which other words a slot can hold, by the compiled search
(`backends/engine/fill`)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence

from jigsat.encodings.crossword.data import Cell, CrosswordData

from jigsat.backends.engine import engine

# maximum number of words that are tried in a grid; 15×15 squares take about 500
MAX_TRIED_WORDS = 4_000
# words that are tried before the first restart, and how this number grows
FIRST_RESTART = 50
RESTART_GROWTH = 1.2
# maximum number of words that are tried for another word in a slot, each time
VARIATION_WORDS = (200, 2_000, 50_000)
# number of words tried in vain, after which no other words are looked for: half a minute
MAX_WASTED_WORDS = 2_000_000
# number of words of which the one is taken that allows the most other words in a slot
COVERING_WORDS = 50


class Filling:
    """A search for words that fill a grid. Needs the compiled engine."""

    def __init__(
        self,
        grid: CrosswordData,
        scores: Mapping[str, int],
        rng: random.Random,
        letters: Iterable[tuple[Cell, str]] = (),
    ) -> None:
        self.complete = False
        self._rng = rng
        self._distinct = not grid.repeats
        self._slots = [slot.cells for slot in grid.slots]
        in_random_order = rng.sample(sorted(scores), len(scores))
        self._words = sorted(in_random_order, key=scores.__getitem__, reverse=True)

        required: dict[Cell, list[int]] = {cell: [] for cell in grid.squares}
        for cell, letter in (*grid.givens.items(), *grid.required.items(), *letters):
            if cell in required:
                required[cell].append(ord(letter))
        number = {cell: i for i, cell in enumerate(required)}
        slots = []
        for cells in self._slots:
            slots.append([number[cell] for cell in cells])
        rank = {score: i for i, score in enumerate(sorted(set(scores.values())))}
        ranks = [rank[scores[word]] for word in self._words]
        self._engine = engine().Fill(
            slots, list(required.values()), self._words, ranks, self._distinct
        )
        self._possible = [sorted(self._engine.candidates(slot)) for slot in range(len(slots))]

    def list_words(self, slot: int) -> list[str]:
        """The words that can stand in a slot beside some of those of the crossing slots, the best
        first (arc consistency)."""
        return [self._words[number] for number in self._possible[slot]]

    def search(self) -> dict[Cell, str] | None:
        """The letters of a fill. Without one, `complete` states whether all were searched, in
        `MAX_TRIED_WORDS` words."""
        limit = float(FIRST_RESTART)
        tried = 0
        no_preference: list[tuple[int, ...]] = [()] * len(self._slots)
        while not self.complete and tried < MAX_TRIED_WORDS:
            fill = self._engine.search(-1, 0, no_preference, int(limit))
            if fill:
                return self._spell(fill)
            self.complete = self._engine.refuted
            tried += self._engine.tried
            limit *= RESTART_GROWTH
        return None

    def vary(self, slot: int) -> Iterator[tuple[str, dict[Cell, str] | None]]:
        """The words of a slot, each with the letters of a fill, or None if there is none. Hard
        words may be missing.

        Each fill is close to an earlier one, and has crossing words that allow many other words in
        the slot if only the common letter changes: those follow from it at once.
        """
        words = self.list_words(slot)
        crossings = list(self._list_crossings(slot))
        unknown = (1 << len(words)) - 1  # a bit for each word that is not known to be possible
        wasted = 0
        preferred = [list[int]() for _ in self._slots]
        for limit in VARIATION_WORDS:
            for i, word in enumerate(words):
                is_unknown = unknown >> i & 1
                if not is_unknown or wasted > MAX_WASTED_WORDS:
                    continue
                for crossing in crossings:
                    preferred[crossing.slot] = crossing.prefer(word, unknown, self._rng)
                fill = self._engine.search(slot, self._possible[slot][i], preferred, limit)
                if fill:
                    preferred = [[number] for number in fill]
                    allowed = unknown
                    for crossing in crossings:
                        allowed &= crossing.allowed[fill[crossing.slot]]
                    for other, letters in self._exchange(self._spell(fill), slot, allowed):
                        unknown &= ~(1 << other)
                        yield words[other], letters
                    continue
                if self._engine.refuted:
                    unknown &= ~(1 << i)
                    yield word, None
                wasted += self._engine.tried

    def _spell(self, fill: Sequence[int]) -> dict[Cell, str]:
        letters: dict[Cell, str] = {}
        for cells, number in zip(self._slots, fill, strict=True):
            letters.update(zip(cells, self._words[number], strict=True))
        return letters

    def _list_crossings(self, slot: int) -> Iterator[_Crossing]:
        words = self.list_words(slot)
        own_cells = self._slots[slot]
        for other, cells in enumerate(self._slots):
            if other == slot:
                continue
            for cell in set(cells) & set(own_cells):
                place = own_cells.index(cell)
                having: dict[str, int] = {}
                for i, word in enumerate(words):
                    having[word[place]] = having.get(word[place], 0) | 1 << i
                crossing_words = {number: self._words[number] for number in self._possible[other]}
                yield _Crossing(other, place, cells.index(cell), having, crossing_words)

    def _exchange(
        self, letters: Mapping[Cell, str], slot: int, allowed: int
    ) -> Iterator[tuple[int, dict[Cell, str]]]:
        """Fills with these words in a slot, in which the crossing words change in the common letter
        alone."""
        own_cells = self._slots[slot]
        changing = []
        fixed = set()  # the words that stay the same
        for cells in self._slots:
            if set(own_cells).isdisjoint(cells):
                fixed.add(_read_word(letters, cells))
            else:
                changing.append(cells)
        for i, word in enumerate(self.list_words(slot)):
            if not allowed >> i & 1:
                continue
            changed = {**letters, **dict(zip(own_cells, word, strict=True))}
            words = {_read_word(changed, cells) for cells in changing}
            differ = len(words) == len(changing) and words.isdisjoint(fixed)
            if differ or not self._distinct:
                yield i, changed


def _read_word(letters: Mapping[Cell, str], cells: Sequence[Cell]) -> str:
    return "".join([letters[cell] for cell in cells])


class _Crossing:
    """A slot that crosses another one, with its words by their numbers.

    The common square is at `place` in the other slot, and at `own_place` in this one. `having` has
    for each letter the words of the other slot that have it there, as bits. `allowed` has for each
    word of this slot the words of the other one that are possible if only the common letter
    changes.
    """

    def __init__(
        self,
        slot: int,
        place: int,
        own_place: int,
        having: Mapping[str, int],
        words: Mapping[int, str],
    ) -> None:
        self.slot = slot
        self._place = place
        self._by_letter: dict[str, list[int]] = {}
        rests = {}  # the other letters of each word
        by_rest: dict[str, int] = {}
        for number, word in words.items():
            letter = word[own_place]
            rest = word[:own_place] + word[own_place + 1 :]
            self._by_letter.setdefault(letter, []).append(number)
            rests[number] = rest
            by_rest[rest] = by_rest.get(rest, 0) | having.get(letter, 0)
        self.allowed = {number: by_rest[rest] for number, rest in rests.items()}

    def prefer(self, word: str, unknown: int, rng: random.Random) -> list[int]:
        """Some words beside a word of the other slot; those come first that allow the most unknown
        words there."""
        fitting = self._by_letter.get(word[self._place], [])
        some = rng.sample(fitting, min(COVERING_WORDS, len(fitting)))

        def count_allowed(number: int) -> int:
            return (unknown & self.allowed[number]).bit_count()

        return sorted(some, key=count_allowed, reverse=True)
