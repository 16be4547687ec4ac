"""Proofs by counting that symbols cannot fill houses (rows, columns, boxes and the like), or that
sides lack a partner."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from jigsat.boards import Board
from jigsat.errors import printable
from jigsat.words import join_words, plural

K = TypeVar("K", bound=Hashable)
V = TypeVar("V", bound=Hashable)
C = TypeVar("C", bound=Hashable)  # type of cells

MAX_SHOWN_WORDS = 4  # maximum number of examples in a sentence


def list_words(words: Sequence[str]) -> str:
    """Words as a list in a sentence; only the first few if there are many.

    >>> list_words(["a", "b", "c"]), list_words(list("abcdefg"))
    ('a, b and c', 'a, b, c, d and 3 more')
    """
    if len(words) > MAX_SHOWN_WORDS + 1:
        words = [*words[:MAX_SHOWN_WORDS], f"{len(words) - MAX_SHOWN_WORDS:,} more"]
    return join_words(words)


def name_side(sides: Sequence[object], number: int) -> str:
    """A side of a piece in words; the sides are listed clockwise from the top."""
    return ("top", "right", "bottom", "left")[number] if len(sides) == 4 else f"side {number + 1}"


def too_few(fitting: Mapping[K, Collection[V]]) -> tuple[list[K], set[V]] | None:
    """Keys with too few values to get a different one each, and these values; None if there are no
    such keys (Hall's theorem).

    `fitting` has the possible values of each key. Augmenting paths are searched for (Kuhn, 'The
    Hungarian method for the assignment problem', 1955). If a search fails, all values that it has
    seen belong to keys that it has seen.

    >>> keys, values = too_few({"a": "12", "b": "1", "c": "12", "d": "1234"})
    >>> keys, sorted(values)
    (['a', 'b', 'c'], ['1', '2'])
    """
    holder: dict[V, K] = {}

    def try_to_place(key: K, seen: set[V]) -> bool:
        for value in fitting[key]:
            if value not in seen:
                seen.add(value)
                if value not in holder or try_to_place(holder[value], seen):
                    holder[value] = key
                    return True
        return False

    for key in fitting:
        seen: set[V] = set()
        if not try_to_place(key, seen):
            without = {key, *(holder[value] for value in seen)}
            return [other for other in fitting if other in without], seen
    return None


@dataclass(frozen=True)
class Shortage(Generic[C]):
    """Cells or symbols of a house that cannot all be used: their number, a sentence, and the givens
    that cause it."""

    size: int
    words: str
    givens: frozenset[C]


@dataclass(frozen=True)
class Houses(Generic[C]):
    """The houses of a grid with names, the symbols that each holds, the given symbols, and the name
    of each cell."""

    named: Sequence[tuple[str, Sequence[C]]]
    symbols: Sequence[str]
    givens: Mapping[C, str]
    place: Callable[[C], str]

    def faults(self) -> Iterator[tuple[str, frozenset[C]]]:
        """Proofs, with the givens that they are about: symbols twice in a house, or else the
        smallest set that cannot fit."""
        repeats = self._find_repeats()
        if repeats:
            for cells, words in repeats.items():
                yield words, cells
            return
        shortages = list(self._find_shortages())
        if shortages:
            smallest = min(shortages, key=lambda shortage: shortage.size)
            yield smallest.words, smallest.givens

    def _find_repeats(self) -> dict[frozenset[C], str]:
        """Cells of a house that have the same given symbol, and this in words."""
        repeats: dict[frozenset[C], str] = {}
        for name, house in self.named:
            for symbol in self.symbols:
                cells = [cell for cell in house if self.givens.get(cell) == symbol]
                if len(cells) > 1:
                    times = "twice" if len(cells) == 2 else f"{len(cells)} times"
                    words = f"{symbol} is given {times} in {name}: {self._list_places(cells)}"
                    repeats.setdefault(frozenset(cells), words)
        return repeats

    def _list_places(self, cells: Iterable[C]) -> str:
        return list_words([self.place(cell) for cell in cells])

    def _find_shortages(self) -> Iterator[Shortage[C]]:
        """Cells of a house for which too few symbols are left, and symbols for which too few cells
        are."""
        # the givens in the houses of each cell, and the symbols that are left for it
        givens: dict[C, dict[C, str]] = {}
        for _, house in self.named:
            in_house = {cell: self.givens[cell] for cell in house if cell in self.givens}
            for cell in house:
                givens.setdefault(cell, {}).update(in_house)
        possible = {}
        for cell, nearby in givens.items():
            if cell in self.givens:
                possible[cell] = [self.givens[cell]]
            else:
                excluded = set(nearby.values())
                possible[cell] = [symbol for symbol in self.symbols if symbol not in excluded]

        for name, house in self.named:
            yield from self._find_lack_of_symbols(name, house, possible, givens)
            yield from self._find_lack_of_cells(name, house, possible, givens)

    def _find_lack_of_symbols(
        self,
        name: str,
        house: Sequence[C],
        possible: Mapping[C, Sequence[str]],
        givens: Mapping[C, Mapping[C, str]],
    ) -> Iterator[Shortage[C]]:
        """Cells of the house with too few symbols."""
        lack = too_few({cell: possible[cell] for cell in house})
        if lack is None:
            return
        cells, symbols = lack
        reasons = frozenset(given for cell in cells for given in givens[cell])
        yield Shortage(len(cells), self._describe_lack_of_symbols(name, cells, symbols), reasons)

    def _describe_lack_of_symbols(self, name: str, cells: Sequence[C], symbols: set[str]) -> str:
        places = self._list_places(cells)
        fitting = [symbol for symbol in self.symbols if symbol in symbols]
        if not fitting:
            houses = [name for name, house in self.named if not set(house).isdisjoint(cells)]
            return f"no symbol is left for {places}: all are given in {list_words(houses)}"
        verb = "is" if len(fitting) == 1 else "are"
        return f"only {list_words(fitting)} {verb} left for the cells {places} of {name}"

    def _find_lack_of_cells(
        self,
        name: str,
        house: Sequence[C],
        possible: Mapping[C, Sequence[str]],
        givens: Mapping[C, Mapping[C, str]],
    ) -> Iterator[Shortage[C]]:
        """Symbols with too few cells of the house."""
        cells_of = {}
        for symbol in self.symbols:
            cells_of[symbol] = [cell for cell in house if symbol in possible[cell]]
        lack = too_few(cells_of)
        if lack is None:
            return
        symbols, cells = lack
        reasons = set()
        for cell in house:
            for given, symbol in givens[cell].items():
                if symbol in symbols:
                    reasons.add(given)
        room = "no cell"
        if cells:
            room = f"only {self._list_places(cell for cell in house if cell in cells)}"
        words = f"in {name}, {room} can hold {list_words(symbols)}"
        yield Shortage(len(symbols), words, frozenset(reasons))


@dataclass(frozen=True)
class Sided:
    """A piece with labelled sides and its number of copies; None if there are any number of copies.

    `places` describes each side as it is in the file, if its label is not.
    """

    name: str
    sides: tuple[str, ...]
    count: int | None = 1
    places: tuple[str, ...] = ()

    def place(self, side: int) -> str:
        """A side in a sentence."""
        return self.places[side] if self.places else _quote_label(self.sides[side])


@dataclass(frozen=True)
class Matching:
    """Pieces whose sides meet those with the partner of their label; sides on the rim show `frame`,
    or are free without one."""

    pieces: Sequence[Sided]
    partner: Callable[[str], str]
    board: Board
    frame: str | None = None
    noun: str = "tile"

    @cached_property
    def cells(self) -> list[tuple[int, int]]:
        """For each cell of the board its number of sides, and how many of them are on the rim."""
        rim = Counter(seam[0].cell for seam in self.board.seams if len(seam) == 1)
        return [(self.board.sides(cell), rim[cell]) for cell in self.board.cells]

    def faults(self) -> Iterator[str]:
        """Proofs that the pieces cannot cover the board."""
        if self.frame is not None:
            yield from self._explain_frame(self.frame)
        yield from self._explain_unusable()
        if all(self._supply(self.pieces, n) == number for n, number in self._demand.items()):
            yield from self._explain_unpaired()

    @property
    def _demand(self) -> Counter[int]:
        """The number of cells by their number of sides."""
        return Counter(sides for sides, _ in self.cells)

    @staticmethod
    def _supply(pieces: Collection[Sided], sides: int) -> float:
        """The number of pieces with this number of sides."""
        supply = 0.0
        for piece in pieces:
            if len(piece.sides) == sides:
                supply += math.inf if piece.count is None else piece.count
        return supply

    @property
    def _rim(self) -> int:
        """The number of sides on the rim of the board."""
        return sum(on_rim for _, on_rim in self.cells)

    def _explain_frame(self, frame: str) -> Iterator[str]:
        """Too few sides, or too few pieces with several sides, that fit the frame."""
        fitting = []  # the number of sides with the frame's label, and that of the copies
        for piece in self.pieces:
            sides = piece.sides.count(frame)
            if sides:
                if piece.count is None:
                    return
                fitting.append((sides, piece.count))

        supplied = sum(sides * count for sides, count in fitting)
        if supplied < self._rim:
            yield (
                f"{_quote_label(frame)} is on {plural(supplied, 'side')} of the {self.noun}s, but "
                f"the rim needs it on {self._rim:,}"
            )
            return

        most_on_rim = max(on_rim for _, on_rim in self.cells)
        for least in range(1, most_on_rim + 1):
            cells = sum(1 for _, on_rim in self.cells if on_rim >= least)
            pieces = sum(count for sides, count in fitting if sides >= least)
            if pieces < cells:
                on_rim = "a side" if least == 1 else f"{least} or more sides"
                yield (
                    f"{plural(cells, 'cell')} of the board {_have(cells)} {on_rim} on the rim, "
                    f"but only "
                    f"{plural(pieces, self.noun)} {_have(pieces)} {_quote_label(frame)} on "
                    f"that many"
                )
                return

    def _explain_unpaired(self) -> Iterator[str]:
        """If every piece is used: labels on more sides than their partners, or on an odd number of
        sides."""
        sides_with: Counter[str] = Counter()
        for piece in self.pieces:
            for label in piece.sides:
                sides_with[label] += piece.count or 0
        if self.frame is not None:
            sides_with[self.frame] -= self._rim
            if sides_with[self.frame] < 0:
                return

        unpaired = 0
        sentences = []
        for label, number in sides_with.items():
            partner = self.partner(label)
            if label == partner:
                rest = number % 2
            else:
                rest = max(0, number - sides_with[partner])
            if rest:
                unpaired += rest
                sentences.append(self._describe_unpaired(label, number, sides_with[partner]))

        if self.frame is not None or self._rim == 0:
            yield from sentences[:MAX_SHOWN_WORDS]
        elif unpaired > self._rim:
            words = (
                f"at least {plural(unpaired, 'side')} cannot be paired, but only {self._rim:,} can "
                f"be on the rim"
            )
            yield f"{words}: {'; '.join(sentences[:MAX_SHOWN_WORDS])}"

    def _describe_unpaired(self, label: str, number: int, partners: int) -> str:
        """That a label is on more sides than its partner, or on an odd number of sides."""
        sides = plural(number, "side")
        if self.frame is not None:
            sides += " inside the board"
        partner = self.partner(label)
        if label == partner:
            return f"{_quote_label(label)} is on {sides}, an odd number, but they meet in pairs"
        place = self._find_only_side(label) if number == 1 else ""
        return (
            f"{_quote_label(label)} is on {sides}{place}, but {_quote_label(partner)}, which fits "
            f"it, on {partners or 'none'}"
        )

    def _find_only_side(self, label: str) -> str:
        """Where the only side with a label is, if the file does not show the label itself."""
        for piece in self.pieces:
            if piece.places and label in piece.sides:
                side = piece.sides.index(label)
                return f", {piece.place(side)} of {self.noun} {printable(piece.name)}"
        return ""

    def _explain_unusable(self) -> Iterator[str]:
        """Pieces with sides that nothing fits, if the others are too few."""
        usable = list(self.pieces)
        unusable = []
        while True:
            piece, words = self._find_unusable(usable)
            if piece is None:
                break
            usable.remove(piece)
            unusable.append(words)
        if not unusable:
            return

        for sides, cells in self._demand.items():
            supply = self._supply(usable, sides)
            if supply < cells:
                them = "it" if len(unusable) == 1 else "them"
                yield (
                    f"nothing fits {list_words(unusable)}; without {them}, there are only "
                    f"{plural(int(supply), self.noun)} for {plural(cells, 'cell')}"
                )

    def _find_unusable(self, pieces: Collection[Sided]) -> tuple[Sided | None, str]:
        """The first of the pieces that has too many sides that no other side can meet, and these
        sides in words."""
        sides_with: Counter[str] = Counter()
        for piece in pieces:
            for label in piece.sides:
                sides_with[label] += 2 if piece.count is None else piece.count
        for piece in pieces:
            alone = []
            for side, label in enumerate(piece.sides):
                if label != self.frame and not self._can_meet(piece, label, sides_with):
                    alone.append(side)
            most_on_rim = self._count_on_rim(len(piece.sides))
            if len(alone) > most_on_rim:
                words = list_words(list(dict.fromkeys(map(piece.place, alone))))
                words += f" of {self.noun} {printable(piece.name)}"
                if most_on_rim:
                    words += f" (at most {plural(most_on_rim, 'side')} of it can be on the rim)"
                return piece, words
        return None, ""

    def _count_on_rim(self, sides: int) -> int:
        """The largest number of sides of a piece that can be on a free rim."""
        if self.frame is not None:
            return 0
        return max((on_rim for number, on_rim in self.cells if number == sides), default=0)

    def _can_meet(self, piece: Sided, label: str, sides_with: Counter[str]) -> bool:
        """Whether another side can meet a side of the piece with this label."""
        partner = self.partner(label)
        if self._has_cell_beside_itself:
            return sides_with[partner] > (1 if partner == label else 0)
        return sides_with[partner] > piece.sides.count(partner)

    @cached_property
    def _has_cell_beside_itself(self) -> bool:
        """As on a narrow torus."""
        return any(here == there for (here, _), (there, _) in self.board.across.items())


def _quote_label(label: str) -> str:
    return f"'{printable(label)}'"


def _have(number: int) -> str:
    return "has" if number == 1 else "have"
