"""The check of a tiling: quarter turns of the pieces as drawn, one cell after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jigsat.encodings.tiling.data import Placement, TilingData

    from jigsat.boards.lattice import Cell

    Look = frozenset[tuple[Cell, str]]

ANY_COLOUR = "#"


class Checker:
    """The check of one puzzle. It remembers what is wrong with single placements, because many solutions share them."""

    def __init__(self, puzzle: TilingData) -> None:
        self._puzzle = puzzle
        self._faults: dict[Placement, tuple[str, ...]] = {}

    def broken_rules(self, placements: Sequence[Placement]) -> Iterator[str]:
        """Cells that are not covered once, pieces that cannot lie so, and pieces used too often or too rarely."""
        covering = [cell for placement in placements for cell in placement.cells]
        covered = set(covering)
        if len(covered) < len(covering):
            yield from (f"{cell} is covered {times} times" for cell, times in Counter(covering).items() if times > 1)
        if (left := len(self._puzzle.cells.keys() - covered)) != self._puzzle.left_over:
            yield f"{left} cells are left over, not {self._puzzle.left_over}"
        for placement in placements:
            if (faults := self._faults.get(placement)) is None:
                faults = self._faults[placement] = tuple(self._judged(placement))
            yield from faults
        used = Counter([placement.piece for placement in placements])
        for alike, least, most in self._alike:
            if not least <= (times := sum([used[name] for name in alike])) <= most:
                yield f"piece {alike[0]} is used {times} times"

    def _judged(self, placement: Placement) -> Iterator[str]:
        name, where = placement
        if name not in self._puzzle.drawn or len(where) != len(self._puzzle.drawn[name]):
            yield f"there is no piece {name} of {len(where)} cells"
            return
        shown = list(zip(where, self._puzzle.drawn[name].values(), strict=True))
        for cell, character in shown:
            if cell not in self._puzzle.cells:
                yield f"piece {name} covers {cell}, which is no cell of the board"
            elif ANY_COLOUR not in (character, self._puzzle.cells[cell]) and character != self._puzzle.cells[cell]:
                yield f"piece {name} shows {character} on {cell}, where the board shows {self._puzzle.cells[cell]}"
        if _at_origin(shown) not in self._looks[name]:
            yield f"piece {name} cannot lie on {where}"

    @cached_property
    def _looks(self) -> dict[str, frozenset[Look]]:
        """All that a piece can look like: what quarter turns, and in the plane turning over, lead to one after the other."""
        found = {}
        for name, drawn in self._puzzle.drawn.items():
            looks: set[Look] = set()
            new = [_at_origin(drawn.items())]
            while new:
                look = new.pop()
                if look not in looks:
                    looks.add(look)
                    if self._puzzle.dimension == 2 and self._puzzle.turning_over:
                        new.append(_at_origin(((y, -x), shade) for (y, x), shade in look))
                    axes = range(1, self._puzzle.dimension if self._puzzle.turning else 1)
                    new += [_at_origin((_quarter_turn(cell, axis), shade) for cell, shade in look) for axis in axes]
            found[name] = frozenset(looks)
        return found

    @cached_property
    def _alike(self) -> list[tuple[list[str], int, int]]:
        """The names of pieces that can look the same, which can replace each other, and how often they are used."""
        alike: dict[frozenset[Look], list[str]] = {}
        for name, looks in self._looks.items():
            alike.setdefault(looks, []).append(name)
        uses = [[self._puzzle.used(name) for name in names] for names in alike.values()]
        return [
            (names, sum(least for least, _ in used), sum(most for _, most in used))
            for names, used in zip(alike.values(), uses, strict=True)
        ]


def _at_origin(coloured: Iterable[tuple[Cell, str]]) -> Look:
    coloured = list(coloured)
    least = [min(along) for along in zip(*(cell for cell, _ in coloured), strict=True)]
    return frozenset((tuple(x - low for x, low in zip(cell, least, strict=True)), shade) for cell, shade in coloured)


def _quarter_turn(cell: Cell, axis: int) -> Cell:
    """The cell turned about the origin, from the axis towards the one before it."""
    return (*cell[: axis - 1], -cell[axis], cell[axis - 1], *cell[axis + 1 :])
