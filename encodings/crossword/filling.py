"""Filling a crossword with words, and which other words a slot can hold, by the compiled search
(`backends/engine/fill`)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain
from operator import and_

from jigsat.encodings.crossword.data import Cell, CrosswordData

from jigsat.backends.engine import engine

# maximum number of words that are tried in a grid; 15×15 squares take about 500
MAX_TRIED_WORDS = 4_000
FIRST_RESTART, RESTART_GROWTH = (
    50,
    1.2,
)  # words that are tried before the first restart, and how this number grows
# maximum number of words that are tried for another word in a slot, each time
VARIATION_WORDS = (
    200,
    2_000,
    50_000,
)
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
        given: Iterable[tuple[Cell, str]] = (),
    ) -> None:
        self.complete = False
        self._rng, self._distinct = rng, not grid.repeats
        self._slots = [slot.cells for slot in grid.slots]
        self._words = sorted(
            rng.sample(sorted(scores), len(scores)), key=scores.__getitem__, reverse=True
        )
        required: dict[Cell, list[int]] = {cell: [] for cell in grid.squares}
        for cell, letter in (*grid.givens.items(), *grid.required.items(), *given):
            required.get(cell, []).append(ord(letter))
        number = {cell: i for i, cell in enumerate(required)}
        rank = {score: i for i, score in enumerate(sorted({*scores.values()}))}
        slots, ranks = (
            [[number[cell] for cell in cells] for cells in self._slots],
            [rank[scores[word]] for word in self._words],
        )
        self._engine = engine().Fill(
            slots, [*required.values()], self._words, ranks, self._distinct
        )
        self._left = [sorted(self._engine.candidates(slot)) for slot in range(len(slots))]

    def list_words(self, slot: int) -> list[str]:
        """The words that can stand in a slot beside some of those of the crossing slots, the best
        first (arc consistency)."""
        return [self._words[number] for number in self._left[slot]]

    def search(self) -> dict[Cell, str] | None:
        """The letters of a fill. Without one, `complete` states whether all were searched, in
        `MAX_TRIED_WORDS` words."""
        limit, tried = float(FIRST_RESTART), 0
        while not self.complete and tried < MAX_TRIED_WORDS:
            if found := self._engine.search(-1, 0, [()] * len(self._slots), int(limit)):
                return self._spell(found)
            self.complete, tried, limit = (
                self._engine.refuted,
                tried + self._engine.tried,
                limit * RESTART_GROWTH,
            )
        return None

    def vary(self, slot: int) -> Iterator[tuple[str, dict[Cell, str] | None]]:
        """The words of a slot, each with the letters of a fill, or None if there is none. Hard
        words may be missing.

        Each fill is close to an earlier one, and has crossing words that allow many other words in
        the slot if only the common letter changes: those follow from it at once.
        """
        words, crossings = self.list_words(slot), [*self._list_crossings(slot)]
        unknown, wasted, preferred = (1 << len(words)) - 1, 0, [list[int]() for _ in self._slots]
        for limit in VARIATION_WORDS:
            for i, word in enumerate(words):
                if not unknown >> i & 1 or wasted > MAX_WASTED_WORDS:
                    continue
                for crossing in crossings:
                    preferred[crossing.slot] = crossing.prefer(word, unknown, self._rng)
                if fill := self._engine.search(slot, self._left[slot][i], preferred, limit):
                    preferred = [[number] for number in fill]
                    allowed = reduce(
                        and_,
                        (crossing.allowed[fill[crossing.slot]] for crossing in crossings),
                        unknown,
                    )
                    for each, letters in self._exchange(self._spell(fill), slot, allowed):
                        unknown &= ~(1 << each)
                        yield words[each], letters
                elif self._engine.refuted:
                    unknown &= ~(1 << i)
                    yield word, None
                wasted += 0 if fill else self._engine.tried

    def _spell(self, fill: Sequence[int]) -> dict[Cell, str]:
        return dict(chain.from_iterable(map(zip, self._slots, map(self._words.__getitem__, fill))))

    def _list_crossings(self, slot: int) -> Iterator[_Crossing]:
        words = self.list_words(slot)
        for other, cells in enumerate(self._slots):
            for cell in {*cells} & {*self._slots[slot]} if other != slot else ():
                place, its_place = self._slots[slot].index(cell), cells.index(cell)
                having: dict[str, int] = {}
                for i, word in enumerate(words):
                    having[word[place]] = having.get(word[place], 0) | 1 << i
                yield _Crossing(
                    other,
                    place,
                    its_place,
                    having,
                    {number: self._words[number] for number in self._left[other]},
                )

    def _exchange(
        self, letters: Mapping[Cell, str], slot: int, allowed: int
    ) -> Iterator[tuple[int, dict[Cell, str]]]:
        """Fills with these words in a slot, in which the crossing words change in the common letter
        alone."""
        cells = self._slots[slot]
        changing = [each for each in self._slots if not {*cells}.isdisjoint(each)]
        fixed = {
            "".join(map(letters.__getitem__, each)) for each in self._slots if each not in changing
        }
        for i, word in enumerate(self.list_words(slot)):
            if allowed >> i & 1:
                changed = {**letters, **dict(zip(cells, word, strict=True))}
                words = {"".join(map(changed.__getitem__, each)) for each in changing}
                if not self._distinct or (len(words) == len(changing) and words.isdisjoint(fixed)):
                    yield i, changed


class _Crossing:
    """A slot that crosses another one at a place, with its words: their numbers, and the common
    letter at `its_place`.

    `allowed` has for each of them the words of the other slot, as bits, that are possible if only
    the common letter changes; `having` those with each letter.
    """

    def __init__(
        self,
        slot: int,
        place: int,
        its_place: int,
        having: Mapping[str, int],
        words: Mapping[int, str],
    ) -> None:
        self.slot, self._place = slot, place
        self._by_letter: dict[str, list[int]] = {}
        by_rest: dict[str, int] = {}
        for number, word in words.items():
            self._by_letter.setdefault(word[its_place], []).append(number)
            rest = word[:its_place] + word[its_place + 1 :]
            by_rest[rest] = by_rest.get(rest, 0) | having.get(word[its_place], 0)
        self.allowed = {
            number: by_rest[word[:its_place] + word[its_place + 1 :]]
            for number, word in words.items()
        }

    def prefer(self, word: str, unknown: int, rng: random.Random) -> list[int]:
        """Some words beside a word of the other slot; those come first that allow the most unknown
        words there."""
        every = self._by_letter.get(word[self._place], [])
        some = rng.sample(every, min(COVERING_WORDS, len(every)))
        return sorted(
            some, key=lambda number: (unknown & self.allowed[number]).bit_count(), reverse=True
        )
