"""The square of a crossword from which many contradictions follow: a block where the numbers and
the clues need a square, or the other way round. And faults of one kind as one fault."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from jigsat.encodings.crossword.data import BLANK, BLOCK, Bars, Cell, slots

from jigsat.errors import Fault
from jigsat.words import plural

MANY_CONTRADICTIONS = 2
"""From this number on, one square may have caused them all."""
REMAINING_SHARE = 0.25
"""Share of contradictions that may remain, as other mistakes, if a square is the cause."""
MOST_TRIED = 4
"""Number of contradictions, from the first and from the last one, near which a cause is sought."""
MOST_LISTED = 3
"""Number of faults of one kind that are listed one by one."""


@dataclass(frozen=True)
class Stated:
    """What a file states about its words: the number in each of its squares, '' for none, and the
    length of each word with a clue, 0 for an unknown one. Both may be empty."""

    numbers: Mapping[Cell, str]
    lengths: Mapping[str, int]

    def list_contradictions(self, squares: set[Cell], bars: Bars) -> list[Cell]:
        """The first square of each word that contradicts it, in order: those of numbers first."""
        words = slots(_draw(squares), bars)
        cells = {slot.name: slot.cells for slot in words}
        numbers = {slot.cells[0]: str(slot.number) for slot in words}
        wrong = []
        if any(self.numbers.values()):
            for cell in sorted(squares & self.numbers.keys()):
                if numbers.get(cell, "") != self.numbers[cell]:
                    wrong.append(cell)
        stated_at = {number: cell for cell, number in self.numbers.items()}
        for name in sorted(cells.keys() | self.lengths.keys(), key=_read_number):
            there = cells.get(name, ())
            length = self.lengths.get(name)
            if self.lengths and (not there or length not in (0, len(there))):
                nowhere = stated_at.get(name.partition(" ")[0], (0, 0))
                wrong.append(there[0] if there else nowhere)
        return wrong


def _read_number(name: str) -> int:
    return int(name.partition(" ")[0])


def _draw(squares: set[Cell]) -> list[str]:
    """The squares as a grid, as far as they reach."""
    height = 1 + max((r for r, _ in squares), default=0)
    width = 1 + max((c for _, c in squares), default=0)
    return [
        "".join(BLANK if (r, c) in squares else BLOCK for c in range(width)) for r in range(height)
    ]


def find_wrong_squares(
    squares: set[Cell],
    places: Collection[Cell],
    bars: Bars,
    stated: Stated,
    doubtful: Collection[Cell],
) -> frozenset[Cell]:
    """The places of a grid that are wrong, so that most contradictions end if each of them becomes
    a block, or a square. None if there is no such place.

    The solution has a square at each doubtful place where the grid has a block, or the other way
    round; if there are any, the wrong places are among them.
    """
    wrong = stated.list_contradictions(squares, bars)
    if doubtful:
        most = len(wrong), _count_asymmetric(squares, places) - 1
        candidates = [frozenset(doubtful), *(frozenset([cell]) for cell in doubtful)]
    elif len(wrong) >= MANY_CONTRADICTIONS:
        most = int(REMAINING_SHARE * len(wrong)), len(places)
        candidates = [frozenset([cell]) for cell in _list_near(wrong, squares, places)]
    else:
        return frozenset()

    # Among places after which as many contradictions remain, symmetry decides.
    best: frozenset[Cell] = frozenset()
    for candidate in candidates:
        changed = squares ^ candidate
        remaining = len(stated.list_contradictions(changed, bars))
        rank = remaining, _count_asymmetric(changed, places)
        if rank <= most:
            best = candidate
            most = (rank[0], rank[1] - 1)
    return best


def _count_asymmetric(squares: set[Cell], places: Collection[Cell]) -> int:
    """How many squares a half-turn moves to a block."""
    bottom, right = max(places)
    return sum((bottom - r, right - c) not in squares for r, c in squares)


def _list_near(
    wrong: Sequence[Cell], squares: set[Cell], places: Collection[Cell]
) -> Iterator[Cell]:
    """Places beside some of the contradictions, and at the ends of the words that begin there."""
    near: list[Cell] = []
    for r, c in dict.fromkeys([*wrong[:MOST_TRIED], *wrong[-MOST_TRIED:]]):
        near += (r, c), (r, c - 1), (r - 1, c)
        for down, across in (0, 1), (1, 0):
            last = (r, c)
            after = (r, c)
            while after in squares:
                last = after
                after = (last[0] + down, last[1] + across)
            near += [last, after, (r + down, c + across)]
    return (cell for cell in dict.fromkeys(near) if cell in places)


def fold(faults: Sequence[Fault], noun: str) -> list[Fault]:
    """The faults; if they are many, the first one, which says how many others are like it."""
    if len(faults) <= MOST_LISTED:
        return list(faults)
    first = faults[0]
    others = plural(len(faults) - 1, f"other {noun}")
    return [Fault(first.place, f"{first.wrong}; so it is with {others}", first.remedy)]
