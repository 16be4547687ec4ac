"""Exact covers that contain some clues: one search after another, by the compiled engine."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from contextlib import closing
from itertools import chain
from typing import NamedTuple

from jigsat.backends.cover import load_search
from jigsat.backends.exact_cover import CoverOptions, CoverReader, is_plain
from jigsat.formula import Cardinality, Formula


class Restriction(NamedTuple):
    """What a clue does to an exact cover: the options that are chosen, and those that are excluded, by number."""

    chosen: tuple[int, ...] = ()
    excluded: tuple[int, ...] = ()


class CluedCovers:
    """The exact covers that contain some clues, for one set of clues after another; the formula is read only once."""

    def __init__(self, read: CoverOptions, bounds: Sequence[Cardinality]) -> None:
        self._covers = load_search(read, bounds)
        self._options, self._items = list(read.implied), read.items
        self._number = {option: i for i, option in enumerate(self._options)}
        self._chosen: list[int] = []  # by the clues

    @classmethod
    def of(cls, formula: Formula) -> CluedCovers | None:
        """Those of a formula whose items cover its decision variables; None unless it is plain, so that reading it is fast."""
        with closing(CoverReader()) as reader:
            reader.decisions = frozenset(formula.decisions())
            for constraint in formula.constraints():
                if not is_plain(constraint, reader.decisions):
                    return None
                reader.add(constraint)
            return cls(reader.read_plain(), reader.sums())

    def restriction(self, clue: Set[int]) -> Restriction | None:
        """The effect of a clue, one of whose variables must be true; None if it cannot be expressed in this way."""
        fitting = clue & self._number.keys()
        if len(fitting) == 1:
            return Restriction(chosen=self._numbers(fitting))
        item = next((item for item in self._items if fitting <= item), None)
        return None if item is None else Restriction(excluded=self._numbers(item - fitting))

    def _numbers(self, options: Set[int]) -> tuple[int, ...]:
        return tuple(self._number[option] for option in options)

    def restart(self, clues: Collection[Restriction]) -> None:
        """Begin the search for the models that satisfy these clues."""
        chosen, excluded = ({*chain.from_iterable(numbers)} for numbers in zip(*clues, strict=True)) if clues else ((), ())
        self._covers.restart(sorted(chosen), sorted(excluded))
        self._chosen = [self._options[option] for option in chosen]

    @property
    def nodes(self) -> int:
        """The nodes of the search tree since the last restart."""
        return self._covers.nodes

    def part(self, nodes: int) -> tuple[list[frozenset[int]], bool]:
        """Search about this number of nodes; returns one or two models if there are any, and whether there may be more."""
        found, more = self._covers.part(2, nodes)  # two are enough to tell whether there is exactly one
        return [frozenset([*self._chosen, *map(self._options.__getitem__, cover)]) for cover in found], more
