"""Proofs by counting that symbols cannot fill houses (rows, columns, boxes and the like), or that
sides lack a partner."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
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
        twice: dict[frozenset[C], str] = {}
        for name, house in self.named:
            for symbol in self.symbols:
                cells = [cell for cell in house if self.givens.get(cell) == symbol]
                if len(cells) > 1:
                    places, often = (
                        list_words(list(map(self.place, cells))),
                        f"{len(cells)} times" if cells[2:] else "twice",
                    )
                    twice.setdefault(
                        frozenset(cells), f"{symbol} is given {often} in {name}: {places}"
                    )
        if twice:
            yield from ((words, given) for given, words in twice.items())
        elif crowded := list(self._crowded_cells()):
            _, words, given = min(crowded, key=lambda fault: fault[0])
            yield words, given

    def _crowded_cells(self) -> Iterator[tuple[int, str, frozenset[C]]]:
        """Cells of a house for which too few symbols are left, and symbols for which too few cells
        are; with their number."""
        seen: dict[C, dict[C, str]] = {}
        for _, house in self.named:
            shown = {cell: self.givens[cell] for cell in house if cell in self.givens}
            for cell in house:
                seen.setdefault(cell, {}).update(shown)
        free = {
            cell: [symbol for symbol in self.symbols if symbol not in givens.values()]
            for cell, givens in seen.items()
        }
        left = {cell: [self.givens[cell]] if cell in self.givens else free[cell] for cell in seen}
        for name, house in self.named:
            if found := too_few({cell: left[cell] for cell in house}):
                cells, values = found
                by = frozenset(other for cell in cells for other in seen[cell])
                where = list_words(list(map(self.place, cells)))
                some = [symbol for symbol in self.symbols if symbol in values]
                if some:
                    verb = "is" if len(some) == 1 else "are"
                    yield (
                        len(cells),
                        f"only {list_words(some)} {verb} left for the cells {where} of {name}",
                        by,
                    )
                else:
                    around = list_words(
                        [name for name, house in self.named if not set(house).isdisjoint(cells)]
                    )
                    yield (
                        len(cells),
                        f"no symbol is left for {where}: all are given in {around}",
                        by,
                    )
            if found_ := too_few(
                {
                    symbol: [cell for cell in house if symbol in left[cell]]
                    for symbol in self.symbols
                }
            ):
                symbols, room = found_
                by = frozenset(
                    other
                    for cell in house
                    for other, symbol in seen[cell].items()
                    if symbol in symbols
                )
                where = (
                    f"only {list_words([self.place(cell) for cell in house if cell in room])}"
                    if room
                    else "no cell"
                )
                yield len(symbols), f"in {name}, {where} can hold {list_words(symbols)}", by


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
            yield from self._frame(self.frame)
        yield from self._unusable()
        if all(self._supply(self.pieces, n) == number for n, number in self._demand.items()):
            yield from self._explain_unpaired()

    @property
    def _demand(self) -> Counter[int]:
        """The number of cells by their number of sides."""
        return Counter(sides for sides, _ in self.cells)

    @staticmethod
    def _supply(pieces: Collection[Sided], sides: int) -> float:
        """The number of pieces with this number of sides."""
        return sum(
            float("inf") if piece.count is None else piece.count
            for piece in pieces
            if len(piece.sides) == sides
        )

    def _frame(self, frame: str) -> Iterator[str]:
        """Too few sides, or too few pieces with several sides, that fit the frame."""
        having = [(piece.sides.count(frame), piece.count) for piece in self.pieces]
        if any(number and count is None for number, count in having):
            return
        rim, there = (
            sum(on_rim for _, on_rim in self.cells),
            sum(number * (count or 0) for number, count in having),
        )
        if there < rim:
            yield (
                f"{_quote_label(frame)} is on {plural(there, 'side')} of the {self.noun}s, but "
                f"the rim needs it on {rim:,}"
            )
            return
        for least in range(1, max(on_rim for _, on_rim in self.cells) + 1):
            cells = sum(on_rim >= least for _, on_rim in self.cells)
            fitting = sum(count or 0 for number, count in having if number >= least)
            if fitting < cells:
                sides = "a side" if least == 1 else f"{least} or more sides"
                yield (
                    f"{plural(cells, 'cell')} of the board {_have(cells)} {sides} on the rim, "
                    f"but only "
                    f"{plural(fitting, self.noun)} {_have(fitting)} {_quote_label(frame)} on "
                    f"that many"
                )
                return

    def _explain_unpaired(self) -> Iterator[str]:
        """If every piece is used: labels on more sides than their partners, or on an odd number of
        sides."""
        on: Counter[str] = Counter()
        for piece in self.pieces:
            for label in piece.sides:
                on[label] += piece.count or 0
        rim = sum(on_rim for _, on_rim in self.cells)
        if self.frame is not None:
            on[self.frame] -= rim
            if on[self.frame] < 0:
                return
        inside = " inside the board" if self.frame is not None else ""
        left = 0
        said = []
        for label in dict.fromkeys(label for piece in self.pieces for label in piece.sides):
            other = self.partner(label)
            if label == other and on[label] % 2:
                left += 1
                said.append(
                    f"{_quote_label(label)} is on {plural(on[label], 'side')}{inside}, an odd "
                    f"number, but they meet in pairs"
                )
            elif on[label] > on[other]:
                left += on[label] - on[other]
                said.append(
                    f"{_quote_label(label)} is on "
                    f"{plural(on[label], 'side')}{inside}{self._at(label, on)}, but "
                    f"{_quote_label(other)}, which fits it, on "
                    f"{on[other] or 'none'}"
                )
        if self.frame is not None or not rim:
            yield from said[:MAX_SHOWN_WORDS]
        elif left > rim:
            sides = (
                f"at least {plural(left, 'side')} cannot be paired, but only {rim:,} can be "
                f"on the rim"
            )
            yield f"{sides}: {'; '.join(said[:MAX_SHOWN_WORDS])}"

    def _at(self, label: str, on: Counter[str]) -> str:
        """Where the only side with a label is, if the file does not show the label itself."""
        places = (
            f", {piece.place(i)} of {self.noun} {printable(piece.name)}"
            for piece in self.pieces
            if piece.places
            for i, each in enumerate(piece.sides)
            if each == label
        )
        return next(places, "") if on[label] == 1 else ""

    def _unusable(self) -> Iterator[str]:
        """Pieces with sides that nothing fits, if the others are too few."""
        most_on_rim = {
            sides: max(rim for n, rim in self.cells if n == sides) for sides in self._demand
        }
        pieces, useless = list(self.pieces), list[str]()
        found = True
        while found:
            on: Counter[str] = Counter()
            for piece in pieces:
                for label in piece.sides:
                    on[label] += 2 if piece.count is None else piece.count
            found = False
            for piece in pieces:
                its = enumerate(piece.sides)
                alone = [
                    i
                    for i, label in its
                    if label != self.frame and not self._can_meet(piece, label, on)
                ]
                free = most_on_rim.get(len(piece.sides), 0) if self.frame is None else 0
                if len(alone) > free:
                    found = True
                    sides = list_words(list(dict.fromkeys(map(piece.place, alone))))
                    room = (
                        f" (at most {plural(free, 'side')} of it can be on the rim)" if free else ""
                    )
                    useless.append(f"{sides} of {self.noun} {printable(piece.name)}{room}")
                    pieces.remove(piece)
                    break
        for n, number in self._demand.items():
            if useless and (supply := self._supply(pieces, n)) < number:
                yield (
                    f"nothing fits {list_words(useless)}; without "
                    f"{'it' if len(useless) == 1 else 'them'}, there are only "
                    f"{plural(int(supply), self.noun)} for {plural(number, 'cell')}"
                )

    def _can_meet(self, piece: Sided, label: str, on: Counter[str]) -> bool:
        """Whether another side can meet this side of the piece."""
        other = self.partner(label)
        # as on a narrow torus
        itself = any(here == there for (here, _), (there, _) in self.board.across.items())
        return on[other] > ((other == label) if itself else piece.sides.count(other))


def _quote_label(label: str) -> str:
    return f"'{printable(label)}'"


def _have(number: int) -> str:
    return "has" if number == 1 else "have"
