"""Grids whose houses (rows, columns, boxes and the like) hold each symbol once: proofs that the givens leave no solution."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from jigsat.pieces.counting import list_words, too_few

C = TypeVar("C", bound=Hashable)  # type of cells


@dataclass(frozen=True)
class Houses(Generic[C]):
    """The houses of a grid with names, the symbols that each holds, the given symbols, and the name of each cell."""

    named: Sequence[tuple[str, Sequence[C]]]
    symbols: Sequence[str]
    givens: Mapping[C, str]
    place: Callable[[C], str]

    def faults(self) -> Iterator[tuple[str, frozenset[C]]]:
        """Proofs, with the givens that they are about: symbols twice in a house, or else the smallest set that cannot fit."""
        twice: dict[frozenset[C], str] = {}
        for name, house in self.named:
            for symbol in self.symbols:
                cells = [cell for cell in house if self.givens.get(cell) == symbol]
                if len(cells) > 1:
                    places = list_words(list(map(self.place, cells)))
                    twice.setdefault(frozenset(cells), f"{symbol} is given {_times(len(cells))} in {name}: {places}")
        if twice:
            yield from ((words, given) for given, words in twice.items())
        elif crowded := list(self._crowded_cells()):
            _, words, given = min(crowded, key=lambda fault: fault[0])
            yield words, given

    def _crowded_cells(self) -> Iterator[tuple[int, str, frozenset[C]]]:
        """Cells of a house for which too few symbols are left, and symbols for which too few cells are; with their number."""
        seen: dict[C, dict[C, str]] = {}
        for _, house in self.named:
            shown = {cell: self.givens[cell] for cell in house if cell in self.givens}
            for cell in house:
                seen.setdefault(cell, {}).update(shown)
        left = {
            cell: [self.givens[cell]] if cell in self.givens else [s for s in self.symbols if s not in givens.values()]
            for cell, givens in seen.items()
        }
        for name, house in self.named:
            if found := too_few({cell: left[cell] for cell in house}):
                cells, values = found
                by = frozenset(other for cell in cells for other in seen[cell])
                where = list_words(list(map(self.place, cells)))
                some = [symbol for symbol in self.symbols if symbol in values]
                if some:
                    yield len(cells), f"only {list_words(some)} {_are(some)} left for the cells {where} of {name}", by
                else:
                    around = list_words([name for name, house in self.named if not set(house).isdisjoint(cells)])
                    yield len(cells), f"no symbol is left for {where}: all are given in {around}", by
            if found_ := too_few({symbol: [cell for cell in house if symbol in left[cell]] for symbol in self.symbols}):
                symbols, room = found_
                by = frozenset(other for cell in house for other, symbol in seen[cell].items() if symbol in symbols)
                where = f"only {list_words([self.place(cell) for cell in house if cell in room])}" if room else "no cell"
                yield len(symbols), f"in {name}, {where} can hold {list_words(symbols)}", by


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"


def _are(some: Sequence[str]) -> str:
    return "is" if len(some) == 1 else "are"
