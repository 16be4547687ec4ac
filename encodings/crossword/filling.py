"""Filling a crossword by a search over words, and which other words a slot can hold.

The words that still fit a slot are the bits of an integer. After each choice, words without a crossing partner are removed, and
the slot with the fewest words per earlier failure is filled next (dom/wdeg; Boussemart, Hemery, Lecoutre and Sais 2004).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice, permutations
from operator import and_, eq, or_

from jigsat.encodings.crossword.data import Cell, CrosswordData

MAX_NODES = 4_000  # maximum number of words that are tried in a grid; 15×15 squares take about 500
FIRST_RESTART, RESTART_GROWTH = 50, 1.2  # words that are tried before the first restart, and how this number grows
TRIED_WORDS = 5  # the next word is one of the first words with the highest score, at most this many
MAX_PROPAGATED = 300  # words of a slot up to which it is looked at in a search: more words allow nearly every letter
VARIATION_NODES = (200, 2_000)  # maximum number of words that are tried for another word in a slot, and when tried again
MAX_WASTED_NODES = 20_000  # number of words tried in vain, after which no other words are looked for: a few seconds
COVERING_WORDS = 100  # number of words of which the one is taken that allows the most other words in a slot
CROSSING_WEIGHT = 30  # the slots that cross this slot are filled early, as if they had failed this many times as often

Choose = Callable[[int, Sequence[int]], int]  # the word that is tried next in a slot, from those left in all slots
Crossing = tuple[int, Cell, Mapping[str, int], int, Mapping[str, int]]
"""A crossed square of a slot: its place, the square, the words with each letter, the other slot, its words with each letter."""


class Filling:
    """A search for words that fill a grid."""

    def __init__(
        self, grid: CrosswordData, scores: Mapping[str, int], rng: random.Random, given: Iterable[tuple[Cell, str]] = ()
    ) -> None:
        self.complete = False
        self._rng, self._scores, self._distinct = rng, scores, not grid.repeats
        self._slots = [slot.cells for slot in grid.slots]
        self._words: dict[int, list[str]] = {len(cells): [] for cells in self._slots}
        for word in sorted(rng.sample(sorted(scores), len(scores)), key=scores.__getitem__, reverse=True):
            self._words.setdefault(len(word), []).append(word)
        by_place: dict[tuple[int, int], dict[str, int]] = {}
        for length, words in self._words.items():
            for i in range(length):
                having = by_place.setdefault((length, i), {})
                for number, word in enumerate(words):
                    having[word[i]] = having.get(word[i], 0) | 1 << number
        at: dict[Cell, list[tuple[int, int, dict[str, int]]]] = {}
        self._same_length: dict[int, list[int]] = {}
        for number, cells in enumerate(self._slots):
            self._same_length.setdefault(len(cells), []).append(number)
            for i, cell in enumerate(cells):
                at.setdefault(cell, []).append((number, i, by_place[len(cells), i]))
        self._crossings: list[list[Crossing]] = [[] for _ in self._slots]
        for cell, its in at.items():
            for (slot, i, here), (other, _, there) in permutations(its, 2):
                self._crossings[slot].append((i, cell, here, other, there))
        self._failures = [1] * len(self._slots)
        self._nodes, self._limit = 0, 0.0
        self._left = [(1 << len(self._words[len(cells)])) - 1 for cells in self._slots]
        for cell, letter in (*grid.givens.items(), *grid.required.items(), *given):
            for number, _, having in at.get(cell, ()):
                self._left[number] &= having.get(letter, 0)
        every = sorted({letter for having in by_place.values() for letter in having})
        self._letters: dict[Cell, Sequence[str]] = dict.fromkeys(at, every)
        self.possible = self._propagate(self._left, self._letters, range(len(self._slots)), math.inf)
        """Whether every slot has words that can stand beside some of those of the crossing slots (arc consistency)."""

    def list_words(self) -> Iterator[list[str]]:
        """For each slot the words that can stand beside some of those of the crossing slots."""
        for cells, left in zip(self._slots, self._left, strict=True):
            yield [self._words[len(cells)][number] for number in _list_bits(left)]

    def search(self) -> list[int] | None:
        """The words of a fill, one bit each. Without one, `complete` states whether all were searched, in `MAX_NODES` words."""
        limit = float(FIRST_RESTART)
        self.complete = not self.possible
        while not self.complete and self._nodes < MAX_NODES:
            self._limit, limit = self._nodes + limit, limit * RESTART_GROWTH
            if found := self._fill(self._left, self._letters, self._choose):
                return found
            self.complete = self._nodes <= self._limit
        return None

    def vary(self, slot: int, words: Sequence[str]) -> Iterator[tuple[str, dict[Cell, str]]]:
        """Fills with these words in a slot, the first words first. Where no fill is found quickly, there may still be one.

        Each fill is close to an earlier one and has crossing words that allow many other words in the slot: those follow from
        it at once.
        """
        if not (fill := self.search()):
            return
        number = {word: 1 << i for i, word in enumerate(self._words[len(self._slots[slot])])}
        wanted, wasted = reduce(or_, map(number.__getitem__, words), 0), 0
        allowed = {other: self._list_allowed(cell, here, other) for _, cell, here, other, _ in self._crossings[slot]}
        for other in allowed:
            self._failures[other] *= CROSSING_WEIGHT
        fills = dict[str, list[int]]()

        def choose(open_slot: int, left: Sequence[int]) -> int:
            if open_slot not in allowed:
                return near[open_slot] & left[open_slot] or self._choose(open_slot, left)
            half = left[open_slot] & self._rng.getrandbits(left[open_slot].bit_length())
            chosen = (allowed[other][left[other].bit_length() - 1] for other in allowed if left[other].bit_count() == 1)
            best = reduce(lambda some, more: some & more or some, chosen, wanted)
            tried = islice(_each(half or left[open_slot]), COVERING_WORDS)
            return max(tried, key=lambda each: (best & allowed[open_slot][each.bit_length() - 1]).bit_count())

        for nodes in VARIATION_NODES:
            for word in words:
                if not number[word] & wanted or wasted > MAX_WASTED_NODES:
                    continue
                near = fills[max(fills, key=lambda each: sum(map(eq, each, word)))] if fills else fill
                left, letters, before = [*self._left], {**self._letters}, self._nodes
                left[slot], self._limit = number[word], before + nodes
                if not (found := self._propagate(left, letters, [slot], math.inf) and self._fill(left, letters, choose)):
                    wasted += self._nodes - before
                    continue
                fills[word] = found
                also = reduce(and_, (allowed[other][found[other].bit_length() - 1] for other in allowed), wanted)
                for each, fitted in self._exchange(found, slot, also):
                    wanted &= ~number[each]
                    yield each, fitted

    def _list_allowed(self, cell: Cell, having: Mapping[str, int], other: int) -> list[int]:
        """For each word of a crossing slot the words of a slot that are possible if only the common letter changes."""
        j, by_rest = self._slots[other].index(cell), dict[tuple[str, str], int]()
        words = [self._words[len(self._slots[other])][number] for number in range(self._left[other].bit_length())]
        for word, bit in zip(words, reversed(f"{self._left[other]:b}"), strict=True):
            rest = word[:j], word[j + 1 :]
            by_rest[rest] = by_rest.get(rest, 0) | (having.get(word[j], 0) if bit == "1" else 0)
        return [by_rest[word[:j], word[j + 1 :]] for word in words]

    def _exchange(self, fill: Sequence[int], slot: int, words: int) -> Iterator[tuple[str, dict[Cell, str]]]:
        """Fills with these words in a slot, in which the crossing words change in the common letter alone."""
        cells, before = self._slots[slot], self.spell(fill)
        for number in _list_bits(words):
            word = self._words[len(cells)][number]
            letters = before | dict(zip(cells, word, strict=True))
            every = ["".join(map(letters.__getitem__, its)) for its in self._slots]
            if not self._distinct or len({*every}) == len(every):
                yield word, letters

    def _spell_slot(self, slot: int, word: int) -> str:
        return self._words[len(self._slots[slot])][word.bit_length() - 1]

    def spell(self, fill: Sequence[int]) -> dict[Cell, str]:
        """The letters of a fill."""
        words = map(self._spell_slot, range(len(fill)), fill)
        return {cell: x for cells, word in zip(self._slots, words, strict=True) for cell, x in zip(cells, word, strict=True)}

    def _fill(self, left: Sequence[int], letters: Mapping[Cell, Sequence[str]], choose: Choose) -> list[int] | None:
        """The words that fill the slots, one bit each; None if there are none, or if the limit is exceeded."""
        left, its = [*left], {**letters}
        undecided = [slot for slot, words in enumerate(left) if words & (words - 1)]
        if not undecided:
            return left
        slot = min(undecided, key=lambda slot: left[slot].bit_count() / self._failures[slot])
        while left[slot] and self._nodes <= self._limit:
            self._nodes += 1
            word = choose(slot, left)
            chosen, theirs = [*left], {**its}
            chosen[slot] = word
            if self._propagate(chosen, theirs, [slot], MAX_PROPAGATED) and (found := self._fill(chosen, theirs, choose)):
                return found
            left[slot] &= ~word
            if self._nodes > self._limit or not self._propagate(left, its, [slot], MAX_PROPAGATED):
                return None
        return None

    def _choose(self, slot: int, left: Sequence[int]) -> int:
        """Of the first words with the highest score, the one that leaves the crossing slots the most words."""

        def rank(word: int) -> tuple[int, int]:
            text = self._spell_slot(slot, word)
            numbers = [(left[other] & its.get(text[i], 0)).bit_count() for i, _, _, other, its in self._crossings[slot]]
            return self._scores[text], math.prod(numbers)

        return max(islice(_each(left[slot]), TRIED_WORDS), key=rank)

    def _propagate(self, left: list[int], letters: dict[Cell, Sequence[str]], changed: Iterable[int], most: float) -> bool:
        """Remove words that have no partner in a crossing slot, or stand elsewhere; returns whether every slot keeps some.

        Slots with more than `most` words are not looked at.
        """
        waiting = set(changed)
        while waiting:
            slot = waiting.pop()
            cells, words = self._slots[slot], left[slot]
            if not words:
                return False
            if (number := words.bit_count()) > most:
                continue
            text = self._spell_slot(slot, words) if number == 1 else ""
            for other in self._same_length[len(cells)] if text and self._distinct else ():
                if other != slot and left[other] & words:
                    left[other] &= ~words
                    waiting.add(other)
            for i, cell, having, other, its in self._crossings[slot]:
                some = letters[cell]
                here = text[i] if text else [x for x in some if x in having and having[x] & words]
                if len(here) == len(some):
                    continue
                letters[cell] = here
                kept = left[other] & reduce(or_, [its[x] for x in here if x in its], 0)
                if kept != left[other]:
                    left[other] = kept
                    waiting.add(other)
                    if not kept:
                        self._failures[slot] += 1
                        self._failures[other] += 1
                        return False
        return True


def _each(words: int) -> Iterator[int]:
    """These words, one bit each."""
    while words:
        yield words & -words
        words &= words - 1


def _list_bits(value: int) -> list[int]:
    return [number for number, bit in enumerate(reversed(f"{value:b}")) if bit == "1"]
